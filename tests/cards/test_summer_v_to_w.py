"""Vendor, Volunteer Crew, Wedding Party, Wine Critic."""

import pytest

from .table import (
    STRUCTURES,
    all_summer_visitors,
    answer,
    asked,
    begin,
    mats,
    me,
    offered,
    pile,
    play,
    playable,
    question,
    table,
)

# ---- Vendor: a vine, an order and a winter visitor; each opponent may draw a summer visitor

DRAWS = {"vine": ["merlot"], "order": ["order_07"], "winter": ["queen"], "summer": ["broker", "buyer", "grower"]}
DRAWN = ["order:order_07", "vine:merlot", "winter:queen"]


def test_vendor_draws_one_of_each_other_deck():
    game = table("vendor", draws=DRAWS)
    assert play(game, "vendor", "no") == {0: {"gained": DRAWN}}


def test_vendor_lets_an_opponent_draw_a_summer_visitor():
    game = table("vendor", draws=DRAWS)
    assert play(game, "vendor", "yes") == {0: {"gained": DRAWN}, 1: {"gained": ["summer:broker"]}}


def test_vendor_opponents_draw_in_wake_up_order_passed_players_too():
    """Rulings 3.13 and 3.14."""
    game = table("vendor", row=4, others=[{"row": 6}, {"row": 2, "passed": True}, {"row": 5}], draws=DRAWS)
    begin(game, "vendor")
    assert question(game) == (2, "offer", {"yes", "no"})
    assert asked(game, "offer", "yes") == [2, 3, 1]
    assert [seat["hand"] for seat in mats(game)[1:]] == [["summer:grower"], ["summer:broker"], ["summer:buyer"]]


def test_vendor_opponents_decide_apart():
    game = table("vendor", others=[{}, {}], draws=DRAWS)
    assert play(game, "vendor", "no", "yes") == {0: {"gained": DRAWN}, 2: {"gained": ["summer:broker"]}}


def test_vendor_asks_nobody_when_no_summer_visitor_is_left():
    game = table("vendor", others=[{"summer": all_summer_visitors("vendor")}])
    begin(game, "vendor")
    assert (game.seat, game.decision) == (1, "place_worker")
    assert len(me(game)["hand"]) == 3


@pytest.mark.parametrize(("pile_before", "asked_seats"), [([], [1]), (["buyer"], [1, 2])])
def test_vendor_last_summer_visitor_goes_to_the_first_who_asks(pile_before, asked_seats):
    """Rulings 8.1 and 8.2: the pile makes a new deck at once, if there is one."""
    hand = all_summer_visitors("vendor", "broker", "buyer")
    hand += [] if pile_before else ["buyer"]
    game = table("vendor", others=[{"summer": hand}, {}], discards={"summer": pile_before})
    begin(game, "vendor")
    assert asked(game, "offer", "yes") == asked_seats
    assert "summer:broker" in me(game, 1)["hand"]
    assert me(game, 2)["hand"] == [f"summer:{card}" for card in pile_before]


# ---- Volunteer Crew: everybody may plant one vine; 2 lira for each opponent who does


def test_volunteer_crew_own_planting_brings_no_lira():
    game = table("volunteer_crew", vine=["malvasia"])
    assert play(game, "volunteer_crew", "yes", "card:vine:malvasia", "field:5") == {
        0: {"lost": ["vine:malvasia"], "fields": {5: ["malvasia"]}}
    }


def test_volunteer_crew_opponent_plants_and_brings_two_lira_of_the_bank():
    game = table("volunteer_crew", others=[{"vine": ["malvasia"], "lira": 1}])
    assert play(game, "volunteer_crew", "yes", "card:vine:malvasia", "field:5") == {
        0: {"lira": 2},
        1: {"lost": ["vine:malvasia"], "fields": {5: ["malvasia"]}},
    }


def test_volunteer_crew_two_opponents_bring_four_lira():
    game = table("volunteer_crew", others=[{"vine": ["malvasia"]}, {"vine": ["sangiovese"]}])
    answers = ["yes", "card:vine:malvasia", "field:5", "yes", "card:vine:sangiovese", "field:6"]
    assert play(game, "volunteer_crew", *answers)[0] == {"lira": 4}


