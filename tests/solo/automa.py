"""The Automa: its 24 cards, draws at each level, and planned workers, which are placed before it."""

from tests.table.fixtures import SUMMER_ACTIONS, WINTER_ACTIONS, at, place

from .positions import ABLE, AUTOMA_CARDS, TO_WINTER, rule, spring, stand, summer, winter

# Summer and winter actions of the base board that each card blocks.
CARDS = {
    "01": ("draw_vine give_tour", ""),
    "02": ("draw_vine build_structure plant_vine", "make_wine"),
    "03": ("draw_vine play_summer_visitor", "play_winter_visitor"),
    "04": ("give_tour build_structure sell_grapes_or_field", "train_worker"),
    "05": ("give_tour", "harvest_field"),
    "06": ("build_structure", "draw_order fill_order"),
    "07": ("draw_vine play_summer_visitor", ""),
    "08": ("give_tour plant_vine", "make_wine"),
    "09": ("build_structure sell_grapes_or_field play_summer_visitor", "play_winter_visitor"),
    "10": ("plant_vine sell_grapes_or_field", "train_worker"),
    "11": ("play_summer_visitor sell_grapes_or_field", "harvest_field"),
    "12": ("plant_vine", "draw_order fill_order"),
    "13": ("draw_vine play_summer_visitor", "draw_order harvest_field"),
    "14": ("give_tour sell_grapes_or_field", "draw_order make_wine"),
    "15": ("build_structure", "draw_order play_winter_visitor"),
    "16": ("", "harvest_field make_wine"),
    "17": ("", "harvest_field train_worker"),
    "18": ("plant_vine", "make_wine fill_order"),
    "19": ("draw_vine play_summer_visitor", "play_winter_visitor train_worker"),
    "20": ("give_tour sell_grapes_or_field", "play_winter_visitor"),
    "21": ("build_structure", "play_winter_visitor fill_order"),
    "22": ("", "harvest_field train_worker"),
    "23": ("", "draw_order train_worker fill_order"),
    "24": ("plant_vine", "make_wine fill_order"),
}
ROW_1 = "glass1-1 token+1"  # the bonus of row 1
OWN = at(0)


def legal_with_automa(actions, blocked):
    """Return the legal actions of a seat that can do everything, with the Automa on the `blocked` actions."""
    blocked = blocked.split()
    return ["pass", *(place(name, worker=kind) for name in (*(set(actions) - set(blocked)), "gain_lira", "yoke")
                      for kind in ("regular", "grande")),
            *(place(action, "crowd", "grande") for action in blocked)]  # fmt: skip


def deck(*cards):
    return [("next_draws.automa", [f"automa_{card}" for card in cards])]


of = rule("Automa cards")
BLOCKS = [
    *(of(f"{card} blocks in summer; a grande may join, cart and yoke stay open (ruling 9.4)",
         spring(ABLE, automa_deck=[f"automa_{card}"]), "wake_up:1", legal=legal_with_automa(SUMMER_ACTIONS, blocked),
         gives=f"{ROW_1} {stand(blocked)}") for card, (blocked, _) in CARDS.items()),
    *(of(f"{card} blocks in winter; a grande may join, cart and yoke stay open (ruling 9.4)",
         summer(ABLE, automa_deck=[f"automa_{card}"]), TO_WINTER, legal=legal_with_automa(WINTER_ACTIONS, blocked),
         gives=f"summer+1 {stand(blocked)}") for card, (_, blocked) in CARDS.items()),
    *(of(f"{level}, summer: a card without workers is all there is", spring(automa="16 02", difficulty=level),
         "wake_up:1", gives=ROW_1, holds=deck("02")) for level in ("very_easy", "easy", "normal")),
    *(of(f"{level}, winter: a card without workers is all there is", summer(automa="01 02", difficulty=level),
         TO_WINTER, gives="summer+1", holds=deck("02")) for level in ("very_easy", "easy", "normal")),
    of("one for summer and one for winter, none in fall; nothing else changes", spring(automa="02 23"), "wake_up:1",
       TO_WINTER, gives=f"{ROW_1} summer+1 {stand(CARDS['02'][0])} {stand(CARDS['23'][1])}",
       holds=[("automa_deck", [card for card in AUTOMA_CARDS if card not in ("automa_02", "automa_23")]),
              ("discards", {})]),
    of("all go home at the year's end; none in spring", spring(automa="02 23"), "wake_up:1", TO_WINTER, "pass",
       decision="wake_up", gives=f"{ROW_1} summer+1", holds=[("board", {}), ("automa_deck", [
           card for card in AUTOMA_CARDS if card not in ("automa_02", "automa_23")])]),
    of("a worker of a position blocks", winter(ABLE, blocked="make_wine harvest_field"),
       legal=legal_with_automa(WINTER_ACTIONS, "make_wine harvest_field")),
    of("a grande acts on a blocked action, once and without a bonus", summer(blocked="give_tour"),
       place("give_tour", "crowd", "grande"), gives="lira+2", refuses=[
           place("give_tour"), place("give_tour", "bonus"), place("give_tour", "crowd", "grande")]),
    of("all blocked and no grande: the cart", winter({"regular": 1, "grande": 0}, blocked=" ".join(WINTER_ACTIONS)),
       legal=["pass", place("gain_lira")]),
    of("the seat's workers of summer do not matter in winter",
       summer(ABLE, board={"draw_vine": [OWN], "give_tour": [OWN]}, automa="23"), TO_WINTER,
       gives=f"summer+1 {stand(CARDS['23'][1])}"),
]  # fmt: skip

