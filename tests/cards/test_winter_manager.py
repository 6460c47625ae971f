"""Manager, and what it makes of the summer actions, Planner, Organizer and Producer."""

from tests.table.facts import SUMMER_ACTIONS

from .table import answer, legal, me, on_board, pile, question, standing
from .winter_table import begin, next_spring, offered, play, playable, winter

# ---- Manager


def act(action):
    """The name of the summer action chosen through the Manager."""
    return f"place:{action}:plain:regular"


ALL_POSSIBLE = {"lira": 3, "summer": ["patron"], "vine": ["malvasia"]}


def test_manager_offers_the_six_summer_actions_and_nothing_else():
    """Ruling 4, Manager: not the yoke, not the cart, no winter action."""
    game = winter("manager", structures=["trellis", "yoke"], fields={5: ["merlot"]}, **ALL_POSSIBLE)
    begin(game, "manager")
    assert question(game) == (0, "manage_action", {act(action) for action in SUMMER_ACTIONS})


def test_manager_offers_full_actions_too():
    """Essential, Manager: even where all spaces are taken; in the game of two there is one space each."""
    board = {action: [standing(1)] for action in SUMMER_ACTIONS[:3]}
    board |= {action: [standing(0)] for action in SUMMER_ACTIONS[3:]}
    game = winter("manager", board=board, others=[{"regular": 1}], **ALL_POSSIBLE)
    assert offered(game, "manager") == {act(action) for action in SUMMER_ACTIONS}


def test_manager_offers_only_actions_that_can_be_done():
    """Ruling 1.6: no money, no visitor, no vine, and no field or grape to sell."""
    fields = {5: ["merlot"], 6: ["pinot"], 7: ["syrah"]}
    game = winter("manager", lira=1, summer=[], fields=fields)
    assert offered(game, "manager") == {act("draw_vine"), act("give_tour")}


def test_manager_draws_a_single_vine():
    """No bonus, although the bonus space of the game of three is free."""
    game = winter("manager", others=[{}, {}], draws={"vine": ["merlot", "syrah"]})
    assert play(game, "manager", act("draw_vine")) == {0: {"gained": ["vine:merlot"]}}


def test_manager_gives_a_tour_for_two_lira():
    game = winter("manager", others=[{}, {}])
    assert play(game, "manager", act("give_tour")) == {0: {"lira": 2}}


def test_manager_places_no_worker_on_the_action():
    game = winter("manager")
    play(game, "manager", act("give_tour"))
    assert on_board(game, "give_tour") == []
    assert on_board(game, "play_winter_visitor") == [(0, "regular", "plain")]


def test_manager_tour_does_not_score_the_tasting_room():
    """Ruling 4, Manager + tour: no worker is placed on the tour; the room stays unused this year."""
    game = winter("manager", structures=["tasting_room"], wines={"red": [1]})
    assert play(game, "manager", act("give_tour")) == {0: {"lira": 2}}


def test_manager_builds_at_the_printed_price():
    game = winter("manager", lira=5)
    assert play(game, "manager", act("build_structure"), "structure:windmill") == {
        0: {"lira": -5, "built": ["windmill"]}
    }


def test_manager_build_has_no_lira_of_a_bonus_space():
    """One lira short, and the bonus space of the game of three is free: still refused."""
    game = winter("manager", lira=1, others=[{}, {}])
    assert act("build_structure") not in offered(game, "manager")


def test_manager_sells_grapes():
    """Prices by tier: a 3 is worth 1, a 4 is worth 2, a 9 is worth 3; no point of the bonus space."""
    game = winter("manager", grapes={"red": [3, 4], "white": [9]}, others=[{}, {}])
    answers = (act("sell_grapes_or_field"), "grape:red:4", "grape:white:9", "done")
    assert play(game, "manager", *answers) == {0: {"lira": 5, "grapes": {"red": [3], "white": []}}}


def test_manager_sells_a_field():
    game = winter("manager", fields={5: ["merlot"]})
    assert play(game, "manager", act("sell_grapes_or_field"), "field:6") == {0: {"lira": 6, "sold": [6]}}


def test_manager_buys_a_field_back():
    game = winter("manager", lira=7, sold=[7])
    assert play(game, "manager", act("sell_grapes_or_field"), "field:7") == {0: {"lira": -7, "sold": []}}


