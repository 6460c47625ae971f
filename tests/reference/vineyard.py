"""Parts of cards that change a vineyard: buildings, vines, fields, sales."""

from collections.abc import Iterable

from . import estate
from .estate import State, clone, mine
from .parts import Reward, done, no_reward
from .search import Part, Step, part
from .tables import CARDS, CELLARS, STRUCTURES, grape_price


@part
def build(
    state: State, cheaper: int = 0, among: tuple[str, ...] = tuple(STRUCTURES), reward: Reward = no_reward
) -> Iterable[Step]:
    for structure, price in estate.buildable(mine(state), cheaper, among).items():
        after = clone(state)
        seat = mine(after)
        seat["lira"] -= price
        seat["structures"].append(structure)
        reward(seat, structure)
        yield Step(f"structure:{structure}", after)


def build_free(among: tuple[str, ...] = tuple(STRUCTURES)) -> Part:
    return build(cheaper=max(STRUCTURES.values()), among=among)


def upgrade_cellar(cheaper: int = 0) -> Part:
    return build(cheaper, CELLARS)


@part
def plant(
    state: State, up_to: int = 1, structures: bool = True, limit: bool = True, may_stop: bool = False,
    reward: Reward = no_reward,
) -> Iterable[Step]:  # fmt: skip
    if may_stop:
        yield done(state)
    later_parts = (plant(up_to - 1, structures, limit, True, reward),) if up_to > 1 else ()
    for vine in sorted(set(mine(state)["hand"]["vine"]), key=CARDS["vine"].index):
        yield Step(f"card:vine:{vine}", state, (choose_field(vine, structures, limit, reward), *later_parts))


@part
def choose_field(state: State, vine: str, structures: bool, limit: bool, reward: Reward) -> Iterable[Step]:
    for capacity in estate.fields_for(mine(state), vine, structures, limit):
        after = clone(state)
        seat = mine(after)
        seat["hand"]["vine"].remove(vine)
        estate.field_of(seat, capacity)["vines"].append(vine)
        if "windmill" in seat["structures"] and "windmill" not in seat["used"]:
            seat["used"].append("windmill")
            seat["victory_points"] += 1
        reward(seat, vine, capacity)
        yield Step(f"field:{capacity}", after)


@part
def uproot(state: State, times: int = 1, beyond: int = -1) -> list[Step]:
    """Uproot vines in ascending order of field and vine, after the position `beyond`."""
    fields = sorted({capacity for capacity, _ in estate.planted(mine(state))})
    return [Step(f"field:{capacity}", state, (uproot_from(capacity, times, beyond),)) for capacity in fields]


@part
def uproot_from(state: State, capacity: int, times: int, beyond: int) -> Iterable[Step]:
    for vine in sorted(set(estate.field_of(mine(state), capacity)["vines"]), key=CARDS["vine"].index):
        place = capacity * 100 + CARDS["vine"].index(vine)
        if place < beyond:
            continue
        after = clone(state)
        estate.field_of(mine(after), capacity)["vines"].remove(vine)
        mine(after)["hand"]["vine"].append(vine)
        yield Step(f"card:vine:{vine}", after, (uproot(times - 1, place),) if times > 1 else ())


@part
def exchange_vines(state: State) -> list[Step]:
    """Exchange two planted vines of different fields, within the field limits."""
    return [Step(f"field:{low}", state, (lower_vine(low),)) for low in (5, 6)]


@part
def lower_vine(state: State, low: int) -> Iterable[Step]:
    for vine in dict.fromkeys(estate.field_of(mine(state), low)["vines"]):
        yield Step(f"card:vine:{vine}", state, (upper_field(low, vine),))


@part
def upper_field(state: State, low: int, vine: str) -> list[Step]:
    return [Step(f"field:{high}", state, (upper_vine(low, vine, high),)) for high in (6, 7) if high > low]


@part
def upper_vine(state: State, low: int, vine: str, high: int) -> Iterable[Step]:
    for other in dict.fromkeys(estate.field_of(mine(state), high)["vines"]):
        after = clone(state)
        low_field, high_field = estate.field_of(mine(after), low), estate.field_of(mine(after), high)
        low_field["vines"].remove(vine)
        high_field["vines"].remove(other)
        low_field["vines"].append(other)
        high_field["vines"].append(vine)
        if estate.load(low_field) <= low and estate.load(high_field) <= high:
            yield Step(f"card:vine:{other}", after)


@part
def harvest(state: State, up_to: int = 1, reward: Reward = no_reward, already: int = 0) -> Iterable[Step]:
    if already:
        yield done(state)
    for capacity in estate.ripe(mine(state)):
        after = clone(state)
        estate.harvest(mine(after), capacity)
        reward(mine(after), already + 1)
        yield Step(f"field:{capacity}", after, (harvest(up_to, reward, already + 1),) if already + 1 < up_to else ())


@part
def sell(state: State) -> Iterable[Step]:
    """Sell grapes in ascending order, or an empty field, or buy a field back."""
    yield from sell_grapes()(state)
    for field in mine(state)["fields"]:
        if field["vines"] or (field["sold"] and mine(state)["lira"] < field["capacity"]):
            continue
        after = clone(state)
        same = estate.field_of(mine(after), field["capacity"])
        mine(after)["lira"] += -same["capacity"] if same["sold"] else same["capacity"]
        same["sold"] = not same["sold"]
        yield Step(f"field:{field['capacity']}", after)


@part
def sell_grapes(state: State, last: int = -1) -> Iterable[Step]:
    if last >= 0:
        yield done(state)
    for colour, value in estate.grapes(mine(state)):
        rank = (colour == "white") * 10 + value
        if rank > last:
            after = clone(state)
            mine(after)["crush_pad"][colour].remove(value)
            mine(after)["lira"] += grape_price(value)
            yield Step(f"grape:{colour}:{value}", after, (sell_grapes(rank),))