of = rule("Difficulty levels, hard")
LEVELS = ("hard", "very_hard")
TWO_WORKERS = [row for level in LEVELS for row in (
    *(of(f"{level}: {cards} until two are placed, all of a further card", spring(automa=cards, difficulty=level),
         "wake_up:1", gives=f"{ROW_1} {stand(blocked)}", holds=deck(*later.split())) for cards, blocked, later in (
             ("01 02", "draw_vine give_tour", "02"),
             ("02 05", "draw_vine build_structure plant_vine", "05"),
             ("06 12 05", "build_structure plant_vine", "05"),
             ("05 02 01", "give_tour draw_vine build_structure plant_vine", "01"),
             ("16 23 06 05 01", "build_structure give_tour", "01"),
             ("16 02 05", "draw_vine build_structure plant_vine", "05"))),
    of(f"{level}: no second worker on an action", spring(automa="06 15 21 12 05", difficulty=level), "wake_up:1",
       gives=f"{ROW_1} {stand('build_structure plant_vine')}", holds=deck("05")),
    of(f"{level}: of a card whose first action is taken the others count",
       spring(automa="06 02 01", difficulty=level), "wake_up:1",
       gives=f"{ROW_1} {stand('build_structure draw_vine plant_vine')}", holds=deck("01")),
    of(f"{level}: winter counts for itself", spring(automa="01 05 03 04", difficulty=level), "wake_up:1", TO_WINTER,
       gives=f"{ROW_1} summer+1 {stand('draw_vine give_tour harvest_field play_winter_visitor')}", holds=deck("04")),
)]  # fmt: skip
SIX_WORKERS = [row for level in LEVELS for row in (
    *(of(f"{level}: six a year, in printed order (ruling 9.12): {cards}", spring(automa=cards, difficulty=level),
         "wake_up:1", TO_WINTER, gives=f"{ROW_1} summer+1 {stand(blocked)}", holds=deck("16")) for cards, blocked in (
             ("12 04 05 23 16",
              "plant_vine give_tour build_structure sell_grapes_or_field harvest_field draw_order"),
             ("02 05 23 16", "draw_vine build_structure plant_vine harvest_field draw_order train_worker"))),
    of(f"{level}: workers on the board count towards six", summer(
        blocked="draw_vine give_tour build_structure plant_vine", automa="23 16", difficulty=level), TO_WINTER,
       gives=f"summer+1 {stand('draw_order train_worker')}"),
    of(f"{level}: six again in the next year", spring(automa="02 05 23 09 06 22", difficulty=level), "wake_up:1",
       TO_WINTER, "pass wake_up:2", TO_WINTER, holds=deck("22"), gives="glass1-1 glass2-1 token+2 vine+1 summer+2 "
       + stand("build_structure sell_grapes_or_field play_summer_visitor draw_order fill_order")),
)]  # fmt: skip

of = rule("Examples and clarifications, Planner")
WINE = {"grapes": {"red": [1, 2, 3]}}
PLANNED = [
    of("the planned action precedes the Automa's card (ruling 9.6)",
       summer(WINE, board={"make_wine": [OWN]}, automa_deck=["automa_14"]), TO_WINTER, decision="make_wine",
       legal="make:red", holds=[("automa_deck", ["automa_14"]), ("board.draw_order", None)]),
    of("the Automa leaves out a planned action (ruling 9.6)",
       summer(WINE, board={"make_wine": [OWN]}, automa="14"), TO_WINTER, "make:red grape:red:1 done",
       gives="summer+1 grape:red:1-1 wine:red:1+1 automa:draw_order+1", refuses=place("make_wine"),
       offers=place("make_wine", "crowd", "grande")),
    *(of(f"{level}: an omitted action places no worker, so another card is turned", summer(
        {"regular": 1}, board={"make_wine": [OWN]}, automa="02 05 03 17", difficulty=level), TO_WINTER,
        gives=f"summer+1 {stand('harvest_field play_winter_visitor')}", holds=deck("17")) for level in LEVELS),
    *(of(f"{level}: the draw stops when no action is free (ruling 9.13)", summer({"regular": 0}, board={
        action: [OWN] for action in WINTER_ACTIONS if action != "train_worker"}, difficulty=level), TO_WINTER,
        gives="summer+1 order+1 automa:train_worker+1", refuses=[place(action) for action in WINTER_ACTIONS])
      for level in LEVELS),
    *(of(f"{level}: no card where all is taken (ruling 9.13)", summer(
        {"regular": 0, "grande": 0, "temporary": 1, "row": 7}, difficulty=level, board={
            action: [OWN] for action in WINTER_ACTIONS[:5]} | {"fill_order": [at(0, worker="grande")]}), TO_WINTER,
        gives="summer+1 order+1", legal=["pass", place("gain_lira")]) for level in LEVELS),
    of("plans on free left spaces", summer({"summer": ["planner"]}), place("play_summer_visitor"),
       "card:summer:planner", decision="plan_action",
       legal=[place(action, worker=kind) for action in WINTER_ACTIONS for kind in ("regular", "grande")]),
    of("the Automa takes another action than the planned one", summer({"summer": ["planner"]}, automa="23"),
       place("play_summer_visitor"), "card:summer:planner", place("draw_order"), TO_WINTER,
       gives=f"regular-1 summer+1 order+1 {stand('train_worker fill_order')}"),
]  # fmt: skip

CASES = [*BLOCKS, *TWO_WORKERS, *SIX_WORKERS, *PLANNED]
