"""Parts of cards about hands, piles, workers and the wake-up chart."""

from collections.abc import Iterable

from . import estate
from .estate import State, clone, mine
from .parts import change, done, draw, gain, need, pay
from .search import Part, Step, part
from .tables import CARDS, DECKS, PLACES, WINTER_ACTIONS


@part
def discard_cards(
    state: State, number: int, decks: tuple[str, ...] = DECKS, last: tuple[int, int] = (-1, -1)
) -> Iterable[Step]:
    """Discard hand cards in ascending order."""
    for deck, card in dict.fromkeys(estate.hand_cards(mine(state), decks)):
        rank = (DECKS.index(deck), CARDS[deck].index(card))
        if rank < last:
            continue
        after = clone(state)
        estate.discard(after, deck, card)
        yield Step(f"card:{deck}:{card}", after, (discard_cards(number - 1, decks, rank),) if number > 1 else ())


@part
def offer_cards(state: State, up_to: int, last: tuple[int, int] = (-1, -1)) -> Iterable[Step]:
    """Offer visitors in ascending order; they may be returned."""
    yield done(state)
    for deck, card in estate.hand_cards(mine(state), ("summer", "winter")):
        rank = (DECKS.index(deck), CARDS[deck].index(card))
        if rank > last:
            yield Step(f"card:{deck}:{card}", state, (offer_cards(up_to - 1, rank),) if up_to > 1 else ())


@part
def take_from_piles(state: State, number: int = 2, last: int = -1) -> Iterable[Step]:
    for rank, deck in enumerate(DECKS):
        if rank > last and state["discards"][deck]:
            after = clone(state)
            mine(after)["hand"][deck].append(after["discards"][deck].pop())
            yield Step(f"deck:{deck}", after, (take_from_piles(number - 1, rank),) if number > 1 else ())


def train(price: int, ready: bool = False) -> tuple[Part, ...]:
    def effect(state: State) -> None:
        if ready:
            mine(state)["workers"]["regular"] += 1
        else:
            mine(state)["trained_this_year"] += 1

    return (need(lambda state: estate.may_train(state, state["me"])), pay(price), change(effect))


@part
def retrieve(
    state: State, up_to: int = 2, already: int = 0, last: tuple[int, int, int] = (-1, -1, -1)
) -> Iterable[Step]:
    """Retrieve workers, except the one that played the card."""
    if already:
        yield done(state)
    workers = estate.placed(state, state["me"])
    if state["playing"] in workers:
        workers.remove(state["playing"])
    for action, space, worker in dict.fromkeys(workers):
        kind = "grande" if worker == "grande" else "regular"
        rank = (PLACES.index(action), ("plain", "bonus", "crowd").index(space), kind == "grande")
        if rank < last:
            continue
        after = clone(state)
        estate.retrieve_worker(after, (action, space, worker))
        name = f"place:{action}:{space}:{kind}"
        yield Step(name, after, (retrieve(up_to, already + 1, rank),) if already + 1 < up_to else ())


def put_worker(state: State, action: str, space: str, worker: str) -> State:
    """Return the position after the acting seat has placed a worker."""
    after = clone(state)
    workers = mine(after)["workers"]
    kind = "temporary" if worker == "regular" and not workers["regular"] else worker
    workers[kind] -= 1
    after["board"].setdefault(action, []).append({"space": space, "seat": state["me"], "worker": kind})
    after["playing"] = (action, space, kind)
    return after


@part
def move_rooster(state: State) -> Iterable[Step]:
    occupied = [seat["wake_up"] for seat in state["seats"]]
    for row in range(1, 8):
        if row not in occupied:
            after = clone(state)
            mine(after)["wake_up"] = row
            yield Step(f"wake_up:{row}", after, row_bonus(after, row))


def row_bonus(state: State, row: int) -> tuple[Part, ...]:
    def take_temporary(after: State) -> None:
        mine(after)["workers"]["temporary"] += 1

    everywhere = range(len(state["seats"]))
    outside = [worker for seat in everywhere for _, _, worker in estate.placed(state, seat)]
    gone = "temporary" in outside or any(seat["workers"]["temporary"] for seat in state["seats"])
    bonus: dict[int, tuple[Part, ...]] = {
        2: (draw("vine"),),
        3: (draw("order"),),
        4: (gain(lira=1),),
        5: (draw_either("summer", "winter"),),
        6: (gain(points=1),),
        7: () if gone else (change(take_temporary),),
    }
    return bonus.get(row, ())


@part
def draw_either(state: State, *decks: str) -> list[Step]:
    available = [deck for deck in decks if estate.can_draw(state, deck)]
    return [Step(f"deck:{deck}", state, (draw(deck),)) for deck in available] or [Step(None, state)]


@part
def plan(state: State) -> Iterable[Step]:
    """Place another worker on a winter action; its legality is checked in winter."""
    if state["season"] != "summer":
        return
    for action in WINTER_ACTIONS:
        for space, worker in estate.spots(state, state["me"], action):
            after = put_worker(state, action, space, worker)
            after["playing"] = state["playing"]
            yield Step(f"place:{action}:{space}:{worker}", after)


@part
def pay_opponents(state: State, up_to: int = 3, price: int = 2, last: int = 0) -> Iterable[Step]:
    """Pay chosen opponents, and score a point for each."""
    if last:
        yield done(state)
    players = len(state["seats"])
    for distance in range(last + 1, players):
        if mine(state)["lira"] < price:
            return
        after = clone(state)
        other = (state["me"] + distance) % players
        after["seats"][other] = {**after["seats"][other], "lira": after["seats"][other]["lira"] + price}
        mine(after)["lira"] -= price
        mine(after)["victory_points"] += 1
        yield Step(f"seat:+{distance}", after, (pay_opponents(up_to - 1, price, distance),) if up_to > 1 else ())


@part
def choose_opponents(state: State, up_to: int = 3, last: int = 0) -> Iterable[Step]:
    if last:
        yield done(state)
    for distance in range(last + 1, len(state["seats"])):
        yield Step(f"seat:+{distance}", state, (choose_opponents(up_to - 1, distance),) if up_to > 1 else ())
