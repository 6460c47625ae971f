"""Organizer, Overseer."""

import pytest

from tests.table.facts import COST

from .table import (
    STRUCTURES,
    answer,
    asked,
    begin,
    legal,
    mats,
    me,
    needs,
    offered,
    play,
    playable,
    question,
    standing,
    table,
    to_winter,
)

# ---- Organizer: move the rooster to an empty row, take its bonus, pass


def test_organizer_offers_the_empty_rows():
    game = table("organizer", row=1, others=[{"row": 3}, {"row": 5}])
    assert offered(game, "organizer") == {"wake_up:2", "wake_up:4", "wake_up:6", "wake_up:7"}


@pytest.mark.parametrize(
    ("row", "bonus"),
    [
        (1, {}),
        (2, {"gained": ["vine:merlot"]}),
        (3, {"gained": ["order:order_05"]}),
        (4, {"lira": 1}),
        (6, {"vp": 1}),
        (7, {"temporary": 1}),
    ],
)
def test_organizer_takes_the_bonus_of_the_new_row_and_passes(row, bonus):
    others = [{"row": 2 if row == 1 else 1}]
    game = table("organizer", row=5, others=others, draws={"vine": ["merlot"], "order": ["order_05"]})
    assert play(game, "organizer", f"wake_up:{row}") == {0: {"row": row, "passed": True} | bonus}


@pytest.mark.parametrize(("deck", "card"), [("summer", "broker"), ("winter", "judge")])
def test_organizer_row_five_lets_the_player_choose_the_deck(deck, card):
    game = table("organizer", draws={"summer": ["broker"], "winter": ["judge"]})
    assert offered(game, "organizer", "wake_up:5") == {"deck:summer", "deck:winter"}
    assert play(game, "organizer", "wake_up:5", f"deck:{deck}") == {
        0: {"row": 5, "passed": True, "gained": [f"{deck}:{card}"]}
    }


def test_organizer_ends_the_own_summer_but_not_that_of_the_others():
    game = table("organizer")
    play(game, "organizer", "wake_up:4")
    for worker in ("regular", "regular", "grande"):
        assert (game.seat, game.to_dict()["season"]) == (1, "summer")
        game.step(f"place:gain_lira:plain:{worker}")
    assert game.to_dict()["season"] == "fall"
    assert (me(game)["lira"], me(game, 1)["lira"]) == (1, 3)


def test_organizer_turn_goes_on_in_the_old_order():
    """Single cards, Organizer: this season's order stays."""
    game = table("organizer", row=2, others=[{"row": 3}, {"row": 4}])
    play(game, "organizer", "wake_up:1")
    seats = []
    for _ in range(4):
        seats.append(game.seat)
        game.step("place:gain_lira:plain:regular")
    assert seats == [1, 2, 1, 2]


def test_organizer_moving_down_gives_no_second_turn_this_season():
    game = table("organizer", row=1, others=[{"row": 2}, {"row": 3}])
    play(game, "organizer", "wake_up:6")
    seats = []
    for _ in range(4):
        seats.append(game.seat)
        game.step("place:gain_lira:plain:regular")
    assert seats == [1, 2, 1, 2]


def test_organizer_new_row_rules_fall_and_winter():
    game = table("organizer", row=1, others=[{"row": 3}])
    play(game, "organizer", "wake_up:6")
    game.step("pass")
    assert asked(game, "choose_deck", "deck:summer") == [1, 0]
    assert (game.seat, game.decision, game.to_dict()["season"]) == (1, "place_worker", "winter")
    game.step("place:gain_lira:plain:regular")
    assert game.seat == 0


def test_organizer_moving_up_acts_first_in_winter():
    game = table("organizer", row=3, others=[{"row": 2}])
    play(game, "organizer", "wake_up:1")
    to_winter(game)
    assert (game.seat, game.decision) == (0, "place_worker")


def test_organizer_keeps_the_unused_workers_for_winter():
    game = table("organizer")
    play(game, "organizer", "wake_up:4")
    to_winter(game)
    assert (me(game)["regular"], me(game)["grande"]) == (1, 1)


def test_organizer_temporary_worker_serves_in_winter():
    game = table("organizer", row=1, regular=1, grande=0)
    play(game, "organizer", "wake_up:7")
    game.step("pass")
    asked(game, "choose_deck", "deck:summer")
    game.step("pass")
    assert (game.seat, game.decision) == (0, "place_worker")
    assert me(game)["temporary"] == 1
    assert "place:gain_lira:plain:regular" in legal(game)


