"""Parts of cards about grapes, wine and orders."""

from collections.abc import Iterable

from . import estate
from .estate import State, clone, mine
from .parts import Reward, done, no_reward
from .search import Step, part
from .tables import COLOURS, KINDS_OF_WINE, ORDERS, RESIDUAL_LIMIT


@part
def make_wine(
    state: State, up_to: int = 2, all_tiers: bool = False, min_value: int = 0, reward: Reward = no_reward,
    kinds: tuple[str, ...] = (),
) -> Iterable[Step]:  # fmt: skip
    @part
    def choose_grape(state: State, kind: str, prefix: estate.Grapes = ()) -> Iterable[Step]:
        visited = set()
        for grapes in estate.recipes(mine(state), kind):
            slot = estate.wine_slot(mine(state), kind, grapes, all_tiers, min_value)
            if slot is None or grapes[: len(prefix)] != prefix:
                continue
            colour, value = grapes[len(prefix)]
            if (colour, value) in visited:
                continue
            visited.add((colour, value))
            name = f"grape:{colour}:{value}"
            if len(prefix) + 1 < len(grapes):
                yield Step(name, state, (choose_grape(kind, grapes[: len(prefix) + 1]),))
                continue
            after = clone(state)
            for used_colour, used_value in grapes:
                mine(after)["crush_pad"][used_colour].remove(used_value)
            mine(after)["cellar"][kind].append(slot)
            reward(mine(after), kind, kinds)
            made_kinds = kinds + (kind,)
            another = make_wine(up_to, all_tiers, min_value, reward, made_kinds)
            yield Step(name, after, (another,) if len(made_kinds) < up_to else ())

    if kinds:
        yield done(state)
    for kind in KINDS_OF_WINE:
        yield Step(f"make:{kind}", state, (choose_grape(kind),))


@part
def fill_order(state: State, reward: Reward = no_reward) -> Iterable[Step]:
    for order in mine(state)["hand"]["order"]:
        yield Step(f"card:order:{order}", state, (give_wine(order, ORDERS[order][0], reward),))


@part
def give_wine(
    state: State, order: str, icons: list[tuple[str, int]], reward: Reward, before: tuple[str, int] = ("", 0)
) -> Iterable[Step]:
    kind, min_value = icons[0]
    for value in mine(state)["cellar"][kind]:
        # wines of one kind are chosen in descending order, so that each set occurs once
        if value < min_value or (kind == before[0] and value >= before[1]):
            continue
        after = clone(state)
        mine(after)["cellar"][kind].remove(value)
        if len(icons) == 1:
            seat = mine(after)
            _, score, residual = ORDERS[order]
            seat["victory_points"] += score
            seat["residual"] = min(RESIDUAL_LIMIT, seat["residual"] + residual)
            estate.discard(after, "order", order)
            reward(seat)
        next_parts = (give_wine(order, icons[1:], reward, (kind, value)),) if len(icons) > 1 else ()
        yield Step(f"wine:{kind}:{value}", after, next_parts)


@part
def age_one(state: State) -> Iterable[Step]:
    for kind, value in estate.wines(mine(state)):
        if estate.can_age(mine(state), kind, value):
            after = clone(state)
            estate.age(mine(after), kind, value)
            yield Step(f"wine:{kind}:{value}", after)


@part
def discard_wine(state: State, min_value: int = 0) -> Iterable[Step]:
    for kind, value in estate.wines(mine(state)):
        if value >= min_value:
            after = clone(state)
            mine(after)["cellar"][kind].remove(value)
            after["last_wine"] = value
            yield Step(f"wine:{kind}:{value}", after)


@part
def discard_grape(state: State) -> Iterable[Step]:
    for colour, value in estate.grapes(mine(state)):
        after = clone(state)
        mine(after)["crush_pad"][colour].remove(value)
        yield Step(f"grape:{colour}:{value}", after)


@part
def place_grapes(state: State, *colours: str) -> list[Step]:
    """Gain grapes of value 1, each of which needs a free slot."""
    if any(1 in mine(state)["crush_pad"][colour] for colour in colours):
        return []
    after = clone(state)
    for colour in colours:
        mine(after)["crush_pad"][colour].append(1)
    return [Step(None, after)]


@part
def buy_grape(state: State) -> list[Step]:
    return [Step(f"grape:{colour}:1", state, (place_grapes(colour),)) for colour in COLOURS]
