"""Stand-ins: a second seat in the Automa's place, as a full rival or as a blocker."""

import pytest

import vitienv
from tests.tabletop import (
    ALL_STRUCTURES,
    SUMMER_ACTIONS,
    WINTER_ACTIONS,
    hand_sizes,
    place,
    placements,
    play,
    points,
    season,
    seat,
    workers,
)

from .positions import (
    ABLE,
    PASS,
    REMOVED,
    ROWS,
    blocked,
    cellar,
    own,
    run_to,
    run_to_end,
    run_to_winter,
    run_to_year_end,
    start,
    tokens,
)

RIVAL = {"stand_in": "rival"}
BLOCKER = {"stand_in": "blocker"}


def new(stand_in, seed=1, **options):
    """A game with a stand-in, played to the first wake-up."""
    game = vitienv.Game.new(ruleset="solo", seed=seed, stand_in=stand_in, **options)
    asked = []
    while game.decision != "wake_up":
        asked.append((game.decision, game.seat))
        play(game, "option:2")
    return game, asked


def rival(season_name, seat_0=None, seat_1=None, **top):
    """A position of two full seats."""
    options = RIVAL | top.pop("options", {})
    return start(season_name, seat_0, {"workers": workers()} | (seat_1 or {}), options=options, **top)


def blocker(season_name, seat_0=None, seat_1=None, **top):
    """A position with a blocker."""
    options = BLOCKER | top.pop("options", {})
    return start(season_name, seat_0, seat_1 or {}, options=options, **top)


# The rival.


def test_a_rival_is_a_second_full_seat():
    """Rival: both are set up, both have a vineyard."""
    game, asked = new("rival")
    assert (game.num_players, game.options.num_players) == (2, 2)
    assert sorted(asked) == [("papa_gift", 0), ("papa_gift", 1)]
    for number in (0, 1):
        assert sum(hand_sizes(game, number).values()) in (2, 3)
        assert (seat(game, number)["workers"], tokens(game, number)) == (workers(), 0)
        assert sorted(seat(game, number)["glass_tokens"]) == [1, 2, 3, 4, 5, 6, 7]


def test_two_players_may_be_said_for_a_stand_in():
    """Stand-ins: a second seat follows from the option."""
    for stand_in in ("rival", "blocker"):
        said = vitienv.Game.new(ruleset="solo", num_players=2, seed=3, stand_in=stand_in)
        assert said == vitienv.Game.new(ruleset="solo", seed=3, stand_in=stand_in)


def test_each_rival_has_tokens_of_its_own():
    """Rival: a row chosen by one loses that seat's token, and the row only for this year."""
    game = rival("spring")
    play(game, "wake_up:3")
    assert (game.seat, game.legal_actions()) == (1, [row for row in ROWS if row != "wake_up:3"])
    play(game, "wake_up:5", "deck:summer")
    assert [tokens(game, number) for number in (0, 1)] == [1, 1]
    assert sorted(seat(game, 0)["glass_tokens"]) == [1, 2, 4, 5, 6, 7]
    assert sorted(seat(game, 1)["glass_tokens"]) == [1, 2, 3, 4, 6, 7]
    run_to_year_end(game)
    # The marker of the first player has moved on.
    assert game.seat == 1
    assert "wake_up:3" in game.legal_actions()
    assert "wake_up:5" not in game.legal_actions()


def test_a_rival_without_a_free_row_of_its_own_takes_any():
    """Rival: somebody else's rooster must not leave a seat without a row; such a row brings no token."""
    game = rival("spring", {}, {"glass_tokens": [3]})
    play(game, "wake_up:3")
    assert (game.seat, game.legal_actions()) == (1, [row for row in ROWS if row != "wake_up:3"])
    play(game, "wake_up:4")
    assert (tokens(game, 1), seat(game, 1)["glass_tokens"]) == (0, [3])
    # The bonus of the row is given all the same.
    assert seat(game, 1)["lira"] == 1


def test_a_rival_with_a_free_row_of_its_own_keeps_to_it():
    """Rival: solo rules hold as long as they can."""
    game = play(rival("spring", {}, {"glass_tokens": [3, 6]}), "wake_up:3")
    assert (game.seat, game.legal_actions()) == (1, ["wake_up:6"])


def test_rivals_share_the_left_spaces():
    """Rival: the spaces of the solo game, taken by whoever comes first."""
    game = rival("summer", ABLE, {"lira": 9})
    assert not [name for name in placements(game) if ":bonus:" in name]
    play(game, place("give_tour"))
    assert game.seat == 1
    assert placements(game, "give_tour") == [place("give_tour", "crowd", "grande")]


