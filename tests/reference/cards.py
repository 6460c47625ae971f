"""Every visitor as a list of parts, and the board actions."""

from collections.abc import Callable, Iterable

from . import estate
from .estate import Seat, State, clone, mine
from .parts import both, change, draw, gain, lose, need, one_of, one_or_both, others_answer, pay, points, two_different
from .people import (
    choose_opponents,
    discard_cards,
    move_rooster,
    pay_opponents,
    plan,
    put_worker,
    retrieve,
    take_from_piles,
    train,
)
from .search import Part, Step, part
from .tables import ACTIONS, DECKS, FLOOR, RESIDUAL_LIMIT, STRUCTURES, SUMMER_ACTIONS, vine_value
from .vineyard import build, build_free, exchange_vines, harvest, plant, sell, upgrade_cellar, uproot
from .wine import age_one, buy_grape, discard_grape, discard_wine, fill_order, make_wine, place_grapes

VISITORS = ("summer", "winter")
CHEAP = ("trellis", "irrigation", "yoke")


def anybody(condition: Callable[[State, int], object]) -> Part:
    """Require that some seat can use the offer."""

    def check(state: State) -> bool:
        return any(condition(state, seat) for seat in range(len(state["seats"])))

    return need(check)


def bind_agent(state: State, seat: int) -> Seat:
    return state["seats"][seat]


def could_plant(state: State, seat: int) -> bool:
    """Own cards are known. Other seats may have any vine, so the least demanding one counts."""
    mat = bind_agent(state, seat)
    hand = mat["hand"]["vine"]
    if seat == state["me"]:
        return any(estate.fields_for(mat, vine) for vine in hand)
    return bool(hand) and bool(estate.fields_for(mat, "malvasia"))


def could_train_for_one(state: State, seat: int) -> bool:
    return bind_agent(state, seat)["lira"] >= 1 and estate.may_train(state, seat)


def could_retrieve_grande(state: State, seat: int) -> bool:
    outside = any(worker == "grande" for _, _, worker in estate.placed(state, seat))
    return outside and not (seat != state["me"] and bind_agent(state, seat)["passed"])


def neighbour_can_serve_queen(state: State) -> bool:
    mat = bind_agent(state, (state["me"] - 1) % len(state["seats"]))
    cards = sum(len(mat["hand"][deck]) for deck in DECKS)
    return mat["victory_points"] > FLOOR or cards >= 2 or mat["lira"] >= 3


def importer_draws(state: State) -> bool:
    return sum(len(bind_agent(state, seat)["hand"][deck]) for seat in estate.opponents(state) for deck in VISITORS) < 3


def survey(empty: bool) -> Part:
    def effect(state: State) -> None:
        owned = [field for field in mine(state)["fields"] if not field["sold"]]
        bare = sum(not field["vines"] for field in owned)
        mine(state)["lira" if empty else "victory_points"] += 2 * bare if empty else len(owned) - bare

    return change(effect)


def score_fours(state: State) -> None:
    mine(state)["victory_points"] += sum(STRUCTURES[structure] == 4 for structure in mine(state)["structures"])


def score_full_staffs(state: State) -> None:
    mine(state)["victory_points"] += sum(estate.all_staff(state, seat) >= 6 for seat in estate.opponents(state))


def count_hand(state: State) -> None:
    mine(state)["lira"] += sum(map(len, mine(state)["hand"].values()))


def discard_hand(state: State) -> None:
    for deck, card in estate.hand_cards(mine(state)):
        estate.discard(state, deck, card)


def age_twice(state: State) -> None:
    estate.age_all_wine(mine(state))
    estate.age_all_wine(mine(state))


def score_best_wine(state: State) -> None:
    others = [value for seat in state["seats"] for _, value in estate.wines(seat)]
    if all(state["last_wine"] > value for value in others):
        mine(state)["victory_points"] += 2


def politics(state: State) -> Iterable[Step]:
    if mine(state)["victory_points"] < 0:
        return gain(lira=6)(state)
    return draw("vine", "summer", "order")(state)


def import_cards(state: State) -> Iterable[Step]:
    return (draw("winter", "winter", "winter") if importer_draws(state) else others_answer())(state)


# Extra rewards of building, planting, harvesting and wine making


