"""The engine against the reference implementation, and the reference in hand-made positions.

The quick tests compare some thousand decisions. The long one (`-m slow`) starts from REFERENCE_GAMES random positions,
the first one with the seed REFERENCE_SEED.
"""

import os
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from .reference import board_actions, branches, first_picks, playable, turn, yield_of
from .reference.deal import random_position
from .reference.follow import Follower
from .reference.search import can_finish, legal
from .reference.tables import SUMMER_VISITORS, WINTER_VISITORS

ALL_CELLARS = ["medium_cellar", "large_cellar"]


def position(season: str, cards: Sequence[str] = (), players: int = 2, **seat: Any) -> dict[str, Any]:
    """Return a position with a given seat 0 and empty others; `cards` are visitors in its hand."""
    hand = seat.pop("hand", {})
    for card in cards:
        hand.setdefault("summer" if card in SUMMER_VISITORS else "winter", []).append(card)
    board = seat.pop("board", {})
    discards = seat.pop("discards", {})
    others = [{"wake_up": row} for row in range(2, players + 1)]
    first = {"wake_up": 1, "hand": hand, **seat}
    return {"num_players": players, "season": season, "seats": [first, *others], "board": board, "discards": discards}


def at_card(card: str, *so_far: str, **seat: Any) -> set[str]:
    season = "summer" if card in SUMMER_VISITORS else "winter"
    return first_picks(position(season, [card], **seat), 0, card, *so_far)


def fields(*vines: list[str]) -> list[dict[str, Any]]:
    return [{"capacity": capacity, "vines": on_it} for capacity, on_it in zip((5, 6, 7), vines)]


# The reference in hand-made positions


def test_bare_summer_seat_may_draw_tour_sell_a_field_or_gain_a_lira() -> None:
    actions = {name for name in board_actions(position("summer"), 0) if name.endswith("regular")}
    places = ("draw_vine", "give_tour", "sell_grapes_or_field", "gain_lira")
    assert actions == {f"place:{name}:plain:regular" for name in places}


def test_only_the_grande_joins_a_full_action() -> None:
    board = {"give_tour": [{"space": "plain", "seat": 1, "worker": "regular"}]}
    actions = board_actions(position("summer", board=board), 0)
    assert {name for name in actions if "give_tour" in name} == {"place:give_tour:crowd:grande"}


def test_the_lira_of_the_bonus_space_pays_for_building() -> None:
    actions = board_actions(position("summer", players=3, lira=1), 0)
    assert {name for name in actions if "build" in name} == {
        "place:build_structure:bonus:regular",
        "place:build_structure:bonus:grande",
    }
    node = legal(turn(position("summer", players=3, lira=1), 0))["place:build_structure:bonus:regular"]
    assert set(legal(node)) == {"yes"}


def test_planner_needs_another_worker() -> None:
    alone = position("summer", ["planner"], workers={"regular": 1, "grande": 0})
    with_grande = position("summer", ["planner"], workers={"regular": 1, "grande": 1})
    assert "place:play_summer_visitor:plain:regular" not in board_actions(alone, 0)
    assert "place:play_summer_visitor:plain:regular" in board_actions(with_grande, 0)


def test_motivator_takes_back_the_grande_that_played_it() -> None:
    actions = board_actions(position("winter", ["motivator"]), 0)
    assert "place:play_winter_visitor:plain:grande" in actions
    assert "place:play_winter_visitor:plain:regular" not in actions


def test_producer_leaves_the_worker_that_played_it() -> None:
    board = {"play_summer_visitor": [{"space": "plain", "seat": 0, "worker": "regular"}]}
    assert not playable(position("summer", ["producer"], lira=2, board=board), 0, "producer")
    board["yoke"] = [{"space": "plain", "seat": 0, "worker": "regular"}]
    assert first_picks(position("summer", ["producer"], lira=2, board=board), 0, "producer") == {
        "place:yoke:plain:regular"
    }