def test_both_rivals_spend_tokens():
    """Rival: tokens are for both."""
    game = rival("summer", {"bonus_tokens": 1}, {"bonus_tokens": 1})
    play(game, place("give_tour"))
    assert (game.decision, game.seat) == ("spend_token", 0)
    play(game, "yes", place("draw_vine"))
    assert (game.decision, game.seat) == ("spend_token", 1)
    play(game, "yes")
    assert (seat(game, 0)["lira"], hand_sizes(game, 1)["vine"]) == (3, 2)


def test_no_automa_cards_with_a_rival():
    """Rival: it stands in the Automa's place."""
    game = rival("spring")
    play(game, "wake_up:1", "wake_up:4")
    assert blocked(game) == set()
    run_to_winter(game)
    assert blocked(game) == set()
    assert game.automa_score is None


def test_the_decks_hold_all_visitors_with_a_rival():
    """Rival: there is an opponent, so that those four cards make sense, and every card concerns both."""
    game = rival("summer", {"hand": {"summer": ["wedding_party"], "winter": ["queen"]}, "lira": 2})
    play(game, place("play_summer_visitor"), "card:summer:wedding_party")
    assert (game.decision, game.legal_actions()) == ("choose_opponent", ["seat:+1"])
    play(game, "seat:+1")
    if game.legal_actions() == ["done"]:
        play(game, "done")
    assert (points(game), seat(game, 1)["lira"]) == (1, 2)
    game = rival("summer", {"hand": {"summer": ["banker"]}})
    play(game, place("play_summer_visitor"), "card:summer:banker")
    assert (game.decision, game.seat) == ("offer", 1)


@pytest.mark.parametrize("year", [1, 6])
def test_twenty_points_do_not_end_a_game_of_rivals(year):
    """Rival: the length is that of the solo game."""
    game = play(rival("winter", {"victory_points": 30}, {"victory_points": 25}, year=year), PASS, PASS)
    assert (game.is_over, game.decision) == (False, "wake_up")


@pytest.mark.parametrize(
    "first, second, rewards, ranks", [(12, 11, [1, -1], [1, 2]), (11, 11, [0, 0], [1, 1]), (11, 12, [-1, 1], [2, 1])]
)
@pytest.mark.parametrize("reward", ["win", "rank"])
def test_more_points_win_among_rivals(first, second, rewards, ranks, reward):
    """Rival: the seventh year is the last; equal is a draw, whatever else a seat has."""
    rich = {"lira": 50, "cellar": cellar(red=[3], white=[3])}
    poor = {"victory_points": second}
    game = rival("winter", {"victory_points": first} | rich, poor, year=7, options={"reward": reward})
    play(game, PASS, PASS)
    assert (game.is_over, game.scores) == (True, [first, second])
    assert (list(game.rewards), list(game.ranking)) == (rewards, ranks)


@pytest.mark.parametrize("first, second, outcome", [(12, 11, "win"), (11, 11, "draw"), (11, 12, "loss")])
def test_the_outcome_among_rivals_is_that_of_the_first_seat(first, second, outcome):
    """Solo, Game end: a solo game that is over is won, drawn or lost, whoever stands for the Automa."""
    game = rival("winter", {"victory_points": first}, {"victory_points": second}, year=7)
    assert game.outcome is None
    assert play(game, PASS, PASS).outcome == outcome


def test_a_game_of_rivals_lasts_seven_years():
    """Rival: seven wake-ups each."""
    game, _ = new("rival", seed=6)
    chosen = {0: [], 1: []}
    while not game.is_over:
        number = game.seat
        row = game.legal_actions()[0]
        chosen[number].append(row)
        play(game, row)
        run_to(game, lambda g: g.decision == "wake_up")
    assert [len(rows) for rows in chosen.values()] == [7, 7]


# The blocker.


def test_a_blocker_has_three_workers_and_nothing_else():
    """Blocker: no set-up of its own, no question about it."""
    game, asked = new("blocker")
    assert game.num_players == 2
    assert asked == [("papa_gift", 0)]
    own_seat = seat(game, 1)
    assert sum(own_seat["workers"].values()) == 3
    assert (sum(hand_sizes(game, 1).values()), own_seat["lira"], own_seat["structures"]) == (0, 0, [])


@pytest.mark.parametrize("level, count", [("very_easy", 3), ("easy", 3), ("normal", 3), ("hard", 5), ("very_hard", 5)])
def test_a_hard_blocker_has_five_workers(level, count):
    """Blocker: more workers where the Automa would place more."""
    game, _ = new("blocker", difficulty=level)
    assert sum(seat(game, 1)["workers"].values()) == count
    assert (game.automa_score, game.scores[1]) == ((23, 23) if level == "very_hard" else (20, 20))


