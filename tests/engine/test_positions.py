"""Positions of all games: round trips, values of a wrong type, bounds and order of pending frames; logs."""

import copy
import json
import pickle
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import vitienv
from tests.engine.kinds import KINDS
from tests.engine.test_determinize import play
from tests.invalid_positions import assert_refused, frame_mutations, position_at, reading_errors
from tests.states import contradictions
from tests.toscana.positions import at, start
from vitienv.core.frames import Frame
from vitienv.core.positions import check_state
from vitienv.toscana.positions import FRAMES as OF_TOSCANA
from vitienv.viticulture.positions.pending import FRAMES as OF_VITICULTURE
from vitienv.world.game_spec import SIGNATURE as WORLD
from vitienv.world.positions.pending import FRAMES as OF_WORLD

TOSCANA = {
    "2": {"num_players": 2}, "5": {"num_players": 5}, "4": {"num_players": 4, "skip_forced": True},
    "3": {"num_players": 3, "map": "pieces", "player_trades": True},
    "supply": {"num_players": 2, "components": {"supply": {"champagne": {"count": 12}}}},
}  # fmt: skip
ROUND_TRIPS = {
    **{f"essential_{n}": {"num_players": n} for n in range(2, 7)},
    "draft": {"num_players": 4, "draft_parents": True},
    "truncated": {"num_players": 3, "max_years": 2},
    "skip": {"num_players": 2, "skip_forced": True},
    **KINDS,
    **{f"world_{name}": {"game": "world", "max_years": 3, **options} for name, options in WORLD.items()},
    **{f"toscana_{name}": {"game": "toscana", **options} for name, options in TOSCANA.items()},
}
STRIDES = {"draft": 6, "essential_2": 6, "normal": 6, "blocker": 6, "world_2/europe": 1}  # decisions per position
DECISIONS = {"world_2/europe": 20, "toscana_3": 11, "toscana_2": 8}  # minimum number of different decisions
STATE_KEYS = {"rule_steps", "rule_year", "rule_done", "goal_met", "goals_due", "boosted"}  # World's fields without keys


def random_action(game, rng):
    """Return a legal action; passing an action of Toscana only if no other is legal."""
    actions = game.legal_actions()
    return rng.choice([action for action in actions if not action.startswith("pass:")] or actions)


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_position_round_trip(name):
    """Position, chance included, mask, observation and JSON are equal, in the middle of each kind of decision."""
    seed = 58 + list(ROUND_TRIPS).index(name)
    game, rng, counts = vitienv.Game.new(seed=seed, **ROUND_TRIPS[name]), np.random.default_rng(seed), {}
    stride = STRIDES.get(name, 1 if game.game_spec.name == "toscana" else 23)
    for step in range(5_000):
        counts[game.decision] = counts.get(game.decision, 0) + 1
        if game.is_over or step % stride == 0 or counts[game.decision] <= 2:
            position = json.loads(json.dumps(game.to_dict()))
            other = vitienv.Game.from_dict(position)
            assert other == game and other.to_dict() == position, (step, game.decision)
            assert np.array_equal(other.mask, game.mask)
            assert np.array_equal(other.observation(0), game.observation(0))
            assert game.game_spec.name != "world" or position.get("state", {}).keys() <= STATE_KEYS
        if game.is_over:
            break
        game.step(random_action(game, rng))
    assert game.is_over and len(counts) >= DECISIONS.get(name, 0)


@pytest.mark.parametrize("options", [{"num_players": 3}, {"num_players": 2, "game": "world", "continent": "europe"}])
def test_copies_and_pickles_within_a_card(options):
    rng = np.random.default_rng(2)
    for step, game in enumerate(play(33, **options)):
        if step % 25:
            continue
        copies = [game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
        original = game.copy()
        for _ in range(20):
            if original.is_over:
                break
            action = int(rng.choice(np.flatnonzero(original.mask)))
            for copied in (original, *copies):
                copied.step(action)
        assert all(copied == original for copied in copies)
        assert all(copied.log == original.log for copied in copies)


def test_log_from_a_position_replays():
    game = vitienv.Game.new(num_players=2, seed=4)
    for _ in range(30):
        game.step(game.legal_actions()[0])
    start = vitienv.Game.from_dict(game.to_dict())
    start.step(start.legal_actions()[-1])
    assert vitienv.replay(start.log) == start


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"moves": ["pass"]}, "move 1 of the log is illegal"),
        ({"format": 99}, "got 99"),
        ({"state": "0" * 64}, "does not reach the recorded state"),
        ({"options": {"num_players": 9}}, "num_players must be .*, got 9"),
        ({"options": {"colour": 1}}, "unknown option 'colour'"),
        ({"moves": "pass"}, "damaged"),
    ],
)
def test_damaged_log_raises(change, message):
    game = vitienv.Game.new(num_players=2, seed=4)
    game.step(game.legal_actions()[0])
    with pytest.raises(ValueError, match=message):
        vitienv.replay(game.log | change)


