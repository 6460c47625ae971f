"""A folder that a person can upload to a model hub: networks or a data set, and a card. Nothing is uploaded here.

A card is README.md: front matter (YAML, in the form of it that is JSON), then what is in the folder. Its results are
figures of `measure.published`, which the documentation has too. A data set gets `croissant.json`, which describes its
columns to other programs (mlcommons.org/croissant).
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import numpy as np

import vitienv
from vitienv.agents.champions import NAME, digest_of, path_of
from vitienv.agents.layouts import layout_of
from vitienv.agents.policy import WEIGHTS, find_weights, load_networks
from vitienv.core.definition import Definition
from vitienv.core.english import markdown
from vitienv.core.files import versions, write_json
from vitienv.data import CARD as DATA_CARD
from vitienv.data import COLUMNS, Column, DataSet, part_file, read
from vitienv.games import DEFAULT, definition, known_as
from vitienv.training.measure import published
from vitienv.training.measure.remarks import public_name, public_names
from vitienv.training.measure.shipping import shipping, table_of_networks

README, CROISSANT = "README.md", "croissant.json"
LICENCE = "mit"  # of the project, and so of what it made
TASK = "reinforcement-learning"
SIZES = (("n<1K", 10**3), ("1K<n<10K", 10**4), ("10K<n<100K", 10**5), ("100K<n<1M", 10**6), ("1M<n<10M", 10**7),
         ("10M<n<100M", 10**8), ("100M<n<1B", 10**9), ("n>1B", float("inf")))  # fmt: skip

# Croissant's words, by which its keys are read.
CONTEXT = {
    "@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/", "dct": "http://purl.org/dc/terms/", "conformsTo": "dct:conformsTo",
    **{name: f"cr:{name}" for name in (
        "arrayShape", "citeAs", "column", "extract", "field", "fileSet", "includes", "isArray", "recordSet", "source",
    )},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
}  # fmt: skip


def make(folder: Path | str, source: Path | str = NAME, game: str = DEFAULT) -> list[str]:
    """Make a new folder out of a source; returns the names of its files.

    source: "champion", all networks of a game that ship; a file of weights or a run folder; a data set. game: of
    networks. The folder is there whole or not at all. ValueError, in one line, if it holds something already or if the
    source is none of these.
    """
    folder, source = Path(folder), Path(source)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{str(folder)!r} exists; an upload needs a new folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".tmp", dir=folder.parent))
    try:
        if source != Path(NAME) and (source / DATA_CARD).is_file():
            _data_set(made, read(source))
        else:
            _networks(made, str(source), definition(game))
        (made / "LICENSE").write_text(_licence(), encoding="utf-8")
        made.chmod(0o755)
        os.replace(made, folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return sorted(path.name for path in folder.iterdir())


def _licence() -> str:
    """The project's licence: as it is installed, or of the sources."""
    text, source = distribution("vitienv").read_text("licenses/LICENSE"), Path(vitienv.__file__).parents[1] / "LICENSE"
    return source.read_text(encoding="utf-8") if text is None else text


def _card(path: Path, about: dict[str, Any], parts: Sequence[str]) -> None:
    """Write a card: a line for each key of what programs read, then parts for people."""
    front = ",\n".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in about.items())
    (path / README).write_text(f"---\n{{{front}}}\n---\n\n" + "\n\n".join(parts) + "\n", encoding="utf-8")


# What is published of bots.


def figures_of(bots: Iterable[str], game: str) -> list[published.Figure]:
    """The published strength of some bots, by their specs, at the tables of a game."""
    figures = []
    for figure in published.read():
        words = shlex.split(figure.command)
        of = words[words.index("--game") + 1] if "--game" in words else DEFAULT
        if figure.kind == "strength" and of == game and words[1] == "evaluate" and words[2] in bots:
            figures.append(figure)
    return figures