@pytest.mark.parametrize("row", [2, 3, 4, 5, 6, 7])
def test_a_row_brings_nothing_to_a_blocker(row):
    """Blocker: the row only tells when it acts."""
    game = play(blocker("spring"), "wake_up:1")
    assert (game.decision, game.seat) == ("wake_up", 1)
    assert "wake_up:1" not in game.legal_actions()
    before = seat(game, 1)
    play(game, f"wake_up:{row}")
    assert (season(game), game.decision, game.seat) == ("summer", "place_worker", 0)
    after = seat(game, 1)
    for key in ("lira", "victory_points", "workers", "hand"):
        assert after[key] == before[key]


def test_a_blockers_row_is_taken():
    """Blocker: a rooster occupies its row, and it does not use up the seat's token."""
    game = blocker("spring", first_player=1)
    play(game, "wake_up:6")
    assert (game.seat, game.legal_actions()) == (0, [row for row in ROWS if row != "wake_up:6"])
    assert 6 in seat(game)["glass_tokens"]


@pytest.mark.parametrize("of_season, actions", [("summer", SUMMER_ACTIONS), ("winter", WINTER_ACTIONS)])
def test_a_blocker_goes_to_any_free_space_of_the_season(of_season, actions):
    """Blocker: feasible or not, never the cart or the yoke."""
    game = blocker(of_season, {"wake_up": 2}, {"wake_up": 1}, board={actions[2]: [own()]})
    assert (game.decision, game.seat) == ("place_worker", 1)
    legal = game.legal_actions()
    assert PASS in legal
    # Its workers are all alike, so that only the action and the space matter.
    spaces = {name.rpartition(":")[0] for name in legal if name != PASS}
    assert spaces == {f"place:{action}:plain" for action in actions if action != actions[2]}


@pytest.mark.parametrize("of_season, actions", [("summer", SUMMER_ACTIONS), ("winter", WINTER_ACTIONS)])
def test_a_blockers_worker_does_nothing_but_block(of_season, actions):
    """Blocker: no action, no gain, no question; the grande of the seat may join."""
    for action in actions:
        game = blocker(of_season, ABLE | {"wake_up": 2}, {"wake_up": 1})
        before = game.to_dict()
        play(game, place(action))
        assert (game.decision, game.seat) == ("place_worker", 0)
        assert placements(game, action) == [place(action, "crowd", "grande")]
        after = game.to_dict()
        assert after["discards"] == before["discards"]
        assert hand_sizes(game, 1) == {"vine": 0, "order": 0, "summer": 0, "winter": 0}
        assert (after["seats"][1]["lira"], points(game, 1)) == (0, points(blocker(of_season), 1))
        assert after["seats"][0] == before["seats"][0]


def test_a_blocker_uses_up_its_workers():
    """Blocker: three for the year, like any workers placed once; they come back at its end."""
    game = blocker("summer", {"workers": workers(1, 0)})
    play(game, PASS)
    for action in ("draw_vine", "give_tour", "plant_vine"):
        assert game.seat == 1
        play(game, placements(game, action)[0])
    assert sum(seat(game, 1)["workers"].values()) == 0
    run_to_winter(game)
    assert game.seat == 0
    run_to_year_end(game)
    assert sum(seat(game, 1)["workers"].values()) == 3
    assert game.to_dict()["board"] == {}


def test_a_blocker_may_save_workers_for_winter():
    """Blocker: passing ends its summer, not its year."""
    game = blocker("summer", {"workers": workers(2, 0)})
    play(game, PASS, place("draw_vine"), PASS)
    run_to(game, lambda g: g.seat == 1 and season(g) == "winter")
    assert sum(seat(game, 1)["workers"].values()) == 2
    assert place("make_wine") in game.legal_actions()


def test_a_blocker_draws_nothing_in_fall():
    """Blocker: only the seat takes a visitor."""
    game = blocker("summer")
    play(game, PASS, PASS)
    assert (season(game), game.decision, game.seat) == ("fall", "choose_deck", 0)
    play(game, "deck:summer")
    assert season(game) == "winter"
    assert sum(hand_sizes(game, 1).values()) == 0


@pytest.mark.parametrize("card, gain", [("banker", {"lira": 5}), ("vendor", {"lira": 0})])
def test_a_blocker_is_asked_nothing(card, gain):
    """Blocker: no offers; the card has its own part only."""
    game = blocker("summer", {"hand": {"summer": [card]}})
    play(game, place("play_summer_visitor"), f"card:summer:{card}")
    assert (game.decision, game.seat) == ("place_worker", 1)
    assert (seat(game)["lira"], sum(hand_sizes(game, 1).values())) == (gain["lira"], 0)


