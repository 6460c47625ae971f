"""Games on a device: code for GPUs, run on the processor and on a GPU, equals the compiled loops."""

import re
import sys
import time

import numpy as np
import pytest

import vitienv
from tests.cuda.simulated import Simulated
from tests.engine.kinds import tables_of
from tools import cuda as command
from vitienv.commands.bench.signature import SEED, signature
from vitienv.core.batch import ARRAYS, Batch, make_keys
from vitienv.core.compiling import progress
from vitienv.core.compiling.static_checks import rules_below
from vitienv.core.kernel import Run
from vitienv.core.targets import cuda
from vitienv.core.targets.device_batch import DeviceBatch
from vitienv.core.targets.llvm_modules import kernels_of
from vitienv.envs.device import DeviceVec

GAMES = 80  # a block and a part of one
MAX_PTX_BYTES = 4_000_000
slow = pytest.mark.slow
KNOWN = ["toscana", pytest.param("viticulture", marks=slow), pytest.param("world", marks=slow)]
WHY = cuda.missing()
ON_GPU = [pytest.mark.cuda, pytest.mark.skipif(WHY is not None, reason=str(WHY))]
DEVICES = ["simulated", pytest.param("gpu", marks=ON_GPU)]


@pytest.fixture(params=DEVICES)
def device(request, simulated):
    return simulated if request.param == "simulated" else cuda.Gpu()


def assert_same(device_batch, other, context):
    for name in ("bytes_view", *ARRAYS):
        assert np.array_equal(device_batch.fetch(getattr(device_batch, name)), getattr(other, name)), (context, name)


def every_table():
    """Yield the tables of Toscana for 500 decisions, and all tables for 20,000, which take minutes to compile."""
    yield from (pytest.param("toscana", table, 500, id=f"{table}-500") for table in tables_of("toscana"))
    for game in vitienv.registry.game_names():
        yield from (pytest.param(game, table, 20_000, id=table, marks=slow) for table in tables_of(game))


@pytest.mark.parametrize("game, table, decisions", list(every_table()))
def test_games_equal_the_host_byte_for_byte(device, game, table, decisions):
    options = tables_of(game)[table]
    device_batch, host_batch = DeviceBatch(GAMES, options, device), Batch(GAMES, options)
    keys = make_keys(SEED, GAMES)
    num_decisions = 0
    for batch in (device_batch, host_batch):
        batch.start(keys)
    assert_same(device_batch, host_batch, "new games")
    while num_decisions < decisions:
        num_decisions += host_batch.step_random()
        device_batch.step_random()
        assert_same(device_batch, host_batch, num_decisions)
    for seat in range(options.num_players):
        viewers = np.full(GAMES, seat, np.int8)
        observations = device_batch.fetch(
            device_batch.observe(
                device_batch.device.xp.asarray(viewers), device_batch.device.xp.zeros_like(device_batch.obs)
            )
        )
        assert np.array_equal(observations, host_batch.observe(viewers, np.zeros_like(host_batch.obs))), seat
        for array, other in zip(device_batch.standings(), host_batch.standings()):
            assert np.array_equal(device_batch.fetch(array), other), seat
        # Copies are determinized, as the acting seat may have no legal action afterwards.
        dealt_there, dealt_here = device_batch.copy(), host_batch.copy()
        dealt_there.determinize(device_batch.device.xp.asarray(viewers), device_batch.device.xp.asarray(keys))
        dealt_here.determinize(viewers, keys)
        for batch in (dealt_there, dealt_here):
            batch.refresh()
        assert_same(dealt_there, dealt_here, seat)
    assert device_batch.playout() == host_batch.playout()
    assert_same(device_batch, host_batch, "playout")


@pytest.mark.parametrize("game", KNOWN)
def test_signature_equals_the_host(device, game):
    assert signature(game, device=device) == signature(game)


@pytest.mark.parametrize("game", KNOWN)
def test_ptx_is_cached_and_has_no_fused_arithmetic(game, tmp_path):
    for kernel in kernels_of(Batch(1, vitienv.game_spec(game).options.of())):
        path = cuda.cached_ptx(kernel, tmp_path)
        text = path.read_text("ascii")
        assert f".visible .entry {kernel.function.__name__}(" in text and len(text) < MAX_PTX_BYTES
        assert "fma." not in text and "mad.f" not in text and ".extern" not in text
        rounded = [line for line in text.splitlines() if ".f32" in line or ".f64" in line]
        for line in rounded:  # the assembler fuses operations without a rounding mode
            assert not any(f"\t{name}.f" in line for name in ("add", "sub", "mul", "div", "sqrt")), line
        before = path.stat().st_mtime_ns
        assert cuda.cached_ptx(kernel, tmp_path) == path and path.stat().st_mtime_ns == before


