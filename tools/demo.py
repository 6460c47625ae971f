"""Demo in a few minutes (`make demo`): a game of the champion, a training run, a tournament and a plot.

The amount of work is fixed, so that results do not depend on the machine. An interrupted demo is resumed.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vitienv import threads
from vitienv.console import console, cores, echo_lines, progress
from vitienv.core.text_utils import printable

SEED = 7
BOTS = ("random", "heuristic", "visitors")
CHAMPION, RIVAL = "policy:champion", "heuristic"
# Parts of the training run, decisions per part, games per evaluation, games of the final evaluation.
PARTS, DECISIONS, EVAL_GAMES, CHECK_GAMES = 1, 2_500_000, 600, 1000
CHAMPION_GAMES = 100
LEARNER_NAME = "policy: the network of 2."
LEARNER: dict[str, Any] = {"mix": "2"}
BEST, UNTRAINED, CHECK = "best.safetensors", "untrained.safetensors", "check.json"


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="games of the tournament")
    parser.add_argument("--folder", type=Path, default=Path("runs/demo"), help="output directory")
    arguments = parser.parse_args()
    threads.limit_threads()
    show(arguments.folder, arguments.games)


def show(
    folder: Path, games: int, parts: int = PARTS, decisions: int = DECISIONS, games_per_point: int = EVAL_GAMES,
    check_games: int = CHECK_GAMES, champion_games: int = CHAMPION_GAMES,
) -> None:  # fmt: skip
    """Run all parts; print results and write files to the directory."""
    from rich.text import Text

    from vitienv.training.evaluation import standings
    from vitienv.training.evaluation.tournament import Settings, run_tournament
    from vitienv.training.selfplay.compiling import compile_for

    screen = console()

    def show_step(text: str, heading: str = "") -> None:
        screen.print(Text.assemble((heading, "bold"), printable(text, keep="\n")), soft_wrap=True)

    compile_for(_settings(), [*BOTS, CHAMPION])
    show_step(f", a bundled network, against the heuristic bot ({RIVAL})", "1. The champion")
    show_step(f"   It wins {champions_rate(champion_games)}. One game:\n")
    log = champions_game(folder / "champion.json")
    echo_lines(log["board"])
    show_step(f"\n   The champion has {log['points'][0]} points, {RIVAL} {log['points'][1]}, after {log['moves']} "
           f"decisions. Move by move: vitienv replay {folder / 'champion.json'}\n")  # fmt: skip

    show_step(f" by self-play, with {RIVAL} as policy prior", "2. A network learns")
    curve = learn(folder / "training", parts, decisions, games_per_point, show_step)
    check(folder / "training", check_games, show_step)

    show_step(f" of {games} games, each pair of bots in both seats of a seed", "\n3. A tournament")
    network = f"policy:{folder / 'training' / BEST}"
    tournament = Settings((*BOTS, network, CHAMPION), 2, games, seed=SEED)
    with progress("playing") as report:
        results = run_tournament(tournament, folder / f"tournament-{games}", cores(), report)
    for bot in results["bots"]:
        bot["agent"] = bot["agent"] if bot["agent"] != network else LEARNER_NAME
    screen.print(standings.show(results, screen.width))
    show_step(f"   {comparison(results)}\n")

    picture = plot(results, curve, folder / "demo.png")
    show_step(f" of the learning and of the ratings: {picture}; everything else is in {folder}", "4. A plot")


def champions_rate(games: int) -> str:
    """Return the champion's win rate with its interval."""
    import vitienv
    from vitienv.training.eval_opponents import evaluate_against

    result = evaluate_against(vitienv.make_agent(CHAMPION), RIVAL, _options(), games, seed=SEED)
    return _share({"games": games, **_rounded(result)})


def comparison(results: dict[str, Any]) -> str:
    """Compare the trained network and its rival in a sentence."""
    ratings = {bot["agent"]: bot["rating"] for bot in results["bots"]}
    learner, rival = ratings[LEARNER_NAME], ratings[RIVAL]
    place = "above" if learner["low"] > rival["high"] else "below" if learner["high"] < rival["low"] else "level with"
    noise = "" if place != "level with" else ", as the intervals overlap"
    values = f"{learner['value']:+.0f} and {rival['value']:+.0f}"
    return (f"The network of 2. is {place} {RIVAL} in this tournament{noise}: {values}. A rating counts the games "
            f"against all bots; the win rate of 2. is against {RIVAL} alone.")  # fmt: skip


def champions_game(file: Path) -> dict[str, Any]:
    """Play a game and write its log; return the final `board` seen by the champion, `points` and number of `moves`."""
    import vitienv
    from vitienv.core.files import write_json
    from vitienv.registry import game_spec
    from vitienv.render.text import render
    from vitienv.training.evaluation.match import play

    options = game_spec().options.of(num_players=2, skip_forced=True)
    played = play(options, [SEED], [[0, 1]], [vitienv.make_agent(CHAMPION), vitienv.make_agent(RIVAL)])
    log = played.log(0)
    write_json(file, log)
    board = render(vitienv.replay(log), viewer=0)
    return {"board": board, "points": played.points[0].tolist(), "moves": len(played.moves[0])}