@pytest.mark.parametrize("card, of_season", [("handyman", "summer"), ("guest_speaker", "winter")])
def test_a_blocker_does_not_take_part_in_cards_for_everybody(card, of_season):
    """Blocker: it has no vineyard to build or train for."""
    game = blocker(of_season, {"hand": {of_season: [card]}, "lira": 3})
    play(game, place(f"play_{of_season}_visitor"), f"card:{of_season}:{card}")
    assert (game.decision, game.seat) == ("offer", 0)
    play(game, "no")
    assert (game.decision, game.seat, points(game)) == ("place_worker", 1, 0)


@pytest.mark.parametrize(
    "card, of_season, own_seat, top",
    [
        ("handyman", "summer", {"structures": ALL_STRUCTURES, "lira": 9}, {}),
        ("guest_speaker", "winter", {"lira": 0}, {}),
        ("motivator", "winter", {}, {"board": {"draw_order": [own("grande", 1)]}}),
    ],
)
def test_a_blocker_makes_no_card_playable(card, of_season, own_seat, top):
    """Playing visitors: somebody must be able to use such a card, and the blocker never does."""
    game = blocker(of_season, own_seat | {"hand": {of_season: [card]}}, **top)
    assert place(f"play_{of_season}_visitor") not in game.legal_actions()


@pytest.mark.parametrize("deck, card", [(deck, card) for deck in REMOVED for card in REMOVED[deck]])
def test_a_blocker_is_no_opponent_for_a_card(deck, card):
    """Blocker: its points are the marker and it owns nothing, so those four cards find nobody."""
    game = blocker(deck, {"hand": {deck: [card]}, "lira": 5}, options={"redraw_visitors": True})
    assert placements(game, f"play_{deck}_visitor") == []


def test_a_blocker_on_the_last_row_with_a_token_leaves_the_others():
    """Blocker: its rooster must not leave the seat without a row; such a row brings no token."""
    game = play(blocker("spring", {"glass_tokens": [3]}, first_player=1), "wake_up:3")
    assert (game.seat, game.legal_actions()) == (0, [row for row in ROWS if row != "wake_up:3"])
    play(game, "wake_up:1")
    assert (tokens(game), seat(game)["glass_tokens"]) == (0, [3])


def test_no_automa_cards_with_a_blocker():
    """Blocker: it stands in the Automa's place."""
    game = blocker("spring")
    play(game, "wake_up:1", "wake_up:4")
    assert blocked(game) == set()
    run_to_winter(game)
    assert blocked(game) == set()


def test_the_seat_keeps_its_tokens_against_a_blocker():
    """Blocker: solo rules for the one who plays."""
    game = blocker("spring", {"glass_tokens": [2, 4]})
    assert game.legal_actions() == ["wake_up:2", "wake_up:4"]
    play(game, "wake_up:4", "wake_up:5", place("give_tour"))
    assert (game.decision, game.seat) == ("spend_token", 0)
    play(game, "yes")
    assert (seat(game)["lira"], tokens(game)) == (4, 0)


@pytest.mark.parametrize("vp, outcome, rank", [(21, "win", [1, 2]), (20, "draw", [1, 1]), (19, "loss", [2, 1])])
def test_the_marker_is_what_a_blocker_has(vp, outcome, rank):
    """Blocker: the seat is compared with the marker, which is the score of the second seat."""
    game = blocker("winter", {"victory_points": vp}, year=7)
    assert (game.automa_score, game.scores) == (20, [vp, 20])
    play(game, PASS, PASS)
    assert (game.is_over, game.outcome, game.scores, list(game.ranking)) == (True, outcome, [vp, 20], rank)


def test_the_aggressive_marker_moves_on_with_a_blocker():
    """Blocker, aggressive variant: the second seat's points are the number of the year."""
    game = blocker("winter", {"victory_points": 5}, year=1, options={"aggressive": True})
    play(game, PASS, PASS)
    assert (game.decision, game.year, game.automa_score, game.scores) == ("wake_up", 2, 0, [5, 0])


def test_twenty_points_do_not_end_a_game_with_a_blocker():
    """Blocker: the second seat has twenty points from the start."""
    game = play(blocker("winter", {"victory_points": 30}, year=3), PASS, PASS)
    assert (game.is_over, game.decision) == (False, "wake_up")


@pytest.mark.parametrize("stand_in", ["rival", "blocker"])
@pytest.mark.parametrize("level, years", [("very_easy", 8), ("normal", 7)])
def test_stand_ins_play_as_many_years(stand_in, level, years):
    """Stand-ins: the levels keep their length."""
    game, _ = new(stand_in, seed=2, difficulty=level)
    seen = set()
    while not game.is_over:
        seen.add(game.year)
        run_to(game, lambda g: g.decision == "wake_up")
        if not game.is_over:
            play(game, game.legal_actions()[0])
    assert seen == set(range(1, years + 1))
    run_to_end(game)