def test_manager_plants_one_vine():
    game = winter("manager", vine=["malvasia", "sangiovese"], others=[{}, {}])
    assert play(game, "manager", act("plant_vine"), "card:vine:malvasia", "field:5") == {
        0: {"fields": {5: ["malvasia"]}, "lost": ["vine:malvasia"]}
    }


def test_manager_planting_scores_the_windmill():
    """Ruling 3.10: it works on plantings through cards."""
    game = winter("manager", vine=["malvasia"], structures=["windmill"])
    change = play(game, "manager", act("plant_vine"), "card:vine:malvasia", "field:5")[0]
    assert (change["vp"], change["used"]) == (1, ["windmill"])


def test_manager_planting_scores_the_windmill_once_a_year():
    game = winter("manager", vine=["malvasia"], structures=["windmill"], used=["windmill"])
    assert play(game, "manager", act("plant_vine"), "card:vine:malvasia", "field:5") == {
        0: {"fields": {5: ["malvasia"]}, "lost": ["vine:malvasia"]}
    }


def test_manager_planting_needs_the_structures():
    game = winter("manager", vine=["pinot", "merlot"], structures=["trellis"])
    assert offered(game, "manager", act("plant_vine")) == {"card:vine:pinot"}
    assert act("plant_vine") not in offered(winter("manager", vine=["merlot"]), "manager")


def test_manager_plays_one_summer_visitor():
    game = winter("manager", summer=["patron", "tour_guide"], others=[{}, {}])
    answers = (act("play_summer_visitor"), "card:summer:patron", "option:1")
    assert play(game, "manager", *answers) == {0: {"lira": 4, "lost": ["summer:patron"]}}
    assert (pile(game, "summer"), pile(game, "winter")) == (["patron"], ["manager"])


def test_manager_summer_visitor_may_harvest():
    game = winter("manager", summer=["tour_guide"], fields={5: ["merlot"]})
    answers = (act("play_summer_visitor"), "card:summer:tour_guide", "option:2", "field:5")
    assert play(game, "manager", *answers)[0] == {
        "harvested": [5],
        "grapes": {"red": [3]},
        "lost": ["summer:tour_guide"],
    }


def test_manager_summer_visitor_must_be_playable():
    """The Broker needs 9 lira or -3 points."""
    game = winter("manager", vp=-4, summer=["broker"])
    assert act("play_summer_visitor") not in offered(game, "manager")


def test_manager_summer_visitor_asks_the_opponents():
    """The Banker's offer, in winter, to a passed player too (ruling 3.14)."""
    game = winter("manager", summer=["banker"], others=[{}, {"passed": True}])
    answers = (act("play_summer_visitor"), "card:summer:banker", "no", "yes")
    assert play(game, "manager", *answers) == {
        0: {"lira": 5, "lost": ["summer:banker"]},
        2: {"lira": 3, "vp": -1},
    }


def test_manager_can_always_be_played():
    assert playable(winter("manager")) == {"manager"}


def test_manager_is_not_itself_on_the_pile_while_it_is_resolved():
    """Ruling 3.7."""
    game = winter("manager", summer=["patron"])
    begin(game, "manager", act("play_summer_visitor"), "card:summer:patron")
    assert pile(game, "winter") == []


# ---- Manager with Planner, Organizer, Producer


def test_manager_cannot_play_the_planner():
    """Ruling 4, Manager + Planner: in winter no season is to come."""
    assert act("play_summer_visitor") not in offered(winter("manager", summer=["planner"]), "manager")
    game = winter("manager", summer=["patron", "planner"])
    assert offered(game, "manager", act("play_summer_visitor")) == {"card:summer:patron"}


ORGANIZER = (act("play_summer_visitor"), "card:summer:organizer")


def test_manager_with_the_organizer_passes_the_winter():
    """Ruling 4, Manager + Organizer: the rooster moves, the bonus comes, the player is out for the season."""
    game = winter("manager", summer=["organizer"])
    assert play(game, "manager", *ORGANIZER, "wake_up:4") == {
        0: {"lira": 1, "row": 4, "passed": True, "lost": ["summer:organizer"]}
    }
    assert game.seat == 1
    answer(game, "place:gain_lira:plain:regular")
    assert game.seat == 1  # seat 0 has a worker and the grande left, and is not asked


def test_manager_with_the_organizer_brings_the_temporary_worker_too_late():
    """Row 7: its bonus comes, but the season is over for its holder, and at the year end the worker goes back."""
    game = winter("manager", summer=["organizer"])
    assert play(game, "manager", *ORGANIZER, "wake_up:7") == {
        0: {"temporary": 1, "row": 7, "passed": True, "lost": ["summer:organizer"]}
    }
    next_spring(game)
    assert me(game)["temporary"] == 0


