"""Hats and places (W36 to W42, W49 to W51, W61 to W63, W71, W73, W76, W77, W79, W107)."""

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
    rectangle,
    rich,
    show,
    stand,
    summer,
    turn_of,
    winter,
)
from vitienv.viticulture.names import Worker
from vitienv.world.names import AT_HAND, GRANDE, N_REGULARS, N_STANDS, PLACES, Hat, Place, Stands

BARE, YELLOW, BLUE = int(Hat.BARE), int(Hat.YELLOW), int(Hat.BLUE)


def placed(game, seat):
    """Where a seat's workers stand: the words of their places."""
    return sorted(PLACES[at // 3] for at in game.record.at[seat].tolist() if at != AT_HAND)


def test_a_hatted_worker_is_placed_in_its_own_season_only():
    game = summer()
    for wanted, worn in ((True, YELLOW), (False, BLUE)):
        hats(game, game.seat, worn, worn, worn, worn)
        assert bool(legal(game, "place:gain_lira:plain:hatted")) is wanted
        assert bool(legal(game, "place:give_tour:plain:hatted")) is wanted
    game = winter()
    for wanted, worn in ((False, YELLOW), (True, BLUE)):
        hats(game, game.seat, worn, worn, worn, worn)
        assert bool(legal(game, "place:gain_lira:plain:hatted")) is wanted
        assert bool(legal(game, "place:draw_order:plain:hatted")) is wanted


def test_trained_workers_are_placed_in_both_seasons():
    for game in (summer(), winter()):
        hats(game, game.seat, BARE, BARE, BARE, BARE)
        place = "give_tour" if game.phase == "summer" else "draw_order"
        assert f"place:{place}:plain:regular" in game.legal_actions()
        assert f"place:{place}:plain:grande" in game.legal_actions()
        hats(game, game.seat, YELLOW, YELLOW, BLUE, BLUE)
        assert f"place:{place}:plain:regular" not in game.legal_actions()
        game.record.staff[game.seat, Worker.TEMPORARY] = game.record.free[game.seat, Worker.TEMPORARY] = 1
        assert f"place:{place}:plain:regular" in put(game).legal_actions()


def test_summer_and_winter_have_eight_actions_each():
    names = {name.split(":")[1] for name in rich(summer()).definition.actions.names if name.startswith("place:")}
    assert names == set(PLACES)
    for game, season in ((rich(summer()), range(8)), (rich(winter()), range(8, 16))):
        others = {PLACES[i] for i in range(16)} - {PLACES[i] for i in season}
        assert not {name.split(":")[1] for name in legal(game, "place:")} & others


def test_turns_go_by_the_ring_and_a_pass_is_final():
    game = summer(3)
    order = [int(seat) for seat in game.record.order[:3]]
    assert game.seat == order[0]
    game.step("place:gain_lira:plain:hatted")
    assert game.seat == order[1]
    play(game, "pass", "option:1")
    assert game.seat == order[2]
    game.step("place:gain_lira:plain:hatted")
    assert game.seat == order[0]
    game.step("place:gain_lira:plain:hatted")
    assert game.seat == order[2]


def test_each_worker_is_placed_once_a_year():
    game = summer()
    seat = game.seat
    hats(game, seat, YELLOW, YELLOW, BLUE, BLUE)
    for _ in range(3):
        game = turn_of(game, seat)
        game.step(legal(game, "place:gain_lira")[0])
    turn_of(game, seat)
    assert (game.decision == "place_worker" and game.legal_actions() == ["pass"]) or game.seat != seat


def test_the_grande_joins_an_action_whose_spaces_are_taken():
    game = summer()
    other = 1 - game.seat
    stand(game, other, "give_tour", "yellow")
    assert legal(game, "place:give_tour") == ["place:give_tour:crowd:grande"]
    seat = game.seat
    game.step("place:give_tour:crowd:grande")
    if game.decision == "trade_start":
        game.step("no")
    assert game.record.at[seat, GRANDE] == Place.GIVE_TOUR * 3 + Stands.CROWD


def test_the_lira_place_takes_any_number_in_both_seasons_for_a_lira_each():
    for game in (summer(), winter()):
        seat = game.seat
        hats(game, seat, BARE, BARE, BARE, BARE)
        before = int(game.record.lira[seat])
        for i in range(4):
            game.step("place:gain_lira:plain:regular")
            assert game.record.lira[seat] == before + i + 1
            turn_of(game, seat)


def test_the_yoke_is_a_place_of_ones_own_under_the_rules_of_hats():
    game = summer()
    seat = game.seat
    game.record.structures[seat, 2] = 1
    game.record.vines[seat, 0, 0] = 1
    put(game)
    assert set(legal(game, "place:yoke")) == {"place:yoke:plain:hatted", "place:yoke:plain:grande"}
    game.step("place:yoke:plain:hatted")
    assert game.decision == "yoke" and game.record.used[seat, 2] == 1
    hats(turn_of(game, seat), seat, BLUE, BLUE, BLUE, BLUE)
    assert not legal(game, "place:yoke")


def test_an_oval_takes_any_number_and_is_never_full():
    game = oval(rich(summer(3)), "C", "vp")
    for seat in range(3):
        for worker in ("yellow", "grande"):
            stand(game, seat, "give_tour", worker)
    assert legal(game, "place:give_tour") == ["place:give_tour:oval:hatted"]
    game.step("place:give_tour:oval:hatted")
    assert game.decision == "place_worker"


def test_only_a_trained_worker_gains_the_bonus_of_an_oval_once():
    game = oval(summer(), "C", "vp")
    seat = game.seat
    hats(game, seat, BARE, YELLOW, BLUE, BLUE)
    hatted = game.copy().step("place:give_tour:oval:hatted")
    assert hatted.decision == "place_worker" and hatted.record.vp[seat] == 0
    for worker in ("regular", "grande"):
        trained = game.copy().step(f"place:give_tour:oval:{worker}")
        assert trained.decision == "take_bonus" and trained.seat == seat
        assert trained.copy().step("yes").record.vp[seat] == 1
        left = trained.step("no")
        assert left.record.vp[seat] == 0 and left.decision == "place_worker"  # the action was done
        assert left.record.lira[seat] == game.record.lira[seat] + 2


def test_a_bonus_that_ends_the_track_comes_after_influence_was_bought():
    """The action is compulsory, and no influence can be bought at the end of the track."""
    game = oval(put(winter(), lira=[8] * 6, vp=[29] * 6, influence=9), "P", "vp")
    seat = game.seat
    hats(game, seat, BARE, YELLOW, BLUE, BLUE)
    game.step("place:buy_influence:oval:regular")
    assert game.decision == "take_bonus" and game.record.lira[seat] == 0 and game.record.influence == 10
    game.step("yes")
    assert game.record.vp[seat] == 30 and game.record.influence == 10
    early = oval(put(winter(), lira=[8] * 6, vp=[29] * 6, influence=8), "P", "vp")
    hats(early, early.seat, BARE, YELLOW, BLUE, BLUE)
    early.step("place:buy_influence:oval:regular")
    assert early.decision == "take_bonus" and early.record.lira[early.seat] == 8  # before it, as always
    assert early.step("yes").record.influence == 10


def test_the_bonus_of_lira_may_pay_for_the_action_and_must_then_be_taken():
    game = show(oval(put(summer(), lira=[3] * 6), "H", "lira"), "A")
    hats(game, game.seat, BARE, YELLOW, BLUE, BLUE)
    assert legal(game, "place:innovate") == ["place:innovate:oval:regular", "place:innovate:oval:grande"]
    game.step("place:innovate:oval:regular")
    assert game.decision == "take_bonus" and game.legal_actions() == ["yes"]
    seat = game.seat
    game.step("yes")
    assert game.decision == "choose_tile" and game.record.lira[seat] == 0


def test_ageing_is_asked_before_the_action_and_once_more_after_it():
    game = oval(summer(), "C", "age_grape")
    seat = game.seat
    game.record.crush[seat, 0, 2] = 1
    put(game)
    game.step("place:give_tour:oval:grande")
    assert game.decision == "take_bonus"
    game.step("no")
    assert game.decision == "take_bonus" and game.record.deeds[seat, 0] == 1  # the tour was given
    play(game, "yes", "grape:red:3")
    assert game.record.crush[seat, 0].tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert game.decision == "place_worker"


def test_training_takes_the_hat_of_any_own_regular_for_four_lira():
    game = rich(winter(), 10)
    seat = game.seat
    game.step("place:train_worker:plain:hatted")
    assert game.decision == "take_hat" and game.record.lira[seat] == 6
    assert game.legal_actions() == ["hat:yellow", "hat:blue"]
    yellow = game.copy().step("hat:yellow")
    assert sorted(yellow.record.hat[seat]) == sorted([BARE, YELLOW, BLUE, BLUE])
    assert (yellow.record.staff[seat] == game.record.staff[seat]).all()  # nobody gets a new worker
    # Of two under blue hats the one at hand is taken before the one just placed (O27).
    blue = game.copy().step("hat:blue")
    assert [int(h) for h, at in zip(blue.record.hat[seat], blue.record.at[seat]) if at != AT_HAND] == [BLUE]


def test_the_worker_just_placed_may_lose_its_hat():
    game = rich(winter(), 10)
    seat = game.seat
    hats(game, seat, BARE, BARE, BARE, BLUE)
    play(game, "place:train_worker:plain:hatted", "hat:blue")
    assert (game.record.hat[seat] == BARE).all() and placed(game, seat) == ["train_worker"]
    turn_of(game, seat)
    assert not legal(game, "place:train_worker")  # four bare regulars


def test_a_worker_that_takes_off_its_own_hat_gains_no_oval_bonus():
    game = oval(rich(winter(), 10), "L", "vp")
    seat = game.seat
    hats(game, seat, BARE, BARE, BARE, BLUE)
    play(game, "place:train_worker:oval:hatted", "hat:blue")
    assert game.record.vp[seat] == 0 and game.decision == "place_worker"


def test_the_rectangle_of_training_takes_two_hats_for_one_price():
    game = rectangle(rich(winter(), 10), "L")
    seat = game.seat
    play(game, "place:train_worker:plain:hatted", "hat:yellow")
    assert game.decision == "take_hat" and "done" in game.legal_actions()
    game.step("hat:yellow")
    assert game.record.lira[seat] == 6 and (game.record.hat[seat] == BARE).sum() == 2


def test_a_winter_pass_ends_the_seats_year_and_frees_its_spaces():
    game = winter()
    seat, other = game.seat, 1 - game.seat
    r = game.record
    game.step("place:draw_order:plain:hatted")
    assert not [name for name in legal(turn_of(game, other), "place:draw_order") if "plain" in name]
    turn_of(game, seat)
    r.residual[seat] = 3
    r.crush[seat, 0, 1] = 1
    r.cellar[seat, 1, 0] = 1
    put(game)
    before = int(r.lira[seat])
    game.step("pass")
    assert game.seat == other and r.lira[seat] == before + 3
    assert r.crush[seat, 0].tolist()[1:3] == [0, 1] and r.cellar[seat, 1].tolist()[:2] == [0, 1]
    assert placed(game, seat) == [] and (r.free[seat] == r.staff[seat]).all()
    assert "place:draw_order:plain:hatted" in game.legal_actions()


def test_the_temporary_worker_returns_at_its_owners_pass():
    game = winter()
    seat = game.seat
    game.record.staff[seat, Worker.TEMPORARY] = game.record.free[seat, Worker.TEMPORARY] = 1
    put(game).step("pass")
    assert game.record.staff[seat, Worker.TEMPORARY] == 0


def test_marks_of_the_year_are_cleared_when_it_ends_for_all():
    game = winter()
    seat = game.seat
    game.record.used[seat] = 1
    put(game).step("pass")
    assert game.record.used[seat].all()
    while game.year == 1:
        game.step("pass" if in_season(game) and "pass" in game.legal_actions() else game.legal_actions()[0])
    assert not game.record.used.any() and not game.record.harvested.any()


def test_who_has_no_usable_worker_passes_with_all_that_a_pass_brings():
    game = summer()
    seat, other = game.seat, 1 - game.seat
    r = game.record
    stand(game, other, "gain_lira", "grande")
    hats(game, other, BLUE, BLUE, BLUE, BLUE)
    game.step("place:gain_lira:plain:hatted")
    assert (game.decision, game.seat) == ("fall_benefit", other) and r.passed[other] == 1
    game = winter()
    seat, other = game.seat, 1 - game.seat
    stand(game, other, "gain_lira", "grande")
    hats(game, other, YELLOW, YELLOW, YELLOW, YELLOW)
    game.step("place:gain_lira:plain:hatted")
    assert game.record.passed[other] == 1 and game.seat == seat
    assert game.record.at[other, GRANDE] == AT_HAND


def test_the_producer_takes_workers_back_from_ovals_spaces_the_lira_place_and_events():
    game = oval(rich(summer()), "C", "vp")
    seat = game.seat
    give(game, seat, "summer", "producer")
    hats(game, seat, YELLOW, YELLOW, YELLOW, BARE)
    for place, worker in (("give_tour", "yellow"), ("gain_lira", "yellow"), ("event", "bare")):
        stand(game, seat, place, worker)
    play(game, "place:play_summer_visitor:plain:hatted", "card:summer:producer")
    assert game.decision == "retrieve_worker"
    assert set(game.legal_actions()) == {
        "place:gain_lira:plain:hatted", "place:event:plain:regular", "place:give_tour:oval:hatted",
    }  # fmt: skip
    game.step("place:give_tour:oval:hatted")
    assert game.record.free[seat, Worker.REGULAR] == 1


def test_the_motivator_gives_the_grande_back_wherever_it_stands():
    game = rich(winter())
    seat, other = game.seat, 1 - game.seat
    give(game, seat, "winter", "motivator")
    stand(game, other, "gain_lira", "grande")
    play(game, "place:play_winter_visitor:plain:hatted", "card:winter:motivator")
    while game.decision == "offer":
        game.step("yes")
    assert game.record.at[other, GRANDE] == AT_HAND and game.record.free[other, Worker.GRANDE] == 1


def test_greengullys_card_is_a_place_in_both_seasons_under_the_rules_of_hats():
    game = event(summer(), 1)
    hats(game, game.seat, YELLOW, YELLOW, BLUE, BLUE)
    assert legal(game, "place:event") == ["place:event:plain:hatted", "place:event:plain:grande"]
    game = event(winter(), 1)
    hats(game, game.seat, YELLOW, YELLOW, YELLOW, YELLOW)
    assert legal(game, "place:event") == ["place:event:plain:grande"]


@pytest.mark.parametrize("n", [1, 2, 6])
def test_four_regulars_and_a_grande_for_everybody(n):
    r = new(n).record
    assert r.staff[:n].tolist() == [[N_REGULARS, 1, 0]] * n


def test_of_two_hats_of_a_colour_one_at_hand_goes_first():
    """O27: a hat is chosen by its colour."""
    game = rich(winter())
    seat, there = game.seat, PLACES.index("give_tour") * N_STANDS
    stand(game, seat, "give_tour", "yellow")
    play(game, "place:train_worker:plain:hatted", "hat:yellow")
    r = game.record
    worn = {int(at): int(hat) for hat, at in zip(r.hat[seat], r.at[seat])}
    assert worn[there] == Hat.YELLOW
    assert sorted(int(hat) for hat, at in zip(r.hat[seat], r.at[seat]) if at == AT_HAND) == [Hat.BARE, Hat.BLUE]
