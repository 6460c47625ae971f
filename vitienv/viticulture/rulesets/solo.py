"""Solo game against the Automa: levels, aggressive variant, challenges of the campaign, replacements.

(Essential, Viticulture Automa; Campaign play; Adjusting the difficulty.) Numbers missing from the printed text are
marked, with a default and an option that replaces it.
"""

from typing import TYPE_CHECKING

from vitienv.core.options import SHORT
from vitienv.viticulture.board import START_REGULAR_WORKERS
from vitienv.viticulture.cards import CardSet
from vitienv.viticulture.enums import N_ROWS, REGULAR_WORKERS_MAX, VP_FLOOR
from vitienv.viticulture.rulesets import essential
from vitienv.viticulture.state import NO_AUTOMA, PAPAS, Rule

if TYPE_CHECKING:
    from vitienv.viticulture.options import Options

PLAYERS = range(1, 2)
NUMBERS = ("start_vp", "start_lira", "automa_vp", "regular_workers", "medium_wine_vp", "large_wine_vp")
OPTIONS = (
    "difficulty", "aggressive", "challenge", "bonus_tokens", "redraw_visitors", "automa_replacement", "draft_parents",
    "sell_bonus", *NUMBERS,
)  # fmt: skip
VERY_EASY = "very_easy"
EASY = "easy"
NORMAL = "normal"
HARD = "hard"
VERY_HARD = "very_hard"
DIFFICULTIES = (VERY_EASY, EASY, NORMAL, HARD, VERY_HARD)
MAY_BE_AGGRESSIVE = (EASY, NORMAL, HARD)
RIVAL = "rival"
BLOCKER = "blocker"
STAND_INS = (RIVAL, BLOCKER)

YEARS = 7
AUTOMA_VP = {difficulty: 20 for difficulty in DIFFICULTIES} | {VERY_HARD: 23}  # 23: one source only
EASY_START_VP = 3  # one source only
HARD_WORKERS = 2  # workers of the Automa per season
# About the workers placed by the Automa's cards in a year: 3 with one card a season, 4.8 on average at hard levels.
BLOCKER_WORKERS = {difficulty: 3 for difficulty in DIFFICULTIES} | {HARD: 5, VERY_HARD: 5}

CHALLENGES = range(1, 9)
NOT_AGGRESSIVE = 6
# Numbers of the challenges missing from the printed text, reconstructed. A negative start still allows winning the
# first year of the aggressive variant, which requires more than -1.
LIMITED_WORKERS = 2  # challenge 2: regular workers without grande and temporary ones
START_VP = {4: -2, 7: -2}
START_LIRA = {7: 0}
LARGE_WINE_VP, MEDIUM_WINE_VP = 4, 2  # challenge 6


def check(options: "Options") -> None:
    """Raise ValueError for an invalid option."""
    options.check_number("challenge", CHALLENGES.start, CHALLENGES.stop - 1)
    options.check_number("start_vp", VP_FLOOR, 99)
    options.check_number("start_lira", 0, 99)
    options.check_number("automa_vp", VP_FLOOR, 99)
    options.check_number("regular_workers", START_REGULAR_WORKERS, REGULAR_WORKERS_MAX)
    options.check_number("medium_wine_vp", 0, 99)
    options.check_number("large_wine_vp", 0, 99)
    options.check_number("bonus_tokens", 0, 99, is_optional=False)
    if options.aggressive and options.difficulty not in MAY_BE_AGGRESSIVE:
        levels = ", ".join(map(repr, MAY_BE_AGGRESSIVE))
        raise ValueError(f"aggressive requires one of the difficulties {levels}, got {options.difficulty!r}")
    if options.aggressive and options.automa_vp is not None:
        raise ValueError(f"automa_vp must be None in the aggressive variant, got {options.automa_vp}")
    if options.aggressive and options.challenge == NOT_AGGRESSIVE:
        raise ValueError(f"challenge must not be {NOT_AGGRESSIVE} in the aggressive variant")
    if options.automa_replacement == RIVAL and (options.aggressive or options.challenge):
        raise ValueError(
            "automa_replacement must not be 'rival' in the aggressive variant or a challenge, which require the marker"
        )


