"""Options of each kind of game besides the default, for tests of all rulesets."""

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
