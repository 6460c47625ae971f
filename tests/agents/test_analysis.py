"""What a searching bot thinks of a position, and what the moves of a game cost."""

import json

import numpy as np
import pytest

import vitienv
from tests.command import refused
from vitienv import cli
from vitienv.agents import make_agent
from vitienv.agents.search import analysis
from vitienv.agents.search.agent import IsmctsAgent
from vitienv.agents.search.analysis import hint, titles_of

TOY = "tests.toy.game_spec"
QUICK = "ismcts:playout=none,prior=uniform,simulations=64"


def played(seed=3, moves=None, **options):
    """A game of random moves, to its end or so many of them."""
    game, chance = vitienv.Game.new(seed=seed, **options), np.random.default_rng(seed)
    while not game.is_over and (moves is None or len(game.moves) < moves):
        game.step(int(chance.choice(np.flatnonzero(game.mask))))
    return game


class Likes:
    """A network that finds every position as good as the number of an entry says, for the seat that looks."""

    def __init__(self, entry, unit):
        self.at, self.unit = entry, unit

    def evaluate(self, observations, masks):
        return np.zeros(masks.shape), np.clip(observations[:, self.at] / self.unit, -1, 1)


def with_network(monkeypatch, network, game="viticulture", **settings):
    """Let the thoughts be those of a network."""
    bot = IsmctsAgent(simulations=80, playout="none", seed=1, game=game, **settings).use_network(network)
    monkeypatch.setattr(analysis, "_make_search_bot", lambda *given: (bot, "ismcts"))


@pytest.mark.parametrize("options", [{"num_players": 3}, {"game": "toscana", "num_players": 2}, {"ruleset": "solo"}])
def test_every_action_with_its_visits_and_value(options):
    thought = vitienv.analyse(game := played(moves=40, **options), QUICK, seed=2)
    assert thought.seat == game.current_seat and thought.decision == game.decision
    assert {each.action for each in thought.actions} == set(game.legal_actions())
    assert sum(each.visits for each in thought.actions) == thought.simulations == 64
    assert sum(each.share for each in thought.actions) == pytest.approx(1)
    assert all(-1 <= each.value <= 1 and each.title == titles_of(game)[each.action] for each in thought.actions)
    assert all((each.spread is None) == (each.visits < 2) for each in thought.actions)
    assert thought.line[0].action == thought.actions[0].action and thought.line[0].seat == game.current_seat
    assert json.loads(json.dumps(thought.to_dict()))["actions"][0]["action"] == thought.actions[0].action


def test_the_toy_is_thought_of_by_its_definition():
    """A ten is kept, a one is not; the one who is to draw last knows the values of both for sure."""
    for card, best in ((10, "keep"), (1, "draw")):
        game = vitienv.Game.new(game=TOY, num_players=2, seed=2)
        game.state.hand[0] = card
        game.state.deck[:] = 1
        game.state.deck[card - 1] = game.state.deck[4] = 0
        game.state.hand[1] = 5
        game._batch.refresh(observe=False)
        thought = vitienv.analyse(game, "ismcts:simulations=400", seed=1)
        assert thought.actions[0].action == best and thought.game == TOY
        assert thought.actions[0].value > thought.actions[1].value


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_values_are_those_of_the_seat_that_decides(monkeypatch, turns):
    """Who has most points of a network's making likes its position, whichever seat it is; the others do not."""
    game = vitienv.Game.new(game=TOY, num_players=3, seed=4)
    for _ in range(turns):
        game.step("keep")
    points = vitienv.game_spec(TOY).observation.start("points")
    for leader in range(3):
        game.state.points[:] = 0
        game.state.points[leader] = 3
        with_network(monkeypatch, Likes(points, 3), TOY)
        thought = vitienv.analyse(game)
        assert thought.seat == turns and (thought.value > 0.5) == (leader == turns)
        assert all((each.value > 0.5) == (leader == turns) for each in thought.actions)


def test_an_action_is_told_by_its_number_and_not_by_its_place(monkeypatch):
    """A network that would do one thing alone: this is what has the prior, wherever it stands among the legal ones."""
    game = played(moves=40, num_players=2)
    while game.mask.sum() < 4:
        game.step(int(np.flatnonzero(game.mask)[-1]))
    for action in np.flatnonzero(game.mask):

        class One(Likes):
            def evaluate(self, observations, masks, action=action):
                logits = np.zeros(masks.shape)
                logits[:, action] = 3.0
                return logits, np.zeros(len(masks))

        with_network(monkeypatch, One(0, 1))
        thought = vitienv.analyse(game)
        assert max(thought.actions, key=lambda each: each.prior).action == vitienv.ACTIONS.name(int(action))
        assert thought.actions[0].action == vitienv.ACTIONS.name(int(action))


def test_a_thought_depends_on_the_seed_and_on_what_the_seat_sees_alone():
    game = played(moves=60, num_players=3)
    first = vitienv.analyse(game, QUICK, seed=5)
    assert vitienv.analyse(game.to_dict(), QUICK, seed=5).actions == first.actions
    dealt = game.determinize(game.current_seat, 9)
    assert dealt.state != game.state and vitienv.analyse(dealt, QUICK, seed=5) == first
    assert vitienv.analyse(game, QUICK, seed=6).actions != first.actions


def test_the_spread_over_deals_is_that_of_the_single_values():
    """Where all positions are equal nothing differs; by the end of a toy round the deal decides."""
    game = vitienv.Game.new(game=TOY, num_players=2, seed=2)
    thought = vitienv.analyse(game, "ismcts:simulations=200", seed=1)
    assert all(0.05 < each.spread < 1 and 0 < each.error < each.spread for each in thought.actions)