def test_volunteer_crew_everybody_may_decline():
    game = table("volunteer_crew", vine=["malvasia"], others=[{"vine": ["malvasia"]}])
    assert play(game, "volunteer_crew", "no", "no") == {}


def test_volunteer_crew_windmill_scores_for_the_planter():
    """Ruling 3.10."""
    game = table("volunteer_crew", others=[{"vine": ["malvasia"], "structures": ["windmill"]}])
    change = play(game, "volunteer_crew", "yes", "card:vine:malvasia", "field:5")
    assert change[0] == {"lira": 2}
    assert change[1]["vp"] == 1


def test_volunteer_crew_asks_in_wake_up_order_the_player_at_the_own_place():
    """Rulings 3.13 and 3.14: passed players too."""
    vine = {"vine": ["malvasia"]}
    others = [vine | {"row": 6}, {"vine": ["sangiovese"], "row": 2, "passed": True}, vine | {"row": 5}]
    game = table("volunteer_crew", vine=["sangiovese"], row=4, others=others)
    begin(game, "volunteer_crew")
    assert asked(game, "offer", "no") == [2, 0, 3, 1]


def test_volunteer_crew_plants_under_the_normal_rules():
    others = [
        {"vine": ["malvasia", "pinot", "merlot"], "structures": ["trellis"], "fields": {5: ["cabernet_sauvignon"]}}
    ]
    game = table("volunteer_crew", others=others)
    assert offered(game, "volunteer_crew", "yes") == {"card:vine:malvasia", "card:vine:pinot"}
    assert offered(game, "volunteer_crew", "yes", "card:vine:pinot") == {"field:6", "field:7"}


def test_volunteer_crew_question_does_not_tell_what_is_in_a_hand():
    """The table sees a vine card and an open field, not that the vine lacks its structure; only `yes` is closed."""
    game = table("volunteer_crew", others=[{"vine": ["merlot"]}])
    begin(game, "volunteer_crew")
    assert question(game) == (1, "offer", {"no"})


@pytest.mark.parametrize(
    "idle",
    [
        pytest.param({}, id="no vine in hand"),
        pytest.param({"vine": ["malvasia"], "sold": [5, 6, 7]}, id="all fields sold"),
        pytest.param(
            {"vine": ["malvasia"], "fields": {5: ["merlot", "syrah"]}, "sold": [6, 7]},
            id="every field visibly full",
        ),
    ],
)
def test_volunteer_crew_does_not_ask_who_visibly_cannot_plant(idle):
    game = table("volunteer_crew", vine=["sangiovese"], others=[idle, {"vine": ["sangiovese"]}])
    begin(game, "volunteer_crew")
    assert asked(game, "offer", "no") == [0, 2]


def test_volunteer_crew_playable_for_an_opponent_alone():
    assert playable(table("volunteer_crew", others=[{"vine": ["malvasia"]}])) == {"volunteer_crew"}


def test_volunteer_crew_refused_when_nobody_holds_a_vine():
    assert playable(table("volunteer_crew", others=[{"structures": STRUCTURES}, {}])) == set()


def test_volunteer_crew_refused_when_the_own_vine_is_the_only_one_and_cannot_be_planted():
    assert playable(table("volunteer_crew", vine=["merlot"])) == set()
    assert playable(table("volunteer_crew", vine=["merlot"], structures=["irrigation"])) == {"volunteer_crew"}


# ---- Wedding Party: 2 lira to each of up to three opponents, 1 VP for each


def test_wedding_party_pays_one_opponent():
    game = table("wedding_party", lira=2)
    assert play(game, "wedding_party", "seat:+1") == {0: {"lira": -2, "vp": 1}, 1: {"lira": 2}}


def test_wedding_party_pays_two_of_three_opponents():
    game = table("wedding_party", lira=9, others=[{}, {}, {}])
    assert play(game, "wedding_party", "seat:+1", "seat:+3", "done") == {
        0: {"lira": -4, "vp": 2},
        1: {"lira": 2},
        3: {"lira": 2},
    }


