"""The study of the bots and of the reconstructed values, with few games."""

from studies import balance
from vitienv.toscana.components import COMPONENTS


def test_variants_change_reconstructed_values():
    for components in balance.VARIANTS.values():
        for part, values in components.items():
            for path in (f"{part}.{name}" for name in values) if isinstance(values, dict) else (part,):
                assert COMPONENTS[path].source == "reconstructed"


def test_facts_are_plausible():
    statistics = balance.facts(balance.BOTS, 3, 6, 1)
    assert statistics["winner's money"] > statistics["second's"] > 0 and 1 <= statistics["rounds"] <= 7
    assert 0 <= statistics["pieces hired"] <= 7 and all(1 <= statistics[f"{good} price"] <= 7 for good in balance.GOODS)


def test_command_prints_a_table(capsys):
    balance.main(["--games", "4"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("| a seat and game | as shipped |") and len({line.count("|") for line in lines}) == 1
