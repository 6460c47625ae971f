"""Networks that ship: a file of weights and a row each; another takes its place once a sequential test accepts it.

Both lie in the game's folder of champions (`agents.champions.plugin`): the weights under the name that its NETWORKS
give to the tables, the row in `networks.json`, where the rows of networks that were replaced stay. Pages are made from
the rows.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from vitienv.agents.champions import NAME, digest_of, file_at, path_of, plugin
from vitienv.agents.network import read_network
from vitienv.agents.policy import find_weights
from vitienv.core.files import atomic, check_writable, read_json
from vitienv.core.game_spec import GameSpec
from vitienv.registry import DEFAULT, canonical_name
from vitienv.session import saves
from vitienv.training.evaluation.ladder import Champion, Ladder, challenge, check_table
from vitienv.training.evaluation.sprt import ACCEPTED, OPEN, Sprt
from vitienv.training.evaluation.sprt_state import samples_of
from vitienv.training.run_dir import LAST
from vitienv.training.search import settings as searched
from vitienv.training.selfplay import settings as played
from vitienv.training.settings import flag_of, settings_of
from vitienv.training.workers import Executor

ROWS = "networks.json"
SHOWN = 6  # tables of a mix that a page shows
SETTINGS = {"selfplay": played, "search": searched}  # methods whose networks ship
DEFAULT_METHOD = "selfplay"
COUNTS = "learned", "imitated", "mean of"  # of a stage, besides its decisions


@dataclass(frozen=True)
class Row:
    """A network that ships, or that did. file: its name. weights: SHA-256 of the file. recipe: the stages of its
    training, oldest first: decisions learned from and all settings, of replaced networks only those that were not
    defaults. cost: what its last stages took. replaced: SHA-256 of the network before it. tests: how it beat that one,
    a table each, as `ladder.Champion`; none where it was accepted before rows were kept."""

    file: str
    weights: str
    recipe: list[dict[str, Any]]
    cost: str = ""
    replaced: str | None = None
    tests: list[dict[str, Any]] = field(default_factory=list)


def rows_of(game: GameSpec) -> list[Row]:
    """The rows of a game, oldest first; the last one of a file is that of the network that ships."""
    return [Row(**row) for row in read_json(plugin(game).HERE / ROWS)]


def shipping(game: GameSpec) -> dict[str, Row]:
    """The rows of the networks that ship now, by their files."""
    return {row.file: row for row in rows_of(game)}


def accept(
    run: str | Path, tables: list[str], game: GameSpec, test: Sprt, seed: int = 0, max_pairs: int = 2000,
    processes: int | Executor = 1, cost: str = "", on_progress: Callable[[int, int, float], None] | None = None,
) -> Row:  # fmt: skip
    """Let a network take the place of the one that plays some tables, if the sequential test accepts it at each.

    run: a run folder, or a file of weights. Tests that were interrupted go on where they were. Returns its row.
    ValueError, in one line, if a test does not accept it, if several networks play the tables or none does, or if the
    weights do not fit or do not say how they were trained; nothing is written then.
    """
    for table in tables:
        check_table(table, game)
    files = {file_at(table, game) or "no network" for table in tables}
    if len(files) > 1 or files == {"no network"}:
        raise ValueError(f"tables {','.join(tables)} are played by {', '.join(sorted(files))}, not by one network")
    (file,), weights, path, name = files, find_weights(str(run)), plugin(game).HERE / ROWS, canonical_name(game)
    old = shipping(game)[file]
    trained = read_network(weights, game).about["trained"]
    recipe, digest = recipe_of(trained, str(weights)), digest_of(weights)
    if digest == old.weights:
        raise ValueError(f"{str(weights)!r} is the network that ships as {file} already")
    check_writable(path)
    tests = []
    for table in tables:
        ladder = Ladder([Champion(table, f"policy:{NAME}", game.heuristic_bot, game=name)])
        kept = samples_of(saves.folder(), ladder, f"policy:{weights}", table, seed, name)
        with kept.lock:
            trial = challenge(
                ladder, f"policy:{weights}", table, test, seed, max_pairs, processes, on_progress, name, kept
            )  # fmt: skip
            if trial.verdict != OPEN:
                kept.end()
        new = trial.champion
        if trial.verdict != ACCEPTED:
            raise ValueError(
                f"{file} stays: at table {table} the new network is {trial.verdict} after {new.games} games, Elo "
                f"{new.elo:+.0f} ({new.elo_low:+.0f} to {new.elo_high:+.0f}); it must be accepted"
            )
        told = asdict(new)
        tests.append({key: told[key] for key in told if key not in ("agent", "beaten", "game", "weights")})
    row = Row(file, digest, recipe, cost, old.weights, tests)
    with atomic(path_of(file, game)) as temporary:
        temporary.write_bytes(weights.read_bytes())
    save([*rows_of(game), row], path)
    return row


def recipe_of(trained: dict[str, Any] | None, name: str) -> list[dict[str, Any]]:
    """Return the stages of a training with all their settings, oldest first, from the metadata of its weights.

    name: of the file, for ValueError without settings.
    """
    stages: list[dict[str, Any]] = []
    while trained is not None:
        if trained.get("method") not in SETTINGS or trained.get("settings") is None:
            raise ValueError(f"{name!r} does not say with what settings it was trained; a network that ships must")
        counts = {key: trained[key] for key in COUNTS if trained.get(key)}
        method = {"method": trained["method"]} if trained["method"] != DEFAULT_METHOD else {}
        stages.insert(0, method | {"decisions": trained["decisions"]} | counts | trained["settings"])
        trained = trained.get("before")
    return stages


def script_of(name: str, game: GameSpec) -> str:
    """Return a shell script that trains a bundled network again by today's options. ValueError for an unknown name."""
    rows = shipping(game)
    if name not in rows:
        raise ValueError(f"unknown network {name!r}; expected one of: {', '.join(rows)}")
    lines = ["set -e", f"# The method of {game.name}'s {name}. Its weights differ: processors round differently, and "
             "policy:champion names today's networks."]  # fmt: skip
    folder = f"runs/{name}"
    for number, stage in enumerate(rows[name].recipe, 1):
        method = stage.get("method", DEFAULT_METHOD)
        module: Any = SETTINGS[method]
        defaults = asdict(settings_of(module.Settings, {"game": canonical_name(game)}, module.usual))
        flags = {each.name: flag_of(each) for each in fields(module.Settings) if flag_of(each)}
        words = ["vitienv", "train", "--method", method, *(["--game", game.name] if game.name != DEFAULT else [])]
        words += ["--steps", str(stage["decisions"])] if stage["decisions"] else ["--minutes", "0"]
        words += ["--imitate-steps", str(stage["imitated"])] if stage.get("imitated") else []
        for key, flag in flags.items():
            value = stage.get(key, defaults[key])
            if value != json.loads(json.dumps(defaults[key])) or key == "mix":
                words += [f"--{flag.replace('_', '-')}", *([] if value is True else [_text(value)])]
        words += ["--start", f"{folder}/stage{number - 1}/{LAST}"] if number > 1 else []
        lines.append(shlex.join([*words, "--run", f"{folder}/stage{number}"]))
        known = *flags, *COUNTS, "game", "method", "decisions"
        fixed = [f"{key} {_text(stage[key])}" for key in stage if key not in known]
        lines += [f"# Settings without an option today: {', '.join(fixed)}"] if fixed else []
        lines += [f"# The weights are the mean of {stage['mean of']} networks."] if "mean of" in stage else []
    return "\n".join(lines)