def test_organizer_leaving_row_seven_keeps_the_temporary_worker():
    """Single cards, Organizer."""
    game = table("organizer", row=7, temporary=1)
    play(game, "organizer", "wake_up:4")
    assert me(game)["temporary"] == 1


def test_organizer_finds_no_temporary_worker_on_a_vacated_row_seven():
    """Single cards, Organizer: a vacated row 7 gives no second temporary worker."""
    game = table("organizer", others=[{"row": 3, "temporary": 1}])
    assert play(game, "organizer", "wake_up:7") == {0: {"row": 7, "passed": True}}


def test_organizer_finds_no_temporary_worker_that_stands_on_the_board():
    board = {"gain_lira": [standing(1, "temporary")]}
    game = table("organizer", others=[{"row": 3}], board=board)
    assert play(game, "organizer", "wake_up:7") == {0: {"row": 7, "passed": True}}


def test_organizer_second_visitor_of_a_bonus_space_is_still_played():
    """Organizer + second visitor: before the pass takes effect."""
    game = table("organizer", "broker", lira=9, others=[{}, {}])
    changed = play(game, "organizer", "wake_up:4", "card:summer:broker", "option:1", space="bonus")
    assert changed == {0: {"row": 4, "passed": True, "lira": -8, "vp": 3, "lost": ["summer:broker"]}}
    assert game.seat == 1


def test_organizer_second_visitor_may_be_left_out():
    game = table("organizer", "broker", lira=9, others=[{}, {}])
    assert offered(game, "organizer", "wake_up:4", space="bonus") == {"card:summer:broker", "done"}
    changed = play(game, "organizer", "wake_up:4", "done", space="bonus")
    assert changed == {0: {"row": 4, "passed": True, "lira": 1}}


def test_organizer_as_second_visitor_passes():
    game = table("organizer", "broker", lira=9, others=[{}, {}])
    changed = play(game, "broker", "option:1", "card:summer:organizer", "wake_up:6", space="bonus")
    assert changed == {0: {"row": 6, "passed": True, "lira": -9, "vp": 4, "lost": ["summer:organizer"]}}


def test_organizer_new_row_counts_for_the_questions_of_a_later_card():
    """Ruling 3.13: interactive cards follow the rows of the chart."""
    game = table("organizer", row=1, others=[{"row": 2}, {"row": 3, "summer": ["banker"]}])
    play(game, "organizer", "wake_up:5", "deck:winter")
    answer(game, "place:gain_lira:plain:regular")
    begin(game, "banker", space="bonus")
    assert asked(game, "offer", "no") == [1, 0]


def test_organizer_as_last_active_player_ends_the_summer():
    game = table("organizer", others=[{"passed": True}])
    begin(game, "organizer", "wake_up:4")
    assert question(game) == (1, "choose_deck", {"deck:summer", "deck:winter"})


def test_organizer_through_the_manager_passes_the_winter():
    """Manager + Organizer."""
    game = table("organizer", season="winter", winter=["manager"])
    answer(game, "place:play_winter_visitor:plain:regular", "card:winter:manager")
    answer(game, "place:play_summer_visitor:plain:regular", "card:summer:organizer", "wake_up:6")
    assert me(game)["vp"] == 1
    assert me(game)["passed"] is True
    assert game.seat == 1
    game.step("place:gain_lira:plain:regular")
    assert game.seat == 1


# ---- Overseer: build at full price and plant one vine; 1 VP if the vine's values add up to 4

BOTH = ["trellis", "irrigation"]


@pytest.mark.parametrize("structure", STRUCTURES)
def test_overseer_builds_at_full_price_then_plants(structure):
    game = table("overseer", lira=COST[structure], vine=["malvasia"], structures=needs(structure))
    change = play(game, "overseer", "option:1", f"structure:{structure}", "card:vine:malvasia", "field:5")[0]
    assert change.pop("vp", 0) == (1 if structure == "windmill" else 0)
    assert change.pop("used", ["windmill"]) == ["windmill"]
    assert change == {
        "lira": -COST[structure],
        "built": [structure],
        "lost": ["vine:malvasia"],
        "fields": {5: ["malvasia"]},
    }


