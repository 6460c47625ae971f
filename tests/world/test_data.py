"""World's data: the rows that the rules read, their marks, and what an owner's file may not say."""

from copy import deepcopy

import pytest

from vitienv.viticulture.cards import CARD_NAMES
from vitienv.viticulture.cards.parts import PartOp
from vitienv.world.components import facts, read
from vitienv.world.continents import NO_PLACE, Ev, Ru
from vitienv.world.enums import CONTINENTS, LETTERS, N_LETTERS, PLACES, UNCHANGED, EventKind, Flag, Limit, Metric, Place
from vitienv.world.language import WorldPart, effect
from vitienv.world.tables import DEFAULT, tables


def letter(place):
    return LETTERS[DEFAULT.letter_of_place[place]]


def row(number):
    """The parts of an effect, without the empty ones."""
    return [tuple(int(x) for x in part) for part in DEFAULT.parts[number] if part[0]]


def test_the_letters_of_the_sixteen_actions():
    told = {letter(Place[name.upper()]): name for name in PLACES[:N_LETTERS]}
    assert [told[each] for each in "FGHLOP"] == [
        "sell_grapes_or_field", "exchange", "innovate", "train_worker", "sell_wine", "buy_influence",
    ]  # fmt: skip
    assert "".join(letter(place) for place in range(N_LETTERS)) == LETTERS


def test_neighbours_lie_in_four_rows_that_do_not_wrap():
    neighbours = {
        letter(place): "".join(letter(other) if other != NO_PLACE else "-" for other in DEFAULT.neighbour[place])
        for place in range(N_LETTERS)
    }  # left, right, up, down
    assert neighbours["A"] == "-B-C" and neighbours["J"] == "I--L"
    assert neighbours["I"] == "BJ-K" and neighbours["D"] == "CKBF" and neighbours["P"] == "O-N-"


def test_prices_of_board_and_rectangles():
    assert {letter(p): int(DEFAULT.price[0, p]) for p in range(N_LETTERS) if DEFAULT.price[0, p]} == {
        "H": 4, "L": 4, "P": 8,
    }  # fmt: skip
    assert {letter(p): int(DEFAULT.price[1, p]) for p in range(N_LETTERS) if DEFAULT.price[1, p]} == {"H": 4, "L": 4}
    assert row(DEFAULT.row[1, Place.BUY_INFLUENCE]) == [(WorldPart.BUY_INFLUENCE, 2, 6, 0, 1)]


def test_points_of_a_rectangle_come_with_all_of_it():
    assert row(DEFAULT.row[1, Place.PLANT_VINE]) == [
        (PartOp.PLANT, 2, 0, 0, 1),
        (WorldPart.POINTS_IF_ALL, 1, Metric.PLANTS, 2, 1),
    ]


def test_two_rectangles_are_for_the_partner_alone():
    assert [letter(place) for place in range(N_LETTERS) if DEFAULT.solo_only[place]] == ["H", "N"]


def test_the_token_starts_where_the_seats_say():
    assert DEFAULT.start_influence == {1: 5, 2: 4, 3: 3, 4: 2, 5: 1, 6: 0}
    assert DEFAULT.numbers["influence_end"] == 10


def test_eight_visitors_are_left_out():
    assert len(DEFAULT.excluded) == 8 and set(DEFAULT.excluded) <= set(CARD_NAMES)


def test_greengully_has_six_spaces_and_the_others_eight_events():
    assert DEFAULT.n_events.tolist() == [6] + [8] * 6
    green = DEFAULT.event[0, :6]
    assert (green[:, Ev.KIND] == EventKind.SPACE).all() and (green[:, Ev.SEASON] == 0).all()
    assert not DEFAULT.may_shuffle[0] and DEFAULT.may_shuffle[1:].all()
    others = DEFAULT.event[1:]
    assert not ((others[:, :, Ev.KIND] == EventKind.SPACE) & (others[:, :, Ev.GAIN] > 0) & (
        others[:, :, Ev.SEASON] == 0)).any()  # fmt: skip


