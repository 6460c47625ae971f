"""Bots: the `Agent` protocol, and `vitienv.make_agent` to make one from a string.

>>> bot = vitienv.make_agent("random", seed=3)
>>> actions = bot.act(observations, masks)

A spec is `name`, `name:key=value,key=value` or, for a network, `policy:path/to/weights.zip`. A dotted name is a
user-defined class, importable also from the working directory, `my_module.MyBot:key=value`; `register` adds names.

The source directory `agents/` is installed as `vitienv.agents`.
"""

from vitienv.agents.protocol import Agent, GameViews
from vitienv.agents.registry import agent_names, make_agent, register

__all__ = ["Agent", "GameViews", "agent_names", "make_agent", "register"]
