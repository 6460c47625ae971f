"""Rules that hold for all visitors, each shown on a card or two. The cards themselves are tested in tests/cards."""

import pytest

from tests.table.facts import at, hand_sizes, place, placements, play, run_to_year_end, seat, settle, workers

from .positions import ABLE, fields, start

SUMMER = place("play_summer_visitor")
WINTER = place("play_winter_visitor")
EMPTY = {"red": [], "white": [], "blush": [], "sparkling": []}


def holding(name, *cards, num_players=2, others=(), top=None, **own):
    """A position in which seat 0 holds these visitors of the season and is to act."""
    hand = {**own.pop("hand", {}), name: list(cards)}
    return start(num_players, name, {**own, "hand": hand}, *others, **(top or {}))


def test_a_card_needs_a_branch_that_can_be_resolved():
    """Essential, Visitor cards: only if the effect can be fully resolved."""
    assert placements(holding("summer", "broker", lira=8, victory_points=-4), "play_summer_visitor") == []
    game = holding("summer", "broker", lira=9, victory_points=-4)
    play(game, SUMMER, "card:summer:broker")
    assert (game.decision, game.legal_actions()) == ("choose_option", ["option:1"])


def test_only_playable_visitors_are_offered():
    """Essential, Visitor cards: of the hand those that can be fully resolved."""
    game = holding("summer", "surveyor", "broker", "wine_critic", victory_points=-5)
    play(game, SUMMER)
    assert game.legal_actions() == ["card:summer:surveyor", "card:summer:wine_critic"]


def test_points_may_not_fall_below_the_floor():
    """Essential, Game board setup, Note 1: a loss must fit above -5."""
    game = holding("summer", "broker", victory_points=-3)
    play(game, SUMMER, "card:summer:broker", "option:2")
    assert (seat(game, 0)["victory_points"], seat(game, 0)["lira"]) == (-5, 6)
    assert placements(holding("summer", "broker", victory_points=-4), "play_summer_visitor") == []


def test_up_to_means_at_least_one():
    """Essential, Visitor cards, full resolution: a card that plants up to two vines plants one at least."""
    own = {"hand": {"vine": ["sangiovese", "malvasia"]}}
    game = holding("summer", "planter", **own)
    play(game, SUMMER, "card:summer:planter", "option:1")
    assert game.legal_actions() == ["card:vine:sangiovese", "card:vine:malvasia"]
    play(game, "card:vine:sangiovese", "field:5")
    assert set(game.legal_actions()) == {"card:vine:malvasia", "done"}


def test_one_of_two_branches():
    """Essential, Visitor cards: two clauses are independent; one of them is carried out."""
    game = holding("summer", "patron")
    play(game, SUMMER, "card:summer:patron")
    assert game.legal_actions() == ["option:1", "option:2"]
    play(game, "option:1")
    assert seat(game, 0)["lira"] == 4
    assert hand_sizes(game, 0) == {"vine": 0, "order": 0, "summer": 0, "winter": 0}
    assert game.seat == 1


def test_parts_of_a_card_in_any_order():
    """Essential, Visitor cards: several actions of a card may be taken in any order."""
    own = {"lira": 2, "hand": {"vine": ["pinot"]}}
    game = holding("summer", "overseer", **own)
    play(game, SUMMER, "card:summer:overseer")
    assert game.legal_actions() == ["option:1"]
    play(game, "option:1")
    assert game.legal_actions() == ["structure:trellis"]
    play(game, "structure:trellis", "card:vine:pinot", "field:5")
    assert seat(game, 0)["fields"][0]["vines"] == ["pinot"]
    ready = holding("summer", "overseer", structures=["trellis"], **own)
    play(ready, SUMMER, "card:summer:overseer")
    assert ready.legal_actions() == ["option:1", "option:2"]


def test_a_condition_does_not_forbid_a_card():
    """Essential, Visitor cards: what follows an "if" comes when it is true and is no demand."""
    game = holding("summer", "agriculturist", hand={"vine": ["malvasia"]})
    play(game, SUMMER, "card:summer:agriculturist", "card:vine:malvasia", "field:5")
    assert seat(game, 0)["victory_points"] == 0
    assert game.seat == 1


def test_the_played_card_has_left_the_hand():
    """Essential, Visitor cards: a card does not pay for itself."""
    assert placements(holding("summer", "auctioneer", hand={"vine": ["pinot"]}), "play_summer_visitor") == []
    game = holding("summer", "auctioneer", hand={"vine": ["pinot", "merlot"]})
    play(game, SUMMER, "card:summer:auctioneer", "option:1")
    assert game.legal_actions() == ["card:vine:pinot"]


def test_the_played_card_is_discarded_when_resolved():
    """Essential, Play one visitor: resolved cards go on the pile."""
    game = holding("summer", "patron", top={"discards": {"summer": ["broker"]}})
    play(game, SUMMER, "card:summer:patron")
    assert game.to_dict()["discards"]["summer"] == ["broker"]
    assert seat(game, 0)["hand"]["summer"] == []
    play(game, "option:1")
    assert game.to_dict()["discards"]["summer"] == ["broker", "patron"]