def test_rules_of_the_continents():
    rule = {name: DEFAULT.rule[i] for i, name in enumerate(CONTINENTS)}
    assert rule["greengully"][Ru.METRIC] == Metric.EVENT_SPACE_USES and rule["greengully"][Ru.USES_ALONE] == 2
    assert rule["asia"][Ru.LIMIT] == Limit.REPEAT and rule["asia"][Ru.SOLO_METRIC] == Metric.ACTION_G_USES
    assert rule["europe"][Ru.NEED_2] == 2 and row(rule["europe"][Ru.GAIN_2]) == [(WorldPart.INFLUENCE, 2, 0, 0, 1)]
    assert DEFAULT.rule_flags[6, Flag.IRRIGATION_VINE_PLANT_COST_EXTRA] == 1
    assert (DEFAULT.rule_flags[:6] == UNCHANGED).all()


def test_what_is_a_stand_in_says_so():
    """Every event, every face but the known ones, and both halves of the parents are marked."""
    data = facts()
    europe = next(own for own in data["continents"]["continent"] if own["id"] == "europe")
    red = next(own for own in data["red_blue_cards"]["red"] if own["id"] == "red_07")
    tiles = {own["letter"]: own for own in data["innovation_tiles"]["rectangular"]}
    for entry in (*europe["event"], red, tiles["E"], data["board"]["influence_track"]):
        assert entry["reconstructed"] is True
    assert "reconstructed" not in tiles["F"] and "reconstructed" not in data["board"]["victory"]


def test_the_digest_is_of_what_rules_read():
    """Words, reasons and marks of the data change nothing; a number does."""
    named = {"continents": {"continent": [{"id": "asia", "theme": "other words"}]}}
    assert tables(named).digest == DEFAULT.digest
    assert tables({"board": {"influence_track": {"end": 11}}}).digest != DEFAULT.digest


def test_one_tile_of_an_owner_replaces_one_face():
    given = [{"letter": "C", "effect": [{"op": "tour", "lira": 6}]}]
    own = tables({"innovation_tiles": {"rectangular": given}})
    assert own.parts[own.row[1, Place.GIVE_TOUR], 0].tolist() == [WorldPart.TOUR, 6, 0, 0, 1]
    assert (own.price == DEFAULT.price).all()


