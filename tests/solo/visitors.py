"""Visitors that involve other seats, of which a solo game keeps the part of the player, and removed visitors."""

from tests.table.fixtures import ALL_STRUCTURES, at, place

from .positions import KEPT, REMOVED, rule, summer, winter

LAY = {"summer": summer, "winter": winter}
GONE = [(deck, card) for deck, cards in REMOVED.items() for card in cards]


def played(card, season, seat=(), worker="regular", **top):
    position = LAY[season]({season: [card], **dict(seat)}, **top)
    return position, place(f"play_{season}_visitor", worker=worker), f"card:{season}:{card}"


of = rule("Visitors, ruling 9.8")
OWN_PART = [
    of("handyman builds for two less and scores nothing", *played("handyman", "summer", {"lira": 3}), legal="yes no",
       ends=["", "trellis+1", "yoke+1", "irrigation+1 lira-1", "windmill+1 lira-3", "cottage+1 lira-2",
             "medium_cellar+1 lira-2"]),
    of("volunteer_crew plants and is paid nothing", *played("volunteer_crew", "summer", {
        "vine": ["malvasia"], "sold": [6, 7]}), legal="yes no", ends=["", "plant5:malvasia+1 vine:malvasia-1"]),
    of("mentor makes wine and draws nothing", *played("mentor", "winter", {"grapes": {"red": [1, 2]}}),
       legal="yes no", ends=["", "grape:red:1-1 wine:red:1+1", "grape:red:2-1 wine:red:2+1",
                             "grape:red:1-1 wine:red:1+1 grape:red:2-1 wine:red:2+1"]),
    of("guest_speaker trains for one lira and scores nothing", *played("guest_speaker", "winter", {"lira": 1}),
       legal="yes no", ends=["", "lira-1 trained+1"]),
    of("motivator takes back the own grande and scores nothing", *played("motivator", "winter", {"grande": 0}, board={
        "gain_lira": [at(0, worker="grande")]}), legal="yes no", ends=["", "grande+1"]),
    of("motivator takes back the grande that played it", *played("motivator", "winter", worker="grande"), "yes",
       gives="grande+1", holds=[("board.play_winter_visitor", None)]),
    of("vendor draws three cards without a question", *played("vendor", "summer"), gives="vine+1 order+1 winter+1"),
    of("banker brings five lira without a question", *played("banker", "summer"), gives="lira+5"),
    of("importer draws three winter visitors (ruling 9.7)", *played("importer", "summer"), gives="winter+3"),
    of("uncertified_teacher finds no opponents", *played("uncertified_teacher", "winter", {"regular": 5, "vp": 2}),
       legal="option:2", gives=""),
    of("uncertified_teacher still trains for a point", *played("uncertified_teacher", "winter"), "option:1",
       gives="vp-1 trained+1"),
    of("taster compares with the own cellar", *played("taster", "winter", {"wines": {"red": [3]}}), "wine:red:3",
       gives="lira+4 vp+2 wine:red:3-1"),
    of("taster: the own best wine", *played("taster", "winter", {"wines": {"red": [3], "white": [2]}}),
       ends=["lira+4 vp+2 wine:red:3-1", "lira+4 wine:white:2-1"]),
    of("taster: as good as another is not best", *played("taster", "winter", {"wines": {"red": [3], "white": [3]}}),
       ends=["lira+4 wine:red:3-1", "lira+4 wine:white:3-1"]),
    *(of(f"{card} needs the seat to use it: {reason}", played(card, season, seat)[0],
         refuses=place(f"play_{season}_visitor")) for card, season, seat, reason in (
        ("handyman", "summer", {"lira": 9, "structures": ALL_STRUCTURES}, "all built"),
        ("volunteer_crew", "summer", {"vine": ["pinot"]}, "no structures"),
        ("mentor", "winter", {"lira": 9}, "no grapes"),
        ("guest_speaker", "winter", {}, "no lira"),
        ("guest_speaker", "winter", {"lira": 9, "regular": 5}, "no worker left"))),
    of("contractor is unchanged", *played("contractor", "summer", {"vine": ["sangiovese"], "lira": 2}),
       "option:1 option:3 card:vine:sangiovese field:5", gives="vp+1 plant5:sangiovese+1 vine:sangiovese-1"),
    of("reaper is unchanged", *played("reaper", "winter", {
        "fields": {5: ["sangiovese"], 6: ["malvasia"], 7: ["syrah"]}}), "field:5 field:6 field:7",
       gives="vp+2 harvested5+1 harvested6+1 harvested7+1 grape:red:1+1 grape:white:1+1 grape:red:2+1"),
]  # fmt: skip

of = rule("Setup 4, ruling 9.7")
TAKEN_OUT = [
    *(of(f"the removed {deck} visitors are not in the deck: nothing is left of it", summer({deck: KEPT[deck]}), "pass",
         decision="choose_deck", legal=f"deck:{other}")
      for deck, other in (("summer", "winter"), ("winter", "summer"))),
    *(of(f"the last {deck} card is a useful one: {card}", summer(
        {deck: [name for name in KEPT[deck] if name != card]}), f"pass deck:{deck}",
        holds=[(f"seats.0.hand.{deck}", [*KEPT[deck]])])
      for deck in KEPT for card in (KEPT[deck][0], KEPT[deck][-1])),
    *(of(f"a redrawn {deck} visitor is never drawn: seed {seed}", summer(
        {deck: [name for name in KEPT[deck] if name != KEPT[deck][4]]}, redraw_visitors=True, seed=seed),
        f"pass deck:{deck}", holds=[(f"seats.0.hand.{deck}", [*KEPT[deck]]), ("season", "winter")])
      for deck in KEPT for seed in range(6)),
    of("redrawn visitors are in the decks, and discarded", summer(redraw_visitors=True, automa="01", next_draws={
        "winter": ["queen", "governor", "noble"]}), "pass deck:winter", gives="winter:noble+1",
       holds=[("discards.winter", ["queen", "governor"])]),
    of("a card that draws visitors redraws them too", *played("importer", "summer", redraw_visitors=True, next_draws={
        "winter": ["queen", "noble", "governor", "judge", "caravan"]}),
       gives="winter:noble+1 winter:judge+1 winter:caravan+1"),
    of("cards that are turned up are redrawn too", *played("caravan", "winter", redraw_visitors=True, next_draws={
        "vine": ["pinot"], "order": ["order_01"], "summer": ["swindler", "broker"], "winter": ["noble"]}),
       "card:summer:broker card:winter:noble", gives="summer:broker+1 winter:noble+1"),
    *(of(f"the {card} needs an opponent", played(card, season, {"lira": 9}, redraw_visitors=True)[0],
         refuses=place(f"play_{season}_visitor")) for season, card in GONE),
]  # fmt: skip

of = rule("Gameplay")
AS_USUAL = [
    of("spaces of two: the left one, without a bonus", summer(), place("give_tour"), gives="lira+2", seat=0,
       decision="place_worker", offers=place("give_tour", "crowd", "grande"),
       refuses=[place("give_tour"), place("give_tour", "bonus"), place("draw_vine", "bonus")]),
    of("one visitor in fall, then winter with the workers left", summer(automa="01"), place("draw_vine"),
       "pass deck:summer", gives="vine+1 summer+1", decision="place_worker", seat=0),
]  # fmt: skip

CASES = [*OWN_PART, *TAKEN_OUT, *AS_USUAL]
