"""Splits of the visitors for generalisation: fixed, disjoint, and the only visitors of their games."""

import pytest

import vitienv
from tests.engine.kinds import SPLITS
from tests.original.test_visitor_decks import visible_visitors
from tests.random_play import decisions
from vitienv.viticulture.cards import SUMMER_VISITORS, WINTER_VISITORS

HELD_OUT = {
    "summer": {"surveyor", "tour_guide", "landscaper", "entertainer", "banker", "negotiator", "swindler", "stonemason"},
    "winter": {"merchant", "crush_expert", "queen", "promoter", "politician", "bottler", "governess", "taster"},
}
TRAIN = {deck: {card.id for card in cards} - HELD_OUT[deck]
         for deck, cards in (("summer", SUMMER_VISITORS), ("winter", WINTER_VISITORS))}  # fmt: skip
VISITORS = {"train": TRAIN, "held_out": HELD_OUT}


@pytest.mark.parametrize("split", SPLITS)
def test_random_games_show_exactly_the_visitors_of_a_split(split):
    """In hands and discards of games, of games read from a position, and of determinized games."""
    visitors = {deck: set() for deck in HELD_OUT}
    for seed in range(4):
        for number, game in enumerate(decisions(seed, max_years=9, **SPLITS[split])):
            if number % 8 == 0 or game.is_over:
                copy = vitienv.Game.from_dict(game.to_dict())
                for table in (game, copy, *([] if game.is_over else [copy.determinize(seed % 2, number)])):
                    for deck, cards in visible_visitors(table).items():
                        visitors[deck] |= cards
    assert visitors == VISITORS[split]
    assert sum(map(len, visitors.values())) == {"train": 60, "held_out": 16}[split]


@pytest.mark.parametrize(("split", "other"), [("train", "held_out"), ("held_out", "train")])
def test_positions_of_a_split_contain_no_other_visitor(split, other):
    position = vitienv.Game.new(seed=1, **SPLITS[split]).to_dict()
    for deck, cards in VISITORS[other].items():
        for card in cards:
            with pytest.raises(ValueError, match=f"got more of {deck}:{card}"):
                vitienv.Game.from_dict(position | {"discards": {deck: [card]}})
