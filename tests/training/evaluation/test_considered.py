"""Candidate actions of bots in the logs of a tournament and in replays."""

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

# Keys of a candidate by bot.
KEYS = {"heuristic": {"action", "score"}, "policy:champion": {"action", "probability"},
        "ismcts:simulations=8": {"action", "visits", "value"}, "random": None}  # fmt: skip
BOTS = tuple(KEYS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A short tournament with candidates in its logs."""
    folder = tmp_path_factory.mktemp("considered") / "run"
    run_tournament(Settings(BOTS, 2, 12, seed=3, options={"max_years": 1}, multipv=3), folder)
    return folder


def test_logs_have_the_candidates_of_each_choice_with_the_chosen_one_first(folder):
    recorded = set()
    for log in logs(folder):
        game = vitienv.replay(log | {"moves": [], "state": None})
        for move, candidates in zip(log["moves"], log["candidates"], strict=True):
            bot, legal = log["agents"][game.current_seat], game.legal_actions()
            if candidates is None:
                assert len(legal) == 1 or KEYS[bot] is None
            else:
                assert candidates[0]["action"] == move and {row["action"] for row in candidates} <= set(legal)
                assert 2 <= len(candidates) <= 3 and all(row.keys() == KEYS[bot] for row in candidates)
                recorded.add(bot)
            game.step(move)
    assert recorded == set(BOTS) - {"random"}


def test_candidates_change_no_game(folder, tmp_path):
    run_tournament(replace(load_settings(folder), multipv=0), tmp_path / "run")
    assert [log | {"candidates": None} for log in logs(tmp_path / "run")] == [
        log | {"candidates": None} for log in logs(folder)
    ]
    assert not any("candidates" in log for log in logs(tmp_path / "run"))


def test_replays_show_candidates_of_finished_games_only(folder):
    log = next(log for log in logs(folder) if "ismcts:simulations=8" in log["agents"])
    lines = list(replay_command.lines(log, vitienv.replay(log)))
    assert sum("considered: " in line and "simulations, value" in line for line in lines) > 3
    candidates = [move.get("considered", []) for move in story(log)["moves"]]
    assert [len(rows) for rows in candidates] == [len(rows or []) for rows in log["candidates"]]
    assert all(rows[0]["chosen"] for rows in candidates if rows)
    # Candidates of an unfinished game could reveal hidden cards.
    cut = log | {"moves": log["moves"][:9], "candidates": log["candidates"][:9], "state": None}
    assert not any("considered" in line for line in replay_command.lines(cut, vitienv.replay(cut)))
    assert not any("considered" in move for move in story(cut)["moves"])


@pytest.mark.parametrize("candidates", [3, [], {"a": 1}, "x", [3], [[3]], [[{"visits": 3}]],
                                        [[{"action": "x", "value": "<b>"}]]])  # fmt: skip
def test_damaged_candidates_are_refused(folder, candidates):
    log = logs(folder)[0]
    candidates = candidates * len(log["moves"]) if isinstance(candidates, list) else candidates
    with pytest.raises(ValueError, match="candidates must be a list"):
        story(log | {"candidates": candidates})


class WithOtherAttributes(RandomAgent):
    """User-defined bot whose attributes have names of the bundled bots."""

    network, consider, preferences = "fast", 3, (1, 2)


def first_legal(self, observations, masks, games=None):
    return masks.argmax(1)


@pytest.mark.parametrize("spec", ["heuristic", "policy:champion", ""])
@pytest.mark.parametrize("is_subclass", [False, True])
def test_only_bundled_bots_that_choose_by_their_scores_have_candidates(spec, is_subclass):
    bot = make_agent(spec) if spec else WithOtherAttributes()
    if is_subclass:
        bot.__class__ = type("Bot", (type(bot),), {"act": first_legal})
    game, recorder = vitienv.Game.new(num_players=2, seed=1), CandidateRecorder(bot, 3)
    action = recorder.act(game.observation()[None], game.mask[None])
    has_candidates = recorder.describe(0, vitienv.ACTIONS.name) is not None
    assert game.mask[action[0]] and has_candidates == (bool(spec) and not is_subclass)
