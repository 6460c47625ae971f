"""The words of training that had other names once: files and calls with the old ones keep working.

The names are those of CleanRL and Stable-Baselines3 where these have one. What a reader is given in old words it puts
into the new ones with `in_new_words`, so that the program itself knows only these.
"""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterable, Mapping
from typing import Any

# Old name -> new name, of settings, of options of the command line, and of what a checkpoint holds.
RENAMED = {
    "games": "num_envs",
    "horizon": "num_steps",
    "lam": "gae_lambda",
    "lam_value": "gae_lambda_value",
    "lam_imitate": "gae_lambda_imitate",
    "epochs": "update_epochs",
    "minibatch": "minibatch_size",
    "minibatch_imitate": "minibatch_size_imitate",
    "rate": "learning_rate",
    "rate_warm": "learning_rate_warm",
    "rate_imitate": "learning_rate_imitate",
    "end_imitate": "learning_rate_imitate_end",
    "clip": "clip_coef",
    "entropy": "ent_coef",
    "value": "vf_coef",
    "norm": "max_grad_norm",
    "chances": "log_probs",
    "lanes": "envs",
}


def in_new_words(given: Mapping[str, Any]) -> dict[str, Any]:
    """The same with new names, in the same order. ValueError if something is given by its old and by its new name."""
    for old in given:
        if old in RENAMED and RENAMED[old] in given:
            raise ValueError(f"{old} is the old name of {RENAMED[old]}; give one of them")
    return {RENAMED.get(name, name): value for name, value in given.items()}


def refuse_unknown(given: Iterable[str], known: Iterable[str]) -> None:
    """ValueError if there is no such setting; it names the nearest one, by its new name."""
    known = list(known)
    for name in given:
        if name not in known:
            close = difflib.get_close_matches(name, [*known, *RENAMED], n=1)
            hint = f"did you mean {RENAMED.get(close[0], close[0])!r}?" if close else f"there is {', '.join(known)}"
            raise ValueError(f"unknown setting {name!r}; {hint}")


def add_options(parser: argparse.ArgumentParser, *names: str) -> None:
    """Settings that are whole numbers as options of a script, under their old names too, which its help leaves out.

    What was parsed holds those that were given; put it into new words.
    """
    for name in names:
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=argparse.SUPPRESS)
    for old, new in RENAMED.items():
        if new in names:
            parser.add_argument(f"--{old}", type=int, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
