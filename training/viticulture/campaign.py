"""The campaign against the Automa: eight challenges in order, kept in a file from one game to the next.

>>> campaign = Campaign(difficulty="easy", seed=3)
>>> game = campaign.next_game()
>>> ...                                    # play it to its end
>>> campaign.record(game)
>>> campaign.save("campaign.json")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from vitienv.agents import Agent
from vitienv.agents.seeding import game_seeds
from vitienv.core.files import read_json, write_json
from vitienv.game import Game
from vitienv.viticulture.options import Options
from vitienv.viticulture.rulesets.solo import CHALLENGES, NORMAL, NOT_AGGRESSIVE

if TYPE_CHECKING:
    from vitienv.training.viticulture.solo import SoloGames

KIND, FORMAT = "campaign", 1
WIN = "win"
DRAW = "draw"
LOSS = "loss"
OUTCOMES = (WIN, DRAW, LOSS)
MOST_TOKENS = 99  # as many as the options take
# What may differ between a campaign's game and the options it asks for.
FREE = ("reward", "skip_forced", "open_hands")


@dataclass(frozen=True)
class Result:
    """A finished game. challenge: 1 to 8. outcome: "win", "draw" or "loss". points: the player's victory points.
    bonus_tokens: bonus action tokens in hand at the start. seed: as for `Game.new`."""

    challenge: int
    outcome: str
    points: int
    bonus_tokens: int
    seed: int


@dataclass
class Campaign:
    """A campaign as far as it was played (Essential, Campaign play). ValueError names a field that is wrong.

    A challenge is done when its game is won. After a loss the same challenge is played again, with as many bonus
    action tokens as there were losses in a row. Our readings where the rulebook is silent: a draw does not win the
    challenge, which is played again; as a draw is no loss, it adds no token, and it does not end a run of losses. In
    the aggressive variant challenge 6 is left out.

    difficulty, aggressive: as in `Options`. seed: gives the seed of each game, by its number. results: the games so
    far, in order; `record` adds to them.
    """

    ruleset: ClassVar[str] = "solo"

    difficulty: str = NORMAL
    aggressive: bool = False
    seed: int = 0
    results: list[Result] = field(default_factory=list)

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise ValueError(f"seed must be an integer from 0, got {self.seed!r}")
        Options(ruleset="solo", difficulty=self.difficulty, aggressive=self.aggressive)
        given, self.results = self.results, []
        for number, result in enumerate(given, 1):
            if self.is_complete:
                raise ValueError(f"the campaign was complete before its game {number}")
            wanted = {"challenge": self.challenge, "bonus_tokens": self.losses, "seed": self.next_seed}
            for name, value in wanted.items():
                if getattr(result, name) != value:
                    raise ValueError(f"game {number} has {name} {getattr(result, name)!r}; it must be {value}")
            self.add(result.outcome, result.points)

    @property
    def challenges(self) -> list[int]:
        """The challenges to be won, in order."""
        return [number for number in CHALLENGES if not (self.aggressive and number == NOT_AGGRESSIVE)]

    @property
    def wins(self) -> int:
        """How many challenges are won."""
        return sum(result.outcome == WIN for result in self.results)

    @property
    def challenge(self) -> int | None:
        """The challenge to be played now; None when all are won."""
        return None if self.is_complete else self.challenges[self.wins]

    @property
    def losses(self) -> int:
        """Losses in a row at the current challenge, draws passed over: the bonus action tokens of the next game."""
        losses = 0
        for result in reversed(self.results):
            if result.outcome == WIN:
                break
            losses += result.outcome == LOSS
        return min(losses, MOST_TOKENS)

    @property
    def is_complete(self) -> bool:
        """Whether all challenges are won."""
        return self.wins == len(self.challenges)

    @property
    def score(self) -> int:
        """Games played so far; the score of the campaign once it is complete, lower is better."""
        return len(self.results)

    @property
    def next_seed(self) -> int:
        """The seed of the next game: it depends on the campaign's seed and the number of games before."""
        return game_seeds(self.seed, [self.score])[0]

    def next_options(self) -> Options:
        """What the next game is played with. ValueError if the campaign is complete."""
        if self.is_complete:
            raise ValueError(f"the campaign is complete: all challenges were won in {self.score} games")
        return Options(
            ruleset="solo",
            difficulty=self.difficulty,
            aggressive=self.aggressive,
            challenge=self.challenge,
            bonus_tokens=self.losses,
        )

    def next_game(self) -> Game:
        """The next game, not begun. ValueError if the campaign is complete."""
        return Game.new(seed=self.next_seed, **self.next_options().to_dict())

    def check(self, game: Game) -> None:
        """ValueError unless a game, finished or not, is the next one of this campaign."""
        wanted, log = self.next_options(), game.log
        played = game.options.with_(**{name: getattr(wanted, name) for name in FREE})
        for option in fields(Options):
            own, right = getattr(played, option.name), getattr(wanted, option.name)
            if own != right:
                raise ValueError(f"this is not the campaign's next game: its {option.name} is {own!r}, not {right!r}")
        if log["position"] is not None or log["seed"] != self.next_seed:
            raise ValueError(
                f"this is not the campaign's next game, which starts with seed {self.next_seed}, not {log['seed']}"
            )

    def record(self, game: Game) -> Result:
        """Add a finished game, which must be the campaign's next one, and return what was noted of it.

        ValueError if it is another game or not over; the campaign is then unchanged.
        """
        self.check(game)
        if game.outcome is None:
            raise ValueError("the game is not over: it has no outcome yet")
        return self.add(game.outcome, game.scores[0])

    def add(self, outcome: str, points: int) -> Result:
        """Note the outcome of the next game and its points. ValueError if they are none, or nothing is left to play."""
        if outcome not in OUTCOMES:
            raise ValueError(f"unknown outcome {outcome!r}; there is {', '.join(map(repr, OUTCOMES))}")
        if isinstance(points, bool) or not isinstance(points, int):
            raise ValueError(f"points must be an integer, got {points!r}")
        options = self.next_options()
        assert options.challenge is not None
        result = Result(options.challenge, outcome, points, options.bonus_tokens, self.next_seed)
        self.results.append(result)
        return result

    # Files.

    def to_dict(self) -> dict[str, Any]:
        """The campaign as plain JSON."""
        return {"kind": KIND, "format": FORMAT, **asdict(self)}

    @classmethod
    def from_dict(cls, given: Any) -> Campaign:
        """The campaign of `to_dict`. ValueError, in one line, if it is something else or contradicts itself."""
        if not isinstance(given, Mapping) or given.get("kind") != KIND:
            raise ValueError("this is not a campaign of vitienv")
        if given.get("format") != FORMAT:
            raise ValueError(f"the format of this campaign is {given.get('format')!r}, not {FORMAT}")
        values = {key: value for key, value in given.items() if key not in ("kind", "format")}
        _check_keys(values, cls, "the campaign")
        if not isinstance(values["results"], list):
            raise ValueError(f"results must be a list of games, got {values['results']!r}")
        for number, result in enumerate(values["results"], 1):
            _check_keys(result, Result, f"game {number} of the campaign")
        return cls(**values | {"results": [Result(**result) for result in values["results"]]})

    def save(self, path: str | Path) -> None:
        """Write the campaign to a JSON file, whole or not at all. OSError if that fails.

        ValueError if the file holds another campaign, or games that this one does not have: somebody else plays on
        it, and would lose them.
        """
        from vitienv.training.run_dir import lock_run_dir

        path = Path(path)
        with lock_run_dir(path.parent, f".{path.name}.lock"):
            if path.exists():
                there = Campaign.load(path)
                is_same = replace(there, results=[]) == replace(self, results=[])
                if not is_same or there.results != self.results[: there.score]:
                    raise ValueError(f"{str(path)!r} holds other games than this campaign; it was played on elsewhere")
            write_json(path, self.to_dict())

    @classmethod
    def load(cls, path: str | Path) -> Campaign:
        """The campaign in a file. ValueError, in one line, if there is none or it is damaged."""
        given = read_json(Path(path))
        try:
            return cls.from_dict(given)
        except ValueError as error:
            raise ValueError(f"{str(path)!r}: {error}") from None