def test_the_other_reading_of_the_letters_is_data():
    """A and B may change places (O8): letters, neighbours and tiles move with them."""
    actions = {own["letter"]: own for own in deepcopy(facts()["board"]["action"])}
    a, b = actions["A"] | {"letter": "B"}, actions["B"] | {"letter": "A"}
    own = tables({"board": {"action": [a, b]}})
    assert LETTERS[own.letter_of_place[Place.DRAW_VINE]] == "B"
    assert own.neighbour[Place.DRAW_VINE, 0] == Place.PLAY_SUMMER_VISITOR


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"bored": {}}, "unknown table 'bored' in components; expected one of: "),
        ({"innovation_tiles": {"rectangular": [{"letter": "C", "effect": [{"op": "tuor"}]}]}}, "unknown word 'tuor'"),
        ({"innovation_tiles": {"rectangular": [{"letter": "C"}, {"letter": "C"}]}}, "duplicate letter 'C'"),
        ({"innovation_tiles": {"rectangular": [{"letter": "Q", "effect": []}]}}, "must be A to P"),
        ({"innovation_tiles": {"oval": [{"id": "oval_grape", "bonus": []}]}}, "one of each kind, got 13"),
        ({"innovation_tiles": {"oval": [{"id": "oval_vp", "bonus": []}]}}, "oval vp"),
        ({"continents": {"continent": [{"id": "mars"}]}}, "continents must be"),
        ({"board": {"action": [{"letter": "A", "name": "give_tour"}]}}, "must be unique, got give_tour twice"),
        ({"board": {"layout": {"rows": [["A", "B"], ["C", "C"]]}}}, "each letter from A to P"),
        (
            {"board": {"influence_track": {"start_by_players": {"2": 11}}}},
            "the influence at 2 seats must be an integer from 0 to 10, got 11",
        ),
        ({"board": {"workers": {"regular": 5}}}, "workers.regular must be 4, with at most one hat each, got 5"),
        ({"red_blue_cards": {"blue": [{"id": "blue_01", "gift": "castle"}]}}, "gift of blue card blue_01"),
        ({"solo_partner": {"deck": {"cards": [{"number": 1, "summer": ["P"]}]}}}, "partner"),
        (3, "components must be a mapping or the path of a TOML file, got 3"),
        ("no_such_file.toml", "cannot read"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(given, told):
    with pytest.raises(ValueError) as error:
        tables(read(given))
    assert told in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"event": 5}, "the deck of asia must have at least 6 events, got 5"),
        ({"event": 6, "kind": "surprise"}, "unknown kind of event 1"),
        ({"event": 6, "need": {"metric": "songs", "at_least": 1}}, "unknown metric"),
        ({"event": 6, "need": {"metric": "tours", "at_least": 1, "at_most": 2}}, "either at_least or at_most"),
        ({"event": 6, "need": {"metric": "tours", "at_most": 2}}, "check of event 1 of asia must be year_end"),
        ({"event": 6, "action": "A"}, "continents.continent.asia.event.1.action of the data is not read by any rule"),
        ({"event": 6, "check": "late"}, "unknown check of event 1 of asia: 'late'"),
        ({"event": 6, "need": {"metric": "tours", "at_least": 1, "per_player": 1}}, "must be true or false"),
        ({"event": 6, "need": {"metric": "tours", "at_least": 1, "each": 1}}, "need.each of the data is not read by"),
    ],
)
def test_what_is_wrong_with_a_deck(changes, told):
    asia = next(own for own in facts()["continents"]["continent"] if own["id"] == "asia")
    events = deepcopy(asia["event"][: changes["event"]])
    goal = deepcopy(asia["event"][2]) | {"number": 1}
    events[0] = goal | {key: value for key, value in changes.items() if key != "event"}
    with pytest.raises(ValueError) as error:
        tables({"continents": {"continent": [{"id": "asia", "event": events}]}})
    assert told in str(error.value) and "\n" not in str(error.value)


def effect_of(letter, *atoms, **keys):
    """An owner's rectangle with this effect."""
    return {"innovation_tiles": {"rectangular": [{"letter": letter, "effect": list(atoms), **keys}]}}


def first_event(**keys):
    """An owner's deck of Asia with this card on top."""
    asia = next(own for own in facts()["continents"]["continent"] if own["id"] == "asia")
    events = [{"number": 1, **keys}, *deepcopy(asia["event"][1:])]
    return {"continents": {"continent": [{"id": "asia", "event": events}]}}


def counter_of(continent, **keys):
    return {"continents": {"continent": [{"id": continent, "rule": {"counter": keys}}]}}


