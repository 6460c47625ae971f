"""The campaign: challenges, bonus tokens, files, and parallel campaigns."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from vitienv.agents import make_agent
from vitienv.agents.seeding import game_seeds
from vitienv.training.viticulture import solo
from vitienv.training.viticulture.campaign import Campaign, play_campaigns
from vitienv.training.viticulture.solo import play_solo


def campaign_after(outcomes, **settings):
    """Return a campaign with outcomes (w, d, l), and its challenges and losses before each of them and at the end."""
    campaign = Campaign(**settings)
    states = [(campaign.challenge, campaign.losses)]
    for letter in outcomes:
        campaign.add({"w": "win", "d": "draw", "l": "loss"}[letter], 10)
        states.append((campaign.challenge, campaign.losses))
    return campaign, states


@pytest.mark.parametrize(("outcomes", "states"), [
    ("llwlw", [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (3, 0)]),
    ("ddldl", [(1, 0), (1, 0), (1, 0), (1, 1), (1, 1), (1, 2)]),
    ("l" * 120, [(1, min(losses, 99)) for losses in range(121)]),
], ids=["wins", "draws", "maximum"])  # fmt: skip
def test_losses_give_tokens_and_a_win_the_next_challenge(outcomes, states):
    campaign, states_of_campaign = campaign_after(outcomes)
    assert states_of_campaign == states and campaign.next_options().bonus_tokens == states[-1][1]
    assert [(result.challenge, result.bonus_tokens) for result in campaign.results] == states[:-1]
    assert campaign.score == len(outcomes) and not campaign.is_complete


@pytest.mark.parametrize("aggressive, challenges", [(False, [1, 2, 3, 4, 5, 6, 7, 8]), (True, [1, 2, 3, 4, 5, 7, 8])])
def test_number_of_challenges_by_variant(aggressive, challenges):
    campaign, states = campaign_after("lw" * len(challenges), aggressive=aggressive)
    assert [challenge for challenge, losses in states[:-1:2]] == challenges
    assert campaign.is_complete and campaign.challenge is None and campaign.score == 2 * len(challenges)
    for act in (campaign.next_options, campaign.next_game, lambda: campaign.add("win", 1)):
        with pytest.raises(ValueError, match="complete"):
            act()


def test_options_of_the_next_game():
    campaign, _ = campaign_after("wwwll", difficulty="hard", seed=4)
    game = campaign.next_game()
    assert (game.options.ruleset, game.options.difficulty, game.options.challenge) == ("solo", "hard", 4)
    assert game.options.bonus_tokens == 2 == game.to_dict()["seats"][0]["bonus_tokens"]
    assert game.scores == [-2]


def test_seeds_depend_on_campaign_and_number_of_games():
    seeds = [result.seed for seed in (1, 2) for result in campaign_after("lllw", seed=seed)[0].results]
    assert len(set(seeds)) == 8
    assert seeds[:4] == [result.seed for result in campaign_after("dwlw", seed=1)[0].results]


# Recording.


def play_to_the_end(game, choice=-1):
    while not game.is_over:
        game.step(game.legal_actions()[choice])
    return game


def test_game_is_recorded():
    campaign = Campaign(seed=2)
    game = play_to_the_end(campaign.next_game())
    seed = campaign.next_seed
    result = campaign.record(game)
    assert campaign.results == [result] and campaign.score == 1
    assert (result.challenge, result.outcome, result.points) == (1, game.outcome, game.scores[0])
    assert result.seed == seed == game.log["seed"]


def test_other_games_raise():
    campaign = Campaign(seed=2)
    first = play_to_the_end(campaign.next_game())
    other_games = {
        "not over": campaign.next_game(),
        "seed": play_to_the_end(Campaign(seed=3).next_game()),
        "difficulty": play_to_the_end(Campaign(difficulty="easy", seed=2).next_game()),
        "challenge": play_to_the_end(campaign_after("w", seed=2)[0].next_game()),
    }
    for message, game in other_games.items():
        with pytest.raises(ValueError, match=message):
            campaign.record(game)
    assert campaign.results == []
    campaign.record(first)
    with pytest.raises(ValueError, match=r"bonus_tokens|seed"):
        campaign.record(first)


# Files.


def test_campaign_is_resumed_from_its_file(tmp_path):
    campaign, _ = campaign_after("wldl", difficulty="easy", aggressive=True, seed=9)
    campaign.save(tmp_path / "campaign.json")
    again = Campaign.load(tmp_path / "campaign.json")
    assert again == campaign and again.next_game() == campaign.next_game()
    assert (again.challenge, again.losses) == (2, 2)
    campaign.add("win", 22)
    again.add("win", 22)
    assert again == campaign
    assert [path.name for path in tmp_path.iterdir()] == ["campaign.json"]


def damaged_campaigns():
    """Return damaged campaigns and their errors by name."""
    good = json.loads(json.dumps(campaign_after("lw", seed=1)[0].to_dict()))
    first, second = good["results"]
    complete = campaign_after("wwwwwwww", seed=1)[0].to_dict()
    return {
        "list": ([1], "not a campaign"),
        "log": ({"format": 1, "moves": []}, "not a campaign"),
        "format": (good | {"format": 7}, "format must be 1, got 7"),
        "level": (good | {"difficulty": "brutal"}, "unknown difficulty 'brutal'"),
        "variant": (good | {"difficulty": "very_hard", "aggressive": True}, "aggressive requires one of the diff"),
        "seed": (good | {"seed": -1}, "seed must be an integer from 0, got -1"),
        "key": (good | {"score": 2}, "an unknown 'score'"),
        "gap": ({key: value for key, value in good.items() if key != "seed"}, "no 'seed'"),
        "results": (good | {"results": 3}, "results must be a list, got 3"),
        "result": (good | {"results": [first, 5]}, r"results\[1\] must be an object, got 5"),
        "short": (good | {"results": [{"challenge": 1}]}, r"results\[0\] has no 'outcome'"),
        "order": (good | {"results": [second, first]}, "bonus_tokens of game 1 must be 0, got 1"),
        "skipped": (good | {"results": [first | {"challenge": 2}]}, "challenge of game 1 must be 1, got 2"),
        "chosen": (good | {"results": [first | {"seed": 5}]}, "seed of game 1 must be"),
        "outcome": (good | {"results": [first | {"outcome": "won"}]}, "unknown outcome 'won'"),
        "points": (good | {"results": [first | {"points": "3"}]}, "points must be an integer"),
        "too many": (complete | {"results": [*complete["results"], first]}, "complete before its game 9"),
    }


@pytest.mark.parametrize("damage", damaged_campaigns())
def test_damaged_campaign_raises_in_one_line(damage, tmp_path):
    content, message = damaged_campaigns()[damage]
    (tmp_path / "campaign.json").write_text(json.dumps(content))
    with pytest.raises(ValueError, match=message) as caught:
        Campaign.load(tmp_path / "campaign.json")
    assert "\n" not in str(caught.value) and "campaign.json" in str(caught.value)


# Many campaigns.


def fake_play(calls):
    """Return a replacement of `play_solo`, whose outcomes depend on the seed only, and which records its calls."""

    def play(options, agent, seeds):
        calls.append((options, list(seeds)))
        outcome = np.array([(1, 1, 0, -1)[seed % 4] for seed in seeds])
        return SimpleNamespace(outcome=outcome, points=20 + outcome)

    return play


def test_parallel_campaigns_equal_single_campaigns(monkeypatch):
    calls = []
    monkeypatch.setattr(solo, "play_solo", fake_play(calls))
    campaigns = play_campaigns(None, 12, "easy", seed=3)
    assert all(campaign.is_complete for campaign in campaigns)
    assert calls[0] == (Campaign("easy").next_options(), [Campaign("easy", seed=c.seed).next_seed for c in campaigns])
    games_of_a_round = [options for options, seeds in calls[1:5]]
    assert len(set(games_of_a_round)) >= 3  # equal options share a batch
    for i, campaign in enumerate(campaigns):
        (alone,) = play_campaigns(None, 1, "easy", seed=3, first=i)
        assert alone == campaign and campaign.seed == game_seeds(3, [i])[0]
        outcomes = [1 - ("win", "draw", "loss").index(result.outcome) for result in campaign.results]
        assert outcomes == [(1, 1, 0, -1)[result.seed % 4] for result in campaign.results]
    assert len({campaign.score for campaign in campaigns}) > 1


def test_campaign_stops_at_max_games(monkeypatch):
    agent = make_agent("random", seed=1)
    campaigns = play_campaigns(agent, 3, "normal", max_games=3, seed=1)
    assert [campaign.is_complete for campaign in campaigns] == [False] * 3
    for campaign in campaigns:
        assert [result.outcome for result in campaign.results] == ["loss"] * 3
        assert [result.bonus_tokens for result in campaign.results] == [0, 1, 2]
        last = campaign.results[-1]
        before = Campaign("normal", seed=campaign.seed, results=campaign.results[:-1])
        assert play_solo(before.next_options(), agent, [last.seed]).points.tolist() == [last.points]


@pytest.mark.parametrize("n, max_games, name", [(0, 5, "campaigns"), (2, 0, "max_games")])
def test_invalid_numbers_raise(n, max_games, name):
    with pytest.raises(ValueError, match=f"{name} must be "):
        play_campaigns(make_agent("random"), n, max_games=max_games)


def test_concurrent_changes_of_a_campaign_raise(tmp_path):
    file = tmp_path / "campaign.json"
    campaign_after("l")[0].save(file)
    first, other = Campaign.load(file), Campaign.load(file)
    first.add("win", 20)
    first.save(file)
    other.add("loss", 10)
    for stale in (other, campaign_after("l", seed=9)[0], campaign_after("")[0]):
        with pytest.raises(ValueError, match=r"campaign\.json' contains other games"):
            stale.save(file)
    assert Campaign.load(file) == first and [path.name for path in tmp_path.iterdir()] == ["campaign.json"]
