"""Bundled networks and their promotion: a new network replaces one if a sequential test accepts it.

The game's directory of champions (`agents.champions.plugin`) contains the weights, named by its NETWORKS, and
`networks.json` with a row for each current and replaced network. Documentation is generated from the rows.
"""

from __future__ import annotations

import json
import shlex
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
from vitienv.training.evaluation.ladder import Champion, Ladder, challenge, check_table, samples_of
from vitienv.training.evaluation.sprt import ACCEPTED, OPEN, Sprt
from vitienv.training.run_dir import LAST
from vitienv.training.search import settings as searched
from vitienv.training.selfplay import settings as played
from vitienv.training.settings import flag_of, settings_of
from vitienv.training.workers import Executor, ProgressCallback, no_progress

ROWS = "networks.json"
SETTINGS = {"selfplay": played, "search": searched}  # modules of the methods of bundled networks
DEFAULT_METHOD, DISTILLATION = "selfplay", "distillation"
COUNTS = "learned", "imitated", "mean of"  # optional counts of a stage


@dataclass(frozen=True)
class Row:
    """A current or former bundled network.

    file: name of the file. weights: SHA-256 of the file. recipe: stages of its training, oldest first, with decisions
    and settings (of replaced networks only those that differ from the defaults). cost: training cost. replaced: SHA-256
    of the previous network. tests: results against it by table, with the fields of `ladder.Champion`.
    """

    file: str
    weights: str
    recipe: list[dict[str, Any]]
    cost: str = ""
    replaced: str | None = None
    tests: list[dict[str, Any]] = field(default_factory=list)


def rows_of(game: GameSpec) -> list[Row]:
    """Return the rows of a game, oldest first; the last row of a file is that of the current network."""
    return [Row(**row) for row in read_json(plugin(game).HERE / ROWS)]


def shipping(game: GameSpec) -> dict[str, Row]:
    """Return the rows of the current networks by file."""
    return {row.file: row for row in rows_of(game)}


def accept(
    run: str | Path, tables: list[str], game: GameSpec, test: Sprt, seed: int = 0, max_pairs: int = 2000,
    processes: int | Executor = 1, cost: str = "", on_progress: ProgressCallback = no_progress,
) -> Row:  # fmt: skip
    """Replace the bundled network of some tables if the sequential test accepts the new one at each; return its row.

    run: a run directory or a file of weights. Interrupted tests are resumed. ValueError, without writing anything, if a
    test does not accept the network, if the tables do not have exactly one network, or if the weights do not fit the
    game or lack training metadata.
    """
    for table in tables:
        check_table(table, game)
    files = {file_at(game.options.of(**game.tables[table])) or "no network" for table in tables}
    if len(files) > 1 or files == {"no network"}:
        raise ValueError(f"tables must have one network, got {','.join(tables)} with {', '.join(sorted(files))}")
    (file,), weights, path, name = files, find_weights(str(run)), plugin(game).HERE / ROWS, canonical_name(game)
    old = shipping(game)[file]
    trained = read_network(weights, game).metadata["trained"]
    recipe, digest = recipe_of(trained, str(weights)), digest_of(weights)
    if digest == old.weights:
        raise ValueError(f"{str(weights)!r} is already the bundled network {file}")
    check_writable(path)
    tests = []
    for table in tables:
        ladder = Ladder([Champion(table, f"policy:{NAME}", game.heuristic_bot, game=name)])
        with samples_of(saves.folder(), ladder, f"policy:{weights}", table, seed, name) as samples_file:
            trial = challenge(
                ladder, f"policy:{weights}", table, test, seed, max_pairs, processes, on_progress, name, samples_file
            )  # fmt: skip
            if trial.verdict != OPEN:
                samples_file.delete()
        new = trial.champion
        if trial.verdict != ACCEPTED:
            raise ValueError(
                f"{file} is not replaced: at table {table} the new network is {trial.verdict} after {new.games} games, "
                f"Elo {new.elo:+.0f} ({new.elo_low:+.0f} to {new.elo_high:+.0f}); it must be accepted"
            )
        values = asdict(new)
        tests.append({key: values[key] for key in values if key not in ("agent", "beaten", "game", "weights")})
    row = Row(file, digest, recipe, cost, old.weights, tests)
    with atomic(path_of(file, game)) as temporary:
        temporary.write_bytes(weights.read_bytes())
    save([*rows_of(game), row], path)
    return row


