"""A table on the web: what people may do and see there, without a server."""

import pytest

import vitienv
from tests.web.client import asked_for_two_cards
from vitienv.viticulture.render.words.cards import CARDS
from vitienv.web.offered import bots_of
from vitienv.web.table import PERSON, Table, TableError

GAME = "viticulture"


def table(seats=(PERSON, "random"), seed=5, **options):
    options = {"num_players": len(seats), **options} if len(seats) > 1 else {"ruleset": "solo", **options}
    return Table.new(GAME, list(seats), seed, options)


def play(one, moves, choose=lambda names: 0):
    """Play so many moves of people, with the bots' in between."""
    for _ in range(moves):
        while one.advance():
            pass
        if one.game.is_over:
            return
        names = one.game.legal_actions()
        one.move(one.game.definition.actions.number(names[choose(names)]), len(one.game.moves))


def test_bots_move_when_it_is_their_turn_and_people_when_it_is_theirs():
    one = table(("random", PERSON))
    while one.game.seat == 0:
        with pytest.raises(TableError, match="not a person's turn"):
            one.move(0, len(one.game.moves))
        assert one.advance()
    assert not one.advance()
    play(one, 1)
    assert one.game.moves


def test_the_same_click_twice_counts_once():
    one = table((PERSON, PERSON))
    action = one.game.definition.actions.number(one.game.legal_actions()[0])
    one.move(action, 0)
    with pytest.raises(TableError, match="moved on"):
        one.move(action, 0)
    assert len(one.game.moves) == 1


def test_an_illegal_move_changes_nothing():
    one = table((PERSON, PERSON))
    for action in (-1, 10**6, one.game.definition.actions.number("pass")):
        with pytest.raises(TableError):
            one.move(action, 0)
    assert not one.game.moves and not one.view()["told"]


def test_a_set_is_one_move_in_any_order():
    game = asked_for_two_cards()
    one = Table.of_log([GAME], [PERSON, "random"], game.log)
    view = one.view()
    assert view["picks"] == 2
    vine, *_, winter = (choice["action"] for choice in view["choices"])
    for picks in ([vine], [vine, vine], [vine, winter, winter], [vine, -1], []):
        with pytest.raises(TableError, match="action must be 2 of the choices"):
            one.move(picks, view["moves"])
    assert len(one.game.moves) == view["moves"]
    one.move([winter, vine], view["moves"])
    assert len(one.game.moves) == view["moves"] + 2


def test_a_list_is_refused_where_one_choice_is_asked_for():
    one = table((PERSON, PERSON))
    with pytest.raises(TableError, match="action must be an integer"):
        one.move([0], 0)