def _check_keys(values: Any, kind: type, what: str) -> None:
    names = [own.name for own in fields(kind)]
    if not isinstance(values, Mapping):
        raise ValueError(f"{what} must be a mapping, got {values!r}")
    unknown, missing = sorted(set(values) - set(names)), [name for name in names if name not in values]
    if unknown or missing:
        raise ValueError(f"{what} has {f'an unknown {unknown[0]!r}' if unknown else f'no {missing[0]!r}'}")


def campaign_seed(seed: int, number: int) -> int:
    """The seed of one of many campaigns."""
    return game_seeds(seed, [number])[0]


def play_campaigns(
    agent: Agent,
    n: int,
    difficulty: str = NORMAL,
    aggressive: bool = False,
    seed: int = 0,
    max_games: int = 100,
    first: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
    on_played: Callable[[SoloGames], None] | None = None,
) -> list[Campaign]:
    """Play n campaigns side by side and return them in order.

    A round is one game of each campaign that is not complete; games with the same options are one batch. Campaign i
    has a seed that depends on `seed` and first + i only. One that needs more than max_games games is returned as far
    as it came: its `is_complete` is False. on_progress gets after each round the number of finished campaigns and n;
    on_played the games of each batch.
    A program that fails loses its game. Raises ValueError for a wrong number or option, and if another bot answers with
    an illegal action.
    """
    from vitienv.training.viticulture.solo import play_solo  # here: people play campaigns without what bots need

    if n < 1:
        raise ValueError(f"campaigns must be at least 1, got {n}")
    if max_games < 1:
        raise ValueError(f"max_games must be at least 1, got {max_games}")
    campaigns = [Campaign(difficulty, aggressive, campaign_seed(seed, first + i)) for i in range(n)]
    for _ in range(max_games):
        groups: dict[Options, list[Campaign]] = {}
        for campaign in campaigns:
            if not campaign.is_complete:
                groups.setdefault(campaign.next_options(), []).append(campaign)
        if not groups:
            break
        for options, group in groups.items():
            played = play_solo(options, agent, [campaign.next_seed for campaign in group])
            if on_played is not None:
                on_played(played)
            for campaign, outcome, points in zip(group, played.outcome, played.points, strict=True):
                campaign.add(OUTCOMES[1 - int(outcome)], int(points))
        if on_progress is not None:
            on_progress(sum(campaign.is_complete for campaign in campaigns), n)
    return campaigns
