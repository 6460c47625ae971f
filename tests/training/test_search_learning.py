"""Learning from search: files of searched games, and a network that learns from them."""

import json
import math

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

import vitienv
from vitienv import cli
from vitienv.core.compiling.static_checks import plain
from vitienv.core.search.forest import Tree
from vitienv.core.search.gumbel import choose_candidate
from vitienv.core.search.tree import NONE, Edge, EdgeSum, Node, NodeSum, Setting, choose
from vitienv.training.search.games import COLUMNS, Settings, file_of, play_file, read_file
from vitienv.training.search.train import Learner, train_search
from vitienv.training.selfplay.network import Architecture, PolicyValue, load_network, save_network

TOY = "tests.toy.game_spec"
SMALL = {
    "game": TOY,
    "mix": "2:1,3:1",
    "games": 6,
    "full_simulations": 8,
    "fast_simulations": 2,
    "full_fraction": 0.5,
    "hidden": 16,
    "window": 64,
    "minibatch_size": 32,
}
KINDS = {column.name: column.kind for column in COLUMNS}
QUIET = {"evaluation_games": 0, "eval_opponents": [], "progress": False, "threads": 1, "processes": 1}


def weights(path, game=TOY, bias=None, value=0.0, lead=0.0):
    """A network that knows nothing but how likely actions are, and takes every position for worth the same."""
    torch.manual_seed(1)
    network = PolicyValue(Architecture(hidden=16, blocks=0, lead=lead), game)
    with torch.no_grad():
        for tensor in (network.policy.weight, network.value.weight):
            tensor.zero_()
        network.policy.bias[:] = torch.zeros(len(network.policy.bias)) if bias is None else torch.tensor(bias)
        network.value.bias.fill_(value)
    save_network(path, network, {"settings": {}}, half=False)
    return str(path)


def rows(folder, path, number=0, **settings):
    """The decisions of a file that is played now, as dictionaries."""
    play_file(path, Settings(**SMALL | settings), number, str(folder))
    return [
        {name: np.frombuffer(value, KINDS[name]).tolist() if isinstance(value, bytes) else value
         for name, value in row.items()}
        for row in pq.read_table(file_of(folder, number)).to_pylist()
    ]  # fmt: skip


def test_a_value_is_the_result_for_the_seat_that_decided(tmp_path):
    """Two seats of a game have opposite results; who is first won."""
    found = rows(tmp_path, weights(tmp_path / "w.safetensors"), mix="2:1", games=20, full_fraction=1.0)
    assert len(found) > 100 and {each["seat"] for each in found} == {0, 1}
    results = {}
    for each in found:
        assert results.setdefault((each["game"], each["seat"]), each["reward"]) == each["reward"]
        assert (each["rank"] == 1) == (each["reward"] >= 0)
    for game in range(20):
        assert results[game, 0] == -results[game, 1]
    assert {1.0, -1.0} <= set(results.values())


def test_what_is_seen_is_what_that_seat_saw_then(tmp_path):
    """The own points come first: at the end of a game they are the seat's, and the other's before they are added."""
    found = rows(tmp_path, weights(tmp_path / "w.safetensors"), mix="2:1", games=8, full_fraction=1.0)
    points = vitienv.game_spec(TOY).observation.start("points")
    for game in range(8):
        own = [each for each in found if each["game"] == game]
        assert [each["round"] for each in own] == sorted(each["round"] for each in own)
        for each in own:
            seen = each["observation"]
            assert seen[0] == each["round"] and each["points"] >= seen[points]
            assert seen[points] + seen[points + 1] == each["round"] - 1


def test_policies_stand_by_the_numbers_of_actions(tmp_path):
    """Where all leaves are worth the same the policy is the prior; its place among the legal ones is not its number."""
    made = vitienv.game_spec()
    bias = (np.arange(made.actions.n) % 7 * 0.4).astype(np.float32)
    settings = {"game": "viticulture", "mix": "2:1", "games": 2, "full_simulations": 4, "full_fraction": 0.3}
    found = rows(tmp_path, weights(tmp_path / "w.safetensors", "viticulture", bias), **settings)
    early = [each for each in found if each["round"] <= 1]
    assert len(early) > 8
    for each in early:
        right = np.where(each["mask"], np.exp(bias), 0)
        assert each["policy"] == pytest.approx(right / right.sum(), abs=1e-5)
        assert each["mask"][each["action"]] and each["visits"][each["action"]] == max(each["visits"])


