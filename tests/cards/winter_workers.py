"""Winter visitors that train workers."""

from tests.table.fixtures import CELLARS, at

from .visitor import made, up_to, visitor

ON_BOARD = {"draw_order": [at(0)], "give_tour": [at(0)], "draw_vine": [at(0, worker="grande")]}
THEIRS = {"draw_order": [at(1)], "give_tour": [at(1)], "draw_vine": [at(1, worker="grande")]}

of = visitor("teacher")  # one or two wines, or train for 2
TEACHER = [
    of("one wine or two", {"grapes": {"red": [1, 2], "white": [2]}},
       ends=up_to(2, *map(made, ("red:1", "red:2", "white:2")))),
    of("two lira are the whole price of training (ruling 4)", {"lira": 2}, branches="2", ends=["lira-2 trained+1"]),
    of("the worker is ready in the next year (ruling 3.11)", {"lira": 2}, moves="option:2 pass pass",
       decision="wake_up", holds=[("seats.0.workers.regular", 3), ("seats.0.trained_this_year", 0)]),
    of("refused with one lira", {"lira": 1}, is_refused=True),
    of("no seventh worker", {"lira": 9, "regular": 5, "grapes": {"red": [1]}}, branches="1"),
]  # fmt: skip

of = visitor("uncertified_teacher")  # train for 1 VP, or 1 VP for each opponent with six workers
UNCERTIFIED_TEACHER = [
    *(of(f"trains for a point, or scores nothing (ruling 2.12), at {points}", {"vp": points, "lira": 4},
         ends=["vp-1 trained+1", ""]) for points in (2, -4)),
    of("no training at -5 (ruling 2.1)", {"vp": -5}, branches="2"),
    of("the sixth worker", {"regular": 4}, branches="1 2"),
    of("no seventh (ruling 3.12)", {"regular": 5}, branches="2"),
    *(of(f"2 at hand, 1 on the board, the grande and {trained} in training (ruling 3.12)", {"trained": trained},
         branches=branches, top={"board": {"draw_order": [at(0)]}}) for trained, branches in ((1, "1 2"), (2, "2"))),
    of("the temporary worker does not hinder training (ruling 1.14)", {"regular": 4, "temporary": 1, "row": 7},
       moves="option:1", gives="vp-1 trained+1"),
    *(of(f"{full} of three opponents with six", {}, *({"regular": 5 if n < full else 4} for n in range(3)),
         moves="option:2", gives=f"vp+{full}") for full in (1, 2, 3)),
    of("own workers do not count", {"regular": 5}, {"regular": 4}, ends=[""]),
    of("an opponent's temporary worker counts (ruling 4)", {}, {"regular": 4, "temporary": 1, "row": 7},
       moves="option:2", gives="vp+1"),
    *(of(f"an opponent's workers at hand, on the board and {trained} in training", {},
         {"grande": 0, "trained": trained}, moves="option:2", gives="vp+1" if trained else "", top={"board": THEIRS})
      for trained in (0, 1)),
]  # fmt: skip

of = visitor("professor")  # train for 2, or 2 VP with six workers
PROFESSOR = [
    of("trains for two lira", {"lira": 2}, ends=["lira-2 trained+1"]),
    of("refused with one lira", {"lira": 1}, is_refused=True),
    of("five workers: training alone", {"lira": 9, "regular": 4}, branches="1"),
    of("six workers: points alone (ruling 3.12)", {"lira": 9, "regular": 5}, branches="2", ends=["vp+2"]),
    of("the temporary worker counts for the points only (ruling 4)",
       {"lira": 2, "regular": 4, "temporary": 1, "row": 7}, branches="1 2"),
    of("workers on the board and in training count", {"lira": 2, "regular": 1, "grande": 0, "trained": 2},
       top={"board": ON_BOARD}, branches="2"),
]  # fmt: skip

of = visitor("scholar")  # two orders, or train for 3, or both for 1 VP
BOTH = "vp-1 lira-3 trained+1 order+2"
SCHOLAR = [
    *(of(f"orders, training, or both for a point, at {points}", {"lira": 3, "vp": points},
         ends=["order+2", "lira-3 trained+1", BOTH]) for points in (2, -4)),
    of("the second part is decided after the first (ruling 3.17)", {"lira": 3}, moves="option:1",
       legal="option:2 done"),
    of("in either order", {"lira": 3}, moves="option:2", legal="option:1 done"),
    of("not both at -5 (rulings 2.1 and 3.17)", {"lira": 3, "vp": -5}, branches="1 2",
       ends=["order+2", "lira-3 trained+1"]),
    of("no training for two lira", {"lira": 2}, branches="1", ends=["order+2"]),
    of("no seventh worker", {"lira": 9, "regular": 5}, branches="1", ends=["order+2"]),
]  # fmt: skip

of = visitor("governess")  # train for 3 a worker who is ready at once, or a wine for 2 VP
AWAY = {"board": {"draw_order": [at(0, worker="grande")]}}
GOVERNESS = [
    of("the worker is ready at once (ruling 4)", {"lira": 3}, branches="1", ends=["lira-3 regular+1"]),
    of("and can be placed in the next turn", {"lira": 3, "regular": 1, "grande": 0}, moves="option:1 pass", top=AWAY,
       seat=0, offers="place:gain_lira:plain:regular"),
    of("and stays", {"lira": 3}, moves="option:1 pass pass", decision="wake_up",
       holds=[("seats.0.workers.regular", 3)]),
    *(of(f"no training with {lira} lira and {regular} workers besides the grande",
         {"lira": lira, "regular": regular, "wines": {"red": [1]}}, branches="2")
      for lira, regular in ((2, 2), (9, 5))),
    of("any wine for two points",
       {"wines": {"red": [1], "white": [3], "blush": [4], "sparkling": [9]}, "structures": CELLARS},
       ends=[f"vp+2 wine:{wine}-1" for wine in ("red:1", "white:3", "blush:4", "sparkling:9")]),
    of("refused without wine and money", {"lira": 2}, is_refused=True),
]  # fmt: skip

CASES = [*TEACHER, *UNCERTIFIED_TEACHER, *PROFESSOR, *SCHOLAR, *GOVERNESS]
