"""A person at a table with bots, whatever shows it: the game, who sits where, what happened, what was taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from vitienv.registry import canonical_name
from vitienv.render.text import Choice, Picks, seat_name
from vitienv.session.replay import PERSON, Candidates, called, with_candidates

if TYPE_CHECKING:
    from vitienv.agents import Agent
    from vitienv.game import Game


class GameSession:
    """One game of a person against bots.

    game: as it stands; it may have moves already. seat: the person's. specs: of the bots, by seat. taken_back: how many
    choices were taken back so far. considered: what bots did before each of the moves that it has, if that is known.
    bots: those of the specs, if they are made already.
    story: (round, line) of all that happened, as the person may know it.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        specs: Mapping[int, str],
        taken_back: int = 0,
        considered: Sequence[Candidates] = (),
        bots: Sequence[Agent] | None = None,
    ) -> None:
        from vitienv.agents.search_progress import SearchProgress
        from vitienv.agents.seeding import make_bots

        self.seat, self.specs, self.taken_back = seat, dict(specs), taken_back
        if bots is None:
            bots = make_bots(specs.values(), game._seed or 0, canonical_name(game.game_spec))
        self.agents: dict[int, Agent] = dict(zip(specs, bots, strict=True))
        self.words = game.game_spec.text_module
        self.thinking = SearchProgress()
        self._begin(game, considered)

    def _begin(self, game: Game, considered: Sequence[Candidates]) -> None:
        """Take over a game, with the words of its moves so far. considered: before each of them; () if not known."""
        import vitienv

        self.story: list[tuple[int, str]] = []
        self.since: list[str] = []  # what the person's last choice led to, that included
        self._choices: list[int] = []  # numbers of the moves at which the person had a choice
        self._movers: list[int | None] = []  # the seats that made the moves
        self._considered: list[Candidates] = []  # before each move
        self._thought: Candidates = None  # before the next one
        if not game.moves:
            self.game = game
            return
        log = game.log
        self.game = vitienv.replay({**log, "moves": [], "state": None})
        for move in log["moves"]:
            self.play(move)
        if considered:
            self._considered = list(considered)

    @property
    def names(self) -> list[str]:
        """What the seats are called: bots of one kind with their seats."""
        specs = [self.agents[seat].name if seat in self.agents else PERSON for seat in range(self.game.num_players)]
        return called(specs)

    @property
    def log(self) -> dict[str, Any]:
        """The game's log with who sits where and what the bots considered."""
        agents = [self.specs.get(seat, PERSON) for seat in range(self.game.num_players)]
        log = {**self.game.log, "seat": self.seat, "agents": agents, "taken_back": self.taken_back}
        return with_candidates(log, self._considered)

    @property
    def is_mine(self) -> bool:
        """Whether the person decides."""
        return self.game.current_seat == self.seat

    # Playing.

    def play(self, action: str) -> list[str]:
        """Play a move of the seat that decides; returns the words about it. IllegalAction changes nothing."""
        before = self.game.copy()
        self.game.step(action)
        self._movers.append(before.current_seat)
        self._considered.append(self._thought)
        self._thought = None
        if before.current_seat == self.seat and int(before.mask.sum()) > 1:
            self._choices.append(len(before.moves))
            self.since = []
        lines = self.words.told(before, self.game, self.game.moves[-1], self.names, self.seat)
        self.story += [(before.round, line) for line in lines]
        self.since += lines
        return lines

    def next_move(self) -> str | None:
        """The move that is not the person's to choose: a bot's, or the only one that there is. None if the person is to
        choose. A bot may think for long; the game does not change. BotCrashed names a bot that fails."""
        from vitienv.agents.candidates import DEFAULT_CANDIDATES, CandidateRecorder

        seat = self.game.current_seat
        assert seat is not None
        if seat in self.agents:
            bot = CandidateRecorder(self.agents[seat], DEFAULT_CANDIDATES)
            chosen = self._chosen_by(bot)
            self._thought = bot.describe(0, self.game.game_spec.actions.name)
            return chosen
        legal = self.game.legal_actions()
        return legal[0] if len(legal) == 1 else None

    def _chosen_by(self, agent: Agent) -> str:
        """What a bot does in the place of whoever decides; it gets what every bot gets."""
        import numpy as np

        from vitienv.agents.query import query_agent

        batch = self.game._batch
        batch.refresh()  # a single game is stepped without writing observations
        with self.thinking.track(agent):
            number = query_agent(
                agent, batch, np.array([0]), lambda _: f"{agent.name} in {seat_name(self.game.current_seat)}"
            )
        return self.game.game_spec.actions.name(int(number[0]))

    def advice(self, spec: str | None = None) -> tuple[str, Choice]:
        """What a bot would do in the person's place: its name and the choice. ValueError if there is no such bot."""
        from vitienv.agents.seeding import make_bot

        made = self.game.game_spec
        agent = make_bot(spec or made.heuristic_bot, 0, canonical_name(made))
        name = self._chosen_by(agent)
        return agent.name, next(choice for choice in self.choices if choice.action == name)

    def thought(self, spec: str) -> list[str]:
        """What a search bot thinks of the choices, in lines; none from other bots. ValueError as `advice`."""
        from vitienv.agents.search.analysis import hint, is_search_bot

        return (
            hint(self.game, spec).describe(4, self.names, steps=0) if is_search_bot(spec, self.game.game_spec) else []
        )

    def undo(self) -> list[str]:
        """Go back to before the person's last choice; returns what it had led to. ValueError if there is none, or if it
        stands: the person saw something by it, or another seat has moved."""
        import vitienv
        from vitienv.session.undo import STANDS, shows_nothing

        if not self._choices:
            raise ValueError("there is no choice of yours to take back")
        back = self._choices[-1]
        log = self.game.log
        before = vitienv.replay({**log, "moves": log["moves"][:back], "state": None})
        is_own = self.is_mine and set(self._movers[back:]) == {self.seat}
        if not is_own or not shows_nothing(before, self.game, [self.seat]):
            raise ValueError(STANDS)
        lost = self.since
        self._begin(before, self._considered[:back])
        self.taken_back += 1
        return lost

    def pick(self, choices: Sequence[Choice]) -> list[str]:
        """Several things that were named in whatever order; the engine gets them in its own. As `play`."""
        numbers = self.game.game_spec.actions.number
        actions = sorted((choice.action for choice in choices), key=numbers)
        return [line for action in actions for line in self.play(action)]

    # Looking.

    @property
    def result(self) -> list[str]:
        """How the game ended, seat by seat."""
        game, names = self.game, self.names
        if game.game_spec.is_of_team:
            return [*self._result_of_team(), *self._taken_back()]
        ranks = sorted((rank, seat) for seat, rank in enumerate(game.ranks))
        lines = [f"{rank}. {names[seat]}: {game.scores[seat]} {game.game_spec.scored_in}" for rank, seat in ranks]
        if game.outcome is not None:
            told = {"win": "You win", "draw": "A draw", "loss": "You lose"}[game.outcome]
            against = f" against the Automa at {game.automa_score}" if game.automa_score is not None else ""
            lines.append(f"{told}{against}.")
        return lines + self._taken_back()

    def _result_of_team(self) -> list[str]:
        game = self.game
        lines = [f"{name}: {points} points" for name, points in zip(self.names, game.scores, strict=True)]
        if game.influence is not None:
            lines.append(f"Influence {game.influence} of {game.influence_goal}.")
        told = {"win": "The team wins.", "loss": "The team loses."}.get(game.outcome or "", "The game was cut off.")
        return [*lines, told]

    def _taken_back(self) -> list[str]:
        return [f"Choices taken back: {self.taken_back}."] if self.taken_back else []

    @property
    def question(self) -> str:
        """The pending question in words."""
        return self.words.question(self.game, self.names)

    @property
    def choices(self) -> list[Choice]:
        """The legal actions in words."""
        return self.words.choices(self.game, self.names)

    @property
    def picks(self) -> Picks | None:
        """The things to be chosen together, or None."""
        return self.words.picks(self.game, self.names)

    def table(self, width: int = 80) -> str:
        """The table as the person sees it; with all hands when the game is over."""
        return self.words.table(self.game, None if self.game.is_over else self.seat, self.names, width)


def seats_of(log: Mapping[str, Any], num_players: int) -> tuple[int | None, dict[int, str]]:
    """The person's seat and the bots' specs by seat that a log names; None and nothing where it does not say."""
    agents: Sequence[Any] = log.get("agents") or []
    seat = log.get("seat")
    if len(agents) != num_players or not all(isinstance(spec, str) for spec in agents):
        agents = []
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < num_players:
        seat = agents.index(PERSON) if agents.count(PERSON) == 1 else None
    return seat, {i: spec for i, spec in enumerate(agents) if spec != PERSON}