def recipe_of(trained: dict[str, Any] | None, name: str) -> list[dict[str, Any]]:
    """Return the stages of a training with all settings, oldest first, from the metadata of its weights.

    name: file name for the error. ValueError if a stage has no settings.
    """
    stages: list[dict[str, Any]] = []
    while trained is not None:
        if trained.get("method") not in (*SETTINGS, DISTILLATION) or trained.get("settings") is None:
            raise ValueError(f"{name!r} does not contain its training settings, which a bundled network requires")
        counts = {key: trained[key] for key in COUNTS if trained.get(key)}
        method = {"method": trained["method"]} if trained["method"] != DEFAULT_METHOD else {}
        stages.insert(0, method | {"decisions": trained["decisions"]} | counts | trained["settings"])
        trained = trained.get("before")
    return stages


def script_of(name: str, game: GameSpec) -> str:
    """Return a shell script that retrains a bundled network with today's options. ValueError for an unknown name."""
    rows = shipping(game)
    if name not in rows:
        raise ValueError(f"unknown network {name!r}; expected one of: {', '.join(rows)}")
    lines = ["set -e", f"# The method of {game.name}'s {name}. Its weights differ: processors round differently, and "
             "policy:champion names today's networks."]  # fmt: skip
    folder = f"runs/{name}"
    for number, stage in enumerate(rows[name].recipe, 1):
        method = stage.get("method", DEFAULT_METHOD)
        if method == DISTILLATION:
            lines += _distillation_commands(stage, folder, number)
            continue
        module: Any = SETTINGS[method]
        defaults = asdict(settings_of(module.Settings, {"game": canonical_name(game)}, module.default_settings))
        flags = {setting.name: flag_of(setting) for setting in fields(module.Settings) if flag_of(setting)}
        words = ["vitienv", "train", "--method", method, *(["--game", game.name] if game.name != DEFAULT else [])]
        words += ["--steps", str(stage["decisions"])] if stage["decisions"] else ["--minutes", "0"]
        words += ["--imitate-steps", str(stage["imitated"])] if stage.get("imitated") else []
        for key, flag in flags.items():
            value = stage.get(key, defaults[key])
            if value != json.loads(json.dumps(defaults[key])) or key == "mix":
                words += [f"--{flag.replace('_', '-')}", *([] if value is True else [_text(value)])]
        words += ["--start", f"{folder}/stage{number - 1}/{LAST}"] if number > 1 else []
        lines.append(shlex.join([*words, "--run", f"{folder}/stage{number}"]))
        options = *flags, *COUNTS, "game", "method", "decisions"
        fixed = [f"{key} {_text(stage[key])}" for key in stage if key not in options]
        lines += [f"# Settings without an option today: {', '.join(fixed)}"] if fixed else []
        lines += [f"# The weights are the mean of {stage['mean of']} networks."] if "mean of" in stage else []
    return "\n".join(lines)


def _distillation_commands(stage: dict[str, Any], folder: str, number: int) -> list[str]:
    """Return the commands of `studies/distil.py`, whose teacher is the network of the stage before."""
    labels, teacher = f"{folder}/stage{number}/labels", f"{folder}/stage{number - 1}/{LAST}"
    entries = (entry.rpartition(":") for entry in stage["mix"].split(","))
    tables = ",".join(",".join([name] * int(waves)) for name, _, waves in entries)
    commands = [
        ["generate", labels, "--network", teacher, "--table", tables,
         "--simulations", stage["simulations"], "--seed", seed, "--waves", waves]
        for seed, waves in stage["waves_by_seed"].items()
    ]  # fmt: skip
    out = f"{folder}/stage{number}/{LAST}"
    settings = ["--passes", stage["passes"], "--extrapolation", stage["extrapolation"]]
    commands.append(["train", labels, out, "--network", teacher, *settings])
    return [shlex.join(["python", "studies/distil.py", *map(str, words)]) for words in commands]


def _text(value: Any) -> str:
    return "none" if value is None else ",".join(value) or "none" if isinstance(value, list) else str(value)


def save(rows: list[Row], path: Path) -> None:
    """Write rows atomically, with one line per stage of a recipe and per test."""
    parts = []
    for row in rows:
        lines = []
        for key, value in asdict(row).items():
            text = json.dumps(value, ensure_ascii=False)
            if isinstance(value, list) and value:
                elements = ",\n      ".join(json.dumps(element, ensure_ascii=False) for element in value)
                text = f"[\n      {elements}\n    ]"
            lines.append(f"    {json.dumps(key)}: {text}")
        parts.append("  {\n" + ",\n".join(lines) + "\n  }")
    with atomic(path) as temporary:
        temporary.write_text("[\n" + ",\n".join(parts) + "\n]\n", encoding="utf-8")
