"""Action spaces for two to six players, the grande worker, the temporary worker, the cart."""

import pytest

import vitienv
from tests.table.facts import SUMMER_ACTIONS, WINTER_ACTIONS, at, place, placements, play, seat, workers

from .positions import ABLE, start

ACTIONS = [(action, "summer") for action in SUMMER_ACTIONS] + [(action, "winter") for action in WINTER_ACTIONS]
SPACES = {2: ["plain"], 3: ["plain", "bonus"], 4: ["plain", "bonus"]}
SPACES |= {5: ["plain", "bonus", "plain"], 6: ["plain", "bonus", "plain"]}


def spaces_of(game, action, worker="regular"):
    """The spaces of an action that are open to a kind of worker."""
    return {name.split(":")[2] for name in placements(game, action) if name.endswith(worker)}


@pytest.mark.parametrize("num_players", SPACES)
@pytest.mark.parametrize("action, season", ACTIONS)
def test_spaces_by_number_of_players(action, season, num_players):
    """Essential, Scaling the game: the left space; with 3 or more the middle one; with 5 or more all three."""
    spaces = SPACES[num_players]
    taken = []
    for space in spaces:
        game = start(num_players, season, ABLE, board={action: list(taken)})
        left = list(spaces)
        for entry in taken:
            left.remove(entry["space"])
        assert spaces_of(game, action) == set(left)
        assert spaces_of(game, action, "grande") == set(left)
        taken.append(at(1, space))
    full = start(num_players, season, ABLE, board={action: taken})
    assert placements(full, action) == [place(action, "crowd", "grande")]


@pytest.mark.parametrize("taken, left", [([], {"plain", "bonus"}), (["bonus"], {"plain"}), (["plain"], {"bonus"})])
def test_spaces_are_taken_in_any_order(taken, left):
    """Essential, Scaling the game: the spaces of an action may be claimed in any order."""
    game = start(4, "summer", board={"give_tour": [at(2, space) for space in taken]})
    assert spaces_of(game, "give_tour") == left


def test_a_bonus_space_does_not_exist_for_two():
    """Essential, Scaling the game: with two players only the left spaces are used."""
    for season in ("summer", "winter"):
        assert not any(":bonus:" in name for name in start(2, season, ABLE).legal_actions())
    with pytest.raises(ValueError):
        start(2, "summer", board={"give_tour": [at(1, "bonus")]})


def test_both_plain_spaces_of_five_players_are_one_choice():
    """Essential, Scaling the game: the outer spaces are alike; each holds one worker."""
    game = start(5, "summer")
    for number in range(2):
        assert game.seat == number
        game.step(place("give_tour"))
    assert spaces_of(game, "give_tour") == {"bonus"}
    assert [entry["seat"] for entry in game.to_dict()["board"]["give_tour"]] == [0, 1]


def test_an_occupied_space_refuses_a_second_worker():
    """Essential, Scaling the game: one worker on a space."""
    game = start(2, "summer")
    game.step(place("draw_vine"))
    with pytest.raises(vitienv.IllegalAction):
        game.step(place("draw_vine"))
    assert (game.decision, game.seat) == ("place_worker", 1)


def test_grande_joins_a_full_action():
    """Essential, Grande worker placement: only the grande may join, and only where all spaces are taken."""
    game = start(3, "summer", board={"give_tour": [at(1), at(2, "bonus")]})
    assert placements(game, "give_tour") == [place("give_tour", "crowd", "grande")]
    play(game, place("give_tour", "crowd", "grande"))
    assert seat(game, 0)["lira"] == 2
    assert seat(game, 0)["workers"] == workers(2, 0)
    assert (game.decision, game.seat) == ("place_worker", 1)


def test_several_grandes_join_one_action():
    """Essential, Grande worker placement: several players may do so."""
    game = start(3, "summer", board={"give_tour": [at(1), at(2, "bonus")]})
    for number in range(3):
        assert game.seat == number
        game.step(place("give_tour", "crowd", "grande"))
    assert [seat(game, k)["lira"] for k in range(3)] == [2, 2, 2]
    assert len(game.to_dict()["board"]["give_tour"]) == 5


