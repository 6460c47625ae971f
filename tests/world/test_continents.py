"""Continents: their rules, events, goals and aims (W81 to W96)."""

import pytest

from tests.world.table import (
    event,
    give,
    hats,
    in_season,
    legal,
    new,
    oval,
    play,
    put,
    rich,
    stand,
    summer,
    turn_of,
    winter,
)
from vitienv.viticulture.cards import ORDERS
from vitienv.viticulture.names import Season
from vitienv.world.continents import Ru
from vitienv.world.names import CONTINENTS, Metric
from vitienv.world.tables import DEFAULT


def at_year_end(continent, number, n=2, **fields):
    """The last seat's winter pass of a year with an event, and a record that the test chooses."""
    game = event(winter(n, continent=continent), number)
    while game.record.passed[:n].sum() < n - 1:
        game.step("pass" if game.decision == "place_worker" else game.legal_actions()[0])
    while game.decision != "place_worker":
        game.step(game.legal_actions()[0])
    return put(game, **fields)


def end(game):
    """The year ends, and whatever is asked is answered by what comes first."""
    year = game.year
    while not game.is_over and game.year == year:
        game.step("pass" if in_season(game) and "pass" in game.legal_actions() else game.legal_actions()[0])
    return game


# Greengully (W89) and spaces (W81).


@pytest.mark.parametrize("n", [1, 2, 3])
def test_greengully_gives_influence_when_the_uses_reach_the_number_of_seats(n):
    game = rich(summer(n))
    start = int(game.record.influence)
    for i in range(max(n, 2)):
        assert game.record.influence == start
        seat = i % n
        turn_of(game, seat)
        game.step(legal(game, "place:event:plain")[0])
        while game.decision == "trade_start":
            game.step("no")
    assert game.record.influence == start + 1 and game.record.rule_steps == 1
    for seat in range(n):
        assert not legal(turn_of(game, seat), "place:event")  # one each; alone two


@pytest.mark.parametrize(
    ("number", "ready"),
    [(1, {}), (2, {"lira": [9] * 6}), (3, None), (4, None), (5, None), (6, None)],
)
def test_a_space_must_be_possible_at_least_minimally(number, ready):
    game = event(put(summer(), lira=[0] * 6), number)
    if ready is None:
        r = game.record
        r.hand[:] = r.n_hand[:] = 0
        assert not legal(put(game), "place:event")
    else:
        assert legal(put(game, **ready), "place:event")


def test_what_the_cards_of_greengully_give():
    game = event(put(summer(), lira=[1] * 6), 1)
    seat, vines = game.seat, int(game.record.n_hand[game.seat, 0])
    game.step("place:event:plain:hatted")
    assert game.record.lira[seat] == 3 and game.record.n_hand[seat, 0] == vines + 1
    game = event(put(summer(), lira=[1] * 6), 2)
    seat = game.seat
    game.record.structures[seat] = 0
    put(game).step("place:event:plain:hatted")
    assert game.legal_actions() == ["structure:trellis", "structure:yoke"]
    game.step("structure:trellis")
    assert game.record.lira[seat] == 0


def test_other_spaces_belong_to_the_season_they_name_and_have_their_price():
    game = event(put(summer(continent="africa"), lira=[1] * 6), 2)  # a grape of 2 for a lira
    seat = game.seat
    assert legal(game, "place:event")
    play(game, "place:event:plain:hatted", "grape:white:2")
    assert game.record.lira[seat] == 0 and game.record.crush[seat, 1, 1] == 1
    assert not legal(event(put(summer(continent="africa"), lira=[0] * 6), 2), "place:event")
    assert not legal(event(rich(winter(continent="africa")), 2), "place:event")
    game = event(winter(continent="europe"), 8)  # 2 points for a wine of 4 or more
    seat = game.seat
    assert not legal(game, "place:event")
    game.record.structures[seat, 6] = game.record.cellar[seat, 0, 4] = game.record.cellar[seat, 0, 0] = 1
    put(game).step("place:event:plain:hatted")
    assert game.legal_actions() == ["wine:red:5"]
    assert game.step("wine:red:5").record.vp[seat] == 2


