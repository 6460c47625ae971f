"""The language of table.py for winter visitors: lay a winter table, play a card, read what changed.

    game = winter("noble", lira=1)                                  # seat 0 holds the Noble and is to act
    assert play(game, "noble", "option:1") == {0: {"lira": -1, "residual": 1}}

Seats are described in the words of `table._seat`, and in two more: `trained` (workers that start next year) and `above`
(a Zymologist's wine lies above its cellars).
"""

from tests.table.facts import WINTER_VISITORS as WINTER
from vitienv import Game

from .table import _seat, answer, changes, legal, mats, pile

MEDIUM = ["medium_cellar"]
HERE = "play_winter_visitor"


def winter(*hand, others=({},), board=None, discards=None, draws=None, **seat0):
    """A game in winter in which seat 0, holding the winter visitors `hand`, is to act; `draws` forces what is drawn."""
    seats = [_mat(0, winter=list(hand), **seat0)]
    seats += [_mat(number, **words) for number, words in enumerate(others, start=1)]
    position = {
        "ruleset": "essential",
        "num_players": len(seats),
        "seed": 11,
        "year": 2,
        "season": "winter",
        "first_player": 0,
        "to_act": 0,
        "seats": seats,
        "board": board or {},
        "discards": discards or {},
        "next_draws": draws or {},
    }
    return Game.from_dict(position)


def _mat(number, trained=0, above=False, **words):
    seat = _seat(number, **words) | {"trained_this_year": trained}
    return seat | {"wine_above_cellar": True} if above else seat


def place(worker="regular", space="plain"):
    """The name of placing a worker to play a winter visitor."""
    return f"place:{HERE}:{space}:{worker}"


def begin(game, card, *answers, worker="regular", space="plain"):
    """Play the card and answer; it may be unfinished afterwards."""
    game.step(place(worker, space))
    answer(game, f"card:winter:{card}", *answers)


def play(game, card, *answers, worker="regular", space="plain"):
    """Play the card to its end, when a turn begins and it lies on its pile; the changes at every seat.

    The placed worker and the played card are left out of the changes; they go without saying.
    """
    before = mats(game)
    before[game.seat][worker] -= 1
    before[game.seat]["hand"].remove(f"winter:{card}")
    begin(game, card, *answers, worker=worker, space=space)
    assert game.decision == "place_worker"
    assert pile(game, "winter")[-1] == card
    return changes(before, mats(game))


def offered(game, card, *answers, worker="regular", space="plain"):
    """The actions open after playing the card and the answers; empty where one of them is refused."""
    probe = game.copy()
    for name in (place(worker, space), f"card:winter:{card}", *answers):
        if name not in probe.legal_actions():
            return set()
        probe.step(name)
    return legal(probe)


def branches(game, card):
    """The numbers of the card's branches that are open; none where it cannot be played."""
    return sorted(int(name.removeprefix("option:")) for name in offered(game, card))


def all_winter_visitors(*kept_back):
    """The whole winter deck less `kept_back`: in somebody's hand, it leaves the deck empty."""
    return [card for card in WINTER if card not in kept_back]


def playable(game, worker="regular", space="plain"):
    """The winter visitors that the seat to act may play with this worker."""
    if place(worker, space) not in game.legal_actions():
        return set()
    probe = game.copy()
    probe.step(place(worker, space))
    return {name.removeprefix("card:winter:") for name in probe.legal_actions()}


def next_spring(game):
    """Everybody passes until the year is over."""
    while game.decision == "place_worker":
        game.step("pass")
    assert game.decision == "wake_up"
