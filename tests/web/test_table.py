"""A table on the web: what people may do and see there, without a server."""

import json

import pytest

import vitienv
from tests.web.client import asked_for_two_cards
from vitienv.viticulture.render.text.cards import CARDS
from vitienv.web.game_review import game_review
from vitienv.web.score_sheet import game_result
from vitienv.web.start_form import bots_of
from vitienv.web.table import PERSON, Table

GAME = "viticulture"


def table(seats=(PERSON, "random"), seed=5, **options):
    options = {"num_players": len(seats), **options} if len(seats) > 1 else {"ruleset": "solo", **options}
    return Table.new(GAME, list(seats), seed, options)


def play(desk, moves, choose=lambda names: 0):
    """Play a number of moves of people, and those of the bots."""
    for _ in range(moves):
        while desk.advance():
            pass
        if desk.game.is_over:
            return
        names = desk.game.legal_actions()
        desk.move(desk.game.game_spec.actions.number(names[choose(names)]), len(desk.game.moves))


def test_bots_and_people_move_on_their_turns():
    desk = table(("random", PERSON))
    while desk.game.current_seat == 0:
        with pytest.raises(ValueError, match="not a person's turn"):
            desk.move(0, len(desk.game.moves))
        assert desk.advance()
    assert not desk.advance()
    play(desk, 1)
    assert desk.game.moves


def test_picks_are_one_move_in_any_order():
    game = asked_for_two_cards()
    desk = Table.of_log([GAME], [PERSON, "random"], game.log)
    view = desk.view()
    assert view["picks"] == 2
    vine, *_, winter = (choice["action"] for choice in view["choices"])
    for picks in ([vine], [vine, vine], [vine, winter, winter], [vine, -1], []):
        with pytest.raises(ValueError, match="action must be 2 of the choices"):
            desk.move(picks, view["moves"])
    assert len(desk.game.moves) == view["moves"]
    desk.move([winter, vine], view["moves"])
    assert len(desk.game.moves) == view["moves"] + 2


def test_what_ends_an_action_is_listed_last():
    seat = {"wake_up": 1, "crush_pad": {"red": [1, 2]}, "workers": {"regular": 2, "grande": 1}}
    position = {"num_players": 2, "year": 2, "season": "winter", "seats": [seat, {"wake_up": 2}]}
    game = vitienv.Game.from_dict(position).step("place:make_wine:plain:regular").step("make:red").step("grape:red:1")
    view = Table.of_log([GAME], [PERSON, "random"], game.log).view()
    assert [choice["name"] for choice in view["choices"]] == ["Red wine", "That is all"]


