"""The first four challenges of the campaign: the tweak, its boundary, and that the rest stays."""

import pytest

import vitienv
from tests.tabletop import (
    SUMMER_ACTIONS,
    VINE_COPIES,
    hand_sizes,
    place,
    placements,
    play,
    points,
    season,
    seat,
    workers,
)

from .positions import (
    ABLE,
    AUTOMA,
    PASS,
    ROWS,
    begin,
    blocked,
    cellar,
    fields,
    run_to_winter,
    run_to_year_end,
    start,
    tokens,
)


def stays_solo(game):
    """What every challenge leaves alone: marker, chart, Automa."""
    assert game.automa_score == 20
    assert game.legal_actions() == ROWS
    play(game, "wake_up:1")
    assert len(game.to_dict()["automa_deck"]) == 23


# 1: no mama, three vines planted.


def first_challenge(seed=1, *picks, **options):
    """A game of the first challenge after those choices."""
    game = vitienv.Game.new(ruleset="solo", seed=seed, challenge=1, **options)
    return play(game, *picks)


def test_1_any_vine_may_be_chosen():
    """Campaign 1: any three of the vines, whatever they need."""
    game = first_challenge()
    assert (game.decision, game.legal_actions()) == ("choose_vine", [f"card:vine:{vine}" for vine in VINE_COPIES])
    assert (sum(hand_sizes(game).values()), seat(game)["structures"]) == (0, [])


def test_1_three_vines_are_planted_before_the_gift():
    """Campaign 1: as part of the set-up, without structures; then the papa follows as usual."""
    game = first_challenge(1, "card:vine:merlot")
    assert (game.decision, game.legal_actions()) == ("plant_field", ["field:5", "field:6", "field:7"])
    play(game, "field:7")
    assert game.decision == "choose_vine"
    play(game, "card:vine:sauvignon_blanc", "field:7")
    assert game.decision == "choose_vine"
    play(game, "card:vine:chardonnay", "field:5")
    assert (game.decision, game.legal_actions()) == ("papa_gift", ["option:1", "option:2"])
    play(game, "option:2")
    assert game.decision == "wake_up"
    planted = [field["vines"] for field in seat(game)["fields"]]
    assert [planted[0], planted[1], sorted(planted[2])] == [["chardonnay"], [], ["merlot", "sauvignon_blanc"]]


def test_1_a_field_keeps_its_limit():
    """Campaign 1: only the structures can be ignored."""
    game = first_challenge(1, "card:vine:chardonnay", "field:6", "card:vine:chardonnay")
    assert game.legal_actions() == ["field:5", "field:7"]
    play(game, "field:7", "card:vine:chardonnay")
    assert game.legal_actions() == ["field:5"]


def test_1_the_vines_are_named_in_rising_order():
    """Three vines are one set, so that each set is offered in one order only."""
    game = first_challenge(1, "card:vine:cabernet_sauvignon", "field:5")
    assert game.legal_actions() == ["card:vine:cabernet_sauvignon", "card:vine:chardonnay"]


def test_1_all_three_may_share_a_field():
    """Campaign 1: one field takes as many vines as fit."""
    game = first_challenge(1, *["card:vine:sangiovese", "field:5"] * 3)
    assert game.decision == "papa_gift"
    assert seat(game)["fields"][0]["vines"] == ["sangiovese"] * 3


def test_1_nothing_comes_from_a_mama():
    """Campaign 1: no mama, hence no cards and no lira of hers; every papa alone gives 6 or 7 lira."""
    for seed in range(10):
        game = begin(seed, challenge=1)
        assert sum(hand_sizes(game).values()) == 0
        assert seat(game)["lira"] in (6, 7)
        assert (seat(game)["workers"], points(game)) == (workers(), 0)


def test_1_a_draft_has_only_papas():
    """Campaign 1 with the advanced variant: there is no mama to choose."""
    game = vitienv.Game.new(ruleset="solo", seed=1, challenge=1, draft_parents=True)
    asked = []
    while game.decision != "wake_up":
        asked.append(game.decision)
        play(game, game.legal_actions()[0])
    assert "choose_mama" not in asked
    assert asked.count("choose_papa") == 1
    assert asked.count("choose_vine") == 3


def test_1_the_planted_vines_are_out_of_the_deck():
    """Campaign 1: the deck is shuffled again with what is left of it."""
    game = first_challenge(1, "card:vine:sangiovese", "field:5", "card:vine:sangiovese", "field:5")
    play(game, "card:vine:sangiovese", "field:5", "option:2")
    record = game.to_dict()
    assert vitienv.Game.from_dict(record) == game
    with pytest.raises(ValueError, match="sangiovese"):
        vitienv.Game.from_dict(record | {"next_draws": {"vine": ["sangiovese"] * 2}})


