"""Games on a device: the code that is emitted for a card, run on this machine's processor, beside the compiled loops;
and, with a card, the same there."""

import re
import sys
import time

import numpy as np
import pytest

import vitienv
from tests.cuda.simulated import Simulated
from tools import cuda as command
from vitienv.commands.bench.signature import SEED, signature
from vitienv.core.batch import ARRAYS, Batch, keys_of
from vitienv.core.compiling import progress
from vitienv.core.compiling.static_checks import rules_below
from vitienv.core.kernel import Run
from vitienv.core.targets import cuda
from vitienv.core.targets.device import DeviceBatch
from vitienv.core.targets.llvm_modules import kernels_of
from vitienv.envs.device import DeviceVec

GAMES = 80  # a block and a part of one
MOST_BYTES = 4_000_000  # of PTX
long = pytest.mark.slow
KNOWN = ["toscana", pytest.param("viticulture", marks=long), pytest.param("world", marks=long)]
WHY = cuda.missing()
ON_CARD = [pytest.mark.cuda, pytest.mark.skipif(WHY is not None, reason=str(WHY))]
DEVICES = ["simulated", pytest.param("card", marks=ON_CARD)]


@pytest.fixture(params=DEVICES)
def device(request, simulated):
    return simulated if request.param == "simulated" else cuda.Gpu()


def tables_of(game):
    """Every ruleset and number of players of a game, and the tables of the bench signature."""
    made = vitienv.game_spec(game)
    tables = {name: made.options.of(**options) for name, options in made.signature.items()}
    for ruleset in made.rulesets:
        for n in made.options.of(ruleset=ruleset).players():
            tables[f"{ruleset}/{n}"] = made.options.of(ruleset=ruleset, num_players=n)
    return {name: options for name, options in tables.items() if options.game_spec is made}


def assert_same(one, other, told):
    for name in ("bytes_view", *ARRAYS):
        assert np.array_equal(one.fetch(getattr(one, name)), getattr(other, name)), (told, name)


def every_table():
    """Those of Toscana for 500 decisions; and all tables of all games for 20,000, which takes minutes to compile."""
    yield from (pytest.param("toscana", table, 500, id=f"{table}-500") for table in tables_of("toscana"))
    for game in vitienv.registry.game_names():
        yield from (pytest.param(game, table, 20_000, id=table, marks=long) for table in tables_of(game))


@pytest.mark.parametrize("game, table, decisions", list(every_table()))
def test_games_are_the_same_byte_for_byte(device, game, table, decisions):
    options = tables_of(game)[table]
    there, here = DeviceBatch(GAMES, options, device), Batch(GAMES, options)
    keys = keys_of(SEED, GAMES)
    taken = 0
    for batch in (there, here):
        batch.start(keys)
    assert_same(there, here, "new games")
    while taken < decisions:
        taken += here.step_random()
        there.step_random()
        assert_same(there, here, taken)
    for seat in range(options.num_players):
        viewers = np.full(GAMES, seat, np.int8)
        seen = there.fetch(there.observe(there.device.xp.asarray(viewers), there.device.xp.zeros_like(there.obs)))
        assert np.array_equal(seen, here.observe(viewers, np.zeros_like(here.obs))), seat
        for one, other in zip(there.standing(), here.standing()):
            assert np.array_equal(there.fetch(one), other), seat
        # Of copies: where another seat decides, such a deal may leave it nothing to play on with.
        dealt_there, dealt_here = there.copy(), here.copy()
        dealt_there.determinize(there.device.xp.asarray(viewers), there.device.xp.asarray(keys))
        dealt_here.determinize(viewers, keys)
        for batch in (dealt_there, dealt_here):
            batch.refresh()
        assert_same(dealt_there, dealt_here, seat)
    assert there.playout() == here.playout()
    assert_same(there, here, "played out")


@pytest.mark.parametrize("game", KNOWN)
def test_the_signature_is_the_same(device, game):
    assert signature(game, device=device) == signature(game)


