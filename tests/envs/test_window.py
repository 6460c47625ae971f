"""`render_mode="human"`: a window where a browser has a screen, words where there is none."""

import json
import urllib.error
import urllib.request

import gymnasium as gym
import pytest

import vitienv
from vitienv.envs import common, window
from vitienv.envs.window import Window


@pytest.fixture
def opened(monkeypatch):
    """A window on a screen; the addresses that were opened."""
    addresses, screen = [], Window()
    monkeypatch.setattr(window.webbrowser, "open", addresses.append)
    monkeypatch.setattr(common, "has_screen", lambda: True)
    monkeypatch.setattr(common, "window", lambda: screen)
    yield addresses
    screen.close()


def got(address, **headers):
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=60) as answer:
        return answer.read().decode()


def test_the_window_follows_each_step(opened, capsys):
    env = gym.make("vitienv/Viticulture-v0", render_mode="human", opponents=["random"], disable_env_checker=True)
    _, info = env.reset(seed=1)
    assert len(opened) == 1 and "<main" in got(opened[0])
    first = json.loads(got(f"{opened[0]}/after/0"))
    env.step(int(info["action_mask"].argmax()))
    second = json.loads(got(f"{opened[0]}/after/{first['number']}"))
    assert second["number"] > first["number"] and second["svg"].startswith("<svg") and second["svg"] != first["svg"]
    assert len(opened) == 1 and not capsys.readouterr().out


def test_it_shows_what_the_learner_may_see_and_in_pettingzoo_all(opened):
    env = gym.make("vitienv/Viticulture-v0", render_mode="human", opponents=["random"], disable_env_checker=True)
    env.reset(seed=1)
    assert json.loads(got(f"{opened[0]}/after/0"))["svg"] == shown(env.unwrapped.games.batch, 0)
    shared = vitienv.raw_env(num_players=2, render_mode="human")
    shared.reset(seed=1)
    assert json.loads(got(f"{opened[0]}/after/1"))["svg"] == shown(shared._batch, None)


def shown(batch, viewer):
    return vitienv.game.Game(batch, None).svg(viewer)


@pytest.mark.parametrize("change", ["/no", "/after/x", "/after/99999999999", "x"])
def test_others_find_nothing(opened, change):
    env = vitienv.raw_env(num_players=2, render_mode="human")
    env.reset(seed=1)
    with pytest.raises(urllib.error.HTTPError) as error:
        got(opened[0] + change)
    assert error.value.code == 404
    with pytest.raises(urllib.error.HTTPError):
        got(opened[0], Host="evil.example")


def test_without_a_screen_words_are_printed(opened, monkeypatch, capsys):
    monkeypatch.setattr(common, "has_screen", lambda: False)
    env = vitienv.raw_env(num_players=2, render_mode="human")
    env.reset(seed=1)
    assert not opened and "Set-up. Seat" in capsys.readouterr().out
