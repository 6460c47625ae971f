"""Data sets: rows of the decisions of bots, resumed writing, refused files, and Minari."""

import json
import sys
import time
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import vitienv
from tests.command import contents, refused, replace_by_pipe
from tests.external_players.endpoint import Stub
from vitienv import registry
from vitienv.agents.seeding import game_seeds, make_bots
from vitienv.cli import run
from vitienv.data import as_lists, numbers_in
from vitienv.envs.single import SingleAgentEnv
from vitienv.training.evaluation import data_sets
from vitienv.training.evaluation.data_sets import Settings, write
from vitienv.training.evaluation.match import play
from vitienv.training.evaluation.notes import public_name, public_names

BOTS = ("random:seed=3", "random:seed=5")
SHORT = Settings(BOTS, games=6, seed=4, chunk_size=2, options={"max_years": 2})
TOY = Settings(("random",), num_players=3, games=5, seed=1, game="tests.toy.game_spec")


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """A data set of six truncated games."""
    folder = tmp_path_factory.mktemp("data") / "short"
    write(SHORT, folder)
    return vitienv.data.read(folder)


def change_card(**changes):
    """Return a function that changes the metadata in a directory."""

    def change(folder):
        path = folder / "card.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return change


def test_rows_are_the_decisions_of_the_games(short):
    rows = short.arrays()
    assert len(short) == len(rows["action"]) == sum(short.parts) and len(short.parts) == 3
    bots = make_bots(BOTS, 4)
    played = play(SHORT.game_options(), game_seeds(4, range(6)), [SHORT.seating(i) for i in range(6)], bots)
    for i in range(6):
        of_game = rows["game"] == i
        np.testing.assert_array_equal(rows["action"][of_game], played.moves[i])
        game = vitienv.Game.new(seed=game_seeds(4, [i])[0], num_players=2, max_years=2, skip_forced=True)
        for row in np.flatnonzero(of_game):
            np.testing.assert_array_equal(rows["observation"][row], game.observation())
            np.testing.assert_array_equal(rows["mask"][row], game.mask)
            seat = int(rows["seat"][row])
            assert (seat, short.game_spec.decisions[rows["decision"][row]]) == (game.current_seat, game.decision)
            assert rows["agent"][row] == SHORT.seating(i)[seat]
            assert (rows["rank"][row], rows["points"][row]) == (played.ranks[i, seat], played.points[i, seat])
            game.step(int(rows["action"][row]))
        assert game.is_over and (np.diff(np.flatnonzero(of_game)) == 1).all()
    assert rows["truncated"].all() and not rows["reward"].any()
    assert rows["visits"] is None and rows["value"] is None


def test_the_reward_is_that_of_the_acting_seat(tmp_path):
    settings = replace(TOY, options={"reward": "rank"})
    write(settings, tmp_path / "toy")
    rows = vitienv.data.read(tmp_path / "toy").arrays()
    bots = make_bots(TOY.agents, TOY.seed, TOY.game)
    played = play(settings.game_options(), game_seeds(1, range(5)), [[0, 0, 0]] * 5, bots)
    np.testing.assert_array_equal(rows["reward"], played.rewards[rows["game"], rows["seat"]])
    assert not rows["truncated"].any() and len(np.unique(rows["reward"])) > 1


def test_parts_batches_and_tensors_have_the_same_rows(short):
    import torch

    rows, part = short.arrays(["observation", "action"]), short.arrays(["observation", "action"], [1])
    low = short.parts[0]
    np.testing.assert_array_equal(part["observation"], rows["observation"][low : low + short.parts[1]])
    batches = list(short.batches(["action"]))
    np.testing.assert_array_equal(np.concatenate([batch["action"] for batch in batches]), rows["action"])
    tensors = short.tensors(["observation", "visits"], [1])
    assert tensors["observation"].dtype is torch.int16 and tensors["visits"] is None
    np.testing.assert_array_equal(tensors["observation"].numpy(), part["observation"])


