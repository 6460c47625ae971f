"""Prebuilt kernels: equal to Numba's byte for byte, refused in one line if they do not fit."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from tests.toy.game_spec import GAME_SPEC as TOY
from vitienv.core.batch import ARRAYS, Batch, make_keys
from vitienv.core.compiling import code_cache, jit, prebuilt
from vitienv.core.kernel import LOOPS
from vitienv.registry import game_names, game_spec

pytestmark = pytest.mark.skipif(
    not jit.can_compile() or shutil.which("cc") is None or sys.platform != "linux", reason="nothing can be built"
)
NUM_GAMES = 8
DEAL_INTERVAL = 25  # steps between comparisons of observations, standings and deals
KERNEL = "tests.toy.game_spec.run"


def sources_of(game) -> dict[str, jit.KernelSource]:
    folder = game.kernels.folder
    return {source.function.__name__: source for source in jit.KERNELS if source.folder == folder}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A directory with the library of the toy game."""
    from tools import native

    folder = tmp_path_factory.mktemp("kernels")
    native.build("toy", [sources_of(TOY)[name] for name in LOOPS], folder)
    return folder


@pytest.fixture
def folder(built, tmp_path, monkeypatch):
    """A copy of it in the search path of this process."""
    copy = shutil.copytree(built, tmp_path / "kernels")
    monkeypatch.setattr(prebuilt, "FOLDER", copy)
    monkeypatch.setattr(prebuilt, "_refused", set())
    monkeypatch.setattr(code_cache, "silent", False)
    prebuilt._library.cache_clear()
    yield copy
    prebuilt._library.cache_clear()


def edit_table(change):
    """Return a function that edits the table of a directory, or its first kernel."""

    def edit(folder):
        path = folder / "toy.json"
        table = json.loads(path.read_text())
        change(table, table["kernels"][0])
        path.write_text(json.dumps(table))

    return edit


def edit_files(pattern, change):
    """Return a function that edits the bytes of files of a directory; None removes them."""

    def edit(folder):
        for path in folder.glob(pattern):
            data = path.read_bytes()
            path.unlink()  # the loaded file stays mapped
            if change:
                path.write_bytes(change(data))

    return edit


def remove_kernel(table, _):
    table["kernels"] = [row for row in table["kernels"] if row["name"] != KERNEL]


DAMAGES = {
    "version must be": edit_table(lambda table, row: table.update(version="0.0.1")),
    "system must be": edit_table(lambda table, row: table.update(system="linux-riscv64")),
    f"folder of {KERNEL} must be": edit_table(lambda table, row: row.update(folder="toy-0123456789abcdef")),
    f"types of {KERNEL} must be": edit_table(
        lambda table, row: row["types"].__setitem__(2, "record:0123456789abcdef:176[::1]")
    ),
    f"sizes of {KERNEL} must be": edit_table(lambda table, row: row["sizes"].update(N_ACTIONS=3)),
    "processor must support one of x86-64-v9, got": edit_table(
        lambda table, row: table.update(levels={"x86-64-v9": table["levels"]["x86-64"]})
    ),
    f"the table must contain kernel '{KERNEL}'": edit_table(remove_kernel),
    "undefined symbol: no_such_symbol": edit_table(lambda table, row: row.update(symbol="no_such_symbol")),
    ".so must be": edit_files("toy-*.so", lambda data: data[:-1]),
    "No such file": edit_files("toy-*.so", None),
    "SHA-256 of shim.abi3.so must be": edit_files(prebuilt.SHIM, lambda data: data + b"\0"),
    "toy.json": edit_files("toy.json", lambda data: data[:100]),
}


@pytest.mark.parametrize("reason", DAMAGES)
def test_unsuitable_library_is_refused_in_one_line(folder, capfd, reason):
    source = sources_of(TOY)["run"]
    assert prebuilt.find(source)[1] == ""
    prebuilt._library.cache_clear()
    DAMAGES[reason](folder)
    kernel, refusal = prebuilt.find(source)
    assert kernel is None and refusal.startswith("prebuilt kernels of toy are not used: ") and reason in refusal
    prebuilt.find(source)
    assert capfd.readouterr().err == f"vitienv: {refusal}\n"


def test_missing_library_causes_no_message(folder, capfd):
    (folder / "toy.json").unlink()
    assert prebuilt.find(sources_of(TOY)["run"])[0] is None and capfd.readouterr().err == ""


def test_kernels_check_their_arrays(folder):
    standings, _ = prebuilt.find(sources_of(TOY)["write_standings"])
    batch = Batch(2, TOY.options.of())
    good = batch.records, np.zeros((2, 3), np.int16), np.zeros((2, 3), np.int16)
    assert standings(*good) is None
    read_only = good[1].copy()
    read_only.flags.writeable = False
    for array, reason in (
        (good[1].astype(np.int32), "type"), (good[1].astype(np.uint16), "type"), (good[1][0], "dimensions"),
        (np.zeros((2, 6), np.int16)[:, ::2], "strides"), (read_only, "writability"),
        (np.zeros(13, np.int8)[1:].view(np.int16).reshape(2, 3), "type"),  # not aligned: another format
    ):  # fmt: skip
        with pytest.raises(TypeError, match=f"write_standings: argument 1 has the wrong {reason}"):
            standings(good[0], array, good[2])
    for arguments in (good[:2], (*good, 1), (good[0], 1, good[2]), (good[1], *good[1:])):
        with pytest.raises(TypeError):
            standings(*arguments)