def test_overseer_must_leave_money_and_structures_for_both_parts() -> None:
    seat: dict[str, Any] = {"lira": 5, "hand": {"vine": ["pinot"]}}
    assert at_card("overseer", **seat) == {"option:1"}
    assert at_card("overseer", "option:1", **seat) == {"structure:trellis"}
    seat["hand"] = {"vine": ["pinot", "malvasia"]}
    assert at_card("overseer", **seat) == {"option:1", "option:2"}
    assert at_card("overseer", "option:2", **seat) == {"card:vine:malvasia"}


def test_stonemason_may_build_both_cellars_but_not_the_large_one_first() -> None:
    built = ["trellis", "irrigation", "yoke", "windmill", "cottage", "tasting_room"]
    assert at_card("stonemason", lira=8, structures=built) == {"structure:medium_cellar"}
    assert at_card("stonemason", "structure:medium_cellar", lira=8, structures=built) == {"structure:large_cellar"}
    assert not at_card("stonemason", lira=8, structures=[*built, "medium_cellar"])
    assert not at_card("stonemason", lira=7)


def test_jack_of_all_trades_keeps_a_second_part_possible() -> None:
    seat: dict[str, Any] = {"hand": {"order": ["order_02"]}, "cellar": {"red": [2]}, "crush_pad": {"white": [1, 2]}}
    assert at_card("jack_of_all_trades", **seat) == {"option:2"}
    assert at_card("jack_of_all_trades", "option:2", "make:white", **seat) == {"grape:white:1", "grape:white:2"}
    after_one = ("option:2", "make:white", "grape:white:1")
    assert at_card("jack_of_all_trades", *after_one, **seat) == {"make:white"}
    seat["crush_pad"] = {"white": [1, 2], "red": [1]}
    assert at_card("jack_of_all_trades", *after_one, **seat) == {"make:white"}


def test_jack_of_all_trades_may_harvest_for_its_wine() -> None:
    assert at_card("jack_of_all_trades", fields=fields(["malvasia"])) == {"option:1"}


def test_master_vintner_ages_and_fills_in_either_order() -> None:
    seat: dict[str, Any] = {"hand": {"order": ["order_03"]}, "cellar": {"red": [2], "white": [1]}}
    assert at_card("master_vintner", **seat) == {"option:2"}
    assert at_card("master_vintner", "option:2", **seat) == {"option:1"}
    assert at_card("master_vintner", "option:2", "option:1", **seat) == {"wine:red:2"}
    seat["cellar"] = {"red": [3], "white": [1]}
    assert at_card("master_vintner", "option:2", "option:1", **seat) == {"wine:white:1"}
    seat["cellar"] = {"red": [3], "white": [1, 2, 3]}
    assert branches(position("winter", ["master_vintner"], **seat), 0, "master_vintner") == {2}
    picks = at_card("master_vintner", "option:2", "option:2", "card:order:order_03", "wine:red:3", **seat)
    assert picks == {"wine:white:2", "wine:white:3"}


def test_zymologist_ignores_cellars_and_refuses_small_wine() -> None:
    seat: dict[str, Any] = {"crush_pad": {"red": [3, 5], "white": [1]}, "cellar": {"red": [4, 5]}}
    assert at_card("zymologist", **seat) == {"make:blush", "make:sparkling"}
    assert at_card("zymologist", "make:blush", **seat) == {"grape:red:3", "grape:red:5"}
    assert not at_card("zymologist", crush_pad={"red": [3], "white": [3]}, cellar={"blush": [4, 5, 6]})


def test_sparkling_needs_a_slot_not_above_its_sum() -> None:
    seat: dict[str, Any] = {"structures": ALL_CELLARS, "crush_pad": {"red": [1, 2, 9], "white": [4]}}
    picks = at_card("supervisor", "make:sparkling", "grape:red:1", **seat)
    assert picks == {"grape:red:2", "grape:red:9"}
    picks = at_card("supervisor", "make:sparkling", "grape:red:1", cellar={"sparkling": [7]}, **seat)
    assert picks == {"grape:red:9"}


