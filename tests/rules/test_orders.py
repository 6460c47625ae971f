"""Wine orders: every card's requirement and reward, what fits, residual payments."""

import pytest

from tests.table.facts import ALL_STRUCTURES, ORDERS, place, placements, play, run_to_year_end, seat, settle, workers

from .positions import start

# The wines asked for (r red, w white, b blush, s sparkling, with the least value), victory points, residual.
CARDS = {
    "order_01": ("r5", 2, 1),
    "order_02": ("r2 w2", 2, 1),
    "order_03": ("r3 w1", 2, 1),
    "order_04": ("r1 w3", 2, 1),
    "order_05": ("w5", 2, 1),
    "order_06": ("b4", 2, 1),
    "order_07": ("r6", 3, 1),
    "order_08": ("r2 w4", 3, 1),
    "order_09": ("r4 w2", 3, 1),
    "order_10": ("r3 w3", 3, 1),
    "order_11": ("r4 r3", 3, 1),
    "order_12": ("w6", 3, 1),
    "order_13": ("w4 w3", 3, 1),
    "order_14": ("b6", 3, 1),
    "order_15": ("r8", 4, 1),
    "order_16": ("r5 w3", 4, 1),
    "order_17": ("r3 w5", 4, 1),
    "order_18": ("r4 b4", 4, 1),
    "order_19": ("r4 r3 r2", 4, 1),
    "order_20": ("w8", 4, 1),
    "order_21": ("w4 b4", 4, 1),
    "order_22": ("w4 w3 w2", 4, 1),
    "order_23": ("b8", 4, 1),
    "order_24": ("s7", 4, 1),
    "order_25": ("r2 w2 b5", 5, 2),
    "order_26": ("r7 r6", 5, 2),
    "order_27": ("r6 w6", 5, 2),
    "order_28": ("r3 b7", 5, 2),
    "order_29": ("w3 b7", 5, 2),
    "order_30": ("w7 w6", 5, 2),
    "order_31": ("s9", 5, 2),
    "order_32": ("b6 b5", 6, 2),
    "order_33": ("w4 s7", 6, 2),
    "order_34": ("w3 s7", 6, 2),
    "order_35": ("w3 s8", 6, 2),
    "order_36": ("w2 s8", 6, 2),
}
KINDS = {"r": "red", "w": "white", "b": "blush", "s": "sparkling"}
LOWEST = {"red": 1, "white": 1, "blush": 4, "sparkling": 7}


def wines_of(card):
    """The wines that an order asks for: kind and least value, in the order of the questions."""
    return [(KINDS[icon[0]], int(icon[1])) for icon in CARDS[card][0].split()]


def cellar_of(wines):
    """A cellar with these wines."""
    cellar = {"red": [], "white": [], "blush": [], "sparkling": []}
    for kind, value in wines:
        cellar[kind].append(value)
    return {kind: sorted(values) for kind, values in cellar.items()}


def winter(orders, wines, num_players=2, **own):
    """A winter position of a seat with these orders and wines and all cellars."""
    own = {"hand": {"order": orders}, "cellar": cellar_of(wines), "structures": ALL_STRUCTURES, **own}
    return start(num_players, "winter", own)


def fillable(orders, wines):
    """The orders that the action offers."""
    game = winter(orders, wines)
    if not placements(game, "fill_order"):
        return []
    play(game, place("fill_order"))
    assert game.decision == "fill_order"
    return [name.removeprefix("card:order:") for name in game.legal_actions()]


def test_the_table_has_all_orders():
    """Essential, Components: 36 wine orders."""
    assert list(CARDS) == ORDERS
    assert len(ORDERS) == 36


@pytest.mark.parametrize("card", CARDS)
def test_order_is_filled_by_exactly_what_it_asks_for(card):
    """Essential, Filling wine orders: wines leave, points and residual come, the card is discarded."""
    _, points, residual = CARDS[card]
    wines = wines_of(card)
    game = winter([card], wines, victory_points=1, residual=2)
    play(game, place("fill_order"), f"card:order:{card}")
    for kind, value in wines:
        assert (game.decision, game.legal_actions()) == ("choose_wine", [f"wine:{kind}:{value}"])
        play(game, f"wine:{kind}:{value}")
    own = seat(game, 0)
    assert own["cellar"] == cellar_of([])
    assert (own["victory_points"], own["residual"]) == (1 + points, 2 + residual)
    assert own["lira"] == 0
    assert own["hand"]["order"] == []
    assert game.to_dict()["discards"]["order"] == [card]
    assert game.seat == 1


@pytest.mark.parametrize("card", CARDS)
def test_order_is_not_filled_by_less(card):
    """Essential, Filling wine orders: every number is a minimum; any single wine below its own is too little."""
    wines = wines_of(card)
    for number, (kind, value) in enumerate(wines):
        others = wines[:number] + wines[number + 1 :]
        taken = [other for name, other in others if name == kind]
        lower = [less for less in range(LOWEST[kind], value) if less not in taken]
        assert fillable([card], others) == []
        if lower:
            assert fillable([card], [*others, (kind, lower[-1])]) == []


@pytest.mark.parametrize("card", CARDS)
def test_order_is_filled_by_more(card):
    """Essential, Filling wine orders: wines of higher value do as well, for the same reward."""
    _, points, residual = CARDS[card]
    used = {kind: 9 for kind in LOWEST}
    better = []
    for kind, _ in wines_of(card):
        better.append((kind, used[kind]))
        used[kind] -= 1
    game = winter([card], better)
    play(game, place("fill_order"), f"card:order:{card}", *(f"wine:{kind}:{value}" for kind, value in better))
    assert (seat(game, 0)["victory_points"], seat(game, 0)["residual"]) == (points, residual)