def test_packed_arguments(folder):
    """They replace the last arguments of their kernel, and keep the arrays alive."""
    standings, _ = prebuilt.find(sources_of(TOY)["write_standings"])
    determinize, _ = prebuilt.find(sources_of(TOY)["determinize"])
    batch = Batch(2, TOY.options.of())
    batch.start(make_keys(7, 2))
    batch.playout()
    scores, ranks = np.zeros((2, 3), np.int16), np.zeros((2, 3), np.int16)
    references = sys.getrefcount(ranks)
    packed = standings.pack(standings.pack(ranks))
    assert standings(batch.records, scores, packed) is None
    assert (scores == batch.scores).all() and (ranks == batch.ranks).all() and ranks.any()
    assert sys.getrefcount(ranks) > references
    del packed
    assert sys.getrefcount(ranks) == references
    packed = standings.pack(scores, ranks)
    for kernel, arguments in (
        (standings, (batch.records, scores, packed)), (determinize, (batch.records, packed)),
        (standings, (packed, scores)),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            kernel(*arguments)
    for arguments in ((batch.records, scores, ranks, 1), (scores, ranks.astype(np.int32))):
        with pytest.raises(TypeError):
            standings.pack(*arguments)


def compare_in_lock_step(game, options, decisions: int) -> None:
    """Play random games with prebuilt kernels and with Numba's; states and all arrays are equal after each step."""
    by_name = sources_of(game)
    ways = []
    for make in (lambda source: prebuilt.find(source)[0], jit.dispatcher):
        batch = Batch(NUM_GAMES, options)
        batch.kernels = replace(game.kernels, **{name: make(by_name[name]) for name in LOOPS})
        batch._arguments = batch._slices()
        ways.append(batch)
    assert jit.code_of(ways[0].kernels.run) == "prebuilt" != jit.code_of(ways[1].kernels.run)
    for batch in ways:
        batch.start(make_keys(7, NUM_GAMES))
    num_decisions, step = 0, 0
    while num_decisions < decisions:
        counts = [batch.step_random() for batch in ways]
        assert counts[0] == counts[1] > 0
        num_decisions, step = num_decisions + counts[0], step + 1
        if step % DEAL_INTERVAL == 0:
            viewers = np.full(NUM_GAMES, step % options.num_players, np.int8)
            rows = np.arange(NUM_GAMES)
            assert len({batch.observe_rows(rows, viewers).tobytes() for batch in ways}) == 1
            assert len({b"".join(part.tobytes() for part in batch.standings()) for batch in ways}) == 1
            actors = ways[0].seats.copy()  # the pending decision is hidden from other seats
            for batch in ways:
                batch.determinize(actors, make_keys(step, NUM_GAMES))
                batch.refresh()
        for name in ("bytes_view", *ARRAYS):
            assert getattr(ways[0], name).tobytes() == getattr(ways[1], name).tobytes(), (name, step)


def test_toy_game_in_lock_step(folder):
    compare_in_lock_step(TOY, TOY.options.of(num_players=3), 5_000)


@pytest.mark.parametrize("decisions", [1_000, pytest.param(20_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", game_names())
def test_games_in_lock_step(name, decisions, request):
    """With libraries of `make kernels`. The short test requires cached Numba code."""
    game = game_spec(name)
    run = sources_of(game)["run"]
    if prebuilt.find(run)[0] is None:
        pytest.skip("no prebuilt kernels (make kernels)")
    if decisions < 20_000 and not jit.dispatcher(run)._cache.is_cached():
        pytest.skip("Numba has not compiled this game")
    tables = [game.options.of(ruleset=ruleset, num_players=n) for ruleset in game.rulesets
              for n in game.options.of(ruleset=ruleset).players()]  # fmt: skip
    for options in (table for table in tables if table.game_spec is game):
        compare_in_lock_step(game, options, -(-decisions // len(tables)))


def test_every_kernel_declares_its_types():
    """A kernel without types would be compiled by Numba, and missing without Numba."""
    from tools.kernels import NETWORKS, kernels_of

    for name in (NETWORKS, *game_names()):
        sources = kernels_of(name)
        assert len(sources) >= 7
        for source in sources:
            assert len(source.arguments) >= len(source.structure) > 0
    ours = [source for source in jit.KERNELS if source.name.startswith("vitienv.")]
    assert all(source.types is not None for source in ours)


WITHOUT_NUMBA = """
import sys
from pathlib import Path
sys.modules["numba"] = None
from vitienv.core.compiling import prebuilt
prebuilt.FOLDER = Path(sys.argv[1])
from vitienv.core.batch import Batch, make_keys
from tests.toy.game_spec import GAME_SPEC
batch = Batch(4, GAME_SPEC.options.of(num_players=3))
batch.start(make_keys(7, 4))
print(batch.playout(), batch.bytes_view.tobytes().hex())
"""


def test_game_without_numba(folder):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA, str(folder)], capture_output=True, text=True, check=True
    )
    batch = Batch(4, TOY.options.of(num_players=3))
    batch.start(make_keys(7, 4))
    assert done.stdout.split() == [str(batch.playout()), batch.bytes_view.tobytes().hex()]


@pytest.mark.slow
def test_builds_are_reproducible(built, tmp_path):
    """In another process, with other names and addresses."""
    script = f"""
from pathlib import Path
from tests.engine.compiling.test_prebuilt import LOOPS, TOY, sources_of
from tools import native
native.build("toy", [sources_of(TOY)[name] for name in LOOPS], Path({str(tmp_path)!r}))
"""
    subprocess.run([sys.executable, "-c", script], check=True)
    assert {path.name: path.read_bytes() for path in built.iterdir()} == {
        path.name: path.read_bytes() for path in tmp_path.iterdir()
    }
