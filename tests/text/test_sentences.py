"""Texts are generated from rows: all cards and questions have one, with the correct numbers and nothing hidden."""

import ast
import inspect
import random
import re

import pytest

import vitienv
from tests.toy import game_spec as toy
from vitienv.commands.replay import lines
from vitienv.core.frames import Frame
from vitienv.core.text_utils import YOU
from vitienv.render import text as core_words
from vitienv.session.replay import PERSON, display_names
from vitienv.viticulture.cards import AUTOMA_CARDS, CARD_IDS, MAMAS, ORDERS, PAPAS, VINES, summer, winter
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.enums import ACTS, STRUCTURES, WINES
from vitienv.viticulture.ops.parts import NOTHING, Parts
from vitienv.viticulture.render.text import cards, prompts
from vitienv.viticulture.render.text.board import STRUCTURE_TEXTS, act_name

WORDS = vitienv.game_spec().text_module
TABLES = [
    {"num_players": 2}, {"num_players": 3, "draft_parents": True}, {"num_players": 5},
    {"ruleset": "original", "num_players": 2}, {"ruleset": "solo", "difficulty": "hard"},
    {"ruleset": "solo", "challenge": 1}, {"ruleset": "solo", "challenge": 8},
    {"ruleset": "solo", "automa_replacement": "blocker"},
]  # fmt: skip
OTHER_GAMES = [
    *({"game": "toscana", "num_players": n, "player_trades": True} for n in (2, 3, 5)),
    {"game": "world", "num_players": 1, "partner": "burattino", "years": 4},
    {"game": "world", "num_players": 2, "continent": "north_america", "parents": "mixed", "years": 2},
    {"game": "world", "num_players": 3, "continent": "europe", "years": 1},
]


def walked(options, seed=1, steps=200):
    """A game played at random: each state with the action taken there and the state after it."""
    rng, game = random.Random(seed), vitienv.Game.new(seed=seed, **options)
    for _ in range(steps):
        if game.is_over:
            return
        legal = game.legal_actions()
        action = rng.choice([name for name in legal if name != "pass"] or legal)
        before = game.copy()
        yield before, action, game.step(action)


def people(game):
    return [YOU, *(f"bot{seat}" for seat in range(1, game.num_players))]


# Cards.


def test_all_cards_have_texts():
    assert set(cards.CARDS) >= {*CARD_IDS, *(row.id for row in (*MAMAS, *PAPAS, *AUTOMA_CARDS))}
    for card in cards.CARDS.values():
        assert card.title and card.kind and card.short and card.text.endswith(".") and "_" not in card.text


def numbers_of_row(row):
    """Return the amounts in the source of a visitor's row with the nouns that must follow them."""
    nouns = {"lira": "lira", "vp": "point", "order": "wine order", "vine": "vine card", "summer": "summer visitor",
             "winter": "winter visitor", "discount": "lira", "price": "lira", "least": ""}  # fmt: skip
    numbers = [(int(n), nouns[key]) for key, n in re.findall(r"(\w+)=(\d+)", row) if key in nouns]
    things = {"harvest": "field", "make": "wine", "plant": "vine"}
    numbers += [(int(n), things[verb]) for verb, n in re.findall(r"(\w+)\(up_to=(\d+)", row)]
    numbers += [(int(n), "lira") for n in re.findall(r"train\((\d+)", row)]
    return numbers + [(int(n), "card") for n in re.findall(r"\bdiscard\((\d+)", row)]


def rows_of_visitors():
    """The source of each visitor's row, by its id."""
    rows = {}
    for module in (summer, winter):
        source = inspect.getsource(module)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and node.args and getattr(node.args[0], "value", None) in cards.CARDS:
                rows[node.args[0].value] = ast.get_source_segment(source, node)
    return rows


ROWS = rows_of_visitors()


@pytest.mark.parametrize("card", [row.id for row in cards.VISITORS])
def test_texts_of_visitors_have_the_numbers_of_their_rows(card):
    text, row = cards.CARDS[card].text.lower(), ROWS[card]
    for n, noun in numbers_of_row(row):
        if n == 0:
            assert "without paying" in text
        elif n == 1 and noun not in ("lira", "point"):
            assert not noun or re.search(rf"an? {noun}", text), (row, text)
        else:
            assert re.search(rf"\b{n}\b[^.;:]*{noun}", text), (row, text)


