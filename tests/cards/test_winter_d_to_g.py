"""Designer, Exporter, Governess, Governor, Guest Speaker."""

import pytest

from tests.table.facts import CELLARS, COST

from .table import STRUCTURES, all_but, answer, asked, legal, me, needs, pile, question, standing
from .winter_table import begin, branches, next_spring, offered, play, playable, winter

# ---- Designer


@pytest.mark.parametrize("structure", STRUCTURES)
def test_designer_builds_any_structure_at_full_price(structure):
    game = winter("designer", lira=COST[structure], structures=needs(structure))
    assert play(game, "designer", f"structure:{structure}") == {0: {"lira": -COST[structure], "built": [structure]}}


@pytest.mark.parametrize("structure", STRUCTURES)
def test_designer_cannot_build_with_one_lira_too_little(structure):
    game = winter("designer", lira=COST[structure] - 1, structures=needs(structure))
    assert f"structure:{structure}" not in offered(game, "designer")


@pytest.mark.parametrize(("count", "reward"), [(4, {}), (5, {"vp": 2}), (6, {"vp": 2}), (7, {"vp": 2})])
def test_designer_scores_from_the_sixth_structure(count, reward):
    """The structure just built is counted."""
    game = winter("designer", lira=2, structures=[*all_but("yoke")[-count:]])
    assert play(game, "designer", "structure:yoke") == {0: {**reward, "lira": -2, "built": ["yoke"]}}


def test_designer_does_not_score_without_building():
    """Six structures stand, but nothing can be paid."""
    assert playable(winter("designer", lira=1, structures=all_but("yoke", "trellis"))) == set()


def test_designer_offers_what_is_unbuilt_and_payable():
    game = winter("designer", lira=4, structures=["trellis"])
    assert offered(game, "designer") == {
        f"structure:{name}" for name in ("irrigation", "yoke", "cottage", "medium_cellar")
    }


def test_designer_large_cellar_needs_the_medium_one():
    assert "structure:large_cellar" not in offered(winter("designer", lira=9), "designer")


def test_designer_with_everything_built_is_refused():
    assert playable(winter("designer", lira=20, structures=STRUCTURES)) == set()


# ---- Governess


def test_governess_trains_a_worker_who_is_ready_at_once():
    """Ruling 4, Governess: the one exception to ruling 3.11; nobody waits for next year."""
    game = winter("governess", lira=3)
    assert play(game, "governess", "option:1") == {0: {"lira": -3, "regular": 1}}


def test_governess_worker_can_be_placed_in_the_next_turn():
    """The only regular worker played the card, and the grande is away."""
    board = {"draw_order": [{"space": "plain", "seat": 0, "worker": "grande"}]}
    game = winter("governess", lira=3, regular=1, grande=0, board=board)
    play(game, "governess", "option:1")
    answer(game, "pass")
    assert game.seat == 0
    assert "place:gain_lira:plain:regular" in legal(game)


def test_governess_worker_stays_for_the_next_year():
    game = winter("governess", lira=3)
    play(game, "governess", "option:1")
    next_spring(game)
    assert game.to_dict()["seats"][0]["workers"]["regular"] == 3


@pytest.mark.parametrize(("lira", "regular"), [(2, 2), (9, 5)])
def test_governess_needs_three_lira_and_room_for_a_worker(lira, regular):
    assert branches(winter("governess", lira=lira, regular=regular, wines={"red": [1]}), "governess") == [2]


@pytest.mark.parametrize(("kind", "value"), [("red", 1), ("white", 3), ("blush", 4), ("sparkling", 9)])
def test_governess_trades_any_wine_for_two_points(kind, value):
    game = winter("governess", structures=CELLARS, wines={kind: [value]})
    assert play(game, "governess", "option:2", f"wine:{kind}:{value}") == {0: {"vp": 2, "wines": {kind: []}}}


def test_governess_without_wine_offers_only_the_training():
    assert branches(winter("governess", lira=3), "governess") == [1]


def test_governess_without_wine_and_money_is_refused():
    assert playable(winter("governess", lira=2)) == set()


# ---- Governor


def asked_to_give(game):
    """Each giver hands over the first card offered; who was asked, in the order asked."""
    givers = []
    while game.decision == "give_card":
        givers.append(game.seat)
        game.step(game.legal_actions()[0])
    return givers


def test_governor_takes_a_summer_visitor_of_the_opponents_choice():
    game = winter("governor", others=[{"summer": ["broker", "patron"], "winter": ["judge"]}])
    begin(game, "governor", "seat:+1")
    assert question(game) == (1, "give_card", {"card:summer:broker", "card:summer:patron"})
    game = winter("governor", others=[{"summer": ["broker", "patron"], "winter": ["judge"]}])
    assert play(game, "governor", "seat:+1", "card:summer:patron") == {
        0: {"gained": ["summer:patron"]},
        1: {"lost": ["summer:patron"]},
    }
    assert pile(game, "summer") == []


