"""The end of a solo game: its length, the outcome, and the rewards."""

from tests.table.fixtures import place

from .positions import ROWS, rule, spring, summer, winter

TARGETS = [-1, 0, 1, 4, 8, 13, 20]
LEVELS = ("very_easy", "easy", "normal", "hard", "very_hard")


def last(vp, year=7, seat=(), **top):
    return winter({"vp": vp} | dict(seat), year=year, **top)


def over(outcome, **others):
    """Return the attributes of a game with this outcome."""
    reward = {"win": 1.0, "draw": 0.0, "loss": -1.0}[outcome]
    return {"is_over": True, "outcome": outcome, "rewards": [reward], "ranks": [2 if reward < 0 else 1]} | others


def another_year(**others):
    """Return the attributes of a game that has another year."""
    return {"is_over": False, "decision": "wake_up", "outcome": None, "rewards": [0.0]} | others


of = rule("Game end")
POINTS = [
    *(of(f"points are compared with the marker: {outcome} with {vp}, reward {reward}", last(vp, reward=reward), "pass",
         **over(outcome, seat=None, decision=None, legal=(), scores=[vp], automa_score=20))
      for vp, outcome in ((21, "win"), (20, "draw"), (19, "loss")) for reward in ("win", "rank")),
    *(of(f"the margin is counted in twentieths: {vp}", last(vp, reward="margin"), "pass", rewards=[margin])
      for vp, margin in ((21, 0.05), (20, 0.0), (10, -0.5), (-5, -1.25), (40, 1.0))),
    *(of(f"the margin of very_hard is counted from 23: {vp}", last(vp, reward="margin", difficulty="very_hard"),
         "pass", rewards=[margin]) for vp, margin in ((33, 0.5), (23, 0.0), (20, -0.15))),
    *(of(f"the marker of a position counts: {outcome}", last(vp, automa_points=10), "pass", outcome=outcome)
      for vp, outcome in ((11, "win"), (10, "draw"))),
    of("no tie-breakers: the same space is a draw, regardless of other counts", last(20, seat={
        "lira": 60, "wines": {"red": [3], "white": [3]}, "grapes": {"red": [9], "white": [9]}}), "pass",
       **over("draw")),
    of("points lost after the goal are lost", summer({"vp": 22, "summer": ["broker"], "regular": 1, "grande": 0},
       year=7), place("play_summer_visitor"), "card:summer:broker option:2 deck:summer",
       **over("draw", scores=[20])),
    of("the last row may bring the winning point", spring({"vp": 20, "glass": [6]}, year=7, automa="16 01"),
       "wake_up:6 pass deck:summer pass", **over("win", scores=[21])),
    of("the last year has its year end", last(25, seat={
        "residual": 3, "order": [f"order_{number:02d}" for number in range(1, 9)], "wines": {"red": [1]}}),
       "pass", decision="discard_to_limit", is_over=False),
    of("then the game ends", last(25, seat={
        "residual": 3, "order": [f"order_{number:02d}" for number in range(1, 9)], "wines": {"red": [1]}}),
       "pass card:order:order_01", is_over=True, gives="lira+3 order:order_01-1 wine:red:1-1 wine:red:2+1"),
    of("while playing there is a marker and no outcome", summer({"vp": 25}), outcome=None, automa_score=20,
       is_over=False),
]  # fmt: skip

of = rule("Goal")
YEARS = [
    *(of(f"twenty points do not end year {year}: {vp}", last(vp, year), "pass", **another_year(year=year + 1))
      for year in range(1, 7) for vp in (-5, 0, 20, 35)),
    *(of(f"{level} ends after the seventh year", last(5, difficulty=level), "pass", is_over=True)
      for level in LEVELS[1:]),
    of("very_easy does not end after the seventh year", last(30, difficulty="very_easy"), "pass", **another_year()),
    of("very_easy ends after the eighth year", last(30, 8, difficulty="very_easy"), "pass", **over("win")),
]  # fmt: skip

of = rule("Difficulty levels")
MARKER = [
    *(of(f"{level}: the marker at {marker}, {outcome} with {marker + lead}", last(marker + lead, difficulty=level),
         "pass", **over(outcome, automa_score=marker))
      for level, marker in (("easy", 20), ("normal", 20), ("hard", 20), ("very_hard", 23))
      for lead, outcome in ((1, "win"), (0, "draw"), (-1, "loss"))),
]  # fmt: skip

of = rule("Aggressive variant")
AGGRESSIVE = [row for year, target in enumerate(TARGETS, 1) for row in (
    *(of(f"{level}: year {year} must end ahead of {target}, level is lost",
         last(target, year, difficulty=level, aggressive=True), "pass", **over("loss"))
      for level in ("easy", "normal", "hard")),
    *(of(f"{level}: year {year} ends ahead of {target}",
         last(target + 1, year, difficulty=level, aggressive=True), "pass",
         **(over("win") if year == 7 else another_year(automa_score=TARGETS[year])))
      for level in ("easy", "normal", "hard")),
    *(of(f"the marker equals the year: {year}", lay({"vp": 21}, year=year, aggressive=True),
         automa_score=target, holds=[("automa_points", target)]) for lay in (spring, summer, winter)),
)] + [
    *(of(f"behind loses at once, -1 also by margin: year {year}", last(-5, year, aggressive=True, reward="margin"),
         "pass", **over("loss")) for year in (1, 4, 6)),
    of("behind during the year does not matter", spring({"vp": 8}, year=5, aggressive=True, automa="16 01"),
       "wake_up:6 pass deck:summer pass", **another_year(automa_score=13)),
    of("the margin of an aggressive win is counted from the last number", last(25, aggressive=True, reward="margin"),
       "pass", rewards=[0.25]),
    of("the marker moves on with the years", spring({"vp": 30}, year=1, aggressive=True), *(
        f"{row} pass deck:summer pass" for row in ROWS[:3]), automa_score=4, year=4),
]  # fmt: skip

CASES = [*POINTS, *YEARS, *MARKER, *AGGRESSIVE]
