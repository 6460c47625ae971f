"""Examples of the additions of `docs/extending.md`, applied to a copy of the project.

Bundled networks are tested in `tests/training/evaluation/test_promotion.py`.
"""

from typing import NamedTuple

RULES = "vitienv/viticulture/"


class Place(NamedTuple):
    """Text to insert after an anchor of a file, or instead of it; without an anchor it is a new file.

    copy: directory of the project to copy. without: part of the error if the place is missing; empty if the other
    places are valid without it. to_show: used by the program only.
    """

    file: str
    anchor: str = ""
    text: str = ""
    instead: bool = False
    copy: str = ""
    without: str = ""
    to_show: bool = False


class Addition(NamedTuple):
    """max_places: maximum number of places. program: fails without the addition.

    definition: fails if a place is missing.
    """

    name: str
    max_places: int
    places: list[Place]
    program: str
    definition: str = "import vitienv; vitienv.game_spec()"


AT_A_SUMMER_VISITOR = """
import vitienv
game = vitienv.Game.new(seed=1)
while game.phase != "summer":
    game.step(game.legal_actions()[0])
position = game.to_dict()
position["seats"][game.current_seat]["hand"]["summer"] = ["goatherd"]
game = vitienv.Game.from_dict(position)
seat, before = game.current_seat, int(game.state.lira[game.current_seat])
game.step("place:play_summer_visitor:plain:regular").step("card:summer:goatherd")
"""

CARD = Addition(
    "card", 1,
    [
        Place(
            RULES + "cards/summer.py", "SUMMER_VISITORS = (\n",
            '    one_of("goatherd", gain(lira=2), draw(vine=1)),\n',
        )
    ],
    AT_A_SUMMER_VISITOR + "assert int(game.step('option:1').state.lira[seat]) == before + 2",
)  # fmt: skip

PART = Addition(
    "part", 3,
    [
        Place(RULES + "cards/parts.py", "    NEEDS = 34\n", "    DOUBLE_LIRA = 35\n", without="DOUBLE_LIRA"),
        Place(
            RULES + "ops/money.py", "import Rule\n",
            '''

@jit
def double_lira(g, seat):
    """Receive as many lira as the seat has."""
    g.lira[seat] *= 2


part(
    PartOp.DOUBLE_LIRA,
    needs=lambda g, seat, a, b, c: g.lira[seat] > 0,
    does=lambda g, seat, a, b, c, result: double_lira(g, seat),
    worth=50,
    says=lambda a, b, c: "double your lira",
)
''',
            without="part DOUBLE_LIRA must have a row",
        ),
        Place(RULES + "cards/summer.py", "SUMMER_VISITORS = (\n", '    card("goatherd", do(PartOp.DOUBLE_LIRA)),\n'),
    ],
    AT_A_SUMMER_VISITOR + """
assert int(game.state.lira[seat]) == 2 * before > 0
from vitienv.viticulture.render.text.cards import CARDS
assert CARDS["goatherd"].text == "Double your lira."
vitienv.make_agent("heuristic")
""",
)  # fmt: skip

OPERATION = Addition(
    "operation", 3,
    [
        Place(RULES + "frames.py", "    CHOOSE_VINE = 44\n", "    COUNT_GOATS = 45\n", without="COUNT_GOATS"),
        Place(
            RULES + "ops/planning.py", "import Rule\n",
            '''

@jit
def legal_count_goats(g, t, mask):
    """Say yes or no."""
    mask[Move.YES] = 1
    mask[Move.NO] = 1


@jit
def apply_count_goats(g, t, action):
    """A lira for who says yes."""
    seat = get(g, t, Frame.SEAT)
    pop(g)
    g.lira[seat] += 1 if action == Move.YES else 0


operation(FrameOp.COUNT_GOATS, "count_goats", legal=legal_count_goats, apply=apply_count_goats, shows=())
''',
            without="operation COUNT_GOATS is undefined",
        ),
        Place(
            RULES + "ops/planning.py", "push(g, FrameOp.MANAGE, seat,", "push(g, FrameOp.COUNT_GOATS, seat,",
            instead=True,
        ),
        Place(
            RULES + "cards/summer.py", "SUMMER_VISITORS = (\n", '    card("goatherd", do(PartOp.MANAGE)),\n',
            to_show=True,
        ),
    ],
    AT_A_SUMMER_VISITOR + """
assert game.decision == "count_goats" and game.to_dict()["pending"]["frames"][-1][0] == "count_goats"
assert int(game.step("yes").state.lira[seat]) == before + 1
""",
)  # fmt: skip

RULE_PARAMETER = Addition(
    "rule parameter", 2,
    [
        Place(
            RULES + "state.py", '    # Tables.\n', '    RuleParameter("tip", 1, "lira more with every gain"),\n',
            without="uses Rule.TIP, which does not exist",
        ),
        Place(
            RULES + "ops/money.py", "    g.lira[seat] += n\n", "    g.lira[seat] += n + g.rules[Rule.TIP]\n",
            instead=True, without="rule parameter 'tip' is unused",
        ),
        Place(
            RULES + "cards/summer.py", "SUMMER_VISITORS = (\n", '    card("goatherd", gain(lira=2)),\n', to_show=True
        ),
    ],
    AT_A_SUMMER_VISITOR + "assert int(game.state.lira[seat]) == before + 3",
)  # fmt: skip