def _results(figures: Sequence[published.Figure], else_said: str) -> str:
    """The figures as a section of a card. else_said: where there are none."""
    if not figures:
        return f"## Results\n\n{else_said}"
    rows = [[figure.name, figure.told, f"{figure.games:,}", f"`{figure.command}`"]
            for figure in figures]  # fmt: skip
    told = "Win rates with 95 % intervals, the same as in the documentation of vitienv."
    return f"## Results\n\n{told}\n\n{markdown(['', 'measured', 'games', 'command'], rows)}"


def _index(title: str, game: Definition, figures: Sequence[published.Figure]) -> dict[str, Any]:
    """The figures as the hub's leaderboards read them."""
    results = [
        {
            "task": {"type": TASK, "name": game.title},
            "dataset": {"type": "vitienv", "name": figure.name},
            "metrics": [{"type": "win_rate", "value": float(figure.value), "name": f"win rate, {figure.told}"}],
        }
        for figure in figures
    ]
    return {"model-index": [{"name": title, "results": results}]} if results else {}


# Networks.


def _networks(folder: Path, source: str, game: Definition) -> None:
    name = known_as(game)
    paths = [path_of(file, game) for file in shipping(game)] if source == NAME else [_weights(source)]
    if any(path.suffix != WEIGHTS for path in paths):
        raise ValueError(f"{source!r} holds code; a hub gets weights as numbers ({WEIGHTS})")
    rows = []
    for path in paths:
        network: Any = load_networks(str(path), game)  # ValueError unless it can be played
        trained = network.about["trained"]
        copied = _copied(path, folder, trained)
        rows.append([f"`{path.name}`", f"{copied.stat().st_size:,}", f"`{digest_of(copied)}`"])
    layout = layout_of(game)
    figures = figures_of([f"policy:{NAME}"], name) if source == NAME else []
    title = f"Networks that play {game.title}" if source == NAME else f"A network that plays {game.title}"
    about = {
        "license": LICENCE, "library_name": "vitienv", "pipeline_tag": TASK,
        "tags": [TASK, "board-games", name, "safetensors"], **_index(title, game, figures),
    }  # fmt: skip
    how = table_of_networks(game) if source == NAME else _trained(trained)
    spec = f"policy:{paths[0].name}"
    table = "" if name == DEFAULT else f', game="{name}"'
    _card(folder, about, [
        f"# {title}",
        f"Weights for `vitienv` {versions()['vitienv']}, a bot as `policy:FILE`: numbers and nothing else, no code.",
        f"```python\nimport vitienv\n\nbot = vitienv.agent(\"{spec}\"{table})\n```",
        markdown(["file", "bytes", "SHA-256"], rows),
        f"Layout `{layout['digest']}`: {layout['observation']:,} observed numbers, {layout['actions']} actions. "
        "The files hold the names of both; a name that is gone is refused.",
        f"## Training\n\n{how}",
        _results(figures, f"None is published. `vitienv benchmark {spec}` measures it on the tasks of the benchmark."),
        "## Licence\n\nMIT, see LICENSE.",
    ])  # fmt: skip


def _weights(source: str) -> Path:
    """The file of weights at a source. ValueError, in one line, if it is no source at all."""
    try:
        return find_weights(source)
    except ValueError:
        raise ValueError(
            f"there is no file of weights, run folder or data set {source!r}; a source is one of these, or {NAME!r}, "
            "the networks that ship"
        ) from None


def _trained(trained: dict[str, Any]) -> str:
    """How a network of one's own was trained, as its file says."""
    return f"```json\n{json.dumps(public(trained), indent=2, ensure_ascii=False)}\n```"


def public(told: Any) -> Any:
    """Settings as strangers may read them: all that may name a bot by its public name."""
    if isinstance(told, dict):
        return {key: public(value) for key, value in told.items()}
    if isinstance(told, list):
        return [public(value) for value in told]
    return public_name(told) if isinstance(told, str) else told


def _copied(path: Path, folder: Path, trained: dict[str, Any]) -> Path:
    """A copy of weights in a folder: byte for byte, unless they say of their training what strangers must not read."""
    from safetensors import safe_open
    from safetensors.numpy import save_file

    there = folder / path.name
    if public(trained) == trained:
        shutil.copyfile(path, there)
    else:
        with safe_open(path, framework="numpy") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
            save_file(tensors, there, file.metadata() | {"trained": json.dumps(public(trained))})
    return there