def test_parts_require_a_sentence():
    rows = Parts(PartOp, speak=True)
    with pytest.raises(ValueError, match="part AGE_ALL must have a sentence"):
        rows.add(PartOp.AGE_ALL, needs=NOTHING, does=print, worth=0)


def test_question_without_text_is_the_name_of_the_decision(monkeypatch):
    """An added decision can be played without a text."""
    monkeypatch.delitem(prompts.TEXTS, "papa_gift")
    assert WORDS.question(vitienv.Game.new(num_players=2, seed=3)) == "Papa gift?"


def test_texts_of_other_cards_have_all_numbers():
    for vine in VINES:
        text = cards.CARDS[vine.id].short
        assert [f"{colour} {n}" in text for colour, n in (("red", vine.red), ("white", vine.white))] == [
            vine.red > 0, vine.white > 0,
        ]  # fmt: skip
        assert ("trellis" in text, "irrigation" in text) == (vine.trellis, vine.irrigation)
    for order in ORDERS:
        text = cards.CARDS[order.id].short
        assert all(f"{WINES[kind]} {min_value}" in text for kind, min_value in order.wines)
        assert f"{order.vp} points" in text and f"+{order.residual} a year" in text
    for mama in MAMAS:
        gifts = cards.CARDS[mama.id].short
        assert gifts.count("2") == sum(n == 2 for n in mama[1:]) and len(re.split(r", | and ", gifts)) == sum(
            n > 0 for n in mama[1:]
        )
    for papa in PAPAS:
        text = cards.CARDS[papa.id].text
        assert f"{papa.lira} lira" in text and f"or {papa.gift_lira} more lira" in text
    for automa in AUTOMA_CARDS:
        text = cards.CARDS[automa.id].text
        assert all(act_name(act) in text for act in (*automa.summer, *automa.winter))


def test_explain_accepts_any_spelling():
    assert WORDS.explain("Jack of all trades") == WORDS.explain("jack_of_all_trades") == WORDS.explain("jack")
    assert "white 3 and blush 7" in WORDS.explain("order 29")[0] and WORDS.explain("order_29") == WORDS.explain(
        "ORDER 29"
    )
    assert len(WORDS.explain("yoke")) == 2  # a structure, and what a worker does there
    assert WORDS.explain("nonsense") == [] and all(WORDS.explain(topic) for topic in WORDS.topics())
    assert {*ACTS, *STRUCTURES} <= set(WORDS.topics()) and len(STRUCTURE_TEXTS) == len(STRUCTURES)


def test_explain_uses_the_ruleset():
    """Irrigation is cheaper in the original edition, which knows no trade in fields."""
    original = vitienv.Game.new(ruleset="original", num_players=2, seed=1)
    assert "for 3 lira" in WORDS.explain("irrigation")[0] and "for 2 lira" in WORDS.explain("irrigation", original)[0]
    assert "bought back" in WORDS.explain("field")[0] and "bought back" not in WORDS.explain("field", original)[0]


def test_explain_describes_legal_options():
    game = vitienv.Game.new(num_players=2, seed=3)
    [text] = WORDS.explain("option:1", game)
    assert "medium cellar" in text and WORDS.explain("option:1") == []


# Questions and choices.


def test_every_decision_has_a_question():
    assert [name for name in vitienv.game_spec().decisions if name not in prompts.TEXTS] == []


@pytest.mark.parametrize("options", TABLES + OTHER_GAMES, ids=str)
def test_random_games_are_described(options):
    """Every choice has a title of its own, every move a sentence, in plain characters that any terminal has."""
    for before, action, after in walked(options, steps=200 if options in TABLES else 900):
        names, words = people(before), before.game_spec.text_module
        question, choices, actions = (
            words.question(before, names),
            core_words.choices(before, names),
            before.legal_actions(),
        )
        assert question[-1] in ".?" and [choice.action for choice in choices] == actions
        assert len({(choice.group, choice.title) for choice in choices}) == len(choices)
        assert all(choice.title for choice in choices)
        sentences = words.describe_move(before, after, action, names, 0)
        others = words.describe_move(before, after, action, names, before.num_players - 1)
        assert sentences and all(sentences) and others and all(others)
        table = words.table(before, 0, names, 80)
        assert max(map(len, table.splitlines())) <= 80
        texts = [question, *sentences, *others, *(choice.title + choice.text for choice in choices)]
        text = "\n".join([table, *texts])
        assert text.isascii() and not set("_{") & set(text), text
        assert not [name for name in actions if ":" in name and any(name in text for text in texts)]


