"""The set-up of World (W2, W7, W10 to W26, W100, W103)."""

import numpy as np
import pytest

from tests.world.table import new, rich, summer
from vitienv import Game
from vitienv.viticulture.cards import CARD_NAMES, NEEDS_OTHERS, PAPAS
from vitienv.viticulture.cards.papas import GIFT_WORKER
from vitienv.viticulture.enums import Worker
from vitienv.world.enums import LETTERS, N_LETTERS, Hat, Tile
from vitienv.world.state import N_MAMAS, N_PAPAS, WorldRule
from vitienv.world.tables import DEFAULT


def test_one_to_six_seats_and_two_if_not_given():
    assert Game.new(game="world").num_players == 2
    assert [new(n).num_players for n in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    with pytest.raises(ValueError, match="from 1 to 6"):
        new(7)


def test_no_space_has_a_bonus_at_the_start():
    game = rich(summer())
    assert (game.state.oval_on == -1).all()
    assert not [name for name in game.legal_actions() if ":oval:" in name or ":bonus:" in name]
    assert game.step("place:give_tour:plain:grande").decision == "place_worker"  # nothing is asked


def test_a_continents_set_up_comes_after_the_red_cards_and_before_the_blue_cards_gifts():
    """Asia gives any card, clockwise, and is asked before any gift (O14)."""
    game = new(3, continent="asia")
    first = int(game.state.first_player)
    for i in range(3):
        assert (game.decision, game.current_seat) == ("choose_deck", (first + i) % 3)
        assert (game.state.n_hand[:3].sum(axis=1) >= 2).all()
        game.step(game.legal_actions()[0])
    assert game.decision == "papa_gift" and game.current_seat == first


def test_europe_gives_an_order_and_two_aims_each():
    game = new(6, continent="europe")
    dealt = game.state.aims[:6].ravel()
    assert sorted(dealt) == list(range(12)) and not game.state.aims_met.any()
    two = new(2, continent="europe").state
    assert (two.aims[:2] >= 0).all() and (two.aims[2:] == -1).all() and len(set(two.aims[:2].ravel())) == 4


def test_fourteen_rectangles_and_twelve_ovals_in_two_stacks():
    tile = new().state.tile
    gone = [LETTERS[int(DEFAULT.letter_of_place[i])] for i in range(N_LETTERS) if tile[i] == Tile.GONE]
    assert gone == ["H", "N"]
    assert (tile == Tile.IN_STACK).sum() == 14 + 12
    alone = new(1).state.tile
    assert (alone[:N_LETTERS] == Tile.IN_STACK).sum() == 14  # without the simulated partner


def test_numbers_for_study_are_options():
    game = new(vp_each=10, years=2, influence_start=9)
    assert game.state.influence == 9 and game.state.rules[WorldRule.VP_EACH] == 10
    with pytest.raises(ValueError, match="influence_start must be at most 10, the end of the track, got 11"):
        new(influence_start=11)


def test_the_year_token_starts_on_the_first_year_and_residual_at_zero():
    game = summer()
    assert game.year == 1 and not game.state.residual.any() and not game.state.vp[:2].any()


@pytest.mark.parametrize("parents", ["world", "mixed"])
def test_grande_and_four_regulars_two_under_each_hat_whatever_the_cards_say(parents):
    for seed in range(6):
        r = new(4, seed, parents=parents).state
        assert (r.staff[:4, Worker.REGULAR] == 4).all() and (r.staff[:4, Worker.GRANDE] == 1).all()
        for hat in (Hat.YELLOW, Hat.BLUE):
            assert ((r.hat[:4] == hat).sum(axis=1) == 2).all()
        assert (r.staff[4:] == 0).all()


def test_a_red_and_a_blue_card_each():
    """Cards and lira of the red card are there; the blue card's gift is asked for, or its lira."""
    for seed in range(12):
        game = new(seed=seed)
        r = game.state
        assert (r.mamas[:2, 0] >= N_MAMAS).all() and (r.papas[:2, 0] >= N_PAPAS).all()
        seat = game.current_seat
        red = DEFAULT.red[r.mamas[seat, 0] - N_MAMAS]
        blue = DEFAULT.blue[r.papas[seat, 0] - N_PAPAS]
        assert r.n_hand[seat].tolist() == [red[0], red[1], red[2], red[3]]
        assert r.lira[seat] == red[4] + blue[0]
        before = int(r.lira[seat])
        game.step("option:2")
        assert game.state.lira[seat] == before + blue[2]


@pytest.mark.parametrize("number", range(10))
def test_every_gift_of_a_blue_card(number):
    seed = next(s for s in range(400) if new(seed=s).state.papas[new(seed=s).current_seat, 0] == N_PAPAS + number)
    game = new(seed=seed)
    seat, gift = game.current_seat, int(DEFAULT.blue[number, 1])
    before = game.copy().state
    game.step("option:1")
    if gift < 8:
        assert game.state.structures[seat, gift] == 1
    elif gift == 8:
        assert game.state.vp[seat] == before.vp[seat] + 1
    elif gift == 9:
        assert game.decision == "gain_grape" and game.legal_actions() == ["grape:red:1", "grape:white:1"]
        assert game.step("grape:white:1").state.crush[seat, 1, 0] == 1
    else:
        assert game.decision == "choose_deck" and game.legal_actions() == ["deck:summer", "deck:winter"]


def test_mixed_parents_leave_out_the_two_who_give_a_worker():
    seen, workers = set(), {i for i, papa in enumerate(PAPAS) if papa.gift == GIFT_WORKER}
    for seed in range(40):
        seen |= set(new(6, seed, parents="mixed").state.papas[:, 0].tolist())
    assert len(workers) == 2 and not seen & workers
    assert len([papa for papa in seen if papa < N_PAPAS]) == 16 and len(seen) == 26


def test_no_seat_has_a_token_of_the_first_player_beyond_being_asked_first():
    """The marker moves counter-clockwise each year; no seat is asked twice (O13)."""
    game = summer(3)
    first = int(game.state.first_player)
    while game.year == 1:
        game.step("pass" if "pass" in game.legal_actions() else game.legal_actions()[0])
    assert game.state.first_player == (first + 2) % 3


def test_incompatible_visitors_are_in_no_deck():
    r = new().state
    there = r.deck + r.hand.sum(axis=0)
    for name in ("summer:planner", "summer:organizer", "winter:teacher", "winter:guest_speaker", "winter:professor"):
        assert there[CARD_NAMES.index(name)] == 0
    kinds = np.array([name.split(":")[0] for name in CARD_NAMES])
    assert there[kinds == "summer"].sum() == 36 and there[kinds == "winter"].sum() == 32


def test_alone_visitors_that_act_through_others_are_out():
    r = new(1).state
    there = r.deck + r.hand.sum(axis=0)
    assert not there[NEEDS_OTHERS == 1].any() and (new(2).state.deck[NEEDS_OTHERS == 1].sum() > 0)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"continent": "greengully", "events": "shuffled"}, "events must be 'ordered' on 'greengully', got 'shuffled'"),
        ({"events": "sorted"}, "unknown events 'sorted'"),
        ({"partner": "burattino"}, "partner must be None with 2 seats, got 'burattino'"),
        ({"draft_parents": True}, "unknown option 'draft_parents'; expected one of:"),
        ({"friendly": True}, "unknown option 'friendly'; expected one of:"),
        ({"difficulty": "hard"}, "unknown option 'difficulty'; expected one of:"),
        ({"training_visitors": "in"}, "unknown training_visitors 'in'"),
        ({"years": 7}, "years must be None or an integer from 1 to 6, got 7"),
        ({"vp_each": -1}, "got -1"),
        ({"components": {"innovation_tiles": {"rectangular": [{"letter": "A", "effect": [{"op": "x"}]}]}}}, "'x'"),
    ],
)
def test_wrong_options_are_told_in_one_line(options, told):
    with pytest.raises(ValueError) as error:
        new(**options)
    assert told in str(error.value) and "\n" not in str(error.value)


def test_other_rulesets_know_nothing_of_worlds_options():
    with pytest.raises(ValueError, match="unknown option 'continent'; expected one of:"):
        Game.new(continent="asia")