def test_the_second_visitor_may_be_a_card_just_drawn():
    """Essential, Play one visitor, Bonus: the second is chosen when the first is resolved."""
    own = {"hand": {"vine": ["pinot", "merlot"]}}
    game = holding("summer", "peddler", num_players=3, top={"next_draws": {"summer": ["patron"]}}, **own)
    play(game, place("play_summer_visitor", "bonus"), "card:summer:peddler", "card:vine:pinot", "card:vine:merlot")
    assert game.decision == "play_visitor"
    assert set(game.legal_actions()) == {"card:summer:patron", "done"}


def test_the_first_visitor_may_make_the_second_playable():
    """Essential, Play one visitor, Bonus: each is judged when its turn comes."""
    game = holding("summer", "patron", "stonemason", num_players=3, lira=4)
    play(game, place("play_summer_visitor", "bonus"))
    assert game.legal_actions() == ["card:summer:patron"]
    play(game, "card:summer:patron", "option:1")
    assert set(game.legal_actions()) == {"card:summer:stonemason", "done"}


def test_a_card_uses_no_board_space_and_no_board_bonus():
    """Essential, Visitor cards: no further worker, no space; the price is the full one."""
    board = {"build_structure": [at(1), at(2, "bonus")], "give_tour": [at(1)]}
    game = holding("summer", "contractor", num_players=3, lira=2, top={"board": board})
    play(game, place("play_summer_visitor", "bonus"), "card:summer:contractor", "option:1", "option:2")
    assert game.legal_actions() == ["structure:trellis", "structure:yoke"]
    play(game, "structure:yoke")
    assert (seat(game, 0)["lira"], seat(game, 0)["victory_points"]) == (0, 1)
    assert seat(game, 0)["workers"] == workers(1, 1)


def test_a_card_is_not_the_tour():
    """Essential, Structures, Tasting room: the point is for a worker on the tour, not for money of a card."""
    own = {"structures": ["tasting_room"], "cellar": EMPTY | {"red": [1]}}
    game = holding("summer", "tour_guide", **own)
    play(game, SUMMER, "card:summer:tour_guide", "option:1")
    assert (seat(game, 0)["lira"], seat(game, 0)["victory_points"]) == (4, 0)


def test_windmill_pays_for_vines_planted_by_a_card():
    """Essential, Structures, Windmill: whenever a vine is planted, once a year."""
    own = {"structures": ["windmill"], "hand": {"vine": ["sangiovese", "malvasia"]}}
    game = holding("summer", "planter", **own)
    play(game, SUMMER, "card:summer:planter", "option:1", "card:vine:sangiovese", "field:5")
    play(game, "card:vine:malvasia", "field:5")
    settle(game)
    assert (seat(game, 0)["victory_points"], seat(game, 0)["lira"]) == (1, 1)


def test_a_worker_trained_by_a_card_starts_next_year():
    """Essential, Visitor cards: the rule for training holds for visitors too."""
    game = holding("winter", "professor", lira=2)
    play(game, WINTER, "card:winter:professor", "option:1")
    assert (seat(game, 0)["trained_this_year"], seat(game, 0)["workers"]) == (1, workers(1, 1))
    run_to_year_end(game)
    assert seat(game, 0)["workers"] == workers(3, 1)


def test_cards_keep_the_training_limit():
    """Essential, Train a new worker, Note 1: five workers and the grande, whoever trains."""
    full = {"workers": workers(5, 1), "lira": 9}
    game = holding("winter", "teacher", "professor", **full)
    play(game, WINTER)
    assert game.legal_actions() == ["card:winter:professor"]
    play(game, "card:winter:professor")
    assert game.legal_actions() == ["option:2"]


def test_offers_are_answered_in_wake_up_order():
    """Essential, Glossary, Wake-up chart: decisions about an interactive card from the top row down."""
    others = [{"wake_up": 6}, {"wake_up": 1, "passed": True}, {"wake_up": 2, "victory_points": -5}]
    top = {"to_act": 0}
    game = holding("summer", "banker", num_players=4, others=others, top=top, wake_up=3)
    play(game, SUMMER, "card:summer:banker")
    assert (game.decision, game.seat, game.legal_actions()) == ("offer", 2, ["yes", "no"])
    play(game, "yes")
    assert (seat(game, 2)["lira"], seat(game, 2)["victory_points"]) == (3, -1)
    assert (game.decision, game.seat) == ("offer", 1)
    play(game, "no")
    assert (seat(game, 1)["lira"], seat(game, 0)["lira"]) == (0, 5)
    assert game.decision == "place_worker"


