"""Contradictions of Viticulture: each broken invariant raises in one line, and permitted exceptions are accepted."""

import numpy as np
import pytest

import vitienv
from tests.invalid_positions import assert_refused
from vitienv.core.frames import FRAME_WIDTH, NO_CARD, NOBODY, Frame

SOLO = {"ruleset": "solo"}
BLOCKER = SOLO | {"num_players": 2, "options": {"automa_replacement": "blocker"}}
ALONE = {"summer": SOLO | {"season": "summer"}, "winter": SOLO | {"season": "winter"}}
AUTOMA = {"space": "plain", "seat": "automa"}
CROWD = {"seat": 0, "worker": "grande", "space": "crowd"}
SPRING_WORKER = {"draw_vine": [{"seat": 0}]}


def seats(**first):
    return {"seats": [first]}


def stack(*words, done=0, stage=0, seat=0, turn=0):
    """Return pending frames of these operations. done, stage: of frames without a decision. seat: of decisions."""
    clock = {"year": [-1, -1, stage, 0, 0, done, *[0] * 9], "setup": [0, -1, stage, 0, 0, done, *[0] * 9]}
    frames = [[word, *clock.get(word, [seat, -1, 0, 1, 1, *[0] * 10])] for word in words]
    return {"pending": {"frames": frames, "turn": turn}}


def importing(num_missing=3, done=0, offered=3, word="import"):
    """Return frames of the Importer: missing and set-aside cards, and cards missing for the current seat."""
    frames = [["year", -1, -1, 0, 0, 0, 2, *[0] * 9], [word, 0, -1, 0, num_missing, 0, done, *[0] * 9],
              ["offer_cards", 1, -1, 0, offered, 0, 0, 6, *[0] * 8]]  # fmt: skip
    return {"season": "summer", "pending": {"frames": frames}}


# A card with an offer to all seats, one with two options, and one with two halves in any order
CREW, BOTH, HALVES = 61, 49, 66
SEATS = [{"wake_up": 1}, {"wake_up": 2}]
WIDE = {"a": 0, "b": -1, "c": 255}  # any structure for its full price


def frame(word, seat=0, card=NO_CARD, **columns):
    numbers = [0] * FRAME_WIDTH
    for column, number in ({"seat": seat, "card": card} | columns).items():
        numbers[Frame[column.upper()]] = number
    return [word, *numbers[1:]]


def pending(*frames):
    return {"pending": {"frames": list(frames), "turn_seat": 0, "turn_place": 0}}


def turn(*frames):
    """Return a position of summer with these pending frames."""
    return {"season": "summer", "seats": SEATS, **pending(*frames)}


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


