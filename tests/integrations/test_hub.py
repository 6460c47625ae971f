"""Folders for a hub, as the hub's client and Croissant's validator read them."""

import mlcroissant
import numpy as np
import pytest
from huggingface_hub import DatasetCard, ModelCard

import vitienv
from vitienv.games import game_names
from vitienv.training.hub import make
from vitienv.training.measure.data_sets import Settings, write


@pytest.mark.parametrize("game", game_names())
def test_the_hub_reads_the_card_of_networks(game, tmp_path):
    make(tmp_path / "hub", game=game)
    card = ModelCard.load(tmp_path / "hub" / "README.md").data
    assert card.license == "mit" and card.library_name == "vitienv" and game in card.tags
    results = card.eval_results or []
    assert results and all(0 < one.metric_value < 1 for one in results)


@pytest.mark.parametrize("bots", [("heuristic", "random"), ("ismcts:simulations=4,seed=1",)])
def test_croissant_is_valid_and_reads_the_rows(bots, tmp_path):
    write(Settings(bots, games=3, chunk=2, game="toscana"), tmp_path / "games")
    make(tmp_path / "hub", tmp_path / "games")
    card = DatasetCard.load(tmp_path / "hub" / "README.md").data
    assert card.license == "mit" and card.size_categories == ["n<1K"]
    described = mlcroissant.Dataset(jsonld=tmp_path / "hub" / "croissant.json")
    issues = described.metadata.ctx.issues
    assert not issues.errors and all("datePublished" in warning for warning in issues.warnings)  # by who uploads it
    rows = list(described.records("decisions"))
    ours = vitienv.data.read(tmp_path / "games").arrays()
    assert len(rows) == len(ours["action"])
    for name, column in ours.items():
        if column is not None:
            told = np.array([row[f"decisions/{name}"] for row in rows])
            assert np.array_equal(told, column, equal_nan=name == "value"), name