@pytest.mark.parametrize("game", vitienv.registry.game_names())
def test_rules_are_not_recursive(game):
    """The driver then knows how much stack a thread needs before a kernel starts."""
    kernels = kernels_of(Batch(1, vitienv.game_spec(game).options.of()))
    rules = {rule for kernel in kernels for rule in rules_below(kernel.function)}
    assert len(rules) > 50 and not [rule for rule in rules if rule in rules_below(rule)]


@pytest.mark.parametrize("game, options", [
    ("toscana", {"num_players": 3, "max_rounds": 9}),
    pytest.param("viticulture", {"num_players": 2}, marks=slow),
    pytest.param("world", {"num_players": 2}, marks=slow),
])  # fmt: skip
def test_environment_equals_the_host(device, game, options):
    device_vec, host_vec = DeviceVec(GAMES, device, game, **options), vitienv.make_vec(GAMES, game=game, **options)
    rng = np.random.default_rng(1)
    returned, expected = device_vec.reset(seed=3), host_vec.reset(seed=3)
    endings = 0
    for _ in range(600):
        for device_copy, other in zip(_flat(returned, device_vec), _flat(expected, host_vec)):
            assert np.array_equal(device_copy, other)
        endings += int(host_vec._batch.ended.astype(bool).sum())
        actions = (host_vec._info["action_mask"] * rng.random(host_vec._info["action_mask"].shape)).argmax(axis=1)
        returned, expected = device_vec.step(device.xp.asarray(actions)), host_vec.step(actions)
    assert endings > 0
    for device_copy, other in (
        (device_vec.copy(), host_vec.copy()),
        (device_vec.determinize(5), host_vec.determinize(5)),
    ):
        for a, b in zip(_flat(device_copy.playout(), device_copy), _flat(other.playout(), other)):
            assert np.array_equal(a, b)
    returned, expected = device_vec.reset(seed=None), host_vec.reset(seed=None)
    for device_copy, other in zip(_flat(returned, device_vec), _flat(expected, host_vec)):
        assert np.array_equal(device_copy, other)
    seats = np.zeros(GAMES, np.int8)
    assert np.array_equal(device_vec._batch.fetch(device_vec.observe(seats)), host_vec.observe(seats))


def _flat(returned, vec):
    """Return the results of reset and step as arrays of the host."""
    *arrays, info = returned
    values = [info[name] for name in sorted(info) if name != "illegal"]
    return [np.array(vec._batch.fetch(array)) for array in (*arrays, *values)]


def test_games_with_illegal_actions_are_unchanged(device):
    vec = DeviceVec(GAMES, device, "toscana")
    fetch = vec._batch.fetch
    _, info = vec.reset(seed=1)
    before = fetch(vec._batch.bytes_view)
    actions = fetch(info["action_mask"]).argmax(axis=1)
    actions[2], actions[5] = -1, vec.game_spec.actions.n
    actions[7] = fetch(info["action_mask"])[7].argmin()
    _, rewards, terminated, truncated, info = vec.step(device.xp.asarray(actions))
    bad = np.flatnonzero(fetch(info["illegal"]))
    assert bad.tolist() == [2, 5, 7]
    after = fetch(vec._batch.bytes_view)
    assert (after != before).any(axis=1).tolist() == [i not in bad for i in range(GAMES)]
    assert not fetch(terminated)[bad].any() and not fetch(truncated)[bad].any() and not fetch(rewards)[bad].any()


def test_seeds_by_game_equal_the_host(device):
    options = vitienv.game_spec("toscana").options.of()
    device_batch, host_batch = DeviceBatch(3, options, device), Batch(3, options)
    for seed, is_first in ((4, True), (None, False), ([7, None, 9], False)):
        for batch in (device_batch, host_batch):
            batch.reset(seed, is_first)
        assert_same(device_batch, host_batch, seed)
    other = device_batch.copy()
    other.step_random()
    assert_same(device_batch, host_batch, "a copy")
    assert not np.array_equal(other.fetch(other.bytes_view), host_batch.bytes_view)


