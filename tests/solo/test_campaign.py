"""Challenges of the campaign that change the setup: 1, 2, 4, 7 and 8."""

import pytest

import vitienv
from tests.table.fixtures import VINE_COPIES, hand_sizes, play, points, seat, workers
from vitienv.core.frames import Frame
from vitienv.viticulture.cards.mamas import MAMAS

from .positions import ROWS, TO_WINTER, begin, run_to


@pytest.mark.parametrize("challenge", [1, 2, 3, 4, 7, 8])
def test_challenges_keep_the_setup(challenge):
    """Campaign: like normal except for the changed rule; a game without orders is lost."""
    game = begin(challenge=challenge)
    assert (game.automa_score, game.legal_actions()) == (20, ROWS)
    play(game, "wake_up:4")
    assert (len(game.to_dict()["automa_deck"]), seat(game)["bonus_tokens"]) == (23, 1)
    assert run_to(game, lambda g: False).outcome == "loss"


def first_challenge(seed=1, *picks, **options):
    """Return a game of the first challenge after those choices."""
    game = vitienv.Game.new(ruleset="solo", seed=seed, challenge=1, **options)
    return play(game, *picks)


MERLOT, CHARDONNAY, SANGIOVESE, CABERNET = (
    f"card:vine:{vine}" for vine in ("merlot", "chardonnay", "sangiovese", "cabernet_sauvignon")
)
GIFTS = ["option:1", "option:2"]


@pytest.mark.parametrize(
    "picks, decision, legal",
    [
        ([], "choose_vine", [f"card:vine:{vine}" for vine in VINE_COPIES]),
        ([MERLOT], "plant_field", ["field:5", "field:6", "field:7"]),
        ([CHARDONNAY, "field:6", CHARDONNAY], "plant_field", ["field:5", "field:7"]),
        ([CHARDONNAY, "field:6", CHARDONNAY, "field:7", CHARDONNAY], "plant_field", ["field:5"]),
        ([CABERNET, "field:5"], "choose_vine", [CABERNET, CHARDONNAY]),
        ([SANGIOVESE, "field:5"] * 3, "papa_gift", GIFTS),
    ],
    ids=["any vine", "without structures", "limit", "last field", "ascending order", "shared field"],
)
def test_challenge_1_vines_are_planted_before_the_gift(picks, decision, legal):
    """Campaign 1: any three vines, without regard to structures; field limits apply. Each set has one order."""
    game = first_challenge(1, *picks)
    assert (game.decision, game.legal_actions()) == (decision, legal)
    assert (sum(hand_sizes(game).values()), seat(game)["structures"]) == (len(picks) % 2, [])
    assert sum(len(field["vines"]) for field in seat(game)["fields"]) == len(picks) // 2


def test_challenge_1_has_no_mama():
    """Campaign 1: no cards and lira of a mama; a papa alone gives 6 or 7 lira."""
    for seed in range(10):
        game = begin(seed, challenge=1)
        assert sum(hand_sizes(game).values()) == 0
        assert seat(game)["lira"] in (6, 7)
        assert (seat(game)["workers"], points(game)) == (workers(), 0)


def test_challenge_1_draft_has_only_papas():
    """Campaign 1 with the advanced variant: no choice of mama."""
    game = vitienv.Game.new(ruleset="solo", seed=1, challenge=1, draft_parents=True)
    decisions = []
    while game.decision != "wake_up":
        decisions.append(game.decision)
        play(game, game.legal_actions()[0])
    assert "choose_mama" not in decisions
    assert decisions.count("choose_papa") == 1
    assert decisions.count("choose_vine") == 3


def test_challenge_1_planted_vines_leave_the_deck():
    """Campaign 1: the remaining deck is reshuffled."""
    game = first_challenge(1, *[SANGIOVESE, "field:5"] * 3, "option:2")
    record = game.to_dict()
    assert vitienv.Game.from_dict(record) == game
    with pytest.raises(ValueError, match="sangiovese"):
        vitienv.Game.from_dict(record | {"next_draws": {"vine": ["sangiovese"] * 2}})


def test_challenge_1_planted_vines_can_be_harvested():
    """Campaign 1: in the first year."""
    game = first_challenge(1, CHARDONNAY, "field:5", CHARDONNAY, "field:6", CHARDONNAY, "field:7", "option:2")
    play(game, "wake_up:1", *TO_WINTER.split())
    crowd = "place:harvest_field:crowd:grande"
    play(game, crowd if crowd in game.legal_actions() else "place:harvest_field:plain:regular", "no", "field:6")
    assert seat(game)["crush_pad"]["white"] == [4]


def test_2_worker_gifts_are_illegal():
    """Campaign 2: two of 18 papas offer a worker; every other gift is legal."""
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
def test_challenge_4_starting_points(options, vp):
    """Campaign 4: the printed number is lost, so it is an option."""
    assert points(begin(challenge=4, **options)) == vp


