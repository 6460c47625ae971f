"""Undo: a choice can be undone unless it revealed hidden information."""

import json
import random

import numpy as np
import pytest

import vitienv
from vitienv.session.undo import reveals_nothing
from vitienv.web.table import PERSON, Table

GAMES = {
    "essential": {"num_players": 2}, "four": {"num_players": 4}, "original": {"ruleset": "original", "num_players": 3},
    "solo": {"ruleset": "solo"}, "world": {"num_players": 2},
    "open": {"num_players": 2, "open_hands": True}, "forced": {"num_players": 2, "skip_forced": True},
    "toscana": {"num_players": 2}, "traded": {"num_players": 3, "player_trades": True}, "partner": {"num_players": 2},
    "position": {"num_players": 2}, "toscana position": {"num_players": 2},
}  # fmt: skip
TOSCANA = ("toscana", "traded", "toscana position")
MOVES_BEFORE_POSITION, MAX_CHOICES = 20, 44
DEALS = 4


def new_table(name, seed):
    """Return a table of people, with a bot as partner or from a position for some names."""
    game = "toscana" if name in TOSCANA else "world" if name in ("world", "partner") else "viticulture"
    first = vitienv.Game.new(seed=seed, game=game, **GAMES[name])
    if name == "partner":
        return Table.new(game, [PERSON, "random"], seed, GAMES[name])
    if not name.endswith("position"):
        return Table.new(game, [PERSON] * first.num_players, seed, GAMES[name])
    rng = random.Random(seed)
    for _ in range(MOVES_BEFORE_POSITION):
        first.step(int(rng.choice(np.flatnonzero(first.mask))))
    return Table(vitienv.Game.from_dict(first.to_dict()), [PERSON] * first.num_players)


def random_choices(table, seed):
    """Make random choices of people; yield the game before each after which the same seat decides."""
    rng, choices_left = random.Random(seed), MAX_CHOICES
    while not table.game.is_over and choices_left:
        if table.advance():
            continue
        before = table.game.copy()
        table.move(int(rng.choice(np.flatnonzero(table.game.mask))), len(table.game.moves))
        if not table.game.is_over and table.game.current_seat == before.current_seat and before.mask.sum() > 1:
            choices_left -= 1
            yield before


def page(table, before, after, viewer):
    """Return a person's page after the last move: drawing, texts and choices."""
    original, table.game = table.game, after
    try:
        view = table.view(viewer, since=len(after.moves))
        text = table._describe_move(before, after, True).lines[viewer]
    finally:
        table.game = original
    return json.dumps([{key: view[key] for key in view.keys() - {"can_undo"}}, text])


@pytest.mark.parametrize("name", GAMES)
def test_an_undoable_choice_reveals_nothing(name):
    """The page after the choice does not depend on hidden cards, and undo restores the page before it."""
    table, num_undoable, num_final = new_table(name, 3), 0, 0
    for before in random_choices(table, 3):
        if not table.can_undo():
            num_final += 1
            continue
        num_undoable += 1
        for viewer in table.people[: 2 if num_undoable % 5 else None]:
            expected, moves = page(table, before, table.game, viewer), table.game._moves[len(before._moves) :]
            for seed in range(DEALS if num_undoable % 5 == 0 else 1):
                deal = before.determinize(viewer, seed)
                deal._moves = list(before._moves)
                repeated = deal.copy()
                for move in moves:  # the choice, then forced answers
                    assert repeated.mask[move], (viewer, before.decision, table.game.moves[-1])
                    repeated.step(move)
                assert page(table, deal, repeated, viewer) == expected
        if num_undoable % 5 == 0:
            action, views = table.game.moves[len(before.moves)], [table.view(viewer) for viewer in table.people]
            table.undo()
            assert table.game == before and table.game.moves == before.moves
            table.move(before.game_spec.actions.number(action), len(before.moves))
            again = [table.view(viewer) for viewer in table.people]
            assert [v | {"version": 0} for v in views] == [v | {"version": 0} for v in again]
    assert num_undoable > 8 and (num_final > 3 or name in TOSCANA)


def test_secret_tiles_cannot_be_undone_once_revealed():
    """The last player to choose sees all tiles, without a random event."""
    num_revealed = 0
    for seed in range(6):
        table = new_table("toscana", seed)
        for before in random_choices(table, seed):
            if before.decision == "taste" and table.game.decision != "taste":
                num_revealed += np.array_equal(before.state.chance, table.game.state.chance)
                with pytest.raises(ValueError, match="cannot undo:"):
                    table.undo()
                assert not reveals_nothing(before, table.game, [before.current_seat])
    assert num_revealed
