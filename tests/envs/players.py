"""Deterministic players, so that runs can be compared."""

import numpy as np

from vitienv.viticulture.vocabulary import N_ACTIONS

SPREAD = np.arange(1, N_ACTIONS + 1, dtype=np.int64) * 2654435761 % 1000003


def choose(masks, salt=0):
    """Return a legal action per row of masks (n, up to N_ACTIONS) or for one mask, determined by mask and salt."""
    masks = np.asarray(masks)
    weights = (SPREAD[: masks.shape[-1]] * (int(salt) * 7919 + 13) % 1000003 + 1) * (masks == 1)
    return int(weights.argmax()) if masks.ndim == 1 else weights.argmax(axis=1)


class SaltedBot:
    """A bot that plays by `choose` and records its games."""

    def __init__(self, name="salted", salt=5):
        self.name, self.salt = name, salt
        self.seats = []

    def act(self, observations, action_masks, games=None):
        for i in range(len(observations) if games is not None and len(self.seats) < 20 else 0):
            self.seats.append(games.determinize(i, 1).current_seat)
        return choose(action_masks, self.salt)


def playout(env, salt=0, steps=5000):
    """Play an AEC environment to its end; return the results of `last` in order."""
    transitions = []
    for step, agent in enumerate(env.agent_iter(steps)):
        observation, reward, terminated, truncated, info = env.last()
        transitions.append((agent, observation, reward, terminated, truncated, info))
        done = terminated or truncated
        env.step(None if done else choose(observation["action_mask"], salt + step))
    return transitions


def same(a, b):
    """Return whether two nested structures are equal, arrays included."""
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return bool(np.array_equal(a, b))


def play(env, seed=None, salt=0, steps=3000):
    """Reset and play a game of one learner to its end; return the results of all steps."""
    observation, info = env.reset(seed=seed)
    steps_out = [(observation, info)]
    for step in range(steps):
        out = env.step(choose(info["action_mask"], salt + step))
        steps_out.append(out)
        info = out[-1]
        if out[2] or out[3]:
            return steps_out
    raise AssertionError("the game did not end")