@pytest.mark.parametrize("kind, card", [("red", "order_01"), ("white", "order_05"), ("blush", "order_06")])
def test_no_type_stands_for_another(kind, card):
    """Essential, Filling wine orders: exactly the type that is shown."""
    everything_else = [(other, 9) for other in LOWEST if other != kind]
    assert fillable([card], everything_else) == []
    assert fillable([card], [(kind, 9)]) == [card]


def test_only_fillable_orders_are_offered():
    """Essential, Filling wine orders: an order from hand whose wines are there."""
    orders = ["order_01", "order_02", "order_08", "order_36"]
    assert fillable(orders, [("red", 5), ("white", 3)]) == ["order_01", "order_02"]


def test_the_player_chooses_among_fitting_wines():
    """Essential, Filling wine orders: minimum values; which of the fitting tokens leave is the player's choice."""
    game = winter(["order_08"], [("red", 1), ("red", 2), ("red", 7), ("white", 4), ("white", 6)])
    play(game, place("fill_order"), "card:order:order_08")
    assert game.legal_actions() == ["wine:red:2", "wine:red:7"]
    play(game, "wine:red:7")
    assert game.legal_actions() == ["wine:white:4", "wine:white:6"]
    play(game, "wine:white:4")
    assert seat(game, 0)["cellar"] == cellar_of([("red", 1), ("red", 2), ("white", 6)])


def test_two_icons_of_a_type_take_two_tokens():
    """Essential, Filling wine orders: one token for each icon, each set of tokens reached in one way."""
    game = winter(["order_11"], [("red", 3), ("red", 5), ("red", 6)])
    play(game, place("fill_order"), "card:order:order_11")
    assert game.legal_actions() == ["wine:red:5", "wine:red:6"]
    low = game.copy()
    play(low, "wine:red:5")
    assert low.legal_actions() == ["wine:red:3"]
    play(game, "wine:red:6")
    assert game.legal_actions() == ["wine:red:3", "wine:red:5"]
    play(game, "wine:red:3")
    assert seat(game, 0)["cellar"]["red"] == [5]


def test_the_higher_token_is_named_first():
    """Essential, Filling wine orders: 4 and 6 fill an order for 4 and 3, in the one way of naming them."""
    game = winter(["order_11"], [("red", 4), ("red", 6)])
    play(game, place("fill_order"), "card:order:order_11")
    assert game.legal_actions() == ["wine:red:6"]
    play(game, "wine:red:6")
    assert game.legal_actions() == ["wine:red:4"]
    richer = winter(["order_11"], [("red", 4), ("red", 5), ("red", 6)])
    play(richer, place("fill_order"), "card:order:order_11", "wine:red:5")
    assert richer.legal_actions() == ["wine:red:4"]


def test_a_first_token_leaves_enough_for_the_second():
    """Essential, Filling wine orders: a choice that could not be finished is not offered."""
    game = winter(["order_19"], [("red", 2), ("red", 3), ("red", 4), ("red", 6)])
    play(game, place("fill_order"), "card:order:order_19")
    assert game.legal_actions() == ["wine:red:4", "wine:red:6"]
    play(game, "wine:red:4")
    assert game.legal_actions() == ["wine:red:3"]
    play(game, "wine:red:3", "wine:red:2")
    assert seat(game, 0)["cellar"]["red"] == [6]


def test_one_order_for_one_worker():
    """Essential, Fill one wine order: one; the bonus is a point and no second order."""
    wines = [("red", 5), ("red", 6)]
    game = winter(["order_01", "order_07"], wines, num_players=3)
    play(game, place("fill_order", "bonus"), "yes", "card:order:order_01", "wine:red:5")
    assert game.seat == 1
    assert seat(game, 0)["hand"]["order"] == ["order_07"]
    assert seat(game, 0)["victory_points"] == 3


@pytest.mark.parametrize("before, card, after", [(4, "order_26", 5), (5, "order_01", 5), (3, "order_26", 5)])
def test_residual_stops_at_five(before, card, after):
    """Essential, Residual payments: 5 is the most; at 5 orders are still filled for their points."""
    wines = wines_of(card)
    game = winter([card], wines, residual=before)
    play(game, place("fill_order"), f"card:order:{card}", *(f"wine:{kind}:{value}" for kind, value in wines))
    assert seat(game, 0)["residual"] == after
    assert seat(game, 0)["victory_points"] == CARDS[card][1]


@pytest.mark.parametrize("residual", range(6))
def test_residual_pays_every_year(residual):
    """Essential, Residual payments and Year end: lira equal to the position, which stays."""
    game = start(2, "winter", {"lira": 3, "residual": residual}, {"workers": workers(0, 0)})
    run_to_year_end(game)
    assert (seat(game, 0)["lira"], seat(game, 0)["residual"]) == (3 + residual, residual)
    assert seat(game, 1)["lira"] == 0
    play(game, "wake_up:1", "wake_up:2")
    run_to_year_end(game)
    assert seat(game, 0)["lira"] == 3 + 2 * residual


def test_residual_is_not_paid_when_the_order_is_filled():
    """Essential, Residual payments: at the end of the year only."""
    game = winter(["order_25"], wines_of("order_25"))
    play(game, place("fill_order"), "card:order:order_25", "wine:red:2", "wine:white:2", "wine:blush:5")
    assert seat(game, 0)["lira"] == 0
    settle(run_to_year_end(game))
    assert seat(game, 0)["lira"] == 2


def test_draw_order():
    """Essential, Draw one wine order card: one card from the deck to the hand."""
    game = start(2, "winter", next_draws={"order": ["order_31"]})
    play(game, place("draw_order"))
    assert seat(game, 0)["hand"]["order"] == ["order_31"]
    assert game.seat == 1
