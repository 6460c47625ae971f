"""The study of what a wake-up row is worth: a seat takes the row that it must take, in the years that are meant."""

import numpy as np

import vitienv
from studies import rows
from studies.deciding import Restrained, Rule
from vitienv.agents import make_agent
from vitienv.training.measure.ladder import options_of
from vitienv.training.measure.match import play

GAME = vitienv.definition()


def taken(years, row="wake_up:4"):
    """The rows that seat 0 of some games took, by year, and whether each row was free."""
    bot = make_agent("heuristic")
    forced = Restrained(bot, Rule(rows.ASKED, (row,), forced=True, years=years), GAME)
    played = play(options_of("2", GAME), range(12), [[0, 1]] * 12, [forced, bot])
    for i in range(len(played)):
        log = played.log(i)
        game = vitienv.Game.new(seed=i, num_players=2, skip_forced=True, max_years=60)
        for action in log["moves"]:
            if game.decision == rows.ASKED and game.seat == 0:
                yield game.year, action, row in game.legal_actions()
            game.step(action)


def test_seat_0_takes_the_row_in_the_years_that_are_meant():
    ever, first = list(taken(rows.WHENEVER)), list(taken(rows.FIRST_YEAR))
    assert all(action == "wake_up:4" for _, action, is_free in ever if is_free) and len(ever) > 60
    assert {action for year, action, _ in first if year == 1} == {"wake_up:4"}
    assert not any(action == "wake_up:4" for year, action, _ in first if year > 1)


def test_games_are_the_same_but_for_the_rule():
    free, again = (rows.results("heuristic", None, rows.FIRST_YEAR, "2", 40, 3) for _ in range(2))
    assert len(free) == 40 and set(np.unique(free)) <= {0, 0.5, 1} and (free == again).all()
    assert (rows.results("heuristic", "wake_up:7", rows.WHENEVER, "2", 40, 3) != free).any()
