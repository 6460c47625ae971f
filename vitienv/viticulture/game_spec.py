"""The game spec of Viticulture."""

from vitienv.core.game_spec import GameSpec, LeadFeatures, RoundSpec
from vitienv.viticulture.enums import MAX_SEATS, SEASONS, Season
from vitienv.viticulture.frames import OPERATIONS
from vitienv.viticulture.kernel import KERNELS
from vitienv.viticulture.observation import OBSERVATION
from vitienv.viticulture.options import Options
from vitienv.viticulture.rulesets.solo import DIFFICULTIES
from vitienv.viticulture.state import FIELDS, GAME_DTYPE, RULE_PARAMETERS
from vitienv.viticulture.vocabulary import ACTIONS

GAME_SPEC = GameSpec(
    name="viticulture",
    title="Viticulture",
    options=Options,
    fields=FIELDS,
    dtype=GAME_DTYPE,
    actions=ACTIONS,
    observation=OBSERVATION,
    operations=OPERATIONS,
    max_seats=MAX_SEATS,
    kernels=KERNELS,
    rounds=RoundSpec(
        "year", "year", "season", tuple(SEASONS), late=int(Season.WINTER), last="last_year", limit="max_years"
    ),
    positions="vitienv.viticulture.positions",
    text="vitienv.viticulture.render.text",
    drawing="vitienv.viticulture.render.svg.draw",
    outcome="vitienv.viticulture.options.outcome",
    rival_score="vitienv.viticulture.options.rival_score",
    lead=LeadFeatures("vp", "present", "automa_vp", "marker"),
    rule_parameters=RULE_PARAMETERS,
    agents={
        "heuristic": "vitienv.agents.viticulture.heuristic.HeuristicAgent",
        "visitors": "vitienv.agents.viticulture.visitors.VisitorsAgent",
        "cellar": "vitienv.agents.viticulture.cellar.CellarAgent",
    },
    template="vitienv.agents.viticulture.template",
    heuristic_bot="heuristic",
    policy_prior="heuristic",
    champions="vitienv.agents.viticulture.champions",
    # Games whose rules do not occur in `tables`.
    signature={
        "solo/hard": {"ruleset": "solo", "difficulty": "hard", "aggressive": True},
        "solo/rival": {"ruleset": "solo", "automa_replacement": "rival"},
        "solo/blocker": {"ruleset": "solo", "automa_replacement": "blocker"},
        **{f"solo/challenge {n}": {"ruleset": "solo", "challenge": n} for n in range(1, 9)},
        "original/literal": {"ruleset": "original", "num_players": 3, "preset": "manual_literal"},
    },
    tables={
        **{str(n): {"num_players": n} for n in range(2, MAX_SEATS + 1)},
        "solo": {"ruleset": "solo"},
        **{f"solo/{level}": {"ruleset": "solo", "difficulty": level} for level in DIFFICULTIES if level != "normal"},
    },
    training={"mix": "2", "league": ("heuristic",), "policy_prior": "heuristic"},
    campaign="vitienv.training.viticulture.campaign.Campaign",
    report="vitienv.training.viticulture.report",
    levels={"solo": ("difficulty", DIFFICULTIES)},
)
