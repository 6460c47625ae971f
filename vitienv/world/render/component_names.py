"""Names and texts of World's components: places, tiles, events, aims and cards; stand-ins are marked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from vitienv.viticulture.render.text.phrases import a, count, lira, listed, plain, points, sentence
from vitienv.world.enums import LETTERS, N_ACTIONS_ON_BOARD, N_LETTERS, OVALS, PLACES, Oval, Place, Tile
from vitienv.world.positions.keys import tile_words
from vitienv.world.render.effects import effect, has, need, price
from vitienv.world.tables import DEFAULT, Tables

ARROWS = {"left": "to its left", "right": "to its right", "up": "above it", "down": "below it"}
WHO = {"actor": "the seat that goes there", "trained": "a trained worker there", "all": "everybody"}
GIFT_TEXTS = {
    "victory_point": "1 point", "grape_value_1_any_colour": "a grape of value 1",
    "visitor_card_any_season": "a visitor",
}  # fmt: skip
RED_CARDS = {"vine": "vine card", "wine_order": "order", "summer_visitor": "summer visitor",
             "winter_visitor": "winter visitor"}  # fmt: skip
YEAR_ROUND = {Place.GAIN_LIRA: "gain lira", Place.YOKE: "your yoke", Place.EVENT: "this year's event"}


class Component(NamedTuple):
    """A component. word: its key. is_stand_in: invented, as the printed component is not documented."""

    word: str
    title: str
    text: str
    is_stand_in: bool


class Components:
    """Components of some data."""

    def __init__(self, tables: Tables = DEFAULT) -> None:
        self.tables, self.data = tables, tables.data
        self._actions = {entry["letter"]: entry for entry in self.data["board"]["action"]}
        self._rectangles = {entry["letter"]: entry for entry in self.data["innovation_tiles"]["rectangular"]}
        self._continents = {entry["id"]: entry for entry in self.data["continents"]["continent"]}

    # The board.

    def letter(self, place: int) -> str:
        """Return the letter of an action on the board, "" for a year-round place."""
        return LETTERS[int(self.tables.letter_of_place[place])] if place < N_ACTIONS_ON_BOARD else ""

    def place(self, letter: str) -> int:
        """Return the place of a letter."""
        return int(self.tables.place_of_letter[LETTERS.index(letter)])

    def name(self, place: int) -> str:
        """Return the name of a place: "K Harvest field"."""
        if place >= N_ACTIONS_ON_BOARD:
            return YEAR_ROUND[Place(place)].capitalize()
        return f"{self.letter(place)} {plain(PLACES[place]).capitalize()}"

    def does(self, place: int, has_rectangle: bool) -> str:
        """Return the effect and price of an action, as printed or with its rectangle."""
        if place == Place.GAIN_LIRA:
            return effect(self.data["board"]["year_round"]["effect"])
        if place == Place.YOKE:
            return "uproot a vine or harvest a field, once a year"
        if place == Place.EVENT:
            return "what the card says"
        letter = self.letter(place)
        entry = self._rectangles[letter] if has_rectangle else self._actions[letter]
        text = effect(entry.get("effect", []), bool(entry.get("vp_needs_all")))
        cost = price(entry.get("cost", []))
        return f"{text}, for {lira(cost)}" if cost else text

    def cover(self, place: int) -> str:
        """Return the gain or price of putting an oval on an action, "" if there is none."""
        n = int(self.tables.cover[place])
        return f"brings {lira(n)}" if n > 0 else f"costs {lira(-n)}" if n < 0 else ""

    # Tiles.

    def oval(self, oval: int) -> str:
        """Return the bonus of an oval."""
        entry = self.data["innovation_tiles"]["oval"][oval]
        if oval >= Oval.LEFT:
            return f"the bonus of the oval {ARROWS[OVALS[oval]]}"
        return effect(entry.get("bonus", []))

    def tile(self, word: str) -> Component:
        """Return a tile by its word."""
        if word in LETTERS:
            entry = self._rectangles[word]
            place = self.place(word)
            text = f"On {self.name(place)} for the rest of the game: {self.does(place, True)}"
            return Component(f"tile:{word}", f"Rectangle {word}", sentence(text), _is_stand_in(entry))
        entry = self.data["innovation_tiles"]["oval"][OVALS.index(word)]
        gain = self.oval(OVALS.index(word))
        verb = "" if gain.split()[0] in ("draw", "age", "lose") else "have "
        text = f"Goes on any action: any number of workers, and trained ones may {verb}{gain}"
        return Component(f"tile:{word}", f"Oval {plain(word)}", sentence(text), _is_stand_in(entry))

    @cached_property
    def tiles(self) -> list[Component]:
        """All rectangles and ovals."""
        return [self.tile(word) for word in (*LETTERS, *OVALS)]

    # Continents.

    def rule(self, continent: str) -> Component:
        """Return the rule of a continent."""
        entry = self._continents[continent]
        text = entry["rule"].get("text", "")
        return Component(continent, entry.get("name", plain(continent).title()), text, _is_stand_in(entry["rule"]))

    def event(self, continent: str, number: int) -> Component:
        """Return an event card by its number from 1."""
        entry = self._continents[continent]["event"][number - 1]
        name = entry.get("name", f"Event {number}")
        return Component(f"event:{continent}:{number}", name, sentence(_event(entry, self)), _is_stand_in(entry))

    def events(self, continent: str) -> list[Component]:
        """Return all event cards of a continent."""
        return [self.event(continent, number + 1) for number in range(len(self._continents[continent]["event"]))]

    def aim(self, number: int) -> Component:
        """Return an aim of Europe by its number from 1."""
        entry = next(aims[number - 1] for continent in self._continents.values() if (aims := continent.get("aim")))
        title, text = entry.get("name", f"Aim {number}"), sentence(need(entry["need"]))
        return Component(f"aim:{number}", title, text, _is_stand_in(entry))

    @cached_property
    def aims(self) -> list[Component]:
        """All aims."""
        n = next(len(entry["aim"]) for entry in self._continents.values() if "aim" in entry)
        return [self.aim(number + 1) for number in range(n)]

    @cached_property
    def parents(self) -> list[Component]:
        """All red and blue cards."""
        cards, parents_of = self.data["red_blue_cards"], []
        for card in cards["red"]:
            gains = [count(card[key], word) for key, word in RED_CARDS.items() if card.get(key)]
            gains += [lira(card["lira"])] if card.get("lira") else []
            parents_of.append(_parent(card, listed(gains)))
        for card in cards["blue"]:
            gift = GIFT_TEXTS.get(card["gift"]) or a(1, plain(card["gift"]))
            parents_of.append(_parent(card, f"{lira(card['lira'])}, and {gift} or {lira(card['gift_lira'])} more"))
        return parents_of

    @cached_property
    def partner(self) -> list[Component]:
        """All cards of the simulated partner."""
        cards = []
        for i, halves in enumerate(self.tables.partner):
            seasons = []
            for season, bits in zip(("summer", "winter"), halves, strict=True):
                places = listed(self.name(place) for place in range(N_LETTERS) if int(bits) >> place & 1)
                seasons.append(f"In {season} its workers go to {places}.")
            cards.append(Component(f"partner:{i + 1}", f"Card {i + 1} of the partner", " ".join(seasons), True))
        return cards

    def ring(self, position: int) -> str:
        """Return the gain of a position of the ring."""
        gains = {entry["n"]: entry["gain"] for entry in self.data["board"]["wake_up"]["outer"]["position"]}
        return effect(gains.get(position, []))

    @cached_property
    def fall(self) -> list[str]:
        """The fall benefits that a seat chooses from."""
        return [effect(option) for option in self.data["board"]["wake_up"]["inner"]["options"]]


def _event(event: Mapping[str, Any], components: Components) -> str:
    kind, gain = event["kind"], effect(event.get("gain", []))
    place = ""
    if "action" in event:
        place = components.name(components.place(event["action"]))
    pay = effect(event["pay"]) if event.get("pay") else ""
    if kind == "space":
        seasons = {"both": "all year", "summer": "in summer", "winter": "in winter"}[event.get("season", "both")]
        return f"A place for workers {seasons}, one of each seat: " + (f"{pay}, then {gain}" if pay else gain)
    if kind == "boost":
        beneficiary = WHO[event.get("who", "actor")]
        limit = ", once a year each" if event.get("limit") == "once_per_player" else ""
        discount = f"each structure costs {lira(event['discount'])} less" if event.get("discount") else ""
        boost = f"{beneficiary} {has(event['gain'], event.get('pay', []))}{limit}" if event.get("gain") else ""
        return f"{place}: {listed([discount, boost])}"
    if kind == "tax":
        return f"{place} costs {lira(price(event['pay']))} more this year"
    if kind == "reveal":
        return f"Every seat at once: {gain}"
    if kind == "goal":
        scope = {"team": "together", "each": "every seat", "any": "one seat"}[event.get("scope", "team")]
        check = " at the year's end" if event.get("check") == "year_end" else ""
        penalty = f"; if not, every seat that can must {effect(event['penalty'])}" if event.get("penalty") else ""
        return f"{scope.capitalize()}, {need(event['need'])}{check}: {gain}{penalty}"
    flags = event.get("flags", {})
    return listed(_flag(name, value) for name, value in flags.items())


def _parent(entry: Mapping[str, Any], text: str) -> Component:
    colour, number = entry["id"].split("_")
    return Component(entry["id"], f"{colour.capitalize()} card {int(number)}", sentence(text), _is_stand_in(entry))


def _flag(name: str, value: Any) -> str:
    by_name = {
        "hand_limit": f"the hand limit is {value}",
        "wine_made_value_less": f"wine made counts {value} less",
        "lira_per_wine_made": f"each wine made brings {value} lira",
        "vp_per_order_filled": f"each order filled brings {points(value)} more",
        "year_end_grapes_do_not_age": "grapes do not age at the year's end",
        "residual_payment_reduced_by": f"residual payments are {value} less",
        "irrigation_vine_plant_cost_extra": f"a vine that needs irrigation costs {value} lira more to plant",
    }
    return by_name.get(name, f"{plain(name)} {value}")


def _is_stand_in(entry: Mapping[str, Any]) -> bool:
    return entry.get("reconstructed") is True


@lru_cache
def components_of(options: Any) -> Components:
    """Return the components of a game; not cached by the digest of the data, which does not cover names."""
    return Components(options.tables)


def tile_name(word: str) -> str:
    """Return the name of a tile inside a sentence."""
    return f"rectangle {word}" if word in LETTERS else f"oval {plain(word)}"


def tiles_on_show(game: Any) -> list[str]:
    """Return the words of the tiles on show."""
    words = tile_words(game.options.tables)
    return [word for word, state in zip(words, game.state.tile, strict=True) if state == Tile.SHOWN]
