"""Campaign against the Automa: eight challenges in order, saved to a file between games.

>>> campaign = Campaign(difficulty="easy", seed=3)
>>> game = campaign.next_game()
>>> ...                                    # play it to its end
>>> campaign.record(game)
>>> campaign.save("campaign.json")
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from vitienv.agents import Agent
from vitienv.agents.seeding import game_seeds
from vitienv.core.files import read_json, write_json
from vitienv.game import Game
from vitienv.training.json_dataclasses import structured
from vitienv.viticulture.options import Options
from vitienv.viticulture.rulesets.solo import CHALLENGES, NORMAL, NOT_AGGRESSIVE

if TYPE_CHECKING:
    from vitienv.training.viticulture.solo import SoloGames

KIND, FORMAT = "campaign", 1
WIN = "win"
DRAW = "draw"
LOSS = "loss"
OUTCOMES = (WIN, DRAW, LOSS)
MAX_TOKENS = 99  # limit of the option
# Options in which a campaign's game may differ.
FREE = ("reward", "skip_forced", "open_hands")


@dataclass(frozen=True)
class Result:
    """Result of a game."""

    challenge: int  # 1 to 8
    outcome: str  # "win", "draw" or "loss"
    points: int  # final victory points
    bonus_tokens: int  # bonus action tokens at the start
    seed: int  # seed of `Game.new`


@dataclass
class Campaign:
    """State of a campaign (Essential, Campaign play). ValueError for an invalid field.

    A challenge is completed by a win. After a loss it is repeated, with one bonus action token per consecutive loss.
    Rulings where the rulebook is silent: after a draw the challenge is repeated without a token, and the draw does not
    interrupt consecutive losses. The aggressive variant omits challenge 6.

    difficulty, aggressive: as in `Options`. seed: determines the seeds of all games. results: finished games in order;
    `record` appends to them.
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
        results, self.results = self.results, []
        for number, result in enumerate(results, 1):
            if self.is_complete:
                raise ValueError(f"the campaign was complete before its game {number}")
            expected = {"challenge": self.challenge, "bonus_tokens": self.losses, "seed": self.next_seed}
            for name, value in expected.items():
                if getattr(result, name) != value:
                    raise ValueError(f"{name} of game {number} must be {value}, got {getattr(result, name)!r}")
            self.add(result.outcome, result.points)

    @property
    def challenges(self) -> list[int]:
        """The challenges in order."""
        return [number for number in CHALLENGES if not (self.aggressive and number == NOT_AGGRESSIVE)]

    @property
    def wins(self) -> int:
        """Number of completed challenges."""
        return sum(result.outcome == WIN for result in self.results)

    @property
    def challenge(self) -> int | None:
        """The current challenge; None if all are completed."""
        return None if self.is_complete else self.challenges[self.wins]

    @property
    def losses(self) -> int:
        """Consecutive losses at the current challenge, ignoring draws: the bonus action tokens of the next game."""
        losses = 0
        for result in reversed(self.results):
            if result.outcome == WIN:
                break
            losses += result.outcome == LOSS
        return min(losses, MAX_TOKENS)

    @property
    def is_complete(self) -> bool:
        """Whether all challenges are completed."""
        return self.wins == len(self.challenges)

    @property
    def score(self) -> int:
        """Number of games played: the score of a complete campaign, lower is better."""
        return len(self.results)

    @property
    def next_seed(self) -> int:
        """The seed of the next game, from the campaign's seed and the number of games played."""
        return game_seeds(self.seed, [self.score])[0]

    def next_options(self) -> Options:
        """Return the options of the next game. ValueError if the campaign is complete."""
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
        """Return the next game. ValueError if the campaign is complete."""
        return Game.new(seed=self.next_seed, **self.next_options().to_dict())

    def check(self, game: Game) -> None:
        """Raise ValueError unless a game, finished or not, is the next one of this campaign."""
        options, log = self.next_options(), game.log
        played = game.options.replace(**{name: getattr(options, name) for name in FREE})
        for option in fields(Options):
            actual, expected = getattr(played, option.name), getattr(options, option.name)
            if actual != expected:
                raise ValueError(
                    f"this is not the campaign's next game: {option.name} must be {expected!r}, got {actual!r}"
                )
        if log["position"] is not None or log["seed"] != self.next_seed:
            raise ValueError(f"this is not the campaign's next game: seed must be {self.next_seed}, got {log['seed']}")

    def record(self, game: Game) -> Result:
        """Append the result of a finished game and return it. ValueError unless it is the campaign's next game."""
        self.check(game)
        if game.outcome is None:
            raise ValueError("the game is not over: it has no outcome yet")
        return self.add(game.outcome, game.scores[0])

    def add(self, outcome: str, points: int) -> Result:
        """Append outcome and points of the next game. ValueError if they are invalid or the campaign is complete."""
        if outcome not in OUTCOMES:
            raise ValueError(f"unknown outcome {outcome!r}; expected one of: {', '.join(map(repr, OUTCOMES))}")
        if isinstance(points, bool) or not isinstance(points, int):
            raise ValueError(f"points must be an integer, got {points!r}")
        options = self.next_options()
        assert options.challenge is not None
        result = Result(options.challenge, outcome, points, options.bonus_tokens, self.next_seed)
        self.results.append(result)
        return result

    # Files.

    def to_dict(self) -> dict[str, Any]:
        """Return the campaign as plain JSON."""
        return {"kind": KIND, "format": FORMAT, **asdict(self)}

    @classmethod
    def from_dict(cls, content: Any) -> Campaign:
        """Read the result of `to_dict`. ValueError if it is invalid or inconsistent."""
        if not isinstance(content, dict) or content.get("kind") != KIND:
            raise ValueError("the file is not a campaign of vitienv")
        if content.get("format") != FORMAT:
            raise ValueError(f"format must be {FORMAT}, got {content.get('format')!r}")
        values = {key: value for key, value in content.items() if key not in ("kind", "format")}
        missing = [member.name for member in fields(cls) if member.name not in values]
        if missing:
            raise ValueError(f"the campaign has no {missing[0]!r}")
        return structured(cls, values, "the campaign")

    def save(self, path: str | Path) -> None:
        """Write the campaign to a JSON file, atomically. OSError if that fails.

        ValueError if the file contains another campaign, or games that are missing from this one and would be lost.
        """
        from vitienv.training.run_dir import lock_run_dir

        path = Path(path)
        with lock_run_dir(path.parent, f".{path.name}.lock"):
            if path.exists():
                saved = Campaign.load(path)
                is_same = replace(saved, results=[]) == replace(self, results=[])
                if not is_same or saved.results != self.results[: saved.score]:
                    raise ValueError(f"{str(path)!r} contains other games; another process has changed the campaign")
            write_json(path, self.to_dict())

    @classmethod
    def load(cls, path: str | Path) -> Campaign:
        """Read a campaign. ValueError if the file does not exist or is damaged."""
        content = read_json(Path(path))
        try:
            return cls.from_dict(content)
        except ValueError as error:
            raise ValueError(f"{str(path)!r}: {error}") from None


def play_campaigns(
    agent: Agent,
    n: int,
    difficulty: str = NORMAL,
    aggressive: bool = False,
    seed: int = 0,
    max_games: int = 100,
    first: int = 0,
    on_played: Callable[[SoloGames], None] | None = None,
) -> list[Campaign]:
    """Play n campaigns in parallel and return them in order.

    A round is one game of each incomplete campaign; games with equal options form a batch. The seed of campaign i
    depends only on `seed` and first + i. A campaign that needs more than max_games games is returned incomplete.
    on_played: called with the games of each batch. A failing external program forfeits its game. ValueError for an
    invalid number or option, and if another bot returns an illegal action.
    """
    from vitienv.training.viticulture.solo import play_solo  # imported late, as people play campaigns without bots

    if n < 1:
        raise ValueError(f"campaigns must be at least 1, got {n}")
    if max_games < 1:
        raise ValueError(f"max_games must be at least 1, got {max_games}")
    campaigns = [
        Campaign(difficulty, aggressive, campaign_seed) for campaign_seed in game_seeds(seed, range(first, first + n))
    ]
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
    return campaigns
