"""Setup of World (W2, W7, W10 to W26, W100, W103), and years (W3, W6, W15, W16, W30, W32)."""

import numpy as np
import pytest

from tests.world.table import new, pass_until, summer
from vitienv.viticulture.cards import CARD_NAMES, NEEDS_OTHERS, PAPAS
from vitienv.viticulture.cards.papas import GIFT_WORKER
from vitienv.viticulture.enums import Season
from vitienv.world.enums import N_LETTERS, Tile
from vitienv.world.state import N_MAMAS, N_PAPAS, WorldRule
from vitienv.world.tables import DEFAULT


def test_continent_gains_come_between_red_and_blue_cards():
    """Asia: any card, clockwise (O14)."""
    game = new(3, continent="asia")
    first = int(game.state.first_player)
    for i in range(3):
        assert (game.decision, game.current_seat) == ("choose_deck", (first + i) % 3)
        assert (game.state.n_hand[:3].sum(axis=1) >= 2).all()
        game.step(game.legal_actions()[0])
    assert game.decision == "papa_gift" and game.current_seat == first


def test_numbers_of_the_game_are_options():
    game = new(vp_each=10, years=2, influence_start=9)
    assert game.state.influence == 9 and game.state.rules[WorldRule.VP_EACH] == 10
    assert pass_until(game, lambda game: False).year == 2


def test_red_and_blue_cards():
    """The cards and lira of the red card are dealt; the gift of the blue card is optional."""
    for seed in range(12):
        game = new(seed=seed)
        state, seat = game.state, game.current_seat
        assert (state.mamas[:2, 0] >= N_MAMAS).all() and (state.papas[:2, 0] >= N_PAPAS).all()
        red = DEFAULT.red[state.mamas[seat, 0] - N_MAMAS]
        blue = DEFAULT.blue[state.papas[seat, 0] - N_PAPAS]
        assert state.n_hand[seat].tolist() == red[:4].tolist() and state.lira[seat] == red[4] + blue[0]
        assert game.step("option:2").state.lira[seat] == red[4] + blue[0] + blue[2]


@pytest.mark.parametrize("number", range(10))
def test_gift_of_every_blue_card(number):
    games = (new(seed=seed) for seed in range(400))
    game = next(game for game in games if game.state.papas[game.current_seat, 0] == N_PAPAS + number)
    seat, gift = game.current_seat, int(DEFAULT.blue[number, 1])
    points = int(game.state.vp[seat])
    game.step("option:1")
    if gift < 8:
        assert game.state.structures[seat, gift] == 1
    elif gift == 8:
        assert game.state.vp[seat] == points + 1
    elif gift == 9:
        assert game.decision == "gain_grape" and game.legal_actions() == ["grape:red:1", "grape:white:1"]
        assert game.step("grape:white:1").state.crush[seat, 1, 0] == 1
    else:
        assert game.decision == "choose_deck" and game.legal_actions() == ["deck:summer", "deck:winter"]


def test_mixed_parents_exclude_papas_with_a_worker():
    papas, excluded = set(), {i for i, papa in enumerate(PAPAS) if papa.gift == GIFT_WORKER}
    for seed in range(40):
        state = new(6, seed, parents="mixed").state
        papas |= set(state.papas[:, 0].tolist())
        assert (state.hat[:6] == [1, 1, 2, 2]).all() and (state.staff[:6] == [4, 1, 0]).all()
    assert len(excluded) == 2 and not papas & excluded
    assert len([papa for papa in papas if papa < N_PAPAS]) == 16 and len(papas) == 26


def test_visitors_in_the_decks():
    def copies(num_players: int, **options) -> np.ndarray:
        state = new(num_players, **options).state
        return state.deck + state.hand.sum(axis=0)

    decks = np.array([name.split(":")[0] for name in CARD_NAMES])
    trainers = [CARD_NAMES.index(f"winter:{name}") for name in ("teacher", "professor", "governess")]
    others = [CARD_NAMES.index(name) for name in ("summer:planner", "summer:organizer", "winter:guest_speaker")]
    assert (copies(2)[decks == "summer"].sum(), copies(2)[decks == "winter"].sum()) == (36, 32)
    assert not copies(2)[[*trainers, *others]].any() and copies(2)[NEEDS_OTHERS == 1].any()
    assert not copies(1)[NEEDS_OTHERS == 1].any()
    with_hats = copies(2, training_visitors="hats")
    assert with_hats[trainers].all() and not with_hats[others[:2]].any()


def test_margin_is_the_missing_share_of_points_and_influence():
    game = new(reward="margin")
    state = pass_until(game, lambda game: game.year == 6).state
    state.vp[:2], state.influence, state.over_achieved[:] = (20, 30), 7, 1
    pass_until(game, lambda game: False)
    assert game.rewards == pytest.approx([-((0.2 + 0.0) / 2 + 3 / 6) / 2] * 2)


def test_shuffled_events():
    """Six of eight cards in any order."""
    events = set()
    for seed in range(30):
        game, cards = new(seed=seed, continent="asia", events="shuffled"), []
        for year in range(1, 7):
            pass_until(game, lambda game, year=year: game.year == year and game.state.season == Season.SUMMER)
            cards.append(int(game.state.event))
        assert len(set(cards)) == 6 and game.state.n_events == 6
        events |= set(cards)
    assert events == set(range(8))


def test_two_tiles_of_each_shape_are_shown_each_year():
    """The others are discarded in spring."""
    game = summer()
    for year in range(1, 7):
        tiles = np.flatnonzero(game.state.tile == Tile.SHOWN).tolist()
        assert [tile < N_LETTERS for tile in tiles] == [True, True, False, False]
        pass_until(game, lambda game: game.state.season == Season.WINTER)
        assert np.flatnonzero(game.state.tile == Tile.SHOWN).tolist() == tiles
        pass_until(game, lambda game, year=year: game.year > year and game.state.season == Season.SUMMER)
        assert game.is_over or (game.state.tile[tiles] == Tile.GONE).all()
    assert (game.state.tile[N_LETTERS:] != Tile.IN_STACK).all()  # twelve ovals in six years


def test_rule_is_met_at_most_100_times_a_year():
    """762 deeds overflowed the 8-bit counter: endless if custom data require only one of them."""
    game = summer(6, continent="asia")
    game.state.deeds[:] = 127
    assert game.step("place:give_tour:plain:hatted").state.rule_year == 100


def test_max_years_truncates():
    game = pass_until(new(max_years=2), lambda game: False)
    assert game.is_truncated and game.year == 2 and game.outcome is None and game.rewards == [0.0, 0.0]


@pytest.mark.slow  # compiled for these data only
def test_lira_of_a_boost_pays_for_the_action():
    components = {"continents": {"continent": [{"id": "asia", "event": [
        {"number": 1, "kind": "boost", "action": "H", "who": "actor", "limit": "per_taking", "pay": [],
         "gain": [{"op": "lira", "n": 3}]},
        *({"number": i, "kind": "rule", "flags": {}} for i in range(2, 7)),
    ]}]}}  # fmt: skip
    game = summer(continent="asia", components=components)
    seat = game.current_seat
    game.state.lira[:] = 1
    game._batch.refresh(observe=False)
    game.step("place:innovate:plain:hatted")
    assert game.decision == "choose_tile" and game.state.lira[seat] == 0
