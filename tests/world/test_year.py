"""World's year and the end of the game (W3 to W9, W15, W16, W19, W30 to W35, W68 to W70, W76, W78, W80, W103)."""

import numpy as np
import pytest

from tests.world.table import in_season, legal, new, play, put, summer, winter
from vitienv.viticulture.names import Season, Worker
from vitienv.world.names import Tile


def to_spring(seed=1, n=2, **options):
    """The first choice of a position on the ring."""
    game = new(n, seed, **options)
    while game.decision != "wake_up":
        game.step("option:2" if game.decision == "papa_gift" else game.legal_actions()[0])
    return game


def pass_on(game, until):
    """Everybody passes and takes what comes first."""
    while not game.is_over and not until(game):
        game.step("pass" if in_season(game) and "pass" in game.legal_actions() else game.legal_actions()[0])
    return game


def last_year(**fields):
    """The last winter, with a record that the test chooses."""
    return put(winter(), year=6, **fields)


# The end.


@pytest.mark.parametrize(
    ("vp", "influence", "outcome"),
    [((25, 25), 10, "win"), ((24, 40), 10, "loss"), ((25, 25), 9, "loss"), ((0, 0), 0, "loss"), ((60, 25), 10, "win")],
)
def test_all_win_or_all_lose_by_both_conditions(vp, influence, outcome):
    game = pass_on(last_year(vp=[*vp, 0, 0, 0, 0], influence=influence, over_achieved=[1] * 6), lambda g: False)
    assert game.is_over and game.outcome == outcome
    won = outcome == "win"
    assert game.rewards == ([1.0, 1.0] if won else [-1.0, -1.0]) and game.ranking == ([1, 1] if won else [2, 2])
    assert game.scores == list(vp)


def test_always_six_years_however_many_points():
    game = pass_on(put(summer(), vp=[50] * 6, influence=10, over_achieved=[1] * 6), lambda g: False)
    assert game.is_over and game.year == 6 and game.outcome == "win"
    assert pass_on(new(years=2), lambda g: False).year == 2


def test_what_counts_is_the_state_at_the_end():
    game = last_year(vp=[25, 25, 0, 0, 0, 0], influence=10)
    put(game, vp=[24, 25, 0, 0, 0, 0])
    assert pass_on(game, lambda g: False).outcome == "loss"


def test_the_margin_is_by_what_is_missing():
    game = new(reward="margin")
    put(pass_on(game, lambda g: g.year == 6), vp=[20, 30, 0, 0, 0, 0], influence=7, over_achieved=[1] * 6)
    pass_on(game, lambda g: False)
    assert game.rewards == pytest.approx([-((0.2 + 0.0) / 2 + 3 / 6) / 2] * 2)


def test_points_start_at_zero_and_have_no_upper_limit():
    assert summer().record.vp[:2].tolist() == [0, 0]
    game = put(summer(), vp=[200] * 6, over_achieved=[1] * 6)
    seat = game.seat
    play(put(game, lira=[3] * 6), "place:exchange:plain:hatted", "kind:lira", "kind:vp")
    assert game.record.vp[seat] == 201


def test_thirty_points_bring_influence_once_for_each_seat_and_at_once():
    game = put(summer(), vp=[29] * 6, lira=[12] * 6)
    seat, start = game.seat, int(game.record.influence)
    play(game, "place:exchange:plain:hatted", "kind:lira", "kind:vp")
    assert game.record.vp[seat] == 30 and game.record.influence == start + 1
    assert game.record.over_achieved[:2].sum() == 1
    game.record.vp[seat] = 29
    put(game)
    while game.seat != seat or game.decision != "place_worker":
        game.step("pass" if game.decision == "place_worker" else game.legal_actions()[0])
    put(game, lira=[12] * 6)
    play(game, "place:exchange:crowd:grande" if not legal(game, "place:exchange:plain") else
         legal(game, "place:exchange:plain")[0])  # fmt: skip
    while game.decision in ("trade_start",):
        game.step("no")
    play(game, "kind:lira", "kind:vp")
    assert game.record.vp[seat] == 30 and game.record.influence == start + 1


def test_the_token_stays_at_the_end_of_its_track():
    game = put(summer(), vp=[29] * 6, lira=[12] * 6, influence=10)
    play(game, "place:exchange:plain:hatted", "kind:lira", "kind:vp")
    assert game.record.influence == 10


# Events.


def test_in_a_first_game_the_cards_come_in_order():
    game = new(continent="asia")
    seen = []
    for year in range(1, 7):
        pass_on(game, lambda g, year=year: g.year == year and g.record.season == Season.SUMMER)
        seen.append(int(game.record.event))
    assert seen == [0, 1, 2, 3, 4, 5]


def test_in_later_games_six_of_all_cards_come_in_any_order():
    met = set()
    for seed in range(30):
        game, seen = new(seed=seed, continent="asia", events="shuffled", years=6), []
        for year in range(1, 7):
            pass_on(game, lambda g, year=year: g.year == year and g.record.season == Season.SUMMER)
            seen.append(int(game.record.event))
        assert len(set(seen)) == 6 and game.record.n_events == 6
        met |= set(seen)
    assert met == set(range(8))


