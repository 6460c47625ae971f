"""Original edition for 2 to 6 players: fixed set-up, 20 + 20 visitors, a cap on points (Original, Setup; Scoring).

`second_edition` completes the manual from the second edition and from Essential; `manual_literal` follows it literally.
Capacities of fields, the price of the large cellar and the price of training in `second_edition` are reconstructed;
options replace them.
"""

from typing import TYPE_CHECKING

from vitienv.viticulture.board import Bonus
from vitienv.viticulture.cards import CardSet
from vitienv.viticulture.enums import Act, Structure
from vitienv.viticulture.rulesets import essential
from vitienv.viticulture.state import Rule

if TYPE_CHECKING:
    from vitienv.viticulture.options import Options

PLAYERS = range(2, 7)
OPTIONS = ("preset", "train_price", "large_cellar_price", "field_capacities")
SECOND_EDITION = "second_edition"
MANUAL_LITERAL = "manual_literal"
PRESETS = (SECOND_EDITION, MANUAL_LITERAL)

VP_CAP = 25
TRAIN_PRICE = {SECOND_EDITION: 4, MANUAL_LITERAL: 1}
FIELD_CAPACITIES = (6, 6, 6)
HIGHEST_CAPACITY = 99


def check(options: "Options") -> None:
    """Raise ValueError for an invalid option."""
    options.check_number("train_price", 0, 99)
    options.check_number("large_cellar_price", 0, 99)
    capacities = options.field_capacities
    is_triple = isinstance(capacities, tuple) and len(capacities) == len(FIELD_CAPACITIES)
    if capacities is not None and not (
        is_triple and all(isinstance(c, int) and 1 <= c <= HIGHEST_CAPACITY for c in capacities)
    ):
        expected = f"None or three integers from 1 to {HIGHEST_CAPACITY}"
        raise ValueError(f"field_capacities must be {expected}, got {capacities!r}")


def numbers(options: "Options") -> dict[int, int]:
    """Return the rule parameters; comments are the rows of `tests/original/differences.py`."""
    literal = options.preset == MANUAL_LITERAL
    rules = essential.numbers(options) | {
        Rule.CARD_SET: CardSet.ORIGINAL,  # 1
        Rule.PARENTS: 0,  # 3
        Rule.START_PINOTS: 1,  # 14
        Rule.START_SUMMER_VISITORS: 1,
        Rule.START_LIRA: 3,  # 15
        **essential.table(Rule.FIELD_CAPACITY, options.field_capacities or FIELD_CAPACITIES),  # 18
        Rule.BONUS_OF_ACT + Act.SELL_GRAPES_OR_FIELD: Bonus.LIRA,  # 23
        Rule.FIELD_TRADE: 0,  # 22
        Rule.CART_IN_SUMMER: 0,  # 27
        Rule.TRAIN_PRICE: TRAIN_PRICE[options.preset],  # 28
        Rule.STRUCTURE_COST + Structure.IRRIGATION: 2,  # 45
        Rule.TASTING_NEEDS_WINE: 0,  # 47
        Rule.WINE_CAN_BE_LOST: 1,  # 53
        Rule.VP_CAP: VP_CAP,  # 60
        Rule.YOKE_BY_SEASON: int(literal),  # 49
    }
    if literal:  # 21
        rules |= {Rule.BONUS_OF_ACT + act: Bonus.NONE for act in (Act.PLAY_SUMMER_VISITOR, Act.PLAY_WINTER_VISITOR)}
    if options.train_price is not None:
        rules[Rule.TRAIN_PRICE] = options.train_price
    if options.large_cellar_price is not None:  # 46
        rules[Rule.STRUCTURE_COST + Structure.LARGE_CELLAR] = options.large_cellar_price
    return rules
