"""Turns of summer, fall and winter: order, passing, seats without workers, which season's spaces are open."""

import pytest

from tests.table.facts import (
    SUMMER_ACTIONS,
    WINTER_ACTIONS,
    at,
    hand_sizes,
    place,
    placements,
    play,
    run_to_season,
    season,
    seat,
    workers,
)

from .positions import ABLE, fields, start

CART = "place:gain_lira:plain:regular"


def actions_of(game):
    """The actions on which a worker may be placed."""
    return {name.split(":")[1] for name in placements(game)}


@pytest.mark.parametrize("name, own", [("summer", SUMMER_ACTIONS), ("winter", WINTER_ACTIONS)])
def test_workers_go_only_on_the_season_and_the_cart(name, own):
    """Essential, Worker placement: only the spaces of the current season; Gain 1 lira: the cart in both seasons."""
    game = start(2, name, ABLE)
    assert (game.decision, game.seat) == ("place_worker", 0)
    assert actions_of(game) == {*own, "gain_lira"}
    assert "pass" in game.legal_actions()


def test_one_worker_a_turn_then_the_next_row():
    """Essential, Summer: one worker or a pass, then the next row of the chart, round and round."""
    game = start(3, "summer", {"wake_up": 5}, {"wake_up": 2}, {"wake_up": 7})
    order = []
    for _ in range(6):
        order.append(game.seat)
        game.step(CART)
    assert order == [1, 0, 2, 1, 0, 2]
    assert [seat(game, k)["lira"] for k in range(3)] == [2, 2, 2]
    assert [seat(game, k)["workers"] for k in range(3)] == [workers(0, 1)] * 3


def test_passing_is_final_for_the_season_and_saves_the_workers():
    """Essential, Worker placement: who passed places no more this season; Summer: the rest is saved for winter."""
    game = start(2, "summer")
    play(game, "pass", CART, CART)
    assert (season(game), game.seat) == ("summer", 1)
    play(game, "pass")
    assert season(game) == "fall"
    run_to_season(game, "winter")
    assert game.seat == 0
    assert seat(game, 0)["workers"] == workers(2, 1)
    assert seat(game, 1)["workers"] == workers(0, 1)


def test_a_worker_of_the_summer_is_gone_in_winter():
    """Essential, Worker placement: a worker is used once a year."""
    game = start(2, "summer")
    play(game, "place:gain_lira:plain:grande", "pass", CART, "pass")
    run_to_season(game, "winter")
    assert seat(game, 0)["workers"] == workers(1, 0)
    assert {name.split(":")[3] for name in placements(game)} == {"regular"}


def test_a_seat_without_workers_is_skipped():
    """Essential, Summer and Winter: turns go on with those who have workers left."""
    game = start(3, "summer", {"workers": workers(1, 0)}, {"workers": workers(0, 0)}, {"workers": workers(3, 0)})
    order = []
    while season(game) == "summer":
        order.append(game.seat)
        game.step(CART)
    assert order == [0, 2, 2, 2]
    assert (season(game), game.decision) == ("fall", "choose_deck")


def test_a_seat_without_workers_still_draws_in_fall():
    """Essential, Fall actions: the card of fall needs no worker."""
    game = start(2, "summer", {"workers": workers(0, 0)}, {"workers": workers(1, 0)}, to_act=1)
    play(game, "pass")
    play(game, "deck:summer", "deck:summer")
    assert hand_sizes(game, 0) == {"vine": 0, "order": 0, "summer": 1, "winter": 0}
    assert (season(game), game.seat) == ("winter", 1)


def test_winter_may_be_passed_and_pays_nothing_for_idle_workers():
    """Essential, Winter and Helpful tip: winter ends when all have passed; a saved worker earns nothing."""
    game = start(2, "winter", {"lira": 4}, {"lira": 1})
    play(game, "pass")
    assert seat(game, 0)["passed"]
    play(game, "pass")
    assert (season(game), game.decision) == ("spring", "wake_up")
    assert [seat(game, k)["lira"] for k in range(2)] == [4, 1]
    assert [seat(game, k)["workers"] for k in range(2)] == [workers(), workers()]


def test_winter_ends_when_all_workers_are_placed():
    """Essential, Winter: turns go on until no worker is left."""
    game = start(2, "winter", {"workers": workers(1, 0)}, {"workers": workers(2, 0)})
    play(game, CART, CART, CART)
    assert (season(game), game.decision) == ("spring", "wake_up")
    assert [seat(game, k)["lira"] for k in range(2)] == [1, 2]


