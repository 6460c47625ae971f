"""Parts of cards that change a vineyard: buildings, vines, fields, sales."""

from collections.abc import Iterable

from . import estate
from .estate import State, clone, mine
from .parts import Reward, done, no_reward
from .search import Part, Step
from .tables import CARDS, CELLARS, STRUCTURES, grape_price


def build(cheaper: int = 0, among: tuple[str, ...] = tuple(STRUCTURES), reward: Reward = no_reward) -> Part:
    def part(state: State) -> Iterable[Step]:
        for structure, price in estate.buildable(mine(state), cheaper, among).items():
            after = clone(state)
            seat = mine(after)
            seat["lira"] -= price
            seat["structures"].append(structure)
            reward(seat, structure)
            yield Step(f"structure:{structure}", after)

    return part


def build_free(among: tuple[str, ...] = tuple(STRUCTURES)) -> Part:
    return build(cheaper=max(STRUCTURES.values()), among=among)


def upgrade_cellar(cheaper: int = 0) -> Part:
    return build(cheaper, CELLARS)


def plant(
    up_to: int = 1, structures: bool = True, limit: bool = True, may_stop: bool = False, reward: Reward = no_reward
) -> Part:
    def part(state: State) -> Iterable[Step]:
        if may_stop:
            yield done(state)
        for vine in sorted(set(mine(state)["hand"]["vine"]), key=CARDS["vine"].index):
            yield Step(f"card:vine:{vine}", state, (field_for(vine),) + more(up_to - 1))

    def field_for(vine: str) -> Part:
        def choose(state: State) -> Iterable[Step]:
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

        return choose

    def more(num_left: int) -> tuple[Part, ...]:
        return (plant(num_left, structures, limit, True, reward),) if num_left else ()

    return part


def uproot(times: int = 1, beyond: int = -1) -> Part:
    """Uproot vines in ascending order of field and vine, after the position `beyond`."""

    def part(state: State) -> Iterable[Step]:
        fields = sorted({capacity for capacity, _ in estate.planted(mine(state))})
        return [Step(f"field:{capacity}", state, (choose(capacity),)) for capacity in fields]

    def choose(capacity: int) -> Part:
        def vine_on(state: State) -> Iterable[Step]:
            for vine in sorted(set(estate.field_of(mine(state), capacity)["vines"]), key=CARDS["vine"].index):
                place = capacity * 100 + CARDS["vine"].index(vine)
                if place < beyond:
                    continue
                after = clone(state)
                estate.field_of(mine(after), capacity)["vines"].remove(vine)
                mine(after)["hand"]["vine"].append(vine)
                yield Step(f"card:vine:{vine}", after, (uproot(times - 1, place),) if times > 1 else ())

        return vine_on

    return part


def exchange_vines() -> Part:
    """Exchange two planted vines of different fields, within the field limits."""

    def lower(state: State) -> Iterable[Step]:
        return [Step(f"field:{capacity}", state, (lower_vine(capacity),)) for capacity in (5, 6)]

    def lower_vine(low: int) -> Part:
        def choose(state: State) -> Iterable[Step]:
            for vine in dict.fromkeys(estate.field_of(mine(state), low)["vines"]):
                yield Step(f"card:vine:{vine}", state, (upper(low, vine),))

        return choose

    def upper(low: int, vine: str) -> Part:
        def choose(state: State) -> Iterable[Step]:
            return [Step(f"field:{high}", state, (upper_vine(low, vine, high),)) for high in (6, 7) if high > low]

        return choose

    def upper_vine(low: int, vine: str, high: int) -> Part:
        def choose(state: State) -> Iterable[Step]:
            for other in dict.fromkeys(estate.field_of(mine(state), high)["vines"]):
                after = clone(state)
                low_field, high_field = estate.field_of(mine(after), low), estate.field_of(mine(after), high)
                low_field["vines"].remove(vine)
                high_field["vines"].remove(other)
                low_field["vines"].append(other)
                high_field["vines"].append(vine)
                if estate.load(low_field) <= low and estate.load(high_field) <= high:
                    yield Step(f"card:vine:{other}", after)

        return choose

    return lower


def harvest(up_to: int = 1, reward: Reward = no_reward, already: int = 0) -> Part:
    def part(state: State) -> Iterable[Step]:
        if already:
            yield done(state)
        for capacity in estate.ripe(mine(state)):
            after = clone(state)
            estate.harvest(mine(after), capacity)
            reward(mine(after), already + 1)
            yield Step(
                f"field:{capacity}", after, (harvest(up_to, reward, already + 1),) if already + 1 < up_to else ()
            )

    return part


def sell() -> Part:
    """Sell grapes in ascending order, or an empty field, or buy a field back."""

    def part(state: State) -> Iterable[Step]:
        yield from more_grapes(-1)(state)
        for field in mine(state)["fields"]:
            if field["vines"] or (field["sold"] and mine(state)["lira"] < field["capacity"]):
                continue
            after = clone(state)
            same = estate.field_of(mine(after), field["capacity"])
            mine(after)["lira"] += -same["capacity"] if same["sold"] else same["capacity"]
            same["sold"] = not same["sold"]
            yield Step(f"field:{field['capacity']}", after)

    def more_grapes(last: int) -> Part:
        def choose(state: State) -> Iterable[Step]:
            if last >= 0:
                yield done(state)
            for colour, value in estate.grapes(mine(state)):
                rank = (colour == "white") * 10 + value
                if rank > last:
                    after = clone(state)
                    mine(after)["crush_pad"][colour].remove(value)
                    mine(after)["lira"] += grape_price(value)
                    yield Step(f"grape:{colour}:{value}", after, (more_grapes(rank),))

        return choose

    return part