def test_row_groups_split_games_without_loss(short, tmp_path, monkeypatch):
    monkeypatch.setattr(data_sets, "GROUP_ROWS", 7)
    write(SHORT, tmp_path / "small")
    small, whole = vitienv.data.read(tmp_path / "small").arrays(), short.arrays()
    for name, values in whole.items():
        np.testing.assert_array_equal(small[name], values)


def test_rows_of_searching_bots_have_visits_and_values(tmp_path):
    bots = ("ismcts:simulations=6,seed=1", "random:seed=2")
    write(replace(TOY, agents=bots, num_players=2, options={"skip_forced": False}), tmp_path / "toy")
    data = vitienv.data.read(tmp_path / "toy")
    rows = data.arrays()
    is_searched = (rows["agent"] == 0) & (rows["mask"].sum(axis=1) > 1)
    assert is_searched.any() and not is_searched.all()
    assert (rows["visits"][is_searched].sum(axis=1) > 0).all() and not (rows["visits"] * (1 - rows["mask"])).any()
    np.testing.assert_array_equal(~np.isnan(rows["value"]), is_searched)
    assert (np.abs(rows["value"][is_searched]) <= 1).all() and not rows["visits"][~is_searched].any()
    assert data.card["searched"] is True


def test_files_do_not_depend_on_processes(short, tmp_path):
    write(SHORT, tmp_path / "two", processes=2)
    assert contents(tmp_path / "two") == contents(short.folder)


def test_an_interrupted_writer_resumes(short, tmp_path):
    def interrupt(num_done, _):
        if num_done == 4:
            raise KeyboardInterrupt

    folder = tmp_path / "set"
    with pytest.raises(KeyboardInterrupt):
        write(SHORT, folder, on_progress=interrupt)
    with pytest.raises(ValueError, match="is not finished"):
        vitienv.data.read(folder)
    part = folder / "part-000000.parquet"
    part.write_bytes(part.read_bytes()[:-9])
    progress = []
    write(SHORT, folder, on_progress=lambda num_done, _: progress.append(num_done))
    assert progress == [2, 4, 6] and contents(folder) == contents(short.folder)


def test_the_metadata_do_not_depend_on_the_chunk_size():
    assert SHORT.to_dict() == replace(SHORT, chunk_size=5).to_dict()


def test_a_finished_data_set_is_not_written_again(short):
    before = {path: path.stat().st_mtime_ns for path in short.folder.glob("part*")}
    time.sleep(0.01)
    write(SHORT, short.folder)
    assert {path: path.stat().st_mtime_ns for path in short.folder.glob("part*")} == before


@pytest.mark.parametrize(("changes", "message"), [
    ({"seed": 5}, "with another value of seed (4 instead of 5); use another directory"),
    ({"agents": ("random",)}, "with another value of agents (["),
    ({"options": {"max_years": 3}}, "with another value of options"),
])  # fmt: skip
def test_other_settings_are_refused(short, changes, message):
    with pytest.raises(ValueError) as error:
        write(replace(SHORT, **changes), short.folder)
    assert message in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(("name", "value", "message"), [
    ("weight_digests", {"runs/mine": "0"}, "was started with another value of weights; use another directory"),
    ("versions", {"vitienv": "9.9"}, r"was started with vitienv 0.1.0; this is 9.9"),
])  # fmt: skip
def test_other_weights_and_versions_are_refused(short, monkeypatch, name, value, message):
    monkeypatch.setattr(data_sets, name, lambda *_: value)
    with pytest.raises(ValueError, match=message):
        write(SHORT, short.folder)


def flip_byte(path):
    content = bytearray(path.read_bytes())
    content[40] ^= 1
    path.write_bytes(content)


PART = "part-000001.parquet"


