"""Setup: mamas, papas, first player, the variant with a choice of parents."""

import pytest

import vitienv
from tests.table.fixtures import hand_sizes, seat

# Vines, summer visitors, orders, winter visitors, lira.
MAMAS = {
    "alaena": (1, 1, 1, 0, 0), "alyssa": (1, 1, 0, 1, 0), "deann": (1, 0, 1, 1, 0), "margot": (0, 1, 1, 1, 0),
    "margaret": (2, 1, 0, 0, 0), "nici": (2, 0, 1, 0, 0), "teruyo": (2, 0, 0, 1, 0), "emily": (1, 2, 0, 0, 0),
    "rebecca": (0, 2, 1, 0, 0), "danyel": (0, 2, 0, 1, 0), "laura": (1, 0, 2, 0, 0), "jess": (0, 1, 2, 0, 0),
    "casey": (0, 0, 2, 1, 0), "christine": (1, 0, 0, 2, 0), "naja": (0, 1, 0, 2, 0), "falon": (0, 0, 1, 2, 0),
    "nicole": (1, 0, 0, 1, 2), "ariel": (0, 1, 1, 0, 2),
}  # fmt: skip
# Lira, gift, lira instead of the gift.
PAPAS = {
    "andrew": (4, "trellis", 2), "christian": (3, "irrigation", 3), "jay": (5, "yoke", 2),
    "josh": (3, "medium_cellar", 4), "kozi": (2, "cottage", 4), "matthew": (1, "windmill", 5),
    "matt": (0, "tasting_room", 6), "paul": (5, "trellis", 1), "stephan": (4, "irrigation", 2),
    "steven": (6, "yoke", 1), "joel": (4, "medium_cellar", 3), "raymond": (3, "cottage", 3),
    "jerry": (2, "windmill", 4), "trevor": (1, "tasting_room", 5), "rafael": (2, "worker", 4),
    "gary": (3, "worker", 3), "morten": (4, "victory_point", 3), "alan": (5, "victory_point", 2),
}  # fmt: skip
MAMA_OF_CARDS = {cards[:4]: name for name, cards in MAMAS.items()}
PAPA_OF_GIFT = {(lira, gift): name for name, (lira, gift, _) in PAPAS.items()}
GIFTS = ["option:1", "option:2"]


def mama_of(game, number):
    """Return the mama of a seat, which its first hand identifies."""
    sizes = hand_sizes(game, number)
    return MAMA_OF_CARDS[sizes["vine"], sizes["summer"], sizes["order"], sizes["winter"]]


def gift_of(game, number):
    mat = seat(game, number)
    gifts = list(mat["structures"])
    gifts += ["worker"] * (mat["workers"]["regular"] - 2)
    gifts += ["victory_point"] * mat["victory_points"]
    assert len(gifts) == 1
    return gifts[0]


def parents_of(game, number):
    after = game.copy()
    after.step("option:1")
    mama = mama_of(after, number)
    papa = PAPA_OF_GIFT[seat(after, number)["lira"] - MAMAS[mama][-1], gift_of(after, number)]
    return mama, papa


def test_every_mama_and_papa_is_dealt_as_printed():
    """Essential, Setup, Mamas and papas: opening hand, lira, and a gift or more lira, for all 18 + 18 cards."""
    mamas, papas = set(), set()
    for seed in range(40):
        game = vitienv.Game.new(num_players=6, seed=seed)
        dealt = []
        for _ in range(6):
            assert game.decision == "papa_gift"
            number = game.current_seat
            mama, papa = parents_of(game, number)
            dealt.append((mama, papa))
            game.step("option:2")
            mat = seat(game, number)
            lira, _, more_lira = PAPAS[papa]
            assert mat["lira"] == MAMAS[mama][-1] + lira + more_lira
            assert mat["structures"] == []
            assert mat["victory_points"] == 0
            assert mat["workers"] == {"regular": 2, "grande": 1, "temporary": 0}
        assert game.decision == "wake_up"
        assert len({mama for mama, _ in dealt}) == 6
        assert len({papa for _, papa in dealt}) == 6
        mamas.update(mama for mama, _ in dealt)
        papas.update(papa for _, papa in dealt)
        if mamas == set(MAMAS) and papas == set(PAPAS):
            return
    pytest.fail(f"not dealt in 40 games: {set(MAMAS) - mamas} {set(PAPAS) - papas}")


def test_gifts_are_chosen_clockwise_from_the_first_player():
    """Essential, Setup, Mamas and papas: the choice of gift goes clockwise and begins with the first player."""
    for seed in range(4):
        game = vitienv.Game.new(num_players=5, seed=seed)
        first = game.to_dict()["first_player"]
        seats = []
        while game.decision == "papa_gift":
            assert game.legal_actions() == GIFTS
            seats.append(game.current_seat)
            game.step("option:1")
        assert seats == [(first + k) % 5 for k in range(5)]
        assert (game.decision, game.current_seat) == ("wake_up", first)


def test_mamas_draw_before_the_first_gift():
    """Essential, Setup, Mamas and papas: opening hands are drawn before any papa has an effect."""
    game = vitienv.Game.new(num_players=6, seed=3)
    assert game.decision == "papa_gift"
    for number in range(6):
        cards = sum(hand_sizes(game, number).values())
        assert cards == sum(MAMAS[mama_of(game, number)][:4])
        assert cards in (2, 3)


