"""A bot that plays the first legal action of a priority list, and other actions at random.

Try it:

    vitienv evaluate NAME.Bot --opponents random --players 2
    vitienv tournament NAME.Bot random heuristic visitors cellar --players 4 --games 100
    vitienv play --bots NAME.Bot
"""

import numpy as np

import vitienv

# Prefixes of action names, highest priority first; `vitienv.ACTIONS.names` lists all names. "pass" precedes the weak
# placements: workers placed in summer are not available in winter.
PRIORITIES = (
    "place:fill_order",
    "place:make_wine",
    "place:harvest_field",
    "place:plant_vine",
    "place:train_worker",
    "place:play_",
    "place:draw_order",
    "place:build_structure",
    "place:give_tour",
    "pass",
    "place:draw_vine",
    "structure:trellis",
    "structure:irrigation",
    "structure:medium_cellar",
    "card:order",
    "make:",
    "card:vine",
    "yes",
)


class Bot:
    """A bot for batches of games: each row of the arrays is one game.

    A choice depends only on its row and the seed, not on earlier calls or other rows.
    """

    def __init__(self, seed: int | None = None) -> None:
        """seed: of the RNG; every keyword parameter is a key of the spec, `NAME.Bot:seed=3`."""
        self.name = "NAME"
        self.game = "viticulture"
        self.seed = 0 if seed is None else seed
        # The value of each action: higher for earlier prefixes, 0 for actions without one.
        self.values = np.zeros(vitienv.ACTIONS.n)
        for number, action in enumerate(vitienv.ACTIONS.names):
            matches = [i for i, prefix in enumerate(PRIORITIES) if action.startswith(prefix)]
            if matches:
                self.values[number] = len(PRIORITIES) - matches[0]

    def act(self, observations: np.ndarray, action_masks: np.ndarray, games: object = None) -> np.ndarray:
        """Return a legal action for each game, (n,).

        observations: (n, vitienv.OBSERVATION.n), of the acting seats; `vitienv.OBSERVATION.describe(row)` returns text.
        action_masks: (n, vitienv.ACTIONS.n), 1 where legal. games: for search bots, `games.determinize(i, seed)` is a
        copy of game i for simulations.
        """
        actions = np.empty(len(action_masks), np.int64)
        for i, (observation, mask) in enumerate(zip(observations, action_masks, strict=True)):
            rng = np.random.default_rng([self.seed, int(np.abs(observation.astype(np.int64)).sum())])
            priorities = np.where(mask == 1, self.values + rng.random(len(mask)) / 2, -np.inf)
            actions[i] = priorities.argmax()
        return actions
