"""Analysis of positions and review of games by a search bot, as data and text.

All numbers come from searches (`searcher.SearchResult`) from the perspective of the seat to act, without hidden
information. Results are reproducible by seed unless the search has a time limit.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import isfinite, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.protocol import GameViews, check_game
from vitienv.agents.search.searcher import SearchResult
from vitienv.agents.seeding import make_bot
from vitienv.core import targets
from vitienv.core.batch import Batch, make_key
from vitienv.core.compiling.progress import PROGRESS
from vitienv.core.files import read_json
from vitienv.core.game_spec import GameSpec
from vitienv.game import Game
from vitienv.registry import canonical_name, game_from_untrusted_file, game_spec
from vitienv.render.text import choices, round_name, seat_name
from vitienv.session.replay import position_after, replay

POSITION_SIMULATIONS, MOVE_SIMULATIONS, HINT_SIMULATIONS = 2000, 200, 400  # default budgets
CHEAP_SIMULATIONS = 64  # selects the decisions of a seat for a longer search
PARALLEL_MOVES = 16
NO_PRUNING = 1000.0  # prune margin
CONSIDERED_ACTIONS = 8  # sequential halving of a review; see `core.search.gumbel`
MAX_LINE_STEPS = 12
Z95 = 1.96  # normal quantile of a 95 % interval

# PUCT has informative visits, and searches without playouts are fast.
DEFAULT_BOT = "ismcts:policy=champion,playout=none,root=puct"

ProgressCallback = Callable[[int, int], None]


@dataclass(frozen=True)
class ActionAnalysis:
    """Search statistics of an action.

    action: its name. title: its text. visits: number of simulations that began with it; share: their fraction. value:
    from -1 (lost) to 1 (won) for the seat to act, shrunk towards the prior as in the search; error: its standard error;
    spread: standard deviation between deals; both None below two visits. prior: probability before the search.
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
    """A step of the most likely continuation: the seat, its decision and its action by name and title."""

    seat: int
    decision: str
    action: str
    title: str