def test_worker_of_a_papa_is_available_in_the_first_year():
    """Essential, Setup, Mamas and papas: an extra regular worker is a starting resource, not a trained one."""
    for seed in range(60):
        game = vitienv.Game.new(num_players=6, seed=seed)
        while game.decision == "papa_gift":
            number = game.current_seat
            _, papa = parents_of(game, number)
            game.step("option:1")
            if PAPAS[papa][1] == "worker":
                assert seat(game, number)["workers"] == {"regular": 3, "grande": 1, "temporary": 0}
                assert seat(game, number).get("trained_this_year", 0) == 0
                return
    pytest.fail("no papa with a worker in 60 games")


def test_initial_vineyard_and_points():
    """Essential, Game board setup and Setup: points, residual and vineyard are empty, three fields are owned."""
    game = vitienv.Game.new(num_players=4, seed=5)
    while game.decision == "papa_gift":
        game.step("option:2")
    record = game.to_dict()
    assert (record["year"], record["season"]) == (1, "spring")
    for mat in record["seats"]:
        assert (mat["victory_points"], mat["residual"], mat["wake_up"]) == (0, 0, None)
        assert mat["structures"] == []
        assert mat["workers"] == {"regular": 2, "grande": 1, "temporary": 0}
        assert [field["capacity"] for field in mat["fields"]] == [5, 6, 7]
        assert not any(field["vines"] or field["sold"] or field["harvested"] for field in mat["fields"])
        assert mat["crush_pad"] == {"red": [], "white": []}
        assert mat["cellar"] == {"red": [], "white": [], "blush": [], "sparkling": []}


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_first_player_is_random(num_players):
    """Essential, Setup, First player: one rooster is drawn at random."""
    firsts = [vitienv.Game.new(num_players=num_players, seed=seed).to_dict()["first_player"] for seed in range(60)]
    assert set(firsts) == set(range(num_players))


def drafted(seed, pick, first_pick=None):
    """Draft a game of four seats that keep card `pick` of each pair.

    Returns the first player, the decisions with their seats, the mamas and the papas.
    """
    game = vitienv.Game.new(num_players=4, seed=seed, draft_parents=True)
    first = game.to_dict()["first_player"]
    questions = []
    while game.decision != "wake_up":
        assert game.legal_actions() == GIFTS
        questions.append((game.decision, game.current_seat))
        own_choice = game.current_seat == first and game.decision == "choose_mama" and first_pick is not None
        if game.decision == "papa_gift":
            game.step("option:1")
        else:
            game.step(first_pick if own_choice else pick)
    mamas = [mama_of(game, number) for number in range(4)]
    papas = [
        PAPA_OF_GIFT[seat(game, number)["lira"] - MAMAS[mamas[number]][-1], gift_of(game, number)]
        for number in range(4)
    ]
    return first, questions, mamas, papas


def test_draft_is_clockwise_mama_then_papa():
    """Essential, Setup, Advanced variant: two mamas and two papas each, one of each is kept."""
    first, questions, _, _ = drafted(2, "option:1")
    clockwise = [(first + k) % 4 for k in range(4)]
    for decision in ("choose_mama", "choose_papa", "papa_gift"):
        assert [number for name, number in questions if name == decision] == clockwise
    assert len(questions) == 12
    for number in range(4):
        assert [name for name, seat in questions if seat == number] == ["choose_mama", "choose_papa", "papa_gift"]


def test_draft_deals_different_cards():
    """Essential, Setup, Advanced variant: the two cards of a seat differ, and no card is dealt twice."""
    _, _, first_mamas, first_papas = drafted(2, "option:1")
    _, _, second_mamas, second_papas = drafted(2, "option:2")
    assert len(set(first_mamas + second_mamas)) == 8
    assert len(set(first_papas + second_papas)) == 8


def test_draft_keeps_the_chosen_card():
    """Essential, Setup, Advanced variant: a choice of mama changes no other seat."""
    first, _, mamas, papas = drafted(4, "option:1")
    _, _, other_mamas, other_papas = drafted(4, "option:1", first_pick="option:2")
    assert [k for k in range(4) if mamas[k] != other_mamas[k]] == [first]
    assert papas == other_papas
    game = vitienv.Game.new(num_players=2, seed=3, draft_parents=True)
    while game.decision != "wake_up":
        game.step("option:2")
    assert [(len(mat["mamas"]), len(mat["papas"])) for mat in game.to_dict()["seats"]] == [(1, 1), (1, 1)]


def test_parents_are_not_drafted_by_default():
    """Essential, Setup, Advanced variant: an option."""
    game = vitienv.Game.new(num_players=3, seed=1)
    decisions = set()
    while game.decision != "wake_up":
        decisions.add(game.decision)
        game.step("option:1")
    assert decisions == {"papa_gift"}


def test_setup_example():
    """Essential, Setup, Example: the cards of Alaena, the lira and the choice of Matthew."""
    for seed in range(400):
        game = vitienv.Game.new(num_players=6, seed=seed)
        while game.decision == "papa_gift":
            number = game.current_seat
            if parents_of(game, number) == ("alaena", "matthew"):
                structure, money = game.copy(), game.copy()
                structure.step("option:1")
                money.step("option:2")
                for after, lira, structures in ((structure, 1, ["windmill"]), (money, 6, [])):
                    mat = seat(after, number)
                    assert (mat["lira"], mat["structures"]) == (lira, structures)
                    assert mat["workers"] == {"regular": 2, "grande": 1, "temporary": 0}
                    assert hand_sizes(after, number) == {"vine": 1, "order": 1, "summer": 1, "winter": 0}
                return
            game.step("option:2")
    pytest.fail("not dealt in 400 games")