# Boosts and taxes (W82, W83).


def test_a_boost_gives_the_taker_once_a_taking():
    game = event(summer(continent="north_america"), 2)
    seat, before = game.seat, int(game.record.lira[game.seat])
    game.step("place:give_tour:plain:hatted")
    assert game.record.lira[seat] == before + 4
    turn_of(game, seat)
    while game.decision != "place_worker":
        game.step("no")
    game.step(legal(turn_of(game, seat), "place:give_tour")[0])
    assert game.record.lira[seat] == before + 8


def test_a_boost_for_all_once_a_year_for_each_seat():
    game = event(summer(continent="asia"), 8)
    seat, before = game.seat, game.record.lira[:2].copy()
    game.step("place:give_tour:plain:hatted")
    assert (game.record.lira[:2] - before).sum() == 2 + 2 and game.record.boosted[:2].all()
    game.step(legal(turn_of(game, seat), "place:give_tour")[0])
    assert (game.record.lira[:2] - before).sum() == 2 + 2 + 2


def test_a_boost_for_trained_workers_alone_and_one_with_a_price():
    game = event(rich(winter(continent="south_america")), 5)  # a second field for a lira
    seat = game.seat
    hats(game, seat, 0, 2, 2, 2)
    r = game.record
    r.vines[seat, :2, 0] = 1
    r.deck[0] -= 2
    put(game)
    hatted = play(game.copy(), "place:harvest_field:plain:hatted", "field:5")
    assert hatted.decision == "place_worker"
    play(game, "place:harvest_field:plain:regular", "field:5")
    assert game.decision == "event_offer" and game.legal_actions() == ["yes", "no"]
    assert game.copy().step("no").decision == "place_worker"
    lira = int(r.lira[seat])
    play(game, "yes", "field:6")
    assert r.lira[seat] == lira - 1 and r.deeds[seat, Metric.HARVESTS] == 2 and r.boosted[seat] == 1


@pytest.mark.slow  # other data are compiled apart
def test_lira_of_a_boost_may_pay_for_the_action():
    own = {"continents": {"continent": [{"id": "asia", "event": [
        {"number": 1, "kind": "boost", "action": "H", "who": "actor", "limit": "per_taking", "pay": [],
         "gain": [{"op": "lira", "n": 3}]},
        *({"number": i, "kind": "rule", "flags": {}} for i in range(2, 7)),
    ]}]}}  # fmt: skip
    game = put(summer(continent="asia", components=own), lira=[1] * 6)
    seat = game.seat
    game.step("place:innovate:plain:hatted")
    assert game.decision == "choose_tile" and game.record.lira[seat] == 0


def test_a_discount_is_off_each_structure_of_this_taking():
    game = event(put(summer(continent="europe"), lira=[1] * 6), 2)
    seat = game.seat
    game.record.structures[seat] = 0
    put(game).step("place:build_structure:plain:hatted")
    assert game.legal_actions() == ["structure:trellis", "structure:yoke"]


def test_a_tax_is_paid_and_who_cannot_pay_cannot_take_the_action():
    game = event(summer(continent="africa"), 1)
    seat = game.seat
    give(game, seat, "vine", "pinot")
    game.record.structures[seat, 0] = 1
    assert not legal(put(game, lira=[0] * 6), "place:plant_vine") and legal(game, "place:draw_vine")
    put(game, lira=[1] * 6).step("place:plant_vine:plain:hatted")
    assert game.record.lira[seat] == 0 and game.decision == "plant_vine"
    lira = put(oval(event(summer(continent="africa"), 1), "E", "lira"), lira=[0] * 6)
    give(lira, lira.seat, "vine", "pinot")
    lira.record.structures[lira.seat, 0] = 1
    assert legal(put(lira), "place:plant_vine") == ["place:plant_vine:oval:grande"]  # its bonus may pay the tax


# Reveals, rules of the year (W84, W86).


