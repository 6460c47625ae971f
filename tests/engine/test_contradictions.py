"""Invalid positions: each broken invariant raises in one line; all positions of real games are accepted."""

import json
from itertools import pairwise

import numpy as np
import pytest

import vitienv
from tests.engine.kinds import KINDS
from tests.engine.test_determinize import play
from tests.frame_bounds import Registers
from vitienv.core.frames import FRAME_WIDTH, NO_CARD, NOBODY, Frame
from vitienv.core.positions.pending import stack_faults
from vitienv.toscana.positions.contradictions import LIES_ON as OF_TOSCANA
from vitienv.viticulture.positions import bounds as registers
from vitienv.viticulture.positions import pending
from vitienv.world.positions import pending as of_world

SOLO = {"ruleset": "solo"}
BLOCKER = SOLO | {"num_players": 2, "options": {"automa_replacement": "blocker"}}
ALONE = {"summer": SOLO | {"season": "summer"}, "winter": SOLO | {"season": "winter"}}
AUTOMA = {"space": "plain", "seat": "automa"}
CROWD = {"seat": 0, "worker": "grande", "space": "crowd"}
SPRING_WORKER = {"draw_vine": [{"seat": 0}]}


def seats(**first):
    """Return a position with this first seat."""
    return {"seats": [first]}


def stack(*words, done=0, stage=0, seat=0, turn=0):
    """Return pending frames of these operations. // done, stage: of frames without a decision. seat: of decisions."""
    clock = {"year": [-1, -1, stage, 0, 0, done, *[0] * 9], "setup": [0, -1, stage, 0, 0, done, *[0] * 9]}
    frames = [[word, *clock.get(word, [seat, -1, 0, 1, 1, *[0] * 10])] for word in words]
    return {"pending": {"frames": frames, "turn": turn}}


def importing(num_missing=3, done=0, offered=3, word="import"):
    """Return frames of the Importer: missing and set-aside cards, and cards missing for the current seat."""
    frames = [["year", -1, -1, 0, 0, 0, 2, *[0] * 9], [word, 0, -1, 0, num_missing, 0, done, *[0] * 9],
              ["offer_cards", 1, -1, 0, offered, 0, 0, 6, *[0] * 8]]  # fmt: skip
    return {"season": "summer", "pending": {"frames": frames}}


