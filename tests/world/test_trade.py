"""Trades of a grande (W43 to W48, O17 to O22)."""

import pytest

from tests.world.table import event, give, legal, oval, play, put, rich, stand, summer, turn_of
from vitienv.viticulture.names import Worker
from vitienv.world.names import AT_HAND, GRANDE, Metric


def offered(place="give_tour", n=2, worker="yellow", **fields):
    """A grande is placed beside another seat's worker, and the trade is offered."""
    game = put(summer(n), lira=[7] * 6, **fields)
    other = (game.seat + 1) % n
    how = stand(game, other, place, worker)
    game.step(next(name for name in legal(how, f"place:{place}:") if name.endswith("grande")))
    return game, game.seat, other


@pytest.mark.parametrize("worker", ["yellow", "grande"])
@pytest.mark.parametrize("place", ["give_tour", "gain_lira", "event"])
def test_a_grande_beside_any_worker_of_another_seat_may_trade(place, worker):
    game, seat, other = offered(place, worker=worker)
    assert game.decision == "trade_start" and game.legal_actions() == ["yes", "no"]
    game.step("yes")
    assert game.decision == "trade_partner" and game.legal_actions() == ["seat:+1"]


def test_nobody_else_starts_a_trade_and_a_yoke_is_private():
    game = rich(summer())
    stand(game, 1 - game.seat, "gain_lira", "grande")
    assert game.copy().step("place:gain_lira:plain:hatted").decision == "place_worker"
    assert game.copy().step("place:give_tour:plain:grande").decision == "place_worker"  # nobody else is there
    for seat in range(2):
        game.record.structures[seat, 2] = 1
        game.record.vines[seat, 0, 0] = 1
    game = summer()
    for seat in range(2):
        game.record.structures[seat, 2] = game.record.vines[seat, 0, 0] = 1
    stand(game, 1 - game.seat, "yoke", "grande")
    assert game.step("place:yoke:plain:grande").decision == "yoke"


def test_lira_for_nothing_is_a_trade_before_the_action():
    game, seat, other = offered()
    play(game, "yes", "seat:+1", "kind:lira", "amount:3", "kind:nothing")
    assert (game.decision, game.seat) == ("trade_answer", other)
    assert game.record.lira[:2].tolist() == [7, 7]  # nothing moves before the answer
    game.step("yes")
    assert game.record.lira[seat] == 4 + 2 and game.record.lira[other] == 10
    assert game.record.deeds[seat, Metric.TRADES] == 1 and game.decision == "place_worker"


def test_a_refusal_ends_the_chance_and_another_comes_after_the_action():
    game, seat, other = offered()
    play(game, "yes", "seat:+1", "kind:lira", "amount:3", "kind:nothing", "no")
    assert (game.decision, game.seat) == ("trade_start", seat)
    assert game.record.lira[seat] == 9  # the tour was given
    game.step("no")
    assert game.decision == "place_worker" and not game.record.deeds.any(axis=0)[Metric.TRADES]


def test_once_agreed_there_is_no_second_trade():
    game, seat, other = offered()
    play(game, "yes", "seat:+1", "kind:lira", "amount:1", "kind:lira", "amount:2", "yes")
    assert game.decision == "place_worker" and game.record.lira[seat] == 7 - 1 + 2 + 2


def test_taking_without_giving_is_a_trade_and_nothing_for_nothing_is_none():
    game, seat, other = offered()
    play(game, "yes", "seat:+1", "kind:nothing")
    assert "kind:nothing" not in game.legal_actions()
    play(game, "kind:lira", "amount:7", "yes")
    assert game.record.lira[other] == 0 and game.record.lira[seat] == 7 + 7 + 2


def test_amounts_are_reached_in_one_way():
    game = put(summer(), lira=[25] * 6)
    stand(game, 1 - game.seat, "give_tour", "yellow")
    play(game, "place:give_tour:crowd:grande", "yes", "seat:+1", "kind:lira")
    assert game.legal_actions() == [f"amount:{n}" for n in range(1, 11)]
    game.step("amount:10")
    assert game.legal_actions() == ["done", *(f"amount:{n}" for n in range(1, 11))]
    game.step("amount:10")
    assert game.legal_actions() == ["done", *(f"amount:{n}" for n in range(1, 6))]
    for one in game.choices():  # no amount reads as the number of another action
        assert {game.parse(way) for way in (str(one["number"]), *list(one.values())[1:])} == {one["name"]}
    play(game, "amount:5", "kind:nothing", "yes")
    assert game.record.lira[:2].max() == 50


