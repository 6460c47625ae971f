"""The campaign where it changes the set-up: challenges 1, 2, 4, 7 and 8; and that the rest stays."""

import pytest

import vitienv
from tests.table.fixtures import VINE_COPIES, hand_sizes, play, points, seat, workers
from vitienv.core.frames import Frame
from vitienv.viticulture.cards.mamas import MAMAS

from .rows import ROWS, TO_WINTER, begin, run_to


@pytest.mark.parametrize("challenge", [1, 2, 3, 4, 7, 8])
def test_the_rest_stays(challenge):
    """Campaign: like normal except for the tweak: marker, chart, Automa; without orders it is lost all the same."""
    game = begin(challenge=challenge)
    assert (game.automa_score, game.legal_actions()) == (20, ROWS)
    play(game, "wake_up:4")
    assert (len(game.to_dict()["automa_deck"]), seat(game)["bonus_tokens"]) == (23, 1)
    assert run_to(game, lambda g: False).outcome == "loss"


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
    play(game, "card:vine:chardonnay", "field:7", "option:2", "wake_up:1", *TO_WINTER.split())
    crowd = "place:harvest_field:crowd:grande"
    play(game, crowd if crowd in game.legal_actions() else "place:harvest_field:plain:regular", "no", "field:6")
    assert seat(game)["crush_pad"]["white"] == [4]


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


@pytest.mark.parametrize("options, vp", [({}, -2), ({"start_vp": -3}, -3), ({"difficulty": "easy"}, -2)])
def test_4_the_seat_starts_behind(options, vp):
    """Campaign 4: at another number of points, which is lost and therefore an option."""
    assert points(begin(challenge=4, **options)) == vp


@pytest.mark.parametrize(
    "options, vp, lira", [({}, -2, 0), ({"start_vp": -4}, -4, 0), ({"start_lira": 4}, -2, 4), ({"start_vp": 1}, 1, 0)]
)
def test_7_points_and_lira_of_the_start_are_others(options, vp, lira):
    """Campaign 7: both icons are lost, so that both numbers are options; the parents' lira do not count."""
    for seed in range(6):
        game = begin(seed, challenge=7, **options)
        assert (points(game), seat(game)["lira"]) == (vp, lira)


def test_7_the_gift_is_kept_but_its_lira_are_not():
    """Campaign 7: structures, workers and cards are those of the parents."""
    gifts = set()
    for seed in range(30):
        game = vitienv.Game.new(ruleset="solo", seed=seed, challenge=7)
        assert game.decision == "papa_gift"
        play(game, "option:1")
        own = seat(game)
        gifts |= set(own["structures"])
        assert own["lira"] == 0
        assert own["victory_points"] in (-2, -1)
        assert sum(hand_sizes(game).values()) in (2, 3)
    assert len(gifts) >= 4


def eighth(seed, answer):
    """A game of the eighth challenge in which every mama with orders is answered alike, and how often that was."""
    game = vitienv.Game.new(ruleset="solo", seed=seed, challenge=8)
    asked = 0
    while game.decision == "redraw_mama":
        assert (game.current_seat, game.legal_actions()) == (0, ["yes", "no"])
        asked += 1
        play(game, answer)
    assert game.decision == "papa_gift"
    return asked, game


def test_8_a_mama_with_orders_may_be_redrawn():
    """Campaign 8: again and again, until one without orders comes; a mama without orders is not in question."""
    counts = []
    for seed in range(40):
        asked, game = eighth(seed, "yes")
        counts.append(asked)
        assert hand_sizes(game)["order"] == 0
        assert sum(hand_sizes(game).values()) in (2, 3)
        assert seat(game)["workers"] == workers()
    assert 0 in counts
    assert max(counts) >= 2


@pytest.mark.parametrize("options", [{}, {"draft_parents": True}])
def test_8_a_mama_that_was_put_aside_does_not_come_again(options):
    """Ruling C8: nor does the one that was not kept in the draft."""
    longest = 0
    for seed in range(150):
        game, before = vitienv.Game.new(ruleset="solo", seed=seed, challenge=8, **options), []
        while game.decision != "papa_gift":
            before += [mama for mama in seat(game)["mamas"] if mama not in before]
            assert vitienv.Game.from_dict(game.to_dict()) == game
            aside = [mama for mama in before if mama not in seat(game)["mamas"]]
            play(game, "yes" if game.decision == "redraw_mama" else "option:1")
            assert not set(aside) & set(seat(game)["mamas"])
        longest = max(longest, len(before))
    assert longest >= 5


@pytest.mark.parametrize(
    ("aside", "said"),
    [
        ("rebecca", "mamas must be dealt once each"),
        ("naja", r"mamas put aside \(setup, p0 and p1\) must be at most 0 but for those drawn again"),
    ],
)
def test_8_a_mama_put_aside_is_one_that_gave_orders(aside, said):
    """Ruling C8, in a position."""
    game = vitienv.Game.new(ruleset="solo", seed=1, challenge=8)
    assert (game.decision, seat(game)["mamas"]) == ("redraw_mama", ["rebecca"])
    position, number = game.to_dict(), [mama.id for mama in MAMAS].index(aside)
    position["pending"]["frames"][0][Frame.P0 + number // 9] = 1 << number % 9
    with pytest.raises(ValueError, match=said):
        vitienv.Game.from_dict(position)


def test_8_a_mama_with_orders_may_be_kept():
    """Campaign 8: redrawing is a choice."""
    kept = 0
    for seed in range(40):
        asked, game = eighth(seed, "no")
        assert asked in (0, 1)
        assert (hand_sizes(game)["order"] > 0) == (asked == 1)
        kept += asked
    assert 0 < kept < 40


def test_8_a_redrawn_mama_leaves_nothing_behind():
    """Campaign 8: her cards and lira do not come; every papa adds 6 or 7 lira, two mamas another 2."""
    for seed in range(40):
        _, game = eighth(seed, "yes")
        play(game, "option:2")
        assert seat(game)["lira"] in (6, 7, 8, 9)
        record = game.to_dict()
        (mama,) = (mama for mama in MAMAS if [mama.id] == record["seats"][0]["mamas"])
        assert hand_sizes(game) == {deck: getattr(mama, deck) for deck in hand_sizes(game)} and mama.order == 0
        assert not any(record["discards"].values())
        assert vitienv.Game.from_dict(record) == game


def test_only_the_eighth_challenge_asks_about_the_mama():
    """Campaign 8: nothing of the kind elsewhere."""
    for challenge in (None, 2, 4, 7):
        for seed in range(15):
            assert vitienv.Game.new(ruleset="solo", seed=seed, challenge=challenge).decision == "papa_gift"


@pytest.mark.parametrize("challenge", [1, 3, 4, 6, 7, 8])
def test_a_challenge_after_losses_starts_with_tokens(challenge):
    """Campaign play: as many bonus action tokens as losses in a row, where tokens are of any use."""
    assert seat(begin(challenge=challenge, bonus_tokens=2))["bonus_tokens"] == 2


@pytest.mark.parametrize("challenge", [1, 3, 4, 6, 7, 8])
def test_a_challenge_may_be_played_at_any_level(challenge):
    """Campaign play and Difficulty levels: two adjustments that do not exclude each other."""
    game = begin(challenge=challenge, difficulty="very_hard")
    assert game.automa_score == 23
    assert play(game, "wake_up:1").automa_score == 23
