"""python -m vitienv.training.ppo: masked PPO in one file, see `one_file`."""

from vitienv.training.ppo.one_file import main

if __name__ == "__main__":
    main()