def test_file_that_is_not_a_log_raises(tmp_path):
    path = tmp_path / "log.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="is damaged"):
        vitienv.replay(path)
    with pytest.raises(ValueError, match="does not exist"):
        vitienv.replay(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("options", "field", "value"),
    [
        ({}, "first_player", 4), ({}, "deck", 3), ({}, "turn_seat", 5), ({}, "pile", 7), ({}, "depth", 9),
        ({"game": "world"}, "n_events", 3), ({"game": "world"}, "events_gone", 2), ({"game": "world"}, "cart", 1),
        ({"game": "toscana"}, "square_owner", 1), ({"game": "toscana"}, "square_workers", 1),
        ({"game": "toscana"}, "n_forced", 2), ({"game": "toscana"}, "money", -1),
    ],
)  # fmt: skip
def test_contradictory_states_raise(options, field, value):
    """One impossible number raises, also one that no key of a position shows."""
    game = vitienv.Game.new(num_players=2, seed=4, **options)
    for _ in range(9):
        game.step(game.legal_actions()[0])
    check_state(game.state, game.options)
    numbers = np.array(game.state[field])
    numbers.flat[-1] = value
    game.state[field] = numbers
    with pytest.raises(ValueError, match=r"\A[^\n]+\Z"):
        check_state(game.state, game.options)


def test_marked_exceptions_are_accepted():
    seat = {
        "cellar": {"red": [5]},
        "wine_above_cellar": True,
        "fields": [{"capacity": 5, "vines": ["merlot", "merlot"], "over_limit": True}],
    }
    game = vitienv.Game.from_dict({"season": "summer", "seats": [seat]})
    written = game.to_dict()["seats"][0]
    assert written["wine_above_cellar"] is True and written["fields"][0]["over_limit"] is True


def test_forced_draws_precede_random_ones():
    game = vitienv.Game.from_dict(
        {"season": "summer", "to_act": 0, "next_draws": {"vine": ["merlot", "malvasia"]}, "seats": [{"wake_up": 1}]}
    )
    game.step("place:draw_vine:plain:regular")
    assert game.to_dict()["seats"][0]["hand"]["vine"] == ["merlot"]
    assert game.to_dict()["next_draws"] == {"vine": ["malvasia"]}


def test_documented_position_is_valid():
    page = (Path(__file__).parents[2] / "docs" / "positions.md").read_text(encoding="utf-8")
    example = json.loads(page.split("```json\n")[1].split("```")[0])
    game = vitienv.Game.from_dict(example)
    assert game.decision == "place_worker" and game.current_seat == 0 and game.year == 2
    for key in game.to_dict()["seats"][0]:
        assert f"`{key}`" in page or f'"{key}"' in page, key


# Trades, tiles and payments of World; questions in the middle of a card; the actions of Toscana.
MIDDLE = ("trade_start", "trade_partner", "trade_give", "trade_take", "trade_answer", "give_card", "choose_tile",
          "place_oval", "take_hat", "team_payment", "partner_acts", "exchange_gain", "fall_benefit")  # fmt: skip
PENDING = ("choose_deck", "discard_card", "choose_grape", "play_visitor", "sell_grapes", "age_wine", "choose_option")
TURN = ("place_worker",)
MUTATED = [
    (decisions, options)
    for options in ({"num_players": 3}, {"num_players": 2, "draft_parents": True},
                    {"ruleset": "original", "num_players": 2}, {"ruleset": "solo"})
    for decisions in (TURN, PENDING)
] + [
    (TURN, {"game": "world", "num_players": 1}),
    (MIDDLE, {"game": "world", "num_players": 2, "continent": "europe"}),
    (("take_action",), {"game": "toscana", "num_players": 2}),
    (("place_water",), {"game": "toscana", "num_players": 2}),
    (("answer_offer",), {"game": "toscana", "num_players": 2, "player_trades": True}),
]  # fmt: skip


@pytest.mark.parametrize(("decisions", "options"), MUTATED, ids=str)
def test_wrong_values_raise_in_one_line(decisions, options):
    assert reading_errors(position_at(decisions, **options)) == []