def fallback() -> Any:
    """Return the initial network."""
    import torch

    from vitienv.training.selfplay.network import Architecture, PolicyValue

    torch.manual_seed(SEED)
    settings = _settings()
    return PolicyValue(Architecture(settings.hidden, policy_prior=settings.policy_prior))


def learn(folder: Path, parts: int, decisions: int, games_per_point: int, show_step: Any) -> Path:
    """Train in parts, evaluate before the first and after each, and save the best network; return the curve."""
    from vitienv.agents.policy import PolicyAgent
    from vitienv.core.files import atomic
    from vitienv.training.eval_opponents import evaluate_against
    from vitienv.training.run_dir import CURVE, WEIGHTS, add_point, points
    from vitienv.training.selfplay.network import save_network
    from vitienv.training.selfplay.train import CHECKPOINT, decisions_in, train_selfplay

    options = _options()
    quiet: dict[str, Any] = {"device": "cpu", "threads": 1, "evaluation_games": 0, "progress": True}
    curve = folder / CURVE
    for part in range(parts + 1):
        rows = points(curve)
        if len(rows) <= part:
            decisions_trained = decisions_in(folder) if (folder / CHECKPOINT).exists() else 0
            if decisions_trained < part * decisions:
                settings: dict[str, Any] = {"resume": True} if decisions_trained else LEARNER
                train_selfplay(folder, steps=part * decisions, **quiet, **settings)
                decisions_trained = decisions_in(folder)
            weights = folder / (WEIGHTS if decisions_trained else UNTRAINED)
            if not decisions_trained:
                save_network(weights, fallback(), {})
            result = evaluate_against(PolicyAgent(str(weights)), RIVAL, options, games_per_point, seed=SEED)
            if decisions_trained and result["wins"] > max((float(row["wins"]) for row in rows[1:]), default=-1.0):
                with atomic(folder / BEST) as temporary:
                    shutil.copyfile(folder / WEIGHTS, temporary)
            add_point(curve, {"decisions": decisions_trained, "games": games_per_point, **_rounded(result)})
            rows = points(curve)
        row = rows[part]
        show_step(f"   {int(row['decisions']):7,} decisions: wins {_share(row)}")
    return curve


def check(folder: Path, games: int, show_step: Any) -> None:
    """Evaluate the best network on other seeds than those that selected it."""
    from vitienv.agents.policy import PolicyAgent
    from vitienv.core.files import read_json, write_json
    from vitienv.training.eval_opponents import evaluate_against

    file = folder / CHECK
    if not file.exists():
        result = evaluate_against(PolicyAgent(str(folder / BEST)), RIVAL, _options(), games, seed=SEED + 1)
        write_json(file, {"games": games, **_rounded(result)})
    row = read_json(file)
    verdict = f"better than {RIVAL}" if row["low"] > 0.5 else f"not shown to be better than {RIVAL}"
    show_step(f"   The best network on other seeds: {_share(row)}: {verdict}")


def _settings() -> Any:
    from vitienv.training.selfplay import settings as selfplay
    from vitienv.training.settings import settings_of

    return settings_of(selfplay.Settings, LEARNER, selfplay.default_settings)


def _options() -> Any:
    from vitienv.registry import game_spec

    return game_spec().options.of(num_players=2, **{game_spec().options.LIMIT: 30})


def _rounded(result: dict[str, float]) -> dict[str, float]:
    return {name: round(result[name], 4) for name in ("wins", "low", "high")}


def _share(row: Mapping[str, Any]) -> str:
    wins, low, high = (100 * float(row[name]) for name in ("wins", "low", "high"))
    games = int(row["games"])
    return f"{wins:.1f} % of {games:,} games on {games // 2:,} seeds against {RIVAL} ({low:.1f} to {high:.1f})"


def plot(results: dict[str, Any], curve: Path, picture: Path) -> Path:
    """Draw the learning curve and the ratings with their intervals into a PNG file."""
    import matplotlib
    import numpy as np

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    from vitienv.core.files import atomic
    from vitienv.training.run_dir import points

    columns = [[float(row[name]) for row in points(curve)] for name in ("decisions", "wins", "low", "high")]
    decisions, wins, low, high = columns
    figure, (curve_axes, rating_axes) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
    thousands = [n / 1000 for n in decisions]
    curve_axes.plot(thousands, wins, marker="o")
    curve_axes.fill_between(thousands, low, high, alpha=0.15)
    curve_axes.axhline(0.5, color="grey", linewidth=0.8)
    curve_axes.set(xlabel="training decisions (thousands)", ylabel=f"win rate against {RIVAL}")
    curve_axes.set(title="Learning")
    names = [bot["agent"] for bot in results["bots"]]
    ratings = [bot["rating"] for bot in results["bots"]]
    middle = [rating["value"] for rating in ratings]
    interval = np.abs([[rating[end] - rating["value"] for rating in ratings] for end in ("low", "high")])
    rating_axes.errorbar(middle, names, xerr=interval, fmt="o", capsize=4)
    rating_axes.invert_yaxis()
    rating_axes.set(xlabel="rating with 95 % interval", title="Tournament")
    with atomic(picture) as temporary:
        figure.savefig(temporary, dpi=120, format="png")
    plt.close(figure)
    return picture


if __name__ == "__main__":
    main()
