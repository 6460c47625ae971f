"""What windmill, tasting room, cottage and yoke do. Cellars: test_wine; prices and vines: test_summer_actions."""

import pytest

from tests.table.facts import at, hand_sizes, place, placements, play, run_to_season, run_to_year_end, seat, workers

from .positions import fields, start

YOKE = place("yoke")
NOBODY = {"workers": workers(0, 0)}


def test_windmill_pays_for_the_first_vine_of_a_year():
    """Essential, Structures, Windmill: 1 point when a vine is planted, once a year."""
    own = {"structures": ["windmill"], "hand": {"vine": ["sangiovese", "malvasia"]}}
    game = start(3, "summer", own)
    play(game, place("plant_vine", "bonus"), "card:vine:sangiovese", "field:5")
    assert seat(game, 0)["victory_points"] == 1
    play(game, "card:vine:malvasia", "field:5")
    assert seat(game, 0)["victory_points"] == 1
    assert "windmill" in seat(game, 0)["used"]


def test_windmill_used_this_year_pays_again_next_year():
    """Essential, Structures, Windmill: at most one point a year."""
    own = {"structures": ["windmill"], "hand": {"vine": ["sangiovese", "malvasia"]}, "used": ["windmill"]}
    game = start(2, "summer", own, NOBODY)
    play(game, place("plant_vine"), "card:vine:sangiovese", "field:5")
    assert seat(game, 0)["victory_points"] == 0
    run_to_year_end(game)
    assert seat(game, 0)["used"] == []
    assert game.seat == 1
    play(game, "wake_up:2", "wake_up:1")
    play(game, place("plant_vine"), "card:vine:malvasia", "field:5")
    assert seat(game, 0)["victory_points"] == 1


def test_no_windmill_no_point():
    """Essential, Structures, Windmill: the point comes from the windmill."""
    game = start(2, "summer", {"hand": {"vine": ["sangiovese"]}})
    play(game, place("plant_vine"), "card:vine:sangiovese", "field:5")
    assert seat(game, 0)["victory_points"] == 0


@pytest.mark.parametrize("wine", [{"red": [1]}, {"white": [3]}, {"blush": [4]}, {"sparkling": [7]}])
def test_tasting_room_pays_with_any_wine(wine):
    """Essential, Structures, Tasting room: 1 point for a worker on the tour with at least one wine."""
    own = {"structures": ["tasting_room", "medium_cellar", "large_cellar"], "cellar": wine}
    game = start(2, "summer", own)
    play(game, place("give_tour"))
    assert (seat(game, 0)["victory_points"], seat(game, 0)["lira"]) == (1, 2)
    assert "tasting_room" in seat(game, 0)["used"]


def test_tasting_room_needs_a_wine():
    """Essential, Structures, Tasting room: grapes are no wine."""
    game = start(2, "summer", {"structures": ["tasting_room"], "crush_pad": {"red": [5], "white": [5]}})
    play(game, place("give_tour"))
    assert seat(game, 0)["victory_points"] == 0


def test_tasting_room_pays_once_a_year():
    """Essential, Structures, Tasting room: at most one point a year, with the grande on a full tour as well."""
    own = {"structures": ["tasting_room"], "cellar": {"red": [1]}}
    game = start(2, "summer", own, NOBODY, board={"give_tour": [at(1)]})
    play(game, place("give_tour", "crowd", "grande"))
    assert seat(game, 0)["victory_points"] == 1
    game = start(2, "summer", {**own, "used": ["tasting_room"]}, NOBODY)
    play(game, place("give_tour"))
    assert (seat(game, 0)["victory_points"], seat(game, 0)["lira"]) == (0, 2)
    run_to_year_end(game)
    assert seat(game, 0)["used"] == []


@pytest.mark.parametrize("first, second", [("summer", "summer"), ("summer", "winter"), ("winter", "winter")])
def test_cottage_draws_a_second_visitor(first, second):
    """Essential, Structures, Cottage: one visitor more in fall, of the same or of another kind."""
    game = start(2, "summer", {"structures": ["cottage"]})
    play(game, "pass", "pass")
    assert (game.decision, game.seat, game.legal_actions()) == ("choose_deck", 0, ["deck:summer", "deck:winter"])
    play(game, f"deck:{first}")
    assert (game.decision, game.seat) == ("choose_deck", 0)
    play(game, f"deck:{second}")
    sizes = hand_sizes(game, 0)
    assert sizes["summer"] == (first, second).count("summer")
    assert sizes["winter"] == (first, second).count("winter")
    assert (game.decision, game.seat) == ("choose_deck", 1)


def test_cottage_names_both_decks_before_a_card_is_seen():
    """Essential, Structures, Cottage: publisher's answer, the first card is drawn after both decks are named."""
    game = start(2, "summer", {"structures": ["cottage"]})
    play(game, "pass", "pass", "deck:winter")
    assert hand_sizes(game, 0) == {"vine": 0, "order": 0, "summer": 0, "winter": 0}
    assert game.legal_actions() == ["deck:winter"]
    play(game, "deck:winter")
    assert hand_sizes(game, 0)["winter"] == 2


def test_no_cottage_one_visitor():
    """Essential, Fall actions: one visitor each."""
    game = start(2, "summer")
    play(game, "pass", "pass", "deck:winter")
    assert game.seat == 1


def test_yoke_needs_a_yoke():
    """Essential, Structures, Yoke: a private space of its owner."""
    own = {"fields": fields(["sangiovese"])}
    game = start(2, "summer", own, {**own, "structures": ["yoke"]})
    assert placements(game, "yoke") == []
    play(game, "pass")
    assert placements(game, "yoke") == [YOKE, place("yoke", worker="grande")]


