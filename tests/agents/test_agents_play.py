"""Bundled bots: legality, determinism, hidden information, and strength against random bots."""

import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

import vitienv
from tests.random_play import random_batch
from vitienv.agents import make_agent
from vitienv.training.evaluation.match import play
from vitienv.viticulture.options import Options

NAMES = ["random", "heuristic", "visitors", "cellar", "policy:champion"]
VARIANTS = [
    {"num_players": 2, "friendly": True},
    {"num_players": 3, "draft_parents": True},
    {"num_players": 4, "open_hands": True},
    {"num_players": 5, "skip_forced": True},
    {"num_players": 6, "draft_parents": True, "friendly": True},
]


def play_matches(agents, games, seed=1, **options):
    """Play games in which everybody sits everywhere; return their results and each agent's number of wins."""
    players = len(agents)
    seating = (np.arange(players) + np.arange(games)[:, None]) % players
    table = Options(num_players=players, max_years=40, **options)
    results = play(table, range(seed, seed + games), seating, agents)
    return results, [results.wins[seating == number].sum() for number in range(players)]


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: "-".join(map(str, options)))
def test_actions_are_legal_in_every_variant(options):
    """Random opponents lead to unusual positions."""
    names = ["heuristic", "random", "policy:champion", "visitors", "cellar", "heuristic"]
    agents = [make_agent(name, seed=2) for name in names[: options["num_players"]]]
    table = {key: value for key, value in options.items() if key != "num_players"}
    assert play_matches(agents, 8, seed=3, **table)[0].years.min() >= 3


@pytest.mark.parametrize("name", NAMES)
def test_choice_is_independent_of_batch_and_order(name):
    batch = random_batch(Options(num_players=3), 120, 90)
    observations, masks = batch.obs, batch.masks
    actions = make_agent(name, seed=6).act(observations, masks)
    again = make_agent(name, seed=6)
    for i in (0, 17, 119):
        assert again.act(observations[i : i + 1], masks[i : i + 1])[0] == actions[i]
    back = np.arange(119, -1, -1)
    assert np.array_equal(again.act(observations[back], masks[back]), actions[back])
    assert again.act(observations[:0], masks[:0]).shape == (0,)


def test_random_bot_is_uniform_and_depends_on_its_seed():
    batch = random_batch(Options(num_players=3), 2000, 30)
    observations, masks = batch.obs, batch.masks
    first, second = (make_agent("random", seed=seed).act(observations, masks) for seed in (1, 2))
    assert (first != second).mean() > 0.2
    many = np.repeat(observations[:1], 3000, axis=0)
    many[:, 0] = np.arange(3000)
    mask = np.zeros((3000, masks.shape[1]), np.int8)
    mask[:, [3, 50, 200]] = 1
    counts = np.bincount(make_agent("random", seed=4).act(many, mask), minlength=201)[[3, 50, 200]]
    assert counts.sum() == 3000
    assert abs(counts - 1000).max() < 130  # five standard deviations


@pytest.mark.parametrize("name", ["heuristic", "visitors", "cellar", "policy:champion"])
def test_choice_is_independent_of_hidden_information(name):
    agent = make_agent(name)
    neighbour = make_agent("random", seed=3)
    checked = 0
    for seed in range(3):
        game = vitienv.Game.new(num_players=3, seed=seed)
        for step in range(220):
            if game.is_over:
                break
            observation, mask = game.observation(), game.mask
            action = agent.act(observation[None], mask[None])[0]
            if step % 9 == 0:
                other = game.determinize(game.current_seat, step)
                assert agent.act(other.observation()[None], other.mask[None])[0] == action
                checked += 1
            if game.current_seat == 2:
                action = neighbour.act(observation[None], mask[None])[0]
            game.step(int(action))
    assert checked > 50


def test_inputs_are_not_changed():
    batch = random_batch(Options(num_players=3), 30, 50)
    observations, masks = batch.obs.copy(), batch.masks.copy()
    observations.flags.writeable = masks.flags.writeable = False
    before = observations.copy()
    for name in NAMES:
        make_agent(name, seed=1).act(observations, masks)
    assert np.array_equal(before, observations)


def test_interpreted_bot_chooses_the_same(tmp_path):
    batch = random_batch(Options(num_players=2), 150, 110, seed=11)
    few = np.flatnonzero(batch.masks.sum(axis=1) > 1)[:24]
    np.savez(tmp_path / "positions.npz", observations=batch.obs[few], masks=batch.masks[few])
    script = (
        "import numpy as np; from vitienv.agents import make_agent\n"
        f"saved = np.load({str(tmp_path / 'positions.npz')!r})\n"
        "print(*make_agent('heuristic').act(saved['observations'], saved['masks']))"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, timeout=300, check=True
    )
    expected = make_agent("heuristic").act(batch.obs[few], batch.masks[few])
    assert [int(word) for word in done.stdout.split()] == expected.tolist()


GAMES = 40


@pytest.mark.parametrize(("name", "min_wins"), [("heuristic", 39), ("visitors", 38), ("cellar", 38)])
def test_bots_beat_three_random_bots(name, min_wins):
    results, wins = play_matches([make_agent(name), *(make_agent("random", seed=seed) for seed in range(3))], GAMES)
    assert wins[0] >= min_wins and results.years.mean() <= 10


class Recorder:
    """Bot that counts its actions by name."""

    def __init__(self, name):
        self.name, self.bot, self.counts = name, make_agent(name), Counter()

    def act(self, observations, action_masks, games=None):
        actions = self.bot.act(observations, action_masks)
        self.counts.update(map(vitienv.ACTIONS.name, actions.tolist()))
        return actions


def test_strategies_differ():
    """One bot prefers visitors and tours, the other cellars, wines and orders."""
    agents = [Recorder("visitors"), Recorder("cellar")]
    play_matches(agents, GAMES)
    for min_ratio, preferred, parts in (
        (1.2, 0, ("place:give_tour", "card:summer", "card:winter")),
        (1.2, 0, ("structure:tasting_room", "structure:windmill", "structure:cottage")),
        (1.2, 1, ("structure:medium_cellar", "structure:large_cellar")),
        (2, 1, ("make:blush", "make:sparkling")),
        (1.5, 1, ("place:fill_order", "card:order")),
    ):
        counts = [sum(n for name, n in agent.counts.items() if name.startswith(parts)) for agent in agents]
        assert counts[preferred] > min_ratio * counts[1 - preferred], parts
