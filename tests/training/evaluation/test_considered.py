"""What bots considered, in the logs of a tournament and in replays."""

from dataclasses import replace

import pytest

import vitienv
from tests.command import logs
from vitienv.agents import make_agent
from vitienv.agents.candidates import CandidateRecorder
from vitienv.agents.random_agent import RandomAgent
from vitienv.commands import replay as replay_command
from vitienv.training.evaluation.tournament import Settings, load_settings, run_tournament
from vitienv.web.replay_page import story

BOTS = ("heuristic", "policy:champion", "ismcts:simulations=8", "random")


@pytest.fixture(scope="module")
def considered(tmp_path_factory):
    """The folder of a short tournament with candidates in its logs."""
    folder = tmp_path_factory.mktemp("considered") / "run"
    told = Settings(BOTS, 2, 12, seed=3, options={"max_years": 1}, multipv=3)
    run_tournament(told, folder)
    return folder


def test_logs_have_what_each_bot_considered(considered):
    """Of every decision with a choice, the best first and the choice among them; the games are the same without."""
    says = {"heuristic": {"action", "score"}, "policy:champion": {"action", "probability"},
            "ismcts:simulations=8": {"action", "visits", "value"}, "random": None}  # fmt: skip
    seen = set()
    for log in logs(considered):
        game = vitienv.replay(log | {"moves": [], "state": None})
        for move, actions in zip(log["moves"], log["candidates"], strict=True):
            bot, legal = log["agents"][game.current_seat], game.legal_actions()
            if actions is None:
                assert len(legal) == 1 or says[bot] is None
            else:
                assert actions[0]["action"] == move and {one["action"] for one in actions} <= set(legal)
                assert 2 <= len(actions) <= 3 and all(one.keys() == says[bot] for one in actions)
                seen.add(bot)
            game.step(move)
    assert seen == set(BOTS) - {"random"}


def test_candidates_change_no_choice_and_no_other_log(considered, tmp_path):
    told = load_settings(considered)
    run_tournament(replace(told, multipv=0), tmp_path / "run")
    assert [log | {"candidates": None} for log in logs(tmp_path / "run")] == [
        log | {"candidates": None} for log in logs(considered)
    ]
    assert "multipv" not in (tmp_path / "run" / "settings.json").read_text()
    assert not any("candidates" in log for log in logs(tmp_path / "run"))


@pytest.mark.parametrize("wrong, why", [({"multipv": -1}, "from 0 to 20"), ({"multipv": 21}, "from 0 to 20"),
                                        ({"multipv": 3, "logs": False}, "saved in the logs")])  # fmt: skip
def test_candidates_that_cannot_be_kept(wrong, why):
    with pytest.raises(ValueError, match=why):
        Settings(BOTS, 2, 12, **wrong)


def test_replays_show_what_was_considered(considered):
    log = next(own for own in logs(considered) if "ismcts:simulations=8" in own["agents"])
    told = list(replay_command.lines(log, vitienv.replay(log)))
    page = story(log)
    assert sum("considered: " in line and "simulations, value" in line for line in told) > 3
    shown = [move.get("considered", []) for move in page["moves"]]
    assert [len(own) for own in shown] == [len(own or []) for own in log["candidates"]]
    assert all(own[0]["chosen"] for own in shown if own)
    # A game that is not over would tell hidden cards.
    cut = log | {"moves": log["moves"][:9], "candidates": log["candidates"][:9], "state": None}
    assert not any("considered" in line for line in replay_command.lines(cut, vitienv.replay(cut)))
    assert not any("considered" in move for move in story(cut)["moves"])


@pytest.mark.parametrize("wrong", [3, [], {"a": 1}, "x", [3], [[3]], [[{"visits": 3}]],
                                   [[{"action": "x", "value": "<b>"}]]])  # fmt: skip
def test_damaged_candidates_are_refused(considered, wrong):
    log = logs(considered)[0]
    wrong = wrong * len(log["moves"]) if isinstance(wrong, list) else wrong
    with pytest.raises(ValueError, match="candidates must be a list"):
        story(log | {"candidates": wrong})


def test_a_bot_of_others_is_not_asked_by_names_that_mean_something_else_there():
    """It may have a `consider` or a `network` of its own."""

    class Own(RandomAgent):
        network, consider, preferences = "fast", 3, (1, 2)

    game = vitienv.Game.new(num_players=2, seed=1)
    bot = CandidateRecorder(Own(), 3)
    action = bot.act(game.observation()[None], game.mask[None])
    assert game.mask[action[0]] and bot.describe(0, vitienv.ACTIONS.name) is None


@pytest.mark.parametrize("spec", ["heuristic", "policy:champion"])
def test_a_bot_that_chooses_otherwise_is_not_said_to_think_what_it_inherited(spec):
    own = make_agent(spec)
    own.__class__ = type("Own", (type(own),), {"act": lambda self, observations, masks, games=None: masks.argmax(1)})
    game = vitienv.Game.new(num_players=2, seed=1)
    for bot, is_told in ((make_agent(spec), True), (own, False)):
        asked = CandidateRecorder(bot, 3)
        asked.act(game.observation()[None], game.mask[None])
        assert (asked.describe(0, vitienv.ACTIONS.name) is not None) == is_told
