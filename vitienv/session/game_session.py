"""Session of a person against bots, independent of the user interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from vitienv.registry import canonical_name
from vitienv.render.text import Choice, Picks, seat_name
from vitienv.session.replay import PERSON, Candidates, display_names, with_candidates

if TYPE_CHECKING:
    from vitienv.agents import Agent
    from vitienv.game import Game


class GameSession:
    """One game of a person against bots.

    game: current game; it may have moves already. seat: seat of the person. specs: bot specs by seat. num_undone:
    number of undone choices. candidates: candidates of the bots before each existing move, if known. bots: agents of
    the specs, if they exist already.
    story: (round, line) of all events that the person may know.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        specs: Mapping[int, str],
        num_undone: int = 0,
        candidates: Sequence[Candidates] = (),
        bots: Sequence[Agent] | None = None,
    ) -> None:
        from vitienv.agents.search_progress import SearchProgress
        from vitienv.agents.seeding import make_bots

        self.seat, self.specs, self.num_undone = seat, dict(specs), num_undone
        if bots is None:
            bots = make_bots(specs.values(), game._seed or 0, canonical_name(game.game_spec))
        self.agents: dict[int, Agent] = dict(zip(specs, bots, strict=True))
        self.text_module = game.game_spec.text_module
        self.search_progress = SearchProgress()
        self._load(game, candidates)

    def _load(self, game: Game, candidates: Sequence[Candidates]) -> None:
        """Replay a game to describe its moves so far."""
        import vitienv

        self.story: list[tuple[int, str]] = []
        self.last_events: list[str] = []  # since the person's last choice, inclusive
        self._choices: list[int] = []  # indices of the moves at which the person had a choice
        self._movers: list[int | None] = []  # seat of each move
        self._candidates: list[Candidates] = []  # per move
        self._next_candidates: Candidates = None
        if not game.moves:
            self.game = game
            return
        log = game.log
        self.game = vitienv.replay({**log, "moves": [], "state": None})
        for move in log["moves"]:
            self.play(move)
        if candidates:
            self._candidates = list(candidates)

    @property
    def names(self) -> list[str]:
        """Display names of the seats."""
        specs = [self.agents[seat].name if seat in self.agents else PERSON for seat in range(self.game.num_players)]
        return display_names(specs)

    @property
    def log(self) -> dict[str, Any]:
        """Log of the game with agents and candidates."""
        agents = [self.specs.get(seat, PERSON) for seat in range(self.game.num_players)]
        log = {**self.game.log, "seat": self.seat, "agents": agents, "taken_back": self.num_undone}
        return with_candidates(log, self._candidates)

    @property
    def is_persons_turn(self) -> bool:
        """Whether the person is the current player."""
        return self.game.current_seat == self.seat

    def play(self, action: str) -> list[str]:
        """Play an action of the current player and return its description.

        Raises IllegalAction; the game is then unchanged.
        """
        before = self.game.copy()
        self.game.step(action)
        self._movers.append(before.current_seat)
        self._candidates.append(self._next_candidates)
        self._next_candidates = None
        if before.current_seat == self.seat and int(before.mask.sum()) > 1:
            self._choices.append(len(before.moves))
            self.last_events = []
        lines = self.text_module.describe_move(before, self.game, self.game.moves[-1], self.names, self.seat)
        self.story += [(before.round, line) for line in lines]
        self.last_events += lines
        return lines

    def next_move(self) -> str | None:
        """Return the action of a bot or the person's only legal action; None if the person has a choice.

        The game does not change. Raises BotCrashed.
        """
        from vitienv.agents.candidates import DEFAULT_CANDIDATES, CandidateRecorder

        seat = self.game.current_seat
        assert seat is not None
        if seat in self.agents:
            bot = CandidateRecorder(self.agents[seat], DEFAULT_CANDIDATES)
            action = self._query(bot)
            self._next_candidates = bot.describe(0, self.game.game_spec.actions.name)
            return action
        legal = self.game.legal_actions()
        return legal[0] if len(legal) == 1 else None

    def _query(self, agent: Agent) -> str:
        import numpy as np

        from vitienv.agents.query import query_agent

        batch = self.game._batch
        batch.refresh()  # steps of a single game do not write observations
        with self.search_progress.track(agent):
            number = query_agent(
                agent, batch, np.array([0]), lambda _: f"{agent.name} in {seat_name(self.game.current_seat)}"
            )
        return self.game.game_spec.actions.name(int(number[0]))

    def suggest(self, spec: str | None = None) -> tuple[str, Choice]:
        """Return the name and the choice of a bot in the person's place. Raises ValueError for an unknown bot."""
        from vitienv.agents.seeding import make_bot

        game_spec = self.game.game_spec
        agent = make_bot(spec or game_spec.heuristic_bot, 0, canonical_name(game_spec))
        name = self._query(agent)
        return agent.name, next(choice for choice in self.choices if choice.action == name)

    def analyse(self, spec: str) -> list[str]:
        """Return a searching bot's evaluation of the choices in lines; [] for other bots. Raises ValueError."""
        from vitienv.agents.search.analysis import hint, is_search_bot

        return (
            hint(self.game, spec).describe(4, self.names, steps=0) if is_search_bot(spec, self.game.game_spec) else []
        )

    def undo(self) -> list[str]:
        """Undo the person's last choice and return its events.

        Raises ValueError without a choice, if it revealed something, or if another seat has moved.
        """
        import vitienv
        from vitienv.session.undo import CANNOT_UNDO, reveals_nothing

        if not self._choices:
            raise ValueError("you have no choice to undo")
        num_moves = self._choices[-1]
        log = self.game.log
        before = vitienv.replay({**log, "moves": log["moves"][:num_moves], "state": None})
        is_own_turn = self.is_persons_turn and set(self._movers[num_moves:]) == {self.seat}
        if not is_own_turn or not reveals_nothing(before, self.game, [self.seat]):
            raise ValueError(CANNOT_UNDO)
        lines = self.last_events
        self._load(before, self._candidates[:num_moves])
        self.num_undone += 1
        return lines

    def pick(self, choices: Sequence[Choice]) -> list[str]:
        """Play several choices in the engine's order and return their descriptions, as `play`."""
        numbers = self.game.game_spec.actions.number
        actions = sorted((choice.action for choice in choices), key=numbers)
        return [line for action in actions for line in self.play(action)]

    @property
    def result(self) -> list[str]:
        """Result of the game, seat by seat."""
        game, names = self.game, self.names
        if game.game_spec.is_of_team:
            lines = [f"{name}: {points} points" for name, points in zip(names, game.scores, strict=True)]
            if game.influence is not None:
                lines.append(f"Influence {game.influence} of {game.influence_goal}.")
            verdicts = {"win": "The team wins.", "loss": "The team loses."}
            lines.append(verdicts.get(game.outcome or "", "The game was truncated."))
        else:
            ranks = sorted((rank, seat) for seat, rank in enumerate(game.ranks))
            lines = [f"{rank}. {names[seat]}: {game.scores[seat]} {game.game_spec.scored_in}" for rank, seat in ranks]
            if game.outcome is not None:
                verdict = {"win": "You win", "draw": "A draw", "loss": "You lose"}[game.outcome]
                opponent = f" against the Automa at {game.automa_score}" if game.automa_score is not None else ""
                lines.append(f"{verdict}{opponent}.")
        return [*lines, f"Undone choices: {self.num_undone}."] if self.num_undone else lines

    @property
    def question(self) -> str:
        """Text of the pending decision."""
        return self.text_module.question(self.game, self.names)

    @property
    def choices(self) -> list[Choice]:
        """Descriptions of the legal actions."""
        return self.text_module.choices(self.game, self.names)

    @property
    def picks(self) -> Picks | None:
        """Choices of which several are selected together, or None."""
        return self.text_module.picks(self.game, self.names)

    def table(self, width: int = 80) -> str:
        """Return the table in the person's view; all hands are visible when the game is over."""
        return self.text_module.table(self.game, None if self.game.is_over else self.seat, self.names, width)


def seats_of(log: Mapping[str, Any], num_players: int) -> tuple[int | None, dict[int, str]]:
    """Return the person's seat (None if unknown) and the bot specs by seat in a log."""
    agents: Sequence[Any] = log.get("agents") or []
    seat = log.get("seat")
    if len(agents) != num_players or not all(isinstance(spec, str) for spec in agents):
        agents = []
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < num_players:
        seat = agents.index(PERSON) if agents.count(PERSON) == 1 else None
    return seat, {i: spec for i, spec in enumerate(agents) if spec != PERSON}