@pytest.mark.parametrize(
    "options, vp, lira", [({}, -2, 0), ({"start_vp": -4}, -4, 0), ({"start_lira": 4}, -2, 4), ({"start_vp": 1}, 1, 0)]
)
def test_challenge_7_starting_points_and_lira(options, vp, lira):
    """Campaign 7: both printed numbers are lost, so they are options; the lira of the parents do not count."""
    for seed in range(6):
        game = begin(seed, challenge=7, **options)
        assert (points(game), seat(game)["lira"]) == (vp, lira)


def test_challenge_7_gift_without_lira():
    """Campaign 7: structures, workers and cards come from the parents."""
    gifts = set()
    for seed in range(30):
        game = vitienv.Game.new(ruleset="solo", seed=seed, challenge=7)
        assert game.decision == "papa_gift"
        play(game, "option:1")
        mat = seat(game)
        gifts |= set(mat["structures"])
        assert mat["lira"] == 0
        assert mat["victory_points"] in (-2, -1)
        assert sum(hand_sizes(game).values()) in (2, 3)
    assert len(gifts) >= 4


def eighth(seed, answer):
    """Return the number of `redraw_mama` decisions and the game, in which all are answered with `answer`."""
    game = vitienv.Game.new(ruleset="solo", seed=seed, challenge=8)
    num_redraws = 0
    while game.decision == "redraw_mama":
        assert (game.current_seat, game.legal_actions()) == (0, ["yes", "no"])
        num_redraws += 1
        play(game, answer)
    assert game.decision == "papa_gift"
    return num_redraws, game


def test_challenge_8_mamas_with_orders_can_be_redrawn():
    """Campaign 8: repeatedly, until a mama without orders."""
    counts = []
    for seed in range(40):
        num_redraws, game = eighth(seed, "yes")
        counts.append(num_redraws)
        assert hand_sizes(game)["order"] == 0
        assert sum(hand_sizes(game).values()) in (2, 3)
        assert seat(game)["workers"] == workers()
    assert 0 in counts
    assert max(counts) >= 2


@pytest.mark.parametrize("options", [{}, {"draft_parents": True}])
def test_challenge_8_redrawn_mamas_are_not_dealt_again(options):
    """Ruling C8: nor the mama that was not kept in the draft."""
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
    ("aside", "message"),
    [
        ("rebecca", "mamas must be dealt once each"),
        ("naja", r"mamas put aside \(setup, p0 and p1\) must be at most 0, besides those exchanged"),
    ],
)
def test_challenge_8_invalid_redrawn_mamas_raise(aside, message):
    """Ruling C8, in a position."""
    game = vitienv.Game.new(ruleset="solo", seed=1, challenge=8)
    assert (game.decision, seat(game)["mamas"]) == ("redraw_mama", ["rebecca"])
    position, number = game.to_dict(), [mama.id for mama in MAMAS].index(aside)
    position["pending"]["frames"][0][Frame.P0 + number // 9] = 1 << number % 9
    with pytest.raises(ValueError, match=message):
        vitienv.Game.from_dict(position)


def test_challenge_8_mamas_with_orders_can_be_kept():
    """Campaign 8: redrawing is optional."""
    num_kept = 0
    for seed in range(40):
        num_decisions, game = eighth(seed, "no")
        assert num_decisions in (0, 1)
        assert (hand_sizes(game)["order"] > 0) == (num_decisions == 1)
        num_kept += num_decisions
    assert 0 < num_kept < 40


def test_challenge_8_redrawn_mama_has_no_effect():
    """Campaign 8: no cards and lira of hers; papas give 6 or 7 lira, two mamas another 2."""
    for seed in range(40):
        _, game = eighth(seed, "yes")
        play(game, "option:2")
        assert seat(game)["lira"] in (6, 7, 8, 9)
        record = game.to_dict()
        (mama,) = (mama for mama in MAMAS if [mama.id] == record["seats"][0]["mamas"])
        assert hand_sizes(game) == {deck: getattr(mama, deck) for deck in hand_sizes(game)} and mama.order == 0
        assert not any(record["discards"].values())
        assert vitienv.Game.from_dict(record) == game


def test_only_the_eighth_challenge_redraws_mamas():
    """Campaign 8."""
    for challenge in (None, 2, 4, 7):
        for seed in range(15):
            assert vitienv.Game.new(ruleset="solo", seed=seed, challenge=challenge).decision == "papa_gift"


@pytest.mark.parametrize("challenge", [1, 3, 4, 6, 7, 8])
def test_challenges_with_tokens_and_levels(challenge):
    """Campaign play: one token per loss in a row; challenges and difficulty levels can be combined."""
    assert seat(begin(challenge=challenge, bonus_tokens=2))["bonus_tokens"] == 2
    game = begin(challenge=challenge, difficulty="very_hard")
    assert (game.automa_score, play(game, "wake_up:1").automa_score) == (23, 23)