def test_no_crowd_while_a_space_is_free():
    """Essential, Grande worker placement: joining is for fully occupied actions."""
    for taken in ([], [at(1)], [at(1, "bonus")]):
        game = start(3, "summer", board={"give_tour": taken})
        assert not any(":crowd:" in name for name in game.legal_actions())


def test_a_crowd_gets_no_bonus():
    """Essential, Grande worker placement: the bonus comes from a bonus space only."""
    game = start(3, "winter", ABLE, board={"fill_order": [at(1), at(2, "bonus")]})
    play(game, place("fill_order", "crowd", "grande"))
    assert game.decision == "fill_order"
    play(game, "card:order:order_04", "wine:red:3", "wine:white:3")
    assert seat(game, 0)["victory_points"] == 2
    assert game.seat == 1


def test_a_grande_on_a_bonus_space_gets_the_bonus():
    """Essential, Grande worker placement: on a free bonus space it is a worker like any other."""
    game = start(3, "summer")
    play(game, place("give_tour", "bonus", "grande"))
    assert (game.decision, game.legal_actions()) == ("take_bonus", ["yes", "no"])
    play(game, "yes")
    assert seat(game, 0)["lira"] == 3


def test_a_crowd_must_do_the_action_too():
    """Essential, Worker placement: the action is compulsory for a grande that joins as well."""
    game = start(2, "winter", board={"fill_order": [at(1)], "harvest_field": [at(1)]})
    assert placements(game, "fill_order") == []
    assert placements(game, "harvest_field") == []


def test_the_temporary_worker_is_a_regular_worker():
    """Essential, Glossary, Temporary worker: it counts as the seat's own regular worker in every regard."""
    game = start(2, "summer", {"workers": workers(0, 0, 1)})
    assert placements(game, "give_tour") == [place("give_tour")]
    play(game, place("give_tour"))
    assert seat(game, 0)["lira"] == 2
    assert seat(game, 0)["workers"] == workers(0, 0, 0)
    assert game.to_dict()["board"]["give_tour"] == [at(0, worker="temporary")]


def test_the_temporary_worker_cannot_join_a_full_action():
    """Essential, Glossary, Grande worker: joining is the grande's alone."""
    game = start(2, "summer", {"workers": workers(0, 0, 1)}, board={"give_tour": [at(1)]})
    assert placements(game, "give_tour") == []


def test_the_temporary_worker_adds_one_turn():
    """Essential, Spring actions, Wake-up chart, row 7: one more worker for the year."""
    game = start(2, "spring")
    play(game, "wake_up:7", "wake_up:1", "pass")
    turns = 0
    while game.to_dict()["season"] == "summer":
        assert game.seat == 0
        name = place("gain_lira")
        game.step(name if name in game.legal_actions() else place("gain_lira", worker="grande"))
        turns += 1
    assert turns == 4
    assert seat(game, 0)["lira"] == 4


@pytest.mark.parametrize("season", ["summer", "winter"])
def test_the_cart_is_never_full(season):
    """Essential, Gain 1 lira: any number of workers of any players, 1 lira each, in both seasons."""
    others = [at(1), at(1), at(1, worker="grande")]
    game = start(2, season, {"lira": 3}, {"workers": workers(0, 0)}, board={"gain_lira": others})
    play(game, place("gain_lira"), place("gain_lira"), place("gain_lira", worker="grande"))
    assert seat(game, 0)["lira"] == 6
    assert game.to_dict()["season"] != season


def test_the_cart_takes_a_turn():
    """Essential, Gain 1 lira: the placement is the seat's whole turn."""
    game = start(2, "summer")
    play(game, place("gain_lira"))
    assert (game.decision, game.seat) == ("place_worker", 1)
    assert seat(game, 0)["lira"] == 1


def test_a_regular_worker_is_offered_once_whatever_its_number():
    """Essential, Worker placement: workers of a kind are alike; the temporary one is the last of them to go."""
    game = start(2, "summer", {"workers": workers(2, 1, 1)}, {"workers": workers(0, 1)})
    assert placements(game, "gain_lira") == [place("gain_lira"), place("gain_lira", worker="grande")]
    left = []
    for _ in range(3):
        game.step(place("gain_lira"))
        left.append(seat(game, 0)["workers"])
        if game.seat == 1:
            game.step("pass")
    assert left == [workers(1, 1, 1), workers(0, 1, 1), workers(0, 1, 0)]
