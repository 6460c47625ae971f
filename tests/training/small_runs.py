"""Small trainings by each method."""

from vitienv.training.ppo.train import train
from vitienv.training.search.train import train_search
from vitienv.training.selfplay.train import train_selfplay

TOY = "tests.toy.game_spec"
CALL = {"threads": 1, "checkpoint_seconds": 0, "evaluation_games": 2, "progress": False}
NETWORK = {"hidden": 4, "device": "cpu", "mix": "2:1", "updates": 2}
# Functions of the run directory and of call options.
RUNS = {
    "ppo": lambda run, **options: train(["random"], run=run, num_envs=4, **{"steps": 512} | CALL | options),
    "selfplay": lambda run, **options: train_selfplay(
        run, num_envs=4, max_years=3, league=(), **CALL | NETWORK | options
    ),
    "search": lambda run, **options: train_search(
        run, game=TOY, games=2, full_simulations=2, processes=1, **CALL | NETWORK | options
    ),
}
