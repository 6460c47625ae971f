"""The end of a year: ageing, workers, residual payments, the hand limit, the marker; in this order."""

import pytest

from tests.table.facts import CELLARS, at, hand_sizes, place, play, run_to_year_end, season, seat, settle, workers

from .positions import fields, start

TIERS = {"small": [], "medium": ["medium_cellar"], "large": CELLARS}
EMPTY = {"red": [], "white": [], "blush": [], "sparkling": []}


def next_year(num_players=2, *seats, **top):
    """The spring after a winter in which everybody passes."""
    game = start(num_players, "winter", *seats, **top)
    run_to_year_end(game)
    assert (season(game), game.decision) == ("spring", "wake_up")
    return game


@pytest.mark.parametrize(
    "before, after",
    [
        ([1], [2]),
        ([3], [4]),
        ([6], [7]),
        ([9], [9]),
        ([8, 9], [8, 9]),
        ([7, 8, 9], [7, 8, 9]),
        ([1, 2, 3], [2, 3, 4]),
        ([6, 8, 9], [7, 8, 9]),
        ([1, 2, 3, 4, 5, 6, 7, 8], [2, 3, 4, 5, 6, 7, 8, 9]),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ([1, 3, 5, 7, 9], [2, 4, 6, 8, 9]),
    ],
)
@pytest.mark.parametrize("colour", ["red", "white"])
def test_grapes_age(colour, before, after):
    """Essential, Age grape and wine tokens: one step, at most 9, runs move together, cellars do not matter."""
    game = next_year(2, {"crush_pad": {"red": [], "white": []} | {colour: before}})
    assert seat(game, 0)["crush_pad"] == {"red": [], "white": []} | {colour: after}


@pytest.mark.parametrize(
    "tier, kind, before, after",
    [
        ("small", "red", [1], [2]),
        ("small", "red", [3], [3]),
        ("small", "white", [1, 3], [2, 3]),
        ("small", "white", [1, 2, 3], [1, 2, 3]),
        ("small", "red", [1, 2], [2, 3]),
        ("medium", "red", [3], [4]),
        ("medium", "red", [1, 2, 3], [2, 3, 4]),
        ("medium", "red", [6], [6]),
        ("medium", "white", [5, 6], [5, 6]),
        ("medium", "white", [3, 5, 6], [4, 5, 6]),
        ("medium", "white", [2, 3, 4, 5, 6], [2, 3, 4, 5, 6]),
        ("medium", "blush", [4], [5]),
        ("medium", "blush", [4, 5], [5, 6]),
        ("medium", "blush", [4, 6], [5, 6]),
        ("medium", "blush", [4, 5, 6], [4, 5, 6]),
        ("large", "red", [6], [7]),
        ("large", "red", [1, 3, 6, 9], [2, 4, 7, 9]),
        ("large", "red", [8, 9], [8, 9]),
        ("large", "white", [1, 2, 3, 4, 5, 6, 7, 8], [2, 3, 4, 5, 6, 7, 8, 9]),
        ("large", "blush", [6, 7], [7, 8]),
        ("large", "blush", [4, 9], [5, 9]),
        ("large", "sparkling", [7], [8]),
        ("large", "sparkling", [7, 8], [8, 9]),
        ("large", "sparkling", [7, 9], [8, 9]),
        ("large", "sparkling", [8, 9], [8, 9]),
        ("large", "sparkling", [7, 8, 9], [7, 8, 9]),
    ],
)
def test_wine_ages(tier, kind, before, after):
    """Essential, Age grape and wine tokens, Notes 1 and 2: past 3 and 6 with the cellar only; nothing is lost."""
    game = next_year(2, {"structures": TIERS[tier], "cellar": EMPTY | {kind: before}})
    assert seat(game, 0)["cellar"] == EMPTY | {kind: after}


@pytest.mark.parametrize(
    "tier, before, after",
    [
        ("small", [5], [6]),
        ("small", [6], [6]),
        ("small", [4, 5], [5, 6]),
        ("small", [3, 4], [3, 5]),
        ("small", [3, 8], [3, 9]),
        ("small", [9], [9]),
        ("medium", [6, 7], [6, 8]),
        ("medium", [3, 8], [4, 9]),
    ],
)
def test_wine_above_the_cellars_ages_within_its_tier(tier, before, after):
    """Essential, Examples, Zymologist: such a wine passes 6 only with the cellars that are asked of any wine."""
    own = {"structures": TIERS[tier], "cellar": EMPTY | {"red": before}, "wine_above_cellar": True}
    game = next_year(2, own)
    assert seat(game, 0)["cellar"]["red"] == after


