"""Rendered images: in every environment, as videos and in a window."""

import builtins
import os
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


@pytest.mark.parametrize("name", [NAME, SOLO])
def test_one_learner(name):
    env = gym.make(name, render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    assert first.shape == SIZE and first.dtype == np.uint8 and env.metadata["render_fps"] == 4
    for step in range(8):
        *_, info = env.step(choose(env.unwrapped.action_masks(), step))
    assert not np.array_equal(first, env.render())


def test_image_hides_other_hands():
    env = gym.make(NAME, render_mode="rgb_array", opponents=["random"])
    env.reset(seed=2)
    games = env.unwrapped.games.batch
    image = env.render()
    game = vitienv.envs.common.game_at(games, 0)
    assert np.array_equal(image, pixels(game.determinize(0, seed=3).svg(0, theme="light")))


def test_vector_rendering():
    vec = gym.make_vec(NAME, num_envs=3, vectorization_mode="vector_entry_point", render_mode="rgb_array")
    vec.reset(seed=1)
    pictures = vec.render()
    assert isinstance(pictures, tuple) and [picture.shape for picture in pictures] == [SIZE] * 3
    words = gym.make_vec(NAME, num_envs=2, vectorization_mode="vector_entry_point", render_mode="ansi")
    words.reset(seed=1)
    assert all("Seat 2" in text for text in words.render())


def test_pettingzoo():
    env = vitienv.env(num_players=3, render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape == SIZE
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert not np.array_equal(picture, env.render())


@pytest.mark.parametrize("name", [NAME, SOLO])
def test_stable_baselines_rendering(name):
    make_vec_env = pytest.importorskip("stable_baselines3.common.env_util").make_vec_env

    envs = make_vec_env(name, n_envs=2, seed=1)
    envs.reset()
    assert [picture.shape for picture in envs.get_images()] == [SIZE] * 2


def test_stable_baselines_vector_shows_all_games():
    sb3 = pytest.importorskip("vitienv.envs.sb3")
    envs = sb3.SingleAgentVecEnv(2, render_mode="rgb_array")
    envs.reset()
    assert [picture.shape for picture in envs.get_images()] == [SIZE] * 2
    assert envs.render().shape[0] >= 800
    assert sb3.SingleAgentVecEnv(2).get_images() == [None, None]


def test_render_mode_of_a_game_without_a_renderer_raises():
    with pytest.raises(TypeError, match="must be None, 'ansi', 'human', got 'rgb_array': High card has no drawing"):
        vitienv.env(game="tests.toy.game_spec", render_mode="rgb_array")
    assert "rgb_array" not in vitienv.env(game="tests.toy.game_spec").metadata["render_modes"]
    assert "rgb_array" in vitienv.env().metadata["render_modes"]


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
    real = builtins.__import__

    def without(name, *arguments):
        if name == "pylunasvg":
            raise ImportError(name)
        return real(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without)
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
