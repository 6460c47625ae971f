"""Break each rule in turn and see that its tests fail: `python -m tests.toscana.breaks [RULE ...]`.

A break is a piece of a source of the game and what takes its place, in a copy of the project. Rules are interpreted
there, so that nothing is compiled.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import vitienv
from tests.toscana.rules import TESTS

ROOT = Path(vitienv.__file__).resolve().parents[1]

# By rule: the file below vitienv/toscana, a piece of it that stands there once, and what takes its place.
BREAKS: dict[str, tuple[str, str, str]] = {
    "T1": ("names.py", "MIN_SEATS, MAX_SEATS = 2, 5", "MIN_SEATS, MAX_SEATS = 3, 5"),
    "T2": ("data/market.toml", 'wines = ["red", "white", "rose", "champagne"]', 'wines = ["red"]'),
    "T3": ("data/market.toml", "\nrose = 15\n", "\nrose = 14\n"),
    "T4": ("names.py", "WORKERS, WINEMASTERS, N_TILES = 5, 3, 7", "WORKERS, WINEMASTERS, N_TILES = 4, 3, 7"),
    "T5": ("data/map.toml", '"C", "Y", "A", "O", "A"', '"C", "Y", "Y", "O", "A"'),
    "T6": ("ops/winemaking.py", "range(max(column - 1, 0)", "range(max(column, 0)"),
    "T7": ("data/market.toml", "sell = [0, 2,", "sell = [1, 2,"),
    "T8": ("storage.py", "stored = min(n, ROOM - int(g.stock[good]))", "stored = min(n, 4 - int(g.stock[good]))"),
    "T9": ("storage.py", "return ROOM - int(g.boxes[seat, good])", "return ROOM - int(g.boxes[seat, good]) - 1"),
    "T10": ("ops/services.py", "    g.sign[good] = 0\n", "    g.sign[good] = -sign\n"),
    "T11": ("ops/hiring.py", "0 < g.square_workers[square] < FULL_SQUARE", "0 < g.square_workers[square]"),
    "T12": ("data/player.toml", "\nmoney = 3\n", "\nmoney = 2\n"),
    "T13": ("setup.py", "row, column = column, PIECE - 1 - row", "row, column = row, column"),
    "T14": ("data/winetasting.toml", "hand_size = 2", "hand_size = 3"),
    "T15": ("data/winetasting.toml", 'good = "champagne"\nmark = 1', 'good = "champagne"\nmark = -1'),
    "T16": ("setup.py", "WORKERS - 1  #", "WORKERS  #"),
    "T17": ("data/player.toml", "boxes = { red = 2, water = 2", "boxes = { red = 2, water = 3"),
    "T18": ("data/market.toml", "stock = { red = 2, white = 2, rose = 2", "stock = { red = 2, white = 2, rose = 1"),
    "T19": ("data/market.toml", "price_level = { red = 1, white = 2, rose = 2",
            "price_level = { red = 1, white = 2, rose = 1"),
    "T20": ("data/market.toml", 'white = "plus"\nrose = "minus"', 'white = "minus"\nrose = "plus"'),
    "T21": ("setup.py", "random_below(g, Chance.SETUP, n)", "random_below(g, Chance.SETUP, n - 1)"),
    "T22": ("setup.py", "+ n - 1 - i) % n", "+ i) % n"),
    "T23": ("setup.py", "        g.money[seat] = g.rules[Rule.START_MONEY]\n", "        g.money[seat] = n\n"),
    "T24": ("flow.py", "(int(g.start_seat) + i) %", "(int(g.start_seat) + 2 * i) %"),
    "T25": ("ops/turns.py", "g.used[seat, turn] == 0 and can_act", "can_act"),
    "T26": ("ops/turns.py", "1 - g.used[seat, Action.HIRING]", "1 - can_act(g, seat, Action.HIRING)"),
    "T27": ("ops/turns.py", "take_from_bank(g, seat, Good.WATER, 1)", "take_from_bank(g, seat, Good.RED, 1)"),
    "T28": ("ops/turns.py", "g.boxes[seat, Good.WATER] > 0", "True"),
    "T29": ("ops/hiring.py", "    if not has_service:\n", "    if True:\n"),
    "T30": ("storage.py", "        g.bank[good] += g.rules[cost + good]\n", ""),
    "T31": ("ops/hiring.py", "        g.workers[seat] -= 1\n        put_worker(g, seat, square)\n        return\n",
            "        g.workers[seat] -= 1\n        put_worker(g, seat, square)\n        g.square_workers[square] = 0\n"
            "        g.square_winemaster[square] = 1\n        return\n"),
    "T32": ("data/player.toml", "worker_cost = { red = 1 }", "worker_cost = { red = 2 }"),
    "T33": ("data/player.toml", "{ white = 2 }, {}]", "{ white = 1 }, {}]"),
    "T34": ("ops/hiring.py", " and not has_each_good(g, seat)", " and False"),
    "T35": ("data/player.toml", "third_winemaster_award_money = 10", "third_winemaster_award_money = 9"),
    "T36": ("ops/hiring.py", "return is_full and", "return"),
    "T37": ("ops/hiring.py", "        g.lost[owner] += 1\n", "        g.winemasters[owner] += 1\n"),
    "T38": ("names.py", "REMOVING_SEATS = 5", "REMOVING_SEATS = 3"),
    "T39": ("data/market.toml", "cost = { champagne = 1 }", "cost = { champagne = 0 }"),
    "T40": ("ops/services.py", "g.sign[empty] = sign\n", "g.sign[(empty + 1) % 5] = sign\n"),
    "T41": ("ops/services.py", "sign != 0 and sign != first", "sign != 0"),
    "T42": ("ops/services.py", "move_price(g, empty, sign)", "move_price(g, good, -sign)"),
    "T43": ("data/market.toml", "cost = { rose = 1 }", "cost = { rose = 0 }"),
    "T44": ("ops/services.py", "get(g, t, Frame.A) + 1, N_GOODS, mask", "0, N_GOODS, mask"),
    "T45": ("ops/services.py", "g.boxes[seat, good] > 0 else 0", "changes == 0 else 0"),
    "T46": ("ops/services.py", "    if g.stock[good] > 0:\n        g.stock[good] -= 1",
            "    if False:\n        g.stock[good] -= 1"),
    "T47": ("ops/services.py", "    if changes == 1:\n", "    if False:\n"),
    "T48": ("ops/services.py", "room(g, seat, good) > 0 and ", ""),
    "T49": ("ops/winemaking.py", "g.frames[t, Frame.A] = crossroad + 1", "g.frames[t, Frame.A] = crossroad"),
    "T50": ("ops/winemaking.py", "g.square_owner[square] == seat and is_watered", "is_watered"),
    "T51": ("ops/winemaking.py", "FULL_SQUARE * int(g.square_winemaster", "int(g.square_winemaster"),
    "T52": ("ops/winemaking.py", "elif made == FULL_SQUARE:", "else:"),
    "T53": ("ops/winemaking.py", "            made = strength(g, square)\n",
            "            made = strength(g, square) + int(g.water.sum()) - 1\n"),
    "T54": ("storage.py", "return min(room(g, seat, good), int(g.bank[good]))", "return int(g.bank[good])"),
    "T55": ("storage.py", "return min(room(g, seat, good), int(g.bank[good]))", "return room(g, seat, good)"),
    "T56": ("ops/winemaking.py", "can_get(g, seat, good) > 0 and can_get_from(g, seat, good) >= left", "True"),
    "T57": ("ops/winemaking.py", "        g.bank[Good.WATER] += g.water[crossroad]\n", ""),
    "T58": ("ops/trading.py", "    if stage == SELL_MORE:\n        return\n", ""),
    "T59": ("storage.py", "min(int(g.stock[good]), room(g, seat, good))", "int(g.stock[good])"),
    "T60": ("data/market.toml", "buy = [1, 2,", "buy = [0, 2,"),
    "T61": ("storage.py", "min(int(g.stock[good]), room(g, seat, good))", "min(5, room(g, seat, good))"),
    "T62": ("ops/trading.py", "g.frames[t, Frame.A] = at // ROOM + 1", "g.frames[t, Frame.A] = N_GOODS"),
    "T63": ("storage.py", "g.money[seat] += n * selling_price(g, good)\n    stored = min(n, ROOM - int(g.stock[good]))",
            "stored = min(n, ROOM - int(g.stock[good]))\n    g.money[seat] += stored * selling_price(g, good)"),
    "T64": ("storage.py", "    g.stock[good] -= n\n", "    g.stock[good] -= n\n    move_price(g, good, 1)\n"),
    "T65": ("ops/offers.py", "    g.money[other] += n * money\n", ""),
    "T66": ("storage.py", "int(g.money[seat]) // buying_price(g, good))", "5)"),
    "T67": ("flow.py", "            heed_recommendations(g)\n            heed_stocks(g)\n",
            "            heed_stocks(g)\n"),
    "T68": ("storage.py", "min(max(int(g.price[good]) + levels, 0), LEVELS - 1)", "int(g.price[good]) + levels"),
    "T69": ("flow.py", "move_price(g, good, int(g.sign[good]))", "move_price(g, good, -int(g.sign[good]))"),
    "T70": ("flow.py", "        elif g.stock[good] == 0:\n            move_price(g, good, 1)\n", ""),
    "T71": ("observation.py", "    if seat != viewer and not is_open:\n        return\n", ""),
    "T72": ("flow.py", "        move_price(g, good, marks)\n", "        move_price(g, good, max(-1, min(marks, 1)))\n"),
    "T73": ("flow.py", "        draw_tile(g, seat)\n", ""),
    "T74": ("flow.py", "g.start_seat = clockwise(g, 1)", "g.start_seat = clockwise(g, 0)"),
    "T75": ("flow.py", "g.money[seat] >= g.rules", "g.money[seat] > g.rules"),
    "T76": ("flow.py", "        sell_all(g, n)\n", ""),
    "T77": ("score.py", "value = int(g.money[seat]) * (N_SQUARES + 1)",
            "value = -int(g.money[seat]) * (N_SQUARES + 1)"),
    "T78": ("score.py", " + squares_held(g, seat)\n", "\n"),
    "T79": ("score.py", " - int(g.lost[seat])", ""),
    "T80": ("score.py", "+ winemasters_on_map(g, seat)", "+ winemasters_on_map(g, seat) * 4 + seat"),
    "E1": ("ops/hiring.py", "0 < g.square_workers[square] < FULL_SQUARE", "False"),
    "E2": ("ops/services.py", "move_price(g, empty, sign)", "move_price(g, empty, 1)"),
    "E3": ("ops/services.py", "    g.money[seat] -= buying_price(g, good)\n", ""),
    "E4": ("ops/winemaking.py", "elif made == FULL_SQUARE:", "elif False:"),
    "E5": ("storage.py", "    g.money[seat] -= n * buying_price(g, good)\n",
            "    g.money[seat] -= n * (buying_price(g, good) + 1)\n"),
    "E6": ("storage.py", "    g.bank[good] += n - stored\n", ""),
    "E7": ("flow.py", "            heed_recommendations(g)\n", ""),
    "E8": ("flow.py", "        if g.stock[good] == ROOM:\n", "        if False:\n"),
    "E9": ("flow.py", "for seat in range(n):\n            marks", "for seat in range(1, n):\n            marks"),
}  # fmt: skip


def broken(rule: str, folder: Path) -> str:
    """Why the break of a rule in a copy of the project says nothing, its tests pass for instance; "" if they fail."""
    name, piece, other = BREAKS[rule]
    path = folder / "vitienv" / "toscana" / name
    source = path.read_text(encoding="utf-8")
    if source.count(piece) != 1:
        return f"{piece!r} stands {source.count(piece)} times in {name}"
    tests = []
    for test in TESTS[rule]:
        file, own = test.split(".")
        tests.append(f"tests/toscana/test_{file}.py::test_{own}")
    path.write_text(source.replace(piece, other), encoding="utf-8")
    settings = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return ""
    finally:
        path.write_text(source, encoding="utf-8")
    return {0: "its tests pass", 1: ""}.get(done.returncode, f"its tests did not run: {done.stdout[-300:]}")


def main(rules: list[str]) -> int:
    """Break these rules, by default all. 1 if a break goes unnoticed."""
    unnoticed = 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for part in ("vitienv", "agents", "training", "tests"):
            shutil.copytree(ROOT / part, folder / part, symlinks=True)
        for rule in rules or list(TESTS):
            told = broken(rule, folder)
            unnoticed += bool(told)
            print(f"{rule}: {told or 'noticed'}", flush=True)
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
