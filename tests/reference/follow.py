"""Comparison of a game with the reference: the legal actions at every decision, and the effects of turns.

Only public attributes of the game are used: `current_seat`, `decision`, `legal_actions()` and `to_dict()`.
"""

from collections import Counter
from typing import Any

from . import estate
from .cards import action as action_parts
from .cards import could_plant, could_retrieve_grande, place_or_pass
from .estate import State, mine, prepare
from .parts import draw, gain, lose, pay
from .people import discard_cards, offer_cards, train
from .search import Node, Part, Step, can_finish, legal, part, settle
from .tables import DECKS, FLOOR, WINTER_ACTIONS
from .vineyard import build, plant
from .wine import make_wine

Position = dict[str, Any]


def yield_of(state: State, seat: int) -> dict[str, Any]:
    """Return the comparable state of a seat: mat, money, points and workers, normalised."""
    mat = state["seats"][seat]
    numbers = ("lira", "victory_points", "residual", "trained_this_year", "workers")
    tokens = {name: {kind: sorted(values) for kind, values in mat[name].items()} for name in ("crush_pad", "cellar")}
    return {
        **{key: mat[key] for key in numbers}, **tokens,
        "structures": sorted(mat["structures"]), "used": sorted(mat["used"]),
        "fields": [(f["capacity"], sorted(f["vines"]), f["sold"], f["harvested"]) for f in mat["fields"]],
    }  # fmt: skip


def retrieve_grande(state: State) -> list[Step]:
    """Return the seat's grande worker from the board."""
    for action, space, worker in estate.placed(state, state["me"]):
        if worker == "grande" and could_retrieve_grande(state, state["me"]):
            after = estate.clone(state)
            estate.retrieve_worker(after, (action, space, worker))
            return [Step(None, after)]
    return []


# Parts for a seat that accepts the offer of a card.
OFFERS: dict[str, tuple[Part, ...]] = {
    "banker": (lose(1), gain(lira=3)),
    "handyman": (build(2),),
    "volunteer_crew": (plant(),),
    "mentor": (make_wine(2),),
    "guest_speaker": train(1),
    "motivator": (retrieve_grande,),
    "swindler": (pay(2),),
    "vendor": (draw("summer"),),
}
ALSO_SELF = ("handyman", "volunteer_crew", "mentor", "guest_speaker", "motivator")
# Lira and points of the card's player per accepting opponent.
REWARDS = {
    "handyman": (0, 1),
    "volunteer_crew": (2, 0),
    "guest_speaker": (0, 1),
    "motivator": (0, 1),
    "swindler": (2, -1),
}