def test_a_reveal_gives_to_every_seat_in_spring():
    game = new(continent="north_america")
    while game.decision == "papa_gift":
        game.step("option:2")
    vines = game.record.n_hand[:2, 0].sum()
    red = game.copy().record.mamas[:2, 0]
    given = sum(int(DEFAULT.red[m - 18][0]) for m in red)
    assert vines == given + 4
    game = new(3, continent="oceania")
    while game.decision == "papa_gift":
        game.step("option:2")
    first = int(game.record.first_player)
    for i in range(3):
        assert (game.decision, game.seat) == ("gain_grape", (first + i) % 3)
        game.step("grape:red:1")


def test_another_hand_limit_for_a_year():
    for number, limit in ((7, 7), (1, 5)):
        game = event(winter(continent="asia"), number)
        seat = game.seat
        r = game.record
        r.deck[:9] -= 1
        r.hand[seat, :9] += 1
        r.n_deck[0] -= 9
        r.n_hand[seat, 0] += 9
        total = int(r.n_hand[seat].sum())
        put(game).step("pass")
        for _ in range(total - limit):
            assert game.decision == "discard_to_limit"
            game.step(game.legal_actions()[0])
        assert r.n_hand[seat].sum() == limit and game.seat != seat


def test_a_year_in_which_grapes_do_not_age_and_one_of_smaller_payments():
    for number, aged, paid in ((7, 0, 2), (8, 1, 1), (1, 1, 2)):
        game = event(winter(continent="africa"), number)
        seat = game.seat
        r = game.record
        r.crush[seat, 0, 2], r.residual[seat] = 1, 2
        before = int(r.lira[seat])
        put(game).step("pass")
        assert r.crush[seat, 0, 3] == aged and r.lira[seat] == before + paid


def test_a_year_in_which_wine_counts_less_and_brings_money_and_points():
    for number, slot, lira in ((5, 2, 1), (1, 3, 0)):
        game = event(winter(continent="europe"), number)
        seat = game.seat
        r = game.record
        r.crush[seat, 0, 2] = 1
        before = int(put(game).record.lira[seat])
        play(game, "place:make_wine:plain:hatted", "make:red", "grape:red:3")
        assert r.cellar[seat, 0, slot - 1] == 1 and r.lira[seat] == before + lira
    game = event(winter(continent="europe"), 5)
    game.record.crush[game.seat, 0, 0] = 1
    assert not legal(put(game), "place:make_wine")  # below the least of its type
    for number, more in ((5, 1), (1, 0)):
        game = event(winter(continent="europe"), number)
        seat = game.seat
        r = game.record
        r.structures[seat, 6:] = 1
        r.cellar[seat] = 1
        r.cellar[seat, 2, :3] = r.cellar[seat, 3, :6] = 0
        give(game, seat, "order", "order_01")
        play(game, "place:fill_order:plain:hatted", "card:order:order_01")
        while game.seat == seat and game.decision == "choose_wine":
            game.step(game.legal_actions()[0])
        assert r.vp[seat] == ORDERS[0].vp + more


# Goals (W85, W87, W88).


def test_a_goal_of_the_team_is_met_as_soon_as_it_is_true_and_once():
    game = event(summer(continent="asia"), 3)  # as many tours as seats
    start = int(game.record.influence)
    for seat in (0, 1):
        game.step(legal(turn_of(game, seat), "place:give_tour")[0])
        while game.decision == "trade_start":
            game.step("no")
    assert game.record.influence == start + 1 and game.record.goal_met == 1
    turn_of(game, 0)
    game.record.deeds[0, Metric.TOURS] = 5
    assert end(put(game)).record.influence == start + 1


@pytest.mark.parametrize(("wines", "met"), [((1, 1), True), ((2, 0), False)])
def test_a_goal_for_each_seat_is_checked_at_the_years_end(wines, met):
    game = at_year_end("asia", 5)
    start = int(game.record.influence)
    for seat, n in enumerate(wines):
        for i in range(n):
            game.record.cellar[seat, i, 0] = 1
    assert end(put(game)).record.influence == start + met


