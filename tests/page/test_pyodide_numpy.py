"""The page's stand-in for NumPy gives what NumPy gives, on random small arrays."""

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tools.page
from tools.page.build import _python

STAND_IN = Path(tools.page.__file__).parent / "pyodide_numpy"
KINDS = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64")
SEEDS = range(2)

# a, b: 3 by 4 numbers of each kind, b without zeros; v, w: 4 numbers; m: 3 by 4 of true and false; i: places; x: 3 by 4
# floats. What comes before "->" is carried out first.
CASES = """
a + b; a - b; a * b; a / b; a == b; a != v; a < b; a <= 3; 3 > a; a >= b; a // b if k != "bool" else a
a % b if k != "bool" else a; 2 + a; a * 1.5; a & m; a ** 2 if k != "bool" else a; abs(a); -a; x - 0.5; 1 - x
x / 2; v + a; a + v[:1]; x * a; (a << 1) >> 1; a ^ b; a.T + b.T; a[:, None] + v[:, None]; a[1]; a[-1, 2]
a[1:, ::2]; a[::-1]; a[..., 1]; a[:, None, 1]; a[i]; a[i, 2]; a[:, i]; a[i, i]; a[m]; v[i]; a[i[:, None], i]
a[1] = 1 -> a; a[:, 1] = v[:3] -> a; a[m] = 0 -> a; a[i] = b[i] -> a; a[1:, ::2] = b[1:, ::2] -> a
a[i, i] = 1 -> a; a += b -> a; a.reshape(2, 6); a.reshape(-1); a.T.reshape(4, 3); a.ravel(); a.T.copy()
a[:, 1].tolist(); a.astype("int8"); a.astype("float32"); a.astype("bool"); a.size; a.ndim; a.nbytes
a.T.tobytes().hex(); v[1:].data.hex(); v.data[:2] = w.data[2:] -> v; len(a)
[one for one in v]; v[2:3].item(); a.view("uint8"); a.sum(); a.max(); a.min(1)
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
np.rot90(a); np.rot90(a, 3); list(np.ndindex(2, 3)); [(*at, one) for at, one in np.ndenumerate(v)]
np.iinfo("int16").min; np.iinfo("uint32").max; np.log1p(x); np.exp(x); np.tanh(x); np.sqrt(x); np.rint(x * 10 - 5)
np.sign(x - 0.5); np.isnan(x); np.isfinite(np.log1p(x)); np.sqrt(2.0); float(np.float32(0.1)); int(np.uint8(200))
np.random.SeedSequence(s).generate_state(5); np.random.SeedSequence([s, 2**40]).generate_state(3, np.uint64)
[one.generate_state(2) for one in np.random.SeedSequence(s).spawn(2)]
"""
WORK = """
import json, random, sys
import numpy as np

def arrays(seed, k):
    chance = random.Random(seed)
    def some(low, *lengths):
        if not lengths:
            return chance.randint(low, 1 if k == "bool" else 9)
        return [some(low, *lengths[1:]) for _ in range(lengths[0])]
    m = [[chance.random() < 0.5 for _ in range(4)] for _ in range(3)]
    x = [[chance.random() for _ in range(4)] for _ in range(3)]
    return {"a": np.asarray(some(0, 3, 4), k), "b": np.asarray(some(1, 3, 4), k), "v": np.asarray(some(0, 4), k),
            "w": np.asarray(some(0, 4), k), "m": np.asarray(m), "x": np.asarray(x), "s": seed, "k": k, "np": np,
            "i": np.asarray([chance.randrange(3) for _ in range(3)])}

def shown(found):
    if isinstance(found, np.ndarray):
        return [str(found.dtype), list(found.shape), found.tolist()]
    if isinstance(found, (list, tuple)):
        return [shown(one) for one in found]
    return found.item() if hasattr(found, "item") else found

def result(case, seed, k):
    known = arrays(seed, k)
    *before, last = case.split(" -> ")
    try:
        for line in before:
            exec(line, known)
        return shown(eval(last, known))
    except Exception as error:
        return f"{type(error).__name__}: {error}"

def results(asked):
    return [result(*one) for one in asked]
"""
ASKED = [(case.strip(), seed, kind) for case in CASES.replace("\n", ";").split(";") if case.strip()
         for seed in SEEDS for kind in KINDS]  # fmt: skip


def in_the_stand_in(asked, after="print(json.dumps(results(asked)))"):
    """What a Python without NumPy, but with the stand-in, gives."""
    text = f"import sys; sys.path.insert(0, {str(STAND_IN)!r})\n{WORK}\nasked = json.load(sys.stdin)\n{after}"
    command = [sys.executable, "-I", "-S", "-c", text]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def expected():
    """What NumPy gives, where it gives something: it refuses to subtract what is true, for one."""
    known = {}
    exec(WORK, known)
    found = zip(ASKED, known["results"](ASKED), strict=True)
    return [(asked, gives) for asked, gives in found if not (isinstance(gives, str) and "Error: " in gives)]


def alike(one, other):
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-6) or (math.isnan(one) and math.isnan(other))
    return type(one) is type(other) and one == other


def test_the_stand_in_gives_what_numpy_gives(expected):
    assert {case for (case, *_), _ in expected} == {case for case, *_ in ASKED}
    found = in_the_stand_in([asked for asked, _ in expected])
    wrong = [(*asked, gives, own) for (asked, gives), own in zip(expected, found, strict=True) if not alike(gives, own)]
    assert not wrong, "\n".join(map(str, wrong[:20]))


PLAYED = """
import vitienv
game = vitienv.Game.new(seed=7, game="toscana", num_players=2)
for number in range(12):
    legal = game.legal_actions()
    game.step(legal[number % len(legal)])
found = game.log["state"], len(game.svg(0))
"""


def test_the_page_imports_all_games_with_the_stand_in_and_plays_alike(tmp_path):
    _python(tmp_path / "python.zip")
    shutil.unpack_archive(tmp_path / "python.zip", tmp_path / "page")
    text = f"""
import json, os, sys
os.environ["NUMBA_DISABLE_JIT"] = "1"  # kernels are interpreted there
sys.path.insert(0, {str(tmp_path / "page")!r})
sys.modules |= dict.fromkeys(("numba", "safetensors", "threadpoolctl"))
import tools.page.service
from vitienv.registry import game_spec
for game in ("viticulture", "world", "toscana"):
    game_spec(game)
{PLAYED}
print(json.dumps([*found, sys.modules["numpy"].__file__, vitienv.__file__]))"""
    command = [sys.executable, "-I", "-S", "-c", text]  # nothing that is installed
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    expected = {}
    exec(PLAYED, expected)
    files = [str(tmp_path / "page" / name / "__init__.py") for name in ("numpy", "vitienv")]
    assert json.loads(process.stdout) == [*expected["found"], *files]