def position(hand=(), **seat):
    """A table of two at the start of a summer turn; the first seat has the cards and `seat`, the other has passed."""
    cards_by_deck = {"vine": [], "order": [], "summer": [], "winter": []}
    for card in hand:
        deck, _, name = card.partition(":")
        cards_by_deck[deck].append(name)
    seat_data = {"wake_up": 1, "hand": cards_by_deck, **seat}
    return vitienv.Game.from_dict(
        {"num_players": 2, "year": 2, "season": "summer", "seats": [seat_data, {"wake_up": 2, "passed": True}]}
    )


def test_question_about_the_gift_of_a_papa():
    game = vitienv.Game.new(num_players=2, seed=3)
    papa = PAPAS[int(game.state.papas[game.current_seat, 0])]
    assert papa.id.capitalize() in WORDS.question(game) and f"{papa.lira} lira" in WORDS.question(game)
    first, second = core_words.choices(game)
    assert (first.title, second.title) == ("The medium cellar", f"{papa.gift_lira} lira")


def test_prices_include_the_discount_of_the_card():
    game = position(["summer:blacksmith"], lira=5)
    game.step("place:play_summer_visitor:plain:regular").step("card:summer:blacksmith")
    assert WORDS.question(game) == "Blacksmith: Build a structure for 2 lira less. You have 5 lira."
    prices = {choice.title: choice.text.partition(":")[0] for choice in core_words.choices(game)}
    assert prices["Trellis"] == "free" and prices["Windmill"] == "3 lira"


@pytest.mark.parametrize(
    "ruleset, first, line", [("essential", "Field 5", "5: empty"), ("original", "Field A", "A (limit 6): empty")]
)
def test_names_of_fields(ruleset, first, line):
    """By their capacities, or by letters if those are equal."""
    seats = [{"wake_up": 1, "hand": {"vine": ["malvasia"]}}, {"wake_up": 2}]
    game = vitienv.Game.from_dict({"ruleset": ruleset, "season": "summer", "seats": seats})
    assert f"fields      {line}; " in WORDS.table(game, 0, [YOU, "bot"])
    game.step("place:plant_vine:plain:regular").step("card:vine:malvasia")
    assert core_words.choices(game)[0].title == first


def test_picks_of_a_discard_include_all_cards():
    """The engine takes the cards in order; a person sees all of them."""
    game = position(["summer:auctioneer", "vine:pinot", "order:order_01", "winter:queen"])
    game.step("place:play_summer_visitor:plain:regular").step("card:summer:auctioneer").step("option:1")
    assert WORDS.question(game) == "Auctioneer: Discard 2 cards from your hand."
    assert "card:winter:queen" not in game.legal_actions()
    picks = WORDS.picks(game)
    assert picks.n == 2 and [choice.action for choice in picks.choices] == [
        "card:vine:pinot", "card:order:order_01", "card:winter:queen",
    ]  # fmt: skip


def test_question_mentions_the_temporary_worker():
    seat_data = {"wake_up": 7, "workers": {"regular": 1, "grande": 0, "temporary": 1}}
    seats = [seat_data, {"wake_up": 2, "passed": True}]
    game = vitienv.Game.from_dict({"num_players": 2, "year": 2, "season": "summer", "seats": seats})
    assert "1 worker and the temporary worker left (the temporary one goes last)" in WORDS.question(game)


def in_winter(hand, **seat_data):
    """A position of two at the start of a winter turn of the first seat."""
    seats = [
        {"wake_up": 1, "hand": hand, **seat_data},
        {"wake_up": 2, "hand": {"summer": ["broker", "planner"]}, "lira": 3},
    ]
    return vitienv.Game.from_dict({"num_players": 2, "year": 2, "season": "winter", "seats": seats})


