"""Evaluations of a network in training: opponents, level, and selection of the best network."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.training.small_runs import RUNS, TOY
from vitienv.agents import make_agent
from vitienv.agents.policy import load_networks
from vitienv.commands.train import summary as describe_result
from vitienv.registry import game_spec
from vitienv.training import eval_opponents
from vitienv.training.eval_opponents import CHECK_SEED, SEED, EvalOpponents
from vitienv.training.monitor import Monitor, _columns
from vitienv.training.run_dir import CURVE, KINDS, LAST, WEIGHTS, points
from vitienv.training.search import train as search
from vitienv.training.settings import OwnCall

TWO = game_spec().options.of(num_players=2)
SOLO = game_spec().options.of(ruleset="solo")


def row(**results):
    """A row of a curve, of (win rate, points) by opponent."""
    wins = {f"win_rate_against_{name}": wins for name, (wins, _) in results.items()}
    return wins | {f"points_against_{name}": points for name, (_, points) in results.items()}


@pytest.mark.parametrize("old, new, is_new", [
    ({"random": (1.0, 20), "heuristic": (0.3, 15)}, {"random": (0.97, 19), "heuristic": (0.4, 14)}, True),
    ({"random": (0.9, 20), "heuristic": (0.4, 15)}, {"random": (1.0, 25), "heuristic": (0.3, 19)}, False),
    ({"random": (0.98, 20)}, {"random": (1.0, 19)}, False),  # both full: the points decide
    ({"random": (0.99, 20), "heuristic": (0.0, 6)}, {"random": (0.98, 18), "heuristic": (0.0, 8)}, True),
    ({"heuristic": (0.01, 8)}, {"heuristic": (0.03, 6)}, False),
    ({"heuristic": (0.5, 8)}, {"heuristic": (0.5, 8)}, True),
    ({"heuristic": (0.9, 8)}, {"visitors": (0.5, 8)}, True),  # nothing in common
    ({"heuristic": (0.6, 8), "automa": (0.5, 9)}, {"heuristic": (0.7, 8), "automa": (0.1, 9)}, True),
])  # fmt: skip
def test_best_row_by_the_hardest_informative_opponent(old, new, is_new):
    opponents = EvalOpponents(OwnCall(), ["random", "heuristic", "visitors"], TWO, {"automa": SOLO})
    old, new = row(**old), row(**new)
    assert opponents.better(old, new) is (new if is_new else old)
    written = {name: str(value) for name, value in new.items()}  # strings, as in a file
    assert opponents.better(old, written) is (written if is_new else old)


@pytest.fixture
def monitor(tmp_path, monkeypatch):
    """Function that returns a monitor of a run, whose last network is a file with any text."""
    monitors = []

    def start(eval_opponents=None, seconds=0.0):
        opponents = EvalOpponents(OwnCall(eval_opponents=eval_opponents), ["heuristic"], TWO, {})
        monitors.append(Monitor(tmp_path, "viticulture", opponents, verbose=False, seconds=seconds))
        return monitors[-1]

    monkeypatch.setattr(Monitor, "_bot", lambda *_: None)
    (tmp_path / LAST).touch()
    yield start
    for other in monitors:
        other.stop()


def result_of(wins, points=5.0):
    return {"wins": wins, "points": points, "low": 0.5, "high": 0.7}


@pytest.mark.parametrize(("eval_opponents", "line"), [
    (("level:2",), "won of 400 games each 60% against level:2"),
    (None, "level 5.2, won of 400 games each 55% against heuristic"),
])  # fmt: skip
def test_level_is_shown_if_it_is_an_opponent(monkeypatch, monitor, eval_opponents, line):
    results = {"heuristic": result_of(0.55)} if eval_opponents is None else {}
    watch = monitor(eval_opponents)
    watch.eval_opponents.level = 5.25 if eval_opponents is None else 0.0
    monkeypatch.setattr(EvalOpponents, "evaluate", lambda *_: results | {"level:2": result_of(0.6)})
    watch.record({"decisions": 12_000, "imitated": 548}, watch.eval_opponents.evaluate(None))
    assert watch.line({}) == f"0 decisions; after 12,548 decisions {line}"
    assert ("win_rate_against_level:2" in watch.finish(True)) == (eval_opponents is not None)


def test_a_resumed_monitor_counts_on_and_evaluates_a_row_once(tmp_path, monkeypatch, monitor):
    """The time of the earlier calls is that of the checkpoint."""
    calls = []
    monkeypatch.setattr(EvalOpponents, "evaluate", lambda *_: calls.append(1) or {"random": result_of(0.5)})
    learner = SimpleNamespace(
        updates=1, policy_updates=1, decisions=40, imitated=0, processes=SimpleNamespace(count=1)
    )  # fmt: skip
    for seconds in (0.0, 1000.0):
        watch = monitor(seconds=seconds)
        watch.evaluate(learner)
        assert 0 <= watch.seconds - seconds < 500
    assert calls == [1] and len(points(tmp_path / CURVE)) == 1


def test_a_resumed_monitor_keeps_the_best_network(tmp_path, monitor):
    """By win rate, ties by points."""
    best = []
    for decisions, result in enumerate([(0.2, 1.0), (0.9, 5.0), (0.4, 9.0), (0.9, 4.0), (0.9, 5.5)]):
        (tmp_path / LAST).write_text(str(decisions))
        watch = monitor(("random",))
        watch.record({"decisions": decisions}, {"random": result_of(*result)})
        best.append(int((tmp_path / WEIGHTS).read_text()))
        assert watch.finish(None) == {"best_after": best[-1]}
    assert best == [0, 1, 1, 1, 4]


@pytest.mark.parametrize("strength, level, opponents_met, again", [
    (-1, 0.5, [1], [1]), (3.25, 3.25, [1, 2, 3, 4], [3, 4]), (6.5, 6.5, list(range(1, 8)), [6, 7]),
    (99, 7.5, list(range(1, 8)), [7]),
])  # fmt: skip
def test_level_is_interpolated_between_neighbours(monkeypatch, strength, level, opponents_met, again):
    """The next evaluation plays against these two only."""
    games = []

    def measured(agent, bot, *_):
        games.append(int(bot.removeprefix("level:")))
        return {"wins": float(np.clip(0.5 + (strength - games[-1]) / 4, 0, 1)), "points": 1.0}

    monkeypatch.setattr(eval_opponents, "evaluate_against", measured)
    opponents = EvalOpponents(OwnCall(), [], TWO, {})
    results = opponents.evaluate(None)
    assert opponents.level == pytest.approx(level) and sorted(games) == opponents_met
    assert set(results) == {f"level:{number}" for number in opponents_met}
    games.clear()
    opponents.evaluate(None)
    assert sorted(games) == again and opponents.level == pytest.approx(level)


def test_truncated_games_are_counted():
    heuristic = make_agent("heuristic")
    results = {
        bot: eval_opponents.evaluate_against(heuristic, bot, TWO.replace(max_years=2), 4)
        for bot in ("random", "heuristic")
    }
    assert [result["cut_off"] for result in results.values()] == [4, 4]
    assert _columns(results)["cut_off_against_random"] == 4


def test_default_opponents():
    default = EvalOpponents(OwnCall(), ["heuristic", "visitors"], TWO, {})
    assert default.bots == ["heuristic", "visitors"] and default.level and default.num_levels == 7
    chosen_opponents = EvalOpponents(OwnCall(eval_opponents=("random",)), ["heuristic"], TWO, {})
    assert chosen_opponents.bots == ["random"] and not chosen_opponents.level
    for options in (None, game_spec("world").options.of(num_players=2)):
        assert not EvalOpponents(OwnCall(), ["heuristic"], options, {"automa": SOLO}).level
    assert not EvalOpponents(OwnCall(), [], game_spec(TOY).options.of(num_players=2), {}).level
    mixed = EvalOpponents.of_mix(OwnCall(), ["heuristic"], "4:1,3:1,solo/hard:1", game_spec(), 9)
    assert (mixed.options.num_players, mixed.options.max_years, list(mixed.solo_tables)) == (3, 9, ["automa_hard"])


THREE_EVALUATIONS = {"ppo": {"steps": 1024}, "selfplay": {"updates": 3}, "search": {"updates": 2}}


@pytest.mark.parametrize("method", KINDS)
def test_best_and_last_network_of_every_method(tmp_path, monkeypatch, method):
    """The final result is that of the best network on other seeds."""
    rates, seeds = iter([0.2, 0.9, 0.4, 0.6]), []

    def evaluate(self, agent, seed=SEED):
        seeds.append(seed)
        return {self.bots[0]: {"wins": next(rates), "points": 5.0, "low": 0.5, "high": 0.7}}

    monkeypatch.setattr(EvalOpponents, "evaluate", evaluate)
    monkeypatch.setattr(search, "EVALUATE_SECONDS", 0)
    monkeypatch.setattr("vitienv.training.run.EVALUATION_SHARE", 1)  # no evaluation is skipped on a busy machine
    result = RUNS[method](tmp_path / "run", evaluation_games=8, **THREE_EVALUATIONS[method])
    game = TOY if method == "search" else "viticulture"

    def decisions(file):
        return load_networks(str(file), game).metadata["trained"]["decisions"]

    curve = [int(row["decisions"]) for row in points(tmp_path / "run" / CURVE)]
    assert len(curve) == 3 and seeds == [*[SEED] * 3, CHECK_SEED]
    assert decisions(tmp_path / "run" / WEIGHTS) == curve[1]
    assert decisions(tmp_path / "run" / LAST) == curve[2] and result["best_after"] == curve[1]
    [name] = [name.removeprefix("win_rate_against_") for name in result if name.startswith("win_rate_against_")]
    ending = f"won of 8 games each 60% (50% to 70%) against {name}, in games not used for its selection"
    line = describe_result(result)
    assert line.endswith(ending) and f"best network, after {curve[1]:,} decisions: " in line
    assert list((tmp_path / "run" / "tb").iterdir())


@pytest.mark.parametrize("method", KINDS)
def test_without_evaluations_the_last_network_is_the_best(tmp_path, method):
    result = RUNS[method](tmp_path, evaluation_games=0)
    assert (tmp_path / WEIGHTS).read_bytes() == (tmp_path / LAST).read_bytes()
    game = TOY if method == "search" else "viticulture"
    assert load_networks(str(tmp_path / WEIGHTS), game).metadata["trained"]["decisions"] == result["steps"]
    assert "best_after" not in result and WEIGHTS not in describe_result(result)