def test_wine_is_lowered_into_the_cellar_that_is_there() -> None:
    node = turn(position("winter", crush_pad={"red": [9], "white": []}, cellar={"red": [3]}), 0)
    for name in ("place:make_wine:plain:regular", "make:red", "grape:red:9"):
        node = legal(node)[name]
    assert yield_of(node.state, 0)["cellar"]["red"] == [2, 3]


def test_order_wines_come_in_falling_order() -> None:
    seat: dict[str, Any] = {"hand": {"order": ["order_11"]}, "cellar": {"red": [3, 4, 5]}, "structures": ALL_CELLARS}
    first = at_card("exporter", "option:2", "card:order:order_11", **seat)
    assert first == {"wine:red:4", "wine:red:5"}
    assert at_card("exporter", "option:2", "card:order:order_11", "wine:red:4", **seat) == {"wine:red:3"}


def test_points_are_lost_only_above_the_floor() -> None:
    assert at_card("broker", victory_points=-4) == set()
    assert at_card("broker", victory_points=-3) == {"option:2"}


def test_both_for_a_point_is_asked_after_the_first() -> None:
    assert at_card("scholar", "option:2", lira=3) == {"option:1", "done"}
    assert at_card("scholar", "option:2", lira=3, victory_points=-5) == set()
    assert at_card("scholar", "option:1", lira=2) == set()


def test_a_windmill_point_can_pay_for_doing_both() -> None:
    seat: dict[str, Any] = {"structures": ["windmill"], "hand": {"vine": ["malvasia"]}, "victory_points": -5}
    assert at_card("homesteader", "option:2", "card:vine:malvasia", "field:5", "done", **seat) == {"option:1", "done"}


def test_residual_of_five_closes_noble_and_negotiator() -> None:
    seat: dict[str, Any] = {"lira": 1, "residual": 5, "crush_pad": {"red": [1]}, "cellar": {"red": [1]}}
    assert at_card("noble", **seat) == {"option:2"}
    assert at_card("negotiator", **seat) == set()
    assert at_card("negotiator", **{**seat, "residual": 4}) == {"option:1", "option:2"}


def test_exchange_of_vines_keeps_to_the_limits() -> None:
    planted = fields(["merlot"], [], ["chardonnay", "merlot"])
    assert at_card("landscaper", "option:2", "field:5", "card:vine:merlot", "field:7", fields=planted) == {
        "card:vine:merlot",
        "card:vine:chardonnay",
    }
    planted = fields(["merlot", "trebbiano"], [], ["chardonnay", "merlot"])
    swap = ("option:2", "field:5", "card:vine:merlot", "field:7")
    assert at_card("landscaper", *swap, fields=planted) == {"card:vine:merlot"}


def test_planner_cannot_be_played_through_the_manager() -> None:
    through = ("place:play_summer_visitor:plain:regular",)
    both_cards = position("winter", ["manager", "planner", "patron"])
    assert first_picks(both_cards, 0, "manager", *through) == {"card:summer:patron"}
    alone = position("winter", ["manager", "planner"])
    assert through[0] not in first_picks(alone, 0, "manager")


@pytest.mark.parametrize("card", SUMMER_VISITORS + WINTER_VISITORS)
def test_reference_covers_every_card(card: str) -> None:
    rng = Random(card)
    for _ in range(3):
        dealt = random_position(rng, rng.randint(2, 6))
        season = "summer" if card in SUMMER_VISITORS else "winter"
        if card not in dealt["seats"][0]["hand"][season]:
            dealt["seats"][0]["hand"][season].append(card)
        assert isinstance(playable(dealt, 0, card), bool)


# The engine against the reference


