"""Automa replacements: a second seat as a full rival or as a blocker."""

from tests.table.fixtures import ALL_STRUCTURES, SUMMER_ACTIONS, WINTER_ACTIONS, at, place

from .positions import ABLE, REMOVED, ROWS, rule, spring, summer, winter

LAY = {"summer": summer, "winter": winter}
OF_SEASON = (("summer", SUMMER_ACTIONS), ("winter", WINTER_ACTIONS))
R, B = ({"automa_replacement": name} for name in ("rival", "blocker"))
NO_AUTOMA = [("board", {})]
IN_ROW_4 = [row for row in ROWS if row != "wake_up:4"]


of = rule("rival")
RIVAL = [
    of("the row of one is closed for the other this year", spring(**R), "wake_up:4", seat=1, legal=IN_ROW_4),
    of("each has tokens of its own", spring(**R), "wake_up:3 wake_up:4", seat=0, decision="place_worker",
       gives="glass3-1 token+1 order+1 1.glass4-1 1.token+1 1.lira+1", holds=NO_AUTOMA),
    of("each row once a seat", spring(**R), "wake_up:3 wake_up:4 pass pass deck:summer deck:summer pass pass",
       seat=1, decision="wake_up", offers="wake_up:3", refuses="wake_up:4"),
    of("without a free row of its own any (ruling S1)", spring({}, {"glass": [4]}, **R), "wake_up:4", seat=1,
       legal=IN_ROW_4),
    of("such a row brings no token, but its bonus", spring({}, {"glass": [3]}, **R), "wake_up:3 wake_up:4",
       gives="glass3-1 token+1 order+1 1.lira+1"),
    of("with a free row of its own it keeps to it", spring({}, {"glass": [3, 6]}, **R), "wake_up:3", seat=1,
       legal="wake_up:6"),
    of("shares the left spaces", summer({}, {"lira": 9}, **R), place("give_tour"), seat=1,
       offers=place("give_tour", "crowd", "grande"), refuses=[place("give_tour"), place("draw_vine", "bonus")]),
    of("both spend tokens", summer({"tokens": 1}, {"tokens": 1}, **R), place("give_tour"), "yes", place("draw_vine"),
       seat=1, legal="yes no", ends=["lira+3 token-1 1.regular-1 1.vine+1",
                                     "lira+3 token-1 1.regular-1 1.vine+2 1.token-1"]),
    of("no Automa and no marker in winter", summer(**R), "pass pass deck:summer deck:summer", automa_score=None,
       gives="summer+1 1.summer+1", holds=NO_AUTOMA),
    of("the decks hold all visitors", summer({"summer": ["wedding_party"], "winter": ["queen"], "lira": 2}, **R),
       place("play_summer_visitor"), "card:summer:wedding_party", decision="choose_opponent", legal="seat:+1",
       gives="lira-2 vp+1 1.lira+2"),
    of("the banker concerns both", summer({"summer": ["banker"]}, **R), place("play_summer_visitor"),
       "card:summer:banker", decision="offer", seat=1),
    *(of(f"twenty points do not end the game: year {year}", winter({"vp": 30}, {"vp": 25}, year=year, **R),
         "pass pass", is_over=False, decision="wake_up") for year in (1, 6)),
    *(of(f"more_points win after seven years, else a draw: {outcome}, reward {reward}", winter(
        {"vp": first, "lira": 50, "wines": {"red": [3], "white": [3]}}, {"vp": second}, year=7, reward=reward, **R),
        "pass pass", is_over=True, scores=[first, second], rewards=rewards, ranks=ranks, outcome=outcome)
      for first, second, rewards, ranks, outcome in (
          (12, 11, [1, -1], [1, 2], "win"), (11, 11, [0, 0], [1, 1], "draw"), (11, 12, [-1, 1], [2, 1], "loss"))
      for reward in ("win", "rank")),
    of("no outcome while playing", winter({"vp": 12}, {"vp": 11}, year=7, **R), outcome=None),
]  # fmt: skip