def test_1_the_vines_can_be_harvested_in_the_first_year():
    """Campaign 1: a vine that stands is a vine like any other."""
    game = first_challenge(1, *["card:vine:chardonnay", "field:5", "card:vine:chardonnay", "field:6"])
    play(game, "card:vine:chardonnay", "field:7", "option:2", "wake_up:1")
    run_to_winter(game)
    kind = ("crowd", "grande") if "harvest_field" in blocked(game) else ("plain", "regular")
    play(game, place("harvest_field", *kind))
    if game.decision == "spend_token":
        play(game, "no")
    play(game, "field:6")
    assert seat(game)["crush_pad"]["white"] == [4]


def test_1_the_rest_stays():
    """Campaign: like normal except for the tweak."""
    stays_solo(begin(challenge=1))


# 2: two workers, middle spaces, no tokens.

SECOND = {"challenge": 2}


def test_2_the_middle_spaces_are_used():
    """Campaign 2: the middle space of each action, and no left one."""
    game = start("summer", ABLE, options=SECOND)
    expected = {place(action, "bonus", kind) for action in SUMMER_ACTIONS for kind in ("regular", "grande")}
    expected |= {place(where, "plain", kind) for where in ("gain_lira", "yoke") for kind in ("regular", "grande")}
    assert set(placements(game)) == expected


@pytest.mark.parametrize("answer, lira", [("yes", 3), ("no", 2)])
def test_2_the_middle_space_gives_its_bonus(answer, lira):
    """Campaign 2: the icon of the middle space counts, as with more players."""
    game = play(start("summer", options=SECOND), place("give_tour", "bonus"))
    assert (game.decision, game.legal_actions()) == ("take_bonus", ["yes", "no"])
    play(game, answer)
    assert (seat(game)["lira"], game.decision) == (lira, "place_worker")


def test_2_a_second_vine_on_the_middle_space():
    """Campaign 2: a bonus that repeats the act is one more act."""
    game = start("summer", {"hand": {"vine": ["sangiovese", "malvasia"]}}, options=SECOND)
    play(game, place("plant_vine", "bonus"), "card:vine:sangiovese", "field:5", "card:vine:malvasia", "field:5")
    assert game.decision == "place_worker"
    assert hand_sizes(game)["vine"] == 0


def test_2_the_automa_blocks_the_middle_spaces():
    """Campaign 2: the spaces in use are the middle ones, for both."""
    game = start("spring", ABLE, options=SECOND, automa_deck=["automa_02"])
    play(game, "wake_up:1")
    assert blocked(game) == {"draw_vine", "build_structure", "plant_vine"}
    assert placements(game, "draw_vine") == [place("draw_vine", "crowd", "grande")]
    assert placements(game, "give_tour") == [place("give_tour", "bonus"), place("give_tour", "bonus", "grande")]
    run_to_year_end(game)
    assert blocked(game) == set()


def test_2_a_grande_in_the_crowd_has_no_bonus():
    """Campaign 2: the grande on an occupied action stands on no space."""
    game = start("spring", {"bonus_tokens": 2}, options=SECOND, automa_deck=["automa_05"])
    play(game, "wake_up:1", place("give_tour", "crowd", "grande"))
    assert (seat(game)["lira"], game.decision) == (2, "place_worker")


def test_2_a_planned_action_has_the_bonus_of_its_space():
    """Campaign 2 and Planner: the middle space is planned on, and its bonus comes with the action."""
    game = start("summer", {"hand": {"summer": ["planner"]}}, options=SECOND, automa_deck=["automa_01"])
    play(game, place("play_summer_visitor", "bonus"), "card:summer:planner")
    assert {name.split(":")[2] for name in game.legal_actions()} == {"bonus"}
    play(game, place("draw_order", "bonus"))
    run_to_winter(game)
    assert (game.decision, game.legal_actions()) == ("take_bonus", ["yes", "no"])
    play(game, "yes")
    assert (hand_sizes(game)["order"], game.decision) == (2, "place_worker")


def test_2_tokens_are_taken_but_never_spent():
    """Campaign 2: the chart is that of every solo game; only the spending is forbidden."""
    game = start("spring", {"bonus_tokens": 1, "glass_tokens": [1, 4]}, options=SECOND, automa_deck=["automa_16"])
    assert game.legal_actions() == ["wake_up:1", "wake_up:4"]
    play(game, "wake_up:1", place("give_tour", "bonus"), "no")
    assert (game.decision, tokens(game)) == ("place_worker", 2)
    assert seat(game)["lira"] == 2


