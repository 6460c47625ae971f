"""The study of which decisions win: each rule holds where it says so, and nowhere else."""

import numpy as np
import pytest

import vitienv
from studies import deciding
from studies.deciding import RULES, Restrained
from vitienv.agents import make_agent
from vitienv.training.measure.match import play
from vitienv.viticulture.options import Options

GIVEN = {"ruleset": "world", "num_players": 2, "continent": "asia", "skip_forced": True}
TABLE = Options.of(**GIVEN)
SEEDS = range(8)


def decisions_of(team):
    """Each decision of some games: its name, the year, the legal actions and the one taken."""
    played = play(TABLE, SEEDS, [[0, 0]] * len(SEEDS), [team])
    for i in range(len(played)):
        game = vitienv.Game.new(seed=SEEDS[i], **GIVEN)
        for action in played.log(i)["moves"]:
            yield game.decision, game.year, game.legal_actions(), action
            game.step(action)


@pytest.fixture(scope="module")
def free():
    return list(decisions_of(make_agent("random:seed=5")))


def is_meant(rule, action):
    return any(action == each or action.startswith(f"{each}:") for each in rule.actions)


def expected(rule, legal):
    """What a rule leaves of the legal actions, said once more."""
    if rule.last is not None:
        return legal[-1:] if rule.last else legal[:1]
    return [action for action in legal if is_meant(rule, action) == rule.forced] or legal


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_kept_and_would_be_broken(name, free):
    rule = RULES[name]

    def bound(found):
        return [(legal, action) for decision, year, legal, action in found
                if decision == rule.decision and rule.years[0] <= year <= rule.years[1]]  # fmt: skip

    team = Restrained(make_agent("random:seed=5"), rule, TABLE.definition)
    kept, names = bound(decisions_of(team)), TABLE.definition.actions.names
    assert kept and all(action in expected(rule, legal) for legal, action in kept)
    assert [names[i] for i in np.flatnonzero(team.left(np.ones((1, len(names)))))] == expected(rule, names)
    could = [(legal, action) for legal, action in bound(free) if expected(rule, legal) != legal]
    assert any(action not in expected(rule, legal) for legal, action in could) or not could


def test_the_table_tells_what_rules_change(monkeypatch, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"# Page\n\n<!-- table: {deciding.TABLE} -->\n\n<!-- end -->\n")
    monkeypatch.setattr(deciding, "RULES", {"nobody exchanges": RULES["nobody exchanges"]})
    deciding.main(
        ["--agent", "random:seed=1", "--games", "4", "--continents", "asia,africa", "--write", str(page)]
    )  # fmt: skip
    text = page.read_text()
    assert "|  | asia | africa |" in text and "| as it plays | 0 %, -" in text
    assert "| nobody exchanges | +0 ± 0, " in text and "4 games on each continent at 2 seats" in text