def test_grapes_and_wine_age_together_and_apart():
    """Essential, Age grape and wine tokens: all tokens of all seats, each type on its own slots."""
    first = {"crush_pad": {"red": [1], "white": [1]}, "cellar": EMPTY | {"red": [1], "white": [2]}}
    second = {"crush_pad": {"red": [9], "white": [4]}, "cellar": EMPTY | {"red": [3]}}
    game = next_year(2, first, second)
    assert seat(game, 0)["crush_pad"] == {"red": [2], "white": [2]}
    assert seat(game, 0)["cellar"] == EMPTY | {"red": [2], "white": [3]}
    assert seat(game, 1)["crush_pad"] == {"red": [9], "white": [5]}
    assert seat(game, 1)["cellar"] == EMPTY | {"red": [3]}


def test_workers_come_home():
    """Essential, Year end, Return workers: all workers, cart and yoke too; the temporary one leaves its player."""
    board = {
        "give_tour": [at(0)],
        "gain_lira": [at(0, worker="grande"), at(1)],
        "yoke": [at(1)],
        "draw_order": [at(0, worker="temporary")],
    }
    first = {"workers": workers(1, 0)}
    second = {"workers": workers(0, 1), "structures": ["yoke"], "used": ["yoke"], "fields": fields(["pinot"])}
    game = next_year(2, first, second, board=board)
    assert [seat(game, k)["workers"] for k in range(2)] == [workers(2, 1), workers(2, 1)]
    assert not any(game.to_dict()["board"].values())
    assert seat(game, 1)["used"] == []


def test_crowds_leave_the_board():
    """Essential, Year end, Return workers: a grande worker beside a full action as well."""
    board = {"give_tour": [at(0), at(1, worker="grande", space="crowd")]}
    game = next_year(2, {"workers": workers(1, 1)}, {"workers": workers(2, 0)}, board=board)
    assert [seat(game, k)["workers"] for k in range(2)] == [workers(2, 1), workers(2, 1)]
    assert not any(game.to_dict()["board"].values())


def test_an_unused_temporary_worker_goes_back_too():
    """Essential, Glossary, Temporary worker: it is the seat's for one year."""
    game = next_year(2, {"workers": workers(2, 1, 1)})
    assert seat(game, 0)["workers"] == workers(2, 1, 0)


def test_a_trained_worker_starts_next_year():
    """Essential, Train a new worker: 4 lira now, a worker from next year on."""
    game = start(2, "winter", {"lira": 5})
    play(game, place("train_worker"))
    own = seat(game, 0)
    assert (own["lira"], own["trained_this_year"], own["workers"]) == (1, 1, workers(1, 1))
    run_to_year_end(game)
    assert seat(game, 0)["workers"] == workers(3, 1)
    assert seat(game, 0)["trained_this_year"] == 0


@pytest.mark.parametrize("regular, trained, temporary, offered", [(4, 0, 0, True), (5, 0, 0, False), (4, 0, 1, True)])
def test_no_more_than_five_regular_workers(regular, trained, temporary, offered):
    """Essential, Train a new worker, Note 1: five workers and the grande; the temporary one does not count."""
    own = {"lira": 9, "workers": workers(regular, 1, temporary), "trained_this_year": trained}
    names = start(2, "winter", own).legal_actions()
    assert (place("train_worker") in names) == offered


def test_workers_trained_this_year_count_for_the_limit():
    """Essential, Train a new worker, Note 1: a trained worker is a worker, though not yet usable."""
    own = {"lira": 9, "workers": workers(4, 1), "trained_this_year": 1}
    assert place("train_worker") not in start(2, "winter", own).legal_actions()
    on_board = {"lira": 9, "workers": workers(1, 1)}
    board = {"gain_lira": [at(0), at(0), at(0), at(0)]}
    assert place("train_worker") not in start(2, "winter", on_board, board=board).legal_actions()


SEVEN = {"vine": ["merlot", "pinot", "pinot"], "order": ["order_02", "order_05"], "summer": ["broker", "buyer"]}


def test_hands_are_cut_to_seven():
    """Essential, Year end, Discard down to 7 cards: cards of the player's choice, to their discard piles."""
    hand = {**SEVEN, "winter": ["caravan", "noble"]}
    game = start(2, "winter", {"hand": hand})
    play(game, "pass", "pass")
    assert (game.decision, game.seat) == ("discard_to_limit", 0)
    assert sum(hand_sizes(game, 0).values()) == 9
    names = game.legal_actions()
    assert names[0] == "card:vine:pinot"
    assert "done" not in names
    play(game, "card:vine:pinot")
    assert game.to_dict()["discards"]["vine"] == ["pinot"]
    assert (game.decision, game.seat) == ("discard_to_limit", 0)
    play(game, "card:winter:caravan")
    assert sum(hand_sizes(game, 0).values()) == 7
    assert game.to_dict()["discards"]["winter"] == ["caravan"]
    assert game.decision == "wake_up"