def test_leaves_are_played_on_as_asked(tmp_path):
    """A network that knows nothing values all leaves the same, unless its playouts come to the end of the game."""
    knows_nothing = weights(tmp_path / "w.safetensors")
    played = {
        playout: rows(tmp_path, knows_nothing, mix="2:1", games=8, full_fraction=1.0, playout=playout, years=9)
        for playout in ("none", "policy")
    }
    assert {each["value"] for each in played["none"] if each["round"] == 1} == {0.0}
    assert any(each["value"] for each in played["policy"] if each["round"] == 1)


def test_noise_is_drawn_anew_for_every_decision(tmp_path):
    """With one simulation and two actions that are as likely, both are taken half of the time, in every game."""
    steps = rows(
        tmp_path,
        weights(tmp_path / "w.safetensors"),
        mix="2:1",
        games=30,
        full_simulations=1,
        max_considered_actions=1,
        full_fraction=1.0,
    )
    taken = np.array([each["action"] for each in steps])
    assert 0.4 < taken.mean() < 0.6
    by_game = [np.mean([each["action"] for each in steps if each["game"] == game]) for game in range(30)]
    by_round = [np.mean([each["action"] for each in steps if each["round"] == turn]) for turn in range(1, 6)]
    assert np.mean([0 < share < 1 for share in by_game]) > 0.9 and all(0.2 < share < 0.8 for share in by_round)


def node_of(logits):
    """A node with an edge for each action, and what `choose` looks at."""
    n = len(logits)
    nodes, node_sums = np.zeros((1, len(Node)), np.int32), np.zeros((1, len(NodeSum)))
    edges, edge_sums = np.zeros((n, len(Edge)), np.int32), np.zeros((n, len(EdgeSum)))
    for i in range(n):
        edges[i, [Edge.ACTION, Edge.NEXT, Edge.OUTCOME]] = i, i - 1, NONE
        edge_sums[i, [EdgeSum.LOGIT, EdgeSum.CHANCE]] = logits[i], math.exp(logits[i])
    nodes[0, Node.FIRST] = n - 1
    settings = np.zeros(len(Setting))
    settings[[Setting.C_PUCT, Setting.PRIOR_VISITS, Setting.VALUE_SCALE, Setting.PRUNE_MARGIN]] = 5.0, 30.0, 0.02, 8.0
    return nodes, node_sums, edges, edge_sums, settings


def test_what_another_deal_allows_is_not_done_in_this_one():
    """An inner node has edges of all deals: the likeliest one is passed over where it is illegal, nor are others left
    out for being far below it."""
    near, far = [0.0, -2.0, -1.0], [0.0, -12.0, -11.0]
    for logits, mask, best in ((near, [1, 1, 1], 0), (near, [0, 1, 1], 2), (near, [0, 1, 0], 1), (far, [0, 1, 1], 2)):
        nodes, node_sums, edges, edge_sums, settings = node_of(logits)
        chosen = plain(choose)(0, np.array(mask), nodes, node_sums, edges, edge_sums, settings)
        assert chosen != NONE and edges[chosen, Edge.ACTION] == best


def test_a_race_goes_on_with_those_who_have_been_visited_as_often_as_is_due():
    nodes, _, edges, edge_sums, settings = node_of([0.0, -1.0, -2.0])
    edge_sums[:, EdgeSum.NOISE] = 0.0, 3.0, 0.5
    tree = np.zeros(len(Tree), np.int64)
    tree[[Tree.STARTED, Tree.CANDIDATES, Tree.UNTIL]] = 1, 3, 3
    assert race(tree, nodes, edges, edge_sums, settings) == 1
    edges[1, Edge.STARTED] = tree[Tree.STARTED] = 2
    edges[1, Edge.STARTED] = 1
    assert race(tree, nodes, edges, edge_sums, settings) == 0


