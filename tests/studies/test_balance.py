"""The study of the bots and of the reconstructed values, with few games."""

from studies import balance
from vitienv.toscana.components import COMPONENTS


def test_every_variant_is_of_reconstructed_values():
    for components in balance.VARIANTS.values():
        for part, values in components.items():
            for path in (f"{part}.{name}" for name in values) if isinstance(values, dict) else (part,):
                assert COMPONENTS[path].source == "reconstructed"


def test_what_it_counts_is_possible():
    found = balance.facts(balance.BOTS, 3, 6, 1)
    assert found["winner's money"] > found["second's"] > 0 and 1 <= found["rounds"] <= 7
    assert 0 <= found["pieces hired"] <= 7 and all(1 <= found[f"{good} price"] <= 7 for good in balance.GOODS)


def test_the_command_prints_a_table(capsys):
    balance.main(["--games", "4"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("| a seat and game | as shipped |") and len({line.count("|") for line in lines}) == 1
