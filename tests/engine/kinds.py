"""Options of each kind of game besides the default, for tests of all rulesets."""

from vitienv.registry import game_spec

LEVELS = ("very_easy", "easy", "normal", "hard", "very_hard")
SOLO = {level: {"ruleset": "solo", "difficulty": level} for level in LEVELS}
SOLO["aggressive"] = {"ruleset": "solo", "aggressive": True}
SOLO["redraw"] = {"ruleset": "solo", "redraw_visitors": True}
SOLO["draft"] = {"ruleset": "solo", "draft_parents": True}
SOLO |= {f"challenge_{n}": {"ruleset": "solo", "challenge": n, "bonus_tokens": n % 3} for n in range(1, 9)}
STAND_INS = {
    "rival": {"ruleset": "solo", "automa_replacement": "rival"},
    "rival_eight_years": {"ruleset": "solo", "automa_replacement": "rival", "difficulty": "very_easy"},
    "blocker": {"ruleset": "solo", "automa_replacement": "blocker", "difficulty": "hard"},
}
ORIGINAL = {f"original_{n}": {"ruleset": "original", "num_players": n} for n in range(2, 7)}
ORIGINAL["literal"] = {"ruleset": "original", "num_players": 4, "preset": "manual_literal"}
SPLITS = {"train": {"num_players": 2, "visitors": "train"}, "held_out": {"num_players": 6, "visitors": "held_out"}}
KINDS = SOLO | STAND_INS | ORIGINAL | SPLITS


def tables_of(game):
    """Return the tables of the bench signature of a game, and without a base game those of each number of players."""
    spec = game_spec(game)
    tables = {name: spec.options.of(**options) for name, options in spec.signature.items()}
    for ruleset in spec.rulesets if spec.base_game is None else ():
        for n in spec.options.of(ruleset=ruleset).players():
            tables[f"{ruleset}/{n}"] = spec.options.of(ruleset=ruleset, num_players=n)
    return {name: options for name, options in tables.items() if options.game_spec is spec}