def choose(rng: Random, actions: list[str], card: str | None = None) -> str:
    """Mostly visitors, rarely a pass: most rules are on cards. A given card is always played first."""
    for wish in ("place:play_", f"card:summer:{card}", f"card:winter:{card}"):
        wished = [name for name in actions if card and name.startswith(wish)]
        if wished:
            return rng.choice(wished)
    weights = [0.1 if name == "pass" else 4.0 if ":play_" in name else 1.0 for name in actions]
    return rng.choices(actions, weights)[0]


def follow(rng: Random, game: Any, steps: int) -> Follower:
    follower = Follower()
    for _ in range(steps):
        if game.is_over or len(follower.complaints) >= 3:
            break
        follower.compare(game)
        action = choose(rng, game.legal_actions())
        follower.move(game.current_seat, action)
        game.step(action)
    return follower


def compare(seeds: range, whole_games: int, steps: int) -> tuple[list[str], Counter[str], Counter[str]]:
    """Play from a random position for every seed and, for the first ones, a whole game from its start."""
    import vitienv

    complaints: list[str] = []
    checked: Counter[str] = Counter()
    cards: Counter[str] = Counter()
    for seed in seeds:
        rng = Random(seed)
        players = rng.randint(2, 6)
        starts = [(vitienv.Game.from_dict(random_position(rng, players)), steps)]
        if seed - seeds.start < whole_games:
            starts.append((vitienv.Game.new(num_players=players, seed=seed), 40 * steps))
        for game, limit in starts:
            follower = follow(rng, game, limit)
            complaints += [f"seed {seed}: {text}" for text in follower.complaints]
            checked += follower.checked
            cards += follower.played_cards
    return complaints, checked, cards


def compare_card(card: str, seeds: range) -> list[str]:
    """Play the card, where legal, from positions in which a seat has it."""
    import vitienv

    complaints: list[str] = []
    for seed in seeds:
        rng = Random(f"{card} {seed}")
        game = vitienv.Game.from_dict(random_position(rng, rng.randint(2, 6), card))
        turns = 0
        follower = Follower()
        while not game.is_over and turns < 2 and not follower.complaints:
            follower.compare(game)
            action = choose(rng, game.legal_actions(), None if follower.played_cards else card)
            follower.move(game.current_seat, action)
            game.step(action)
            turns += game.decision == "place_worker"
        if not game.is_over and not follower.complaints:
            follower.compare(game)
        complaints += [f"{card} {seed}: {text}" for text in follower.complaints]
    return complaints


def test_engine_equals_reference() -> None:
    complaints, checked, _ = compare(range(60), whole_games=1, steps=10)
    assert not complaints, "\n".join(complaints[:10])
    assert checked["place_worker"] > 250 and checked["effects"] > 200, checked


@pytest.mark.parametrize("card", SUMMER_VISITORS + WINTER_VISITORS)
def test_engine_equals_reference_by_card(card: str) -> None:
    complaints = compare_card(card, range(2))
    assert not complaints, "\n".join(complaints)


@pytest.mark.slow
@pytest.mark.parametrize("card", SUMMER_VISITORS + WINTER_VISITORS)
def test_engine_equals_reference_by_card_long(card: str) -> None:
    number = int(os.environ.get("REFERENCE_GAMES", "2000")) // 20
    complaints = compare_card(card, range(100, 100 + number))
    assert not complaints, "\n".join(complaints[:10])


@pytest.mark.slow
def test_engine_equals_reference_long() -> None:
    games = int(os.environ.get("REFERENCE_GAMES", "2000"))
    first = int(os.environ.get("REFERENCE_SEED", "1000"))
    complaints, checked, cards = compare(range(first, first + games), whole_games=games // 100, steps=20)
    print(checked, cards)
    assert not complaints, "\n".join(complaints[:30])
    if games >= 1000:
        assert set(cards) == set(SUMMER_VISITORS + WINTER_VISITORS)


def test_complete_search_needs_no_choice() -> None:
    assert can_finish(turn(position("summer"), 0))