def test_wedding_party_pays_three_opponents_at_most():
    game = table("wedding_party", lira=9, others=[{}, {}, {}, {}])
    assert play(game, "wedding_party", "seat:+1", "seat:+2", "seat:+3") == {
        0: {"lira": -6, "vp": 3},
        1: {"lira": 2},
        2: {"lira": 2},
        3: {"lira": 2},
    }
    assert (game.seat, game.decision) == (1, "place_worker")


def test_wedding_party_chooses_each_group_in_one_order_only():
    game = table("wedding_party", lira=9, others=[{}, {}, {}])
    assert offered(game, "wedding_party", "seat:+2") == {"seat:+3", "done"}


def test_wedding_party_needs_one_guest_and_may_stop_then():
    game = table("wedding_party", lira=9, others=[{}, {}])
    assert offered(game, "wedding_party") == {"seat:+1", "seat:+2"}
    assert offered(game, "wedding_party", "seat:+1") == {"seat:+2", "done"}


@pytest.mark.parametrize(("lira", "guests"), [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3)])
def test_wedding_party_invites_only_whom_it_can_pay(lira, guests):
    game = table("wedding_party", lira=lira, others=[{}, {}, {}])
    begin(game, "wedding_party")
    chosen = 0
    while game.decision == "choose_opponent" and any(name.startswith("seat:") for name in game.legal_actions()):
        answer(game, f"seat:+{chosen + 1}")
        chosen += 1
    assert chosen == guests
    assert (me(game)["lira"], me(game)["vp"]) == (lira - 2 * guests, guests)


@pytest.mark.parametrize(("lira", "cards"), [(1, set()), (2, {"wedding_party"})])
def test_wedding_party_needs_two_lira(lira, cards):
    assert playable(table("wedding_party", lira=lira)) == cards


def test_wedding_party_guests_cannot_refuse_passed_or_not():
    """Ruling 3.15: they just receive."""
    game = table("wedding_party", lira=4, others=[{"passed": True}, {"vp": -5}])
    assert play(game, "wedding_party", "seat:+1", "seat:+2") == {
        0: {"lira": -4, "vp": 2},
        1: {"lira": 2},
        2: {"lira": 2},
    }


# ---- Wine Critic: 2 winter visitors, or a wine of value 7 or more for 4 VP

CELLARS = ["medium_cellar", "large_cellar"]


def test_wine_critic_draws_two_winter_visitors():
    game = table("wine_critic", draws={"winter": ["queen", "judge"]})
    assert play(game, "wine_critic", "option:1") == {0: {"gained": ["winter:judge", "winter:queen"]}}


@pytest.mark.parametrize(
    ("wine", "value"), [("red", 7), ("red", 9), ("white", 8), ("blush", 7), ("sparkling", 7), ("sparkling", 9)]
)
def test_wine_critic_scores_four_for_a_wine_of_seven_or_more(wine, value):
    game = table("wine_critic", wines={wine: [value]}, structures=CELLARS)
    assert play(game, "wine_critic", "option:2", f"wine:{wine}:{value}") == {0: {"vp": 4, "wines": {wine: []}}}


def test_wine_critic_lets_the_player_pick_among_the_good_wines():
    wines = {"red": [6, 7], "white": [9], "blush": [6], "sparkling": [8]}
    game = table("wine_critic", wines=wines, structures=CELLARS)
    assert offered(game, "wine_critic", "option:2") == {"wine:red:7", "wine:white:9", "wine:sparkling:8"}


def test_wine_critic_takes_one_wine_only():
    game = table("wine_critic", wines={"red": [7, 8]}, structures=CELLARS)
    assert play(game, "wine_critic", "option:2", "wine:red:7") == {0: {"vp": 4, "wines": {"red": [8]}}}
    assert pile(game, "summer") == ["wine_critic"]


@pytest.mark.parametrize(
    ("wines", "options"),
    [
        ({}, {"option:1"}),
        ({"red": [6], "white": [6], "blush": [6]}, {"option:1"}),
        ({"red": [6], "white": [7]}, {"option:1", "option:2"}),
    ],
)
def test_wine_critic_tasting_needs_a_wine_of_seven(wines, options):
    assert offered(table("wine_critic", wines=wines, structures=CELLARS), "wine_critic") == options
