"""World's year, from spring to spring, and whole games: what no single turn shows (W3 to W16, W30, W32, W84, W87)."""

import numpy as np
import pytest

from tests.world.table import in_season, legal, new, put, summer, winter
from vitienv.viticulture.enums import Season
from vitienv.world.enums import N_LETTERS, Tile
from vitienv.world.tables import DEFAULT


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


def test_always_six_years_however_many_points():
    game = pass_on(put(summer(), vp=[50] * 6, influence=10, over_achieved=[1] * 6), lambda g: False)
    assert game.is_over and game.year == 6 and game.outcome == "win"
    assert pass_on(new(years=2), lambda g: False).year == 2


def test_the_margin_is_by_what_is_missing():
    game = new(reward="margin")
    put(pass_on(game, lambda g: g.year == 6), vp=[20, 30, 0, 0, 0, 0], influence=7, over_achieved=[1] * 6)
    pass_on(game, lambda g: False)
    assert game.rewards == pytest.approx([-((0.2 + 0.0) / 2 + 3 / 6) / 2] * 2)


def test_points_start_at_zero():
    assert summer().state.vp[:2].tolist() == [0, 0]


def test_in_a_first_game_the_cards_come_in_order():
    game = new(continent="asia")
    seen = []
    for year in range(1, 7):
        pass_on(game, lambda g, year=year: g.year == year and g.state.season == Season.SUMMER)
        seen.append(int(game.state.event))
    assert seen == [0, 1, 2, 3, 4, 5]


def test_in_later_games_six_of_all_cards_come_in_any_order():
    met = set()
    for seed in range(30):
        game, seen = new(seed=seed, continent="asia", events="shuffled", years=6), []
        for year in range(1, 7):
            pass_on(game, lambda g, year=year: g.year == year and g.state.season == Season.SUMMER)
            seen.append(int(game.state.event))
        assert len(set(seen)) == 6 and game.state.n_events == 6
        met |= set(seen)
    assert met == set(range(8))


def test_spring_is_the_event_then_tiles_then_the_ring():
    game = to_spring()
    assert game.state.event == 0 and (game.state.tile == Tile.SHOWN).sum() == 4
    assert game.decision == "wake_up" and game.year == 1
    game = new(2, continent="oceania")  # its first event asks for a grape
    while game.decision != "gain_grape":
        game.step("option:2" if game.decision == "papa_gift" else game.legal_actions()[0])
    assert game.state.event == 0 and not (game.state.tile == Tile.SHOWN).any()


def test_two_of_each_shape_are_turned_up_each_spring_and_the_rest_is_discarded():
    game = summer()
    for year in range(1, 7):
        tiles = shown(game)
        assert (tiles < N_LETTERS).sum() == 2 and (tiles >= N_LETTERS).sum() == 2
        before = set(tiles.tolist())
        while not game.is_over and (game.year == year or not in_season(game)):
            game.step("pass" if in_season(game) and "pass" in game.legal_actions() else game.legal_actions()[0])
            if game.year == year:
                assert set(shown(game).tolist()) == before  # none is refilled, all stay until spring
        assert game.is_over or all(game.state.tile[tile] == Tile.GONE for tile in before)
    assert (game.state.tile[N_LETTERS:] != Tile.IN_STACK).all()  # twelve ovals in six springs


def shown(game):
    return np.flatnonzero(game.state.tile == Tile.SHOWN)


def test_a_reveal_gives_to_every_seat_in_spring():
    game = new(continent="north_america")
    while game.decision == "papa_gift":
        game.step("option:2")
    vines = game.state.n_hand[:2, 0].sum()
    red = game.copy().state.mamas[:2, 0]
    given = sum(int(DEFAULT.red[m - 18][0]) for m in red)
    assert vines == given + 4
    game = new(3, continent="oceania")
    while game.decision == "papa_gift":
        game.step("option:2")
    first = int(game.state.first_player)
    for i in range(3):
        assert (game.decision, game.current_seat) == ("gain_grape", (first + i) % 3)
        game.step("grape:red:1")


def test_counts_start_anew_each_year():
    game = pass_on(put(winter(), deeds__0__0=4, boosted__0=1, rule_year=1), lambda g: g.year == 2)
    assert not game.state.deeds.any() and not game.state.boosted.any() and game.state.rule_year == 0


def test_a_rule_is_met_at_most_100_times_a_year():
    """762 deeds overflowed the counter's 8 bits: endless, if the owner's rule needs one of them."""
    game = put(summer(6, continent="asia"), deeds=127)
    assert game.step("place:give_tour:plain:hatted").state.rule_year == 100


def test_a_game_cut_off_is_truncated_and_not_lost():
    game = pass_on(new(max_years=2), lambda g: False)
    assert game.is_truncated and game.year == 2 and game.outcome is None and game.rewards == [0.0, 0.0]


@pytest.mark.slow  # other data are compiled apart
def test_lira_of_a_boost_may_pay_for_the_action():
    components = {"continents": {"continent": [{"id": "asia", "event": [
        {"number": 1, "kind": "boost", "action": "H", "who": "actor", "limit": "per_taking", "pay": [],
         "gain": [{"op": "lira", "n": 3}]},
        *({"number": i, "kind": "rule", "flags": {}} for i in range(2, 7)),
    ]}]}}  # fmt: skip
    game = put(summer(continent="asia", components=components), lira=[1] * 6)
    seat = game.current_seat
    assert legal(game, "place:innovate")
    game.step("place:innovate:plain:hatted")
    assert game.decision == "choose_tile" and game.state.lira[seat] == 0
