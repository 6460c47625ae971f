"""Break each rule of World in turn and see that its tests fail: `python -m tests.world.breaks [RULE ...]`.

A break is a piece of a source and what takes its place, in a copy of the project. Rules are interpreted there, so that
nothing is compiled. All of them take an hour on two cores.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import vitienv
from tests.world.rules import TESTS

ROOT = Path(vitienv.__file__).resolve().parents[1]
PARTS = ("vitienv", "agents", "training", "tests")

# By rule: the file below vitienv/viticulture/world, a piece of it that stands there once, and what takes its place.
BREAKS: dict[str, tuple[str, str, str]] = {
    "W2": ("../rulesets/world.py", "PLAYERS = range(1, 7)", "PLAYERS = range(1, 6)"),
    "W3": ("data/board.toml", "years = 6\n", "years = 5\n"),
    "W4": ("score.py", "return g.influence >= g.rules[WorldRule.INFLUENCE_END]", "return True"),
    "W5": ("score.py", "return 1 if is_won(g) else 2", "return 1 if is_won(g) else 2 + seat"),
    "W6": ("score.py", "g.vp[seat] < g.rules[WorldRule.VP_EACH]", "g.vp[1] < g.rules[WorldRule.VP_EACH]"),
    "W7": ("data/board.toml", "\nvp = 0\n", "\nvp = 1\n"),
    "W8": ("goals.py", "        g.over_achieved[seat] = 1\n", ""),
    "W9": ("goals.py", "min(int(g.influence) + n, int(g.rules[WorldRule.INFLUENCE_END]))", "int(g.influence) + n"),
    "W11": ("../rulesets/world.py", "MANY_SEATS = 4", "MANY_SEATS = 5"),
    "W12": ("setup.py", "    stack_tiles(g)\n", "    stack_tiles(g)\n    g.oval_on[0] = 0\n"),
    "W13": ("data/continents.toml", 'id = "asia"', 'id = "atlantis"'),
    "W14": ("setup.py", "    CONTINENT = 1\n    GIFTS = 2", "    CONTINENT = 2\n    GIFTS = 1"),
    "W15": ("year.py", "        g.event = g.n_events\n", "        g.event = 5 - g.n_events\n"),
    "W16": ("year.py", "        g.event = card\n", "        g.event = g.n_events\n"),
    "W17": ("tiles.py", "            g.tile[place] = Tile.GONE\n", "            g.tile[place] = Tile.IN_STACK\n"),
    "W18": ("data/board.toml", "{ 1 = 5, 2 = 4,", "{ 1 = 5, 2 = 5,"),
    "W19": ("year.py", "        g.year = 1\n", "        g.year = 2\n"),
    "W21": ("data/board.toml", "hats_yellow = 2", "hats_yellow = 1"),
    "W22": ("setup.py", "    g.vp[seat] = g.rules[Rule.START_VP]\n",
            "    g.vp[seat] = g.rules[Rule.START_VP]\n    g.residual[seat] = 1\n"),
    "W30": ("year.py", "        turn_up_event(g)\n    elif step == 1:\n        turn_up_tiles(g)\n",
            "        turn_up_tiles(g)\n    elif step == 1:\n        turn_up_event(g)\n"),
    "W31": ("taking.py", "and event_number(g, Ev.PLACE) == place", ""),
    "W32": ("tiles.py", "            g.tile[tile] = Tile.GONE\n    for _", "            pass\n    for _"),
    "W33": ("year.py", "    start_effect(g, seat, RING[row], 0, 0)\n", ""),
    "W36": ("workers.py", "Hat.YELLOW if season == Season.SUMMER else Hat.BLUE",
            "Hat.BLUE if season == Season.SUMMER else Hat.YELLOW"),
    "W37": ("workers.py",
            "    if kind == Kind.REGULAR and g.free[seat, Worker.TEMPORARY] > 0:\n        return TEMPORARY\n", ""),
    "W38": ("workers.py", "    g.at[seat, w] = at\n", ""),
    "W39": ("taking.py", "        hatted, regular = False, False\n", "        return\n"),
    "W40": ("taking.py", "gives_bonus = place < N_ACTIONS_ON_BOARD and kind > Kind.HATTED",
            "gives_bonus = place < N_ACTIONS_ON_BOARD"),
    "W42": ("data/board.toml", 'effect_source = "inferred"\neffect = [{ op = "lira", n = 1 }]',
            'effect_source = "inferred"\neffect = [{ op = "lira", n = 2 }]'),
    "W43": ("trade.py", "    elif not stands_on(g, partner, place):\n        return False\n", ""),
    "W45": ("trade.py", "        return gives != Choice.NOTHING and fits(", "        return fits("),
    "W46": ("trade.py", "    g.frames[t - 1, Frame.P1] = 1", "    g.frames[t - 1, Frame.P1] = 0"),
    "W47": ("trade.py", "            return True\n    return False\n\n\n@jit\ndef wine_arrives",
            "            return True\n    return True\n\n\n@jit\ndef wine_arrives"),
    "W48": ("trade.py", "    if place == Place.YOKE:\n", "    if place >= N_LETTERS:\n"),
    "W49": ("passing.py", "    g.passed[seat] = 1\n", ""),
    "W52": ("tokens.py", "return ways & SELL_FIELD != 0 and", "return False and"),
    "W53": ("exchange.py", "    return can_gain_vp(g, seat, -n)", "    return False"),
    "W54": ("data/board.toml", 'name = "innovate"\nseason = "summer"\nletter_source = "rulebook"\nsource = "rulebook"\n'
            'cost = [{ op = "lira", n = -4 }]',
            'name = "innovate"\nseason = "summer"\nletter_source = "rulebook"\nsource = "rulebook"\n'
            'cost = [{ op = "lira", n = -3 }]'),
    "W55": ("tiles.py", "    return g.tile[place] == Tile.PLACED", "    return False"),
    "W58": ("tokens.py", "for lower in range(row, -1, -1):", "for lower in range(row, row - 1, -1):"),
    "W59": ("tiles.py", "return g.oval_on[place] == NO_OVAL and lira", "return lira"),
    "W60": ("tiles.py", "            gain_lira(g, seat, COVER[place])\n", "            pass\n"),
    "W61": ("tiles.py", "    move_onto_oval(g, place)\n", ""),
    "W62": ("workers.py", "    if g.oval_on[place] != NO_OVAL:\n        return Stands.OVAL\n    return Stands.PLAIN",
            "    return Stands.PLAIN"),
    "W65": ("tiles.py", "place = NEIGHBOUR[place, oval - Oval.LEFT]",
            "place = NEIGHBOUR[place, (oval - Oval.LEFT) ^ 1]"),
    "W66": ("tiles.py", "if place < 0 or (passed >> place) & 1 == 1:", "if place < 0 or passed != 0:"),
    "W68": ("passing.py", "            push(g, WorldOp.FALL, seat, 1, 1, 0, 0, 0)\n", "            pass\n"),
    "W70": ("year.py", "if g.structures[seat, Structure.COTTAGE] == 1:", "if False:"),
    "W71": ("passing.py", "        end_year_of(g, seat)\n\n", "        pass\n\n"),
    "W73": ("workers.py", "    g.hat[seat, hatted_worker(g, seat, hat)] = Hat.BARE\n", ""),
    "W75": ("effects.py", "WorldPart.INFLUENCE: lambda g, seat, a, b, c: steps_left(g) > 0,",
            "WorldPart.INFLUENCE: lambda g, seat, a, b, c: True,"),
    "W76": ("passing.py", "    age_wines(g, seat)\n", ""),
    "W77": ("passing.py", "    workers_home_of(g, seat)\n", ""),
    "W78": ("data/board.toml", "hand_limit = 5", "hand_limit = 6"),
    "W79": ("year.py", "            pass_season(g, seat)\n", "            g.passed[seat] = 1\n"),
    "W80": ("year.py", "        g.year += 1\n", "        g.year += 2\n"),
    "W81": ("taking.py", "    if not all_possible(g, seat, pay):\n        return False\n", ""),
    "W82": ("taking.py",
            "    if event_number(g, Ev.WHO) == Who.TRAINED and kind <= Kind.HATTED:\n        return False\n", ""),
    "W83": ("taking.py", "    return price + (event_number(g, Ev.TAX) if marks(g, EventKind.TAX, place) else 0)",
            "    return price"),
    "W84": ("year.py", "    if is_event(g, EventKind.REVEAL):\n", "    if False:\n"),
    "W85": ("goals.py", "return have <= need if is_most == 1 else have >= need", "return have >= need"),
    "W86": ("verbs.py", "value - flag(g, Flag.WINE_MADE_VALUE_LESS)", "value"),
    "W87": ("verbs.py", "    deed(g, seat, Metric.PLANTS, 1)\n", ""),
    "W89": ("goals.py", "(often or g.rule_year == 0) and", "False and"),
    "W90": ("trade.py", "    deed(g, seat, Metric.TRADES, 1)\n", ""),
    "W92": ("verbs.py", "        deed(g, seat, Metric.HARVESTS, 1)\n", "        pass\n"),
    "W93": ("goals.py", "                g.aims_met[seat, i] = 1\n", "                pass\n"),
    "W94": ("year.py", "    if paid:\n", "    if False:\n"),
    "W95": ("verbs.py", "    gain_lira(g, seat, -price_of_planting(g, vine))\n", ""),
    "W98": ("partner.py", "    g.partner_lira += PARTNER_LIRA[0]\n", ""),
    "W100": ("setup.py", "copies = 0 if n == 1 and NEEDS_OTHERS[kind] == 1 else copies", "copies = copies"),
    "W103": ("../rulesets/world.py", "        found[WorldRule.VP_EACH] = options.vp_each\n", "        pass\n"),
    "W104": ("rows.py", "        copies[CARD_NAMES.index(name)] = 0\n", "        pass\n"),
    "W105": ("verbs.py", "return has_hat(g, seat) and g.lira", "return g.lira"),
    "W106": ("visiting.py", "for place in range(FIRST_WINTER):", "for place in range(FIRST_WINTER - 2):"),
    "W107": ("workers.py", "    fetch(g, seat, GRANDE)\n", "    g.at[seat, GRANDE] = AT_HAND\n"),
}  # fmt: skip
# Rules whose tests no piece of a source breaks alone, and why.
UNBROKEN: dict[str, str] = {
    "W1": "the other rulesets' rules, broken by their own tests",
    "W20": "the mats are the other rulesets'",
    "W23": "the faces of the red and blue cards are data, compared with nothing but themselves",
    "W24": "a choice among cards: tests/world/test_setup.py counts who is dealt",
    "W25": "an absence",
    "W26": "the same as W104",
    "W34": "rewards of the ring are data, compared with nothing but themselves",
    "W35": "the order of turns is the other rulesets'",
    "W41": "the same as W36 and W81",
    "W44": "kinds of a trade are the list of `kind:` actions",
    "W50": "letters are data; another reading is a test of its own (O8)",
    "W51": "the same as W1 and W81",
    "W56": "faces of tiles are data; each has a test of what it does",
    "W57": "the same as W56",
    "W63": "the same as W40",
    "W64": "faces of tiles are data",
    "W67": "the grid is data, compared with the rule's rows",
    "W69": "an absence",
    "W72": "letters are data",
    "W74": "broken by the same piece as O",
    "W88": "the parts that lose something are the other rulesets'",
    "W91": "the same as W90, by another metric",
    "W96": "a sum over the data",
    "W97": "the same as W98",
    "W99": "the same as W17",
    "W101": "the same as W13",
}


def problem(rule: str, folder: Path = ROOT) -> str:
    """Why a break cannot be made: its piece does not stand once in its file; "" if it can."""
    name, piece, _ = BREAKS[rule]
    n = (folder / "vitienv" / "viticulture" / "world" / name).read_text(encoding="utf-8").count(piece)
    return "" if n == 1 else f"{piece!r} stands {n} times in {name}"


def broken(rule: str, folder: Path) -> str:
    """Why the break of a rule in a copy of the project says nothing, its tests pass for instance; "" if they fail."""
    if told := problem(rule, folder):
        return told
    name, piece, other = BREAKS[rule]
    path = folder / "vitienv" / "viticulture" / "world" / name
    source = path.read_text(encoding="utf-8")
    tests = []
    for test in TESTS[rule]:
        file, own = test.split(".")
        tests.append(f"tests/world/test_{file}.py::test_{own}")
    path.write_text(source.replace(piece, other), encoding="utf-8")
    settings = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, timeout=900)
    except subprocess.TimeoutExpired:
        return ""
    finally:
        path.write_text(source, encoding="utf-8")
    if done.returncode == 0:
        return "its tests pass"
    is_refused = "ValueError" in done.stdout  # data that contradict themselves are refused before any test is run
    return "" if done.returncode == 1 or is_refused else f"its tests did not run: {done.stdout[-300:]}"


def main(rules: list[str]) -> int:
    """Break these rules, by default all. 1 if a break goes unnoticed."""
    unnoticed = 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for part in PARTS:
            shutil.copytree(ROOT / part, folder / part, symlinks=True)
        for rule in rules or list(BREAKS):
            told = broken(rule, folder)
            unnoticed += bool(told)
            print(f"{rule}: {told or 'noticed'}", flush=True)
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
