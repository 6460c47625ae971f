"""vitienv replay: game logs, move by move."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from vitienv.console import JSON, TRUST, echo, echo_lines, print_json, progress, reject, reject_others
from vitienv.core.files import from_json, read_lines, read_text
from vitienv.core.text_utils import count
from vitienv.render.text import render, round_name, seat_name
from vitienv.session import saves
from vitienv.session.game_session import date_of
from vitienv.session.replay import (
    describe_candidate,
    describe_forfeit,
    display_names,
    position_after,
    read_agents,
    visible_candidates,
)

if TYPE_CHECKING:
    from vitienv.game import Game

TOURNAMENT_LOGS = "logs.jsonl.gz"


def command(
    context: typer.Context,
    files: list[str] = typer.Argument(
        None,
        metavar="FILE",
        help="Log of one game (.json) or of many (.jsonl, .jsonl.gz), name of a saved game, or tournament directory.",
    ),
    game: int = typer.Option(None, min=0, help="Index of the game in a file of many; by default 0."),
    move: int = typer.Option(None, min=0, help="Show only the position after this many moves."),
    html: Path = typer.Option(None, help="Self-contained HTML file of the game, to open in a browser or to share."),
    text: bool = typer.Option(False, "--text", help="Describe the moves and their results in sentences."),
    delete: bool = typer.Option(False, "--delete", help="Delete these saved games."),
    trust: bool = TRUST,
    as_json: bool = JSON,
) -> None:
    """Print a game move by move and verify that the replay reaches the saved state.

    Without FILE: list the saved games of `vitienv play`.
    """
    import vitienv
    from vitienv.commands import saved_games

    if delete:
        reject_others(context, "--delete deletes saved games", "delete", "files", "as_json")
        saved_games.delete(files or [], as_json)
        return
    if not files:
        reject_others(context, "without FILE, the saved games are listed", "as_json")
        saved_games.show(as_json)
        return
    if len(files) > 1:
        raise ValueError(f"FILE must be one log, got {len(files)}")
    file = Path(files[0])
    if text:
        reject(context, "--text describes all moves", "move", "as_json")
    log = load(file, game)
    end = vitienv.replay(log)
    if html is not None:
        reject_others(context, "--html writes a page", "html", "files", "game", "trust")
        _write_page(log, html)
    elif as_json:
        print_json(_summary(log, end, move))
    elif move is not None:
        _show_position(log, move)
    else:
        for line in lines(log, end, text):
            echo(line)


def _write_page(log: dict[str, Any], file: Path) -> None:
    from vitienv.core.files import atomic
    from vitienv.web.replay_page import replay_page

    with progress("drawing") as report:
        page = replay_page(log, report)
    with atomic(file) as temporary:
        temporary.write_text(page, encoding="utf-8")
    echo(f"{file}: {count(len(log['moves']), 'move')}, {len(page) / 1e6:.1f} MB; open it in a browser")


def load(file: Path, number: int | None = None) -> dict[str, Any]:
    """Return a log from a file, a saved game or a tournament directory. Raises ValueError if it cannot be read."""
    file = saves.game_file(file) or (file / TOURNAMENT_LOGS if file.is_dir() else file)
    if not file.is_file():
        raise ValueError(f"file {str(file)!r} does not exist")
    is_of_many = ".jsonl" in file.suffixes
    if number and not is_of_many:
        raise ValueError(f"--game requires a file of many games, got {str(file)!r}")
    try:
        text = next(islice(read_lines(file), number or 0, None), None) if is_of_many else read_text(file)
        log = None if text is None else from_json(text)
    except ValueError as error:
        raise ValueError(f"{str(file)!r} is not a log: {error}") from None
    if text is None:
        raise ValueError(f"{str(file)!r} has no game {number or 0}")
    if not isinstance(log, dict):
        raise ValueError(f"{str(file)!r} is not a log: expected a JSON object")
    return log


def lines(log: dict[str, Any], end: Game, text: bool = False) -> Iterator[str]:
    """Yield a game in lines: a heading per season, each move (text: in sentences) and the result."""
    game = position_after(log, 0)
    names = read_agents(log, game.num_players)
    players = "1 player" if game.num_players == 1 else f"{game.num_players} players"
    seat_labels = ", ".join(f"{seat + 1} {name}" if name else seat_name(seat) for seat, name in enumerate(names))
    yield f"{game.options.ruleset}, {players}, seed {log.get('seed')}: {seat_labels}"
    labels = display_names(names)
    width = max(map(len, names))
    heading = None
    candidates = visible_candidates(log, end)
    for number, move in enumerate(log["moves"], 1):
        heading_key = (game.round, game.phase)
        if heading_key != heading:
            heading = heading_key
            yield from ("", f"{date_of(game)}: {standing(game)}")
        before = game.copy()
        game.step(move)
        descriptions = [f"{row['action']} ({describe_candidate(row)})" for row in candidates[number - 1]]
        considered = [f"       considered: {', '.join(descriptions)}"] if descriptions else []
        if text:
            yield from before.game_spec.text_module.describe_move(before, game, game.moves[-1], labels)
            yield from considered
            continue
        seat = int(before.current_seat or 0)
        target = _target(game.moves[-1], seat, game.num_players)
        yield f"{number:5}  {seat_name(seat)} {names[seat]:<{width}} {before.decision:<16} {target}{game.moves[-1]}"
        yield from considered
    if end.is_over:
        truncated = " (truncated)" if end.is_truncated else ""
        yield ""
        yield f"Over{truncated} in {round_name(end.game_spec.rounds.word, end.round)}: {standing(end)}"
        yield "Ranks: " + ", ".join(f"{seat_name(seat)} {rank}" for seat, rank in enumerate(end.ranks))
    else:
        yield ""
        yield f"Not over; {seat_name(end.current_seat)} to {end.decision}: {standing(end)}"
    if forfeit := describe_forfeit(log, end.num_players):
        yield forfeit
    verified = f"Verified: {len(log['moves'])} moves lead to the saved state."
    yield verified if log.get("state") else "Not verified: the log has no saved state."


def _target(action: str, seat: int, num_players: int) -> str:
    """Return the seat of a relative action: seat:+1 is the next seat clockwise."""
    block, _, steps = action.partition(":+")
    return f"({seat_name((seat + int(steps)) % num_players)}) " if block == "seat" else ""


def standing(game: Game) -> str:
    """Return the scores of all seats in one line."""
    scored_in = game.game_spec.scored_in
    return ", ".join(f"{seat_name(seat)} {points} {scored_in}" for seat, points in enumerate(game.scores))


def _show_position(log: dict[str, Any], move: int) -> None:
    game = position_after(log, move, "--move")
    if move:
        echo(f"After move {move}: {log['moves'][move - 1]}")
    echo_lines(render(game))
    if not game.is_over:
        echo(f"Legal: {', '.join(game.legal_actions())}")


def _summary(log: dict[str, Any], end: Game, move: int | None) -> dict[str, Any]:
    game = end if move is None else position_after(log, move, "--move")
    return {
        "verified": bool(log.get("state")),
        "moves": len(log["moves"]),
        "move": len(log["moves"]) if move is None else move,
        "seat": game.current_seat,
        "decision": game.decision,
        "legal_actions": game.legal_actions(),
        "scores": game.scores,
        "ranks": game.ranks if game.is_over else None,
        "is_over": game.is_over,
        "forfeit": log.get("forfeit"),
        "position": game.to_dict(),
    }