@pytest.mark.parametrize(("change", "message"), [
    (lambda folder: (folder / PART).unlink(), "does not exist"),
    (lambda folder: (folder / PART).write_bytes(b"PAR1" * 9), "is damaged"),
    (lambda folder: replace_by_pipe(folder / PART), "not a regular file"),
    (lambda folder: (folder / PART).replace(folder / "part-000000.parquet"), "is damaged|no file"),
    (lambda folder: flip_byte(folder / PART), "is damaged"),
    (change_card(mark="0" * 16), "does not match the metadata"),
    (change_card(parts=[1, 2, 3]), "do not match the metadata"),
    (change_card(parts=["x"]), "parts must be numbers of rows"),
    (change_card(parts=None), "is not finished"),
    (change_card(layout={"digest": "x"}), "layout digest must be .* for toy, got 'x'"),
    (change_card(layout=[]), "'layout' is missing or invalid"),
    (change_card(seed=None), "'seed' is missing or invalid"),
    (change_card(agents=[1]), "'agents' is missing or invalid"),
    # Arrow divides by a list's length of 0 and ends the process; the rest asks for more memory than there is.
    (change_card(layout={"entries": [], "action_names": ["a"]}),
     "layout digest must be .* for toy, got None"),
    (change_card(layout={"entries": [["year", [10**9], []]], "action_names": ["a"]}),
     "layout digest must be .* for toy, got None"),
    (change_card(parts=[10**12, 1]), "its rows or columns do not match the metadata"),
    (change_card(game="this.that"), "a module whose code would run"),
    (change_card(format=7), "must be 2, got 7"),
    (change_card(kind="tournament"), "is not a data set"),
    (lambda folder: (folder / "card.json").write_text("["), "is damaged"),
    (lambda folder: (folder / "card.json").unlink(), "does not exist"),
])  # fmt: skip
def test_damaged_data_sets_are_refused_in_one_line(tmp_path, change, message):
    write(replace(TOY, game="toy_of_data", chunk_size=3), tmp_path / "set")
    change(tmp_path / "set")
    with pytest.raises(ValueError, match=message) as error:
        vitienv.data.read(tmp_path / "set").arrays()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("name", "value", "message"), [
    ("action", 9999, "from 0 to 1, got 9999"),
    ("action", -1, ".*, got -1"),
    ("action", lambda array: array.cast(pa.int64()), ".*, got int64"),
    ("observation", 300, "from 0 to 5, got 300"),
    ("mask", 2, "from 0 to 1, got 2"),
    ("mask", lambda array: array.cast(pa.list_(pa.int8())), ".*, got list"),
    ("seat", 3, "from 0 to 2, got 3"),
    ("seat", lambda array: pa.array([None, *array.to_pylist()[1:]], array.type), ""),
    ("game", 5, "from 0 to 4, got 5"),
    ("decision", 1, "from 0 to 0, got 1"),
    ("agent", 1, "from 0 to 0, got 1"),
    ("rank", 0, "from 1 to 3, got 0"),
    ("truncated", 2, ".*got 2"),
    ("reward", np.nan, ".*, got nan"),
])  # fmt: skip
def test_impossible_columns_are_refused(tmp_path, name, value, message):
    """value: the first value of the column, or a function that changes the column."""
    write(replace(TOY, game="toy_of_data", chunk_size=5), tmp_path / "set")
    path = tmp_path / "set" / "part-000000.parquet"
    table = parquet.read_table(path)
    column = table[name].combine_chunks()
    if callable(value):
        column = value(column)
    else:
        (kind,) = [kind for kind in vitienv.data.COLUMNS if kind.name == name]
        rows = np.array(numbers_in(column, kind))
        rows[(0,) * rows.ndim] = value
        column = as_lists(rows, kind)
    parquet.write_table(table.set_column(table.column_names.index(name), name, column), path)
    expected = f"{name}( at index 0)? must be {message}" if message else f"{name} is missing"
    with pytest.raises(ValueError, match=rf"part-000000.parquet' is damaged: its {expected}") as error:
        vitienv.data.read(tmp_path / "set").arrays()
    assert "\n" not in str(error.value)


