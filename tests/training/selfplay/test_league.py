"""The league of a self-play learner: opponents and results."""

import numpy as np

from vitienv.core.batch import TRUNCATED
from vitienv.registry import game_spec
from vitienv.training.selfplay.envs import TERMINATED, Envs, StepResult, parse_mix
from vitienv.training.selfplay.league import LEARNER, League
from vitienv.training.selfplay.network import Architecture, PolicyValue

GAME = game_spec("viticulture")


def make_league(share: float, num_snapshots: int = 3) -> League:
    envs = Envs(GAME, parse_mix("2:3,4:3,solo:1", GAME), 70, 0, 20, "win")
    return League(("random", "heuristic"), share, num_snapshots, 2, envs, seed=3)


def test_league_games_have_their_share_and_one_learner():
    for share in (0.0, 0.5, 1.0):
        league = make_league(share)
        is_seat = np.arange(6) < league.envs.players[:, None]
        learners = ((league.seating == LEARNER) & is_seat).sum(axis=1)
        several = league.envs.players > 1
        assert (learners[~several] == 1).all()
        is_mixed = learners[several] < league.envs.players[several]
        assert (learners[several][is_mixed] == 1).all()
        assert abs(is_mixed.mean() - share) < 0.2 and (share == 0.5 or is_mixed.mean() == share)


def test_results_against_members_determine_their_weights():
    league = make_league(1.0)
    env = int(np.flatnonzero(league.envs.players == 4)[0])
    league.seating[env, :4] = [0, LEARNER, 1, 1]
    n = league.envs.n
    ended, ranks = np.zeros(n, np.int8), np.zeros((n, 6), np.int64)
    ended[env], ranks[env, :4] = TERMINATED, [2, 2, 1, 4]
    league.record(StepResult(ended, ranks, ranks, ended))
    league.update_scores(np.copy)
    assert league.scores.tolist() == [0.5, 0.5] and league.games.tolist() == [1, 2]
    league.seating[env, :4] = [0, LEARNER, 1, 1]
    ranks[env, :4] = [3, 1, 2, 4]
    league.record(StepResult(ended, ranks, ranks, ended))
    league.update_scores(np.copy)
    assert league.scores.tolist() == [0.75, 0.75] and league.weights()[0] < 0.25
    ended[env] = TRUNCATED  # truncated games do not count
    league.record(StepResult(ended, ranks, ranks, ended))
    league.update_scores(np.copy)
    assert league.games.tolist() == [2, 4]


def test_scores_of_partners_are_the_share_of_games_won():
    world = game_spec("world")
    league = League(("random",), 1.0, 0, 0, Envs(world, parse_mix("2", world), 4, 0, 20, "win"), seed=3)
    ended, ranks = np.full(4, TERMINATED), np.ones((4, 6), np.int64)
    ranks[0] = 2  # lost
    league.record(StepResult(ended, ranks, ranks, ended))
    league.update_scores(np.copy)
    assert league.scores.tolist() == [0.75]


def test_full_league_keeps_the_newest_snapshot():
    league, network = make_league(1.0), PolicyValue(Architecture(hidden=8))
    for update in range(0, 70, 10):
        league.add_snapshot(network, f"self@{update}")
        league.choose_active([0, update])
        league.seat(np.arange(league.envs.n))
        assert league.seating.max() < len(league) and league.names[-1] == f"self@{update}"
        assert len(league.names) == len(league.scores) == len(league.games) == 2 + len(league.snapshots) <= 5
    assert league.names[2] == "self@0"
