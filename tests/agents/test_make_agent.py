"""Bots from specs: names, parameters, custom classes, and invalid specs."""

import zipfile

import numpy as np
import pytest

from vitienv import trust
from vitienv.agents import make_agent, register
from vitienv.agents.registry import check_untrusted_specs
from vitienv.agents.seeding import make_bot, make_bots


class LowestAgent:
    """Bot that chooses the legal action with the lowest index."""

    def __init__(self, label: str = "lowest", times: int = 1, seed: int | None = None) -> None:
        self.name, self.times, self.seed = label, times, seed

    def act(self, observations, action_masks, games=None):
        return np.argmax(action_masks, axis=1)


def make_lowest(times: int = 1) -> LowestAgent:
    return LowestAgent(times=times)


def make_something(times=1):
    raise AssertionError("a function without the annotation of a bot must not be called: specs come from files too")


def test_custom_class_by_path_and_by_name():
    path = f"{LowestAgent.__module__}.LowestAgent"
    agent = make_agent(f"{path}:label=x,times=3", seed=9)
    assert (agent.name, agent.times, agent.seed) == ("x", 3, 9)
    assert make_agent(f"{make_lowest.__module__}.make_lowest:times=2").times == 2
    with pytest.raises(ValueError, match="annotated to return one"):
        make_agent(f"{make_something.__module__}.make_something:times=2")
    register("lowest", LowestAgent)
    register("lowest", LowestAgent)
    assert make_agent("lowest:seed=4", seed=9).seed == 4
    with pytest.raises(ValueError, match="agent 'random' already exists"):
        register("random", LowestAgent)
    with pytest.raises(ValueError, match="lower-case letters"):
        register("My:bot", LowestAgent)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (3, "agent must be a string"),
        ("", "unknown agent ''"),
        ("randm", "unknown agent 'randm'; did you mean 'random'"),
        ("no_such_package.Bot", "no module 'no_such_package'"),
        ("vitienv.agents.random_agent.Nobody", "has no 'Nobody'"),
        ("subprocess.getoutput:cmd=exit", "must be a class with a method 'act'"),
        ("vitienv.game.Game", "'vitienv.game.Game' must be a class with a method 'act'"),
        ("random:sead=1", "unknown parameter 'sead'; expected one of: seed"),
        ("random:seed=one", "seed must be an integer, got 'one'"),
        ("random:seed=-1", "seed must be None or a non-negative integer, got -1"),
        ("random:seed=1,seed=2", "duplicate parameter 'seed'"),
        ("random:7", "expected key=value, got '7'"),
        ("policy", "requires 'path'"),
        ("policy:no/such/file", "file 'no/such/file' does not exist"),
        ("policy:no/such/file,deterministic=maybe", "deterministic must be true or false"),
        ("level:0", "level must be from 1 to 10, got 0"),
        ("level:11", "level must be from 1 to 10, got 11"),
        ("program", "requires 'command'"),
        ("program:command= ", "missing command"),
        ("program:'x", "cannot parse the command .*No closing quotation"),
        ("program:/nowhere/player --fast", "'/nowhere/player' does not exist"),
        (f"program:{__file__}", "is not executable"),
        ('program:"python mybot.py"', "'python mybot.py' does not exist"),
        ("program:cat,limit_ms=0", "limit_ms must be from 1 to 3600000, got 0"),
        ("program:cat,game_limit_ms=-5", "game_limit_ms must be from 1 to 3600000, got -5"),
        ("program:cat,game_limit_ms=nan", "game_limit_ms must be an integer, got 'nan'"),
        ("ismcts:simulations=0", "simulations must be at least 1, got 0"),
        ("ismcts:milliseconds=0", "milliseconds must be above 0, got 0.0"),
        ("ismcts:playout=dice", "unknown playout 'dice'; expected one of: heuristic, quick, policy, random, none"),
        ("ismcts:playout=policy", "playout=policy requires policy=champion"),
        ("ismcts:playout=quick", "playout=quick requires policy=champion"),
        ("ismcts:prior=x", "unknown prior 'x'; expected one of: heuristic, uniform"),
        ("ismcts:c_puct=nan", "c_puct must be finite, got 'nan'"),
        ("ismcts:simulations=1000001", "simulations must be at most 1,000,000, got 1000001"),
        ("ismcts:seed=-1", "seed must be at least 0, got -1"),
        ("ismcts:root=x", "unknown root 'x'; expected one of: puct, gumbel"),
        ("ismcts:root=gumbel,simulations=4,value_scale=0", "value_scale must be above 0 with root=gumbel, got 0.0"),
        ("ismcts:max_considered_actions=0", "max_considered_actions must be at least 1, got 0"),
    ],
)
def test_invalid_specs_raise_in_one_line(spec, message):
    with pytest.raises(ValueError, match=message) as caught:
        make_agent(spec)
    assert "\n" not in str(caught.value)