def test_governor_scores_an_opponent_without_summer_visitors():
    """Ruling 4, Governor: other cards do not count."""
    game = winter("governor", others=[{"winter": ["judge"], "vine": ["pinot"]}])
    assert play(game, "governor", "seat:+1") == {0: {"vp": 1}}


def test_governor_takes_from_three_in_wake_up_order():
    """Ruling 3.13: chosen by seat, giving by row."""
    others = [{"summer": ["patron"], "row": 5}, {"row": 4}, {"summer": ["broker"], "row": 3}]
    game = winter("governor", others=others)
    begin(game, "governor", "seat:+1", "seat:+2", "seat:+3")
    assert asked_to_give(game) == [3, 1]
    assert (me(game)["vp"], me(game)["hand"]) == (1, ["summer:broker", "summer:patron"])
    assert game.decision == "place_worker"


def test_governor_may_stop_after_one():
    game = winter("governor", others=[{"summer": ["patron"]}, {}, {}])
    assert offered(game, "governor") == {"seat:+1", "seat:+2", "seat:+3"}
    assert offered(game, "governor", "seat:+2") == {"seat:+3", "done"}
    assert play(game, "governor", "seat:+2", "done") == {0: {"vp": 1}}


def test_governor_chooses_three_at_most():
    game = winter("governor", others=[{}] * 5)
    assert play(game, "governor", "seat:+2", "seat:+4", "seat:+5") == {0: {"vp": 3}}
    game = winter("governor", others=[{}] * 5)
    assert play(game, "governor", "seat:+1", "seat:+2", "seat:+3") == {0: {"vp": 3}}


def test_governor_forces_opponents_who_have_passed():
    """Rulings 3.14 and 3.15."""
    game = winter("governor", others=[{}, {"summer": ["patron"], "passed": True}])
    assert play(game, "governor", "seat:+2", "card:summer:patron") == {
        0: {"gained": ["summer:patron"]},
        2: {"lost": ["summer:patron"]},
    }


# ---- Guest Speaker


def test_guest_speaker_trains_the_own_worker_without_a_point():
    assert play(winter("guest_speaker", lira=1), "guest_speaker", "yes") == {0: {"lira": -1, "trained": 1}}


def test_guest_speaker_scores_every_opponent_who_trains():
    game = winter("guest_speaker", lira=1, others=[{"lira": 2}, {"lira": 1}, {"lira": 1}])
    assert play(game, "guest_speaker", "yes", "yes", "no", "yes") == {
        0: {"lira": -1, "trained": 1, "vp": 2},
        1: {"lira": -1, "trained": 1},
        3: {"lira": -1, "trained": 1},
    }


def test_guest_speaker_can_be_declined_by_all():
    game = winter("guest_speaker", lira=1, others=[{"lira": 1}])
    assert play(game, "guest_speaker", "no", "no") == {}


def test_guest_speaker_asks_everybody_in_wake_up_order():
    """Ruling 3.13."""
    others = [{"lira": 1, "row": 7}, {"lira": 1, "row": 1}, {"lira": 1, "row": 2}]
    game = winter("guest_speaker", lira=1, row=3, others=others)
    begin(game, "guest_speaker")
    assert question(game) == (2, "offer", {"yes", "no"})
    assert asked(game, "offer", "no") == [2, 3, 0, 1]


def test_guest_speaker_asks_only_who_can_train():
    """No money, six workers (the temporary one apart), one of them in training; only seats 5 and 4 have room."""
    others = [
        {},
        {"lira": 1, "regular": 5},
        {"lira": 1, "regular": 4, "trained": 1},
        {"lira": 1, "regular": 4, "temporary": 1, "row": 7},
        {"lira": 1, "regular": 3},
    ]
    game = winter("guest_speaker", others=others, board={"draw_order": [standing(5)]})
    begin(game, "guest_speaker")
    assert asked(game, "offer", "no") == [5, 4]


def test_guest_speaker_asks_players_who_have_passed():
    """Ruling 3.14."""
    game = winter("guest_speaker", others=[{}, {"lira": 1, "passed": True}])
    assert play(game, "guest_speaker", "yes") == {0: {"vp": 1}, 2: {"lira": -1, "trained": 1}}


@pytest.mark.parametrize(
    ("mine", "theirs", "cards"), [(0, 0, set()), (1, 0, {"guest_speaker"}), (0, 1, {"guest_speaker"})]
)
def test_guest_speaker_needs_somebody_who_can_train(mine, theirs, cards):
    assert playable(winter("guest_speaker", lira=mine, others=[{"lira": theirs}])) == cards