def test_impossible_values_are_not_written(tmp_path, monkeypatch):
    record = data_sets.Recorder.__call__

    def record_impossible(self, batch, bot, rows):
        record(self, batch, bot, rows)
        self._calls[-1]["decision"][0] = 77

    monkeypatch.setattr(data_sets.Recorder, "__call__", record_impossible)
    with pytest.raises(ValueError, match=r"its decision must be .*, got 77"):
        write(replace(TOY, game="toy_of_data"), tmp_path / "set")
    assert not list((tmp_path / "set").glob("*.parquet"))


def test_pandas_reads_wide_columns_as_lists(short):
    import pandas as pd

    frame, rows = pd.read_parquet(short.folder / "part-000000.parquet"), short.arrays(parts=[0])
    assert (np.stack(frame["observation"]) == rows["observation"]).all()
    assert (np.stack(frame["mask"]) == rows["mask"]).all() and frame["action"].tolist() == rows["action"].tolist()


@pytest.fixture(autouse=True, scope="module")
def toy():
    """Register the toy under a name, which needs no trust, until the end of the module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_MODULES", dict(registry._MODULES))
        vitienv.register_game("toy_of_data", "tests.toy.game_spec")
        yield


def test_unknown_columns_and_parts_are_refused(short):
    with pytest.raises(ValueError, match=r"unknown column 'masks'; did you mean mask; expected one of: 'observation'"):
        short.arrays(["masks"])
    with pytest.raises(ValueError, match=r"part must be an integer from 0 to 2, got 3"):
        short.arrays(parts=[3])


def test_a_failing_program_is_named_in_one_line(tmp_path, capsys):
    bots = f"random,program:{sys.executable} -c 0"
    error = refused(capsys, "data", "generate", tmp_path / "set", "--bots", bots, "--games", 1, "--processes", 1)
    assert error.endswith(f"program:{sys.executable} -c 0 in seat 1 of game 0 failed (crash): exited with status 0\n")


def test_counters_of_a_model_include_those_of_earlier_parts(tmp_path, capsys):
    stub, folder = Stub(lambda request, number: "Whatever you like."), tmp_path / "set"
    model, name = f"llm:model=m,url={stub.url},retries=0,fallback=random", "llm:model=m,retries=0,fallback=random"
    command = ["data", "generate", str(folder), "--bots", model, *"--games 2 --game toy_of_data --processes 1".split()]
    assert run(command) == 0
    n, output, files = len(stub.requests), capsys.readouterr().out, contents(folder)
    remark = output.splitlines()[-1]
    assert remark.startswith(f"  {name}: {n} answers, {n} unparsed, ") and remark.endswith(f", {n} by fallback")
    assert not [part for part in folder.glob("*.parquet") if stub.url.encode() in part.read_bytes()]  # for publication
    card = json.loads(files["card.json"])
    assert list(card["notes"]) == [name]
    unfinished = {name: value for name, value in card.items() if name not in ("parts", "notes")}
    (folder / "card.json").write_text(json.dumps(unfinished))
    (folder / "part-000001.parquet").unlink()
    assert run(command) == 0
    stub.close()
    assert n < len(stub.requests) < 2 * n and capsys.readouterr().out == output and contents(folder) == files


def test_commands_generate_and_describe_a_data_set(tmp_path, capsys):
    options = ["--game", "tests.toy.game_spec", "--bots", "random", "--games", "3", "--processes", "1"]
    assert run(["data", "generate", str(tmp_path / "set"), *options, "--json"]) == 0
    card = json.loads(capsys.readouterr().out)
    assert card["rows"] == len(vitienv.data.read(tmp_path / "set")) and card["layout"]["actions"] == 2
    assert run(["data", "info", str(tmp_path / "set")]) == 0
    output = capsys.readouterr().out
    assert all(text in output for text in ("3 games of tests.toy.game_spec", card["layout"]["digest"], "numpy"))


# Minari.


@pytest.fixture
def minari(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    return pytest.importorskip("minari")


def test_minari_has_the_environment_and_its_episodes(short, minari):
    """`SingleAgentEnv`, stepped by the recorded actions, gives the recorded episode."""
    from vitienv.data.minari import to_minari

    recovered = to_minari(short.folder, "viticulture/random-v0", BOTS[0]).recover_environment()
    games = recovered.unwrapped.games
    assert recovered.reset(seed=1)[0]["action_mask"].any()
    assert games.options == SHORT.game_options() and games.opponents == [BOTS[1]]
    episodes = list(minari.load_dataset("viticulture/random-v0").iterate_episodes())
    assert len(episodes) == 6
    for i, episode in enumerate(episodes):
        env = SingleAgentEnv([BOTS[1]], SHORT.seating(i).index(0), observation="dict", max_years=2, skip_forced=True)
        observation, _ = env.reset(seed=game_seeds(4, [i])[0])
        for step, action in enumerate(episode.actions):
            np.testing.assert_array_equal(episode.observations["observation"][step], observation["observation"])
            np.testing.assert_array_equal(episode.observations["action_mask"][step], observation["action_mask"])
            observation, reward, terminated, truncated, _ = env.step(action)
            end = (reward, terminated, truncated)
            assert end == (episode.rewards[step], episode.terminations[step], episode.truncations[step])
        assert terminated or truncated
        np.testing.assert_array_equal(episode.observations["observation"][-1], observation["observation"])


def test_data_sets_that_minari_does_not_support_are_refused(short, minari, tmp_path, capsys):
    from vitienv.data.minari import to_minari

    assert run(["data", "minari", str(short.folder), "a-v0"]) == 2
    assert "unknown agent None; expected one of: random:seed=3, random:seed=5" in capsys.readouterr().err
    write(replace(TOY, agents=("random", "random:seed=1")), tmp_path / "three")
    with pytest.raises(ValueError, match=r"number of bots must divide the 3 seats .*, got 2"):
        to_minari(tmp_path / "three", "a-v0", "random")
    for name in ("x", "..", "../a-v0", "a-v0/", "a v-v0", ""):
        with pytest.raises(ValueError, match="name must end in a version, as viticulture/heuristic-v0"):
            to_minari(short.folder, name, BOTS[0])
    to_minari(short.folder, "a-v0", BOTS[0])
    with pytest.raises(ValueError, match="Minari data set 'a-v0' already exists"):
        to_minari(short.folder, "a-v0", BOTS[0])


@pytest.mark.parametrize(("spec", "name"), [
    ("policy:runs/a/", "policy:a/"),
    ("policy:path=/home/me,you/a.zip,seed=1", "policy:a.zip,seed=1"),
    ("ismcts:seed=1,policy=~/runs/a", "ismcts:seed=1,policy=a"),
    ("subprocess:policy:C:\\me\\a.zip", "subprocess:policy:a.zip"),
    ("mine.Bot:book=/home/me/book.csv,size=2", "mine.Bot:book=book.csv,size=2"),
    ("/home/me/a.toml", "a.toml"),
    ("llm:model=meta/small", "llm:model=meta/small"),
    ("llm:model=gpt://meta/small,fallback=policy:runs/me/a.zip", "llm:model=gpt://meta/small,fallback=policy:a.zip"),
    ("subprocess:bot=policy:runs/me/a", "subprocess:bot=policy:a"),
    ("solo/very_hard:1,solo/challenge=1:0.5,4:3", "solo/very_hard:1,solo/challenge=1:0.5,4:3"),
    ("policy:champion", "policy:champion"),
])  # fmt: skip
def test_public_names_omit_the_directories_of_paths(spec, name):
    assert public_name(spec) == name


def test_different_bots_have_different_public_names():
    first, second = "policy:runs/a/agent.safetensors", "policy:runs/b/agent.safetensors"
    name = "policy:agent.safetensors"
    assert public_names([first, "random", second, first]) == [f"{name} (1)", "random", f"{name} (2)", f"{name} (1)"]
    assert public_names([first, first]) == [name, name]