def test_invalid_seeds_raise():
    for seed in (True, 1.0, "0", [1], -1):
        with pytest.raises(ValueError, match="seed must be None or an integer from 0, got"):
            make_agent("random", seed)


@pytest.mark.parametrize(
    ("spec", "effect"),
    [
        ("program:/bin/true", "run a program"),
        ("subprocess:random", "start a process"),
        ("llm:model=m,url=http://127.0.0.1:9", "send requests"),
        ("mybot.Bot", "import a module"),
    ],
)
def test_untrusted_specs_with_side_effects_raise(spec, effect):
    with pytest.raises(ValueError, match=f"the log has the bot '{spec}', which would {effect}"):
        check_untrusted_specs([spec], "the log")


def test_invalid_policy_files_raise(tmp_path, monkeypatch):
    monkeypatch.setenv(trust.VARIABLE, "1")
    text = tmp_path / "notes.zip"
    text.write_text("no archive")
    with pytest.raises(ValueError, match="is damaged or not a "):
        make_agent(f"policy:{text}")
    foreign = tmp_path / "lr=0.1,v2.zip"
    with zipfile.ZipFile(foreign, "w") as archive:
        archive.writestr("readme", "hello")
    pytest.importorskip("sb3_contrib")
    with pytest.raises(ValueError, match="not saved by Stable-Baselines3"):
        make_agent(f"policy:{foreign}")
    damaged = tmp_path / "damaged.zip"
    with zipfile.ZipFile(damaged, "w") as archive:
        archive.writestr("data", "{")
        archive.writestr("policy.pth", "x")
    with pytest.raises(ValueError, match="cannot be read as a MaskablePPO") as caught:
        make_agent(f"policy:{damaged.with_suffix('')}")
    assert "\n" not in str(caught.value)


def test_policy_of_another_game_raises(tmp_path, monkeypatch):
    gym, sb3_contrib = pytest.importorskip("gymnasium"), pytest.importorskip("sb3_contrib")
    monkeypatch.setenv(trust.VARIABLE, "1")

    class Small(gym.Env):
        observation_space = gym.spaces.Box(-32768, 32767, (5,), np.int16)
        action_space = gym.spaces.Discrete(3)

    sb3_contrib.MaskablePPO("MlpPolicy", Small(), n_steps=8, batch_size=8, device="cpu").save(tmp_path / "net.zip")
    with pytest.raises(ValueError, match="was trained for observations"):
        make_agent(f"policy:{tmp_path / 'net'}")


def test_bots_of_a_table_have_different_seeds():
    bots = make_bots(["test_make_agent.LowestAgent", "test_make_agent.LowestAgent", "random:seed=3"], seed=7)
    assert [bots[0].seed, bots[1].seed] == [7 * 1_000_003, 7 * 1_000_003 + 1]
    assert make_bot("test_make_agent.LowestAgent", 7, number=1).seed == bots[1].seed
    assert 0 <= make_bot("test_make_agent.LowestAgent", 2**40).seed < 2**32
