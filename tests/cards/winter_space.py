"""The action of playing winter visitors: the worker, the discard pile, the second card of the bonus space."""

from tests.table.case import case
from tests.table.fixtures import at, place
from tests.table.setup_position import table

from .visitor import visitor

politician, assessor, caravan, promoter = map(visitor, ("politician", "assessor", "caravan", "promoter"))
SPACE, PLAIN = "winter visitors' space", place("play_winter_visitor")
TURNED = {"vine": ["merlot"], "order": ["order_05"], "summer": ["patron"], "winter": ["politician"]}
GAINED = "card:vine:merlot card:winter:politician"
WITH_JUDGE = {"vp": -1, "winter": ["judge"]}

CASES = [
    politician("takes the worker, the pile the card", {"vp": -1}, top={"discards": {"winter": ["judge"]}},
               gives="lira+6", moves="", seat=1,
               holds=[("board.play_winter_visitor", [at(0)]), ("discards.winter", ["judge", "politician"])]),
    *(case(SPACE, f"needs a playable winter visitor (ruling 1.6): {hand}",
           table("winter", {"winter": hand, "summer": ["patron"]}), refuses=PLAIN) for hand in ([], ["merchant"])),
    case(SPACE, "offers only playable visitors",
         table("winter", {"winter": ["merchant", "judge", "taster", "politician"], "lira": 2}), PLAIN,
         legal="card:winter:judge card:winter:politician"),
    politician("the plain space plays one card", WITH_JUDGE, n=3, gives="lira+6", seat=1),
    politician("the bonus space plays two", {"vp": -1, "winter": ["crusher"]}, n=3, space="bonus",
               moves="card:winter:crusher option:1", gives="lira+9 summer+1 winter:crusher-1", seat=1,
               decision="place_worker", holds=[("discards.winter", ["politician", "crusher"]),
                                               ("board.play_winter_visitor", [at(0, "bonus")])]),
    politician("the second may be declined (ruling 1.1)", WITH_JUDGE, n=3, space="bonus", seat=0,
               decision="play_visitor", legal="card:winter:judge done"),
    politician("and stays in hand", WITH_JUDGE, n=3, space="bonus", moves="done", gives="lira+6", seat=1,
               decision="place_worker"),
    caravan("the second may be gained by the first (ruling 3.8)", {"vp": -1}, n=3, space="bonus", moves=GAINED,
            top={"next_draws": TURNED}, decision="play_visitor", legal="card:winter:politician done"),
    caravan("and is played", {"vp": -1}, n=3, space="bonus", moves=f"{GAINED} card:winter:politician",
            top={"next_draws": TURNED}, gives="lira+6 vine:merlot+1",
            holds=[("discards.winter", ["caravan", "politician"])]),
    case(SPACE, "a Merchant without money is no first card",
         table("winter", {"vp": -1, "winter": ["politician", "merchant"]}, n=3), place("play_winter_visitor", "bonus"),
         legal="card:winter:politician"),
    politician("its lira pay for the Merchant (ruling 3.8)", {"vp": -1, "winter": ["merchant"]}, n=3, space="bonus",
               moves="card:winter:merchant option:1", gives="lira+3 grape:red:1+1 grape:white:1+1 winter:merchant-1"),
    politician("the Innkeeper takes the first card back (ruling 3.7)", {"vp": -1, "winter": ["innkeeper"]}, n=3,
               space="bonus", top={"discards": {"summer": ["patron"]}},
               moves="card:winter:innkeeper deck:summer deck:winter",
               gives="lira+6 summer:patron+1 winter:politician+1 winter:innkeeper-1",
               holds=[("discards.winter", ["innkeeper"])]),
    assessor("no second card when the hand is given up", {"winter": ["politician"]}, n=3, space="bonus",
             moves="option:2", gives="vp+2 winter:politician-1", seat=1, decision="place_worker",
             holds=[("discards.winter", ["politician", "assessor"])]),
    case(SPACE, "one space for two players; a grande may join (ruling 1.4)",
         table("winter", {"winter": ["politician"]}, board={"play_winter_visitor": [at(1)]}), refuses=PLAIN,
         offers=place("play_winter_visitor", "crowd", "grande")),
    politician("without a bonus", worker="grande", space="crowd", top={"board": {"play_winter_visitor": [at(1)]}},
               gives="vine+1 summer+1 order+1", seat=1,
               holds=[("board.play_winter_visitor", [at(1), at(0, "crowd", "grande")])]),
    promoter("its point may reach the goal; the year is played on (Goal)", {"vp": 19, "grapes": {"red": [1]}},
             moves="option:1 grape:red:1", decision="place_worker", holds=[("goal_reached", True)]),
    promoter("to its end", {"vp": 19, "grapes": {"red": [1]}}, moves="option:1 grape:red:1 pass pass", decision=None,
             holds=[("seats.0.victory_points", 20)]),
]  # fmt: skip
