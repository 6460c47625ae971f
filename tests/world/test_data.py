"""World's data: the rows that the rules read, their marks, and what an owner's file may not say."""

from copy import deepcopy

import pytest

from vitienv.world.components import facts, read
from vitienv.world.continents import RuleCol
from vitienv.world.enums import CONTINENTS, LETTERS, Place
from vitienv.world.language import WorldPart, effect
from vitienv.world.tables import DEFAULT, tables


def test_stand_ins_are_marked():
    """Events, tiles except known ones, and parents."""
    data = facts()
    europe = next(row for row in data["continents"]["continent"] if row["id"] == "europe")
    red = next(row for row in data["red_blue_cards"]["red"] if row["id"] == "red_07")
    tiles = {row["letter"]: row for row in data["innovation_tiles"]["rectangular"]}
    for entry in (*europe["event"], red, tiles["E"], data["board"]["influence_track"]):
        assert entry["reconstructed"] is True
    assert "reconstructed" not in tiles["F"] and "reconstructed" not in data["board"]["victory"]


def test_digest_covers_rules_but_no_texts():
    """The digest is independent of texts."""
    components = {"continents": {"continent": [{"id": "asia", "theme": "other words"}]}}
    assert tables(components).digest == DEFAULT.digest
    assert tables({"board": {"influence_track": {"end": 11}}}).digest != DEFAULT.digest


def test_custom_rectangle_replaces_one_tile():
    changed = tables(effect_of("C", {"op": "tour", "lira": 6}))
    assert changed.parts[changed.row[1, Place.GIVE_TOUR], 0].tolist() == [WorldPart.TOUR, 6, 0, 0, 1]
    assert (changed.price == DEFAULT.price).all()


def test_letters_of_actions_are_data():
    """Exchange A and B (O8)."""
    actions = {action["letter"]: action for action in deepcopy(facts()["board"]["action"])}
    a, b = actions["A"] | {"letter": "B"}, actions["B"] | {"letter": "A"}
    changed = tables({"board": {"action": [a, b]}})
    assert LETTERS[changed.letter_of_place[Place.DRAW_VINE]] == "B"
    assert changed.neighbour[Place.DRAW_VINE, 0] == Place.PLAY_SUMMER_VISITOR


def effect_of(letter, *atoms, **keys):
    return {"innovation_tiles": {"rectangular": [{"letter": letter, "effect": list(atoms), **keys}]}}


def first_event(num_events=6, **keys):
    """Return components with an event on top of the deck of Asia."""
    asia = next(row for row in facts()["continents"]["continent"] if row["id"] == "asia")
    events = [{**keys, "number": 1}, *deepcopy(asia["event"][1:num_events])]
    return {"continents": {"continent": [{"id": "asia", "event": events}]}}


def goal(num_events=6, **changes):
    asia = next(row for row in facts()["continents"]["continent"] if row["id"] == "asia")
    return first_event(num_events, **asia["event"][2] | changes)


def counter_of(continent, **keys):
    return {"continents": {"continent": [{"id": continent, "rule": {"counter": keys}}]}}


LIRA = [{"op": "lira", "n": 1}]
VISITOR = [{"op": "play_visitor", "season": "summer", "n": 1}]


@pytest.mark.parametrize(
    ("components", "message"),
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
        ({"board": {"influence_track": {"start_by_players": {"2": 11}}}}, "the influence at 2 seats must be"),
        ({"board": {"workers": {"regular": 5}}}, "workers.regular must be 4, with at most one hat each, got 5"),
        ({"red_blue_cards": {"blue": [{"id": "blue_01", "gift": "castle"}]}}, "gift of blue card blue_01"),
        ({"solo_partner": {"deck": {"cards": [{"number": 1, "summer": ["P"]}]}}}, "partner"),
        (3, "components must be a mapping or the path of a TOML file, got 3"),
        ("no_such_file.toml", "cannot read"),
        (goal(num_events=5), "the deck of asia must have at least 6 events, got 5"),
        (goal(kind="surprise"), "unknown kind of event 1"),
        (goal(need={"metric": "songs", "at_least": 1}), "unknown metric"),
        (goal(need={"metric": "tours", "at_least": 1, "at_most": 2}), "either at_least or at_most"),
        (goal(need={"metric": "tours", "at_most": 2}), "check of event 1 of asia must be year_end"),
        (goal(action="A"), "continents.continent.asia.event.1.action of the data is not read by any rule"),
        (goal(check="late"), "unknown check of event 1 of asia 'late'"),
        (goal(need={"metric": "tours", "at_least": 1, "per_player": 1}), "must be true or false"),
        (goal(need={"metric": "tours", "at_least": 1, "each": 1}), "need.each of the data is not read by"),
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
    ids=lambda value: value[:50] if isinstance(value, str) else "",
)  # fmt: skip
def test_invalid_components_raise_in_one_line(components, message):
    with pytest.raises(ValueError) as error:
        tables(read(components))
    assert message in str(error.value) and "\n" not in str(error.value)


def test_team_payment_per_player():
    changed = tables(read(counter_of("north_america", per_player=True, at_least=3)))
    assert changed.rule[5, [RuleCol.NEED, RuleCol.PER_PLAYER, RuleCol.MINIMUM]].tolist() == [3, 1, 5]


def test_component_file_is_toml(tmp_path):
    (tmp_path / "mine.toml").write_text("[board.influence_track]\nend = 12\n")
    assert tables(read(str(tmp_path / "mine.toml"))).numbers["influence_end"] == 12
    (tmp_path / "mine.toml").write_text("[board\n")
    with pytest.raises(ValueError, match="is not TOML"):
        read(str(tmp_path / "mine.toml"))


def test_choices_of_a_tile_must_be_sales():
    with pytest.raises(ValueError, match="each choice of a tile must be one of: sell_grapes"):
        effect([{"op": "choose", "of": [[{"op": "lira", "n": 1}]]}], "a tile")


def test_every_continent_gives_at_least_three_steps():
    """The advice of 3 to 5 steps from events (W96): rule and cards 1 to 6 together."""
    for i, name in enumerate(CONTINENTS):
        events = DEFAULT.data["continents"]["continent"][i]["event"][:6]
        assert DEFAULT.rule[i, RuleCol.MAX_STEPS] + sum(event["influence_max"] for event in events) >= 3, name