@pytest.mark.parametrize(("made", "met"), [(2, True), (3, False), (0, True)])
def test_a_goal_of_at_most_so_many(made, met):
    game = at_year_end("north_america", 3, lira=[0] * 6)  # at most one wine made for each seat
    start = int(game.record.influence)
    put(game, deeds__0__3=made)
    assert end(game).record.influence == start + met


@pytest.mark.parametrize(("value", "met"), [(7, True), (6, False)])
def test_a_goal_for_any_seat(value, met):
    game = at_year_end("north_america", 5, lira=[0] * 6)
    start = int(game.record.influence)
    game.record.structures[1, 6:] = 1
    game.record.cellar[1, 0, value - 1] = 1
    seat = game.seat
    game.record.crush[seat] = 0
    # Wines age at the own pass: whoever has passed has aged already.
    if seat == 1:
        game.record.cellar[1, 0, value - 1], game.record.cellar[1, 0, value - 2] = 0, 1
    assert end(put(game)).record.influence == start + met


def test_a_penalty_takes_only_what_is_there():
    game = at_year_end("europe", 6, lira=[0, 3, 0, 0, 0, 0], residual=[0] * 6)
    assert end(game).record.lira[:2].tolist() == [0, 2]
    game = at_year_end("africa", 6, vp=[-5, 2, 0, 0, 0, 0])
    assert end(game).record.vp[:2].tolist() == [-5, 1]
    game = at_year_end("africa", 3)  # a grape of choice
    game.record.crush[:2] = 0
    game.record.crush[0, 0, 8] = game.record.crush[0, 1, 8] = 1
    put(game).step("pass")
    while game.decision == "discard_to_limit":
        game.step(game.legal_actions()[0])
    assert (game.decision, game.seat) == ("discard_grape", 0)
    assert end(game).record.crush[0].sum() == 1


def test_counts_start_anew_each_year():
    game = end(put(winter(), deeds__0__0=4, boosted__0=1, rule_year=1))
    assert not game.record.deeds.any() and not game.record.boosted.any() and game.record.rule_year == 0


# The rules of the continents (W90 to W95).


def trade(game, seat):
    """A grande joins a worker of the other seat, gives a lira and takes nothing."""
    turn_of(rich(game), seat)
    if "gain_lira" not in [name.split(":")[1] for name in legal(game, "place:")]:
        raise AssertionError("no place is free")
    play(game, "place:gain_lira:plain:grande", "yes", "seat:+1", "kind:lira", "amount:1", "kind:nothing", "yes")
    return game


def test_asia_rewards_every_so_many_trades_and_three_times_a_game():
    game = summer(continent="asia")
    start = int(game.record.influence)
    stand(game, 1, "gain_lira", "yellow")
    stand(game, 0, "gain_lira", "yellow")
    trade(game, 0)
    assert game.record.influence == start
    trade(game, 1)
    assert game.record.influence == start + 1 and game.record.rule_steps == 1
    put(game, rule_steps=3, deeds__0__9=3, rule_year=1)
    game.record.at[0, 4] = -1
    game.record.free[0, 1] = 1
    trade(game, 0)
    assert game.record.influence == start + 1  # at most three in a game


def test_asia_alone_counts_exchanges():
    game = event(put(summer(1, continent="asia"), lira=[9] * 6), 3)
    start = int(game.record.influence)
    for _ in range(2):
        game.step(legal(game, "place:exchange")[0])
        play(game, "kind:lira", "kind:lira")
        game.record.at[0] = -1
        game.record.free[0] = game.record.staff[0]
        put(turn_of(game, 0))
    assert game.record.influence == start + 1


def test_oceania_rewards_good_wines_sold():
    game = event(winter(continent="oceania"), 1)
    start = int(game.record.influence)
    for seat, value in ((0, 4), (1, 3), (1, 5)):
        game.record.structures[seat, 6] = 1
        game.record.cellar[seat] = 0
        game.record.cellar[seat, 0, value - 1] = 1
        game.record.at[seat] = -1
        game.record.free[seat] = game.record.staff[seat]
        turn_of(game, seat)
        game.step([name for name in legal(game, "place:sell_wine")][-1])
        while game.decision == "trade_start":
            game.step("no")
        game.step(game.legal_actions()[0])
        while game.decision == "trade_start":
            game.step("no")
    assert game.record.influence == start + 1