@pytest.mark.parametrize("orders, asked", [(7, 0), (8, 1), (10, 3)])
def test_how_many_cards_are_discarded(orders, asked):
    """Essential, Year end, Discard down to 7 cards: seven may be kept."""
    hand = {"order": [f"order_{number:02d}" for number in range(1, orders + 1)]}
    game = start(2, "winter", {"hand": hand})
    play(game, "pass", "pass")
    count = 0
    while game.decision == "discard_to_limit":
        game.step(game.legal_actions()[0])
        count += 1
    assert count == asked
    assert hand_sizes(game, 0)["order"] == 7


def test_each_set_of_discards_is_reached_in_one_way():
    """Essential, Year end: the order of one player's discards means nothing, so they are named in ascending order."""
    hand = {"order": [f"order_{number:02d}" for number in range(1, 10)]}
    game = start(2, "winter", {"hand": hand})
    play(game, "pass", "pass")
    assert game.legal_actions() == [f"card:order:order_{number:02d}" for number in range(1, 9)]
    play(game, "card:order:order_05")
    assert game.legal_actions() == [f"card:order:order_{number:02d}" for number in range(6, 10)]


def test_discards_go_down_the_chart():
    """Essential, Glossary, Wake-up chart: sequential decisions in wake-up order."""
    eight = [[f"order_{number:02d}" for number in range(first, first + 8)] for first in (1, 9, 17)]
    rows = (5, 2, 7)
    seats = [{"wake_up": row, "hand": {"order": cards}} for row, cards in zip(rows, eight, strict=True)]
    game = start(3, "winter", *seats)
    play(game, "pass", "pass", "pass")
    asked = []
    while game.decision == "discard_to_limit":
        asked.append(game.seat)
        game.step(game.legal_actions()[0])
    assert asked == [1, 0, 2]


def test_no_hand_limit_during_the_year():
    """Essential, Year end, Discard down to 7 cards: at the end of the year only."""
    hand = {"order": [f"order_{number:02d}" for number in range(1, 10)]}
    game = start(2, "summer", {"hand": hand})
    play(game, place("draw_vine"), "pass", "pass", "deck:summer")
    assert sum(hand_sizes(game, 0).values()) == 11
    assert game.decision == "choose_deck"


def test_the_steps_come_in_order():
    """Essential, Year end: tokens, workers and residuals are done when hands are cut; the marker moves after that."""
    own = {
        "residual": 3,
        "crush_pad": {"red": [4], "white": []},
        "cellar": EMPTY | {"white": [1]},
        "workers": workers(1, 1),
        "trained_this_year": 1,
        "hand": {"order": [f"order_{number:02d}" for number in range(1, 9)]},
    }
    game = start(2, "winter", own, board={"gain_lira": [at(0)]}, first_player=1)
    play(game, "pass", "pass")
    assert game.decision == "discard_to_limit"
    now = seat(game, 0)
    assert now["crush_pad"]["red"] == [5]
    assert now["cellar"]["white"] == [2]
    assert now["workers"] == workers(3, 1)
    assert now["lira"] == 3
    assert game.to_dict()["first_player"] == 1
    assert now["wake_up"] == 1
    settle(play(game, game.legal_actions()[0]))
    assert game.to_dict()["first_player"] == 0
    assert [seat(game, k)["wake_up"] for k in range(2)] == [None, None]


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_the_marker_goes_counter_clockwise(num_players):
    """Essential, Year end, Rotate first-player token: to the right-hand neighbour, whose rooster goes first."""
    game = start(num_players, "winter", first_player=1, year=3)
    for first in (0, num_players - 1, num_players - 2):
        run_to_year_end(game)
        assert game.to_dict()["first_player"] == first
        assert (game.decision, game.seat) == ("wake_up", first)
        for row in range(1, num_players + 1):
            game.step(f"wake_up:{row}")
            while game.decision == "choose_deck":
                game.step("deck:summer")
    assert game.to_dict()["year"] == 6


def test_what_else_is_new_in_a_new_year():
    """Essential, Year end and Harvesting fields: roosters off, nobody passed, yearly limits gone."""
    own = {
        "fields": fields(["pinot"], ["malvasia"], harvested=(5, 6)),
        "structures": ["windmill", "tasting_room", "yoke"],
        "used": ["windmill", "tasting_room", "yoke"],
    }
    game = next_year(2, own, year=4)
    now = seat(game, 0)
    assert now["used"] == []
    assert [field["harvested"] for field in now["fields"]] == [False, False, False]
    assert [seat(game, k)["passed"] for k in range(2)] == [False, False]
    assert [seat(game, k)["wake_up"] for k in range(2)] == [None, None]
    assert game.to_dict()["year"] == 5