def for_five_or_six(seat: Seat, structure: str) -> None:
    seat["victory_points"] += STRUCTURES[structure] in (5, 6)


def for_six_structures(seat: Seat, structure: str) -> None:
    seat["victory_points"] += 2 * (len(seat["structures"]) >= 6)


def for_value_four(seat: Seat, vine: str, field: int) -> None:
    seat["victory_points"] += vine_value(vine) == 4


def for_six_vines(seat: Seat, vine: str, field: int) -> None:
    seat["victory_points"] += 2 * (len(estate.planted(seat)) >= 6)


def for_three_varieties(seat: Seat, vine: str, field: int) -> None:
    seat["victory_points"] += 2 * (len(set(estate.field_of(seat, field)["vines"])) >= 3)


def for_three_fields(seat: Seat, harvested: int) -> None:
    seat["victory_points"] += 2 * (harvested == 3)


def for_sparkling(seat: Seat, kind: str, before: tuple[str, ...]) -> None:
    seat["victory_points"] += kind == "sparkling"


def for_new_kind(seat: Seat, kind: str, before: tuple[str, ...]) -> None:
    seat["victory_points"] += kind not in before


has_wine = need(lambda state: bool(estate.wines(mine(state))))
has_card = need(lambda state: bool(estate.hand_cards(mine(state))))
has_full_staff = need(lambda state: estate.all_staff(state, state["me"]) >= 6)
residual_can_rise = need(lambda state: mine(state)["residual"] < RESIDUAL_LIMIT)
residual_of_two = need(lambda state: mine(state)["residual"] >= 2)
drop_two_residual = change(lambda state: mine(state).update(residual=mine(state)["residual"] - 2))
free_cellar = (build_free(("medium_cellar", "large_cellar")),)

SUMMER: dict[str, tuple[Part, ...]] = {
    "surveyor": (one_of((survey(True),), (survey(False),)),),
    "broker": (one_of((pay(9), gain(points=3)), (lose(2), gain(lira=6))),),
    "wine_critic": (one_of((draw("winter", "winter"),), (discard_wine(7), gain(points=4))),),
    "blacksmith": (build(2, reward=for_five_or_six),),
    "contractor": (two_different((gain(points=1),), (build(),), (plant(),)),),
    "tour_guide": (one_of((gain(lira=4),), (harvest(),)),),
    "novice_guide": (one_of((gain(lira=3),), (make_wine(2),)),),
    "uncertified_broker": (one_of((lose(3), gain(lira=9)), (pay(6), gain(points=2))),),
    "planter": (one_of((gain(lira=1), plant(2)), (uproot(), discard_cards(1, ("vine",)), gain(points=2))),),
    "buyer": (one_of((pay(2), buy_grape()), (discard_grape(), gain(lira=2, points=1))),),
    "landscaper": (one_of((draw("vine"), plant(may_stop=True)), (exchange_vines(),)),),
    "architect": (one_of((build(3),), (change(score_fours),)),),
    "uncertified_architect": (one_of((lose(1), build_free(CHEAP)), (lose(2), build_free())),),
    "patron": (one_of((gain(lira=4),), (draw("order", "winter"),)),),
    "auctioneer": (one_of((discard_cards(2), gain(lira=4)), (discard_cards(4), gain(points=3))),),
    "entertainer": (
        one_of((pay(4), draw(*["winter"] * 3)), (discard_wine(), discard_cards(3, VISITORS), gain(points=3))),
    ),
    "vendor": (draw("vine", "order", "winter"), others_answer()),
    "handyman": (anybody(lambda state, seat: estate.buildable(bind_agent(state, seat), 2)), others_answer()),
    "horticulturist": (one_of((plant(structures=False),), (uproot(2), discard_cards(2, ("vine",)), gain(points=3))),),
    "peddler": (discard_cards(2), draw(*DECKS)),
    "banker": (gain(lira=5), others_answer()),
    "overseer": (both((build(),), (plant(reward=for_value_four),)),),
    "importer": (import_cards,),
    "sharecropper": (one_of((plant(structures=False),), (uproot(), discard_cards(1, ("vine",)), gain(points=2))),),
    "grower": (plant(reward=for_six_vines),),
    "negotiator": (residual_can_rise, one_of((discard_grape(), gain(residual=1)), (discard_wine(), gain(residual=2)))),
    "cultivator": (plant(limit=False),),
    "homesteader": (one_or_both((build(3),), (plant(2),)),),
    "planner": (plan(),),
    "agriculturist": (plant(reward=for_three_varieties),),
    "swindler": (others_answer(),),
    "producer": (pay(2), retrieve()),
    "organizer": (move_rooster(),),
    "sponsor": (one_or_both((draw("vine", "vine"),), (gain(lira=3),)),),
    "artisan": (one_of((gain(lira=3),), (build(1),), (plant(2),)),),
    "stonemason": (pay(8), build_free(), build_free()),
    "volunteer_crew": (anybody(could_plant), others_answer()),
    "wedding_party": (pay_opponents(),),
}