VISITOR, ORDER = "place:play_winter_visitor:plain:regular", "place:fill_order:plain:regular"
CELLARS = ["medium_cellar", "large_cellar"]
RARE = {
    "fill_order": ({"order": ["order_01"]}, {"cellar": {"red": [3, 6]}, "structures": CELLARS[:1]}, [ORDER],
                   "Fill which order?", {"Order 01": "red 5 for 2 points, +1 a year"}),
    "choose_wine": ({"order": ["order_01"]}, {"cellar": {"red": [5, 6]}, "structures": CELLARS[:1]},
                    [ORDER, "card:order:order_01"], "The order needs red 5. Use which wine for red 5?",
                    {"Red wine 5": "", "Red wine 6": ""}),
    "discard_grape": ({"winter": ["exporter"]}, {"crush_pad": {"red": [1, 4]}},
                      [VISITOR, "card:winter:exporter", "option:3"], "Exporter: Discard which grape?",
                      {"Red grape 1": "", "Red grape 4": ""}),
    "discard_wine": ({"winter": ["judge"]}, {"cellar": {"red": [2, 5], "white": [4]}, "structures": CELLARS[:1]},
                     [VISITOR, "card:winter:judge", "option:2"], "Judge: Discard which wine of value 4 or more?",
                     {"Red wine 5": "", "White wine 4": ""}),
    "age_wine": ({"winter": ["master_vintner"], "order": ["order_01"]},
                 {"cellar": {"red": [5]}, "structures": CELLARS[:1]},
                 [VISITOR, "card:winter:master_vintner", "option:2", "option:1"],
                 "Master Vintner: Age which wine by 1?", {"Red wine 5": ""}),
    "choose_card": ({"winter": ["caravan"]}, {}, [VISITOR, "card:winter:caravan"],
                    "Caravan: Keep 2 of the revealed cards.", None),
    "give_card": ({"winter": ["queen"]}, {}, [VISITOR, "card:winter:queen", "option:2"],
                  "Queen: Choose 2 cards to give to bot0.", None),
}  # fmt: skip


@pytest.mark.parametrize("decision", RARE)
def test_rare_questions(decision):
    """Questions that play at random seldom reaches, with their choices."""
    hand, words, steps, question, titles = RARE[decision]
    game = in_winter(hand, **words)
    for action in steps:
        game.step(action)
    names = ["bot0", "bot1"]
    assert game.decision == decision and WORDS.question(game, names) == question
    choices = core_words.choices(game, names)
    assert titles is None or {choice.title: choice.text for choice in choices} == titles
    before, action = game.copy(), game.legal_actions()[0]
    game.step(action)
    assert WORDS.describe_move(before, game, action, names)[0].startswith(f"{names[before.current_seat]} ")


# Results of moves.


def test_sentence_of_a_move_has_its_results():
    game = position(lira=3)
    before, action = game.copy(), "place:give_tour:plain:regular"
    game.step(action)
    assert WORDS.describe_move(before, game, action, [YOU, "bot"], 0) == [
        "You place a worker on Give tour; +2 lira (now 5)."
    ]
    assert WORDS.describe_move(before, game, action, ["bot", YOU], 1) == [
        "bot places a worker on Give tour; +2 lira (now 5)."
    ]


@pytest.mark.parametrize("options", TABLES[:3], ids=str)
def test_drawn_cards_of_other_seats_are_not_named(options):
    """Cards drawn by other seats are described by deck, unless they are public."""
    for before, action, after in walked(options, seed=2):
        sentence = " ".join(WORDS.describe_move(before, after, action, people(before), 0))
        for seat in range(1, before.num_players):
            for kind, name in enumerate(CARD_IDS):
                new = after.state.hand[seat, kind] > before.state.hand[seat, kind]
                is_known = after.state.shown[seat, kind] or name in action or after.state.hand[0, kind]
                if new and not is_known:
                    title = cards.CARDS[name].title
                    assert not re.search(rf"(?<!Uncertified ){title}", sentence), sentence


