"""Games of self-play that are not learned from where they are dealt."""

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
    "mix": "2:1,3:1",
    "num_envs": 24,
    "num_steps": 96,
    "hidden": 16,
    "minibatch_size": 512,
    "league": (),
    "num_snapshots": 0,
    "max_years": 3,
    "policy_prior": None,
    "league_share": 0.0,
}


def recorded(starts: str, on_device: bool = False, steps: int = 96, **others) -> tuple[Learner, dict[str, np.ndarray]]:
    """A learner that has played one rollout, and at each step: the game's number in its env, what was asked of whom,
    the round, whether there was a choice to learn from, the action, and the legal ones."""
    learner = Learner(Settings(**TINY | {"start_states": starts, "num_steps": steps} | others), Processes("cpu"))
    learner.acts_on_device = on_device
    envs, kept, number = learner.envs, [], np.zeros(learner.envs.n, int)
    step = envs.step

    def noted(actions):
        masks = np.concatenate([vec._batch.masks.copy() for vec in envs.vecs])
        now = number.copy(), envs.seats.copy(), envs.decisions(), envs.rounds(), actions.copy(), masks
        stepped = step(actions)
        number[:] += stepped.ended != 0
        kept.append(now)
        return stepped

    envs.step = noted
    learner.play()
    names = ("game", "seat", "decision", "round", "action", "mask")
    return learner, {name: np.array(values) for name, values in zip(names, zip(*kept, strict=True), strict=True)}


def of_first_games(learner: Learner, seen: dict[str, np.ndarray]):
    """The steps of each env's first game, and whether each is trained on."""
    for env in range(learner.envs.n):
        at = np.flatnonzero(seen["game"][:, env] == 0)
        yield env, at, learner.rollout.own[at, env]


@pytest.mark.parametrize("on_device", [False, True])
def test_random_choices_before_the_start_are_not_learned_from(on_device):
    learner, seen = recorded("random/30", on_device)
    depths = []
    for env, at, own in of_first_games(learner, seen):
        start = int(own.argmax())
        assert own[start:].all() and not own[:start].any() and seen["mask"][at, env, seen["action"][at, env]].all()
        depths.append(start)
    assert min(depths) < 8 and 22 < max(depths) <= 30 and len(set(depths)) > 8
    assert learner.decisions == learner.rollout.own.sum() < 24 * 96
    rows, _ = learner.rollout.link(0.9, 0.9)
    assert len(rows) and learner.rollout.own.reshape(-1)[rows.numpy() - learner.rollout.first].all()


@pytest.mark.parametrize("on_device", [False, True])
def test_an_opening_is_drawn_evenly_and_then_learned_from(on_device):
    learner, seen = recorded(EVEN, on_device, 64, num_envs=400)
    last = GAME.decisions.index("place_worker")
    rows, moved = [], 0
    for env, at, is_learned in of_first_games(learner, seen):
        placed = {seat: step for step in reversed(at) if seen["decision"][step, env] == last
                  for seat in [seen["seat"][step, env]]}  # fmt: skip
        assert len(placed) == learner.envs.players[env]
        assert not is_learned[: max(placed.values()) + 1].any() and is_learned[max(placed.values()) + 1 :].all()
        first = at[seen["decision"][at, env] == GAME.decisions.index("wake_up")][0]
        rows.append(int(seen["action"][first, env]) - GAME.actions.start("wake_up"))
        moved += len(at)
    counts = np.bincount(rows, minlength=7)
    assert counts.sum() == 400 and counts.min() > 400 / 7 - 30 and counts.max() < 400 / 7 + 30
    assert learner.rollout.own.sum() > moved / 2


def test_what_is_not_drawn_evenly_is_the_networks_own(monkeypatch):
    """Between the choices of an opening that are drawn, the network plays as ever, and nothing is learned."""
    from vitienv.training.selfplay.starts import NOBODY, Starts

    drawn = []
    choose = Starts.choose

    def noted(self, who, step):
        drawn.append((who == NOBODY, self.envs.decisions(), self.begun.copy()))
        choose(self, who, step)

    monkeypatch.setattr(Starts, "choose", noted)
    recorded(EVEN, steps=40)
    is_drawn, asked, begun = (np.array(part) for part in zip(*drawn, strict=True))
    assert set(np.array(GAME.decisions)[asked[is_drawn]]) == set(OPENING)
    assert not (is_drawn & begun).any() and (~is_drawn & ~begun).any() and begun.any()


def test_a_mix_of_starts_has_its_shares():
    learner, _ = recorded("dealt:2,random/40:1,even/wake_up:1", num_envs=800, steps=1)
    assert parse_starts("dealt:2,random/40:1,even/wake_up", GAME) == [Start(2.0), Start(1.0, 40), Start(1.0, 0, (0,))]
    shares = np.bincount(learner.starts.kind, minlength=3) / 800
    assert abs(shares - [0.5, 0.25, 0.25]).max() < 0.05
    assert learner.starts.begun[learner.starts.kind == 0].all()


def test_games_as_dealt_take_no_chance_of_their_own():
    dealt, seen = recorded("dealt")
    assert dealt.rollout.own.all() and dealt.starts.begun.all()
    assert dealt.starts.state()["chance"] == recorded("dealt:3", steps=1)[0].starts.state()["chance"]


def test_openings_under_way_go_on_from_a_checkpoint():
    one, _ = recorded("random/60,even/wake_up/place_worker", steps=7)
    settings = one.settings
    one.rollout.link(0.9, 0.9)
    one.rollout.carry()
    two = Learner(settings, Processes("cpu"))
    two.restore(one.state(), one.local_state())
    assert not two.starts.begun.all()
    for learner in (one, two):
        learner.play()
    assert (one.rollout.own == two.rollout.own).all() and (one.rollout.actions == two.rollout.actions).all()
    assert (one.starts.left == two.starts.left).all() and (one.starts.made == two.starts.made).all()


def test_a_run_from_before_there_were_starts_goes_on():
    one, _ = recorded("dealt", steps=7)
    own = one.local_state()
    del own["starts"]
    two = Learner(one.settings, Processes("cpu"))
    two.restore(one.state(), own)
    assert two.starts.begun.all()


@pytest.mark.parametrize(
    ("starts", "said"),
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
def test_strange_starts_are_refused_in_a_line(starts, said):
    with pytest.raises(ValueError, match=said) as error:
        parse_starts(starts, GAME)
    assert "\n" not in str(error.value)