WINTER: dict[str, tuple[Part, ...]] = {
    "merchant": (one_of((pay(3), place_grapes("red", "white")), (fill_order(points(1)),)),),
    "crusher": (one_of((draw("summer"), gain(lira=3)), (draw("order"), make_wine(2))),),
    "judge": (one_of((draw("summer", "summer"),), (discard_wine(4), gain(points=3))),),
    "oenologist": (one_of((has_wine, change(age_twice)), (pay(3), *free_cellar)),),
    "marketer": (one_of((draw("summer", "summer"), gain(lira=1)), (fill_order(points(1)),)),),
    "crush_expert": (one_of((draw("order"), gain(lira=3)), (make_wine(3),)),),
    "uncertified_teacher": (one_of((lose(1), *train(0)), (change(score_full_staffs),)),),
    "teacher": (one_of((make_wine(2),), train(2)),),
    "benefactor": (one_of((draw("vine", "summer"),), (discard_cards(2, VISITORS), gain(points=2))),),
    "assessor": (one_of((change(count_hand),), (has_card, change(discard_hand), gain(points=2))),),
    "queen": (need(neighbour_can_serve_queen), others_answer()),
    "harvester": (one_of((gain(lira=2), harvest(2)), (gain(points=1), harvest(2))),),
    "professor": (one_of(train(2), (has_full_staff, gain(points=2))),),
    "master_vintner": (one_of((upgrade_cellar(2),), (both((age_one(),), (fill_order(),)),)),),
    "uncertified_oenologist": (one_of((has_wine, change(age_twice)), (lose(1), *free_cellar)),),
    "promoter": (one_of((discard_grape(), gain(points=1, residual=1)), (discard_wine(), gain(points=1, residual=1))),),
    "mentor": (anybody(lambda state, seat: estate.can_make_wine(bind_agent(state, seat))), others_answer()),
    "harvest_expert": (one_of((draw("vine"), harvest()), (pay(1), harvest(), build_free(("yoke",)))),),
    "innkeeper": (take_from_piles(),),
    "jack_of_all_trades": (two_different((harvest(),), (make_wine(2),), (fill_order(),)),),
    "politician": (politics,),
    "supervisor": (make_wine(2, reward=for_sparkling),),
    "scholar": (one_or_both((draw("order", "order"),), train(3)),),
    "reaper": (harvest(3, for_three_fields),),
    "motivator": (anybody(could_retrieve_grande), others_answer()),
    "bottler": (make_wine(3, reward=for_new_kind),),
    "craftsman": (two_different((draw("order"),), (upgrade_cellar(),), (gain(points=1),)),),
    "exporter": (one_of((make_wine(2),), (fill_order(),), (discard_grape(), gain(points=2))),),
    "laborer": (one_or_both((harvest(2),), (make_wine(3),)),),
    "designer": (build(reward=for_six_structures),),
    "governess": (one_of(train(3, ready=True), (discard_wine(), gain(points=2))),),
    "zymologist": (make_wine(2, all_tiers=True, min_value=4),),
    "noble": (
        one_of((pay(1), residual_can_rise, gain(residual=1)), (residual_of_two, drop_two_residual, gain(points=2))),
    ),
    "governor": (choose_opponents(), others_answer()),
    "taster": (discard_wine(), gain(lira=4), change(score_best_wine)),
    "caravan": (others_answer(),),
    "guest_speaker": (anybody(could_train_for_one), others_answer()),
}