def test_the_active_player_answers_at_the_own_place():
    """Essential, Glossary, Wake-up chart: a card for all players asks the one who plays it in turn as well."""
    own = {"crush_pad": {"red": [1], "white": []}}
    others = [{**own, "wake_up": 1}, {**own, "wake_up": 5}]
    game = holding("winter", "mentor", num_players=3, others=others, top={"to_act": 0}, wake_up=4, **own)
    play(game, WINTER, "card:winter:mentor")
    asked = []
    while game.decision == "offer":
        asked.append(game.seat)
        game.step("no")
    assert asked == [1, 0, 2]


def test_an_offer_is_made_only_to_who_may_use_it():
    """Essential, Visitor cards, full resolution: an opponent without the means is not asked."""
    others = [{"victory_points": -5}, {"victory_points": -4}]
    game = holding("summer", "banker", num_players=3, others=others)
    play(game, SUMMER, "card:summer:banker")
    assert (game.decision, game.seat) == ("offer", 2)
    play(game, "no")
    assert (game.decision, game.seat) == ("place_worker", 1)


def test_an_opponent_whose_hand_decides_is_asked_all_the_same():
    """Essential, Game board setup, Note 2: the cards in a hand are secret, and so is whether one fits."""
    unable = {"hand": {"vine": ["chardonnay"]}}
    able = {"hand": {"vine": ["malvasia"]}}
    for others, answers in (([unable], ["no"]), ([able], ["yes", "no"])):
        game = holding("summer", "volunteer_crew", others=others, hand={"vine": ["sangiovese"]})
        play(game, SUMMER, "card:summer:volunteer_crew")
        assert (game.decision, game.seat) == ("offer", 0)
        play(game, "no")
        assert (game.decision, game.seat, game.legal_actions()) == ("offer", 1, answers)


def test_an_opponent_without_any_vine_is_not_asked_to_plant():
    """Essential, Game board setup, Note 2: the number of cards of each kind is known to all."""
    game = holding(
        "summer", "volunteer_crew", others=[{"hand": {"order": ["order_01"]}}], hand={"vine": ["sangiovese"]}
    )
    play(game, SUMMER, "card:summer:volunteer_crew", "no")
    assert (game.decision, game.seat) == ("place_worker", 1)


def test_two_parts_of_three_are_both_compulsory():
    """Essential, Visitor cards, full resolution: two different parts, the second judged after the first."""
    game = holding("summer", "contractor", lira=2)
    play(game, SUMMER, "card:summer:contractor", "option:2", "structure:trellis")
    assert (game.decision, game.legal_actions()) == ("choose_option", ["option:1"])
    play(game, "option:1")
    assert seat(game, 0)["victory_points"] == 1
    alone = holding("summer", "contractor", lira=1)
    assert placements(alone, "play_summer_visitor") == []


@pytest.mark.parametrize("points, asked", [(-4, True), (-5, False)])
def test_the_second_part_for_a_point_is_decided_after_the_first(points, asked):
    """Essential, Visitor cards and Game board setup, Note 1: the point is paid when the second part is chosen."""
    game = holding("summer", "sponsor", victory_points=points)
    play(game, SUMMER, "card:summer:sponsor", "option:1")
    assert hand_sizes(game, 0)["vine"] == 2
    assert seat(game, 0)["victory_points"] == points
    assert (game.decision == "choose_option") == asked
    if asked:
        assert set(game.legal_actions()) == {"option:2", "done"}
        play(game, "option:2")
        assert (seat(game, 0)["victory_points"], seat(game, 0)["lira"]) == (points - 1, 3)


def test_a_discount_gives_no_money_back():
    """Essential, Structures: a price is never below nothing."""
    game = holding("summer", "architect")
    play(game, SUMMER, "card:summer:architect", "option:1")
    assert game.legal_actions() == ["structure:trellis", "structure:irrigation", "structure:yoke"]
    play(game, "structure:trellis")
    assert seat(game, 0)["lira"] == 0


def test_an_exchange_is_made_once():
    """Essential, Visitor cards, One way conversions: at the printed totals, one time."""
    game = holding("summer", "broker", lira=30)
    play(game, SUMMER, "card:summer:broker", "option:1")
    assert (seat(game, 0)["lira"], seat(game, 0)["victory_points"]) == (21, 3)


def test_branches_that_yield_nothing_are_open():
    """Essential, Visitor cards: nothing is resolved as fully as something; a card may be played to wait."""
    game = holding("summer", "surveyor", fields=fields(["pinot"], ["pinot"], ["pinot"]))
    play(game, SUMMER, "card:summer:surveyor")
    assert game.legal_actions() == ["option:1", "option:2"]
    play(game, "option:1")
    assert seat(game, 0)["lira"] == 0
    assert game.seat == 1


def test_no_more_than_one_visitor_without_the_bonus():
    """Essential, Play one visitor: one card for one worker."""
    game = start(3, "summer", ABLE, {"victory_points": -5}, {"victory_points": -5})
    play(game, SUMMER, "card:summer:banker")
    assert game.seat == 1
    assert seat(game, 0)["hand"]["summer"] == ["vendor"]
