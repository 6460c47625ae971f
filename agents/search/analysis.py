"""What a searching bot thinks of a position, and what the moves of a game cost: as data and in words.

All numbers are those of the bot's own search (`searcher.SearchResult`): a search of the seat that is to decide, which
sees what that seat sees. The same bot with the same seed thinks the same of the same position, unless time is its
limit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import isfinite, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.protocol import GameViews, check_game
from vitienv.agents.search.searcher import SearchResult
from vitienv.agents.seeding import make_bot
from vitienv.core import targets
from vitienv.core.batch import Batch, key_of
from vitienv.core.compiling.progress import WATCH
from vitienv.core.files import read_json
from vitienv.core.game_spec import GameSpec
from vitienv.game import Game
from vitienv.registry import canonical_name, game_from_untrusted_file, game_spec
from vitienv.render.text import seat_name, when
from vitienv.session.replay import replay

SIMULATIONS, A_MOVE, A_HINT = 2000, 200, 400  # where nobody says how many: of a position, of each move, of a hint
AT_ONCE = 16  # moves that are looked at side by side
EVERYTHING = 1000.0  # logits below the best: no action is left out
RACERS = 8  # actions that a move is compared with: see `core.search.gumbel`
TOLD = 12  # steps of a continuation in words
NORMAL = 1.96  # standard errors on either side of a 95 % interval

# Who thinks where nobody says: how often an action is visited tells something, and many positions are soon thought of.
THINKER = "ismcts:policy=champion,playout=none,root=puct"

Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Considered:
    """What a bot thinks of an action.

    action: its name. title: in words. visits: simulations that began with it; share: of all. value: from -1, as good as
    lost, to 1, as good as won, for the seat that decides, drawn towards the prior as in the search; error: its standard
    error; spread: how much single deals differ, a standard deviation; both None where it was not visited twice. prior:
    how likely the action was before the search.
    """

    action: str
    title: str
    visits: int
    share: float
    value: float
    error: float | None
    spread: float | None
    prior: float


@dataclass(frozen=True)
class Step:
    """A decision to come: whose, which, and what is most likely done, by its name and in words."""

    seat: int
    decision: str
    action: str
    title: str


@dataclass(frozen=True)
class Thought:
    """What a bot thinks of a position: the actions, the one that it would choose first, and how it is likely to go on.

    value: of the position, the mean of all simulations. line: begins with the first action, and is that of one deal of
    what the seat does not see.
    """

    game: str
    agent: str
    seed: int
    seat: int
    decision: str
    question: str
    simulations: int
    value: float
    actions: tuple[Considered, ...]
    line: tuple[Step, ...]

    def to_dict(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return asdict(self)

    def told(self, most: int | None = None, names: Sequence[str] = (), steps: int = TOLD) -> list[str]:
        """The thought in lines, of `most` actions and so many steps of the line at most, 0: no line. names: of the
        seats, by default their numbers."""
        head = f"{self.question} {_called(self.seat, names)}, {self.simulations:,} simulations by {self.agent}"
        lines = [head + (f", value {self.value:+.2f}" if self.simulations else ": the prior leaves no choice")]
        for each in self.actions[:most]:
            reach = "" if each.error is None else f" ± {NORMAL * each.error:.2f}"
            spread = "" if each.spread is None else f", deals ± {each.spread:.2f}"
            lines.append(f"{each.share:6.1%}  {each.value:+.2f}{reach}{spread}  {each.title}")
        if len(self.line) > 1 and steps:
            lines.append("Likely to go on:")
            lines += [f"  {_called(step.seat, names)}: {step.title}" for step in self.line[:steps]]
        return lines


@dataclass(frozen=True)
class Played:
    """A move of a game. number: counted from 1. best: what the bot would have chosen. loss: how much less the move is
    worth to its seat than that, from 0; low, high: its 95 % interval, None where either was not visited twice. visits,
    best_visits: of both. The move stays to the end of a race with what seems best, on the same deals. The best is that
    by the same numbers, so that a loss is rather too large than too small.
    """

    number: int
    when: str
    seat: int
    decision: str
    action: str
    title: str
    best: str
    best_title: str
    loss: float
    low: float | None
    high: float | None
    visits: int
    best_visits: int
    simulations: int


@dataclass(frozen=True)
class Review:
    """What a bot thinks of the moves of a game, in their order; moves without a choice are left out."""

    game: str
    agent: str
    seed: int
    moves: tuple[Played, ...]

    def worst(self, most: int = 10) -> list[Played]:
        """The moves that cost most, the worst first; none that cost nothing."""
        return sorted((move for move in self.moves if move.loss > 0), key=lambda move: -move.loss)[:most]

    def seats(self) -> list[dict[str, Any]]:
        """For each seat that moved: its decisions, in how many of them the bot would have done the same, what the
        others cost together."""
        rows = []
        for seat in sorted({move.seat for move in self.moves}):
            own = [move for move in self.moves if move.seat == seat]
            same = sum(move.action == move.best for move in own)
            rows.append({"seat": seat, "decisions": len(own), "same": same, "loss": sum(move.loss for move in own)})
        return rows

    def to_dict(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return asdict(self) | {"seats": self.seats()}

    def told(self, most: int = 10, names: Sequence[str] = ()) -> list[str]:
        """The review in lines: the seats, and so many of the moves that cost most."""
        lines = [
            f"{_called(each['seat'], names)}: {each['same']} of {each['decisions']} decisions as {self.agent} would "
            f"decide; the others cost {each['loss']:.2f}"
            for each in self.seats()
        ]
        for move in self.worst(most):
            reach = "" if move.low is None else f" ({move.low:.2f} to {move.high:.2f})"
            lines += [
                f"move {move.number}, {move.when}, {_called(move.seat, names)}: {move.title}",
                f"    cost {move.loss:.2f}{reach}, visits {move.visits} to {move.best_visits}; "
                f"better: {move.best_title}",
            ]
        return lines


def analyse(
    what: Game | Mapping[str, Any] | str | Path,
    agent: str | None = None,
    simulations: int | None = None,
    milliseconds: float | None = None,
    seed: int = 0,
    move: int | None = None,
    on_progress: Tell | None = None,
) -> Thought | Review:
    """What a searching bot thinks of a position, or of all moves of a game that is over.

    what: a game, a position or a log, the last two also as the path of a JSON file. agent: a spec of `ismcts`; by
    default with the networks that ship, where the game has such. simulations, milliseconds: of each search, if the spec
    does not say; moves are compared by simulations. move: of a log, the position after so many moves. on_progress: gets
    the work done and the whole. ValueError, in one line, if there is nothing to think about or the bot does not search.
    """
    loaded = _given(what)
    made = loaded.game_spec if isinstance(loaded, Game) else game_spec(game_from_untrusted_file(loaded))
    loops = made.kernels
    with WATCH.together([loops.run, loops.stand, loops.determinize, targets.used.simulate(made)]):
        game = loaded if isinstance(loaded, Game) else replay(loaded) if "moves" in loaded else Game.from_dict(loaded)
        if move is not None:
            game = _after(game, move)
        thinks_of_moves = game.is_over and move is None
        if game.is_over and (not thinks_of_moves or not game.moves):
            raise ValueError("the game is over there: nobody decides" if move is not None else "the game is over")
        usual = A_MOVE if thinks_of_moves else SIMULATIONS
        bot, spec = _bot(game.game_spec, agent, simulations, milliseconds, usual, seed)
        if game is not loaded:  # nothing may be compiled yet: a brief thought of another game
            first = Batch(1, game.options)
            first.start(key_of(0))
            first.standing()
            with WATCH.together(bot.kernels_for()):
                bot.warm_up().act(first.obs, first.masks, GameViews(first, np.array([0])))
    if thinks_of_moves:
        if bot.limits.milliseconds is not None:
            raise ValueError("the moves of a game are compared by simulations; give simulations, not milliseconds")
        bot.limits = replace(bot.limits, max_considered_actions=bot.limits.max_considered_actions or RACERS)
    known = canonical_name(game.game_spec), spec, seed
    return Review(*known, _moves(game, bot, on_progress)) if thinks_of_moves else _think(game, bot, known, on_progress)


def thinks(agent: str, game: GameSpec) -> bool:
    """Whether a bot searches, so that it can be asked what it thinks. ValueError if there is no such bot."""
    return hasattr(make_bot(agent, 0, canonical_name(game)), "look_at")


def hint(game: Game, agent: str | None = None, simulations: int | None = None, seed: int = 0) -> Thought:
    """A quick thought for whoever is to decide, such as for a hint in a terminal or a browser: see `analyse`.

    simulations: some hundred if neither this nor the spec says.
    """
    if simulations is None and not _says_how_long(agent or ""):
        simulations = A_HINT
    found = analyse(game, agent, simulations, seed=seed, move=len(game.moves))
    assert isinstance(found, Thought)
    return found


def _given(what: Game | Mapping[str, Any] | str | Path) -> Game | Mapping[str, Any]:
    """A game, a position or a log, read if it is a file."""
    if isinstance(what, Game):
        return what
    if not isinstance(what, Mapping | str | Path):
        raise ValueError(f"a game, a position, a log or the path of one can be thought about, not {what!r}")
    given = what if isinstance(what, Mapping) else read_json(Path(what))
    if not isinstance(given, Mapping):
        raise ValueError(f"{str(what)!r} is neither a position nor a log: it holds no mapping")
    return given


def _after(game: Game, move: int) -> Game:
    if not 0 <= move <= len(game.moves):
        raise ValueError(f"there is no move {move}; the game has {len(game.moves)}")
    if move == len(game.moves):
        return game
    return replay({**game.log, "moves": game.moves[:move], "state": None})


def _bot(
    made: GameSpec, agent: str | None, simulations: int | None, milliseconds: float | None, usual: int, seed: int
) -> tuple[Any, str]:
    """The bot that thinks, of which no action is left out, and its spec."""
    spec = agent or (THINKER if made.champions is not None else "ismcts")
    budget = {"simulations": simulations, "milliseconds": milliseconds}
    if all(value is None for value in budget.values()) and not _says_how_long(spec):
        budget["simulations"] = usual
    for name, value in budget.items():
        if value is not None:
            spec += f"{',' if ':' in spec else ':'}{name}={value}"
    try:
        bot: Any = make_bot(spec, seed, canonical_name(made))
    except ValueError:
        if agent is not None:  # a fault of the spec itself is named without the settings added
            _check(make_bot(agent, seed, canonical_name(made)), agent, made)
        raise
    _check(bot, spec if agent is None else agent, made)
    bot.limits = replace(bot.limits, prune_margin=EVERYTHING)
    return bot, spec


def _check(bot: Any, agent: str, made: GameSpec) -> None:
    """ValueError unless a bot plays the game and searches."""
    check_game(bot, made)
    if not hasattr(bot, "look_at"):
        raise ValueError(f"agent {agent!r} does not search; give one that does, such as 'ismcts:policy=champion'")


def _says_how_long(spec: str) -> bool:
    return "simulations=" in spec or "milliseconds=" in spec


def _think(game: Game, bot: Any, known: tuple[str, str, int], on_progress: Tell | None) -> Thought:
    batch, views = _together([game])
    result: SearchResult = bot.look_at(batch.obs, batch.masks, views, np.array([0]), True, on_progress)[0]
    titles, names = titles_of(game), game.game_spec.actions.name
    actions = tuple(
        Considered(
            names(int(action)), titles[names(int(action))], int(visits), float(visits) / max(1, result.simulations),
            float(value), _finite(error), _finite(spread), float(prior),
        )
        for action, visits, value, error, spread, prior in zip(
            result.actions, result.visits, result.values, result.errors, result.spreads, result.priors, strict=True
        )
    )  # fmt: skip
    assert game.current_seat is not None and game.decision is not None and result.key is not None
    question = " ".join(game.game_spec.text_module.question(game).split())
    return Thought(
        *known, game.current_seat, game.decision, question, result.simulations, result.value, actions,
        _steps(views.imagined(0, result.key), result.line),
    )  # fmt: skip


def _steps(game: Game, line: Sequence[int]) -> tuple[Step, ...]:
    steps = []
    for action in line:
        assert game.current_seat is not None and game.decision is not None
        name = game.game_spec.actions.name(action)
        steps.append(Step(game.current_seat, game.decision, name, titles_of(game)[name]))
        game.step(action)
    return tuple(steps)


def _moves(end: Game, bot: Any, on_progress: Tell | None) -> tuple[Played, ...]:
    game, befores = _after(end, 0), []
    for number, action in enumerate(end.moves, 1):
        if game.mask.sum() > 1:
            befores.append((number, action, game.copy()))
        game.step(action)
    results: list[SearchResult] = []
    for first in range(0, len(befores), AT_ONCE):
        part = [before for _, _, before in befores[first : first + AT_ONCE]]
        batch, views = _together(part)
        played = np.array([end.game_spec.actions.number(action) for _, action, _ in befores[first : first + AT_ONCE]])
        results += bot.look_at(batch.obs, batch.masks, views, np.arange(len(part)), stay=played)
        if on_progress is not None:
            on_progress(len(results), len(befores))
    return tuple(_played(*before, each) for before, each in zip(befores, results, strict=True))


def _played(number: int, action: str, before: Game, result: SearchResult) -> Played:
    edge = int(np.flatnonzero(result.actions == before.game_spec.actions.number(action))[0])
    best = before.game_spec.actions.name(int(result.actions[0]))
    loss = float(result.values[0] - result.values[edge])
    reach = None if edge == 0 else _finite(NORMAL * sqrt(result.errors[0] ** 2 + result.errors[edge] ** 2))
    clock, titles = before.game_spec.clock, titles_of(before)
    assert before.current_seat is not None and before.decision is not None
    phase = f", {before.phase}" if before.phase and before.round else ""
    return Played(
        number, when(clock.word, before.round) + phase, before.current_seat,
        before.decision, action, titles[action], best, titles[best], max(0.0, loss),
        None if reach is None else loss - reach, None if reach is None else loss + reach,
        int(result.visits[edge]), int(result.visits[0]), result.simulations,
    )  # fmt: skip


def titles_of(game: Game) -> dict[str, str]:
    """The legal actions of a game by their names, in words."""
    return {each.action: each.name for each in game.game_spec.text_module.choices(game)}


def _together(games: Sequence[Game]) -> tuple[Batch, GameViews]:
    batch = Batch(len(games), games[0].options)
    for bytes_view, game in zip(batch.bytes_view, games, strict=True):
        bytes_view[:] = game._batch.bytes_view[0]
    batch.refresh()
    return batch, GameViews(batch, np.arange(len(games)))


def _finite(number: float) -> float | None:
    return float(number) if isfinite(number) else None


def _called(seat: int, names: Sequence[str]) -> str:
    return names[seat] if names else seat_name(seat)