def test_fall_goes_down_the_chart():
    """Essential, Fall actions: wake-up order, one visitor each, summer or winter."""
    rows = ({"wake_up": 6}, {"wake_up": 3}, {"wake_up": 4})
    game = start(3, "summer", *rows)
    play(game, "pass", "pass", "pass")
    order = []
    for deck in ("summer", "winter", "summer"):
        assert game.decision == "choose_deck"
        assert game.legal_actions() == ["deck:summer", "deck:winter"]
        order.append(game.seat)
        game.step(f"deck:{deck}")
    assert order == [1, 2, 0]
    assert [hand_sizes(game, k)["summer"] for k in range(3)] == [1, 1, 0]
    assert [hand_sizes(game, k)["winter"] for k in range(3)] == [0, 0, 1]


def test_no_visitor_is_played_in_fall():
    """Essential, Fall actions: the card drawn is not played in fall."""
    game = start(2, "summer", ABLE)
    play(game, "pass", "pass", "deck:summer")
    assert (game.decision, game.seat) == ("choose_deck", 1)
    assert hand_sizes(game, 0)["summer"] == 3


def test_workers_placed_in_summer_stay_until_the_year_ends():
    """Essential, Year end, Return workers: spaces are cleared at the end of the year only."""
    game = start(2, "summer")
    play(game, "place:give_tour:plain:regular", "pass", "pass")
    run_to_season(game, "winter")
    assert game.to_dict()["board"]["give_tour"] == [at(0)]
    play(game, "pass", "pass")
    assert season(game) == "spring"
    assert not any(game.to_dict()["board"].values())


def test_same_seat_twice_on_one_action():
    """Essential, Worker placement: own workers on the other spaces of an action do not matter."""
    game = start(3, "summer")
    play(game, "place:give_tour:plain:regular", "pass", "pass")
    assert game.seat == 0
    play(game, "place:give_tour:bonus:regular", "no")
    assert seat(game, 0)["lira"] == 4
    assert sorted(entry["space"] for entry in game.to_dict()["board"]["give_tour"]) == ["bonus", "plain"]


IMPOSSIBLE = {
    "build_structure": ("summer", {"lira": 1}),
    "play_summer_visitor": ("summer", {"hand": {"winter": ["caravan"]}}),
    "plant_vine": ("summer", {"hand": {"vine": ["pinot"]}}),
    "harvest_field": ("winter", {}),
    "train_worker": ("winter", {"lira": 3}),
    "play_winter_visitor": ("winter", {"hand": {"summer": ["banker"]}}),
    "make_wine": ("winter", {"cellar": {"red": [1]}}),
    "fill_order": ("winter", {"hand": {"order": ["order_01"]}, "cellar": {"red": [3], "white": [3]}}),
}


@pytest.mark.parametrize("action", IMPOSSIBLE)
def test_an_action_that_cannot_be_done_takes_no_worker(action):
    """Essential, Worker placement: the action must be taken; so none is placed where it cannot be."""
    name, own = IMPOSSIBLE[action]
    game = start(2, name, own)
    assert placements(game, action) == []
    assert placements(game, "gain_lira") == [place("gain_lira"), place("gain_lira", worker="grande")]


def test_selling_is_impossible_only_with_nothing_to_sell_or_buy_back():
    """Essential, Sell grapes or field: no grape, no empty field, and no money for a sold one."""
    vineyard = {"fields": fields((), ["sangiovese"], ["malvasia"], sold=(5,))}
    assert placements(start(2, "summer", {**vineyard, "lira": 4}), "sell_grapes_or_field") == []
    assert placements(start(2, "summer", {**vineyard, "lira": 5}), "sell_grapes_or_field") != []
    with_grape = {**vineyard, "crush_pad": {"red": [], "white": [1]}}
    assert placements(start(2, "summer", with_grape), "sell_grapes_or_field") != []


def test_no_trading():
    """Essential, Glossary, Trading: a turn offers a pass and placements, nothing with another player."""
    game = start(4, "summer", ABLE, ABLE | {"hand": {}}, {"lira": 5}, {"lira": 5})
    assert all(name == "pass" or name.startswith("place:") for name in game.legal_actions())
