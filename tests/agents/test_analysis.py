"""Analysis of positions and games by a search bot."""

import json

import numpy as np
import pytest

import vitienv
from tests.agents.stub_network import StubNetwork
from tests.command import refused
from tests.random_play import decisions, random_game
from vitienv import cli
from vitienv.agents import make_agent
from vitienv.agents.game_level import levels_in
from vitienv.agents.luck import luck
from vitienv.agents.search import analysis
from vitienv.agents.search.agent import IsmctsAgent
from vitienv.agents.search.analysis import hint, titles_of

TOY = "tests.toy.game_spec"
QUICK = "ismcts:playout=none,prior=uniform,simulations=64"


def use_network(monkeypatch, network, game="viticulture", **settings):
    bot = IsmctsAgent(simulations=80, playout="none", seed=1, game=game, **settings).use_network(network)
    monkeypatch.setattr(analysis, "_make_search_bot", lambda *_arguments: (bot, "ismcts"))


@pytest.mark.parametrize("options", [{"num_players": 3}, {"game": "toscana", "num_players": 2}, {"ruleset": "solo"}])
def test_analysis_has_visits_and_values_of_all_actions(options):
    report = vitienv.analyse(game := random_game(moves=40, **options), QUICK, seed=2)
    assert report.seat == game.current_seat and report.decision == game.decision
    assert {row.action for row in report.actions} == set(game.legal_actions())
    assert sum(row.visits for row in report.actions) == report.simulations == 64
    assert sum(row.share for row in report.actions) == pytest.approx(1)
    assert all(-1 <= row.value <= 1 and row.title == titles_of(game)[row.action] for row in report.actions)
    assert all((row.spread is None) == (row.visits < 2) for row in report.actions)
    assert report.line[0].action == report.actions[0].action and report.line[0].seat == game.current_seat
    assert json.loads(json.dumps(report.to_dict()))["actions"][0]["action"] == report.actions[0].action


def test_best_actions_of_the_toy():
    """A ten is kept, a one is not."""
    for card, best in ((10, "keep"), (1, "draw")):
        game = vitienv.Game.new(game=TOY, num_players=2, seed=2)
        game.state.hand[0] = card
        game.state.deck[:] = 1
        game.state.deck[card - 1] = game.state.deck[4] = 0
        game.state.hand[1] = 5
        game._batch.refresh(observe=False)
        report = vitienv.analyse(game, "ismcts:simulations=400", seed=1)
        assert report.actions[0].action == best and report.game == TOY
        assert report.actions[0].value > report.actions[1].value


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_values_are_those_of_the_current_seat(monkeypatch, turns):
    """The network values its own points: the leader has a high value, the others do not."""
    game = vitienv.Game.new(game=TOY, num_players=3, seed=4)
    for _ in range(turns):
        game.step("keep")
    points = vitienv.game_spec(TOY).observation.start("points")
    for leader in range(3):
        game.state.points[:] = 0
        game.state.points[leader] = 3
        use_network(monkeypatch, StubNetwork(lambda observations: observations[:, points] / 3), TOY)
        report = vitienv.analyse(game)
        assert report.seat == turns and (report.value > 0.5) == (leader == turns)
        assert all((row.value > 0.5) == (leader == turns) for row in report.actions)


def test_actions_are_named_by_their_index(monkeypatch):
    """A network with one likely action: the analysis reports its prior for the same action."""
    game = random_game(moves=40, num_players=2)
    while game.mask.sum() < 4:
        game.step(int(np.flatnonzero(game.mask)[-1]))
    for action in np.flatnonzero(game.mask):
        use_network(monkeypatch, StubNetwork(logits=3.0 * (np.arange(game.game_spec.actions.n) == action)))
        report = vitienv.analyse(game)
        assert max(report.actions, key=lambda row: row.prior).action == vitienv.ACTIONS.name(int(action))
        assert report.actions[0].action == vitienv.ACTIONS.name(int(action))


def test_analysis_depends_on_seed_and_view_only():
    game = random_game(moves=60, num_players=3)
    first = vitienv.analyse(game, QUICK, seed=5)
    assert vitienv.analyse(game.to_dict(), QUICK, seed=5).actions == first.actions
    dealt = game.determinize(game.current_seat, 9)
    assert dealt.state != game.state and vitienv.analyse(dealt, QUICK, seed=5) == first
    assert vitienv.analyse(game, QUICK, seed=6).actions != first.actions


def test_spread_and_error_of_values():
    game = vitienv.Game.new(game=TOY, num_players=2, seed=2)
    report = vitienv.analyse(game, "ismcts:simulations=200", seed=1)
    assert all(0.05 < row.spread < 1 and 0 < row.error < row.spread for row in report.actions)


def test_review_of_a_game(monkeypatch):
    """The loss of a move is its difference to the best action. Few positions are copied at a time."""
    game = random_game(seed=6, game=TOY, num_players=2)
    progress, copies, copy = [], [], vitienv.Game.copy
    monkeypatch.setattr(vitienv.Game, "copy", lambda game: copies.append(1) or copy(game))
    monkeypatch.setattr(analysis, "PARALLEL_MOVES", 2)

    def on_progress(*done):
        progress.append(done)
        assert len(copies) <= done[0]

    review = vitienv.analyse(game.log, "ismcts:simulations=120", seed=3, on_progress=on_progress)
    choices = len(game.moves)
    assert len(review.moves) == choices and progress[-1] == (choices, choices)
    assert [move.number for move in review.moves] == list(range(1, choices + 1))
    assert [move.action for move in review.moves] == game.moves
    for move in review.moves:
        assert (move.loss == 0) == (move.action == move.best) and (move.lead == 0 or move.loss == 0)
        assert move.visits > 30 or move.visits == move.best_visits  # both were searched to the end
        assert move.low is None or move.low < move.loss < move.high
    worst = review.worst(3)
    assert worst == sorted(worst, key=lambda move: -move.loss) and worst[0].loss == max(m.loss for m in review.moves)
    assert sum(seat["decisions"] for seat in review.seats()) == choices
    assert json.loads(json.dumps(review.to_dict()))["moves"][0]["action"] == game.moves[0]
    assert vitienv.analyse(game, "ismcts:simulations=120", seed=3) == review