class Follower:
    """Compares one game with the reference. `complaints` lists the differences."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.checked: Counter[str] = Counter()
        self.unchecked: Counter[str] = Counter()
        self.played_cards: Counter[str] = Counter()  # cards played
        self.node: Node | None = None  # the current turn
        self.side: tuple[int, Node] | None = None  # the seat that answers a card, and its node
        self.card = ""
        self.asked_seats: list[int] = []
        self.num_offered = 0  # cards offered to the Importer
        self.turn_start: tuple[Any, ...] = (None, None, None)  # seat, year and season of the turn
        self.plans: list[tuple[int, str, str]] = []  # pending planned actions
        self.history: list[str] = []
        self.decision = ""

    def compare(self, game: Any) -> None:
        """Compare the pending decision."""
        position = game.to_dict()
        seat, decision, actions = game.current_seat, game.decision, set(game.legal_actions())
        self.decision = decision
        answering = self._end_side(position, seat, actions)
        if (position["year"], position["season"]) != self.turn_start[1:] and not answering:
            self._new_season(position, decision)
        if decision == "place_worker":
            self._end_turn(position)
            self._begin((seat, position["year"], position["season"]))
            self.node = Node(prepare(position, seat), (place_or_pass,))
            self._compare(decision, actions, set(legal(self.node)))
        elif answering and self.side:
            self._compare(decision, actions, set(legal(self.side[1])))
        elif decision in ("offer", "queen", "wake_up", "discard_to_limit", "give_card", "import_card"):
            self._answer(decision, position, seat, actions)
        elif decision == "choose_deck" and position["season"] in ("spring", "fall"):
            self._compare(decision, actions, self._visitor_decks(position, seat))
        elif self.plans and self._is_resolved(actions):
            self._run_plan(decision, position, seat, actions)
        elif self.node and seat == self.turn_start[0]:
            self._continue(decision, position, actions)
        else:
            self.unchecked[decision] += 1

    def _begin(self, turn_start: tuple[Any, ...]) -> None:
        self.turn_start, self.history, self.side, self.card, self.plans = turn_start, [], None, "", []

    def _new_season(self, position: Position, decision: str) -> None:
        self._end_turn(position)
        self._begin((None, position["year"], position["season"]))
        if position["season"] == "winter" and decision != "place_worker":
            # Workers on winter actions before winter were placed by the Planner.
            self.plans = [
                (seat, action, space)
                for seat in position["turn_order"]
                for action in WINTER_ACTIONS
                for entry in position["board"].get(action, [])
                for space in [entry["space"]]
                if entry["seat"] == seat
            ]

    def _is_resolved(self, actions: set[str]) -> bool:
        choices = legal(self.node) if self.node else {}
        return not choices or (set(choices) == {"done"} and actions != {"done"})

    def _run_plan(self, decision: str, position: Position, seat: int, actions: set[str]) -> None:
        """Compare with the next planned action that is possible and needs a decision."""
        self._end_turn(position)
        while self.plans:
            owner, name, space = self.plans.pop(0)
            start = Node(prepare(position, owner), action_parts(name, space))
            start.state["playing"] = (name, space, "")
            settled = settle(start)
            if not can_finish(start) or settled is None or not settled.parts:
                continue
            self.turn_start, self.node = (owner, *self.turn_start[1:]), settled
            self.card = ""
            if owner == seat:
                self._compare(decision, actions, set(legal(settled)))
            else:
                self._complain(f"seat {seat} decides, but the next planned action is {owner}'s {name}")
                self.node, self.plans = None, []
            return
        self._complain(f"{decision}: no planned action is left")

    def _visitor_decks(self, position: Position, seat: int) -> set[str]:
        """With a cottage, two decks are chosen in ascending order before a card is drawn."""
        state = prepare(position, seat)
        num_cards = {deck: state["decks"][deck] + len(state["discards"][deck]) for deck in ("summer", "winter")}
        before = self.history[-1] if self.history and self.history[-1].startswith(f"{seat}>deck:") else ""
        if before:
            num_cards[before.split(":")[1]] -= 1
            if before.endswith("winter"):
                num_cards["summer"] = 0
        return {f"deck:{deck}" for deck, number in num_cards.items() if number > 0}

    def move(self, seat: int | None, action: str) -> None:
        """Record the action that will be played."""
        self.history.append(f"{seat}>{action}")
        self.num_offered += self.decision == "import_card" and action != "done"
        if action.startswith("card:") and self.decision == "play_visitor":
            self.card = action.split(":")[2]
            self.asked_seats, self.num_offered = [], 0
            self.played_cards[self.card] += 1
        if self.side and self.side[0] == seat:
            self.side = (seat, legal(self.side[1])[action])
            if seat != self.turn_start[0] and action == "yes" and self.card in REWARDS:
                self._reward(*REWARDS[self.card])
        elif self.decision == "queen" and action == "option:3":
            self._reward(3, 0)
        elif self.node and seat == self.turn_start[0] and not self.node.state["others"]:
            self._advance(action)

    def _advance(self, action: str) -> None:
        if not self.node:
            return
        after, waiting = legal(self.node)[action], self.node.state["others"]
        self.node = settle(after) or after
        if waiting or not self.node.state["others"]:
            return
        state = self.node.state
        others = [state["seats"][other] for other in estate.opponents(state)]
        if self.card == "swindler":
            self._reward(0, len(others))  # subtracted again for seats that pay
        if self.card == "governor":
            distances = [int(move.split("+")[1]) for move in self.history if ">seat:+" in move]
            self._reward(0, sum(not self._opponent(k)["hand"]["summer"] for k in distances))

    def _opponent(self, distance: int) -> dict[str, Any]:
        seats = self.node.state["seats"] if self.node else []
        return seats[(self.turn_start[0] + distance) % len(seats)]

    def _reward(self, lira: int, points: int) -> None:
        if self.node:
            self.node = Node(next(iter(gain(lira, points)(self.node.state))).state, self.node.parts)

    def _compare(self, decision: str, actions: set[str], expected: set[str]) -> None:
        self.checked[decision] += 1
        if actions != expected:
            extra, missing = sorted(actions - expected), sorted(expected - actions)
            self._complain(f"{decision}: only the engine: {extra}; only the reference: {missing}")
            self.node = self.side = None

    def _complain(self, text: str) -> None:
        trace = " ".join(self.history)
        self.complaints.append(f"{text} | card {self.card or '-'} | {self.turn_start} | {trace}")

    def _end_side(self, position: Position, seat: int, actions: set[str]) -> bool:
        """Return True while a seat still answers (a single `done` may have been skipped); finally compare effects."""
        if not self.side:
            return False
        answerer, node = self.side
        choices = legal(node)
        if answerer == seat and choices and not (set(choices) == {"done"} and actions != {"done"}):
            return True
        if set(choices) == {"done"}:
            node = choices["done"]
        settled = settle(node)
        self.side = None
        if settled is None or settled.parts:
            self._complain(f"seat {answerer} could not finish its answer")
        elif self.turn_start[1:] == (position["year"], position["season"]):
            if answerer != self.turn_start[0]:
                self._compare_yield({**settled.state, "others": True}, position, answerer)
            elif self.node:  # the player's part of a card for all seats
                self.node = Node({**settled.state, "others": True}, self.node.parts)
        return False

    def _continue(self, decision: str, position: Position, actions: set[str]) -> None:
        settled = settle(self.node) if self.node else None
        if settled is None:
            self._complain(f"{decision}: the engine asks, the reference has no legal continuation")
            self.node = None
            return
        if settled.state["others"] and not (decision == "play_visitor" and settled.parts):
            self.unchecked[decision] += 1
            return
        if settled.state["drawn"] or settled.state["others"]:
            self._compare_yield(settled.state, position, self.turn_start[0])
            fresh = prepare(position, self.turn_start[0])
            fresh["playing"] = settled.state["playing"]
            settled = Node(fresh, settled.parts)
        expected = legal(settled)
        self.node = settled
        if set(expected) == {"done"} and actions != {"done"}:
            self._advance("done")
            self._continue(decision, position, actions)
            return
        self._compare(decision, actions, set(expected))

    def _end_turn(self, position: Position) -> None:
        """Compare the effect of the turn on the acting seat."""
        while self.node and set(legal(self.node)) == {"done"}:
            self._advance("done")
        node, self.node = self.node, None
        if not node:
            return
        settled = settle(node)
        if settled is None or settled.parts:
            if not settled or not settled.state["others"]:
                self._complain("the engine ended the turn too early")
        elif self.turn_start[1:] == (position["year"], position["season"]):
            self._compare_yield(settled.state, position, self.turn_start[0])

    def _compare_yield(self, state: State, position: Position, seat: int) -> None:
        """Compare the predictable part of the position: after answers of others only the seat's own mat."""
        actual = prepare(position, seat)
        foreseen, effects = yield_of(state, seat), yield_of(actual, seat)
        if not state["others"]:
            for summary, source in ((foreseen, state), (effects, actual)):
                everybody = range(len(state["seats"]))
                summary["board"] = [sorted(estate.placed(source, other)) for other in everybody]
                summary["rows"] = [other["wake_up"] for other in source["seats"]]
                for other in everybody:
                    summary[f"seat {other}"] = yield_of(source, other)
                if not state["drawn"]:
                    summary["hands"] = [estate.hand_cards(other) for other in source["seats"]]
                    summary["discards"] = source["discards"]
        elif seat != self.turn_start[0] and not state["drawn"]:
            hands = (estate.hand_cards(source["seats"][seat]) for source in (state, actual))
            foreseen["hand"], effects["hand"] = hands
        self.checked["effects"] += 1
        if foreseen != effects:
            odd = {key: (effects[key], foreseen[key]) for key in effects if effects[key] != foreseen[key]}
            self._complain(f"effects on seat {seat} (engine, reference): {odd}")

    def _answer(self, decision: str, position: Position, seat: int, actions: set[str]) -> None:
        state = prepare(position, seat)
        mat = mine(state)
        if decision == "wake_up":
            rows = {other["wake_up"] for other in state["seats"]}
            self._compare(decision, actions, {f"wake_up:{row}" for row in range(1, 8) if row not in rows})
        elif decision == "queen":
            cards = sum(len(mat["hand"][deck]) for deck in DECKS)
            allowed = (mat["victory_points"] > FLOOR, cards >= 2, mat["lira"] >= 3)
            self._compare(decision, actions, {f"option:{k}" for k, open_ in enumerate(allowed, start=1) if open_})
        elif decision == "discard_to_limit":
            node = Node(state, (discard_cards(len(estate.hand_cards(mat)) - 7),))
            self.side = (seat, node)
            self._compare(decision, actions, set(legal(node)))
        elif decision == "give_card":
            gift = discard_cards(1, ("summer",)) if self.card == "governor" else discard_cards(2)
            self.side = (seat, Node(state, (gift,)))
            self._compare(decision, actions, set(legal(self.side[1])))
        elif decision == "import_card":
            self.side = (seat, Node({**state, "drawn": True}, (offer_cards(3 - self.num_offered),)))
            self._compare(decision, actions, set(legal(self.side[1])))
        elif self.card in OFFERS:
            if self.node and seat == self.turn_start[0]:
                self._compare_yield(self.node.state, position, seat)
            parts = OFFERS[self.card]
            self._check_order(state, seat, position["turn_order"])
            self.side = (seat, Node(state, (check_bool(parts),)))
            self._compare(decision, actions, {"no", "yes"} if can_finish(Node(state, parts)) else {"no"})
        else:
            self.unchecked[decision] += 1

    def _check_order(self, state: State, seat: int, order: list[int]) -> None:
        """Answers follow the turn order, and no seat that could accept is skipped."""
        first = 0
        if self.asked_seats:
            first = order.index(self.asked_seats[-1]) + 1
            if first > order.index(seat):
                self._complain(f"seat {seat} answers after seat {self.asked_seats[-1]}")
        for other in order[first : order.index(seat)]:
            if other == self.turn_start[0] and self.card not in ALSO_SELF:
                continue
            if self.card in ("volunteer_crew", "motivator"):
                test = could_plant if self.card == "volunteer_crew" else could_retrieve_grande
                able = test({**state, "me": self.turn_start[0]}, other)
            else:
                able = can_finish(Node({**state, "me": other}, OFFERS[self.card]))
            if able:
                self._complain(f"seat {other} is skipped before seat {seat}")
        self.asked_seats.append(seat)


@part
def check_bool(state: State, parts: tuple[Part, ...]) -> list[Step]:
    return [Step("yes", state, parts), Step("no", state)]