def test_the_moves_of_a_game_that_cost_most(monkeypatch):
    """Points are all that counts: what is worse than the best costs the difference, and the best costs nothing."""
    game = played(seed=6, game=TOY, num_players=2)
    told = []
    review = vitienv.analyse(game.log, "ismcts:simulations=120", seed=3, on_progress=lambda *done: told.append(done))
    choices = len(game.moves)
    assert len(review.moves) == choices and told[-1] == (choices, choices)
    assert [move.number for move in review.moves] == list(range(1, choices + 1))
    assert [move.action for move in review.moves] == game.moves
    for move in review.moves:
        assert (move.loss == 0) == (move.action == move.best)
        assert move.visits > 30 or move.visits == move.best_visits  # both raced to the end
        assert move.low is None or move.low < move.loss < move.high
    worst = review.worst(3)
    assert worst == sorted(worst, key=lambda move: -move.loss) and worst[0].loss == max(m.loss for m in review.moves)
    assert sum(each["decisions"] for each in review.seats()) == choices
    assert json.loads(json.dumps(review.to_dict()))["moves"][0]["action"] == game.moves[0]
    assert vitienv.analyse(game, "ismcts:simulations=120", seed=3) == review


def test_what_is_played_stays_to_the_end_of_the_race():
    """However unlikely an action is, it is compared with the best on as many deals."""
    game = played(moves=40, num_players=2)
    while game.mask.sum() < 9:
        game.step(int(np.flatnonzero(game.mask)[-1]))
    batch, views = analysis._batch_of([game])
    bot = make_agent(
        "ismcts:simulations=64,root=gumbel,max_considered_actions=4,prune_margin=1000,playout=none", seed=2
    )
    plain = bot.search_rows(batch.obs, batch.masks, views, np.array([0]))[0]
    assert plain.visits[0] == plain.visits.max() == 8 + 16 and (plain.visits > 0).sum() == 4
    for action in plain.actions[plain.visits == 0]:
        found = bot.search_rows(batch.obs, batch.masks, views, np.array([0]), stay=np.array([action]))[0]
        assert found.visits[found.actions == action] == found.visits.max() and (found.visits > 0).sum() == 4


def test_a_hint_says_what_it_thinks_in_lines():
    thought = hint(played(moves=40, num_players=2), QUICK.partition(",sim")[0], simulations=32)
    lines = thought.describe(2, ["Ann", "Bob"])
    assert thought.simulations == 32 and lines[0].count("\n") == 0
    assert ("Ann" if thought.seat == 0 else "Bob") in lines[0] and thought.actions[0].title in lines[1]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"agent": "heuristic"}, "agent must be a search bot such as 'ismcts:policy=champion', got 'heuristic'"),
        ({"agent": "ismcts:simulations=4", "simulations": 5}, "duplicate parameter 'simulations'"),
        ({"move": 4}, "move must be from 0 to 3, got 4"),
        ({"agent": "ismcts:milliseconds=0"}, "milliseconds must be above 0, got 0.0"),
    ],
)
def test_bad_input_is_told_in_one_line(given, message):
    with pytest.raises(ValueError, match=message) as told:
        vitienv.analyse(played(moves=3, num_players=2), **given)
    assert "\n" not in str(told.value)


def test_its_bot_is_made_once(monkeypatch):
    """To make one may take seconds: it reads networks."""
    specs, make = [], analysis.make_bot
    monkeypatch.setattr(analysis, "make_bot", lambda spec, *about: specs.append(spec) or make(spec, *about))
    vitienv.analyse(played(moves=3, num_players=2), "ismcts:playout=none,prior=uniform", simulations=8)
    assert specs == ["ismcts:playout=none,prior=uniform,simulations=8"]


def test_a_decision_that_is_forced_is_told_too():
    game = played(moves=30, num_players=2)
    while game.mask.sum() > 1:
        game.step(int(np.flatnonzero(game.mask)[0]))
    thought = vitienv.analyse(game, QUICK)
    assert [each.action for each in thought.actions] == game.legal_actions() and not thought.simulations
    assert thought.line[0].decision == game.decision


def test_what_cannot_be_thought_of(tmp_path):
    over = played(game=TOY, num_players=2)
    with pytest.raises(ValueError, match="simulations, not milliseconds"):
        vitienv.analyse(over, milliseconds=5)
    with pytest.raises(ValueError, match="the game is over"):
        vitienv.analyse(over, move=len(over.moves))
    with pytest.raises(ValueError, match="does not exist"):
        vitienv.analyse(tmp_path / "none.json")
    with pytest.raises(ValueError, match="a log or a path, got 3"):
        vitienv.analyse(3)
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(ValueError, match="must contain a position or a log"):
        vitienv.analyse(tmp_path / "list.json")


def test_the_command(tmp_path, capsys):
    log, position = tmp_path / "log.json", tmp_path / "position.json"
    log.write_text(json.dumps(played(seed=6, game=TOY, num_players=2).log))
    position.write_text(json.dumps(played(moves=40, num_players=2).to_dict()))
    options = ["--agent", QUICK]
    assert cli.run(["analyse", str(position), *options, "--top", "2"]) == 0
    assert "64 simulations" in capsys.readouterr().out
    assert cli.run(["analyse", str(position), *options, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["simulations"] == 64
    assert cli.run(["analyse", str(log), *options, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["moves"]) >= 10
    assert cli.run(["analyse", str(log), *options, "--move", "2"]) == 0
    assert "keep" in capsys.readouterr().out
    refused(capsys, "analyse", log, "--agent", "random")