def test_manager_with_the_organizer_chooses_among_the_empty_rows():
    game = winter("manager", summer=["organizer"], others=[{"row": 3}, {"row": 6}])
    assert offered(game, "manager", *ORGANIZER) == {f"wake_up:{row}" for row in (2, 4, 5, 7)}


def test_manager_with_the_organizer_leaves_the_turn_to_the_next_of_the_old_order():
    """Ruling 4, Organizer: old order of rows 1, 2, 3; the move from 2 to 7 changes nothing in this winter."""
    game = winter("manager", row=2, summer=["organizer"], others=[{"row": 1}, {"row": 3}])
    begin(game, "manager", *ORGANIZER, "wake_up:7")
    assert (game.decision, game.seat) == ("place_worker", 2)


PRODUCER = (act("play_summer_visitor"), "card:summer:producer")


def test_manager_with_the_producer_takes_back_workers_on_other_actions():
    board = {"draw_vine": [standing(0)], "draw_order": [standing(0, "grande")]}
    game = winter("manager", lira=2, regular=1, grande=0, summer=["producer"], board=board)
    answers = (*PRODUCER, "place:draw_vine:plain:regular", "place:draw_order:plain:grande")
    assert play(game, "manager", *answers) == {
        0: {"lira": -2, "regular": 1, "grande": 1, "lost": ["summer:producer"]},
    }
    assert on_board(game, "draw_vine") == on_board(game, "draw_order") == []
    assert on_board(game, "play_winter_visitor") == [(0, "regular", "plain")]


def test_manager_with_the_producer_may_empty_the_yoke_and_the_cart():
    """Section 5, Producer and the yoke."""
    board = {"gain_lira": [standing(0)], "yoke": [standing(0)]}
    game = winter("manager", lira=2, summer=["producer"], structures=["yoke"], used=["yoke"], board=board)
    answers = (*PRODUCER, "place:gain_lira:plain:regular", "place:yoke:plain:regular")
    assert play(game, "manager", *answers) == {0: {"lira": -2, "regular": 2, "lost": ["summer:producer"]}}
    assert on_board(game, "gain_lira") == on_board(game, "yoke") == []


def test_manager_with_the_producer_cannot_take_back_its_own_worker():
    """Ruling 4, Manager + Producer; another own worker on the same action may come back."""
    board = {"play_winter_visitor": [standing(0, space="bonus")], "give_tour": [standing(1)]}
    game = winter("manager", lira=2, summer=["producer"], board=board, others=[{}, {}])
    assert offered(game, "manager", *PRODUCER) == {"place:play_winter_visitor:bonus:regular"}


def test_manager_cannot_play_the_producer_for_its_own_worker_alone():
    game = winter("manager", lira=2, summer=["producer"])
    assert act("play_summer_visitor") not in offered(game, "manager")


# ---- Manager as the first of two visitors


def test_manager_on_the_bonus_space_is_followed_by_a_second_visitor():
    """Ruling 4, Manager as first of two visitors."""
    game = winter("manager", "politician", vp=-1, others=[{}, {}])
    begin(game, "manager", act("give_tour"), "card:winter:politician", space="bonus")
    assert (game.decision, game.seat) == ("place_worker", 1)
    assert (me(game)["lira"], me(game)["hand"], pile(game, "winter")) == (8, [], ["manager", "politician"])


def test_manager_with_the_organizer_on_the_bonus_space_still_plays_the_second_visitor():
    """Ruling 4, Organizer + second visitor: before the pass takes effect."""
    game = winter("manager", "politician", vp=-1, summer=["organizer"], others=[{}, {}])
    begin(game, "manager", *ORGANIZER, "wake_up:4", space="bonus")
    assert question(game) == (0, "play_visitor", {"card:winter:politician", "done"})
    answer(game, "card:winter:politician")
    assert (game.decision, game.seat) == ("place_worker", 1)
    assert (me(game)["lira"], me(game)["passed"], me(game)["row"]) == (7, True, 4)


def test_manager_as_the_second_visitor():
    game = winter("manager", "politician", vp=-1, others=[{}, {}])
    begin(game, "politician", "card:winter:manager", act("give_tour"), space="bonus")
    assert (me(game)["lira"], pile(game, "winter")) == (8, ["politician", "manager"])
    assert legal(game) and game.seat == 1