def numbers(options: "Options") -> dict[int, int]:
    """Return the rule parameters of the ruleset."""
    is_hard = options.difficulty in (HARD, VERY_HARD)
    rules = essential.numbers(options) | {
        Rule.GOAL_VP: SHORT,  # no early end
        Rule.SPACES: essential.LEFT_SPACES,
        Rule.CARD_SET: CardSet.SOLO,
        Rule.REDRAW_VISITORS: 0,
        Rule.TIE_BREAKS: 0,
        Rule.LAST_YEAR: YEARS + (options.difficulty == VERY_EASY),
        Rule.START_VP: EASY_START_VP if options.difficulty == EASY else 0,
        Rule.MARKER: 1,
        Rule.AUTOMA_VP: AUTOMA_VP[options.difficulty],
        Rule.AUTOMA_LEAST: HARD_WORKERS if is_hard else 0,
        Rule.AGGRESSIVE: int(options.aggressive),
        Rule.GLASS_TOKENS: 1,
        Rule.BONUS_TOKENS: 1,
        Rule.START_TOKENS: options.bonus_tokens,
        Rule.LAST_ORGANIZER_ROW: N_ROWS - 1,
    }
    if options.redraw_visitors:
        rules |= {Rule.CARD_SET: CardSet.ALL, Rule.REDRAW_VISITORS: 1}
    if options.automa_replacement == RIVAL:
        rules |= {Rule.MARKER: 0, Rule.AUTOMA_LEAST: NO_AUTOMA, Rule.CARD_SET: CardSet.ALL, Rule.REDRAW_VISITORS: 0}
    elif options.automa_replacement == BLOCKER:
        rules |= {Rule.AUTOMA_LEAST: NO_AUTOMA, Rule.BLOCKER_WORKERS: BLOCKER_WORKERS[options.difficulty]}
    if options.challenge is not None:
        rules |= challenge(options.challenge)
    overrides = {
        Rule.START_VP: options.start_vp,
        Rule.FIXED_LIRA: options.start_lira,
        Rule.AUTOMA_VP: options.automa_vp,
        Rule.STAFF_MAX: options.regular_workers,
        Rule.MEDIUM_WINE_VP: options.medium_wine_vp,
        Rule.LARGE_WINE_VP: options.large_wine_vp,
    }
    return rules | {rule: number for rule, number in overrides.items() if number is not None}


def challenge(number: int) -> dict[int, int]:
    """Return the rule parameters of a challenge of the campaign (Essential, Campaign play)."""
    changes: dict[int, dict[int, int]] = {
        1: {Rule.PARENTS: PAPAS, Rule.CHOSEN_VINES: 3},
        2: {Rule.STAFF_MAX: LIMITED_WORKERS, Rule.SPACES: essential.MIDDLE_SPACES, Rule.BONUS_TOKENS: 0},
        3: {Rule.STAFF_YEAR: 3},
        4: {Rule.FIELDS_PER_HARVEST: 3, Rule.START_VP: START_VP[4]},
        5: {Rule.BONUS_TOKENS: 0, Rule.GLASS_TOKENS: 0, Rule.LAST_YEAR: 8},
        6: {Rule.VP_IN_PLAY: 0, Rule.LARGE_WINE_VP: LARGE_WINE_VP, Rule.MEDIUM_WINE_VP: MEDIUM_WINE_VP},
        7: {Rule.START_VP: START_VP[7], Rule.FIXED_LIRA: START_LIRA[7]},
        8: {Rule.ORDERS: 0, Rule.REDRAW_MAMA: 1},
    }
    return changes[number]