def test_2_a_token_does_not_pay_for_a_crowded_action():
    """Campaign 2: without bonus and without token there is no lira to help."""
    game = start("spring", {"bonus_tokens": 2, "lira": 1}, options=SECOND, automa_deck=["automa_06"])
    play(game, "wake_up:1")
    assert placements(game, "build_structure") == []


def test_2_nobody_is_trained():
    """Campaign 2: not more than two regular workers."""
    assert placements(start("winter", ABLE, options=SECOND), "train_worker") == []


@pytest.mark.parametrize("card", ["uncertified_teacher", "professor", "scholar", "governess", "teacher"])
def test_2_no_card_trains_anybody(card):
    """Campaign 2: the limit holds for the visitors too; their other branch stays open."""
    own_seat = ABLE | {"hand": {"winter": [card]}}
    game = start("winter", own_seat, options=SECOND)
    normal = start("winter", own_seat)
    offered = []
    for each, space in ((game, "bonus"), (normal, "plain")):
        if not placements(each, "play_winter_visitor"):
            offered.append([])
            continue
        play(each, place("play_winter_visitor", space), f"card:winter:{card}")
        offered.append(each.legal_actions())
    training = {"uncertified_teacher": 1, "professor": 1, "scholar": 2, "governess": 1, "teacher": 2}[card]
    assert f"option:{training}" in offered[1]
    assert offered[0] == [option for option in offered[1] if option != f"option:{training}"]


def test_2_the_guest_speaker_is_of_no_use():
    """Campaign 2: the own training is all that a solo Guest Speaker offers."""
    game = start("winter", ABLE | {"hand": {"winter": ["guest_speaker"]}}, options=SECOND)
    assert placements(game, "play_winter_visitor") == []


def test_2_no_papa_brings_a_third_worker():
    """Campaign 2: the gift of a worker, of two papas among 18, is not open; every other gift is."""
    closed = 0
    for seed in range(60):
        game = vitienv.Game.new(ruleset="solo", seed=seed, challenge=2)
        if game.legal_actions() == ["option:2"]:
            closed += 1
        else:
            assert game.legal_actions() == ["option:1", "option:2"]
            assert seat(play(game, "option:1"))["workers"] == workers()
    assert 0 < closed < 20


def test_2_grande_and_temporary_worker_do_not_count():
    """Campaign 2: the limit is on the regular workers."""
    game = play(start("spring", options=SECOND), "wake_up:7")
    assert seat(game)["workers"] == workers(2, 1, 1)


def test_2_the_limit_can_be_changed():
    """Campaign 2: its icon is lost, so that the number is an option."""
    options = SECOND | {"regular_workers": 3}
    game = start("winter", {"lira": 10}, options=options)
    play(game, place("train_worker", "bonus"), "no")
    assert seat(game)["trained_this_year"] == 1
    assert placements(game, "train_worker") == []
    assert placements(start("winter", {"lira": 10, "workers": workers(3, 1)}, options=options), "train_worker") == []


def test_2_the_rest_stays():
    """Campaign: like normal except for the tweak."""
    stays_solo(begin(challenge=2))


# 3: six workers by the end of the third year.

THIRD = {"challenge": 3}


@pytest.mark.parametrize(
    "own_seat, goes_on",
    [
        ({"workers": workers(5, 1)}, True),
        ({"workers": workers(4, 1)}, False),
        ({"workers": workers(4, 1), "trained_this_year": 1}, True),
        ({"workers": workers(3, 1), "trained_this_year": 1}, False),
        ({"workers": workers(4, 1, 1), "wake_up": 7}, True),
        ({"workers": workers(3, 1, 1), "wake_up": 7}, False),
        ({"workers": workers(5, 1, 1), "wake_up": 7}, True),
        ({"victory_points": 40, "workers": workers(2, 1)}, False),
    ],
)
@pytest.mark.parametrize("reward", ["win", "rank", "margin"])
def test_3_six_workers_are_needed_at_the_end_of_year_3(own_seat, goes_on, reward):
    """Campaign 3: trained ones are workers, and so is the temporary one for its year; without six the game is lost."""
    game = play(start("winter", own_seat, options=THIRD | {"reward": reward}, year=3), PASS)
    if goes_on:
        assert (game.is_over, game.decision, game.outcome) == (False, "wake_up", None)
    else:
        assert (game.is_over, game.outcome, list(game.rewards), list(game.ranking)) == (True, "loss", [-1.0], [2])
        assert not game.is_truncated