def test_another_game_would_be_seen(device):
    options = vitienv.game_spec("toscana").options.of()
    there, here = DeviceBatch(GAMES, options, device), Batch(GAMES, options)
    keys = keys_of(SEED, GAMES)
    here.start(keys)
    keys[-1] += 1
    there.start(keys)
    with pytest.raises(AssertionError):
        assert_same(there, here, "another key")


@pytest.mark.parametrize("game", KNOWN)
def test_ptx_is_kept_and_has_no_fused_arithmetic(game, tmp_path):
    for kernel in kernels_of(Batch(1, vitienv.game_spec(game).options.of())):
        path = cuda.kept_ptx(kernel, tmp_path)
        text = path.read_text("ascii")
        assert f".visible .entry {kernel.function.__name__}(" in text and len(text) < MOST_BYTES
        assert "fma." not in text and "mad.f" not in text and ".extern" not in text
        rounded = [line for line in text.splitlines() if ".f32" in line or ".f64" in line]
        for line in rounded:  # the assembler fuses what has no rounding of its own
            assert not any(f"\t{name}.f" in line for name in ("add", "sub", "mul", "div", "sqrt")), line
        before = path.stat().st_mtime_ns
        assert cuda.kept_ptx(kernel, tmp_path) == path and path.stat().st_mtime_ns == before


@pytest.mark.parametrize("game", vitienv.registry.game_names())
def test_no_rule_calls_itself(game):
    """The driver then knows how much stack a thread needs before a kernel starts."""
    kernels = kernels_of(Batch(1, vitienv.game_spec(game).options.of()))
    rules = {rule for kernel in kernels for rule in rules_below(kernel.function)}
    assert len(rules) > 50 and not [rule for rule in rules if rule in rules_below(rule)]


@pytest.mark.parametrize("game, options", [
    ("toscana", {"num_players": 3, "max_rounds": 9}),
    pytest.param("viticulture", {"num_players": 2}, marks=long),
    pytest.param("world", {"num_players": 2}, marks=long),
])  # fmt: skip
def test_the_environment_is_that_of_the_host(device, game, options):
    there, here = DeviceVec(GAMES, device, game, **options), vitienv.make_vec(GAMES, game=game, **options)
    chance = np.random.default_rng(1)
    seen, expected = there.reset(seed=3), here.reset(seed=3)
    endings = 0
    for _ in range(600):
        for one, other in zip(_flat(seen, there), _flat(expected, here)):
            assert np.array_equal(one, other)
        endings += int(here._batch.ended.astype(bool).sum())
        actions = (here._info["action_mask"] * chance.random(here._info["action_mask"].shape)).argmax(axis=1)
        seen, expected = there.step(device.xp.asarray(actions)), here.step(actions)
    assert endings > 0
    for one, other in ((there.copy(), here.copy()), (there.determinize(5), here.determinize(5))):
        for a, b in zip(_flat(one.playout(), one), _flat(other.playout(), other)):
            assert np.array_equal(a, b)
    seen, expected = there.reset(seed=None), here.reset(seed=None)
    for one, other in zip(_flat(seen, there), _flat(expected, here)):
        assert np.array_equal(one, other)
    seats = np.zeros(GAMES, np.int8)
    assert np.array_equal(there._batch.fetch(there.observe(seats)), here.observe(seats))


def _flat(told, vec):
    """What reset and step return, as arrays of this machine."""
    *arrays, info = told
    named = [info[name] for name in sorted(info) if name != "illegal"]
    return [np.array(vec._batch.fetch(array)) for array in (*arrays, *named)]


def test_a_game_with_an_illegal_action_is_left_alone(device):
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


def test_seeds_by_game_are_those_of_the_host(device):
    options = vitienv.game_spec("toscana").options.of()
    there, here = DeviceBatch(3, options, device), Batch(3, options)
    for seed, is_first in ((4, True), (None, False), ([7, None, 9], False)):
        for batch in (there, here):
            batch.reset(seed, is_first)
        assert_same(there, here, seed)
    other = there.copy()
    other.step_random()
    assert_same(there, here, "a copy")
    assert not np.array_equal(other.fetch(other.bytes_view), here.bytes_view)


