"""Game logs: settings and moves, sufficient to replay a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vitienv.core.files import read_json
from vitienv.core.text_utils import YOU, in_one_line
from vitienv.registry import DEFAULT, game_from_untrusted_file
from vitienv.render.text import seat_name
from vitienv.version import __version__

if TYPE_CHECKING:
    from vitienv.game import Game

Candidates = list[dict[str, Any]] | None  # actions considered before a move, best first

PERSON = "you"  # entry of a person in a log's list of agents
MAX_VALUE = 1e15  # bound of a candidate's numbers, so that they can be printed with decimals


def replay(log: Mapping[str, Any] | str | Path) -> Game:
    """Replay a log, given as a mapping or as the path of a JSON file.

    Raises ValueError if the log is damaged or foreign, or does not reach the recorded state.
    """
    from vitienv.game import FORMAT, Game, IllegalAction

    log = _read(log)
    missing = [key for key in ("format", "options", "moves") if key not in log]
    if missing or log["format"] != FORMAT:
        problem = f"{missing[0]!r} is missing" if missing else f"format must be {FORMAT}, got {log['format']!r}"
        raise ValueError(f"not a log of a vitienv game: {problem}")
    moves, options = log["moves"], log["options"]
    if not isinstance(moves, list) or not isinstance(options, Mapping):
        raise ValueError("the log is damaged: options must be a mapping and moves a list")
    if log.get("position"):
        game = Game.from_dict(log["position"])
        game_name, position_game = log.get("game", DEFAULT), log["position"].get("game", DEFAULT)
        if game_name != position_game:
            raise ValueError(f"the log is damaged: its game is {game_name!r}, but its position is of {position_game!r}")
    else:
        try:
            game = Game.new(seed=log.get("seed"), game=game_from_untrusted_file(log), **options)
        except TypeError as error:
            raise ValueError(f"the log is damaged: {error}") from None
    if log.get("data") not in (None, game.game_spec.data):
        raise ValueError(
            f"the log was recorded with different card data: expected {game.game_spec.data!r}, got {log['data']!r}"
        )
    for i, move in enumerate(moves):
        try:
            game.step(move)
        except IllegalAction as error:
            raise ValueError(f"move {i + 1} of the log is illegal: {error}") from None
    if log.get("state") not in (None, game.game_spec.digest(game.state)):
        raise ValueError(
            "the replay does not reach the recorded state "
            f"(log written by vitienv {log.get('vitienv')}; this is {__version__})"
        )
    return game


def position_after(log: Mapping[str, Any], moves: int, name: str = "move") -> Game:
    """Return the game of a log after a number of moves. ValueError if the log has fewer. name: for the error."""
    if not 0 <= moves <= len(log["moves"]):
        raise ValueError(f"{name} must be from 0 to {len(log['moves'])}, got {moves}")
    return replay({**log, "moves": log["moves"][:moves], "state": None})


def _read(log: Mapping[str, Any] | str | Path) -> Mapping[str, Any]:
    content = log if isinstance(log, Mapping) else read_json(Path(log))
    if not isinstance(content, Mapping):
        raise ValueError(f"{str(log)!r} is not a log: expected a JSON object")
    return content


def visible_candidates(log: Mapping[str, Any], game: Game) -> list[list[dict[str, Any]]]:
    """Return the actions that bots considered before each move, best first.

    game: the game at the end of the log. Candidates of an unfinished game would reveal hidden cards, so its lists are
    empty. Raises ValueError if the log is damaged.
    """
    return [(game.is_over and rows) or [] for rows in read_candidates(log)]


def read_candidates(log: Mapping[str, Any]) -> list[Candidates]:
    """Return the candidates of each move in a log. Raises ValueError if they are damaged."""
    rows, n = log.get("candidates"), len(log["moves"])
    if rows is None:
        return [None] * n
    if not isinstance(rows, list) or len(rows) != n or not all(map(_are_candidates, rows)):
        raise ValueError("the log is damaged: candidates must be a list with an entry for each move")
    return rows


def describe_forfeit(log: Mapping[str, Any], num_players: int) -> str:
    """Return the failures of programs in a game as one line; "" without one. Raises ValueError if they are damaged."""
    agents, replaced = read_agents(log, num_players), log.get("replaced", [])
    if not isinstance(replaced, list):
        raise ValueError(f"the log is damaged: replaced must be a list, got {replaced!r}")
    lines = []
    for forfeit in [*replaced, *([] if log.get("forfeit") is None else [log["forfeit"]])]:
        forfeit = forfeit if isinstance(forfeit, Mapping) else {}
        values: list[Any] = [forfeit.get(key) for key in ("seat", "kind", "text")]
        if [type(value) for value in values] != [int, str, str] or not 0 <= values[0] < num_players:
            raise ValueError("the log is damaged: a forfeit must have the index of a seat, a kind and a text")
        seat, kind, reason = values
        replaced_after = f"Replaced by random after move {forfeit['move']}" if "move" in forfeit else ""
        start = replaced_after or ("Void" if forfeit.get("void") else "Forfeit")
        verb = "lost" if start == "Forfeit" else "failed"
        lines.append(f"{start}: {seat_name(seat)} {agents[seat]} {verb} by {kind}: {reason}")
    return in_one_line("; ".join(lines))


def with_candidates(log: dict[str, Any], candidates: list[Candidates]) -> dict[str, Any]:
    """Return a log with the candidates of its moves, if there are any."""
    return {**log, "candidates": candidates} if any(candidates) else log


def _are_candidates(rows: Any) -> bool:
    if rows is None:
        return True
    return isinstance(rows, list) and all(
        isinstance(row, dict)
        and isinstance(row.get("action"), str)
        and all(isinstance(value, str) if key == "action" else _is_number(value) for key, value in row.items())
        for row in rows
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and -MAX_VALUE < value < MAX_VALUE  # excludes NaN


def describe_candidate(candidate: Mapping[str, Any]) -> str:
    """Return a bot's evaluation of an action as text."""
    formats = {"visits": "{} simulations", "value": "value {:.2f}", "probability": "{:.0%}", "score": "score {:.2f}"}
    return ", ".join(text.format(candidate[name]) for name, text in formats.items() if name in candidate)