@dataclass(frozen=True)
class PositionAnalysis:
    """Analysis of a position; the best action is the first.

    value: mean of all simulations. line: likely continuation from the best action, in one determinization.
    """

    game: str
    agent: str
    seed: int
    seat: int
    decision: str
    question: str
    simulations: int
    value: float
    actions: tuple[ActionAnalysis, ...]
    line: tuple[Step, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON."""
        return asdict(self)

    def describe(self, top: int | None = None, names: Sequence[str] = (), steps: int = MAX_LINE_STEPS) -> list[str]:
        """Return lines of text: the `top` best actions, and at most `steps` steps of the line. names: of the seats."""
        head = f"{self.question} {_seat_title(self.seat, names)}, {self.simulations:,} simulations by {self.agent}"
        lines = [head + (f", value {self.value:+.2f}" if self.simulations else ": the prior leaves a single action")]
        for action in self.actions[:top]:
            reach = "" if action.error is None else f" ± {Z95 * action.error:.2f}"
            spread = "" if action.spread is None else f", deals ± {action.spread:.2f}"
            lines.append(f"{action.share:6.1%}  {action.value:+.2f}{reach}{spread}  {action.title}")
        if len(self.line) > 1 and steps:
            lines.append("Likely continuation:")
            lines += [f"  {_seat_title(step.seat, names)}: {step.title}" for step in self.line[:steps]]
        return lines


@dataclass(frozen=True)
class MoveReview:
    """Review of a move, numbered from 1, against the bot's action `best`.

    loss: value of the best action minus that of the move, at least 0; low, high: its 95 % interval, None if either
    action has fewer than two visits. lead: value of the move minus that of the second-best action, 0 if the move is not
    the best. The move stays in the sequential halving to its end, on the same deals. The best action is selected by the
    same numbers, so losses are biased upwards.
    """

    number: int
    period: str
    seat: int
    decision: str
    action: str
    title: str
    best: str
    best_title: str
    loss: float
    low: float | None
    high: float | None
    lead: float
    visits: int
    best_visits: int
    simulations: int


@dataclass(frozen=True)
class GameReview:
    """Review of the moves of a game in order, without forced moves."""

    game: str
    agent: str
    seed: int
    moves: tuple[MoveReview, ...]

    def worst(self, top: int = 10) -> list[MoveReview]:
        """Return the `top` moves with the largest losses above 0."""
        return sorted((move for move in self.moves if move.loss > 0), key=lambda move: -move.loss)[:top]

    def best(self, top: int = 10) -> list[MoveReview]:
        """Return the `top` moves with the largest leads above 0."""
        return sorted((move for move in self.moves if move.lead > 0), key=lambda move: -move.lead)[:top]

    def seats(self) -> list[dict[str, Any]]:
        """Return for each seat its decisions, how many match the bot, and the total loss."""
        rows = []
        for seat in sorted({move.seat for move in self.moves}):
            moves = [move for move in self.moves if move.seat == seat]
            same = sum(move.action == move.best for move in moves)
            rows.append({"seat": seat, "decisions": len(moves), "same": same, "loss": sum(move.loss for move in moves)})
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON."""
        return asdict(self) | {"seats": self.seats()}

    def describe(self, top: int = 10, names: Sequence[str] = ()) -> list[str]:
        """Return lines of text: the seats, and the `top` worst moves. names: of the seats."""
        lines = [
            f"{_seat_title(summary['seat'], names)}: {summary['same']} of {summary['decisions']} decisions "
            f"match {self.agent}; the others lose {summary['loss']:.2f}"
            for summary in self.seats()
        ]
        for move in self.worst(top):
            reach = "" if move.low is None else f" ({move.low:.2f} to {move.high:.2f})"
            lines += [
                f"move {move.number}, {move.period}, {_seat_title(move.seat, names)}: {move.title}",
                f"    loss {move.loss:.2f}{reach}, visits {move.visits} to {move.best_visits}; "
                f"better: {move.best_title}",
            ]
        return lines


def analyse(
    source: Game | Mapping[str, Any] | str | Path,
    agent: str | None = None,
    simulations: int | None = None,
    milliseconds: float | None = None,
    seed: int = 0,
    move: int | None = None,
    on_progress: ProgressCallback | None = None,
) -> PositionAnalysis | GameReview:
    """Analyse a position, or review all moves of a finished game.

    source: a game, a position or a log, or the path of a JSON file of a position or log. agent: spec of a search bot;
    by default with the bundled networks if the game has any. simulations, milliseconds: budget of each search unless
    the spec has one; reviews require simulations. move: number of moves of a log before the position. on_progress:
    called with the work done and the total. ValueError if there is no decision or the bot does not search.
    """
    loaded = _load(source)
    table = loaded.game_spec if isinstance(loaded, Game) else game_spec(game_from_untrusted_file(loaded))
    loops = table.kernels
    with PROGRESS.group([loops.run, loops.write_standings, loops.determinize, targets.used.simulate(table)]):
        game = loaded if isinstance(loaded, Game) else replay(loaded) if "moves" in loaded else Game.from_dict(loaded)
        if move is not None and move != len(game.moves):
            game = position_after(game.log, move)
        is_review = game.is_over and move is None
        if game.is_over and (not is_review or not game.moves):
            raise ValueError("the game is over")
        default_simulations = MOVE_SIMULATIONS if is_review else POSITION_SIMULATIONS
        bot, spec = _make_search_bot(game.game_spec, agent, simulations, milliseconds, default_simulations, seed)
        if game is not loaded:  # compile the kernels with a short search of a new game
            batch = Batch(1, game.options)
            batch.start(make_key(0))
            batch.standings()
            with PROGRESS.group(bot.kernels_for()):
                bot.warm_up().act(batch.obs, batch.masks, GameViews(batch, np.array([0])))
    if is_review:
        if bot.limits.milliseconds is not None:
            raise ValueError("reviews of games require simulations, not milliseconds")
    header = canonical_name(game.game_spec), spec, seed
    return (
        GameReview(*header, _review_moves(game, bot, on_progress))
        if is_review
        else _analyse_position(game, bot, header, on_progress)
    )


def is_search_bot(agent: str, game: GameSpec) -> bool:
    """Return whether a bot searches. ValueError for an unknown bot."""
    return hasattr(make_bot(agent, 0, canonical_name(game)), "search_rows")


def hint(game: Game, agent: str | None = None) -> PositionAnalysis:
    """Return a short analysis of the current decision, of HINT_SIMULATIONS unless the spec has a budget."""
    simulations = None if _has_budget(agent or "") else HINT_SIMULATIONS
    analysis = analyse(game, agent, simulations, move=len(game.moves))
    assert isinstance(analysis, PositionAnalysis)
    return analysis


def _load(source: Game | Mapping[str, Any] | str | Path) -> Game | Mapping[str, Any]:
    if isinstance(source, Game):
        return source
    if not isinstance(source, Mapping | str | Path):
        raise ValueError(f"source must be a game, a position, a log or a path, got {source!r}")
    position = source if isinstance(source, Mapping) else read_json(Path(source))
    if not isinstance(position, Mapping):
        raise ValueError(f"{str(source)!r} must contain a position or a log")
    return position


def _make_search_bot(
    table: GameSpec,
    agent: str | None,
    simulations: int | None,
    milliseconds: float | None,
    default_simulations: int,
    seed: int,
) -> tuple[Any, str]:
    """Return a search bot without pruning, and its spec."""
    if agent is not None:
        user_bot = make_bot(agent, seed, canonical_name(table))
        check_game(user_bot, table)
        if not hasattr(user_bot, "search_rows"):
            raise ValueError(f"agent must be a search bot such as 'ismcts:policy=champion', got {agent!r}")
    spec = agent or (DEFAULT_BOT if table.champions is not None else "ismcts")
    budget = {"simulations": simulations, "milliseconds": milliseconds}
    if all(value is None for value in budget.values()) and not _has_budget(spec):
        budget["simulations"] = default_simulations
    for name, value in budget.items():
        if value is not None:
            spec += f"{',' if ':' in spec else ':'}{name}={value}"
    bot: Any = make_bot(spec, seed, canonical_name(table))
    bot.limits = replace(bot.limits, prune_margin=NO_PRUNING)
    return bot, spec


def _has_budget(spec: str) -> bool:
    return "simulations=" in spec or "milliseconds=" in spec


def _analyse_position(
    game: Game, bot: Any, header: tuple[str, str, int], on_progress: ProgressCallback | None
) -> PositionAnalysis:
    batch, views = _batch_of([game])
    result: SearchResult = bot.search_rows(batch.obs, batch.masks, views, np.array([0]), True, on_progress)[0]
    titles, names = titles_of(game), game.game_spec.actions.name
    actions = tuple(
        ActionAnalysis(
            names(int(action)), titles[names(int(action))], int(visits), float(visits) / max(1, result.simulations),
            float(value), _finite(error), _finite(spread), float(prior),
        )
        for action, visits, value, error, spread, prior in zip(
            result.actions, result.visits, result.values, result.errors, result.spreads, result.priors, strict=True
        )
    )  # fmt: skip
    assert game.current_seat is not None and game.decision is not None and result.key is not None
    question = " ".join(game.game_spec.text_module.question(game).split())
    return PositionAnalysis(
        *header, game.current_seat, game.decision, question, result.simulations, result.value, actions,
        _steps(views.search_root(0, result.key), result.line),
    )  # fmt: skip


def _steps(game: Game, line: Sequence[int]) -> tuple[Step, ...]:
    steps = []
    for action in line:
        assert game.current_seat is not None and game.decision is not None
        name = game.game_spec.actions.name(action)
        steps.append(Step(game.current_seat, game.decision, name, titles_of(game)[name]))
        game.step(action)
    return tuple(steps)


def review_decisions(game: Game, seat: int, top: int) -> GameReview:
    """Review the decisions of a seat in a finished game that a cheap search considers its worst and its best.

    The longer search of these has other deals, so the selection does not bias it. top: number of decisions to report.
    """
    numbers: Container[int] = range(1, len(game.moves) + 1)
    for seed, simulations in enumerate((CHEAP_SIMULATIONS, HINT_SIMULATIONS)):
        bot, spec = _make_search_bot(game.game_spec, None, simulations, None, simulations, seed)
        moves = _review_moves(game, bot, None, seat, numbers)
        review = GameReview(canonical_name(game.game_spec), spec, seed, moves)
        numbers = {move.number for move in (*review.worst(2 * top), *review.best(2 * top))}
    return review


def _review_moves(
    end: Game, bot: Any, on_progress: ProgressCallback | None, seat: int | None = None, numbers: Container[int] = ()
) -> tuple[MoveReview, ...]:
    bot.limits = replace(bot.limits, max_considered_actions=bot.limits.max_considered_actions or CONSIDERED_ACTIONS)
    game, part, reviews = position_after(end.log, 0), list[tuple[int, str, Game]](), list[MoveReview]()
    for number, action in enumerate(end.moves, 1):
        if game.mask.sum() > 1 and (seat is None or (game.current_seat == seat and number in numbers)):
            part.append((number, action, game.copy()))
        game.step(action)
        if len(part) == PARALLEL_MOVES or (part and number == len(end.moves)):
            batch, views = _batch_of([before for _, _, before in part])
            played = np.array([end.game_spec.actions.number(action) for _, action, _ in part])
            results = bot.search_rows(batch.obs, batch.masks, views, np.arange(len(part)), stay=played)
            reviews += [_review_move(*before, result) for before, result in zip(part, results, strict=True)]
            part = []
            if on_progress is not None:
                on_progress(number, len(end.moves))
    return tuple(reviews)


def _review_move(number: int, action: str, before: Game, result: SearchResult) -> MoveReview:
    edge = int(np.flatnonzero(result.actions == before.game_spec.actions.number(action))[0])
    best = before.game_spec.actions.name(int(result.actions[0]))
    loss = float(result.values[0] - result.values[edge])
    reach = None if edge == 0 else _finite(Z95 * sqrt(result.errors[0] ** 2 + result.errors[edge] ** 2))
    clock, titles = before.game_spec.rounds, titles_of(before)
    assert before.current_seat is not None and before.decision is not None
    phase = f", {before.phase}" if before.phase and before.round else ""
    return MoveReview(
        number, round_name(clock.word, before.round) + phase, before.current_seat,
        before.decision, action, titles[action], best, titles[best], max(0.0, loss),
        None if reach is None else loss - reach, None if reach is None else loss + reach,
        float(max(0.0, result.values[0] - result.values[1])) if edge == 0 and len(result.values) > 1 else 0.0,
        int(result.visits[edge]), int(result.visits[0]), result.simulations,
    )  # fmt: skip


def titles_of(game: Game) -> dict[str, str]:
    """Return the titles of the legal actions by name."""
    return {choice.action: choice.name for choice in choices(game)}


def _batch_of(games: Sequence[Game]) -> tuple[Batch, GameViews]:
    batch = Batch.from_bytes(np.concatenate([game._batch.bytes_view for game in games]), games[0].options)
    return batch, GameViews(batch, np.arange(len(games)))


def _finite(number: float) -> float | None:
    return float(number) if isfinite(number) else None


def _seat_title(seat: int, names: Sequence[str]) -> str:
    return names[seat] if names else seat_name(seat)