@pytest.mark.parametrize(("n", "harvests", "met"), [(2, 4, True), (2, 3, False), (1, 3, True), (1, 2, False)])
def test_south_america_rewards_harvests_at_the_years_end(n, harvests, met):
    game = at_year_end("south_america", 1, n)
    start = int(game.record.influence)
    put(game, deeds__0__2=harvests)
    assert game.record.influence == start
    assert end(game).record.influence == start + met


def test_europe_turns_over_aims_and_rewards_them():
    game = at_year_end("europe", 1)
    start = int(game.record.influence)
    r = game.record
    r.aims[0], r.aims[1] = (0, 1), (2, 5)  # structures and lira; residual and planted fields
    r.structures[0, :5] = 1
    r.residual[:2], r.vp[:2], r.lira[:2] = 0, 0, 0
    r.residual[1] = 3
    end(put(game))
    assert r.aims_met[:2].tolist() == [[1, 0], [1, 0]] and r.vp[:2].tolist() == [2, 2]
    assert r.influence == start + 1 and r.rule_done == 1
    game2 = at_year_end("europe", 1)
    r = game2.record
    r.aims[0], r.aims[1], r.aims_met[:2, 0], r.rule_done = (0, 1), (2, 5), 1, 1
    r.lira[0] = 12
    r.residual[:2] = 0
    r.vines[1, :, 0] = 1
    r.deck[0] = 0
    start = int(put(game2).record.influence)
    end(game2)
    assert r.aims_met[:2].all() and r.influence == start + 2 and r.rule_done == 3


def test_north_america_may_pay_together_once_a_year_and_three_times_a_game():
    game = at_year_end("north_america", 6, lira=[3, 4, 0, 0, 0, 0], residual=[0] * 6)
    start = int(game.record.influence)
    order = [int(seat) for seat in game.record.order[:2]]
    game.step("pass")
    while game.decision == "discard_to_limit":
        game.step(game.legal_actions()[0])
    assert (game.decision, game.seat) == ("team_payment", order[0])
    first = int(game.record.lira[order[0]])
    assert game.legal_actions() == ["done", *(f"amount:{n}" for n in range(1, first + 1))]
    declined = play(game.copy(), "done", "done" if first == 3 else "amount:3").record
    assert declined.influence == start and declined.lira[:2].tolist() == [3, 4]
    game.step(f"amount:{first}")
    assert game.seat == order[1] and f"amount:{5 - first}" == game.legal_actions()[-1]
    game.step(f"amount:{5 - first}")
    assert game.record.influence == start + 1 and game.record.lira[:2].sum() == 2 and game.record.rule_steps == 1
    game = at_year_end("north_america", 6, lira=[9] * 6, rule_steps=3)
    game.step("pass")
    while game.decision == "discard_to_limit":
        game.step(game.legal_actions()[0])
    assert game.decision != "team_payment"


def test_africa_rewards_irrigation_and_three_planted_fields_once_each():
    game = at_year_end("africa", 1)
    start = int(game.record.influence)
    r = game.record
    r.structures[:2, 1] = 1
    r.vines[0, :, 0] = 1
    end(put(game))
    assert r.influence == start + 1 and r.rule_done == 1
    r.vines[1, :, 0] = 1
    while not (in_season(game) and game.record.season == Season.WINTER):
        game.step("pass" if in_season(game) and "pass" in game.legal_actions() else game.legal_actions()[0])
    end(put(event(game, 1)))
    assert r.influence == start + 2 and r.rule_done == 3