BOUNDED = {
    "viticulture": (OF_VITICULTURE, 1, 35, [
        {"num_players": 3}, {"num_players": 6}, {"ruleset": "original", "num_players": 4}, {"ruleset": "solo"},
        {"num_players": 4, "draft_parents": True},
    ]),
    "world": (OF_WORLD, 1, 35, [
        {"game": "world", **options}
        for options in ({"num_players": 2, "continent": "europe"}, {"num_players": 1},
                        {"num_players": 4, "continent": "africa"})
    ]),
    "toscana": (OF_TOSCANA, 3, 11, [{"game": "toscana", **options} for options in TOSCANA.values()]),
}  # fmt: skip
MAX_ROUNDS = 3  # rounds of a game; Toscana has at most 7
STEPS = 30  # steps of a playout


def random_games(tables):
    """Yield the decisions of random games, and one that is rare: boxes of abandoned squares in Toscana."""
    for seed, options in enumerate(tables):
        game, rng = vitienv.Game.new(seed=seed, **options), np.random.default_rng(seed)
        while not game.is_over and (game.round <= MAX_ROUNDS or game.game_spec.name == "toscana"):
            yield game
            game.step(random_action(game, rng))
    if game.game_spec.name == "toscana":
        game = start(2, {"boxes": {"water": 2}}, squares=[at(1, 3, 0, 2), at(1, 7, 0, 2)])
        for action in ("take:winemaking", "crossroad:1:3", "crossroad:1:7"):
            game.step(action)
        yield game


@pytest.mark.parametrize("name", BOUNDED)
def test_bounds_of_pending_frames(name):
    """Numbers of random games are within their bounds, others are refused; changed games of Toscana can be played."""
    frames_codec, max_per_kind, min_kinds, tables = BOUNDED[name]
    counts, refused = {}, 0
    for game in random_games(tables):
        for position, is_in_bounds, description in frame_mutations(game, frames_codec, counts, max_per_kind):
            if not is_in_bounds:
                assert_refused(position, r"must be|expected")
                refused += 1
            elif name == "toscana":  # those of the other games: tests/soak/test_playouts.py
                try:
                    changed = vitienv.Game.from_dict(position)._batch
                except ValueError:
                    continue
                for _ in range(STEPS):
                    assert not (lines := contradictions(changed, [0])), (description, position["pending"], lines)
                    changed.step_random(restart=False)
    assert len(counts) >= min_kinds and refused >= 60 * len(counts)  # at least four numbers of each of 15 columns


STACKED = {
    "viticulture": (OF_VITICULTURE, 25, [
        {"num_players": 4}, {"num_players": 6, "draft_parents": True}, {"ruleset": "original", "num_players": 3},
        {"ruleset": "solo"}, {"ruleset": "solo", "challenge": 1},
    ]),
    "world": (OF_WORLD, 25, [
        {"game": "world", "continent": continent, "num_players": n}
        for continent, n in (("europe", 4), ("asia", 6), ("africa", 1))
    ]),
    "toscana": (OF_TOSCANA, 6, [{"game": "toscana", "num_players": 5, "player_trades": True}]),
}  # fmt: skip
TURN_OF_TOSCANA = {"start_worker", "turn", "taste"}  # implied by a position without frames


@pytest.mark.parametrize("game", STACKED)
def test_order_of_pending_frames(game):
    """Stacks of random games are accepted, but not with the top frame repeated, or in place of the frame below."""
    frames_codec, min_pairs, tables = STACKED[game]
    rng, seen_decisions, operations = np.random.default_rng(5), set(), frames_codec.operations
    for options in tables:
        vec = vitienv.make_vec(64, **options)
        vec.reset(seed=7)
        for _ in range(150):
            actions = (rng.random(vec._batch.masks.shape) * vec._batch.masks).argmax(1)
            vec.step(actions)
            for record in vec._batch.games[::7]:
                words = [operations.word(frame[Frame.OP]) for frame in record.frames[: int(record.depth)]]
                if not words or words[-1] in TURN_OF_TOSCANA:
                    continue
                seen_decisions |= set(pairwise(words))
                assert not list(frames_codec.misplaced_frames(record))
                for index in (int(record.depth), int(record.depth) - 2):
                    changed = record.copy()
                    changed.frames[index] = record.frames[int(record.depth) - 1]
                    changed.depth = max(int(record.depth), index + 1)
                    assert list(frames_codec.misplaced_frames(changed))
    assert len(seen_decisions) > min_pairs