def read_agents(log: Mapping[str, Any], num_players: int) -> list[str]:
    """Return the agent of each seat in a log, in one line; "" if unknown."""
    agents = log.get("agents")
    if not isinstance(agents, list) or len(agents) != num_players:
        return [""] * num_players
    return [in_one_line(str(agent)) for agent in agents]


def read_seats(log: Mapping[str, Any], num_players: int) -> tuple[int | None, dict[int, str]]:
    """Return the person's seat (None if unknown) and the bot specs by seat in a log.

    ValueError if the log's agents are not a name for each seat.
    """
    agents = log.get("agents") or []
    seat = log.get("seat")
    is_list = isinstance(agents, list) and all(isinstance(spec, str) for spec in agents)
    if not is_list or len(agents) not in (0, num_players):
        raise ValueError(f"agents must be a list of {num_players} names, got {agents!r}")
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < num_players:
        seat = agents.index(PERSON) if agents.count(PERSON) == 1 else None
    return seat, {i: spec for i, spec in enumerate(agents) if spec != PERSON}


def display_names(specs: Sequence[str]) -> list[str]:
    """Return display names of the seats.

    Bots have short names, with the seat if several share one. One person is `YOU`; several are numbered. "" is an
    unknown player.
    """
    names = [short_name(spec) if spec else seat_name(seat) for seat, spec in enumerate(specs)]
    people = [seat for seat, spec in enumerate(specs) if spec == PERSON]
    person_names = {seat: f"Person {number}" if people[1:] else YOU for number, seat in enumerate(people, 1)}
    return [
        person_names[seat] if seat in person_names
        else name if names.count(name) == 1
        else f"{name} in seat {seat + 1}" if name[-1].isdigit()
        else f"{name} {seat + 1}"
        for seat, name in enumerate(names)
    ]  # fmt: skip


def short_name(spec: str) -> str:
    """Return the display name of a bot: its level, the file name of its network, or its name without parameters."""
    name, _, parameters = spec.partition(":")
    first = parameters.partition(",")[0]
    if name == "level":
        return f"level {first}"
    return Path(first).stem if name == "policy" and first and "=" not in first else name