def test_yoke_needs_a_planted_vine():
    """Essential, Structures, Yoke: it uproots a vine or harvests a field; an empty vineyard allows neither."""
    for name in ("summer", "winter"):
        assert placements(start(2, name, {"structures": ["yoke"]}), "yoke") == []


@pytest.mark.parametrize("name", ["summer", "winter"])
def test_yoke_uproots(name):
    """Essential, Structures, Yoke and Glossary, Uproot: the vine returns to the hand, in summer or winter."""
    own = {"structures": ["yoke"], "fields": fields(["sangiovese", "malvasia"], (), ["merlot"])}
    game = start(2, name, own)
    play(game, YOKE)
    assert (game.decision, game.legal_actions()) == ("yoke", ["option:1", "option:2"])
    play(game, "option:1")
    assert (game.decision, game.legal_actions()) == ("uproot_field", ["field:5", "field:7"])
    play(game, "field:5")
    assert (game.decision, game.legal_actions()) == ("uproot_vine", ["card:vine:sangiovese", "card:vine:malvasia"])
    play(game, "card:vine:malvasia")
    assert seat(game, 0)["hand"]["vine"] == ["malvasia"]
    assert seat(game, 0)["fields"][0]["vines"] == ["sangiovese"]
    assert game.seat == 1


@pytest.mark.parametrize("name", ["summer", "winter"])
def test_yoke_harvests(name):
    """Essential, Structures, Yoke: one field, in summer as well; it is then harvested for the year."""
    own = {"structures": ["yoke"], "fields": fields(["pinot"], ["malvasia"], harvested=(6,))}
    game = start(2, name, own)
    play(game, YOKE, "option:2")
    assert (game.decision, game.legal_actions()) == ("harvest_field", ["field:5"])
    play(game, "field:5")
    assert seat(game, 0)["crush_pad"] == {"red": [1], "white": [1]}
    assert seat(game, 0)["fields"][0]["harvested"]
    assert game.seat == 1


def test_yoke_only_uproots_when_all_is_harvested():
    """Essential, Structures, Yoke: a field is harvested once a year, by yoke or otherwise."""
    own = {"structures": ["yoke"], "fields": fields(["pinot"], harvested=(5,))}
    game = start(2, "winter", own)
    assert placements(game, "harvest_field") == []
    play(game, YOKE)
    assert (game.decision, game.legal_actions()) == ("yoke", ["option:1"])


def test_yoke_once_a_year():
    """Essential, Structures, Yoke: once a year, summer and winter together; not even the grande may join."""
    own = {"structures": ["yoke"], "fields": fields(["pinot"], ["malvasia"])}
    game = start(2, "summer", own, NOBODY)
    play(game, YOKE, "option:2", "field:5")
    assert placements(game, "yoke") == []
    run_to_season(game, "winter")
    assert game.seat == 0
    assert placements(game, "yoke") == []
    assert game.to_dict()["board"]["yoke"] == [at(0)]
    run_to_year_end(game)
    assert not game.to_dict()["board"].get("yoke")
    assert game.seat == 1
    play(game, "wake_up:2", "wake_up:1")
    assert placements(game, "yoke") == [YOKE, place("yoke", worker="grande")]


def test_two_yokes_of_two_seats():
    """Essential, Glossary, Action space: a private space is used by its owner alone, so one does not block another."""
    own = {"structures": ["yoke"], "fields": fields(["pinot"])}
    game = start(2, "summer", own, own)
    play(game, YOKE, "option:2", "field:5")
    play(game, YOKE, "option:2", "field:5")
    assert [seat(game, k)["crush_pad"]["red"] for k in range(2)] == [[1], [1]]


def test_a_field_harvested_by_the_yoke_is_not_harvested_in_winter():
    """Essential, Structures, Yoke: one harvest a year for each field, by yoke or board."""
    own = {"structures": ["yoke"], "fields": fields(["pinot"])}
    game = start(2, "summer", own, NOBODY)
    play(game, YOKE, "option:2", "field:5")
    run_to_season(game, "winter")
    assert placements(game, "harvest_field") == []


def test_an_emptied_field_can_be_sold():
    """Essential, Sell grapes or field: after uprooting its last vine a field is empty."""
    own = {"structures": ["yoke"], "fields": fields((), ["malvasia"])}
    game = start(2, "summer", own, NOBODY)
    play(game, YOKE, "option:1", "field:6", "card:vine:malvasia")
    play(game, place("sell_grapes_or_field"), "field:6")
    assert seat(game, 0)["lira"] == 6


def test_a_field_harvested_emptied_and_replanted_is_not_harvested_again():
    """Essential, Harvesting fields, Note 1: the limit is on the field, not on the vines."""
    own = {"structures": ["yoke"], "fields": fields(["malvasia"], harvested=(5,)), "hand": {"vine": ["sangiovese"]}}
    game = start(2, "summer", own, NOBODY)
    play(game, YOKE, "option:1", "field:5", "card:vine:malvasia")
    assert seat(game, 0)["fields"][0] == {"capacity": 5, "vines": [], "sold": False, "harvested": True}
    play(game, place("plant_vine"), "card:vine:sangiovese", "field:5")
    run_to_season(game, "winter")
    assert placements(game, "harvest_field") == []


def test_a_yoke_built_this_season_serves_from_the_next_turn():
    """Essential, Structures, Yoke: owning it is what counts, from the next turn on."""
    own = {"lira": 2, "fields": fields(["malvasia"])}
    game = start(2, "summer", own, NOBODY)
    assert placements(game, "yoke") == []
    play(game, place("build_structure"), "structure:yoke")
    assert placements(game, "yoke") == [YOKE, place("yoke", worker="grande")]