def race(tree, nodes, edges, edge_sums, settings):
    """What `choose_candidate` chooses, without values."""
    function = plain(choose_candidate)
    names = function.__globals__
    before = {name: names[name] for name in ("mean_value", "merit")}
    try:
        names.update({name: plain(kept) for name, kept in before.items()})
        return int(edges[function(tree, nodes, edges, edge_sums, settings), Edge.ACTION])
    finally:
        names.update(before)


def test_a_file_is_a_function_of_its_number_and_the_network(tmp_path):
    path = weights(tmp_path / "w.safetensors")
    first = rows(tmp_path, path, 3)
    file_of(tmp_path, 3).unlink()
    assert rows(tmp_path, path, 3) == first
    assert rows(tmp_path, path, 4) != first


def test_cheap_decisions_are_not_learned_from(tmp_path):
    path = weights(tmp_path / "w.safetensors")
    found = rows(tmp_path, path, games=20)
    told = read_file(file_of(tmp_path, 0), vitienv.game_spec(TOY)).counts
    assert {each["simulations"] for each in found} == {8} and len(found) == told["learned"]
    assert 0.35 < told["learned"] / told["decisions"] < 0.65 and told["searched"] == told["decisions"]
    none = rows(tmp_path, path, 1, fast_simulations=0)
    told = read_file(file_of(tmp_path, 1), vitienv.game_spec(TOY)).counts
    assert told["searched"] == told["learned"] == len(none) < told["decisions"]


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_at_every_table(tmp_path, players):
    """One file of one game; alone the margin is what is learned."""
    mix = "solo/hard:1" if players == 1 else f"{players}:1"
    path = weights(tmp_path / "w.safetensors", "viticulture")
    steps = rows(
        tmp_path,
        path,
        game="viticulture",
        mix=mix,
        games=1,
        full_simulations=2,
        fast_simulations=0,
        full_fraction=0.2,
        max_years=2,
        hidden=16,
    )
    assert steps and {each["players"] for each in steps} == {players}
    assert {each["seat"] for each in steps} <= set(range(players))


def test_a_resumed_run_is_as_if_it_had_not_been_interrupted(tmp_path):
    train_search(tmp_path / "whole", updates=4, **SMALL, **QUIET)
    train_search(tmp_path / "half", updates=2, **SMALL, **QUIET)
    (tmp_path / "half" / "samples" / ".0000002.parquet.x.tmp").write_bytes(b"half a file")
    told = train_search(tmp_path / "half", updates=2, resume=True, **QUIET)
    assert told["updates"] == 4
    both = [load_network(tmp_path / name / "agent.safetensors", game=TOY).state_dict() for name in ("whole", "half")]
    assert all(torch.equal(both[0][name], both[1][name]) for name in both[0])
    for number in range(4):
        one, other = (pq.read_table(file_of(tmp_path / name / "samples", number)) for name in ("whole", "half"))
        assert one.equals(other)


def test_steps_are_counted_from_the_beginning_of_the_run(tmp_path):
    first = train_search(tmp_path / "run", updates=1, **SMALL, **QUIET)
    enough = train_search(tmp_path / "run", steps=first["steps"], resume=True, **QUIET)
    assert (enough["updates"], enough["steps"]) == (1, first["steps"])
    again = train_search(tmp_path / "run", steps=first["steps"] + 1, resume=True, **QUIET)
    assert again["updates"] == 2


def test_a_file_that_is_there_already_is_not_played_again(tmp_path):
    """A run that was killed between a file and its checkpoint."""
    train_search(tmp_path / "run", updates=1, **SMALL, **QUIET)
    samples = tmp_path / "run" / "samples"
    play_file(str(tmp_path / "run" / "agent.safetensors"), Settings(**SMALL), 1, str(samples))
    before = file_of(samples, 1).stat().st_mtime_ns
    train_search(tmp_path / "run", updates=1, resume=True, **QUIET)
    assert file_of(samples, 1).stat().st_mtime_ns == before


def test_several_processes_play_while_one_learns(tmp_path):
    told = train_search(tmp_path / "run", updates=3, **SMALL, **QUIET | {"processes": 2})
    assert told["updates"] == 3 and told["counts"]["games"] == 18
    assert vitienv.make_agent(f"policy:{tmp_path / 'run' / 'agent.safetensors'}", game=TOY).name


