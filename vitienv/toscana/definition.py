"""Toscana: what environments, bots, training and commands ask about the game."""

from vitienv.core.definition import Clock, Definition, Lead
from vitienv.toscana.frames import OPERATIONS
from vitienv.toscana.kernel import KERNELS
from vitienv.toscana.names import MAX_SEATS, MIN_SEATS, PHASES, Phase
from vitienv.toscana.observation import OBSERVATION
from vitienv.toscana.options import Options
from vitienv.toscana.state import FIELDS, GAME_DTYPE, LEVERS
from vitienv.toscana.vocabulary import ACTIONS

DEFINITION = Definition(
    name="toscana",
    title="Toscana",
    scored_in="money",
    options=Options,
    fields=FIELDS,
    dtype=GAME_DTYPE,
    actions=ACTIONS,
    observation=OBSERVATION,
    operations=OPERATIONS,
    max_seats=MAX_SEATS,
    kernels=KERNELS,
    clock=Clock("round_number", "round", "phase", tuple(PHASES), late=int(Phase.TASTING)),
    levers=LEVERS,
    positions="vitienv.toscana.positions",
    render="vitienv.toscana.render.text.render",
    words="vitienv.toscana.render.words",
    drawing="vitienv.toscana.render.svg.draw",
    lead=Lead("money", "present"),
    agents={
        "heuristic": "vitienv.agents.toscana.heuristic.HeuristicAgent",
        "pieces": "vitienv.agents.toscana.pieces.PiecesAgent",
        "market": "vitienv.agents.toscana.market.MarketAgent",
    },
    report="vitienv.training.toscana.report",
    rule_of_thumb="heuristic",
    adviser="heuristic",
    champions="vitienv.agents.toscana.champions",
    training={"mix": "2:2,3:1,4:1,5:1", "league": ("heuristic",), "advice": "heuristic"},
    tables={str(n): {"num_players": n} for n in range(MIN_SEATS, MAX_SEATS + 1)},
    signature={"pieces/4": {"map": "pieces", "num_players": 4}, "trades/3": {"player_trades": True, "num_players": 3}},
)