SETUP = {"year": 0, "season": "setup"}


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"seats": [{"hand": {"order": ["order_03"]}}, {"hand": {"order": ["order_03"]}}]}, "order:order_03"),
        ({"seats": [{"hand": {"order": ["order_03"]}}], "discards": {"order": ["order_03"]}}, "order:order_03"),
        ({"seats": [{"fields": [{"capacity": 5, "vines": ["merlot", "merlot"]}]}]}, "worth more than 5"),
        ({"seats": [{"fields": [{"capacity": 5, "vines": ["merlot"], "sold": True}]}]}, "a field of seat 0 that is"),
        ({"seats": [{"cellar": {"red": [5]}}]}, "without its cellar"),
        ({"seats": [{"cellar": {"blush": [3]}}]}, "from 4 to 9"),
        ({"seats": [{"structures": ["large_cellar"]}]}, "structures of seat 0 must have the medium cellar below the"),
        ({"seats": [{"crush_pad": {"red": [2, 2]}}]}, "red of crush_pad of seat 0 must name each at most once, got"),
        ({"seats": [{"money": 3}]}, "unknown key 'money'"),
        ({"weather": "fine"}, "unknown key 'weather'"),
        ({"seats": [{"hand": {"vine": ["grapefruit"]}}]}, "unknown vine card 'grapefruit'"),
        ({"num_players": 7}, "num_players must be .*, got 7"),
        ({"season": "summer", "seats": [{"passed": True}], "to_act": 0}, r"to_act must be one of \[1\], as others"),
        ({"season": "summer", "seats": [{"wake_up": 2}, {"wake_up": 2}]}, r"wake_up must be different rows, got \["),
        ({"season": "fall"}, "season must be spring, summer or winter in a position without "),
        ({"season": "summer", "seats": [{"workers": {"regular": 0, "grande": 0}}], "to_act": 0}, "no worker to place"),
        ({"season": "summer", "board": {"draw_vine": [{"seat": 0}, {"seat": 1}]}}, "no free plain space"),
        ({"season": "summer", "board": {"draw_vine": [{"space": "bonus", "seat": 0}]}}, "no free bonus space"),
        ({"season": "summer", "board": {"yoke": [{"seat": 0}]}}, "used of seat 0 must be among its structures, got"),
        ({"next_draws": {"vine": ["sangiovese"] * 5}}, "next_draws must be in the deck, got more of vine:sangiovese"),
        ({"ruleset": "tuscany"}, "unknown ruleset 'tuscany'"),
        ({"seats": [{"victory_points": -6}]}, "from -5"),
        ([], "must be a mapping"),
        (pending([1, 2]), r"frame 0 must be a list of 16 entries, got \[1, 2\]"),
        (pending(["place", 7, *[0] * 14]), "seat of the pending place must be from 0 to 1, got 7"),
        (pending([99, 0, *[0] * 14]), "unknown operation 99; expected one of: .*make, grape, wine, b"),
        (pending(*[["place", 0, *[0] * 14]] * 50), "frames must be at most 16 frames, got 50"),
        *((position | {"turn_order": order}, "turn_order must be") for order in ([0.0, 1.0], [True, False], 3)
          for position in ({"season": "summer"}, {"season": "year_end", "status": "over"})),
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
        (stack("place"), "place cannot be at the bottom among the pending"),
        ({"season": "summer", **stack("setup", "place")}, "place cannot be on setup among the pending"),
        (SETUP | stack("year", "deck"), "pending must start with setup in setup"),
        (SETUP | stack("setup", "gift", "setup", "gift"), "setup cannot be on gift among the pending"),
        ({"season": "summer", **stack("year", "place", "year", "place")}, "year cannot be on place"),
        ({"season": "fall", **stack("year", "deck", done=2)}, "it is the turn of another seat"),
        ({"season": "fall", **stack("year", "deck", done=12)}, "it is the turn of another seat"),
        ({"season": "summer", **stack("year", done=1)}, "done of the first pending frame must be at most 0 in"),
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
        (seats(cellar={"sparkling": [5]}), "from 7 to 9"),
        (seats(residual=6), "from 0 to 5"),
        ({"season": "summer"} | seats(workers={"regular": 5}, trained_this_year=1), "workers of seat 0 must be at"),
        ({"season": "summer"} | seats(workers={"grande": 2}), "workers of seat 0 must be at most 5 with those trained"),
        ({"season": "summer", "seats": [{"workers": {"temporary": 1}}] * 2}, "temporary workers must be at most one"),
        (seats(papas=["andrew", "christian"]), "papas of a seat must be at most one, except in the set-up with dra"),
        (seats(shown={"vine:pinot": 2}, hand={"vine": ["pinot"]}), "shown of seat 0 must be at most the hand, got"),
        (BLOCKER | {"seats": [{}, {"hand": {"order": ["order_03"]}}]}, "hand of seat 1 must be empty, as it only"),
        (BLOCKER | {"seats": [{}, {"lira": 2}]}, "lira of seat 1 must be empty, as it only blocks"),
        (BLOCKER | {"seats": [{}, {"glass_tokens": [2]}]}, "glass of seat 1 must be empty, as it only blocks"),
        (turn(year(), question("train", 1, a=4), question("bonus", 0, a=8)), "its seat is the seat of the frame"),
        (turn(year(), question("sell", 1, left=18), question("bonus", 0, a=4)), "its seat is the seat of the frame"),
        (turn(*playing(BOTH, parts(BOTH), question("plant", 1, card=BOTH), p0=3)), "its seat is the seat of"),
        (turn(*playing(BOTH, parts(BOTH), question("build", card=CREW, **WIDE), p0=3)), "its card is the card of"),
        (turn(*playing(NO_CARD)), "its card is a visitor"),
        (turn(*playing(BOTH, parts(BOTH, b=4))), "option a of its card has a part b"),
        (turn(*playing(BOTH, parts(BOTH, a=3))), "option a of its card has a part b"),
        (turn(*playing(HALVES, parts(HALVES, b=0), parts(HALVES, a=2, b=0))), "have started, or are the second half"),
        (turn(*playing(HALVES, parts(HALVES), parts(HALVES, a=2), parts(HALVES, a=1))), "or are the second half"),
        (turn(*playing(CREW, CREWS[0], frame("offers", card=CREW, a=8))), "its offer is that of the card"),
        (turn(*playing(CREW, *CREWS, question("ask", 1, card=CREW, min=0, a=5))), "is an offer with its a, of seat b"),
        (turn(*playing(BOTH, question("branch", card=BOTH), p0=2, stage=1)), "with the resolved options b"),
        (turn(*playing(BOTH, stage=0)), "stage of the pending card must be from 1 to 9, got 0"),
        (turn(year(), question("train", a=7)), "its price is the table's"),
        (turn(year(), question("token", a=11)), "it is of the turn's seat and action"),
        (turn(year(), question("build", a=0, b=-1, c=0)), "it is what the card grants, or any for its price"),
        (turn(year(), question("build", goals=2, **WIDE)), "its goals are the goals of the parts below"),
        (turn(year(), question("plant", stage=1, p0=0)), "the seat holds the vine p0"),
        (turn(year(), question("plant", left=2, min=3)), "left and done add up to at least its min"),
        (turn(year(), question("sell", left=18, p0=10)), "p0 is after the last grape sold"),
        (turn(year(), question("uproot", left=0)), "left of the pending uproot must be from 1 to 4, got 0"),
        (turn(year(), question("cards", left=60, min=60, a=15, c=-1)), "the seat holds enough cards of decks a"),
        (turn(year(), question("cards", stage=1, a=15, c=1)), "only given cards have a receiver"),
        (turn(year(), question("deck", 1, a=12)), "it is the turn of another seat"),
        (turn(year(), question("deck", a=12, left=3, done=2)), "left and done add up to a possible number"),
        (pending(year(done=2), question("deck", a=12)), "as many seats as are served in this spring have a row"),
        *((SETUP | pending(frame("setup", stage=stage, done=done), question("gift")), "at another step of the set-up")
          for stage, done in ((4, 0), (4, 2), (4, 3), (0, 0), (0, 1))),
        (turn(year(), *[question("build", a=0, b=-1, c=2**8 - 1)] * 2), "build cannot be on build among the pending"),
    ],
)  # fmt: skip
def test_contradictions_raise(position, message):
    assert_refused(position, message)


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


def test_defaults_of_a_blocker():
    """Missing keys have their value at the start of a game."""
    game = vitienv.Game.from_dict(
        BLOCKER | {"options": {"automa_replacement": "blocker", "start_lira": 9, "bonus_tokens": 2}}
    )
    assert np.array_equal(game.state.lira[:2], [9, 0]) and np.array_equal(game.state.bonus_tokens[:2], [2, 0])
    assert game.state.glass[0].all() and not game.state.glass[1].any()
