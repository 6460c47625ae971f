"""The page's substitute for NumPy equals NumPy on random small arrays."""

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import tools.page
from tools.page.build import _python

SUBSTITUTE = Path(tools.page.__file__).parent / "pyodide_numpy"
KINDS = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64")
SEEDS = range(2)

# Arrays of 3 by 4 (a and b of each dtype, b without zeros; m Booleans; x floats), of 4 numbers (v, w), of indices (i).
# Statements before "->" are executed first.
CASES = """
a + b; a - b; a * b; a / b; a == b; a != v; a < b; a <= 3; 3 > a; a >= b; a // b if k != "bool" else a
a % b if k != "bool" else a; 2 + a; a * 1.5; a & m; a ** 2 if k != "bool" else a; abs(a); -a; x - 0.5; 1 - x
x / 2; v + a; a + v[:1]; x * a; (a << 1) >> 1; a ^ b; a.T + b.T; a[:, None] + v[:, None]; a[1]; a[-1, 2]
a[1:, ::2]; a[::-1]; a[..., 1]; a[:, None, 1]; a[i]; a[i, 2]; a[:, i]; a[i, i]; a[m]; v[i]; a[i[:, None], i]
a[1] = 1 -> a; a[:, 1] = v[:3] -> a; a[m] = 0 -> a; a[i] = b[i] -> a; a[1:, ::2] = b[1:, ::2] -> a
a[i, i] = 1 -> a; a += b -> a; a.reshape(2, 6); a.reshape(-1); a.T.reshape(4, 3); a.ravel(); a.T.copy()
a[:, 1].tolist(); a.astype("int8"); a.astype("float32"); a.astype("bool"); a.size; a.ndim; a.nbytes
a.T.tobytes().hex(); v[1:].data.hex(); v.data[:2] = w.data[2:] -> v; len(a)
[value for value in v]; v[2:3].item(); a.view("uint8"); a.sum(); a.max(); a.min(1)
a.any(axis=0); a.argmax(1); bool(v[:1]); int(v[0]); 1 in v; v.fill(1) -> v; a.itemsize; str(a.dtype); np.array(a)
np.asarray([[1, 2], [3, 4]]); np.asarray([1, 2.5]); np.asarray([True, False]); np.require(a, "int32")
np.ascontiguousarray(a.T); np.shape(a); np.zeros((2, 3), "int8"); np.zeros(3); np.empty((2, 0)).shape
np.ones(2, k); np.full((2, 2), 7); np.full(3, 1.5); np.zeros_like(a); np.empty_like(a).shape; np.arange(5)
np.arange(2, 9, 3); np.frombuffer(a.tobytes(), k); np.copyto(a, v) -> a; np.broadcast_to(v, (3, 4))
np.dtype(k).itemsize; np.dtype(k).kind; np.any(a); np.any(a, axis=1); np.all(a, axis=0, keepdims=True); np.all(a)
np.sum(a); np.sum(a, axis=0); np.sum(x, axis=(0, 1)); np.prod(v[:2]); np.prod(a, axis=1); np.min(a, axis=1)
np.min(a); np.max(a, axis=0); np.max(a); np.argmax(a); np.argmax(a, axis=0); np.argmin(a, axis=1); np.argmin(v)
np.cumsum(v); np.cumsum(a, axis=1); np.argsort(v, kind="stable"); np.argsort(a, axis=1, kind="stable"); np.diff(i)
np.nonzero(m); np.flatnonzero(a); np.argwhere(m); np.where(m, a, b); np.where(m, a, 0); np.where(m, 1, 0)
np.isin(a, b); np.array_equal(a, a.copy()); np.array_equal(a, b); np.minimum(a, b); np.maximum(a, v)
np.maximum(i, 1); np.abs(a); np.bincount(i); np.bincount(i, minlength=9); np.bincount(i, weights=x[0, :3])
np.eye(3, dtype=k); np.unique(v); np.repeat(a, 2, axis=0); v[:0].data.nbytes
np.concatenate([a, b]); np.concatenate([a, b], axis=1); np.concatenate([v, w]); np.stack([v, w])
np.vstack([a, b]); np.hstack([a, b]); np.hstack([v, w]); np.repeat(v, 2); np.repeat(v[:3], i); np.tile(v, (2, 3))
np.rot90(a); np.rot90(a, 3); list(np.ndindex(2, 3)); [(*index, value) for index, value in np.ndenumerate(v)]
np.iinfo("int16").min; np.iinfo("uint32").max; np.log1p(x); np.exp(x); np.tanh(x); np.sqrt(x); np.rint(x * 10 - 5)
np.sign(x - 0.5); np.isnan(x); np.isfinite(np.log1p(x)); np.sqrt(2.0); float(np.float32(0.1)); int(np.uint8(200))
np.random.SeedSequence(s).generate_state(5); np.random.SeedSequence([s, 2**40]).generate_state(3, np.uint64)
[seq.generate_state(2) for seq in np.random.SeedSequence(s).spawn(2)]
"""
WORK = """
import json, random, sys
import numpy as np

def arrays(seed, k):
    rng = random.Random(seed)
    def numbers(low, *lengths):
        if not lengths:
            return rng.randint(low, 1 if k == "bool" else 9)
        return [numbers(low, *lengths[1:]) for _ in range(lengths[0])]
    m = [[rng.random() < 0.5 for _ in range(4)] for _ in range(3)]
    x = [[rng.random() for _ in range(4)] for _ in range(3)]
    return {"a": np.asarray(numbers(0, 3, 4), k), "b": np.asarray(numbers(1, 3, 4), k),
            "v": np.asarray(numbers(0, 4), k), "w": np.asarray(numbers(0, 4), k),
            "m": np.asarray(m), "x": np.asarray(x), "s": seed, "k": k, "np": np,
            "i": np.asarray([rng.randrange(3) for _ in range(3)])}

def plain(value):
    if isinstance(value, np.ndarray):
        return [str(value.dtype), list(value.shape), value.tolist()]
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.item() if hasattr(value, "item") else value

def result(case, seed, k):
    names = arrays(seed, k)
    *before, last = case.split(" -> ")
    try:
        for line in before:
            exec(line, names)
        return plain(eval(last, names))
    except Exception as error:
        return f"{type(error).__name__}: {error}"

def results(cases):
    return [result(*case) for case in cases]
"""
RUNS = [(case.strip(), seed, kind) for case in CASES.replace("\n", ";").split(";") if case.strip()
        for seed in SEEDS for kind in KINDS]  # fmt: skip