def test_unknown_device_raises():
    with pytest.raises(ValueError, match=r"^device must be 'cpu' or 'cuda', got 'gpu'$"):
        vitienv.make_vec(2, device="gpu")


def test_missing_cupy_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(ValueError, match=r'^device="cuda" needs cupy: pip install -e "\.\[cuda\]" in vitienv'):
        vitienv.make_vec(2, device="cuda")


@pytest.mark.parametrize("option", [{"final_obs": True}, {"start": vitienv.Game.new(seed=1)}])
def test_cpu_options_raise_in_one_line(option):
    (name,) = option
    with pytest.raises(ValueError, match=f"^{name} must be unset for device='cuda'; only device='cpu' supports it$"):
        vitienv.make_vec(2, device="cuda", **option)


def test_unavailable_function_raises():
    module = cuda.llvm.parse_assembly("declare i64 @strlen(ptr)")
    with pytest.raises(ValueError, match=r"^function 'strlen' is not available on GPUs$"):
        cuda.ptx(module)


def test_flags_of_the_kernel_equal_the_host(device):
    """One decision each without a new game; the decisions of each game are written."""
    options = vitienv.game_spec("toscana").options.of()
    batch = DeviceBatch(GAMES, options, device)
    batch.reset(1, True)
    assert batch.run(int(Run.STEP | Run.RANDOM)) == GAMES and batch.fetch(batch.taken).tolist() == [1] * GAMES


def test_compilation_for_a_gpu_is_reported_once(capfd, monkeypatch):
    """One progress bar for all kernels of a game."""
    device = Simulated()
    monkeypatch.setattr(device, "load", lambda kernel, folder: time.sleep(0.1))
    for name in ("SHORT", "BETWEEN", "BETWEEN_ON_TERMINAL"):
        monkeypatch.setattr(progress, name, 0.02)
    DeviceBatch(1, vitienv.game_spec("toscana").options.of(), device)
    output, until = "", time.monotonic() + 60
    while "compiled in" not in output and time.monotonic() < until:  # printed by a thread
        time.sleep(0.01)
        output += capfd.readouterr().err
    first, *between, last = output.splitlines()
    assert first.startswith("vitienv: compiling the engine for a GPU, once for this version, ")
    assert re.fullmatch(r"vitienv: the engine for a GPU: compiled in \d+ s", last)
    shares = [int(re.fullmatch(r"vitienv: (\d+) %, \d+ s", line)[1]) for line in between]
    assert shares == sorted(shares) and shares[0] < shares[-1]


PTXAS_OUTPUT = """ptxas info    : 20 bytes gmem
ptxas info    : Function properties for run
    664 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers
ptxas info    : Function properties for rules_1
    72 bytes stack frame, 68 bytes spill stores, 60 bytes spill loads
"""


def test_output_of_the_assembler_is_parsed():
    numbers = {"registers": 255, "functions": 2, "frame_bytes": 664, "all_frames_bytes": 736}
    numbers |= {"spill_stores_bytes": 76, "spill_loads_bytes": 64}
    assert command.resources(PTXAS_OUTPUT) == numbers
    with pytest.raises(RuntimeError, match=r"^output of ptxas must contain registers and frames, got 'nothing'$"):
        command.resources("nothing")


@pytest.mark.skipif(command.assembler_at() is None, reason="no ptxas here (pip install nvidia-cuda-nvcc)")
def test_invalid_ptx_raises(tmp_path, monkeypatch):
    monkeypatch.setattr(cuda, "ptx", lambda module: ".version 7.1\n.target sm_75\n.address_size 64\nnonsense\n")
    with pytest.raises(RuntimeError, match=r"^ptxas could not assemble toscana-run\.sm_75\.cubin: "):
        list(command.assemble(["toscana"], tmp_path))


def test_missing_assembler_raises_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "assembler_at", lambda: None)
    monkeypatch.setattr(sys, "argv", ["cuda", "--folder", str(tmp_path)])
    with pytest.raises(SystemExit, match=r"^cubins need ptxas, NVIDIA's assembler: pip install nvidia-cuda-nvcc$"):
        command.main()
    assert list(tmp_path.iterdir()) == []
