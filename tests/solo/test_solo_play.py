"""Random solo games: their end."""

import numpy as np
import pytest

import vitienv

from .positions import REMOVED, begin, run_to, run_to_year_end

LEVELS = [{"difficulty": level} for level in ("very_easy", "easy", "normal", "hard", "very_hard")]
AGGRESSIVE = [{"aggressive": True, "difficulty": level} for level in ("easy", "normal", "hard")]
CHALLENGES = [{"challenge": number} for number in range(1, 9)]
STAND_INS = [
    {"automa_replacement": automa_replacement, "difficulty": level}
    for automa_replacement in ("rival", "blocker")
    for level in ("normal", "hard")
]
MIXED = [
    {"challenge": 2, "difficulty": "very_hard"},
    {"challenge": 5, "aggressive": True},
    {"challenge": 1, "draft_parents": True, "bonus_tokens": 3},
    {"redraw_visitors": True, "difficulty": "hard"},
]
ALL = LEVELS + AGGRESSIVE + CHALLENGES + STAND_INS + MIXED
EVERY = pytest.mark.parametrize("options", ALL, ids=lambda options: " ".join(map(str, options.values())))
DECISIONS_AT_MOST = 3000


def positions_of(seed, **options):
    """Yield the positions of a random game, including the final one."""
    rng = np.random.default_rng(seed)
    game = vitienv.Game.new(ruleset="solo", seed=seed, **options)
    for _ in range(DECISIONS_AT_MOST):
        yield game
        if game.is_over:
            return
        game.step(int(rng.choice(np.flatnonzero(game.mask))))
    pytest.fail(f"no end after {DECISIONS_AT_MOST} decisions, in year {game.year}, at {game.decision}")


def years_of(options):
    """Return the maximum number of years."""
    return 8 if options.get("difficulty") == "very_easy" or options.get("challenge") == 5 else 7


def may_end_early(options):
    """Return whether a game can be lost before its last year."""
    return bool(options.get("aggressive")) or options.get("challenge") == 3


@EVERY
def test_end_of_random_solo_games(options):
    """Solo, Game end: after the last year or a premature loss; the outcome follows from the marker."""
    for seed in range(3):
        *_, game = positions_of(seed, **options)
        years = years_of(options)
        assert (game.is_over, game.is_truncated) == (True, False)
        points, marker = game.scores[0], game.scores[1] if "automa_replacement" in options else game.automa_score
        outcome = "win" if points > marker else "draw" if points == marker else "loss"
        if game.year < years:
            assert may_end_early(options)
            outcome = "loss"
        if options.get("aggressive") and outcome == "draw":
            outcome = "loss"
        if options.get("automa_replacement") != "rival":
            assert game.outcome == outcome
        assert game.rewards[0] == {"win": 1.0, "draw": 0.0, "loss": -1.0}[outcome]
        assert game.ranks[0] == (2 if outcome == "loss" else 1)


@pytest.mark.parametrize("options", [{}, {"difficulty": "hard"}, {"automa_replacement": "blocker"}])
def test_removed_visitors_are_never_dealt(options):
    """Solo, Setup 4."""
    for seed in range(4):
        for game in positions_of(seed, **options):
            hand = game.to_dict()["seats"][0]["hand"]
            for deck, cards in REMOVED.items():
                assert not set(hand[deck]) & set(cards)


@pytest.mark.parametrize("years, is_truncated, outcome", [(2, True, None), (7, False, "loss")])
def test_truncated_game_has_no_outcome(years, is_truncated, outcome):
    """`max_years` is an option of the environment; beyond the last year it has no effect."""
    game = run_to(vitienv.Game.new(ruleset="solo", seed=1, max_years=years), lambda g: False)
    assert (game.is_over, game.is_truncated, game.outcome) == (True, is_truncated, outcome)
    assert game.rewards == [0.0 if is_truncated else -1.0]


def test_outcome_is_none_in_other_rulesets():
    game = vitienv.Game.new(num_players=2, seed=1)
    assert (game.outcome, game.automa_score) == (None, None)


@pytest.mark.parametrize("options, years", [({}, 7), ({"difficulty": "very_easy"}, 8)])
def test_each_wake_up_row_is_used_once(options, years):
    """Solo, Wake-up chart: a row without its token is closed; very easy opens all in an eighth year."""
    game, counts, rows = begin(4, **options), [], []
    while not game.is_over:
        rows.append(len(game.legal_actions()))
        game.step(game.legal_actions()[-1])
        run_to_year_end(game)
        counts.append(game.to_dict()["seats"][0]["bonus_tokens"])
    assert counts == [*range(1, years + 1)]
    assert rows == [7, 6, 5, 4, 3, 2, 1, 7][:years]
