"""The pictures of the documentation, docs/table.png and docs/phone.png, rendered in Chromium (`make pictures`).

With `--game NAME --to FOLDER` those of another game, to look at.
"""

import argparse
import json
import tempfile
from pathlib import Path

from playwright import sync_api

import vitienv
from tests.web.browser import CHROMIUM, NARROW, PATIENCE, WIDE, tables, wait_for

BOT = "heuristic"
SHOWN = 4  # round


def played(game):
    position = vitienv.Game.new(game=game, num_players=4, seed=3)
    bot = vitienv.make_agent(BOT, game=game)
    while position.round < SHOWN or position.current_seat != 0 or len(position.legal_actions()) < 6:
        position.step(int(bot.act(position.observation()[None], position.mask[None])[0]))
    return position.log


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="viticulture")
    parser.add_argument("--to", type=Path, default=Path("docs"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_api.sync_playwright() as playwright:
        server = tables(Path(folder) / "tables", game=arguments.game)
        log = Path(folder) / "game.json"
        log.write_text(json.dumps(played(arguments.game)), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, (width, height) in {"table": WIDE, "phone": NARROW}.items():
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(server.address)
            wait_for(page, "#begin:not([disabled])")
            page.select_option("#players", "4")
            page.set_input_files("#file", log)
            wait_for(page, "#choices button")
            page.evaluate("window.vitienvTable.hint()")  # so that its network is compiled before
            wait_for(page, "#choices .hinted")
            page.reload()
            wait_for(page, "#choices button")
            if name == "phone":
                page.evaluate("document.getElementById('drawing').scrollIntoView()")
            page.wait_for_selector("#notice:empty", state="attached", timeout=1000 * PATIENCE)
            page.screenshot(path=arguments.to / f"{name}.png")
            page.close()
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()
