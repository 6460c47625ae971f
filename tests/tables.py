"""Options of tables of all games and rulesets, by name."""

TABLES = {
    "two": {"num_players": 2},
    "three": {"num_players": 3, "draft_parents": True},
    "four": {"num_players": 4, "open_hands": True},
    "five": {"num_players": 5},
    "six": {"num_players": 6},
    "original": {"ruleset": "original", "num_players": 3},
    "original six": {"ruleset": "original", "num_players": 6},
    "solo": {"ruleset": "solo"},
    "aggressive": {"ruleset": "solo", "difficulty": "hard", "aggressive": True},
    "blocker": {"ruleset": "solo", "automa_replacement": "blocker"},
    "rival": {"ruleset": "solo", "automa_replacement": "rival"},
    "challenge": {"ruleset": "solo", "challenge": 6},
}
OTHER_GAMES = {
    **{f"toscana {n}": {"game": "toscana", "num_players": n, "player_trades": n == 4} for n in (2, 4, 5)},
    "toscana open": {"game": "toscana", "num_players": 3, "map": "pieces", "open_hands": True},
    "world": {"game": "world", "num_players": 3, "continent": "europe", "years": 2},
    "world alone": {"game": "world", "num_players": 1, "partner": "burattino", "years": 2},
}