@pytest.mark.parametrize("viewer", [0, 1])
def test_a_view_holds_what_its_seat_may_know(viewer):
    """Whatever the bot and the decks hold, the person sees the same."""
    import json

    seats = [PERSON if seat == viewer else "random" for seat in range(2)]
    one = table(seats, max_years=4)
    for _ in range(25):
        play(one, 3, choose=lambda names: len(names) // 2)
        if one.game.is_over:
            break
        one._past.clear()  # whether a choice may be taken back is seen from the real chance
        seen = one.view()
        real, one.game = one.game, one.game.determinize(viewer, seed=9)
        one.game._moves = real._moves
        assert json.dumps(one.view()) == json.dumps(seen)
        one.game = real
        assert (seen["choices"] != []) == (one.game.seat == viewer)


def test_what_happened_is_told_as_each_person_may_know_it():
    """The telling is that of the terminal, for each person apart."""
    one = table((PERSON, PERSON, "random"))
    while one.game.decision != "plant_vine":
        play(one, 1, choose=lambda names: next((i for i, x in enumerate(names) if x.startswith("place:plant")), 0))
    seat, name = one.game.seat, one.game.legal_actions()[0]
    before = one.game.copy()
    one.move(one.game.definition.actions.number(name), len(one.game.moves))
    words_of = {viewer: one.view(viewer)["told"][-1]["words"] for viewer in (0, 1)}
    for viewer, words in words_of.items():
        assert words == " ".join(vitienv.definition().wording.told(before, one.game, name, one.names, viewer))
    title = CARDS[name.rpartition(":")[2]].title
    assert title in words_of[seat] and title not in words_of[1 - seat]
    assert title in one.view(seat)["question"] and one.view(1 - seat)["question"] == ""


def test_choices_are_told_in_full():
    one = table()
    while one.game.decision != "place_worker" or one.game.seat != 0:
        play(one, 1)
    shown = {choice["words"]: choice for choice in one.view()["choices"]}
    assert len(shown) == int(one.game.mask.sum())
    assert all(one.game.mask[choice["action"]] for choice in shown.values())
    assert any(": " in words for words in shown) and any(choice["text"] for choice in shown.values())


def test_only_people_have_a_view():
    with pytest.raises(TableError, match="seat 1 is not a person's"):
        table().view(viewer=1)
    both = table((PERSON, PERSON))
    assert both.view()["viewer"] == both.game.seat
    other = 1 - both.game.seat
    assert both.view(viewer=other)["choices"] == [] and "data-actions" not in both.view(viewer=other)["svg"]


def test_a_choice_that_revealed_nothing_can_be_taken_back():
    one = table((PERSON, "random"), seed=1)
    while not (one.game.decision == "place_worker" and one.game.seat == 0 and "place:play_summer_visitor:plain:regular"
               in one.game.legal_actions()):  # fmt: skip
        play(one, 1)
    before = one.game.to_dict()
    number = one.game.definition.actions.number
    one.move(number("place:play_summer_visitor:plain:regular"), len(one.game.moves))
    assert one.view()["can_undo"] and one.game.seat == 0
    one.undo()
    assert one.game.to_dict() == before and len(one.view()["told"]) == len(one.game.moves)
    assert not one.can_undo() or one.game.seat == 0


def test_what_was_drawn_or_answered_stands():
    one = table((PERSON, "heuristic"), seed=2)
    drawn = answered = 0
    for _ in range(120):
        while one.advance():
            assert not one.can_undo()
            answered += 1
        if one.game.is_over:
            break
        chance = one.game.record.chance.copy()
        seat = one.game.seat
        play(one, 1, choose=lambda names: -1)
        if (one.game.record.chance != chance).any() or one.game.seat != seat:
            drawn += 1
            assert not one.can_undo()
            with pytest.raises(TableError, match="this choice stands"):
                one.undo()
    assert drawn > 5 and answered > 20


def test_alone_a_choice_stands_as_soon_as_something_was_drawn():
    """The same seat is always to move, so that only what was drawn tells."""
    one = table((PERSON,), seed=6)
    stands = taken_back = 0
    for _ in range(60):
        chance = one.game.record.chance.copy()
        play(one, 1, choose=lambda names: -1)
        if one.game.is_over:
            break
        if (one.game.record.chance != chance).any():
            stands += 1
            assert not one.can_undo()
        else:
            taken_back += 1
            assert one.can_undo()
    assert stands > 5 and taken_back > 5


def test_a_hint_is_a_legal_move_and_uses_no_hidden_card():
    one = table((PERSON, "random"), seed=4)
    play(one, 6)
    while one.advance():
        pass
    assert one.game.mask[one.hint("heuristic")]
    with pytest.raises(TableError, match="nobody is called"):
        one.hint("os.getcwd")


@pytest.mark.parametrize(
    "seats, why",
    [
        (["person"], "there are 2 seats"),
        (["random", "random"], "at least one"),
        (["person", "os.getcwd"], "nobody is called"),
        (["person", "policy:/etc/passwd"], "nobody is called"),
    ],
)
def test_wrong_seats_are_refused(seats, why):
    with pytest.raises(TableError, match=why):
        Table.new(GAME, seats, 1, {})


def test_a_log_of_this_game_alone_is_taken_up():
    one = table((PERSON, "random"))
    play(one, 10)
    again = Table.of_log([GAME], one.seats, one.to_dict()["log"])
    assert again.game == one.game and again.view()["told"] == one.view()["told"]
    toy = vitienv.Game.new(game="tests.toy.definition", seed=1).log
    for log in (toy, {**one.game.log, "game": "os.path"}, {**one.game.log, "position": {"game": "os.path"}}):
        with pytest.raises(TableError, match="another game"):
            Table.of_log([GAME], one.seats, log)
    for log in (None, [], {}, {"moves": 3}, {**one.game.log, "moves": ["pass"]}, {**one.game.log, "options": 3},
                {**one.game.log, "moves": ["x"] * 30_000}):  # fmt: skip
        with pytest.raises(TableError):
            Table.of_log([GAME], one.seats, log)


def test_logs_keep_what_the_bots_considered():
    one = table((PERSON, "heuristic", "random"), seed=1, max_years=2)
    while not one.can_undo():
        play(one, 1)
    one.undo()
    assert len(one._considered) == len(one.game.moves)
    again = Table.kept([GAME], one.to_dict())
    for own in (one, again):
        play(own, 500)
    assert one.game.is_over and again.log == one.log
    seen = set()
    for move, (told, found) in zip(one.log["moves"], zip(one._story, one.log["candidates"], strict=True)):
        assert found is None or (one.seats[told.seat] == "heuristic" and found[0]["action"] == move)
        seen |= {(one.seats[told.seat], found is not None)}
    assert seen == {(PERSON, False), ("random", False), ("heuristic", False), ("heuristic", True)}
    with pytest.raises(TableError, match="candidates must be a list"):
        Table.of_log([GAME], one.seats, one.log | {"candidates": ["x"]})
    silent = table((PERSON, "random"))
    play(silent, 3)
    assert "candidates" not in silent.log


@pytest.mark.parametrize(
    "ranking, words",
    [([1, 2], "You win."), ([2, 1], "random wins."), ([1, 1], "You and random share the first place.")],
)
def test_it_is_said_who_wins(monkeypatch, ranking, words):
    one = table()
    monkeypatch.setattr(vitienv.Game, "ranking", ranking)
    assert one._result()["words"] == words


def test_alone_it_is_said_against_how_many_points(monkeypatch):
    one = table((PERSON,), ruleset="solo")
    monkeypatch.setattr(vitienv.Game, "outcome", "loss")
    monkeypatch.setattr(vitienv.Game, "ranking", [2])
    assert one._result()["words"].startswith("A loss")


def test_bots_of_one_name_are_told_apart_on_the_drawing_too():
    one = table((PERSON, "random", "random"), num_players=3)
    while len(one.game.moves) < 12:
        one.advance() or play(one, 1)
    view = one.view()
    told = " ".join(move["words"] for move in view["told"])
    assert all(f"random {seat}" in told and f">random {seat}</text>" in view["svg"] for seat in (2, 3))
    assert one.names == ["You", "random 2", "random 3"]
    assert table((PERSON, "random", PERSON), num_players=3).names == ["Person 1", "random", "Person 2"]


def test_every_bot_that_is_offered_plays():
    for bot in bots_of(vitienv.definition()):
        one = table((PERSON, bot), seed=3)
        play(one, 2)
        while one.game.seat == 0:
            play(one, 1)
        assert one.advance()


def test_the_past_is_drawn_as_it_was_seen():
    one = table((PERSON, "random"))
    play(one, 5)
    seen = one.view()
    play(one, 5)
    past = one.view(at=seen["moves"])
    assert past["at"] == seen["moves"] < past["moves"] and past["choices"] == []
    assert past["svg"] == vitienv.replay({**one.game.log, "moves": one.game.moves[: seen["moves"]],
                                          "state": None}).svg(0, one.names)  # fmt: skip
    with pytest.raises(TableError, match="there is no move"):
        one.view(at=10**6)


# What a search considers.


def test_one_choice_is_not_thought_about(monkeypatch):
    one = table((PERSON, PERSON))
    monkeypatch.setattr(vitienv.Game, "legal_actions", lambda game: ["pass"])
    with pytest.raises(TableError, match="one choice"):
        one.thought()


def test_chances_are_those_of_the_choices():
    one = table(seed=3)
    play(one, 3)
    while one.advance():
        pass
    thought = one.thought()
    legal = {one.game.definition.actions.number(name) for name in one.game.legal_actions()}
    shares = [each["share"] for each in thought["actions"]]
    assert {each["action"] for each in thought["actions"]} <= legal and thought["who"] == "You"
    assert shares == sorted(shares, reverse=True) and sum(shares) <= 1 + 1e-9 and -1 <= thought["value"] <= 1


def test_what_others_consider_is_told_when_the_game_is_over():
    one = table(max_years=1)
    with pytest.raises(TableError, match="when the game is over"):
        one.thought(0)
    while not one.game.is_over:
        play(one, 1)
    with pytest.raises(TableError, match="not a person's turn"):
        one.thought()
    seats = {one.thought(at)["seat"] for at in range(4)}
    assert seats == {0, 1} and one.thought(2) == one.thought(2)
    with pytest.raises(TableError, match="no move"):
        one.thought(10**6)


def test_chances_know_what_the_person_knows():
    """Whatever the others hold, the thought is the same."""
    one = table(seed=3)
    play(one, 4)
    while one.advance():
        pass
    found = one.thought()
    for seed in range(3):
        one.game = one.game.determinize(one.game.seat, seed)
        assert one.thought()["actions"] == found["actions"]