FIELD = Addition(
    "field", 1,
    [
        Place(
            RULES + "state.py", '    Field("cart", (MAX_SEATS, 3)',
            '    Field("goats", _seat, "i1", 0, 9, _all, "goats", empty=3),\n    Field("cart", (MAX_SEATS, 3)',
            instead=True,
        )
    ],
    """
import vitienv
from vitienv.core.batch import Batch
batch = Batch(2, vitienv.game_spec().options.of())
batch.reset(1, is_first=True)
batch.games.goats[:] = 7
batch.reset(2, is_first=False)
assert (batch.games.goats == 3).all()
game = vitienv.Game.new(seed=1)
assert "state" not in game.to_dict()
game.state.goats[1] = 8
assert vitienv.Game.from_dict(game.to_dict()).state.goats.tolist() == [3, 8, 3, 3, 3, 3]
""",
)  # fmt: skip

OBSERVATION_ENTRY = Addition(
    "observation entry", 2,
    [
        Place(
            RULES + "observation.py", '    Feature("present",',
            '    Feature("richest", (1,), "lira of the richest seat", 0, 99),\n    Feature("present",',
            instead=True, without="uses At.RICHEST, which does not exist",
        ),
        Place(
            RULES + "observation.py", "    out[At.FIRST_PLAYER +",
            "    out[At.RICHEST] = max(g.lira)\n    out[At.FIRST_PLAYER +",
            instead=True, without="feature 'richest' is never written",
        ),
    ],
    """
import vitienv
game = vitienv.Game.new(seed=1)
assert vitienv.OBSERVATION.get(game.observation(), "richest")[0] == max(game.state.lira)
""",
)  # fmt: skip

BOARD_ACTION = Addition(
    "board action", 3,
    [
        Place(
            RULES + "enums.py", "    GAIN_LIRA = 12\n    YOKE = 13\n",
            "    HERD_GOATS = 12\n    GAIN_LIRA = 13\n    YOKE = 14\n", instead=True,
            without="'bonus_of_act' must have 13 labels, got 12",
        ),
        Place(
            RULES + "enums.py", "Bonus.LIRA, Bonus.AGAIN, Bonus.AGAIN, Bonus.VP,\n)",
            "Bonus.LIRA, Bonus.AGAIN, Bonus.AGAIN, Bonus.VP, Bonus.LIRA,\n)", instead=True,
            without="'bonus_of_act' must have 12 labels, got 13",
        ),
        Place(
            RULES + "ops/money.py", "board_action(\n    Act.GAIN_LIRA,",
            "board_action(\n    Act.HERD_GOATS,\n    needs=NOTHING,\n"
            "    starts=lambda g, seat, again, must: gain_lira(g, seat, 3),\n    with_bonus=NOTHING,\n"
            "    worth=100,\n)\n"
            "board_action(\n    Act.GAIN_LIRA,",
            instead=True, without="board action HERD_GOATS must have a row",
        ),
    ],
    """
import vitienv
game = vitienv.Game.new(seed=1)
while game.phase != "winter":
    game.step("pass" if game.decision == "place_worker" else game.legal_actions()[0])
seat, before = game.current_seat, int(game.state.lira[game.current_seat])
assert int(game.step("place:herd_goats:plain:regular").state.lira[seat]) == before + 3
game = vitienv.Game.new(seed=1, num_players=3)
while game.phase != "winter":
    game.step("pass" if game.decision == "place_worker" else game.legal_actions()[0])
seat, before = game.current_seat, int(game.state.lira[game.current_seat])
game.step("place:herd_goats:bonus:regular").step("yes")
assert int(game.state.lira[seat]) == before + 3 + 1
""",
)  # fmt: skip

GAME = Addition(
    "game with bots and a report", 4,
    [
        Place("vitienv/toy", copy="tests/toy"),
        Place(
            "vitienv/registry.py", '    "world": "vitienv.world.game_spec",\n',
            '    "toy": "vitienv.toy.game_spec",\n', without="toy",
        ),
        Place(
            "vitienv/agents/toy/__init__.py", text="""from vitienv.agents.random_agent import RandomAgent


class Drawer(RandomAgent):
    def act(self, observations, action_masks, games=None):
        return action_masks.shape[1] - 1 - action_masks[:, ::-1].argmax(axis=1)
""",
        ),
        Place("vitienv/training/toy/__init__.py", text="from vitienv.training.report.generic import *  # noqa: F403\n"),
        Place(
            "vitienv/toy/game_spec.py", "    rule_parameters=rules.RULE_PARAMETERS,\n",
            '    report="vitienv.training.toy",\n    agents={"drawer": "vitienv.agents.toy.Drawer"},\n', to_show=True,
        ),
    ],
    """
import vitienv
from vitienv import cli
assert vitienv.make_agent("drawer", game="toy").name
assert cli.run("tournament drawer random --game toy --players 2 --games 4 --processes 1 --run played".split()) == 0
assert cli.run("analyse played --out told".split()) == 0
""",
    "import vitienv; vitienv.game_spec('toy')",
)  # fmt: skip

ADDITIONS = [
    CARD, PART, OPERATION, RULE_PARAMETER, FIELD, OBSERVATION_ENTRY, BOARD_ACTION, GAME,
]  # fmt: skip