def _text(value: Any) -> str:
    return "none" if value is None else ",".join(value) or "none" if isinstance(value, list) else str(value)


def table_of_networks(game: GameSpec) -> str:
    """The networks that ship, for the documentation: a row each."""
    rows = ["| file | trained at | decisions learned from | cost | against the one that it replaced |",
            "| --- | --- | --- | --- | --- |"]  # fmt: skip
    for row in shipping(game).values():
        mixes = dict.fromkeys(stage["mix"] for stage in row.recipe)
        learned = sum(stage.get("learned", stage["decisions"]) for stage in row.recipe)
        imitated = sum(stage.get("imitated", 0) for stage in row.recipe)
        said = [f"{learned / 1e6:.1f} million"] * bool(learned) + [f"{imitated / 1e6:.1f} imitated"] * bool(imitated)
        tests = [f"table {test['table']}: Elo {test['elo']:+.0f} ({test['elo_low']:+.0f} to {test['elo_high']:+.0f}), "
                 f"{test['games']:,} games, seed {test['settings']['seed']}" for test in row.tests]  # fmt: skip
        at = ", then ".join(f"`{_short(mix)}`" for mix in mixes)
        rows.append(f"| `{row.file}` | {at} | {', '.join(said)} | {row.cost} | {'; '.join(tests)} |")
    return "\n".join(rows)


def _short(mix: str) -> str:
    tables = mix.split(",")
    return mix if len(tables) <= SHOWN else ",".join([*tables[:SHOWN], "…"])


def save(rows: list[Row], path: Path) -> None:
    """Write rows, whole or not at all: a line for each stage of a recipe and each test."""
    parts = []
    for row in rows:
        lines = []
        for key, value in asdict(row).items():
            said = json.dumps(value, ensure_ascii=False)
            if isinstance(value, list) and value:
                each = ",\n      ".join(json.dumps(one, ensure_ascii=False) for one in value)
                said = f"[\n      {each}\n    ]"
            lines.append(f"    {json.dumps(key)}: {said}")
        parts.append("  {\n" + ",\n".join(lines) + "\n  }")
    with atomic(path) as temporary:
        temporary.write_text("[\n" + ",\n".join(parts) + "\n]\n", encoding="utf-8")
