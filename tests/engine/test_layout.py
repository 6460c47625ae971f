"""Names of observation features, and descriptions of observations."""

import numpy as np
import pytest

import vitienv
from vitienv.core.action_spec import ActionSpec
from vitienv.core.observation_spec import Axis, Feature, ObservationSpec

SEATS = Axis("seat", ("self", "seat:+1"))
LAYOUT = ObservationSpec([
    Feature("lira", (2,), "lira", 0, 99, (SEATS,)),
    Feature("tool", (2, 2), "tools in hand", -1, 1, (SEATS, Axis("hand")), ("", "spade", "rake")),
    Feature("year", (1,), "the year", 0, 9),
    Feature("present", (2,), "seats taken", 0, 1, (SEATS,)),
], present="present")  # fmt: skip


def test_feature_names_are_unique():
    names = vitienv.OBSERVATION.names
    assert len(set(names)) == len(names) == vitienv.OBSERVATION.n
    start = vitienv.OBSERVATION.start
    for number, name in {
        start("lira"): "lira:self",
        start("vines") + 4: "vines:self:field:5:vine:trebbiano",
        start("staff") + 3 + 2: "staff:seat:+1:temporary",
        start("space_owner") + 3 * 7 + 1: "space_owner:harvest_field:bonus",
        start("year"): "year",
        start("mamas") + 3: "mamas:seat:+1:1",
    }.items():
        assert vitienv.OBSERVATION.name(number) == name
        assert vitienv.OBSERVATION.number(name) == number
    for number in (-1, vitienv.OBSERVATION.n, 1.5, "lira"):
        with pytest.raises(ValueError, match=f"observation index must be an integer from 0 to .*, got {number!r}"):
            vitienv.OBSERVATION.name(number)
        with pytest.raises(ValueError, match=f"action index must be an integer from 0 to .*, got {number!r}"):
            vitienv.ACTIONS.name(number)


def test_unknown_name_suggests_similar_ones():
    with pytest.raises(ValueError, match="unknown observation name 'lira:me'; did you mean lira:self"):
        vitienv.OBSERVATION.number("lira:me")
    with pytest.raises(ValueError, match="unknown feature 'liras'; expected one of: lira, vp, "):
        vitienv.OBSERVATION.get(np.zeros(vitienv.OBSERVATION.n), "liras")


def test_description_omits_defaults():
    description = LAYOUT.describe(np.array([3, 0, 0, -1, 0, 0, 2, 1, 0]))
    assert description == {"lira": {"self": 3}, "tool": {"self": {"0": "spade"}}, "year": 2, "present": {"self": 1}}
    assert LAYOUT.describe(np.array([3, 5, 0, 1, -1, 0, 0, 1, 1]))["tool"]["seat:+1"] == {"1": "spade"}
    with pytest.raises(ValueError, match="must have shape"):
        LAYOUT.describe(np.zeros(3))


def test_description_of_viticulture():
    game = vitienv.Game.new(seed=7)
    assert game.current_seat == 0
    description = vitienv.OBSERVATION.describe(game.observation())
    place, other = game.to_dict()["seats"]
    assert description["season"] == description["stack"]["0"] == "setup"
    assert description["decision"] == {game.decision: 1}
    assert description["mamas"] == {"self": {"0": place["mamas"][0]}, "seat:+1": {"0": other["mamas"][0]}}
    hand = sorted(f"{deck}:{card}" for deck, cards in place["hand"].items() for card in cards)
    assert sorted(description["hand"]) == hand
    assert set(description["present"]) == set(description["mamas"]) == {"self", "seat:+1"}


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (Feature("lira", (3,), "", 0, 9, (SEATS,)), "'lira' has 2 labels for an axis of 3"),
        (Feature("lira", (2, 2), "", 0, 9, (SEATS,)), "'lira' has 1 axes"),
        (Feature("lira", (2,), "", 0, 9, (SEATS,), ("none",)), "'lira' has 1 words for the values from 0 to 9"),
        (Feature("lira", (2,), "", 3, 2), "low of feature 'lira' must be at most 2, got 3"),
    ],
)
def test_inconsistent_feature_raises(entry, words):
    with pytest.raises(ValueError, match=words):
        ObservationSpec([entry])


def test_duplicate_name_raises():
    with pytest.raises(ValueError, match="duplicate feature 'year'"):
        ObservationSpec([Feature("year", (1,), "the year", 0, 9), Feature("year", (1,), "again", 0, 9)])
    with pytest.raises(ValueError, match="duplicate action 'no'"):
        ActionSpec({"answer": ["yes", "no"], "other": ["no"]})