def test_spring_is_the_event_then_tiles_then_the_ring():
    game = to_spring()
    assert game.record.event == 0 and (game.record.tile == Tile.SHOWN).sum() == 4
    assert game.decision == "wake_up" and game.year == 1
    game = new(2, continent="oceania")  # its first event asks for a grape
    while game.decision != "gain_grape":
        game.step("option:2" if game.decision == "papa_gift" else game.legal_actions()[0])
    assert game.record.event == 0 and not (game.record.tile == Tile.SHOWN).any()


def test_any_free_position_of_the_ring_and_its_benefit_at_once():
    game = to_spring(n=6)
    seen = []
    for position in (7, 2, 3, 4, 5, 6):
        seat, before = game.seat, game.copy().record
        assert len(game.legal_actions()) == 7 - len(seen)
        game.step(f"wake_up:{position}")
        r = game.record
        seen.append(position)
        if position == 7:
            assert r.staff[seat, Worker.TEMPORARY] == 1
        elif position in (2, 3):
            assert r.n_hand[seat, position - 2] == before.n_hand[seat, position - 2] + 1
        elif position == 4:
            assert r.lira[seat] == before.lira[seat] + 1
        elif position == 5:
            assert game.decision == "choose_deck" and game.legal_actions() == ["deck:summer", "deck:winter"]
            game.step("deck:winter")
        else:
            assert r.vp[seat] == before.vp[seat] + 1
    order = [int(r.row[int(seat)]) for seat in r.order]
    assert order == sorted(order)


def test_the_first_position_gives_nothing_but_the_first_turn():
    game = to_spring()
    seat, before = game.seat, game.copy().record
    play(game, "wake_up:1", "wake_up:2")
    assert game.seat == seat and game.record.lira[seat] == before.lira[seat]


def test_the_same_order_in_winter():
    game = winter(4)
    assert [int(game.record.row[int(seat)]) for seat in game.record.order[:4]] == [1, 2, 3, 4]


# Fall.


def test_one_of_three_benefits_at_the_own_summer_pass():
    game = summer()
    seat, other = game.seat, 1 - game.seat
    game.record.crush[seat, 0, 1] = 1
    put(game).step("pass")
    assert (game.decision, game.seat) == ("fall_benefit", seat)
    assert game.legal_actions() == ["option:1", "option:2", "option:3"]
    before = game.copy().record
    assert game.copy().step("option:1").record.lira[seat] == before.lira[seat] + 2
    card = game.copy().step("option:2")
    assert card.decision == "choose_deck" and len(card.legal_actions()) == 4
    aged = play(game.copy(), "option:3", "grape:red:2")
    assert aged.record.crush[seat, 0, 2] == 1 and aged.seat == other and aged.phase == "summer"


def test_ageing_is_offered_only_if_a_grape_can_age():
    game = summer()
    seat = game.seat
    game.record.crush[seat, 0, 8] = 1
    put(game).step("pass")
    assert game.legal_actions() == ["option:1", "option:2"]


def test_nobody_gets_the_essential_fall_visitor_and_cottages_draw_when_all_have_passed():
    game = summer()
    r = game.record
    first, second = (int(seat) for seat in r.order[:2])
    r.structures[second, 4] = 1
    put(game)
    hands = r.n_hand.sum(axis=1).copy()
    play(game, "pass", "option:1")
    assert game.seat == second
    play(game, "pass", "option:1")
    assert (game.decision, game.seat, game.phase) == ("choose_deck", second, "fall")
    assert game.legal_actions() == ["deck:summer", "deck:winter"]
    game.step("deck:summer")
    assert game.phase == "winter" and r.n_hand.sum(axis=1).tolist() == (hands + np.eye(6, dtype=int)[second]).tolist()


# Winter and the year's end.


def test_at_the_own_winter_pass_five_cards_are_kept():
    game = winter()
    seat = game.seat
    r = game.record
    while r.n_hand[seat].sum() < 8:
        kind = int(np.flatnonzero(r.deck[:9])[0])
        r.deck[kind] -= 1
        r.n_deck[0] -= 1
        r.hand[seat, kind] += 1
        r.n_hand[seat, 0] += 1
    put(game).step("pass")
    assert (game.decision, game.seat) == ("discard_to_limit", seat)
    for _ in range(3):
        game.step(game.legal_actions()[0])
    assert r.n_hand[seat].sum() == 5 and game.seat != seat


def test_tiles_on_the_board_stay_and_the_year_token_goes_on():
    game = winter()
    game.record.tile[2] = Tile.PLACED
    pass_on(put(game), lambda g: g.year == 2)
    assert game.record.tile[2] == Tile.PLACED and game.year == 2 and not game.record.row.any()


def test_a_game_cut_off_is_truncated_and_not_lost():
    game = pass_on(new(max_years=2), lambda g: False)
    assert game.is_truncated and game.year == 2 and game.outcome is None and game.rewards == [0.0, 0.0]