of = rule("blocker")
BLOCKER = [
    *(of(f"a row brings it nothing: {row}", spring(**B), f"wake_up:1 wake_up:{row}", seat=0, decision="place_worker",
         gives="glass1-1 token+1", holds=NO_AUTOMA) for row in range(2, 8)),
    of("its row is taken, the seat's token stays", spring(first_player=1, **B), "wake_up:4", seat=0, legal=IN_ROW_4,
       holds=[("seats.0.glass_tokens", [*range(1, 8)])]),
    of("on the last row with a token it leaves the others", spring({"glass": [4]}, first_player=1, **B), "wake_up:4",
       seat=0, legal=IN_ROW_4),
    of("such a row brings no token", spring({"glass": [3]}, first_player=1, **B), "wake_up:3 wake_up:1", gives=""),
    of("the seat keeps its tokens", spring({"glass": [2, 4]}, **B), legal="wake_up:2 wake_up:4"),
    of("the seat spends its token", spring({"glass": [2, 4]}, **B), "wake_up:4 wake_up:5", place("give_tour"), "yes",
       gives="glass4-1 lira+4 regular-1"),
    *(of(f"any free_space of {season}, feasible or not, never cart or yoke", LAY[season](
        {"row": 2}, {"wake_up": 1}, board={actions[2]: [at(0)]}, to_act=1, **B), seat=1,
        legal=["pass", *(place(action) for action in actions if action != actions[2])])
      for season, actions in OF_SEASON),
    *(of(f"its worker does nothing but block {action}", LAY[season](
        ABLE | {"row": 2}, {"wake_up": 1}, to_act=1, **B), place(action), seat=0, decision="place_worker",
        gives="", offers=place(action, "crowd", "grande"), refuses=place(action), holds=[("discards", {})])
      for season, actions in OF_SEASON for action in actions),
    of("three workers per year, which return", summer({"regular": 1, "grande": 0}, **B), "pass",
       place("draw_vine"), place("give_tour"), place("plant_vine"), "deck:summer", seat=0,
       gives="summer+1 1.regular-3"),
    of("they return at the end of the year", summer({"regular": 1, "grande": 0}, **B), "pass",
       place("draw_vine"), place("give_tour"), place("plant_vine"), "deck:summer pass", decision="wake_up",
       gives="summer+1", holds=NO_AUTOMA),
    of("it may save workers for winter", summer({"regular": 2, "grande": 0}, **B), "pass", place("draw_vine"),
       "pass deck:summer pass", seat=1, offers=place("make_wine"), gives="summer+1 passed+1 1.regular-1"),
    of("draws nothing in fall; no card of the Automa", summer(**B), "pass pass deck:summer", gives="summer+1", seat=0,
       holds=NO_AUTOMA),
    *(of(f"is asked nothing: {card}", summer({"summer": [card]}, **B), place("play_summer_visitor"),
         f"card:summer:{card}", seat=1, decision="place_worker", gives=gives)
      for card, gives in (("banker", "lira+5"), ("vendor", "vine+1 order+1 winter+1"))),
    *(of(f"no part in cards for all seats: {card}", LAY[season]({season: [card], "lira": 3}, **B),
         place(f"play_{season}_visitor"), f"card:{season}:{card}", asks="0", seat=1, decision="place_worker")
      for card, season in (("handyman", "summer"), ("guest_speaker", "winter"))),
    *(of(f"makes no card playable: {card}", LAY[season](seat | {season: [card]}, board=board, **B),
         refuses=place(f"play_{season}_visitor")) for card, season, seat, board in (
             ("handyman", "summer", {"structures": ALL_STRUCTURES, "lira": 9}, {}),
             ("guest_speaker", "winter", {}, {}),
             ("motivator", "winter", {}, {"draw_order": [at(1, worker="grande")]}))),
    *(of(f"is no opponent for a card: {card}", LAY[season]({season: [card], "lira": 5}, redraw_visitors=True, **B),
         refuses=place(f"play_{season}_visitor")) for season, cards in REMOVED.items() for card in cards),
    *(of(f"the marker is its score: {outcome}", winter({"vp": vp}, year=7, **B), "pass pass", is_over=True,
         outcome=outcome, scores=[vp, 20], ranks=ranks, automa_score=20)
      for vp, outcome, ranks in ((21, "win", [1, 2]), (20, "draw", [1, 1]), (19, "loss", [2, 1]))),
    of("the marker of the aggressive variant moves on", winter({"vp": 5}, year=1, aggressive=True, **B), "pass pass",
       decision="wake_up", year=2, automa_score=0, scores=[5, 0]),
    of("twenty points do not end the game", winter({"vp": 30}, year=3, **B), "pass pass", is_over=False,
       decision="wake_up", scores=[30, 20]),
]  # fmt: skip

CASES = [*RIVAL, *BLOCKER]