def test_review_of_a_seat_searches_candidates_again():
    """Also the last decision, which is one of them here."""
    game = random_game(seed=1, game=TOY, num_players=2)
    review, whole = analysis.review_decisions(game, 1, top=1), vitienv.analyse(game, simulations=400, seed=1)
    assert {move.seat for move in review.moves} == {1} and len(review.moves) <= 4
    assert {move.simulations for move in review.moves} == {400}
    for name in ("loss", "lead"):
        largest = max((move for move in whole.moves if move.seat == 1), key=lambda move: getattr(move, name))
        assert getattr(largest, name) > 0 and largest.number in [move.number for move in review.moves]
    assert review.worst(1)[0].loss == max(move.loss for move in review.moves)
    assert review.best(1)[0].action == review.best(1)[0].best


def test_played_action_is_searched_to_the_end():
    """An unlikely action has as many visits as the best one."""
    game = random_game(moves=40, num_players=2)
    while game.mask.sum() < 9:
        game.step(int(np.flatnonzero(game.mask)[-1]))
    batch, views = analysis._batch_of([game])
    bot = make_agent(
        "ismcts:simulations=64,root=gumbel,max_considered_actions=4,prune_margin=1000,playout=none", seed=2
    )
    plain = bot.search_rows(batch.obs, batch.masks, views, np.array([0]))[0]
    assert plain.visits[0] == plain.visits.max() == 8 + 16 and (plain.visits > 0).sum() == 4
    for action in plain.actions[plain.visits == 0]:
        result = bot.search_rows(batch.obs, batch.masks, views, np.array([0]), stay=np.array([action]))[0]
        assert result.visits[result.actions == action] == result.visits.max() and (result.visits > 0).sum() == 4


def test_description_of_a_hint():
    report = hint(random_game(moves=40, num_players=2), QUICK.replace("=64", "=32"))
    lines = report.describe(2, ["Ann", "Bob"])
    assert report.simulations == 32 and lines[0].count("\n") == 0
    assert ("Ann" if report.seat == 0 else "Bob") in lines[0] and report.actions[0].title in lines[1]


@pytest.mark.parametrize(("game", "arguments", "message"), [
    ("started", {"agent": "heuristic"}, "agent must be a search bot such as 'ismcts:policy=champion', got 'heuristic'"),
    ("started", {"agent": "ismcts:simulations=4", "simulations": 5}, "duplicate parameter 'simulations'"),
    ("started", {"agent": "ismcts:milliseconds=0"}, "milliseconds must be above 0, got 0.0"),
    ("started", {"move": 4}, "move must be from 0 to 3, got 4"),
    ("over", {"move": 10}, "the game is over"), ("over", {"milliseconds": 5}, "simulations, not milliseconds"),
    ("missing.json", {}, "does not exist"), ("list.json", {}, "must contain a position or a log"),
    (3, {}, "a log or a path, got 3"),
])  # fmt: skip
def test_invalid_games_and_arguments_raise_in_one_line(tmp_path, monkeypatch, game, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.json").write_text("[]")
    games = {"started": random_game(moves=3, num_players=2), "over": random_game(game=TOY, num_players=2)}
    with pytest.raises(ValueError, match=message) as error:
        vitienv.analyse(games.get(game, game), **arguments)
    assert "\n" not in str(error.value)


def test_analysis_of_a_forced_decision():
    game = next(game for game in decisions(3, num_players=2) if game.mask.sum() == 1)
    report = vitienv.analyse(game, QUICK)
    assert [row.action for row in report.actions] == game.legal_actions() and not report.simulations
    assert report.line[0].decision == game.decision


def test_command_analyses_positions_games_and_moves(tmp_path, capsys):
    log, position = tmp_path / "log.json", tmp_path / "position.json"
    log.write_text(json.dumps(random_game(seed=6, game=TOY, num_players=2).log))
    position.write_text(json.dumps(random_game(moves=40, num_players=2).to_dict()))
    for arguments, text in (
        ([position, "--top", 2], "64 simulations"), ([position, "--json"], '"simulations": 64'),
        ([log, "--move", 2], "keep"),
    ):  # fmt: skip
        assert cli.run(["analyse", *map(str, arguments), "--bot", QUICK]) == 0
        assert text in capsys.readouterr().out
    assert cli.run(["analyse", str(log), "--bot", QUICK, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["moves"]) >= 10
    refused(capsys, "analyse", log, "--bot", "random")


def test_command_shows_luck_and_the_level_of_each_seat(tmp_path, capsys):
    game, file = random_game(5, num_players=2, max_years=60), tmp_path / "game.json"
    file.write_text(json.dumps(game.log))
    assert cli.run(["analyse", str(file), "--simulations", "1"]) == 0
    title, first, *lines = capsys.readouterr().out.splitlines()
    assert title == "chance of winning, %   start    luck    play  result" and first.startswith("seat 1")
    levels = levels_in(game)
    assert [line for line in lines if " played like " in line] == [
        f"seat {i} played like {level.describe()}" for i, level in enumerate(levels, 1)
    ]
    assert cli.run(["analyse", str(file), "--simulations", "1", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["luck"]["result"] == list(luck(game).result)
    assert report["levels"] == [level._asdict() for level in levels]