SETUP = {"year": 0, "season": "setup"}


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (SOLO | {"year": 8}, "year must be at most 7 in this game, got 8"),
        (SOLO | {"year": 9, "options": {"difficulty": "very_easy"}}, "year must be at most 8 in this game, got 9"),
        ({"year": 4, "options": {"max_years": 3}}, "year must be at most 3 in this game, got 4"),
        ({"num_players": 2, "options": {"num_players": 3}}, "num_players must be as in options, 3, got 2"),
        ({"year": 0}, "year must be 0 in the set-up and at least 1 in other seasons, "),
        ({"season": "summer", "turn_order": [0, None]}, "turn_order must be an integer from 0 to 1, got None"),
        ({"season": "summer", "turn_order": [1, 1]}, r"turn_order must name each of the 2 seats once, got \[1, 1\]"),
        ({"year": 2, "season": "setup", "status": "over"}, "year must be 0 in the set-up and at least 1 in other"),
        ({"status": "truncated", "season": "year_end"}, "status must be truncated only in the year max_years, 0, got"),
        (SOLO | {"lost": True}, "lost must be false during the game; a lost game has sta"),
        ({"status": "over", **stack("year", "place")}, "pending must be left out of a game that is over"),
        # Without this check rules would access arrays beyond the seats.
        (stack("place"), "pending must start with one year in spring"),
        ({"season": "summer", **stack("setup", "place")}, "pending must start with one year in summer"),
        (SETUP | stack("year", "gift"), "pending must start with one setup in setup"),
        (SETUP | stack("setup", "gift", "setup", "gift"), "pending must start with one setup in setup"),
        ({"season": "summer", **stack("year", "place", "year", "place")}, "pending must start with one year in summer"),
        ({"season": "fall", **stack("year", "deck", done=3)}, "done of the first pending frame must be at most 2 in"),
        (SETUP | stack("setup", "gift", done=3, stage=4), "done of the first pending frame must be at most 2 in"),
        (SETUP | stack("setup", "gift", done=1), "done of the first pending frame must be at most 0 in setup, go"),
        (SETUP | stack("setup", "gift", stage=5), "stage of the pending setup must be from 0 to 4, got 5"),
        ({"season": "summer", **stack("year", "card", seat=-1)}, "seat of the pending card must be from 0 to 1, got"),
        ({"season": "summer", **stack("year", "place", turn=2)}, "turn must be an integer from 0 to 1, got 2"),
        # Without this check a fourth card of the Importer would be written to another frame.
        (importing(num_missing=3, done=1), "import cannot be on year among the pending decisions"),
        (importing(num_missing=1, done=2, offered=3), "import cannot be on year among the pending decisions"),
        (importing(num_missing=0, done=0, word="deck"), "offer_cards cannot be on deck among the pending decisions"),
        ({"goal_reached": False} | seats(victory_points=21), "goal_reached must be true when a seat has 20 points,"),
        (SOLO | {"goal_reached": True}, "goal_reached must be false in a game that ends after its last "),
        (SOLO | {"year": 3} | seats(glass_tokens=[]), "glass_tokens of seat 0 must not be empty while it is to choose"),
        (SOLO | seats(bonus_tokens=1), "glass_tokens and bonus_tokens of seat 0 must be at most 7 in a"),
        (SOLO | seats(glass_tokens=[1, 2], bonus_tokens=6), "glass_tokens and bonus_tokens of seat 0 must be at most"),
        ({"board": SPRING_WORKER}, "board must be empty in spring; it is used from summer to "),
        ({"board": {"gain_lira": [{"seat": 1}]}}, "board must be empty in spring; it is used from summer to "),
        (seats(trained_this_year=1), "trained_this_year must be empty in spring; it is used from summ"),
        (seats(used=["windmill"], structures=["windmill"]), "used must be empty in spring; it is used from summer"),
        ({"season": "summer"} | seats(used=["yoke"]), "used of seat 0 must be among its structures, got yoke"),
        ({"season": "winter"} | seats(used=["tasting_room"]), "used of seat 0 must be among its structures, got"),
        (seats(wine_above_cellar=True), "wine_above_cellar of seat 0 must be true for a wine without it"),
        (seats(fields=[{"capacity": 5, "over_limit": True}]), "over_limit of fields of seat 0 must be true for vines"),
        ({"season": "summer"} | seats(wake_up=None), "wake_up must be a row in summer, got None"),
        (seats(structures="yoke"), "structures of seat 0 must be a list, got 'yoke'"),
        (seats(structures=3), "structures of seat 0 must be a list, got 3"),
        (seats(used={"yoke": 1}), "used of seat 0 must be a list"),
        (seats(cellar={"red": 4}), "red of cellar of seat 0 must be a list, got 4"),
        (seats(mamas="alaena"), "mamas of seat 0 must be a list"),
        (seats(lira=32_767), "lira of seat 0 must be an integer from 0 to 10000, got 32767"),
        (seats(victory_points=32_767), "victory_points of seat 0 must be .*got 32767"),
        ({"year": 32_767}, "year must be an integer from 0 to 10000, got 32767"),
        (SOLO | {"automa_points": 32_767}, "automa_points must be .*got 32767"),
        (seats(fields=[{"capacity": 5, "harvested": True}]), "harvested must be empty in spring; it is used from"),
        (seats(passed=True), "passed must be false in spring; seats pass in summer and in wi"),
        (BLOCKER | {"season": "summer", "board": {"draw_vine": [AUTOMA]}}, "workers of the Automa must be at most 0"),
        ({"season": "summer", "board": {"draw_vine": [CROWD]}}, "a grande worker must be on a free space of"),
        ({"season": "winter", "board": {"draw_vine": [CROWD | {"worker": "regular"}]}}, "must be grande workers"),
        (ALONE["summer"] | {"board": {"draw_order": [AUTOMA]}}, "workers of the Automa must be on summer actions in"),
        ({"seats": [{"mamas": ["alaena"]}, {"mamas": ["alaena"]}]}, r"mamas must be dealt once each, got \[0, 0\]"),
        (seats(papas=["andrew", "christian"]), "papas of a seat must be at most one, except in the set-up with dra"),
        (seats(shown={"vine:pinot": 2}, hand={"vine": ["pinot"]}), "shown of seat 0 must be at most the hand, got"),
        (BLOCKER | {"seats": [{}, {"hand": {"order": ["order_03"]}}]}, "hand of seat 1 must be empty, as it only"),
        (BLOCKER | {"seats": [{}, {"lira": 2}]}, "lira of seat 1 must be empty, as it only blocks"),
        (BLOCKER | {"seats": [{}, {"glass_tokens": [2]}]}, "glass of seat 1 must be empty, as it only blocks"),
    ],
)
def test_contradictions_raise(position, message):
    with pytest.raises(ValueError, match=message) as error:
        vitienv.Game.from_dict(position)
    assert "\n" not in str(error.value)


