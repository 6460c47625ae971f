"""Games of World brought to a moment, for its tests."""

from typing import Any

import numpy as np

from vitienv import Game
from vitienv.viticulture.enums import Season, Worker
from vitienv.world.enums import (
    AT_HAND,
    GRANDE,
    LETTERS,
    N_REGULARS,
    N_STANDS,
    NO_OVAL,
    OVALS,
    PLACES,
    TEMPORARY,
    Hat,
    Stands,
    Tile,
)
from vitienv.world.tables import DEFAULT

FLAGS = {"hatted": None, "yellow": Hat.YELLOW, "blue": Hat.BLUE, "bare": Hat.BARE}


def new(num_players: int = 2, seed: int = 1, **options: Any) -> Game:
    """A new game; one seat is alone."""
    alone = {"partner": "none"} if num_players == 1 else {}
    return Game.new(seed=seed, game="world", num_players=num_players, **alone | options)


def summer(num_players: int = 2, seed: int = 1, **options: Any) -> Game:
    """The first turn of the first summer; roosters stand in the order in which they were asked."""
    game = new(num_players, seed, **options)
    while game.decision != "place_worker":
        legal = game.legal_actions()
        game.step("option:2" if game.decision == "papa_gift" else legal[0])
    return game


def winter(num_players: int = 2, seed: int = 1, **options: Any) -> Game:
    """The first turn of the first winter; everybody has taken lira in fall."""
    game = summer(num_players, seed, **options)
    while game.phase != "winter" or game.decision != "place_worker":
        game.step("pass" if game.decision == "place_worker" else "option:1")
    return game


def put(game: Game, **fields: Any) -> Game:
    """Write fields of the record: `lira=[9, 9]`, or `lira__0=9` for one place of it."""
    for name, value in fields.items():
        field, *places = name.split("__")
        if places:
            game.state[field][tuple(int(place) for place in places)] = value
        else:
            game.state[field] = value
    game._batch.refresh(observe=False)
    return game


def rich(game: Game, lira: int = 30) -> Game:
    """Lira for everybody."""
    return put(game, lira=[lira] * 6)


def rectangle(game: Game, letter: str) -> Game:
    """A rectangle lies on its action."""
    game.state.tile[int(DEFAULT.place_of_letter[LETTERS.index(letter)])] = Tile.PLACED
    return put(game)


def show(game: Game, *words: str) -> Game:
    """These tiles are on show, and no others."""
    tile = game.state.tile
    tile[tile == Tile.SHOWN] = Tile.IN_STACK
    for word in words:
        tile[LETTERS.index(word) if word in LETTERS else len(LETTERS) + OVALS.index(word)] = Tile.SHOWN
    return put(game)


def hats(game: Game, seat: int, *worn: int) -> Game:
    """What the four regulars of a seat wear; they are all at hand."""
    r = game.state
    r.hat[seat] = sorted(worn)
    r.at[seat, :N_REGULARS] = AT_HAND
    r.free[seat, Worker.REGULAR] = N_REGULARS
    return put(game)


def stand(game: Game, seat: int, place: str, worker: str = "bare", how: int | None = None) -> Game:
    """Put one of a seat's workers at hand on a place, as if it had been placed before."""
    r = game.state
    number = PLACES.index(place)
    if worker == "grande":
        w, kind = GRANDE, Worker.GRANDE
    elif worker == "temporary":
        w, kind = TEMPORARY, Worker.TEMPORARY
    else:
        wanted = FLAGS[worker]
        at_hand = [i for i in range(N_REGULARS) if r.at[seat, i] == AT_HAND]
        w, kind = next(i for i in at_hand if wanted is None or r.hat[seat, i] == wanted), Worker.REGULAR
    if how is None:
        covered = number < len(r.oval_on) and r.oval_on[number] != NO_OVAL
        how = Stands.OVAL if covered else Stands.PLAIN
    r.at[seat, w] = number * N_STANDS + how
    r.free[seat, kind] -= 1
    order = sorted(range(N_REGULARS), key=lambda i: (int(r.hat[seat, i]), int(r.at[seat, i])))
    r.hat[seat, :] = r.hat[seat, order]
    r.at[seat, :N_REGULARS] = r.at[seat, order]
    return put(game)


def legal(game: Game, start: str) -> list[str]:
    """The legal actions that begin so."""
    return [name for name in game.legal_actions() if name.startswith(start)]


def play(game: Game, *actions: str) -> Game:
    """Several actions in a row."""
    for action in actions:
        game.step(action)
    return game


def give(game: Game, seat: int, deck: str, *ids: str) -> Game:
    """Cards of a deck into a hand, out of the deck."""
    from vitienv.viticulture.cards import KIND
    from vitienv.viticulture.enums import DECKS

    r = game.state
    for name in ids:
        kind, at = KIND[f"{deck}:{name}"], DECKS.index(deck)
        if r.deck[kind] == 0:  # whoever holds it puts it back first
            for holder in np.flatnonzero(r.hand[:, kind])[:1]:
                r.hand[holder, kind] -= 1
                r.n_hand[holder, at] -= 1
            r.deck[kind] += 1
            r.n_deck[at] += 1
        r.deck[kind] -= 1
        r.n_deck[at] -= 1
        r.hand[seat, kind] += 1
        r.n_hand[seat, at] += 1
    return put(game)


def in_season(game: Game) -> bool:
    """Whether turns are being taken."""
    return game.state.season in (Season.SUMMER, Season.WINTER)
