"""An own bot: it takes the first legal action of a list of wishes, and leaves the rest to chance.

Try it:

    vitienv evaluate NAME.Bot --opponents random --players 2
    vitienv tournament NAME.Bot random heuristic visitors cellar --players 4 --games 100
    vitienv play --bots NAME.Bot
"""

import numpy as np

import vitienv

# The beginnings of the names of actions, the most wanted first; `vitienv.ACTIONS.names` has them all. To pass stands
# before the least of them: who places all workers in summer has none for winter.
WISHES = (
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
    """One object plays many games at once, each row of the arrays being one of them.

    It keeps nothing between calls that changes its choices: the same position gets the same answer, whatever else is
    in the batch.
    """

    def __init__(self, seed: int | None = None) -> None:
        """seed: of its chance; every keyword parameter is a key of the spec, `NAME.Bot:seed=3`."""
        self.name = "NAME"
        self.game = "viticulture"
        self.seed = 0 if seed is None else seed
        # What an action is worth: more for an earlier wish, nothing for what is not wished for.
        self.worth = np.zeros(vitienv.ACTIONS.n)
        for number, action in enumerate(vitienv.ACTIONS.names):
            fitting = [i for i, wish in enumerate(WISHES) if action.startswith(wish)]
            if fitting:
                self.worth[number] = len(WISHES) - fitting[0]

    def act(self, observations: np.ndarray, action_masks: np.ndarray, games: object = None) -> np.ndarray:
        """A legal action for each game.

        observations: (n, vitienv.OBSERVATION.n), what each acting seat sees; `vitienv.OBSERVATION.describe(row)` tells
        it in words. action_masks: (n, vitienv.ACTIONS.n), 1 where an action is legal. games: for bots that search,
        `games.determinize(i, seed)` is a copy of game i to try things on. Returns (n,) numbers of actions.
        """
        actions = np.empty(len(action_masks), np.int64)
        for i, (seen, mask) in enumerate(zip(observations, action_masks, strict=True)):
            chance = np.random.default_rng([self.seed, int(np.abs(seen.astype(np.int64)).sum())])
            tastes = np.where(mask == 1, self.worth + chance.random(len(mask)) / 2, -np.inf)
            actions[i] = tastes.argmax()
        return actions