# Data sets.


def _data_set(folder: Path, data: DataSet) -> None:
    game = data.definition
    card = data.card | {"agents": public_names(data.card["agents"])}  # addresses stay at home
    for _ in data.batches():  # every number is checked
        pass
    parts = [part_file(number) for number in range(len(data.parts))]
    for name in parts:
        shutil.copyfile(data.folder / name, folder / name)
    write_json(folder / DATA_CARD, card)
    title = f"Games of {game.title}: {card['games']:,} games, {len(data):,} decisions"
    figures = figures_of(data.card["agents"], card["game"])
    columns = [column for column in COLUMNS if column.name in data.columns]
    about = {
        "license": LICENCE, "pretty_name": title, "task_categories": [TASK],
        "tags": ["board-games", card["game"], "vitienv", "offline-reinforcement-learning"],
        "size_categories": [next(size for size, most in SIZES if len(data) < most)],
        "configs": [{"config_name": "default", "data_files": "part-*.parquet"}],
    }  # fmt: skip
    rows = [[f"`{c.name}`", f"{c.width(game):,}", f"`{np.dtype(c.kind).name}`", c.text] for c in columns]
    made = ", ".join(f"{name} {number}" for name, number in card["versions"].items())
    options = ", ".join(f"{name}={value}" for name, value in card["options"].items())
    _card(folder, about, [
        f"# {title}",
        f"Bots {', '.join(f'`{bot}`' for bot in card['agents'])} at a table of {card['num_players']}, seed "
        f"{card['seed']}. One row a decision; a game's rows stand together in their order.",
        "```python\nimport vitienv\n\nrows = vitienv.data.read(\".\").arrays()\n```",
        markdown(["column", "numbers in a row", "type", "what"], rows),
        f"Layout `{card['layout']['digest']}`: {card['layout']['observation']:,} observed numbers, "
        f"{card['layout']['actions']} actions, whose names stand in `{DATA_CARD}`.",
        f"Options of the games: {options}. Made by {made}.",
        _results(figures, "No strength of these bots is published."),
        "## Licence\n\nMIT, see LICENSE.",
    ])  # fmt: skip
    described = croissant(title, card, columns, [folder / name for name in parts], game)
    (folder / CROISSANT).write_text(json.dumps(described, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def croissant(
    title: str, card: dict[str, Any], columns: Sequence[Column], parts: Sequence[Path], game: Definition
) -> dict[str, Any]:
    """The description of a data set in Croissant 1.1. parts: its files, with their SHA-256."""
    parquet = {"encodingFormat": "application/x-parquet"}  # the word that mlcroissant reads
    files = [
        {"@type": "cr:FileObject", "@id": path.name, "name": path.name, "contentUrl": path.name, **parquet,
         "sha256": digest_of(path)}
        for path in parts
    ]  # fmt: skip
    every = {"@type": "cr:FileSet", "@id": "parts", "name": "parts", "includes": "part-*.parquet", **parquet}
    fields = []
    for column in columns:
        kind = "sc:Float" if np.dtype(column.kind).kind == "f" else "sc:Integer"
        array = {"isArray": True, "arrayShape": str(column.width(game))} if column.wide else {}
        source = {"fileSet": {"@id": "parts"}, "extract": {"column": column.name}}
        fields.append({"@type": "cr:Field", "@id": f"decisions/{column.name}", "name": column.name,
                       "description": column.text, "dataType": kind, **array, "source": source})  # fmt: skip
    return {
        "@context": CONTEXT, "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": f"vitienv-{card['game']}-{card['mark']}", "description": f"{title}. Bots: {', '.join(card['agents'])}.",
        "license": "https://spdx.org/licenses/MIT.html", "version": "1.0.0", "distribution": [*files, every],
        "citeAs": f"The vitienv developers: vitienv {versions()['vitienv']}",
        "recordSet": [{"@type": "cr:RecordSet", "@id": "decisions", "name": "decisions", "field": fields}],
    }  # fmt: skip
