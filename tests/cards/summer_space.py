"""The action of playing summer visitors, and the windmill of a seat that plants by a card."""

from tests.table.case import case
from tests.table.fixtures import place
from tests.table.setup_position import table

from .visitor import plant, planted, visitor

patron = visitor("patron")
USED = {"lira": 2, "vine": ["malvasia"], "structures": ["windmill"], "used": ["windmill"]}
PLANTERS = {
    "agriculturist": "", "artisan": "option:3", "contractor": "option:1 option:3", "cultivator": "", "grower": "",
    "homesteader": "option:1 structure:trellis option:2", "horticulturist": "option:1", "landscaper": "option:1",
    "overseer": "option:1 structure:yoke", "planter": "option:1", "sharecropper": "option:1", "volunteer_crew": "yes",
}  # fmt: skip
ALSO = {"contractor": "vp+1", "homesteader": "trellis+1 vp-1", "overseer": "lira-2 yoke+1", "planter": "lira+1",
        "landscaper": "vine+1"}  # fmt: skip

CASES = [
    case("summer visitors' space", "offers only playable visitors (ruling 1.6)",
         table("summer", {"summer": ["broker", "patron"], "lira": 8, "vp": -4}), place("play_summer_visitor"),
         legal="card:summer:patron"),
    patron("the second of a bonus space may be left out (ruling 1.1)", {"summer": ["artisan"]}, n=3, space="bonus",
           moves="option:1 done", gives="lira+4", seat=1, decision="place_worker"),
    patron("it may be paid by the first (ruling 3.8)", {"summer": ["broker"], "lira": 5}, n=3, space="bonus",
           moves="option:1 card:summer:broker option:1", gives="lira-5 vp+3 summer:broker-1"),
    patron("no third", {"summer": ["artisan", "banker"]}, n=3, space="bonus", seat=1, decision="place_worker",
           moves="option:1 card:summer:artisan option:1", gives="lira+7 summer:artisan-1"),
    *(visitor(card)("the windmill scores once a year (ruling 3.10)", USED,
                    moves=f"{before} {plant('5:malvasia')}", gives=f"{planted('5:malvasia')} {ALSO.get(card, '')}")
      for card, before in PLANTERS.items()),
]  # fmt: skip