CREW, BOTH = 61, 49  # a card with an offer to all seats, and one with two options
SEATS = [{"wake_up": 1}, {"wake_up": 2}]
WIDE = {"a": 0, "b": -1, "c": 255}  # any structure for its full price


def frame(word, seat=0, card=NO_CARD, **columns):
    """Return a pending frame of a position."""
    numbers = [0] * FRAME_WIDTH
    for column, number in ({"seat": seat, "card": card} | columns).items():
        numbers[Frame[column.upper()]] = number
    return [word, *numbers[1:]]


def year(**columns):
    return frame("year", NOBODY, **columns)


def question(word, seat=0, **columns):
    """Return a frame that is answered once."""
    return frame(word, seat, **{"left": 1, "min": 1} | columns)


def playing(card, *above, **columns):
    """Return the frames of a visitor in play, and those above it."""
    below = [year(), frame("play", done=1, min=1, a=2), frame("card", card=card, **{"left": 1, "stage": 9} | columns)]
    return [*below, *above]


def parts(card, **columns):
    return frame("parts", card=card, **{"left": 1, "b": 1} | columns)


CREWS = (parts(CREW, b=2), frame("offers", card=CREW, a=7, p0=2))


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        ([year(), question("train", 1, a=4), question("bonus", 0, a=8)], "its seat is the seat of the frame below"),
        ([year(), question("sell", 1, left=18), question("bonus", 0, a=4)], "its seat is the seat of the frame below"),
        (playing(BOTH, parts(BOTH), question("plant", 1, card=BOTH), p0=3), "its seat is the seat of the frame below"),
        (playing(BOTH, parts(BOTH), question("build", card=CREW, **WIDE), p0=3), "its card is the card of the frame"),
        (playing(NO_CARD), "its card is a visitor"),
        (playing(BOTH, parts(BOTH, b=4)), "option a of its card has a part b"),
        (playing(BOTH, parts(BOTH, a=3)), "option a of its card has a part b"),
        (playing(CREW, CREWS[0], frame("offers", card=CREW, a=8)), "its offer is that of the card"),
        (playing(CREW, *CREWS, question("ask", 1, card=CREW, min=0, a=5)), "is an offer with its a, of seat b"),
        (playing(BOTH, question("branch", card=BOTH), p0=2, stage=1), "with the resolved options b"),
        (playing(BOTH, stage=0), "stage of the pending card must be from 1 to 9, got 0"),
        ([year(), question("train", a=7)], "its price is the table's"),
        ([year(), question("token", a=11)], "it is of the turn's seat and action"),
        ([year(), question("build", a=0, b=-1, c=0)], "it is what the card grants, or any for its price"),
        ([year(), question("build", goals=2, **WIDE)], "its goals are the goals of the parts below"),
        ([year(), question("plant", stage=1, p0=0)], "the seat holds the vine p0"),
        ([year(), question("plant", left=2, min=3)], "left and done add up to at least its min"),
        ([year(), question("sell", left=18, p0=10)], "p0 is after the last grape sold"),
        ([year(), question("uproot", left=0)], "left of the pending uproot must be from 1 to 4, got 0"),
        ([year(), question("cards", left=60, min=60, a=15, c=-1)], "the seat holds enough cards of decks a"),
        ([year(), question("cards", stage=1, a=15, c=1)], "only given cards have a receiver"),
        ([year(), question("deck", 1, a=12)], "it is the turn of another seat"),
    ],
)  # fmt: skip
def test_inconsistent_frames_raise(frames, message):
    pending = {"frames": frames, "turn_seat": 0, "turn_place": 0}
    with pytest.raises(ValueError, match=message) as error:
        vitienv.Game.from_dict({"season": "summer", "seats": SEATS, "pending": pending})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("position", "frames", "message"),
    [
        ({}, [year(done=2), question("deck", a=12)], "as many seats as are served in this spring have a row"),
        ({"year": 0, "season": "setup"}, [frame("setup", stage=4), question("gift")], "another step of the set-up"),
        ({"year": 0, "season": "setup"}, [frame("setup", stage=4, done=2), question("gift")], "another step of"),
        ({"year": 0, "season": "setup"}, [frame("setup", stage=0, done=0), question("gift")], "another step of"),
    ],
)  # fmt: skip
def test_inconsistent_clock_raises(position, frames, message):
    with pytest.raises(ValueError, match=message):
        vitienv.Game.from_dict(position | {"pending": {"frames": frames}})


