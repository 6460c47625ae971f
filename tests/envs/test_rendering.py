"""Rendered images: in every environment, as videos and in a window."""

import os
import sys
import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import register, registry
from gymnasium.error import DependencyNotInstalled

import vitienv
from vitienv.envs import pixels as pixels_module
from vitienv.envs.pixels import pixels
from vitienv.envs.single import SingleAgentEnv

from .players import choose

NAME, SOLO = "vitienv/Viticulture-v0", "vitienv/ViticultureSolo-v0"
SIZE = (800, 1280, 3)


def test_text_is_rendered_without_system_fonts():
    """The images of two names differ locally, so letters are drawn; the font comes with Matplotlib."""
    game = vitienv.Game.new(seed=1)
    image, other = (pixels(game.svg(theme="light", names=[name, "x"])) for name in ("Ada", "Bea"))
    assert image.shape == SIZE and image.dtype == np.uint8
    rows, columns = np.nonzero((image != other).any(axis=2))
    assert 10 < len(rows) < 500 and np.ptp(rows) < 25 and np.ptp(columns) < 60


def test_colour_channels():
    """Red, green and blue in this order: the first seat is blue."""
    picture = pixels(vitienv.Game.new(seed=1).svg(theme="light")).reshape(-1, 3)
    assert (picture == (0x00, 0x72, 0xB2)).all(axis=1).sum() > 200
    assert not (picture == (0xB2, 0x72, 0x00)).all(axis=1).any()


PIXELS = {"render_mode": "rgb_array"}
ENVS = {
    "learner": lambda: gym.make(NAME, **PIXELS), "solo": lambda: gym.make(SOLO, **PIXELS),
    "pettingzoo": lambda: vitienv.env(num_players=3, **PIXELS),
}  # fmt: skip


@pytest.mark.parametrize("name", ENVS)
def test_image_of_each_environment(name):
    env = ENVS[name]()
    env.reset(seed=1)
    first = env.render()
    assert first.shape == SIZE and first.dtype == np.uint8 and env.metadata["render_fps"] == 4
    for step in range(8):
        mask = env.last()[0]["action_mask"] if name == "pettingzoo" else env.unwrapped.action_masks()
        env.step(choose(mask, step))
    assert not np.array_equal(first, env.render())


def many(**options):
    return gym.make_vec(NAME, num_envs=3, vectorization_mode="vector_entry_point", **options)


@pytest.mark.parametrize("make, marks", [
    (vitienv.raw_env, ["decides: ", "Seat 1", "Seat 2"]), (vitienv.env, ["decides: "]), (SingleAgentEnv, ["Seat 2"]),
    (many, ["Seat 2"]),
])  # fmt: skip
def test_text_of_each_environment(make, marks, capsys):
    env = make(render_mode="ansi")
    env.reset(seed=1)
    texts = env.render() if make is many else [env.render()]
    assert all(mark in text for mark in marks for text in texts) and capsys.readouterr().out == ""
    if make is SingleAgentEnv:
        assert texts[0].count("    cards ") == 1  # the learner's
    if make is not many:
        make(render_mode="human").reset(seed=1)
        assert "decides: " in capsys.readouterr().out


def test_image_hides_other_hands():
    env = gym.make(NAME, render_mode="rgb_array", opponents=["random"])
    env.reset(seed=2)
    games = env.unwrapped.games.batch
    image = env.render()
    game = vitienv.envs.common.game_at(games, 0)
    assert np.array_equal(image, pixels(game.determinize(0, seed=3).svg(0, theme="light")))


@pytest.mark.parametrize("name", [NAME, SOLO])
def test_stable_baselines_rendering(name):
    make_vec_env = pytest.importorskip("stable_baselines3.common.env_util").make_vec_env

    envs = make_vec_env(name, n_envs=2, seed=1)
    envs.reset()
    assert [picture.shape for picture in envs.get_images()] == [SIZE] * 2


def test_vectors_show_all_games():
    sb3 = pytest.importorskip("vitienv.envs.sb3")
    envs = sb3.SingleAgentVecEnv(2, render_mode="rgb_array")
    envs.reset()
    assert [picture.shape for picture in envs.get_images()] == [SIZE] * 2
    assert envs.render().shape[0] >= 800
    vec = many(**PIXELS)
    vec.reset(seed=1)
    pictures = vec.render()
    assert isinstance(pictures, tuple) and [picture.shape for picture in pictures] == [SIZE] * 3
    assert sb3.SingleAgentVecEnv(2).get_images() == [None, None]


def test_render_modes_require_a_drawing_and_a_renderer(monkeypatch):
    with pytest.raises(TypeError, match="must be None, 'ansi', 'human', got 'rgb_array': High card has no drawing"):
        vitienv.env(game="tests.toy.game_spec", render_mode="rgb_array")
    assert "rgb_array" not in vitienv.env(game="tests.toy.game_spec").metadata["render_modes"]
    assert "rgb_array" in vitienv.env().metadata["render_modes"]
    monkeypatch.setitem(sys.modules, "pylunasvg", None)  # simulates a missing package
    assert gym.make(NAME).metadata["render_modes"] == ["ansi", "human"]


def test_stable_baselines_without_a_renderer():
    make_vec_env = pytest.importorskip("stable_baselines3.common.env_util").make_vec_env
    register(id="vitienv/Toy-v0", entry_point=SingleAgentEnv, kwargs={"game": "tests.toy.game_spec"})
    try:
        envs = make_vec_env("vitienv/Toy-v0", n_envs=2, seed=1)
        assert envs.reset().shape[0] == 2 and envs.get_attr("render_mode") == [None, None]
    finally:
        registry.pop("vitienv/Toy-v0")


def test_missing_extra_is_named(monkeypatch):
    """The environment can be used without rendering."""
    monkeypatch.setitem(sys.modules, "pylunasvg", None)
    pixels_module._rasteriser.cache_clear()
    env = gym.make(NAME, render_mode="rgb_array").unwrapped
    env.reset(seed=1)
    with pytest.raises(DependencyNotInstalled, match=r'needs pylunasvg: pip install -e "\.\[analysis\]"'):
        env.render()
    pixels_module._rasteriser.cache_clear()


def test_gymnasium_records_a_video(tmp_path):
    pytest.importorskip("moviepy")
    from imageio_ffmpeg import count_frames_and_secs

    env = gym.make(NAME, render_mode="rgb_array", max_years=1, illegal_action="raise")
    env = gym.wrappers.RecordVideo(env, str(tmp_path), episode_trigger=lambda episode: True)
    env.reset(seed=1)
    steps, over = 0, False
    while not over:
        *_, terminated, truncated, _ = env.step(choose(env.unwrapped.action_masks(), steps))
        steps, over = steps + 1, terminated or truncated
    env.close()
    (film,) = tmp_path.glob("*.mp4")
    frames, seconds = count_frames_and_secs(str(film))
    assert frames == steps + 1 and seconds == pytest.approx(frames / 4, abs=0.3)


def test_gymnasium_human_mode(monkeypatch):
    pytest.importorskip("pygame")
    monkeypatch.setitem(os.environ, "SDL_VIDEODRIVER", "dummy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = gym.wrappers.HumanRendering(gym.make(NAME, render_mode="rgb_array"))
        env.reset(seed=1)
        assert env.screen_size == (1280, 800)
        env.close()