def test_the_network_learns_what_the_search_found(tmp_path):
    """The same decisions again and again: the policy comes to the search's, and the value to the result."""
    folder = tmp_path / "samples"
    folder.mkdir()
    settings = Settings(
        **SMALL | {"mix": "2:1", "games": 20, "full_simulations": 64, "window": 400, "learning_rate": 3e-3}
    )
    play_file(weights(tmp_path / "w.safetensors", lead=0.5), settings, 0, str(folder))
    learner = Learner(settings, torch.device("cpu"))
    new = learner.take(file_of(folder, 0))
    first = learner.learn(32)
    last = [learner.learn(new) for _ in range(40)][-1]
    assert last["kl"] < 0.5 * first["kl"] and last["value"] < first["value"] and last["explained"] > 0.2


def damaged(path, how):
    whole = path.read_bytes()
    if how == "short":
        path.write_bytes(whole[: len(whole) // 2])
    elif how == "noise":
        path.write_bytes(b"no file of columns at all")
    elif how == "columns":
        pq.write_table(pq.read_table(path).drop_columns(["policy"]), path)
    elif how == "game":
        table = pq.read_table(path)
        pq.write_table(table.replace_schema_metadata({**table.schema.metadata, b"game": b"chess"}), path)


@pytest.mark.parametrize(
    ("how", "message"),
    [("short", "is damaged"), ("noise", "is damaged"), ("columns", "column 'policy' differs"), ("game", "of 'chess'")],
)
def test_a_damaged_file_is_told_in_one_line(tmp_path, how, message):
    rows(tmp_path, weights(tmp_path / "w.safetensors"))
    damaged(file_of(tmp_path, 0), how)
    with pytest.raises(ValueError, match=message) as told:
        read_file(file_of(tmp_path, 0), vitienv.game_spec(TOY))
    assert "\n" not in str(told.value) and "0000000.parquet" in str(told.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"full_fraction": 0.0}, "full_fraction must be above 0 and at most 1, got 0.0"),
        ({"fast_simulations": -1}, "fast_simulations must be at least 0, got -1"),
        ({"playout": "always"}, "unknown playout 'always'; expected one of: heuristic, quick, policy, random, none"),
        ({"years": 0}, "years must be at least 1, got 0"),
        ({"value_scale": 0.0}, "value_scale must be above 0 with root=gumbel, got 0.0"),
        ({"mix": "9:1"}, "num_players"),
        ({"league": ()}, "league"),
    ],
)
def test_wrong_settings(tmp_path, given, message):
    with pytest.raises(ValueError, match=message):
        train_search(tmp_path / "run", updates=1, **SMALL | given, **QUIET)
    assert not (tmp_path / "run").exists()


def test_the_command(tmp_path, capsys):
    run = ["train", "--method", "search", "--game", TOY, "--mix", "2:1", "--run", str(tmp_path / "run"), "--json"]
    few = [
        "--steps",
        "50",
        "--full-simulations",
        "4",
        "--fast-simulations",
        "0",
        "--processes",
        "1",
        "--threads",
        "1",
        "--hidden",
        "16",
    ]
    assert cli.run([*run, *few]) == 0
    reached = json.loads(capsys.readouterr().out)["steps"]
    assert reached >= 50
    again = ["train", "--run", str(tmp_path / "run"), "--resume", "--game", TOY, "--processes", "1", "--json"]
    for steps, least, most in ((10, reached, reached), (reached + 1, reached + 1, 2 * reached)):  # of the whole run
        assert cli.run([*again, "--steps", str(steps)]) == 0
        assert least <= json.loads(capsys.readouterr().out)["steps"] <= most
    assert cli.run(["train", "--method", "selfplay", "--full-simulations", "4"]) == 2
    assert "--full-simulations is for --method search, not for selfplay" in capsys.readouterr().err
    assert cli.run(["train", "--method", "search", "--league", "none"]) == 2
    assert "--league is for --method selfplay, not for search" in capsys.readouterr().err