def test_africa_asks_a_lira_more_for_a_vine_that_needs_irrigation():
    game = put(event(summer(continent="africa"), 2), lira=[0] * 6)
    seat = game.seat
    game.record.hand[seat] = game.record.n_hand[seat] = 0
    game.record.structures[seat, :2] = 1
    give(game, seat, "vine", "sauvignon_blanc")
    assert not legal(game, "place:plant_vine")
    put(game, lira=[1] * 6)
    play(game, "place:plant_vine:plain:hatted", "card:vine:sauvignon_blanc", "field:7")
    assert game.record.lira[seat] == 0
    free = put(event(summer(continent="asia"), 1), lira=[0] * 6)
    free.record.structures[free.seat, :2] = 1
    give(free, free.seat, "vine", "sauvignon_blanc")
    assert legal(free, "place:plant_vine")


def in_africa(visitor, lira, *vines):
    """A seat of Africa with a visitor, these vines and lira; what it has not built costs 4 lira or more."""
    game = put(event(summer(continent="africa"), 2), lira=[lira] * 6)
    seat = game.seat
    game.record.hand[seat] = game.record.n_hand[seat] = 0
    game.record.structures[seat] = 0
    game.record.structures[seat, :3] = 1
    give(game, seat, "summer", visitor)
    for vine in vines:
        give(game, seat, "vine", vine)
    return put(game)


def test_africa_lets_the_planter_pay_with_what_it_brings():
    """It brings a lira before it plants (W95); a second vine has nothing left to pay with."""
    game = in_africa("planter", 0, "sauvignon_blanc", "sauvignon_blanc")
    play(game, "place:play_summer_visitor:plain:hatted", "card:summer:planter")
    seat = game.seat
    if game.decision == "choose_option":
        play(game, "option:1")
    play(game, "card:vine:sauvignon_blanc", "field:7")
    assert game.decision != "plant_vine" and game.record.lira[seat] == 0 and game.record.vines[seat].sum() == 1


def test_africa_lets_nobody_build_what_planting_has_paid_for_nor_plant_what_building_has():
    """The overseer builds and plants in either order: four lira and one more are needed for both (W95)."""
    assert not legal(in_africa("overseer", 4, "sauvignon_blanc"), "place:play_summer_visitor")
    assert legal(in_africa("overseer", 5, "sauvignon_blanc"), "place:play_summer_visitor")
    for order in ("option:1", "option:2"):
        game = play(
            in_africa("overseer", 5, "sauvignon_blanc"),
            "place:play_summer_visitor:plain:hatted",
            "card:summer:overseer",
            order,
        )
        seat = game.seat
        if game.decision == "build_structure":
            # Five lira build a windmill and leave none for the vine.
            assert "structure:windmill" not in game.legal_actions()
            play(game, "structure:cottage", "card:vine:sauvignon_blanc", "field:7")
        else:
            play(game, "card:vine:sauvignon_blanc", "field:7", "structure:cottage")
        assert game.record.lira[seat] == 0 and game.record.structures[seat, 4] == 1


def test_africa_has_the_overseer_plant_what_leaves_enough_to_build():
    """With four lira the vine that costs nothing is the one that can come first (W95)."""
    game = play(
        in_africa("overseer", 4, "sauvignon_blanc", "malvasia"),
        "place:play_summer_visitor:plain:hatted",
        "card:summer:overseer",
        "option:2",
    )
    assert game.legal_actions() == ["card:vine:malvasia"]
    before = in_africa("overseer", 4, "sauvignon_blanc", "malvasia")
    play(before, "place:play_summer_visitor:plain:hatted", "card:summer:overseer", "option:1")
    assert "structure:cottage" in before.legal_actions()
    play(before, "structure:cottage")
    assert before.legal_actions() == ["card:vine:malvasia"]


def test_every_continent_can_give_three_steps_or_more():
    """The advice of 3 to 5 steps from events (W96), as the data have it: rule and cards 1 to 6 together."""
    for i, name in enumerate(CONTINENTS):
        events = DEFAULT.data["continents"]["continent"][i]["event"][:6]
        assert DEFAULT.rule[i, Ru.MOST] + sum(event["influence_max"] for event in events) >= 3, name
