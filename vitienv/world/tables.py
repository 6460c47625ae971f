"""World's data as integer tables for the kernels."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vitienv.core.checks import check_bool, check_choice, check_int, list_of, mapping_of
from vitienv.viticulture.enums import N_ROWS, N_STRUCTURES, STRUCTURES
from vitienv.world.components import check_all_read, digest, merge_corrections, settings_of
from vitienv.world.continents import NO_PLACE, NO_ROW, ContinentTables
from vitienv.world.enums import (
    EVENTS_IN_GAME,
    FIRST_WINTER,
    LETTERS,
    MAX_PARTNER_CARDS,
    N_ACTIONS_ON_BOARD,
    N_BLUE,
    N_LETTERS,
    N_RED,
    OVALS,
    PLACES,
    Oval,
    Place,
)
from vitienv.world.language import EXCHANGED, MAX_EFFECT_PARTS, MAX_NUMBER, effect, price

MAX_WORLD_SEATS = 6
SOLO_ONLY = ("H", "N")
# Gifts of blue cards, after the structures.
GIFT_POINT, GIFT_GRAPE, GIFT_VISITOR = N_STRUCTURES, N_STRUCTURES + 1, N_STRUCTURES + 2
GIFTS = (*STRUCTURES, "victory_point", "grape_value_1_any_colour", "visitor_card_any_season")
ACTION_ALIASES = {"pay_one_gain_one": "exchange"}  # names in the data that differ from `place:` actions


@dataclass(eq=False)
class Tables(ContinentTables):
    """Integer tables of the data. Raises ValueError for invalid data.

    `parts` contains all effects: (rows, MAX_EFFECT_PARTS, 5) op, a, b, c, times; tables of effects contain row
    indices.
    """

    data: Mapping[str, Any]
    letter_of_place: np.ndarray = field(init=False)  # (16,)
    place_of_letter: np.ndarray = field(init=False)
    neighbour: np.ndarray = field(init=False)  # (16, 4) left, right, up, down, NO_PLACE
    price: np.ndarray = field(init=False)  # (2, 16) lira, of the board and of the rectangles
    row: np.ndarray = field(init=False)  # (2, 19) effects of places
    cover: np.ndarray = field(init=False)  # (16,) lira for covering the place with an oval
    exchange: np.ndarray = field(init=False)  # (2, 4) lost, gained; by EXCHANGED
    ring: np.ndarray = field(init=False)  # (8,) effects by wake-up position
    fall: np.ndarray = field(init=False)  # (3,) alternative effects
    cottage: np.ndarray = field(init=False)  # (1,) effect
    oval: np.ndarray = field(init=False)  # (12,) effects
    solo_only: np.ndarray = field(init=False)  # (16,) by place
    red: np.ndarray = field(init=False)  # (N_RED, 5) vines, orders, summer, winter visitors, lira
    blue: np.ndarray = field(init=False)  # (N_BLUE, 3) lira, gift, lira instead
    partner: np.ndarray = field(init=False)  # (cards, 2) places as bits, by season
    partner_lira: np.ndarray = field(init=False)  # (1,) lira per season
    parts: np.ndarray = field(init=False)
    numbers: dict[str, int] = field(init=False)  # values for rule parameters
    start_influence: dict[int, int] = field(init=False)
    excluded: list[str] = field(init=False)  # excluded cards, "summer:planner"
    trainers: list[str] = field(init=False)  # excluded cards that stay if training removes hats
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        self._rows: list[list[Any]] = [[]]
        data = settings_of(self.data)
        board = data["board"]
        self._board(board)
        self._tiles(data["innovation_tiles"])
        self.read_continents(data["continents"])
        self._cards(data["red_blue_cards"], data["incompatible_cards"])
        self._partner(data["solo_partner"])
        self._numbers(board)
        check_all_read(data, "the data")
        self.parts = np.zeros((len(self._rows), MAX_EFFECT_PARTS, 5), np.int64)
        for i, parts in enumerate(self._rows):
            for j, part in enumerate(parts):
                self.parts[i, j] = part
        attributes = {name: value for name, value in vars(self).items() if name != "data"}
        self.digest = digest({k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in attributes.items()})

    def add(self, atoms: Any, label: str, needs_all: bool = False) -> int:
        """Return the row of an effect, which is added if missing."""
        parts = [list(part) for part in effect(atoms, label, needs_all)]
        if parts not in self._rows:
            self._rows.append(parts)
        return self._rows.index(parts)

    # The board.

    def _board(self, board: Mapping[str, Any]) -> None:
        actions = _by_letter(board["action"], "board.action")
        self.letter_of_place = np.zeros(N_LETTERS, np.int64)
        self.place_of_letter = np.zeros(N_LETTERS, np.int64)
        self.price, self.cover = np.zeros((2, N_LETTERS), np.int64), np.zeros(N_LETTERS, np.int64)
        self.row = np.zeros((2, len(Place)), np.int64)
        places: set[int] = set()
        for i, letter in enumerate(LETTERS):
            label, row = f"action {letter}", actions[letter]
            name = ACTION_ALIASES.get(str(row.get("name")), row.get("name"))
            place = check_choice(name, PLACES[:N_ACTIONS_ON_BOARD], f"name of {label}")
            if place in places:
                raise ValueError(f"names of the actions must be unique, got {name} twice at {label}")
            if (row.get("season") == "summer") != (place < FIRST_WINTER) or (i < N_LETTERS // 2) != (
                place < FIRST_WINTER
            ):
                raise ValueError(
                    f"season of {label} ({name}) must be summer for A to H, else winter, got {row.get('season')!r}"
                )
            places.add(place)
            self.letter_of_place[place], self.place_of_letter[i] = i, place
            self.price[0, place] = price(row.get("cost", []), f"the cost of {label}")
            if place == Place.EXCHANGE:
                self._exchange(row)
            self.row[0, place] = self.add(row["effect"], f"the effect of {label}")
            self.cover[place] = check_int(
                row.get("oval_cover_lira", 0), -MAX_NUMBER, MAX_NUMBER, f"oval_cover_lira of {label}"
            )
        self.row[:, Place.GAIN_LIRA] = self.add(board["year_round"]["effect"], "the effect of year_round")
        self._grid(board["layout"]["rows"])
        wake = board["wake_up"]
        positions = wake["outer"]["position"]
        if sorted(row.get("n", 0) for row in positions) != list(range(1, len(positions) + 1)) or not (
            MAX_WORLD_SEATS <= len(positions) <= N_ROWS
        ):
            raise ValueError(f"positions of the ring must be 6 or 7, numbered from 1, got {len(positions)}")
        self.ring = np.full(N_ROWS + 1, NO_PLACE, np.int64)
        for row in positions:
            self.ring[row["n"]] = self.add(row["gain"], f"the gain of ring position {row['n']}")
        options = wake["inner"]["options"]
        if not 1 <= len(options) <= 6:
            raise ValueError(f"options of the fall benefit must be 1 to 6, got {len(options)}")
        self.fall = np.array([self.add(option, "the fall benefit") for option in options], np.int64)
        self.cottage = np.array([self.add(wake["inner"]["cottage_extra"], "the cottage's card")], np.int64)

    def _exchange(self, action: Mapping[str, Any]) -> None:
        """Fill the amounts of action G."""
        atom = mapping_of(list_of(action["effect"], "the exchange")[0], "the exchange")
        self.exchange = np.zeros((2, len(EXCHANGED)), np.int64)
        for side, key in enumerate(("lose", "gain")):
            for amount in list_of(atom.get(key), f"{key} of the exchange"):
                kinds = [kind for kind in EXCHANGED if kind in mapping_of(amount, f"{key} of the exchange")]
                if len(kinds) != 1:
                    raise ValueError(f"{key} of the exchange must have one of: {', '.join(EXCHANGED)}")
                self.exchange[side, EXCHANGED.index(kinds[0])] = check_int(
                    amount[kinds[0]], 1, MAX_NUMBER, f"{kinds[0]} exchanged"
                )
        if (self.exchange[:, 2] > 1).any() or (self.exchange[1, 0] > 2):
            raise ValueError("the exchange must lose and gain at most one grape, and gain at most two cards")

    def _grid(self, rows: Any) -> None:
        """Fill the neighbours on the board; rows and columns do not wrap."""
        listed = [list_of(row, "a row of the board") for row in list_of(rows, "the rows of the board")]
        if sorted(letter for row in listed for letter in row) != list(LETTERS) or len({len(row) for row in listed}) > 1:
            raise ValueError(f"the rows of the board must have each letter from A to P once, got {listed}")
        self.neighbour = np.full((N_LETTERS, 4), NO_PLACE, np.int64)
        at = {letter: (y, x) for y, row in enumerate(listed) for x, letter in enumerate(row)}
        for letter, (y, x) in at.items():
            for i, (dy, dx) in enumerate(((0, -1), (0, 1), (-1, 0), (1, 0))):
                if 0 <= y + dy < len(listed) and 0 <= x + dx < len(listed[0]):
                    neighbour = LETTERS.index(listed[y + dy][x + dx])
                    place = self.place_of_letter[LETTERS.index(letter)]
                    self.neighbour[place, i] = self.place_of_letter[neighbour]

    # Tiles.

    def _tiles(self, tiles: Mapping[str, Any]) -> None:
        rectangles = _by_letter(tiles["rectangular"], "innovation_tiles.rectangular")
        self.solo_only = np.zeros(N_LETTERS, np.int64)
        for i, letter in enumerate(LETTERS):
            tile, place, label = rectangles[letter], int(self.place_of_letter[i]), f"rectangle {letter}"
            self.solo_only[place] = check_bool(tile.get("solo_only", False), f"solo_only of {label}")
            self.price[1, place] = price(tile.get("cost", []), f"the cost of {label}")
            needs_all = check_bool(tile.get("vp_needs_all", False), f"vp_needs_all of {label}")
            self.row[1, place] = self.add(tile["effect"], f"the effect of {label}", needs_all)
        ovals = {str(tile.get("id", "")).removeprefix("oval_"): tile for tile in tiles["oval"]}
        words = {"order_card": "order", "vine_card": "vine", "summer_visitor_card": "summer",
                 "winter_visitor_card": "winter", "arrow_left": "left", "arrow_right": "right", "arrow_up": "up",
                 "arrow_down": "down"}  # fmt: skip
        ovals_by_word = {words.get(word, word): tile for word, tile in ovals.items()}
        if sorted(ovals_by_word) != sorted(OVALS) or len(tiles["oval"]) != len(OVALS):
            raise ValueError(
                f"ovals must be 12, one of each kind, got {len(tiles['oval'])}: {', '.join(ovals_by_word)}"
            )
        self.oval = np.zeros(len(OVALS), np.int64)
        for i, word in enumerate(OVALS):
            self.oval[i] = self.add(ovals_by_word[word].get("bonus", []), f"the bonus of oval {word}")
            if (self.oval[i] == NO_ROW) != (i >= Oval.LEFT):
                raise ValueError(f"bonus of oval {word} must be empty for an arrow and set for other ovals")

    # Cards, the partner, numbers.

    def _cards(self, cards: Mapping[str, Any], excluded: Mapping[str, Any]) -> None:
        self.red, self.blue = np.zeros((N_RED, 5), np.int64), np.zeros((N_BLUE, 3), np.int64)
        for key, n in (("red", N_RED), ("blue", N_BLUE)):
            if len(cards[key]) != n:
                raise ValueError(f"{key} cards must be {n}, got {len(cards[key])}")
        for i, card in enumerate(cards["red"]):
            keys = ("vine", "wine_order", "summer_visitor", "winter_visitor", "lira")
            self.red[i] = [check_int(card.get(key, 0), 0, MAX_NUMBER, f"{key} of {card.get('id')}") for key in keys]
        for i, card in enumerate(cards["blue"]):
            label = f"blue card {card.get('id')}"
            gift = check_choice(card.get("gift"), GIFTS, f"gift of {label}")
            amounts = [check_int(card.get(key), 0, MAX_NUMBER, f"{key} of {label}") for key in ("lira", "gift_lira")]
            self.blue[i] = amounts[0], gift, amounts[1]
        self.excluded = sorted(
            f"{deck}:{name.lower().replace(' ', '_')}"
            for deck, name, is_out, its_set in (
                [entry.get(key) for key in ("deck", "name", "default_excluded", "set")] for entry in excluded["card"]
            )
            if is_out is True and its_set == "essential"
        )
        trainers = excluded["readings"]["kept_under_b_essential_winter"]
        self.trainers = [f"winter:{name.lower().replace(' ', '_')}" for name in list_of(trainers, "kept_under_b")]

    def _partner(self, partner: Mapping[str, Any]) -> None:
        cards = partner["deck"]["cards"]
        if not 2 * EVENTS_IN_GAME <= len(cards) <= MAX_PARTNER_CARDS:
            raise ValueError(f"cards of the partner must be 12 to {MAX_PARTNER_CARDS}, got {len(cards)}")
        lira = check_int(partner["numbers"]["lira_each_season"], 0, MAX_NUMBER, "lira_each_season")
        self.partner_lira = np.array([lira], np.int64)
        self.partner = np.zeros((len(cards), 2), np.int64)
        for i, card in enumerate(cards):
            for j, season in enumerate(("summer", "winter")):
                for letter in list_of(card.get(season), f"partner card {i + 1}"):
                    at = check_choice(letter, list(LETTERS), f"letter of partner card {i + 1}")
                    if (at >= N_LETTERS // 2) != (j == 1):
                        raise ValueError(f"letter of partner card {i + 1} must be an action of {season}, got {letter}")
                    self.partner[i, j] |= 1 << int(self.place_of_letter[at])

    def _numbers(self, board: Mapping[str, Any]) -> None:
        track, points = board["influence_track"], board["vp_track"]
        workers, scaling = board["workers"], board["scaling"]
        if workers["hats_yellow"] + workers["hats_blue"] > workers["regular"] or workers["regular"] != 4:
            raise ValueError(f"workers.regular must be 4, with at most one hat each, got {workers['regular']}")
        end = check_int(track["end"], 1, 100, "the end of the influence track")
        starts = {int(n): check_int(at, 0, end, f"the influence at {n} seats")
                  for n, at in track["start_by_players"].items()}  # fmt: skip
        if sorted(starts) != list(range(1, MAX_WORLD_SEATS + 1)):
            raise ValueError(f"start_by_players must have 1 to {MAX_WORLD_SEATS} seats, got {sorted(starts)}")
        self.start_influence = starts
        self.numbers = {
            "last_year": check_int(board["victory"]["years"], 1, EVENTS_IN_GAME, "victory.years"),
            "vp_each": check_int(board["victory"]["vp_each_player"], 0, 1000, "vp_each_player"),
            "influence_end": end,
            "start_vp": check_int(points["start"]["vp"], -5, 100, "the points at the start"),
            "over_achieve_at": check_int(points["over_achieve_at"], 1, 1000, "over_achieve_at"),
            "over_achieve_gain": check_int(
                points["over_achieve_gain_influence"], 0, MAX_NUMBER, "over_achieve_gain_influence"
            ),
            "yellow_hats": check_int(workers["hats_yellow"], 0, 4, "hats_yellow"),
            "blue_hats": check_int(workers["hats_blue"], 0, 4, "hats_blue"),
            "spaces_few": check_int(scaling["spaces_open_2_to_3_players"], 1, 2, "spaces_open_2_to_3_players"),
            "spaces_many": check_int(scaling["spaces_open_4_to_6_players"], 1, 2, "spaces_open_4_to_6_players"),
            "spaces_alone": check_int(scaling["solo"]["spaces_open"], 1, 2, "scaling.solo.spaces_open"),
            "hand_limit": check_int(board["winter_pass"]["hand_limit"], 0, 100, "hand_limit"),
            "tiles_a_year": check_int(board["innovation_rules"]["reveal_each_spring_rectangular"], 1, 4, "rectangles"),
            "ovals_a_year": check_int(board["innovation_rules"]["reveal_each_spring_oval"], 1, 4, "ovals a year"),
        }


def _by_letter(entries: Any, label: str) -> dict[str, Mapping[str, Any]]:
    """Index entries by letter. Raises ValueError unless each letter from A to P is there once."""
    by_letter: dict[str, Mapping[str, Any]] = {}
    for row in list_of(entries, label):
        letter = mapping_of(row, label).get("letter")
        if letter in by_letter:
            raise ValueError(f"duplicate letter {letter!r} in {label}")
        by_letter[str(letter)] = row
    if sorted(by_letter) != list(LETTERS):
        raise ValueError(f"letters of {label} must be A to P, got {', '.join(sorted(by_letter))}")
    return by_letter


def tables(corrections: Mapping[str, Any] | None = None) -> Tables:
    """Return the tables of the data, merged with a user's corrections."""
    return Tables(merge_corrections(corrections))


DEFAULT = tables()
