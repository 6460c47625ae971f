"""Whole games at random: they end as they must, and every copy of a game is that game."""

import json

import numpy as np
import pytest

import vitienv

from .rows import REMOVED, begin, run_to, run_to_year_end

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
    """A random game as an iterator of its positions, the last one being over."""
    rng = np.random.default_rng(seed)
    game = vitienv.Game.new(ruleset="solo", seed=seed, **options)
    for _ in range(DECISIONS_AT_MOST):
        yield game
        if game.is_over:
            return
        game.step(int(rng.choice(np.flatnonzero(game.mask))))
    pytest.fail(f"no end after {DECISIONS_AT_MOST} decisions, in year {game.year}, at {game.decision}")


def years_of(options):
    """How many years a game has at most."""
    return 8 if options.get("difficulty") == "very_easy" or options.get("challenge") == 5 else 7


def may_end_early(options):
    """Whether a game can be lost before its last year."""
    return bool(options.get("aggressive")) or options.get("challenge") == 3


@EVERY
def test_games_run_to_their_end(options):
    """Solo, Game end: at the end of the last year, or at once where the rules say so; compared with the marker."""
    for seed in range(3):
        *_, game = positions_of(seed, **options)
        years = years_of(options)
        assert (game.is_over, game.is_truncated) == (True, False)
        own, marker = game.scores[0], game.scores[1] if "automa_replacement" in options else game.automa_score
        outcome = "win" if own > marker else "draw" if own == marker else "loss"
        if game.year < years:
            assert may_end_early(options)
            outcome = "loss"
        if options.get("aggressive") and outcome == "draw":
            outcome = "loss"
        if options.get("automa_replacement") != "rival":
            assert game.outcome == outcome
        assert game.rewards[0] == {"win": 1.0, "draw": 0.0, "loss": -1.0}[outcome]
        assert game.ranks[0] == (2 if outcome == "loss" else 1)


@EVERY
def test_a_position_is_the_same_game_at_every_decision(options):
    """Positions: written, read back, and as plain JSON."""
    for game in positions_of(7, **options):
        again = vitienv.Game.from_dict(json.loads(json.dumps(game.to_dict())))
        assert again == game, game.decision
        assert again.legal_actions() == game.legal_actions()
        assert (again.outcome, again.automa_score) == (game.outcome, game.automa_score)


@pytest.mark.parametrize("options", [{}, {"difficulty": "hard"}, {"automa_replacement": "blocker"}])
def test_the_four_visitors_are_in_no_hand(options):
    """Solo, Setup 4: what was taken out comes up nowhere."""
    for seed in range(4):
        for game in positions_of(seed, **options):
            hand = game.to_dict()["seats"][0]["hand"]
            for deck, cards in REMOVED.items():
                assert not set(hand[deck]) & set(cards)


@pytest.mark.parametrize("years, is_truncated, outcome", [(2, True, None), (7, False, "loss")])
def test_a_game_cut_off_has_no_outcome(years, is_truncated, outcome):
    """The limit of years is an option of the environment, not a rule; one beyond the last year changes nothing."""
    game = run_to(vitienv.Game.new(ruleset="solo", seed=1, max_years=years), lambda g: False)
    assert (game.is_over, game.is_truncated, game.outcome) == (True, is_truncated, outcome)
    assert game.rewards == [0.0 if is_truncated else -1.0]


def test_games_of_other_rulesets_have_no_outcome():
    """Marker and outcome belong to the solo game."""
    game = vitienv.Game.new(num_players=2, seed=1)
    assert (game.outcome, game.automa_score) == (None, None)


@pytest.mark.parametrize("options, years", [({}, 7), ({"difficulty": "very_easy"}, 8)])
def test_each_row_once_then_all_again(options, years):
    """Solo, Wake-up chart: a row whose token is gone is closed; very easy opens all in an eighth year."""
    game, counts, rows = begin(4, **options), [], []
    while not game.is_over:
        rows.append(len(game.legal_actions()))
        game.step(game.legal_actions()[-1])
        run_to_year_end(game)
        counts.append(game.to_dict()["seats"][0]["bonus_tokens"])
    assert counts == [*range(1, years + 1)]
    assert rows == [7, 6, 5, 4, 3, 2, 1, 7][:years]