def run_in_substitute(runs):
    """Return the results in Python with the substitute and without NumPy."""
    text = (
        f"import sys; sys.path.insert(0, {str(SUBSTITUTE)!r})\n{WORK}\nprint(json.dumps(results(json.load(sys.stdin))))"
    )
    command = [sys.executable, "-I", "-S", "-c", text]
    process = subprocess.run(command, input=json.dumps(runs), capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def are_equal(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(are_equal, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-6) or (math.isnan(a) and math.isnan(b))
    return type(a) is type(b) and a == b


def test_results_equal_numpy():
    """Cases that NumPy refuses, such as differences of Booleans, are skipped."""
    names = {}
    exec(WORK, names)
    expected = [
        (run, result)
        for run, result in zip(RUNS, names["results"](RUNS), strict=True)
        if not (isinstance(result, str) and "Error: " in result)
    ]
    assert {case for (case, *_), _ in expected} == {case for case, *_ in RUNS}
    results = run_in_substitute([run for run, _ in expected])
    different = [(*run, a, b) for (run, a), b in zip(expected, results, strict=True) if not are_equal(a, b)]
    assert not different, "\n".join(map(str, different[:20]))


PLAYED = """
import vitienv
game = vitienv.Game.new(seed=7, game="toscana", num_players=2)
for number in range(12):
    legal = game.legal_actions()
    game.step(legal[number % len(legal)])
result = game.log["state"], len(game.svg(0))
"""


def test_page_imports_all_games_and_plays_the_same_game(tmp_path):
    _python(tmp_path / "python.zip")
    shutil.unpack_archive(tmp_path / "python.zip", tmp_path / "page")
    text = f"""
import json, os, sys
os.environ["NUMBA_DISABLE_JIT"] = "1"  # kernels are interpreted
sys.path.insert(0, {str(tmp_path / "page")!r})
sys.modules |= dict.fromkeys(("numba", "safetensors", "threadpoolctl"))
import tools.page.service
from vitienv.registry import game_spec
for game in ("viticulture", "world", "toscana"):
    game_spec(game)
{PLAYED}
print(json.dumps([*result, sys.modules["numpy"].__file__, vitienv.__file__]))"""
    command = [sys.executable, "-I", "-S", "-c", text]  # nothing that is installed
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    expected = {}
    exec(PLAYED, expected)
    files = [str(tmp_path / "page" / name / "__init__.py") for name in ("numpy", "vitienv")]
    assert json.loads(process.stdout) == [*expected["result"], *files]
