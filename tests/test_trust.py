"""Untrusted files are not executed: every entry point refuses hostile ones in one line, unless the user trusts them."""

import json
import pickle
import sys
import zipfile
from pathlib import Path

import pytest

import vitienv
from tests.command import refused
from vitienv import cli, trust
from vitienv.agents import make_agent

pytest.importorskip("sb3_contrib")


class Touch:
    """Creates a file when it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self):
        return (Path.touch, (self.file,))


@pytest.fixture
def hostile(tmp_path):
    """A zip that looks like a saved model, and the file that its code would create."""
    import base64

    import cloudpickle

    sign = tmp_path / "ran"
    packed = base64.b64encode(cloudpickle.dumps(Touch(sign))).decode()
    data = {"policy_class": {":type:": "<class 'abc.ABCMeta'>", ":serialized:": packed}}
    path = tmp_path / "evil" / "checkpoint.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data", json.dumps(data))
        archive.writestr("policy.pth", pickle.dumps(Touch(sign)))
    return path, sign


def write_settings(folder: Path, **changes) -> None:
    """Write settings of a MaskablePPO run, as from an untrusted source."""
    settings = {"opponents": ["random"], "ruleset": "essential", "num_players": 2, "seed": 0, "options": {},
                "game": "viticulture", "num_envs": 8}  # fmt: skip
    content = {"kind": "ppo", "settings": settings | changes}
    (folder / "settings.json").write_text(json.dumps(content), encoding="utf-8")


# Commands that load a bot or resume a training
ENTRY_POINTS = [
    "play --bots policy:{path}", "evaluate policy:{path} --opponents random --games 2",
    "evaluate random --opponents policy:{path} --games 2", "evaluate policy:{path} --players 1 --games 1",
    "evaluate policy:{path} --campaign 1",
    "evaluate ismcts:simulations=4,policy={path} --opponents random --games 2",
    "tournament random policy:{path} --games 2 --run {folder}/t",
    "ladder challenge policy:{path} --file {folder}/ladder.json",
    "train --resume --run {folder} --steps 1",
    "train --method ppo --opponents policy:{path} --run {folder}/new --steps 1",
    "train --method selfplay --league policy:{path} --run {folder}/new --steps 1",
]  # fmt: skip


@pytest.mark.parametrize("line", ENTRY_POINTS)
def test_hostile_zip_is_refused_in_one_line(hostile, line, capsys):
    path, sign = hostile
    write_settings(path.parent)
    error = refused(capsys, *line.format(path=path, folder=path.parent).split())
    if "--resume" in line:  # it loads arrays only
        assert "checkpoint.zip' cannot be read as a MaskablePPO" in error
    else:
        assert "checkpoint.zip' runs the code in it" in error and "--trust" in error
    assert not sign.exists() and not (path.parent / "new").exists()


def test_hostile_zip_runs_if_trusted(hostile, capsys, monkeypatch):
    path, sign = hostile
    monkeypatch.setenv(trust.VARIABLE, "")
    assert cli.run(["evaluate", f"policy:{path}", "--opponents", "random", "--games", "2", "--trust"]) == 2
    assert sign.exists() and "cannot be read as a MaskablePPO" in capsys.readouterr().err
    monkeypatch.delenv(trust.VARIABLE)


def test_hostile_zip_raises_in_python(hostile, monkeypatch):
    path, sign = hostile
    for spec in (f"policy:{path}", f"ismcts:policy={path}"):
        with pytest.raises(ValueError, match=r"vitienv\.trust\.allow\(\)"):
            make_agent(spec)
    with pytest.raises(ValueError, match="runs the code in it"):
        vitienv.envs.sb3.SingleAgentVecEnv(2, opponents=[f"policy:{path}"], num_players=2)
    assert not sign.exists()


# Names of modules


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module in the user's directory, and the file that its import would create."""
    sign = tmp_path / "imported"
    (tmp_path / "gift.py").write_text(f"from pathlib import Path\nPath({str(sign)!r}).touch()\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return sign


def is_refused(do, sign: Path) -> None:
    with pytest.raises(ValueError, match=r"(code would run|would import a module); if you trust its author") as error:
        do()
    assert "\n" not in str(error.value) and not sign.exists() and "gift" not in sys.modules


def test_logs_positions_and_weights_import_no_game(module, tmp_path):
    from vitienv.agents.champions import path_of
    from vitienv.registry import game_spec

    game = vitienv.Game.new(seed=1)
    is_refused(lambda: vitienv.replay(game.log | {"game": "gift.game"}), module)
    is_refused(lambda: vitienv.Game.from_dict(game.to_dict() | {"game": "gift.game"}), module)
    from safetensors import safe_open
    from safetensors.numpy import load_file, save_file

    ours = path_of("many", game_spec("viticulture"))
    with safe_open(ours, framework="numpy") as file:
        metadata = file.metadata()
    for name, changes in (("layout", {"game": "gift.game"}), ("architecture", {"policy_prior": "gift.Bot"})):
        changed = metadata | {name: json.dumps(json.loads(metadata[name]) | changes)}
        save_file(load_file(ours), tmp_path / "net.safetensors", changed)
        is_refused(lambda: make_agent(f"policy:{tmp_path / 'net.safetensors'}"), module)


@pytest.mark.parametrize("changes", [{"game": "gift.game"}, {"agents": ["random", "gift.Bot"]}])
def test_tournament_settings_import_nothing(module, tmp_path, monkeypatch, changes):
    from vitienv.training.evaluation.tournament import Settings, load_settings

    settings = Settings(("random", "heuristic")).to_dict() | changes
    record = {"kind": "tournament", "settings": settings}
    (tmp_path / "settings.json").write_text(json.dumps(record), encoding="utf-8")
    is_refused(lambda: load_settings(tmp_path), module)
    if "agents" in changes:
        monkeypatch.setenv(trust.VARIABLE, "1")
        assert load_settings(tmp_path).agents == ("random", "gift.Bot")


@pytest.mark.parametrize("changes", [{"game": "gift.game"}, {"opponents": ["gift.Bot"]}])
def test_training_settings_import_nothing(module, hostile, changes):
    from vitienv.training.ppo.train import train

    path, sign = hostile
    write_settings(path.parent, **changes)
    is_refused(lambda: train(run=path.parent, resume=True, steps=1), module)
    assert not sign.exists()


@pytest.mark.parametrize("changes", [
    {"league": ["gift.Bot"]}, {"imitate": "gift.Bot"}, {"policy_prior": "gift.Bot"},
    {"call": {"eval_opponents": ["gift.Bot"]}},
])  # fmt: skip
def test_self_play_settings_import_nothing(module, tmp_path, changes):
    from dataclasses import asdict

    from vitienv.training.selfplay.learner import Settings
    from vitienv.training.selfplay.train import train_selfplay

    call = {"call": changes.pop("call")} if "call" in changes else {}
    settings = {"kind": "selfplay", "settings": asdict(Settings()) | changes} | call
    (tmp_path / "checkpoint.pt").touch()
    (tmp_path / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    is_refused(lambda: train_selfplay(tmp_path, resume=True, updates=1, device="cpu"), module)


@pytest.mark.parametrize("other", ["gift.Bot", "program:gift"])
def test_minari_dataset_imports_nothing(module, tmp_path, other):
    """The environment of the dataset has the bots of its card as opponents."""
    pytest.importorskip("pyarrow")
    pytest.importorskip("gymnasium")
    from vitienv.data.minari import env_spec
    from vitienv.training.evaluation.data_sets import Settings, write

    options = {"max_years": 1}
    write(Settings(agents=("random", "random:seed=1"), games=2, num_players=2, options=options), tmp_path / "set")
    card = json.loads((tmp_path / "set" / "card.json").read_text())
    (tmp_path / "set" / "card.json").write_text(json.dumps(card | {"agents": ["random", other]}))
    with pytest.raises(ValueError, match=r"has the bot .* if you trust"):
        env_spec(vitienv.data.read(tmp_path / "set"), 0)
    assert "gift" not in sys.modules and not module.exists()


def test_ladder_imports_nothing(module, tmp_path):
    from vitienv.training.evaluation.ladder import Champion, Ladder, challenge
    from vitienv.training.evaluation.sprt import Sprt

    file = tmp_path / "ladder.json"
    Ladder([Champion("2", "gift.Bot", beaten="heuristic")]).save(file)
    is_refused(lambda: challenge(Ladder.load(file), "random", "2", Sprt()), module)


def test_log_of_a_module_needs_trust(module, tmp_path, capsys, monkeypatch):
    log = vitienv.Game.new(seed=1).log | {"game": "gift.game"}
    (tmp_path / "log.json").write_text(json.dumps(log), encoding="utf-8")
    assert cli.run(["replay", str(tmp_path / "log.json")]) == 2
    assert "--trust" in capsys.readouterr().err and not module.exists()
    monkeypatch.setenv(trust.VARIABLE, "")
    assert cli.run(["replay", str(tmp_path / "log.json"), "--trust"]) == 2  # trusted, but not a game
    assert module.exists() and "gift" in sys.modules
    del sys.modules["gift"]


def test_module_of_a_bot_given_by_the_user(tmp_path, monkeypatch):
    code = "class Bot:\n    name = 'mine'\n\n    def act(self, observations, masks, games=None):\n        pass\n"
    (tmp_path / "minebot.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert make_agent("minebot.Bot").name == "mine"


def test_tilde_in_paths(tmp_path, monkeypatch):
    from vitienv.core.compiling import code_cache
    from vitienv.session import saves

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(saves.HOME, "~/mine")
    monkeypatch.setenv(code_cache.ROOT, "~/code")
    assert saves.folder() == tmp_path / "mine" and code_cache.root() == tmp_path / "code"