def manage(state: State) -> Iterable[Step]:
    """A summer action without a worker and without its bonus, even if it is full."""
    return [Step(f"place:{name}:plain:regular", state, action(name, "plain", managed=True)) for name in SUMMER_ACTIONS]


WINTER["manager"] = (manage,)
CARD_PARTS = {**SUMMER, **WINTER}


@part
def play_visitor(state: State, season: str, may_stop: bool = False) -> Iterable[Step]:
    if may_stop:
        yield Step("done", state)
    for card in mine(state)["hand"][season]:
        yield Step(f"card:{season}:{card}", *played(state, season, card))


def played(state: State, season: str, card: str) -> tuple[State, tuple[Part, ...]]:
    """Return the state without the card in hand; the card is discarded when all its parts are resolved."""

    def to_pile(after: State) -> None:
        after["discards"][season].append(card)

    start = clone(state)
    mine(start)["hand"][season].remove(card)
    return start, CARD_PARTS[card] + (change(to_pile),)


# Board actions


@part
def take_bonus(state: State, lira: int = 0, points: int = 0) -> list[Step]:
    return [Step("yes", state, (gain(lira=lira, points=points),)), Step("no", state)]


@part
def another_card(state: State, deck: str) -> list[Step]:
    if not estate.can_draw(state, deck):
        return [Step(None, state)]
    return [Step("yes", state, (draw(deck),)), Step("no", state)]


def tasting(state: State) -> None:
    seat = mine(state)
    if "tasting_room" in seat["structures"] and "tasting_room" not in seat["used"] and estate.wines(seat):
        seat["used"].append("tasting_room")
        seat["victory_points"] += 1


def use_yoke(state: State) -> None:
    mine(state)["used"].append("yoke")


def draw_action(deck: str, bonus: bool) -> tuple[Part, ...]:
    first = (need(lambda state: estate.can_draw(state, deck)), draw(deck))
    return first + ((another_card(deck),) if bonus else ())


def action(name: str, space: str, managed: bool = False) -> tuple[Part, ...]:
    bonus = space == "bonus"
    coin = (take_bonus(lira=1),) if bonus else ()
    point = (take_bonus(points=1),) if bonus else ()
    if name in ("play_summer_visitor", "play_winter_visitor"):
        season = name.split("_")[1]
        return (play_visitor(season),) + ((play_visitor(season, may_stop=True),) if bonus else ())
    parts: dict[str, tuple[Part, ...]] = {
        "draw_vine": draw_action("vine", bonus),
        "draw_order": draw_action("order", bonus),
        # the Manager places no worker, so the tasting room has no effect
        "give_tour": coin + (gain(lira=2),) + (() if managed else (change(tasting),)),
        "build_structure": coin + (build(),),
        "sell_grapes_or_field": point + (sell(),),
        "plant_vine": (plant(2 if bonus else 1),),
        "harvest_field": (harvest(2 if bonus else 1),),
        "train_worker": coin + train(4),
        "make_wine": (make_wine(3 if bonus else 2),),
        "fill_order": point + (fill_order(),),
        "gain_lira": (gain(lira=1),),
        "yoke": (change(use_yoke), one_of((uproot(),), (harvest(),))),
    }
    return parts[name]


def place_or_pass(state: State) -> Iterable[Step]:
    """Yield all placements and the pass; the search removes those that cannot be completed."""
    yield Step("pass", state)
    for name in ACTIONS.get(state["season"], ()):
        for space, worker in estate.spots(state, state["me"], name):
            yield Step(f"place:{name}:{space}:{worker}", put_worker(state, name, space, worker), action(name, space))
    workers = mine(state)["workers"]
    own_spaces = ["gain_lira"]
    if "yoke" in mine(state)["structures"] and "yoke" not in mine(state)["used"]:
        own_spaces.append("yoke")
    ready = {"regular": workers["regular"] + workers["temporary"], "grande": workers["grande"]}
    for name in own_spaces:
        for worker in ("regular", "grande"):
            if ready[worker]:
                after = put_worker(state, name, "plain", worker)
                yield Step(f"place:{name}:plain:{worker}", after, action(name, "plain"))