def changed_seat(**changes):
    """Return a function that changes the first seat of a position."""
    return lambda position: position["seats"][0].update(changes)


def changed(**changes):
    """Return a function that changes a position."""
    return lambda position: position.update(changes)


# A position of three seats in the second fall, and a change for each invariant.
BROKEN = {
    "a card twice": (lambda p: p["discards"].setdefault("vine", []).extend(["pinot"] * 7), "cards must be at most"),
    "two temporary workers": (
        lambda p: [mat["workers"].update(temporary=1) for mat in p["seats"]],
        "temporary workers must be at most one in all",
    ),
    "six regular workers": (changed_seat(workers={"regular": 5}, trained_this_year=1), r"staff must be from 0 to 5,"),
    "two roosters in one row": (lambda p: p["seats"][0].update(wake_up=p["seats"][1]["wake_up"]), r"wake_up must be"),
    "no rooster": (changed_seat(wake_up=None), "wake_up must be a row in fall, got None"),
    "a sold field with vines": (
        changed_seat(fields=[{"capacity": 5, "vines": ["pinot"], "sold": True}]), "a field of seat 0 that is sold"),
    "a large cellar alone": (changed_seat(structures=["large_cellar"]), "structures of seat 0 must have the medium"),
    "a low blush": (changed_seat(cellar={"blush": [2]}), "from 4 to 9"),
    "a low sparkling": (changed_seat(cellar={"sparkling": [5]}), "from 7 to 9"),
    "a residual of six": (changed_seat(residual=6), "from 0 to 5"),
    "points below the floor": (changed_seat(victory_points=-9), "from -5"),
    "year 0": (changed(year=0), "year must be 0 in the set-up and at least 1 in other seasons, "),
    "two grandes": (changed_seat(workers={"grande": 2}), "workers of seat 0 must be at most 5 with those trained, a"),
    "a pass in fall": (changed_seat(passed=True), "passed must be false in fall; seats pass in summer and in wint"),
    "a game that is over, with decisions": (changed(status="over"), "pending must be left out of a game that is over"),
}  # fmt: skip


def mid_fall() -> dict:
    """Return a position with a pending decision: three seats have their rows, and one chooses a deck."""
    for game in play(6, 3):
        if game.year == 2 and game.phase == "fall" and game.decision == "choose_deck":
            return json.loads(json.dumps(game.to_dict()))
    raise AssertionError("no fall")


@pytest.mark.parametrize(
    "position",
    [
        {"season": "summer", "board": {"draw_vine": [CROWD], "play_summer_visitor": [{"seat": 1}]}},  # a Producer
        {"season": "summer", "board": {"draw_vine": [CROWD, {"seat": 1}]}},
        {"season": "winter", "board": {"draw_vine": [CROWD]}},  # a Motivator
    ],
)
def test_crowd_after_a_worker_left_is_accepted(position):
    game = vitienv.Game.from_dict(position)
    assert game == vitienv.Game.from_dict(game.to_dict())


@pytest.mark.parametrize("name", BROKEN)
def test_real_position_with_one_change_raises(name):
    change, message = BROKEN[name]
    position = mid_fall()
    vitienv.Game.from_dict(position)
    change(position)
    with pytest.raises(ValueError, match=message):
        vitienv.Game.from_dict(position)


ROUND_TRIPS = {f"essential_{n}": {"num_players": n} for n in range(2, 7)} | {
    "draft": {"num_players": 4, "draft_parents": True},
    "cut off": {"num_players": 3, "max_years": 2},
    "skip": {"num_players": 2, "skip_forced": True},
    **KINDS,
}


@pytest.mark.parametrize("kind", ROUND_TRIPS)
def test_positions_of_real_games_are_accepted(kind):
    """Including the last one, of a finished game."""
    options = {"num_players": None} | ROUND_TRIPS[kind]
    seed = 60 + list(ROUND_TRIPS).index(kind)
    for step, game in enumerate(play(seed, **options)):
        if step % 23 == 0:
            assert vitienv.Game.from_dict(json.loads(json.dumps(game.to_dict()))) == game, step
    assert game.is_over and vitienv.Game.from_dict(game.to_dict()) == game


