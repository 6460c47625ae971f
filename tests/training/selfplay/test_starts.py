"""Start states of self-play: decisions before them are not trained on."""

import numpy as np
import pytest

import vitienv
from vitienv.training.selfplay.learner import Learner, Settings
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.starts import Start, parse_starts

GAME = vitienv.game_spec()
OPENING = ("papa_gift", "wake_up", "place_worker")
EVEN = "even/" + "/".join(OPENING)
TINY = {
    "mix": "2:1,3:1", "num_envs": 24, "num_steps": 96, "hidden": 16, "minibatch_size": 512, "league": (),
    "num_snapshots": 0, "max_years": 3, "policy_prior": None, "league_share": 0.0,
}  # fmt: skip


def record_rollout(
    starts: str, on_device: bool = False, steps: int = 96, **others
) -> tuple[Learner, dict[str, np.ndarray]]:
    """Return a learner after one rollout, and a record of each step: arrays (steps, envs, ...) by name."""
    learner = Learner(Settings(**TINY | {"start_states": starts, "num_steps": steps} | others), Processes("cpu"))
    learner.acts_on_device = on_device
    envs, steps_of_rollout, number = learner.envs, [], np.zeros(learner.envs.n, int)
    step = envs.step

    def recorded(actions):
        masks = np.concatenate([vec._batch.masks.copy() for vec in envs.vecs])
        start_metadata = number.copy(), envs.seats.copy(), envs.decisions(), envs.rounds(), actions.copy(), masks
        step_result = step(actions)
        number[:] += step_result.ended != 0
        steps_of_rollout.append(start_metadata)
        return step_result

    envs.step = recorded
    learner.play()
    names = ("game", "seat", "decision", "round", "action", "mask")
    return learner, {
        name: np.array(values) for name, values in zip(names, zip(*steps_of_rollout, strict=True), strict=True)
    }


def first_games(learner: Learner, record: dict[str, np.ndarray]):
    """Yield each env, the steps of its first game, and whether each is trained on."""
    for env in range(learner.envs.n):
        at = np.flatnonzero(record["game"][:, env] == 0)
        yield env, at, learner.rollout.is_learner[at, env]


@pytest.mark.parametrize("on_device", [False, True])
def test_random_actions_before_the_start_are_not_trained_on(on_device):
    learner, record = record_rollout("random/30", on_device)
    depths = []
    for env, at, is_learned in first_games(learner, record):
        start = int(is_learned.argmax())
        assert is_learned[start:].all() and not is_learned[:start].any()
        assert record["mask"][at, env, record["action"][at, env]].all()
        depths.append(start)
    assert min(depths) < 8 and 22 < max(depths) <= 30 and len(set(depths)) > 8
    assert learner.decisions == learner.rollout.is_learner.sum() < 24 * 96
    rows, _ = learner.rollout.link(0.9, 0.9)
    assert len(rows) and learner.rollout.is_learner.reshape(-1)[rows.numpy() - learner.rollout.first].all()


@pytest.mark.parametrize("on_device", [False, True])
def test_uniform_opening_is_not_trained_on(on_device):
    learner, record = record_rollout(EVEN, on_device, 64, num_envs=400)
    last = GAME.decisions.index("place_worker")
    rows, moved = [], 0
    for env, at, is_learned in first_games(learner, record):
        placed = {seat: step for step in reversed(at) if record["decision"][step, env] == last
                  for seat in [record["seat"][step, env]]}  # fmt: skip
        assert len(placed) == learner.envs.players[env]
        assert not is_learned[: max(placed.values()) + 1].any() and is_learned[max(placed.values()) + 1 :].all()
        first = at[record["decision"][at, env] == GAME.decisions.index("wake_up")][0]
        rows.append(int(record["action"][first, env]) - GAME.actions.start("wake_up"))
        moved += len(at)
    counts = np.bincount(rows, minlength=7)
    assert counts.sum() == 400 and counts.min() > 400 / 7 - 30 and counts.max() < 400 / 7 + 30
    assert learner.rollout.is_learner.sum() > moved / 2


def test_other_decisions_of_an_opening_are_those_of_the_network(monkeypatch):
    from vitienv.training.selfplay.starts import RANDOM_CONTROLLER, Starts

    choices = []
    choose = Starts.choose

    def recorded(self, actors, step):
        choices.append((actors == RANDOM_CONTROLLER, self.envs.decisions(), self.has_started.copy()))
        choose(self, actors, step)

    monkeypatch.setattr(Starts, "choose", recorded)
    record_rollout(EVEN, steps=40)
    is_drawn, decisions, has_started = (np.array(part) for part in zip(*choices, strict=True))
    assert set(np.array(GAME.decisions)[decisions[is_drawn]]) == set(OPENING)
    assert not (is_drawn & has_started).any() and (~is_drawn & ~has_started).any() and has_started.any()


def test_shares_of_start_states():
    learner, _ = record_rollout("dealt:2,random/40:1,even/wake_up:1", num_envs=800, steps=1)
    assert parse_starts("dealt:2,random/40:1,even/wake_up", GAME) == [Start(2.0), Start(1.0, 40), Start(1.0, 0, (0,))]
    shares = np.bincount(learner.starts.kind, minlength=3) / 800
    assert abs(shares - [0.5, 0.25, 0.25]).max() < 0.05
    assert learner.starts.has_started[learner.starts.kind == 0].all()


def test_dealt_games_use_no_random_numbers():
    dealt, record = record_rollout("dealt")
    assert dealt.rollout.is_learner.all() and dealt.starts.has_started.all()
    assert dealt.starts.state()["rng"] == record_rollout("dealt:3", steps=1)[0].starts.state()["rng"]


def test_unfinished_openings_are_restored_from_a_checkpoint():
    first, _ = record_rollout("random/60,even/wake_up/place_worker", steps=7)
    settings = first.settings
    first.rollout.link(0.9, 0.9)
    first.rollout.carry_over()
    two = Learner(settings, Processes("cpu"))
    two.restore(first.state(), first.local_state())
    assert not two.starts.has_started.all()
    for learner in (first, two):
        learner.play()
    assert (first.rollout.is_learner == two.rollout.is_learner).all() and (
        first.rollout.actions == two.rollout.actions
    ).all()
    assert (first.starts.num_random == two.starts.num_random).all() and (
        first.starts.is_made == two.starts.is_made
    ).all()


@pytest.mark.parametrize(
    ("starts", "message"),
    [
        ("", "start_states must be like .*, got ''"),
        ("somewhere:1", "must be like"),
        ("dealt/3", "must be like"),
        ("random", "a number from 1 to 10,000 after random"),
        ("random/0", "must be like"),
        ("random/10001", "must be like"),
        ("random/ten", "must be like"),
        ("even", "must be like"),
        ("dealt:0", "must be like"),
        ("dealt:inf", "must be like"),
        ("even/wake", "unknown decision 'wake'; expected one of: .*wake_up, "),
    ],
)
def test_invalid_start_states_raise_in_one_line(starts, message):
    with pytest.raises(ValueError, match=message) as error:
        parse_starts(starts, GAME)
    assert "\n" not in str(error.value)
