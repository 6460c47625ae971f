"""Bots: one protocol, made from a string by `vitienv.make_agent`.

>>> bot = vitienv.make_agent("random", seed=3)
>>> actions = bot.act(observations, masks)

A spec is `name`, `name:key=value,key=value` or, for a network, `policy:path/to/weights.zip`. A name with a dot is an
own class that Python can import, also from the working folder, `my_module.MyBot:key=value`; `register` gives one a
short name.

In the sources this is the folder `agents/`, which is installed as `vitienv.agents`.
"""

from vitienv.agents.protocol import Agent, GameViews
from vitienv.agents.registry import agent_names, make_agent, register

__all__ = ["Agent", "GameViews", "agent_names", "make_agent", "register"]