@pytest.mark.parametrize("skip_forced", [False, True])
def test_a_vine_is_named_to_other_seats_once_planted(skip_forced):
    counts = {0: 0, 1: 0}
    for before, action, after in walked({"num_players": 3, "skip_forced": skip_forced}, seed=3, steps=400):
        if before.decision not in ("plant_vine", "plant_field") or action == "done":
            continue
        is_planted = (after.state.vines[before.current_seat] > before.state.vines[before.current_seat]).any()
        vine = int(before.state.frames[before.state.depth - 1, Frame.P0])
        name = action.rpartition(":")[2] if before.decision == "plant_vine" else CARD_IDS[vine]
        for viewer in range(3):
            text = WORDS.describe_move(before, after, action, ["a", "b", "c"], viewer)[0]
            is_named = cards.CARDS[name].title in text
            assert is_named == is_planted or viewer == before.current_seat, text
        counts[int(is_planted)] += 1
    assert counts[1] > 3 and (counts[0] > 3 or skip_forced)


def test_card_and_workers_of_the_automa():
    game = vitienv.Game.new(ruleset="solo", seed=3)
    text = []
    while game.phase != "summer":
        before, action = game.copy(), game.legal_actions()[0]
        game.step(action)
        text = WORDS.describe_move(before, game, action, [YOU], 0)
    row = next(row for i, row in enumerate(AUTOMA_CARDS) if not game.state.automa_deck[i])
    line = text[-1]
    assert line.startswith(f"The Automa reveals Automa {row.id[-2:]}")
    assert [act_name(act) in line for act in row.summer] == [True] * len(row.summer)
    assert "20 points" in WORDS.aim(game) and "Year 1 of 7" in WORDS.table(game, 0, [YOU])


# Other games.


def test_default_texts():
    game = vitienv.Game.new(game=toy.__name__, num_players=3, seed=1)
    words = game.game_spec.text_module
    before = game.copy()
    assert [choice.title for choice in core_words.choices(game)] == game.legal_actions()
    assert words.question(game) and words.picks(game) is None and words.explain("keep", game) == []
    game.step("keep")
    names = ["a", "b", "c"]
    assert "keep" in words.describe_move(before, game, "keep", names)[0] and words.table(game, 0, names)


@pytest.mark.parametrize("options", [{"num_players": 3}, {"game": "world"}, {"game": "toscana"}], ids=str)
def test_seats_and_rounds_count_from_one(options):
    """In all that people read without names: drawings, tables, sentences, lists of moves."""
    game = vitienv.Game.new(seed=1, **options)
    sat = display_names([""] * game.num_players)
    assert sat == [f"seat {number}" for number in range(1, game.num_players + 1)]
    assert display_names(["random", "heuristic", "random"]) == ["random 1", "heuristic", "random 3"]
    assert display_names(["level:5", "level:3", "level:3"]) == ["level 5", "level 3 in seat 2", "level 3 in seat 3"]
    assert display_names([PERSON, "random", PERSON]) == ["Person 1", "random", "Person 2"]
    for before, action, after in walked(options, steps=60):
        text_module = after.game_spec.text_module
        text = [
            text_module.question(before),
            *text_module.describe_move(before, after, action, sat),
            text_module.table(after, 0, sat),
        ]
        text += [core_words.render(after), *(choice.name for choice in core_words.choices(after))]
        read = " ".join([*text, *re.findall(r">([^<>]+)<", after.svg(0))]).lower()
        assert not re.search(r"seat 0|year 0|round 0", read)
    last = f"Seat {game.num_players}"
    assert last in re.sub(r"<[^>]*>", " ", after.svg(0)) and not re.search(rf"{last[:-1]}{game.num_players + 1}", read)
    listed = "\n".join(lines(after.log, after))
    assert "\nSet-up: " in listed and last.lower() in listed and not re.search(r"(?i)seat 0|(year|round) 0", listed)


@pytest.mark.parametrize("game", ["viticulture", "toscana", "tests.toy.game_spec"])
def test_text_modules_have_the_same_interface(game):
    seat_data = vitienv.game_spec(game).text_module
    functions = "question choice picks aim describe_move explain topics component_aliases table"
    for name in functions.split():
        plain = inspect.signature(getattr(core_words, name))
        assert list(inspect.signature(getattr(seat_data, name)).parameters) == list(plain.parameters), name
