"""Python bots in separate processes play like in-process bots, and a failure costs one game."""

import sys

import numpy as np
import pytest

import vitienv
from vitienv.agents import make_agent
from vitienv.agents.program import CRASH, ILLEGAL, TIMEOUT, Clock
from vitienv.agents.protocol import GameViews
from vitienv.training.evaluation.match import play
from vitienv.training.evaluation.tournament import Settings, run_tournament

OPTIONS = vitienv.game_spec().options.of(num_players=2, max_years=2, skip_forced=True)
# It takes the last legal action; where it may choose among four or more, it does what is named.
BOT = """
import os, time

class Bot:
    name = "mine"

    def __init__(self, depth: int = 1, width: int = 1):
        assert (depth, width) == (2, 3)

    def act(self, observations, action_masks, games=None):
        print("thinking")
        if action_masks.sum() > 3:
            FAULT
        return action_masks.shape[1] - 1 - action_masks[:, ::-1].argmax(axis=1)
"""
FORFEITS = {
    "raises": ("raise RuntimeError('out of ideas')", CRASH, "failed: RuntimeError: out of ideas; position saved in"),
    "raises lines": (r"raise RuntimeError('out\nof \x1b[2J')", CRASH, "RuntimeError: out of ?[2J; position saved"),
    "exits": ("raise SystemExit", CRASH, "failed: SystemExit; position saved in"),
    "is wrong": ("return 0 * action_masks.argmin(axis=1) + action_masks[0].argmin()", ILLEGAL, "is not legal"),
    "is no array": ("return 'pass'", CRASH, "its actions must be integers of shape (1,)"),
}


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """The spec of a bot in the working folder."""

    def written(forfeit="pass"):
        (tmp_path / "mine.py").write_text(BOT.replace("FAULT", forfeit))
        return "subprocess:mine.Bot:depth=2,width=3,limit_ms=4000"

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    yield written
    sys.modules.pop("mine", None)


@pytest.mark.parametrize("bot", ["level:3", "ismcts:simulations=4"])
def test_subprocess_bot_plays_like_the_bot(bot):
    moves = []
    for spec in (bot, f"subprocess:{bot},limit_ms=60000"):
        played = play(OPTIONS, [1, 2], [[0, 1], [1, 0]], [make_agent(spec, seed=5), make_agent("random", seed=1)])
        assert played.forfeits == {}
        moves.append([actions.tolist() for actions in played.moves])
    assert moves[0] == moves[1]


@pytest.mark.parametrize(("forfeit", "kind", "why"), FORFEITS.values(), ids=FORFEITS)
def test_failure_forfeits_one_game_only(mine, forfeit, kind, why):
    agents = [make_agent(mine(forfeit)), make_agent("random", seed=1)]
    played = play(OPTIONS, [1, 2], [[0, 1], [1, 1]], agents)
    ((game, (seat, report)),) = played.forfeits.items()
    assert (game, seat, report.kind) == (0, 0, kind) and why in report.text and "\n" not in report.text
    assert played.ranks[0].tolist() == [2, 1]
    agents[0].program.close()


def test_time_of_a_game_is_limited(mine):
    agents = [make_agent(f"{mine('time.sleep(0.3)')},game_limit_ms=700"), make_agent("random", seed=1)]
    ((seat, failure),) = play(OPTIONS, [1], [[0, 1]], agents).forfeits.values()
    assert (seat, failure.kind) == (0, TIMEOUT) and "exceeded the 700 ms of game_limit_ms" in failure.text


def test_tournament_counts_failures_and_continues(mine):
    spec = mine("os._exit(4)")
    results = run_tournament(Settings((spec, "random"), games=4, seed=3, options={"max_years": 1}), "run", processes=2)
    bots = {bot["agent"]: bot["forfeits"] for bot in results["bots"]}
    assert bots == {spec: {"crash": 4}, "random": {}} and results["games"] == 4


def test_invalid_specs_raise_before_a_process_starts(mine):
    for spec, why in [
        ("subprocess:nobody", "unknown agent 'nobody'"),
        (mine().replace("width=3", "width=4"), "could not be made"),
        ("subprocess:random,limit_ms=0", "limit_ms must be from 1 to 3600000, got 0"),
        ("subprocess", "requires 'bot'"),
    ]:
        with pytest.raises(ValueError, match=why):
            make_agent(spec)


def test_bot_gets_no_hidden_information(mine):
    """It gets a determinization for its seat, which does not depend on the hidden cards."""
    agent = make_agent("subprocess:random")
    questions = []
    agent.program.ask = lambda question, limit=None: questions.append(question) or b'{"action": 1}'
    game = vitienv.Game.new(seed=1, **OPTIONS.to_dict())
    other = game.determinize(game.current_seat, 9)
    assert not np.array_equal(game.state, other.state)
    for state in (game, other):
        agent._answer(GameViews(state._batch, [0]).determinize(0, 0), Clock(None))
    assert questions[1] == questions[3]
