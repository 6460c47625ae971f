"""Evaluations of a network in training: opponents, level, and selection of the best network."""

from types import SimpleNamespace

import numpy as np
import pytest

from vitienv.agents import make_agent
from vitienv.agents.policy import load_networks
from vitienv.commands.train import summary as describe_result
from vitienv.registry import game_spec
from vitienv.training import eval_opponents
from vitienv.training.eval_opponents import CHECK_SEED, SEED, EvalOpponents
from vitienv.training.evaluation.match import GameResults
from vitienv.training.monitor import Monitor, _columns
from vitienv.training.ppo import train as ppo
from vitienv.training.run_dir import CURVE, KINDS, LAST, WEIGHTS, points
from vitienv.training.search import train as search
from vitienv.training.selfplay import train as selfplay
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


@pytest.mark.parametrize(
    "eval_opponents, wins", [(("level:2",), "won of 8 games each 60% against level:2"), (None, "")]
)
def test_level_is_shown_if_it_is_an_opponent(tmp_path, monkeypatch, eval_opponents, wins):
    watch = Monitor(
        tmp_path, EvalOpponents(OwnCall(eval_opponents=eval_opponents, evaluation_games=8), [], TWO, {}), verbose=False
    )
    result = {"level:2": {"wins": 0.6, "points": 5.0, "low": 0.5, "high": 0.7}}
    monkeypatch.setattr(EvalOpponents, "evaluate", lambda *_: result)
    (tmp_path / LAST).touch()
    watch.record({"decisions": 40}, result)
    watch.stop()
    assert (wins in watch.line({})) and ("level:2" in watch.line({})) == bool(wins)
    assert ("win_rate_against_level:2" in watch.finish(lambda: None)) == bool(wins)


def test_a_resumed_monitor_counts_on_and_evaluates_a_row_once(tmp_path, monkeypatch):
    """The time of the earlier calls is that of the checkpoint."""
    calls = []
    monkeypatch.setattr(EvalOpponents, "evaluate", lambda *_: calls.append(1) or {"random": {"wins": 0.5, "points": 5}})
    (tmp_path / LAST).touch()
    learner = SimpleNamespace(
        updates=1, policy_updates=1, decisions=40, imitated=0, processes=SimpleNamespace(count=1)
    )  # fmt: skip
    for seconds in (0.0, 1000.0):
        monitor = Monitor(tmp_path, EvalOpponents(OwnCall(), [], TWO, {}), verbose=False, seconds=seconds)
        monitor.evaluate(learner, None)
        assert 0 <= monitor.seconds - seconds < 500
        monitor.stop()
    assert calls == [1] and len(points(tmp_path / CURVE)) == 1


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


@pytest.mark.parametrize("game, ruleset, wins", [("viticulture", "essential", 0.5), ("world", "world", 1.0)])
def test_teams_win_together(monkeypatch, game, ruleset, wins):
    options = game_spec(game).options.of(num_players=2)
    ended = SimpleNamespace(ranks=np.ones((4, 2), int), points=np.ones((4, 2)), years=np.ones(4), options=options)
    ended.truncated = np.zeros(4, bool)
    ended.wins = GameResults.wins.fget(ended)
    monkeypatch.setattr(eval_opponents, "play", lambda *_: ended)
    assert eval_opponents.evaluate_against(None, "random", options, 4)["wins"] == wins


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
    assert not EvalOpponents(OwnCall(), [], game_spec("tests.toy.game_spec").options.of(num_players=2), {}).level
    mixed = EvalOpponents.of_mix(OwnCall(), ["heuristic"], "4:1,3:1,solo/hard:1", game_spec(), 9)
    assert (mixed.options.num_players, mixed.options.max_years, list(mixed.solo_tables)) == (3, 9, ["automa_hard"])


SMALL = {"checkpoint_seconds": 0, "evaluation_games": 8, "threads": 1, "progress": False}
NETWORK = {"hidden": 4, "device": "cpu", "mix": "2:1"}
RUNS = {
    "ppo": lambda run, **options: ppo.train(["random"], run=run, steps=1024, num_envs=4, **SMALL | options),
    "selfplay": lambda run, **options: selfplay.train_selfplay(
        run, updates=3, num_envs=4, max_years=3, league=(), **SMALL | NETWORK | options
    ),
    "search": lambda run, **options: search.train_search(
        run,
        updates=2,
        game="tests.toy.game_spec",
        games=2,
        full_simulations=2,
        processes=1,
        **SMALL | NETWORK | options,
    ),
}


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
    result = RUNS[method](tmp_path / "run")
    game = "tests.toy.game_spec" if method == "search" else "viticulture"

    def decisions(file):
        return load_networks(str(file), game).metadata["trained"]["decisions"]

    curve = [int(row["decisions"]) for row in points(tmp_path / "run" / CURVE)]
    assert len(curve) == 3 and seeds == [*[SEED] * 3, CHECK_SEED]
    assert decisions(tmp_path / "run" / WEIGHTS) == curve[1]
    assert decisions(tmp_path / "run" / LAST) == curve[2] and result["best_after"] == curve[1]
    [name] = [name.removeprefix("win_rate_against_") for name in result if name.startswith("win_rate_against_")]
    ending = f"won of 8 games each 60% (50% to 70%) against {name}, in games not used for its selection"
    assert describe_result(result).endswith(
        ending
    ) and f"best network, after {curve[1]:,} decisions: " in describe_result(result)
    assert list((tmp_path / "run" / "tb").iterdir())


@pytest.mark.parametrize("method", KINDS)
def test_without_evaluations_the_last_network_is_the_best(tmp_path, method):
    result = RUNS[method](tmp_path, evaluation_games=0)
    assert (tmp_path / WEIGHTS).read_bytes() == (tmp_path / LAST).read_bytes()
    game = "tests.toy.game_spec" if method == "search" else "viticulture"
    assert load_networks(str(tmp_path / WEIGHTS), game).metadata["trained"]["decisions"] == result["steps"]
    assert "best_after" not in result and WEIGHTS not in describe_result(result)
