"""The league of a self-play learner: who is met, and what is counted."""

import numpy as np

from vitienv.core.batch import TRUNCATED
from vitienv.registry import game_spec
from vitienv.training.selfplay.envs import TERMINATED, Envs, Stepped, parse_mix
from vitienv.training.selfplay.league import LEARNER, League
from vitienv.training.selfplay.network import Architecture, PolicyValue

GAME = game_spec("viticulture")


def league(share: float, past: int = 3) -> League:
    envs = Envs(GAME, parse_mix("2:3,4:3,solo:1", GAME), 70, 0, 20, "win")
    return League(("random", "heuristic"), share, past, 2, envs, seed=3)


def test_the_share_of_the_league_and_one_learner_at_its_tables():
    for share in (0.0, 0.5, 1.0):
        one = league(share)
        there = np.arange(6) < one.envs.players[:, None]
        learners = ((one.seating == LEARNER) & there).sum(axis=1)
        several = one.envs.players > 1
        assert (learners[~several] == 1).all()
        is_mixed = learners[several] < one.envs.players[several]
        assert (learners[several][is_mixed] == 1).all()
        assert abs(is_mixed.mean() - share) < 0.2 and (share == 0.5 or is_mixed.mean() == share)


def test_results_against_members_are_counted_and_decide_who_is_met():
    one = league(1.0)
    env = int(np.flatnonzero(one.envs.players == 4)[0])
    one.seating[env, :4] = [0, LEARNER, 1, 1]
    n = one.envs.n
    ended, ranks = np.zeros(n, np.int8), np.zeros((n, 6), np.int64)
    ended[env], ranks[env, :4] = TERMINATED, [2, 2, 1, 4]
    one.after(Stepped(ended, ranks, ranks, ended))
    one.tally()
    assert one.scores.tolist() == [0.5, 0.5] and one.games.tolist() == [1, 2]
    one.seating[env, :4] = [0, LEARNER, 1, 1]
    ranks[env, :4] = [3, 1, 2, 4]
    one.after(Stepped(ended, ranks, ranks, ended))
    one.tally()
    assert one.scores.tolist() == [0.75, 0.75] and one.weights()[0] < 0.25
    ended[env] = TRUNCATED  # a game that was cut off decides nothing
    one.after(Stepped(ended, ranks, ranks, ended))
    one.tally()
    assert one.games.tolist() == [2, 4]


def test_a_full_league_drops_a_self_and_keeps_the_newest():
    one, network = league(1.0), PolicyValue(Architecture(hidden=8))
    for update in range(0, 70, 10):
        one.remember(network, f"self@{update}")
        one.choose_active([0, update])
        one.seat(np.arange(one.envs.n))
        assert one.seating.max() < len(one) and one.names[-1] == f"self@{update}"
        assert len(one.names) == len(one.scores) == len(one.games) == 2 + len(one.selves) <= 5
    assert one.names[2] == "self@0"
