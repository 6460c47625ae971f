"""The game spec of Toscana."""

from vitienv.core.game_spec import GameSpec, LeadFeatures, RoundSpec
from vitienv.toscana.enums import MAX_SEATS, MIN_SEATS, PHASES, Phase
from vitienv.toscana.frames import OPERATIONS
from vitienv.toscana.kernel import KERNELS
from vitienv.toscana.observation import OBSERVATION
from vitienv.toscana.options import Options
from vitienv.toscana.state import FIELDS, GAME_DTYPE, RULE_PARAMETERS
from vitienv.toscana.vocabulary import ACTIONS

GAME_SPEC = GameSpec(
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
    rounds=RoundSpec("round_number", "round", "phase", tuple(PHASES), late=int(Phase.TASTING)),
    rule_parameters=RULE_PARAMETERS,
    positions="vitienv.toscana.positions",
    text="vitienv.toscana.render.text",
    drawing="vitienv.toscana.render.svg.draw",
    lead=LeadFeatures("money", "present"),
    agents={
        "heuristic": "vitienv.agents.toscana.heuristic.HeuristicAgent",
        "pieces": "vitienv.agents.toscana.pieces.PiecesAgent",
        "market": "vitienv.agents.toscana.market.MarketAgent",
    },
    report="vitienv.training.toscana.report",
    heuristic_bot="heuristic",
    policy_prior="heuristic",
    champions="vitienv.agents.toscana.champions",
    training={"mix": "2:2,3:1,4:1,5:1", "league": ("heuristic",), "policy_prior": "heuristic"},
    tables={str(n): {"num_players": n} for n in range(MIN_SEATS, MAX_SEATS + 1)},
    signature={"pieces/4": {"map": "pieces", "num_players": 4}, "trades/3": {"player_trades": True, "num_players": 3}},
)
