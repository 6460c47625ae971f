"""Old names of settings: runs, calls and options that have them go on as they did."""

import json
import sys
from dataclasses import fields

import pytest
import torch

from studies import loop_profile
from vitienv import cli
from vitienv.training.learner import Settings
from vitienv.training.rollout import KEPT
from vitienv.training.selfplay import CHECKPOINT, SETTINGS, train_selfplay
from vitienv.training.words import RENAMED, in_new_words

OLD = {"mix": "2:1", "games": 4, "horizon": 12, "hidden": 8, "minibatch": 16, "epochs": 1, "rate": 1e-3, "lam": 0.9,
       "lam_value": 0.8, "clip": 0.1, "entropy": 0.01, "value": 0.4, "norm": 0.5, "league": (), "past": 0,
       "max_years": 3, "warm": 0}  # fmt: skip
QUIET = {"device": "cpu", "evaluation_games": 0, "progress": False, "checkpoint_seconds": 1e9}


def weights(folder) -> dict[str, torch.Tensor]:
    return torch.load(folder / CHECKPOINT, weights_only=True)["shared"]["network"]


def are_same(one, other) -> bool:
    return all(torch.equal(weights(one)[name], value) for name, value in weights(other).items())


def make_old(folder) -> None:
    """Write the settings and the checkpoint of a run as they were when the old names were the only ones."""
    old = {new: name for name, new in RENAMED.items()}
    told = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    told["settings"] = {old.get(name, name): value for name, value in told["settings"].items()}
    (folder / SETTINGS).write_text(json.dumps(told), encoding="utf-8")
    whole = torch.load(folder / CHECKPOINT, weights_only=True)
    for own in whole["own"]:
        own["rollout"] = {old.get(name, name): value for name, value in own["rollout"].items()}
    whole["own"] = [{old.get(name, name): value for name, value in own.items()} for own in whole["own"]]
    torch.save(whole, folder / CHECKPOINT)


def test_every_old_name_has_one_new_name_that_is_known():
    known = {field.name for field in fields(Settings)} | set(KEPT) | {"envs"}
    assert set(RENAMED.values()) <= known and not set(RENAMED) & known
    assert len(set(RENAMED.values())) == len(RENAMED)


def test_old_keywords_give_the_same_run(tmp_path):
    train_selfplay(tmp_path / "old", updates=2, **QUIET, **OLD)
    train_selfplay(tmp_path / "new", updates=2, **QUIET, **in_new_words(OLD))
    assert are_same(tmp_path / "old", tmp_path / "new")
    told = json.loads((tmp_path / "old" / SETTINGS).read_text(encoding="utf-8"))["settings"]
    assert (told["gae_lambda"], told["max_grad_norm"]) == (0.9, 0.5) and not set(told) & set(RENAMED)
    train_selfplay(tmp_path / "other", updates=2, **QUIET, **OLD | {"norm": 0.05})
    assert not are_same(tmp_path / "old", tmp_path / "other")  # the settings do decide


def test_a_run_with_old_settings_goes_on(tmp_path):
    train_selfplay(tmp_path / "whole", updates=3, **QUIET, **OLD)
    train_selfplay(tmp_path / "parts", updates=2, **QUIET, **OLD)
    make_old(tmp_path / "parts")
    told = (tmp_path / "parts" / SETTINGS).read_text(encoding="utf-8")
    assert '"lam"' in told and "gae_lambda" not in told
    with pytest.raises(ValueError, match=r"^clip_coef is 0\.3, but the run in .* has 0\.1$"):
        train_selfplay(tmp_path / "parts", updates=1, resume=True, clip=0.3, **QUIET)
    train_selfplay(tmp_path / "parts", updates=1, resume=True, clip=0.1, **QUIET)
    assert are_same(tmp_path / "parts", tmp_path / "whole")


def test_old_options_of_the_command_give_the_same_run(tmp_path, capsys):
    told = ["train", "--method", "selfplay", "--device", "cpu", "--mix", "2", "--hidden", "8", "--steps", "1"]
    for name, more in (
        ("old", ["--games", "4", "--rate", "0.01"]),
        ("new", ["--num-envs", "4", "--learning-rate", "0.01"]),
    ):
        assert cli.run([*told, *more, "--run", str(tmp_path / name), "--league", "none"]) == 0
    assert are_same(tmp_path / "old", tmp_path / "new")
    settings = json.loads((tmp_path / "old" / SETTINGS).read_text(encoding="utf-8"))["settings"]
    assert (settings["num_envs"], settings["learning_rate"]) == (4, 0.01)
    assert cli.run([*told, "--games", "4", "--num-envs", "4", "--run", str(tmp_path / "both")]) != 0
    assert "games is the old name of num_envs; give one of them" in capsys.readouterr().err
    assert not (tmp_path / "both").exists()


@pytest.mark.parametrize("option", ["--num-envs", "--games"])
def test_options_of_scripts_have_old_names_too(option, monkeypatch, capsys):
    asked = []
    monkeypatch.setattr(loop_profile, "profile", lambda settings, *_: asked.append(settings) or {})
    monkeypatch.setattr(sys, "argv", ["loop_profile", option, "6"])
    loop_profile.main()
    assert asked == [Settings(num_envs=6)]


@pytest.mark.parametrize(
    "given, said",
    [
        ({"clip": 0.1, "clip_coef": 0.1}, "clip is the old name of clip_coef; give one of them"),
        ({"clip_coeff": 0.1}, "unknown setting 'clip_coeff'; did you mean 'clip_coef'?"),
        ({"entropie": 0.1}, "unknown setting 'entropie'; did you mean 'ent_coef'?"),
        ({"max_grad": 0.1}, "unknown setting 'max_grad'; did you mean 'max_grad_norm'?"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path, given, said):
    with pytest.raises(ValueError) as error:
        train_selfplay(tmp_path / "run", updates=1, **QUIET, **given)
    assert str(error.value) == said and not (tmp_path / "run").exists()
