"""A choice is taken back only while nobody saw anything new by it, in every game, in the browser and the terminal."""

import json
import random

import numpy as np
import pytest

import vitienv
from vitienv.session.game_session import GameSession
from vitienv.session.undo import reveals_nothing
from vitienv.web.errors import BadRequest
from vitienv.web.table import PERSON, Table

GAMES = {
    "essential": {"num_players": 2}, "four": {"num_players": 4}, "original": {"ruleset": "original", "num_players": 3},
    "solo": {"ruleset": "solo"}, "world": {"num_players": 2},
    "open": {"num_players": 2, "open_hands": True}, "forced": {"num_players": 2, "skip_forced": True},
    "toscana": {"num_players": 2}, "traded": {"num_players": 3, "player_trades": True}, "partner": {"num_players": 2},
    "position": {"num_players": 2}, "toscana position": {"num_players": 2},
}  # fmt: skip
TOSCANA = ("toscana", "traded", "toscana position")
BEFORE = 20  # moves of a game before the position from which another one is begun
CHOICES = 44  # of a game that is played at random
DEALS = 4


def begun(name, seed):
    """A table of people; with a partner that is a bot, or from a position, for some."""
    game = "toscana" if name in TOSCANA else "world" if name in ("world", "partner") else "viticulture"
    first = vitienv.Game.new(seed=seed, game=game, **GAMES[name])
    if name == "partner":
        return Table.new(game, [PERSON, "random"], seed, GAMES[name])
    if not name.endswith("position"):
        return Table.new(game, [PERSON] * first.num_players, seed, GAMES[name])
    rng = random.Random(seed)
    for _ in range(BEFORE):
        first.step(int(rng.choice(np.flatnonzero(first.mask))))
    return Table(vitienv.Game.from_dict(first.to_dict()), [PERSON] * first.num_players)


def choices(one, seed, most=CHOICES):
    """So many random choices of people, each with the game before it: those after which the same seat decides."""
    rng = random.Random(seed)
    while not one.game.is_over and most:
        if one.advance():
            continue
        before = one.game.copy()
        one.move(int(rng.choice(np.flatnonzero(one.game.mask))), len(one.game.moves))
        if not one.game.is_over and one.game.current_seat == before.current_seat and before.mask.sum() > 1:
            most -= 1
            yield before


def page(one, before, after, viewer):
    """A person's page after the last move: the drawing, the words, the choices."""
    original, one.game = one.game, after
    try:
        view = one.view(viewer, since=len(after.moves))
        told = one._describe_move(before, after).texts[viewer]
    finally:
        one.game = original
    return json.dumps([{key: view[key] for key in view.keys() - {"can_undo"}}, told])


@pytest.mark.parametrize("name", GAMES)
def test_what_may_be_taken_back_told_nobody_anything(name):
    """Whatever the cards are that a person cannot see, the person's page is the same after the choice; and the same as
    before it once it is taken back."""
    one, allowed, stands = begun(name, 3), 0, 0
    for before in choices(one, 3):
        if not one.can_undo():
            stands += 1
            continue
        allowed += 1
        for viewer in one.people[: 2 if allowed % 5 else None]:
            shown, moves = page(one, before, one.game, viewer), one.game._moves[len(before._moves) :]
            for seed in range(DEALS if allowed % 5 == 0 else 1):
                other = before.determinize(viewer, seed)
                other._moves = list(before._moves)
                then = other.copy()
                for move in moves:  # the choice, then forced answers
                    assert then.mask[move], (viewer, before.decision, one.game.moves[-1])
                    then.step(move)
                assert page(one, other, then, viewer) == shown
        if allowed % 5 == 0:
            own, views = one.game.moves[len(before.moves)], [one.view(viewer) for viewer in one.people]
            one.undo()
            assert one.game == before and one.game.moves == before.moves
            one.move(before.game_spec.actions.number(own), len(before.moves))
            again = [one.view(viewer) for viewer in one.people]
            assert [v | {"version": 0} for v in views] == [v | {"version": 0} for v in again]
    assert allowed > 8 and (stands > 3 or name in TOSCANA)


def test_tiles_that_all_choose_in_secret_stand_once_they_are_turned_over():
    """The last to choose sees the others' tiles, with no chance used; so does a person among bots."""
    seen = 0
    for seed in range(6):
        one = begun("toscana", seed)
        for before in choices(one, seed):
            if before.decision == "taste" and one.game.decision != "taste":
                seen += np.array_equal(before.state.chance, one.game.state.chance)
                with pytest.raises(BadRequest, match="cannot undo:"):
                    one.undo()
                assert not reveals_nothing(before, one.game, [before.current_seat])
    assert seen


def test_the_terminal_takes_back_what_the_browser_does():
    for name, seed in (("toscana", 1), ("essential", 2), ("solo", 2), ("position", 2), ("toscana position", 1)):
        one = begun(name, seed)
        tried = {True: 0, False: 0}
        for before in choices(one, seed, 60):
            terminal = GameSession(one.game.copy(), before.current_seat, {})
            may = reveals_nothing(before, one.game, [before.current_seat])
            tried[may] += 1
            if tried[may] > 6:
                continue
            if may:
                terminal.undo()
                assert terminal.game == before
            else:
                with pytest.raises(ValueError, match="cannot undo:"):
                    terminal.undo()
                assert terminal.game == one.game
        assert tried[True] > 5 and tried[False]
