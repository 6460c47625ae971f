"""The engine: its states as rows of the reference, and all results of its decisions."""

import numpy as np

from tests.toscana.reference import rulebook as book
from vitienv.core.frames import Frame
from vitienv.core.kernel import Run, Status
from vitienv.toscana.enums import Phase
from vitienv.toscana.frames import FrameOp
from vitienv.toscana.game_spec import GAME_SPEC
from vitienv.toscana.state import Rule

MOST = 2048  # games stepped at once
FIELDS = {
    "round_number": book.ROUND, "start_seat": book.START, "money": book.MONEY, "boxes": book.BOX,
    "workers": book.WORKERS, "winemasters": book.MASTERS, "lost": book.LOST, "used": book.USED, "hand": book.HAND,
    "played": book.PLAYED, "price": book.LEVEL, "stock": book.STOCK, "bank": book.BANK, "sign": book.SIGN,
    "square_kind": book.KIND, "square_owner": book.OWNER, "square_workers": book.MEN, "square_winemaster": book.CHIEF,
    "square_produced": book.MADE,
}  # fmt: skip
PHASES = {Phase.SETUP: book.PLACING, Phase.ACTIONS: book.TURNS, Phase.TASTING: book.TASTING}


def rows_of(games, actors):
    """Return states between two actions as rows, (n, SIZE) int64. actors: seats to act, -1 for none."""
    rows = np.zeros((len(games), book.SIZE), np.int64)
    for name, at in FIELDS.items():
        width = games.dtype[name].itemsize // games.dtype[name].base.itemsize
        rows[:, at : at + width] = games[name].reshape(len(games), width)
    numbers = games["rules"]
    n = numbers[:, Rule.NUM_PLAYERS]
    rows[:, book.PLAYERS] = n
    rows[:, book.TRADES] = numbers[:, Rule.PLAYER_TRADES]
    rows[:, book.DRY] = numbers[:, Rule.START_ON_WATER] == 0
    rows[:, book.MOST_ROUNDS] = numbers[:, Rule.MAX_ROUNDS]
    rows[:, book.ACTOR] = actors
    for phase, number in PHASES.items():
        rows[games["phase"] == phase, book.PHASE] = number
    rows[games["status"] == Status.OVER, book.PHASE] = book.OVER
    rows[games["status"] == Status.TRUNCATED, book.PHASE] = book.CUT_OFF
    rows[:, book.TURN] = games["used"].sum(axis=(1, 2))
    placing = np.flatnonzero(games["phase"] == Phase.SETUP)
    if len(placing):
        owners = games["square_owner"][placing]
        rows[placing, book.TURN] = (owners >= 0).sum(axis=1)
        for seat in range(book.SEATS):
            rows[placing, book.IN_HAND + seat] = (owners != seat).all(axis=1) & (seat < n[placing])
    with_draws = np.flatnonzero(games["n_forced"].any(axis=1))  # the engine keeps forced draws last first
    places = games["n_forced"][with_draws, :, None] - 1 - np.arange(book.TILES)
    draws = np.take_along_axis(games["forced"][with_draws], np.maximum(places, 0), axis=2) * (places >= 0)
    rows[with_draws, book.DECK : book.PLAYED] = draws.reshape(len(with_draws), book.SEATS * book.TILES)
    return rows


class Explorer:
    """Exhaustive search of the engine."""

    def __init__(self, rules):
        """rules: functions of the reference, plain or compiled."""
        self.rules = rules
        game_spec = GAME_SPEC
        self.run, self.n_actions = game_spec.kernels.run, game_spec.actions.n
        self.games = np.zeros(MOST, game_spec.dtype)
        raw = self.games.view(np.uint8).reshape(MOST, -1)
        seats = game_spec.max_seats
        self.arrays = {
            "games": self.games,
            "bytes_view": raw.view(np.int8),
            "int16_view": raw.view(np.int16),
            "actions": np.zeros(MOST, np.int64),
            "keys": np.zeros((MOST, 2), np.uint32),
            "rules": game_spec.rule_parameters.neutral(),
            "masks": np.zeros((MOST, self.n_actions), np.int8),
            "seats": np.zeros(MOST, np.int8),
            "decisions": np.zeros(MOST, np.int8),
            "obs": np.zeros((MOST, game_spec.observation.n), np.int16),
            "rewards": np.zeros((MOST, seats), np.float32),
            "ended": np.zeros(MOST, np.int8),
            "scores": np.zeros((MOST, seats), np.int16),
            "ranks": np.zeros((MOST, seats), np.int16),
        }

    def _call(self, run, n):
        self.run(run, 0, *(array if name == "rules" else array[:n] for name, array in self.arrays.items()))

    def row_of(self, game):
        """Return a state between two actions as a row."""
        return rows_of(self._refreshed(game), self.arrays["seats"][:1])[0]

    def _refreshed(self, game):
        self.games[0] = game
        self._call(int(Run.REFRESH), 1)
        return self.games[:1]

    def _step(self, games, actions):
        self.games[: len(games)] = games
        self.arrays["actions"][: len(games)] = actions
        self._call(int(Run.STEP), len(games))

    def whole_step(self, game, bag, max_steps=None):
        """Put all results of a start worker, an action or a tasting into `bag`.

        game: a state between two actions. Returns False above `max_steps` decisions.
        """
        first = self._refreshed(game).copy()
        is_tasting = game["phase"] == Phase.TASTING
        has_trades, visited = game["rules"][Rule.PLAYER_TRADES], set()
        pending, steps = [(first, self.arrays["masks"][:1].copy())], 0
        while pending:
            games, masks = pending.pop()
            rows, actions = np.nonzero(masks)
            steps += len(rows)
            if (max_steps and steps > max_steps) or bag.count[1]:
                return False
            for low in range(0, len(rows), MOST):
                part = slice(low, low + MOST)
                n = len(rows[part])
                self._step(games[rows[part]], actions[part])
                ops = self.games["frames"][np.arange(n), self.games["depth"][:n] - 1, Frame.OP]
                is_end = (ops == FrameOp.TURN) | (ops == FrameOp.START_WORKER) | (self.games["status"][:n] != 0)
                is_end |= (ops == FrameOp.TASTE) & ~is_tasting
                ends = np.flatnonzero(is_end)
                ended = rows_of(self.games[ends], self.arrays["seats"][ends])
                over = np.flatnonzero(ended[:, book.PHASE] == book.OVER)
                is_there = np.arange(book.SEATS) < ended[over, book.PLAYERS, None]
                ended[over, book.RANK :] = self.arrays["ranks"][ends[over]] * is_there
                self.rules.put_all(bag, ended)
                others = np.flatnonzero(~is_end)
                if has_trades:  # other offers lead to the same
                    others = [i for i in others if not (self._mark(i) in visited or visited.add(self._mark(i)))]
                if len(others):
                    pending.append((self.games[others], self.arrays["masks"][others]))
        return True

    def _mark(self, i):
        return self.arrays["bytes_view"][i].tobytes()
