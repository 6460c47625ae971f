"""Stand-ins: their set-up and how long their games last."""

import pytest

import vitienv
from tests.table.fixtures import hand_sizes, seat, workers

from .rows import run_to

BOTH = pytest.mark.parametrize("automa_replacement", ["rival", "blocker"])


def new(automa_replacement, seed=1, **options):
    """A game with a stand-in, played to the first wake-up, and who was asked for a gift."""
    game = vitienv.Game.new(ruleset="solo", seed=seed, automa_replacement=automa_replacement, **options)
    asked = []
    while game.decision != "wake_up":
        asked.append((game.decision, game.current_seat))
        game.step("option:2")
    return game, asked


def test_a_rival_is_a_second_full_seat():
    """Rival: both are set up, both have a vineyard."""
    game, asked = new("rival")
    assert (game.num_players, game.options.num_players) == (2, 2)
    assert sorted(asked) == [("papa_gift", 0), ("papa_gift", 1)]
    for number in (0, 1):
        assert sum(hand_sizes(game, number).values()) in (2, 3)
        assert (seat(game, number)["workers"], seat(game, number)["bonus_tokens"]) == (workers(), 0)
        assert seat(game, number)["glass_tokens"] == [*range(1, 8)]


@BOTH
def test_two_players_may_be_said_for_a_stand_in(automa_replacement):
    """Stand-ins: a second seat follows from the option."""
    said = vitienv.Game.new(ruleset="solo", num_players=2, seed=3, automa_replacement=automa_replacement)
    assert said == vitienv.Game.new(ruleset="solo", seed=3, automa_replacement=automa_replacement)


@pytest.mark.parametrize("level, count", [("very_easy", 3), ("easy", 3), ("normal", 3), ("hard", 5), ("very_hard", 5)])
def test_a_blocker_has_three_workers_and_nothing_else(level, count):
    """Blocker: no set-up of its own, no question about it; five workers, none of them a grande, at the hard levels."""
    game, asked = new("blocker", difficulty=level)
    assert (game.num_players, asked) == (2, [("papa_gift", 0)])
    own = seat(game, 1)
    assert own["workers"] == workers(count, 0)
    assert (sum(hand_sizes(game, 1).values()), own["lira"], own["structures"]) == (0, 0, [])
    assert (game.automa_score, game.scores[1]) == ((23, 23) if level == "very_hard" else (20, 20))


@BOTH
@pytest.mark.parametrize("level, years", [("very_easy", 8), ("normal", 7)])
def test_stand_ins_play_as_many_years(automa_replacement, level, years):
    """Stand-ins: the levels keep their length; a wake-up in each year for each."""
    game, _ = new(automa_replacement, seed=2, difficulty=level)
    chosen = []
    while not game.is_over:
        chosen.append((game.year, game.current_seat))
        game.step(game.legal_actions()[0])
        run_to(game, lambda g: g.decision == "wake_up")
    assert sorted(chosen) == [(year, number) for year in range(1, years + 1) for number in (0, 1)]