@pytest.mark.parametrize("structure", STRUCTURES)
def test_overseer_needs_the_full_price(structure):
    game = table("overseer", lira=COST[structure] - 1, vine=["malvasia"], structures=needs(structure))
    assert f"structure:{structure}" not in offered(game, "overseer", "option:1")


def test_overseer_plants_then_builds():
    """Ruling 3.4: either order."""
    game = table("overseer", lira=5, vine=["malvasia"])
    answers = ["option:2", "card:vine:malvasia", "field:5", "structure:windmill"]
    assert play(game, "overseer", *answers) == {
        0: {"lira": -5, "built": ["windmill"], "lost": ["vine:malvasia"], "fields": {5: ["malvasia"]}}
    }


@pytest.mark.parametrize("vine", ["cabernet_sauvignon", "chardonnay"])
@pytest.mark.parametrize("first", ["option:1", "option:2"])
def test_overseer_scores_a_vine_of_value_four(vine, first):
    game = table("overseer", lira=2, vine=[vine], structures=BOTH)
    plant, build = [f"card:vine:{vine}", "field:7"], ["structure:yoke"]
    answers = build + plant if first == "option:1" else plant + build
    assert play(game, "overseer", first, *answers)[0]["vp"] == 1


@pytest.mark.parametrize("vine", ["sangiovese", "malvasia", "pinot", "syrah", "trebbiano", "merlot", "sauvignon_blanc"])
def test_overseer_scores_no_other_vine(vine):
    game = table("overseer", lira=2, vine=[vine], structures=BOTH)
    assert "vp" not in play(game, "overseer", "option:1", "structure:yoke", f"card:vine:{vine}", "field:7")[0]


def test_overseer_counts_the_planted_card_not_the_field():
    game = table("overseer", lira=2, vine=["malvasia"], fields={7: ["merlot"]})
    assert "vp" not in play(game, "overseer", "option:1", "structure:yoke", "card:vine:malvasia", "field:7")[0]


def test_overseer_trellis_makes_its_own_planting_possible():
    """Ruling 3.4; nothing is offered that could not be finished."""
    game = table("overseer", lira=6, vine=["pinot"])
    assert offered(game, "overseer") == {"option:1"}
    assert offered(game, "overseer", "option:1") == {"structure:trellis"}
    assert play(game, "overseer", "option:1", "structure:trellis", "card:vine:pinot", "field:5") == {
        0: {"lira": -2, "built": ["trellis"], "lost": ["vine:pinot"], "fields": {5: ["pinot"]}}
    }


def test_overseer_irrigation_completes_a_vine_of_value_four():
    game = table("overseer", lira=3, vine=["chardonnay"], structures=["trellis"])
    answers = ["option:1", "structure:irrigation", "card:vine:chardonnay", "field:5"]
    assert play(game, "overseer", *answers)[0]["vp"] == 1


def test_overseer_two_missing_structures_are_one_too_many():
    assert playable(table("overseer", lira=9, vine=["chardonnay"])) == set()


def test_overseer_planting_first_leaves_out_the_vines_that_wait_for_the_build():
    game = table("overseer", lira=2, vine=["malvasia", "pinot"])
    assert offered(game, "overseer") == {"option:1", "option:2"}
    assert offered(game, "overseer", "option:2") == {"card:vine:malvasia"}


@pytest.mark.parametrize(
    "seat",
    [
        pytest.param({"lira": 9}, id="no vine"),
        pytest.param({"lira": 1, "vine": ["malvasia"]}, id="no lira"),
        pytest.param({"lira": 9, "vine": ["malvasia"], "structures": STRUCTURES}, id="everything built"),
        pytest.param({"lira": 9, "vine": ["malvasia"], "sold": [5, 6, 7]}, id="all fields sold"),
        pytest.param({"lira": 1, "vine": ["pinot"]}, id="trellis cannot be paid"),
    ],
)
def test_overseer_refused_unless_both_parts_can_be_done(seat):
    assert playable(table("overseer", **seat)) == set()


def test_overseer_playable_with_just_enough():
    game = table("overseer", lira=2, vine=["malvasia"])
    assert playable(game) == {"overseer"}
    play(game, "overseer", "option:2", "card:vine:malvasia", "field:5", "structure:trellis")
    assert mats(game)[0]["lira"] == 0
    assert "pass" in legal(game)
