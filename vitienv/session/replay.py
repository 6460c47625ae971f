"""Logs of games: what a game was played with and its moves, enough to play it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vitienv.core.files import from_json, read_text
from vitienv.core.text_utils import YOU, in_one_line
from vitienv.registry import DEFAULT, game_from_untrusted_file
from vitienv.render.text import seat_name
from vitienv.version import __version__

if TYPE_CHECKING:
    from vitienv.game import Game

Candidates = list[dict[str, Any]] | None  # the actions considered before a move, the best first

PERSON = "you"  # in a log, in place of a bot
MOST_SAID = 1e15  # numbers of considered actions are smaller


def replay(log: Mapping[str, Any] | str | Path) -> Game:
    """Play a log again, given as a mapping or as the path of a JSON file.

    Raises ValueError if it is damaged, foreign, or leads elsewhere under this version's rules.
    """
    from vitienv.game import FORMAT, Game, IllegalAction

    log = _read(log)
    missing = [key for key in ("format", "options", "moves") if key not in log]
    if missing or log["format"] != FORMAT:
        what = f"it has no {missing[0]!r}" if missing else f"its format is {log['format']!r}, not {FORMAT}"
        raise ValueError(f"this is not a log of a vitienv game: {what}")
    moves, options = log["moves"], log["options"]
    if not isinstance(moves, list) or not isinstance(options, Mapping):
        raise ValueError("this log is damaged: options must be a mapping and moves a list")
    if log.get("position"):
        game = Game.from_dict(log["position"])
        own, other = log.get("game", DEFAULT), log["position"].get("game", DEFAULT)
        if own != other:
            raise ValueError(f"this log is damaged: it is of {own!r} and starts from a position of {other!r}")
    else:
        try:
            game = Game.new(seed=log.get("seed"), game=game_from_untrusted_file(log), **options)
        except TypeError as error:
            raise ValueError(f"this log is damaged: {error}") from None
    if log.get("data") not in (None, game.game_spec.data):
        raise ValueError(f"this log is of other data: of {log['data']!r}; here they are {game.game_spec.data!r}")
    for i, move in enumerate(moves):
        try:
            game.step(move)
        except IllegalAction as error:
            raise ValueError(f"move {i + 1} of the log cannot be played: {error}") from None
    if log.get("state") not in (None, game.game_spec.digest(game.state)):
        raise ValueError(
            "the log leads elsewhere: its moves do not give the state it was written with "
            f"(by vitienv {log.get('vitienv')}; this is {__version__})"
        )
    return game


def _read(log: Mapping[str, Any] | str | Path) -> Mapping[str, Any]:
    if isinstance(log, Mapping):
        return log
    try:
        read = from_json(read_text(Path(log)))
    except FileNotFoundError:
        raise ValueError(f"there is no file {str(log)!r}") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"{str(log)!r} is not a log: {error}") from None
    if not isinstance(read, Mapping):
        raise ValueError(f"{str(log)!r} is not a log: it holds no mapping")
    return read


def candidates_in(log: Mapping[str, Any], game: Game) -> list[list[dict[str, Any]]]:
    """The actions that bots considered before each move, the best first, by a log; [] for a move without any.

    game: the end of the log; a game that is not over has none, as they would show hidden cards. ValueError if the log
    is damaged.
    """
    told = told_in(log)
    return [(game.is_over and found) or [] for found in told]


def told_in(log: Mapping[str, Any]) -> list[Candidates]:
    """What bots considered before each move, as a log has it. ValueError if that is damaged."""
    rows, n = log.get("candidates"), len(log["moves"])
    if rows is None:
        return [None] * n
    if not isinstance(rows, list) or len(rows) != n or not all(map(_are_candidates, rows)):
        raise ValueError("this log is damaged: candidates must be a list with an entry for each move")
    return rows


def forfeit_in(log: Mapping[str, Any], num_players: int) -> tuple[int, str, str] | None:
    """The fault that ended a game, by its log: the seat that lost, its kind, and the reason in one line; None if there
    is none. ValueError if it is damaged."""
    forfeit = log.get("forfeit")
    if forfeit is None:
        return None
    told: list[Any] = [forfeit.get(key) for key in ("seat", "kind", "text")] if isinstance(forfeit, Mapping) else []
    if [type(one) for one in told] != [int, str, str] or not 0 <= told[0] < num_players:
        raise ValueError("this log is damaged: a fault must have the number of a seat, a kind and a text")
    return told[0], in_one_line(told[1]), in_one_line(told[2])


def describe_forfeit(log: Mapping[str, Any], num_players: int) -> str:
    """The fault that ended a game, in a line; "" if there is none. ValueError if it is damaged."""
    if (forfeit := forfeit_in(log, num_players)) is None:
        return ""
    seat, kind, reason = forfeit
    return f"Forfeit: {seat_name(seat)} {named(log, num_players)[seat]} lost by {kind}: {reason}"


def with_candidates(log: dict[str, Any], told: list[Candidates]) -> dict[str, Any]:
    """A log with what bots considered before each of its moves; as it was where none of them said anything."""
    return {**log, "candidates": told} if any(told) else log


def _are_candidates(rows: Any) -> bool:
    if rows is None:
        return True
    return isinstance(rows, list) and all(
        isinstance(one, dict)
        and isinstance(one.get("action"), str)
        and all(isinstance(said, str) if key == "action" else _is_number(said) for key, said in one.items())
        for one in rows
    )


def _is_number(said: Any) -> bool:
    """Whether a log may hold it: no NaN, and nothing that is too large to be written with decimals."""
    return isinstance(said, int | float) and -MOST_SAID < said < MOST_SAID


def thought_of(candidate: Mapping[str, Any]) -> str:
    """What a bot thought of an action that it considered, in a few words."""
    parts = []
    if "visits" in candidate:
        parts.append(f"{candidate['visits']} simulations")
    if "value" in candidate:
        parts.append(f"value {candidate['value']:.2f}")
    if "probability" in candidate:
        parts.append(f"{candidate['probability']:.0%}")
    if "score" in candidate:
        parts.append(f"score {candidate['score']:.2f}")
    return ", ".join(parts)


def named(log: Mapping[str, Any], num_players: int) -> list[str]:
    """The player of each seat in one line, as the log says; "" where it does not."""
    agents = log.get("agents")
    is_told = isinstance(agents, list) and len(agents) == num_players
    return [in_one_line(str(agent)) for agent in agents] if is_told else [""] * num_players  # type: ignore[union-attr]


def called(specs: Sequence[str]) -> list[str]:
    """What people call the seats: bots by short names, those of one name with their seats; a person `YOU`, several by
    number; "" is a seat of which nothing is known."""
    names = [short_name(spec) if spec else seat_name(seat) for seat, spec in enumerate(specs)]
    people = [seat for seat, spec in enumerate(specs) if spec == PERSON]
    told = {seat: f"Person {number}" if people[1:] else YOU for number, seat in enumerate(people, 1)}
    return [
        told[seat] if seat in told
        else name if names.count(name) == 1
        else f"{name} in seat {seat + 1}" if name[-1].isdigit()
        else f"{name} {seat + 1}"
        for seat, name in enumerate(names)
    ]  # fmt: skip


def short_name(spec: str) -> str:
    """What people call a bot: its name without parameters, that of its network, or its level."""
    name, _, rest = spec.partition(":")
    first = rest.partition(",")[0]
    if name == "level":
        return f"level {first}"
    return Path(first).stem if name == "policy" and first and "=" not in first else name