def test_vines_and_orders_are_picked_by_their_owner_and_visitors_are_not_traded():
    game, seat, other = offered()
    r = game.record
    for each in (seat, other):
        r.deck += r.hand[each]
        r.hand[each] = r.n_hand[each] = r.shown[each] = 0
    r.n_deck[:] = [r.deck[:9].sum(), r.deck[9:45].sum(), r.deck[45:83].sum(), r.deck[83:].sum()]
    give(game, seat, "vine", "pinot", "syrah")
    give(game, seat, "summer", "broker")
    give(game, other, "order", "order_01", "order_02")
    play(game, "yes", "seat:+1")
    assert set(legal(game, "kind:")) == {"kind:lira", "kind:vine", "kind:nothing"}
    play(game, "kind:vine", "amount:1")
    assert set(legal(game, "kind:")) == {"kind:lira", "kind:order", "kind:nothing"}
    play(game, "kind:order", "amount:2", "yes")
    assert (game.decision, game.seat) == ("give_card", seat)
    assert set(game.legal_actions()) == {"card:vine:pinot", "card:vine:syrah"}
    game.step("card:vine:syrah")
    assert (game.decision, game.seat) == ("give_card", other)
    play(game, "card:order:order_01", "card:order:order_02")
    assert r.n_hand[seat].tolist() == [1, 2, 1, 0] and r.n_hand[other].tolist() == [1, 0, 0, 0]
    assert r.hand[other, 3] == 1


def test_tokens_arrive_by_the_rules_for_arriving_tokens():
    game, seat, other = offered()
    r = game.record
    r.crush[seat, 0, 4] = r.crush[other, 0, 4] = 1
    r.cellar[other, 0, 1] = 1
    put(game)
    play(game, "yes", "seat:+1", "kind:grape", "grape:red:5", "kind:wine", "wine:red:2", "yes")
    assert r.crush[other, 0].tolist() == [0, 0, 0, 1, 1, 0, 0, 0, 0] and not r.crush[seat].any()
    assert r.cellar[seat, 0, 1] == 1 and not r.cellar[other].any()


def test_a_token_that_would_find_no_slot_is_not_offered():
    game, seat, other = offered()
    r = game.record
    r.crush[seat, 0, 1] = 1
    r.crush[other, 0, :2] = 1  # slots 1 and 2 of red are taken
    r.cellar[seat, 2, 4] = 1  # a blush of 5, and the partner has no medium cellar
    r.structures[seat, 6] = 1
    put(game)
    play(game, "yes", "seat:+1")
    assert "kind:wine" not in game.legal_actions()
    # The grape fits only in exchange for one that leaves its slot.
    assert "kind:grape" in game.legal_actions()
    play(game, "kind:grape", "grape:red:2")
    assert game.legal_actions() == ["kind:grape"]
    game.step("kind:grape")
    assert set(game.legal_actions()) == {"grape:red:1", "grape:red:2"}
    play(game, "grape:red:1", "yes")
    assert r.crush[seat, 0].tolist()[:3] == [1, 0, 0] and r.crush[other, 0].tolist()[:3] == [1, 1, 0]


def test_a_trade_is_with_exactly_one_of_several_seats():
    game = oval(rich(summer(3)), "C", "vp")
    for other in range(3):
        if other != game.seat:
            stand(game, other, "give_tour", "yellow")
    play(game, "place:give_tour:oval:grande", "yes")
    assert game.legal_actions() == ["seat:+1", "seat:+2"]


def test_crowding_in_on_a_full_action_counts_as_placing():
    game, seat, other = offered()
    assert game.record.at[seat, 4] % 3 == 2 and game.decision == "trade_start"


def test_a_trade_on_an_event_card():
    game, seat, other = offered("event")
    play(game, "no")
    assert game.decision == "trade_start"  # once more after the card's action
    assert event(game, 1).record.deeds[seat, Metric.EVENT_SPACE_USES] == 1


def test_where_a_trade_before_leaves_the_action_impossible_the_worker_just_stands_there():
    game = put(summer(), lira=[4] * 6)
    stand(game, 1 - game.seat, "innovate", "yellow")
    seat = game.seat
    play(game, "place:innovate:crowd:grande", "yes", "seat:+1", "kind:lira", "amount:4", "kind:nothing", "yes")
    assert game.decision == "place_worker" and game.record.lira[seat] == 0


def test_a_seat_that_has_passed_in_summer_can_be_a_partner():
    """While its worker stands there (O21); after a winter pass it has none on the board."""
    game = summer()
    seat = game.seat
    put(stand(game, 1 - seat, "gain_lira", "yellow"), **{f"passed__{1 - seat}": 1})
    game.step("place:gain_lira:plain:grande")
    assert game.decision == "trade_start" and game.seat == seat


def test_a_grande_that_is_placed_twice_may_trade_twice():
    """Taken back by a card, it is placed anew (O22)."""
    game = rich(summer())
    seat = game.seat
    stand(game, 1 - seat, "gain_lira", "yellow")
    play(game, "place:gain_lira:plain:grande", "yes", "seat:+1", "kind:lira", "amount:1", "kind:nothing", "yes")
    assert game.seat != seat
    put(game, **{f"at__{seat}__{GRANDE}": AT_HAND, f"free__{seat}__{Worker.GRANDE}": 1})
    turn_of(game, seat).step("place:gain_lira:plain:grande")
    assert game.decision == "trade_start" and game.seat == seat