@pytest.mark.parametrize("given, told", [
    ({"device": "gpu"}, r"^device must be 'cpu' or 'cuda', got 'gpu'$"),
])  # fmt: skip
def test_wrong_devices_are_named(given, told):
    with pytest.raises(ValueError, match=told):
        vitienv.make_vec(2, **given)


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(ValueError, match=r'^device="cuda" needs cupy: pip install -e "\.\[cuda\]" in vitienv'):
        vitienv.make_vec(2, device="cuda")


@pytest.mark.parametrize("option", [{"final_obs": True}, {"start": vitienv.Game.new(seed=1)}])
def test_options_of_the_cpu_alone_are_refused_in_one_line(option):
    (name,) = option
    with pytest.raises(ValueError, match=f"^{name} must be unset for device='cuda'; only device='cpu' supports it$"):
        vitienv.make_vec(2, device="cuda", **option)


def test_a_function_that_no_card_has_is_named():
    made = cuda.llvm.parse_assembly("declare i64 @strlen(ptr)")
    with pytest.raises(ValueError, match=r"^function 'strlen' is not available on GPUs$"):
        cuda.ptx(made)


def test_the_bits_of_a_kernel_are_those_of_the_host(device):
    """One decision each without a new game; the decisions of each game are written."""
    options = vitienv.game_spec("toscana").options.of()
    batch = DeviceBatch(GAMES, options, device)
    batch.reset(1, True)
    assert batch.run(int(Run.STEP | Run.RANDOM)) == GAMES and batch.fetch(batch.taken).tolist() == [1] * GAMES


def test_what_is_made_for_a_card_is_told_of_once(capfd, monkeypatch):
    """With one bar for all kernels of a game."""
    device = Simulated()
    monkeypatch.setattr(device, "load", lambda kernel, folder: time.sleep(0.1))
    for name in ("SHORT", "BETWEEN", "BETWEEN_ON_TERMINAL"):
        monkeypatch.setattr(progress, name, 0.02)
    DeviceBatch(1, vitienv.game_spec("toscana").options.of(), device)
    told, until = "", time.monotonic() + 60
    while "compiled in" not in told and time.monotonic() < until:  # a thread tells it
        time.sleep(0.01)
        told += capfd.readouterr().err
    first, *between, last = told.splitlines()
    assert first.startswith("vitienv: compiling the engine for a card, once for this version, ")
    assert re.fullmatch(r"vitienv: the engine for a card: compiled in \d+ s", last)
    shares = [int(re.fullmatch(r"vitienv: (\d+) %, \d+ s", line)[1]) for line in between]
    assert shares == sorted(shares) and shares[0] < shares[-1]


TOLD = """ptxas info    : 20 bytes gmem
ptxas info    : Function properties for run
    664 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers
ptxas info    : Function properties for rules_1
    72 bytes stack frame, 68 bytes spill stores, 60 bytes spill loads
"""


def test_the_assemblers_words_are_read():
    numbers = {"registers": 255, "functions": 2, "frame_bytes": 664, "all_frames_bytes": 736}
    numbers |= {"spill_stores_bytes": 76, "spill_loads_bytes": 64}
    assert command.taken(TOLD) == numbers
    with pytest.raises(RuntimeError, match=r"^ptxas tells nothing of registers and frames: 'nothing'$"):
        command.taken("nothing")


@pytest.mark.skipif(command.assembler_at() is None, reason="no ptxas here (pip install nvidia-cuda-nvcc)")
def test_a_kernel_that_is_no_ptx_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(cuda, "ptx", lambda made: ".version 7.1\n.target sm_75\n.address_size 64\nnonsense\n")
    with pytest.raises(RuntimeError, match=r"^ptxas makes no toscana-run\.sm_75\.cubin: "):
        list(command.assemble(["toscana"], tmp_path))


def test_without_an_assembler_one_line_names_it(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "assembler_at", lambda: None)
    monkeypatch.setattr(sys, "argv", ["cuda", "--folder", str(tmp_path)])
    with pytest.raises(SystemExit, match=r"^cubins need ptxas, NVIDIA's assembler: pip install nvidia-cuda-nvcc$"):
        command.main()
    assert list(tmp_path.iterdir()) == []