@pytest.mark.parametrize("viewer", [0, 1])
def test_views_hide_information(viewer):
    """A view does not depend on hidden information."""
    seats = [PERSON if seat == viewer else "random" for seat in range(2)]
    desk = table(seats, max_years=4)
    for _ in range(25):
        play(desk, 3, choose=lambda names: len(names) // 2)
        if desk.game.is_over:
            break
        desk._past.clear()  # whether a choice may be taken back is seen from the real chance
        view = desk.view()
        assert str(int(desk.game.state.key[0])) not in json.dumps(view)  # the seed
        real, desk.game = desk.game, desk.game.determinize(viewer, seed=9)
        desk.game._moves = real._moves
        assert json.dumps(desk.view()) == json.dumps(view)
        desk.game = real
        assert (view["choices"] != []) == (desk.game.current_seat == viewer)


def test_moves_are_described_to_each_person():
    """Each person gets the sentences of the terminal for that seat."""
    desk = table((PERSON, PERSON, "random"))
    while desk.game.decision != "plant_vine":
        play(desk, 1, choose=lambda names: next((i for i, x in enumerate(names) if x.startswith("place:plant")), 0))
    seat, name = desk.game.current_seat, desk.game.legal_actions()[0]
    before = desk.game.copy()
    desk.move(desk.game.game_spec.actions.number(name), len(desk.game.moves))
    words_of = {viewer: desk.view(viewer)["events"][-1]["text"] for viewer in (0, 1)}
    for viewer, words in words_of.items():
        describe_move = vitienv.game_spec().text_module.describe_move
        assert words == " ".join(describe_move(before, desk.game, name, desk.names, viewer))
    title = CARDS[name.rpartition(":")[2]].title
    assert title in words_of[seat] and title not in words_of[1 - seat]
    view, other_view = desk.view(seat), desk.view(1 - seat)
    assert title in view["question"] and view["viewer"] == seat == desk.view()["viewer"]
    assert not other_view["question"] and not other_view["choices"] and "data-actions" not in other_view["svg"]


def test_choices_have_titles_and_texts():
    desk = table()
    while desk.game.decision != "place_worker" or desk.game.current_seat != 0:
        play(desk, 1)
    choices = {choice["name"]: choice for choice in desk.view()["choices"]}
    assert len(choices) == int(desk.game.mask.sum())
    assert all(desk.game.mask[choice["action"]] for choice in choices.values())
    assert any(": " in words for words in choices) and any(choice["text"] for choice in choices.values())


def test_only_logs_of_listed_games_are_continued():
    desk = table((PERSON, "random"))
    play(desk, 10)
    again = Table.of_log([GAME], desk.seats, desk.to_dict())
    assert again.game == desk.game and again.view()["events"] == desk.view()["events"]
    toy = vitienv.Game.new(game="tests.toy.game_spec", seed=1).log
    for log in (toy, {**desk.game.log, "game": "os.path"}, {**desk.game.log, "position": {"game": "os.path"}}):
        with pytest.raises(ValueError, match="another game"):
            Table.of_log([GAME], desk.seats, log)
    for log in (None, [], {}, {"moves": 3}, {**desk.game.log, "moves": ["pass"]}, {**desk.game.log, "options": 3},
                {**desk.game.log, "moves": ["x"] * 30_000}):  # fmt: skip
        with pytest.raises(ValueError):
            Table.of_log([GAME], desk.seats, log)


def test_logs_have_the_candidates_of_bots():
    desk = table((PERSON, "heuristic", "random"), seed=1, max_years=2)
    while not desk.can_undo():
        play(desk, 1)
    desk.undo()
    assert len(desk.candidates) == len(desk.game.moves)
    again = Table.from_dict([GAME], desk.to_dict())
    for copy in (desk, again):
        play(copy, 500)
    assert desk.game.is_over and again.log == desk.log
    recorded = set()
    for move, (description, candidates) in zip(desk.log["moves"], zip(desk.story, desk.log["candidates"], strict=True)):
        assert candidates is None or (desk.seats[description.seat] == "heuristic" and candidates[0]["action"] == move)
        recorded |= {(desk.seats[description.seat], candidates is not None)}
    assert recorded == {(PERSON, False), ("random", False), ("heuristic", False), ("heuristic", True)}
    with pytest.raises(ValueError, match="candidates must be a list"):
        Table.of_log([GAME], desk.seats, desk.log | {"candidates": ["x"]})
    silent = table((PERSON, "random"))
    play(silent, 3)
    assert "candidates" not in silent.log


RESULTS = [
    ((PERSON, "random"), {"ranks": [1, 2]}, "You win."),
    ((PERSON, "random"), {"ranks": [2, 1]}, "random wins."),
    ((PERSON, "random"), {"ranks": [1, 1]}, "You and random share the first place."),
    ((PERSON,), {"ranks": [2], "outcome": "loss"}, "A loss against 20 points."),
]


@pytest.mark.parametrize("seats, attributes, words", RESULTS)
def test_result_is_described(monkeypatch, seats, attributes, words):
    desk = table(seats)
    for name, value in attributes.items():
        monkeypatch.setattr(vitienv.Game, name, value)
    assert game_result(desk.game, desk.names)["text"] == words


def test_review_of_an_unfinished_game_is_refused():
    with pytest.raises(ValueError, match="after its end"):
        game_review(table(), None)


def test_bots_of_the_same_name_are_numbered():
    desk = table((PERSON, "random", "random"), num_players=3)
    while len(desk.game.moves) < 12:
        desk.advance() or play(desk, 1)
    view = desk.view()
    sentences = " ".join(move["text"] for move in view["events"])
    assert all(f"random {seat}" in sentences and f">random {seat}</text>" in view["svg"] for seat in (2, 3))
    assert desk.names == ["You", "random 2", "random 3"]
    assert table((PERSON, "random", PERSON), num_players=3).names == ["Person 1", "random", "Person 2"]


def test_all_listed_bots_play():
    for bot in bots_of(vitienv.game_spec()):
        desk = table((PERSON, bot), seed=3)
        play(desk, 2)
        while desk.game.current_seat == 0:
            play(desk, 1)
        assert desk.advance()


def test_past_positions_are_drawn_for_the_viewer():
    desk = table((PERSON, "random"))
    play(desk, 5)
    view = desk.view()
    play(desk, 5)
    past = desk.view(at=view["moves"])
    assert past["at"] == view["moves"] < past["moves"] and past["choices"] == []
    assert past["svg"] == vitienv.replay({**desk.game.log, "moves": desk.game.moves[: view["moves"]],
                                          "state": None}).svg(0, desk.names)  # fmt: skip
    with pytest.raises(ValueError, match="at must be from 0 to"):
        desk.view(at=10**6)


# Analyses.


def test_a_single_choice_is_not_analysed(monkeypatch):
    desk = table((PERSON, PERSON))
    monkeypatch.setattr(vitienv.Game, "legal_actions", lambda game: ["pass"])
    with pytest.raises(ValueError, match="only one choice"):
        desk.analyse()


def test_analysis_covers_legal_actions_without_hidden_information():
    desk = table(seed=3)
    play(desk, 4)
    while desk.advance():
        pass
    analysis = desk.analyse()
    legal = {desk.game.game_spec.actions.number(name) for name in desk.game.legal_actions()}
    shares = [row["share"] for row in analysis["actions"]]
    assert {row["action"] for row in analysis["actions"]} <= legal and analysis["player"] == "You"
    assert shares == sorted(shares, reverse=True) and sum(shares) <= 1 + 1e-9 and -1 <= analysis["value"] <= 1
    for seed in range(3):
        desk.game = desk.game.determinize(desk.game.current_seat, seed)
        assert desk.analyse()["actions"] == analysis["actions"]


def test_all_seats_can_be_analysed_after_the_game():
    desk = table(max_years=1)
    with pytest.raises(ValueError, match="after the game"):
        desk.analyse(0)
    while not desk.game.is_over:
        play(desk, 1)
    with pytest.raises(ValueError, match="not a person's turn"):
        desk.analyse()
    seats = {desk.analyse(at)["seat"] for at in range(4)}
    assert seats == {0, 1} and desk.analyse(2) == desk.analyse(2)
    with pytest.raises(ValueError, match="at must be from 0 to"):
        desk.analyse(10**6)