def test_3_placed_workers_count():
    """Campaign 3: all workers come back at the end of the year."""
    game = start("winter", {"workers": workers(5, 1)}, options=THIRD, year=3)
    play(game, place("gain_lira"), place("gain_lira", "plain", "grande"), PASS)
    assert game.decision == "wake_up"


@pytest.mark.parametrize("year", [1, 2, 4, 5, 6])
def test_3_other_years_ask_for_nothing(year):
    """Campaign 3: one examination only."""
    assert not play(start("winter", options=THIRD, year=year), PASS).is_over


def test_3_the_last_year_is_decided_by_points():
    """Campaign 3: the game is then won like any other."""
    assert play(start("winter", {"victory_points": 21}, options=THIRD, year=7), PASS).outcome == "win"


def test_3_the_rest_stays():
    """Campaign: like normal except for the tweak."""
    stays_solo(begin(challenge=3))


# 4: starting behind, harvesting more.

FOURTH = {"challenge": 4}
THREE_FIELDS = {"fields": fields(["sangiovese"], ["malvasia"], ["sangiovese", "malvasia"])}


@pytest.mark.parametrize("options, vp", [({}, -2), ({"start_vp": -3}, -3), ({"difficulty": "easy"}, -2)])
def test_4_the_seat_starts_behind(options, vp):
    """Campaign 4: at another number of points, which is lost and therefore an option."""
    assert points(begin(challenge=4, **options)) == vp


@pytest.mark.parametrize("picks", [["field:5"], ["field:5", "field:7"], ["field:7", "field:6", "field:5"]])
def test_4_the_harvest_action_takes_up_to_three_fields(picks):
    """Campaign 4: one is compulsory, two more are allowed."""
    game = start("winter", THREE_FIELDS, options=FOURTH)
    play(game, place("harvest_field"))
    assert game.legal_actions() == ["field:5", "field:6", "field:7"]
    for number, pick in enumerate(picks, 1):
        play(game, pick)
        if number < 3:
            assert "done" in game.legal_actions()
    if game.decision == "harvest_field":
        play(game, "done")
    harvested = {f"field:{field['capacity']}" for field in seat(game)["fields"] if field["harvested"]}
    assert (harvested, game.decision) == (set(picks), "place_worker")


def test_4_the_planned_harvest_is_that_action_too():
    """Campaign 4: the action, whenever it is carried out."""
    board = {"harvest_field": [{"space": "plain", "seat": 0, "worker": "regular"}]}
    game = run_to_winter(start("summer", THREE_FIELDS, options=FOURTH, board=board, automa_deck=["automa_01"]))
    play(game, "field:5", "field:6", "field:7")
    assert all(field["harvested"] for field in seat(game)["fields"])


def test_4_cards_and_yoke_harvest_as_they_say():
    """Campaign 4: only the harvest action is changed."""
    game = start("winter", THREE_FIELDS | {"structures": ["yoke"]}, options=FOURTH)
    play(game, place("yoke"), "option:2", "field:5")
    assert game.decision == "place_worker"
    game = start("summer", THREE_FIELDS | {"hand": {"summer": ["tour_guide"]}}, options=FOURTH)
    play(game, place("play_summer_visitor"), "card:summer:tour_guide", "option:2", "field:6")
    assert game.decision == "place_worker"


def test_4_other_actions_do_not_grow():
    """Campaign 4: wine is made as ever."""
    game = start("winter", {"crush_pad": {"red": [1, 2, 3], "white": []}}, options=FOURTH)
    play(game, place("make_wine"), "make:red", "grape:red:1", "make:red", "grape:red:2")
    assert (game.decision, seat(game)["cellar"]) == ("place_worker", cellar(red=[1, 2]))


def test_4_without_the_challenge_one_field_is_all():
    """Harvest one field: the rule that the challenge changes."""
    game = play(start("winter", THREE_FIELDS), place("harvest_field"), "field:5")
    assert game.decision == "place_worker"


def test_4_the_rest_stays():
    """Campaign: like normal except for the tweak; a blocked harvest is blocked."""
    stays_solo(begin(challenge=4))
    game = start("winter", THREE_FIELDS, options=FOURTH, board={"harvest_field": [AUTOMA]})
    assert placements(game, "harvest_field") == [place("harvest_field", "crowd", "grande")]
    assert season(game) == "winter"
