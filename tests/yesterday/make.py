"""Writes the games of yesterday: `python tests/yesterday/make.py FILE`, run once, by the version that they are of.

Logs, positions in the middle of games (each kind of decision, pending frames as that version wrote them) and what the
bots that ship chose there. `test_yesterday.py` plays them with the version of today.
"""

import gzip
import json
import sys
from typing import Any

import vitienv

TABLES: dict[str, dict[str, Any]] = {
    "two": {"num_players": 2},
    "three": {"num_players": 3, "draft_parents": True},
    "four": {"num_players": 4, "friendly": True},
    "six": {"num_players": 6},
    "solo": {"ruleset": "solo"},
    "solo hard": {"ruleset": "solo", "difficulty": "hard", "aggressive": True, "challenge": 1},
    "solo 8": {"ruleset": "solo", "challenge": 8},
    "rival": {"ruleset": "solo", "stand_in": "rival"},
    "original": {"ruleset": "original", "num_players": 3},
}
OF_EACH_DECISION = 2
BOTS = ("heuristic", "policy:champion")


def main(path: str) -> None:
    """Play, and write everything into one gzip of JSON."""
    bots = {spec: vitienv.agent(spec) for spec in BOTS}
    logs, positions, seen = {}, [], {}
    for number, (name, options) in enumerate(TABLES.items()):
        for seed in range(4):
            # The first game by the champion, the others at random, where rarer cards are played too.
            player = bots["policy:champion"] if seed == 0 else vitienv.agent("random", seed=seed)
            game = vitienv.Game.new(seed=100 * number + seed, max_years=30, **options)
            while not game.is_over:
                observation, mask = game.observation(), game.mask
                key = (name if seed == 0 else "", game.decision)
                if seen.get(key, 0) < OF_EACH_DECISION:
                    seen[key] = seen.get(key, 0) + 1
                    chosen = {spec: int(bot.act(observation[None], mask[None])[0]) for spec, bot in bots.items()}
                    positions.append({
                        "position": game.to_dict(),
                        "decision": game.decision,
                        "legal": game.legal_actions(),
                        "chosen": {spec: vitienv.ACTIONS.name(action) for spec, action in chosen.items()},
                    })  # fmt: skip
                game.step(int(player.act(observation[None], mask[None])[0]))
            if seed < 2:
                logs[f"{name} {seed}"] = game.log
    whole = {"vitienv": vitienv.__version__, "logs": logs, "positions": positions}
    with open(path, "wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as file:
        file.write(json.dumps(whole, separators=(",", ":")).encode())
    print(f"{len(logs)} logs, {len(positions)} positions")


if __name__ == "__main__":
    main(sys.argv[1])