def test_defaults_of_a_blocker():
    """Missing keys have their value at the start of a game."""
    game = vitienv.Game.from_dict(
        BLOCKER | {"options": {"automa_replacement": "blocker", "start_lira": 9, "bonus_tokens": 2}}
    )
    assert np.array_equal(game.state.lira[:2], [9, 0]) and np.array_equal(game.state.bonus_tokens[:2], [2, 0])
    assert game.state.glass[0].all() and not game.state.glass[1].any()


TRIED = (
    {"num_players": 3}, {"num_players": 6}, {"ruleset": "original", "num_players": 4}, {"ruleset": "solo"},
    {"num_players": 4, "draft_parents": True},
)  # fmt: skip
OF_WORLD = (
    {"num_players": 2, "continent": "europe"}, {"num_players": 1}, {"num_players": 4, "continent": "africa"},
)  # fmt: skip
TRIED_YEARS = 3


def bounds_of(frame, game):
    bounds = of_world.world_bounds if game.options.ruleset == "world" else registers.own_bounds
    return registers.bounds_of(frame, game.num_players, game.game_spec.operations, bounds(game.num_players))


@pytest.mark.parametrize(("tables", "min_kinds"),
                         ((TRIED, 35), ([{"game": "world", **table} for table in OF_WORLD], 35)),
                         ids=("viticulture", "world"))  # fmt: skip
def test_bounds_of_pending_frames(tables, min_kinds):
    """All frames of random games are accepted, and no value out of its bounds."""
    tried = Registers(lambda position: position.get("pending", {}).get("frames"), bounds_of, max_per_kind=1)
    for seed, options in enumerate(tables):
        game, rng = vitienv.Game.new(seed=seed, **options), np.random.default_rng(seed)
        while not game.is_over and game.year <= TRIED_YEARS:
            tried.try_all(game)
            game.step(int(rng.choice(np.flatnonzero(game.mask))))
        assert vitienv.Game.from_dict(json.loads(json.dumps(game.to_dict()))) == game
    assert len(tried.counts) >= min_kinds
    assert tried.refused == 60 * len(tried.counts)  # four values of each of 15 columns


STACKED = {
    "viticulture": (pending.LIES_ON, [{"num_players": 4}, {"num_players": 6, "draft_parents": True},
                                      {"ruleset": "original", "num_players": 3}, SOLO, SOLO | {"challenge": 1}]),
    "world": (of_world.LIES_ON, [{"game": "world", "continent": continent, "num_players": n}
                                 for continent, n in (("europe", 4), ("asia", 6), ("africa", 1))]),
    "toscana": (OF_TOSCANA, [{"game": "toscana", "num_players": 5, "player_trades": True}]),
}  # fmt: skip
TURN_OF_TOSCANA = {"start_worker", "turn", "taste"}  # implied by a position without frames


@pytest.mark.parametrize("game", STACKED)
def test_order_of_pending_frames(game):
    """Stacks of random games are accepted, but not with the top frame repeated, or in place of the frame below."""
    lies_on, tables = STACKED[game]
    rng, met = np.random.default_rng(5), set()
    for options in tables:
        vec = vitienv.make_vec(64, **options)
        vec.reset(seed=7)
        operations = vec._batch.options.game_spec.operations
        for _ in range(150):
            actions = (rng.random(vec._batch.masks.shape) * vec._batch.masks).argmax(1)
            vec.step(actions)
            for record in vec._batch.games[::7]:
                words = [operations.word(frame[Frame.OP]) for frame in record.frames[: int(record.depth)]]
                if not words or words[-1] in TURN_OF_TOSCANA:
                    continue
                met |= set(pairwise(words))
                assert not list(stack_faults(record, lies_on, operations))
                for at in (int(record.depth), int(record.depth) - 2):
                    copy = record.copy()
                    copy.frames[at] = record.frames[int(record.depth) - 1]
                    copy.depth = max(int(record.depth), at + 1)
                    assert list(stack_faults(copy, lies_on, operations))
    assert len(met) > {"viticulture": 25, "world": 25, "toscana": 6}[game]


def test_build_above_build_raises():
    """After the upper one no action would be legal."""
    frames = [["year", -1, -1, *[0] * 13], *[["build", 0, -1, 0, 1, 1, 0, 0, -1, 2**8 - 1, *[0] * 6]] * 2]
    position = {"ruleset": "original", "num_players": 3, "season": "summer", "seats": [{"lira": 9}]}
    with pytest.raises(ValueError, match="build cannot be on build among the pending decisions"):
        vitienv.Game.from_dict(position | {"pending": {"frames": frames, "turn_seat": 0}})
