"""Positions of the solo game in the notation of `table`, and helpers for its rules."""

from functools import partial

import vitienv
from tests.table import setup_position
from tests.table.case import case
from tests.table.fixtures import SUMMER_VISITORS, WINTER_VISITORS
from tests.table.setup_position import table

spring, summer, winter = (partial(table, season, ruleset="solo") for season in ("spring", "summer", "winter"))
TO_WINTER = "pass deck:summer"  # starts in summer, with the Automa only in between
ROWS = [f"wake_up:{row}" for row in range(1, 8)]
AUTOMA_CARDS = [f"automa_{number:02d}" for number in range(1, 25)]
REMOVED = {"summer": ["swindler", "wedding_party"], "winter": ["queen", "governor"]}
KEPT = {
    deck: [card for card in cards if card not in REMOVED[deck]]
    for deck, cards in (("summer", SUMMER_VISITORS), ("winter", WINTER_VISITORS))
}
ABLE = setup_position.ABLE | {"structures": ["yoke"]}


def rule(place):
    """Return a function that makes the cases of a section of the rulebook."""
    return partial(case, place)


def stand(actions):
    """Return the changes when Automa workers are placed on these actions."""
    return " ".join(f"automa:{action}+1" for action in actions.split())


def game_of(position):
    return vitienv.Game.from_dict(position)


def begin(seed=1, **options):
    """Return a new game at its first wake-up, with lira instead of every gift."""
    game = vitienv.Game.new(ruleset="solo", seed=seed, **options)
    while game.decision != "wake_up":
        legal = game.legal_actions()
        game.step("option:2" if "option:2" in legal else legal[-1] if game.decision == "redraw_mama" else legal[0])
    return game


def run_to(game, stop):
    """Pass, or take the first legal action, until `stop(game)` or the end."""
    while game.current_seat is not None and not stop(game):
        legal = game.legal_actions()
        game.step("pass" if "pass" in legal else legal[0])
    return game


def run_to_year_end(game):
    """Pass until the next spring or the end of the game."""
    return run_to(game, lambda g: g.decision == "wake_up")