LIRA = [{"op": "lira", "n": 1}]
VISITOR = [{"op": "play_visitor", "season": "summer", "n": 1}]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (effect_of("F", {"op": "choose", "of": [[{"op": "sell_grapes", "min": 3}]]}), "of.1.sell_grapes.min of choose"),
        (effect_of("F", {"op": "choose", "of": [[{"op": "sell_field", "n": 2}]]}), "of.1.sell_field.n of choose"),
        (effect_of("O", {"op": "sell_wine", "lira": 4}), "lira of sell_wine in the effect of rectangle O"),
        (effect_of("L", {"op": "remove_hat", "may_be_acting_worker": False}), "may_be_acting_worker of remove_hat"),
        (effect_of("G", {"op": "exchange", "lose": [{"vp": 2}]}), "lose of exchange"),
        (effect_of("C", {"op": "tour", "lira": 3, "vp": 1}), "vp of tour"),
        (effect_of("C", {"op": "tour", "lira": 3}, vp_needs_all=True), "requires a part with points"),
        (effect_of("F", {"op": "choose", "of": [[{"op": "buy_grape"}]]}, buy_price_by_row={"low": 2}),
         "innovation_tiles.rectangular.F.buy_price_by_row of the data is not read by any rule"),
        ({"board": {"workers": {"grande": 2}}}, "board.workers.grande of the data is not read by any rule"),
        ({"board": {"grande_trade": {"partners": 2}}}, "board.grande_trade of the data is not read by any rule"),
        (effect_of("A", {"op": "draw", "deck": "any", "n": 3}), "must be 1 or 2 if a deck is chosen"),
        (effect_of("P", {"op": "buy_influence_each", "max": 11, "lira_each": 1}), "got 11"),
        (effect_of("A", {"op": "deal_aims", "n": 3}), "must be an integer from 1 to 2, got 3"),
        (first_event(kind="reveal", gain=VISITOR), "must not contain play_visitor, as it applies to every seat"),
        (first_event(kind="boost", action="C", who="all", gain=VISITOR), "gain of event 1 of asia must not contain"),
        (counter_of("asia", gain=VISITOR), "the gain of the rule of asia must not contain play_visitor"),
        ({"board": {"victory": {"years": 7}}}, "victory.years must be an integer from 1 to 6, got 7"),
        (first_event(kind="space", season="both", limit="per_taking", gain=LIRA), "event.1.limit of the data"),
        (first_event(kind="boost", action="C", limit="once_team", gain=LIRA), "unknown limit of event 1 of asia"),
        (first_event(kind="boost", action="C", who="all", pay=[{"op": "lira", "n": -1}], gain=LIRA),
         "who of event 1 of asia must be actor or trained"),
        (first_event(kind="boost", action="D", who="trained", discount=1), "discount of event 1 of asia requires who"),
        (first_event(kind="reveal", gain=LIRA, gain_to="team"), "event.1.gain_to of the data"),
        (counter_of("north_america", optional=False), "rule.counter.optional of the data"),
        (counter_of("europe", scope="any"), "rule.counter.scope of the data"),
        (counter_of("africa", at_least=2), "rule.counter.at_least of the data"),
        (counter_of("asia", limit="once_each"), "unknown limit of the rule of asia"),
    ],
    ids=lambda x: x[:50] if isinstance(x, str) else "",
)  # fmt: skip
def test_a_setting_that_no_rule_reads_is_refused(given, told):
    """Nobody is left to think that it holds."""
    with pytest.raises(ValueError) as error:
        tables(read(given))
    assert told in str(error.value) and "\n" not in str(error.value)


def test_a_payment_of_the_team_may_be_for_each_seat():
    own = tables(read(counter_of("north_america", per_player=True, at_least=3)))
    assert own.rule[5, [Ru.NEED, Ru.PER_PLAYER, Ru.MINIMUM]].tolist() == [3, 1, 5]


def test_an_owners_file_is_toml(tmp_path):
    (tmp_path / "mine.toml").write_text("[board.influence_track]\nend = 12\n")
    assert tables(read(str(tmp_path / "mine.toml"))).numbers["influence_end"] == 12
    (tmp_path / "mine.toml").write_text("[board\n")
    with pytest.raises(ValueError, match="is not TOML"):
        read(str(tmp_path / "mine.toml"))


def test_a_choice_is_among_sales():
    with pytest.raises(ValueError, match="each choice of a tile must be one of: sell_grapes"):
        effect([{"op": "choose", "of": [[{"op": "lira", "n": 1}]]}], "a tile")


def test_every_continent_can_give_three_steps_or_more():
    """The advice of 3 to 5 steps from events (W96): rule and cards 1 to 6 together."""
    for i, name in enumerate(CONTINENTS):
        events = DEFAULT.data["continents"]["continent"][i]["event"][:6]
        assert DEFAULT.rule[i, Ru.MOST] + sum(event["influence_max"] for event in events) >= 3, name
