"""Playing on the full screen, driven by Textual's own pilot: keys and clicks in, what stands on the screen out."""

import asyncio
import inspect
import json
import sys
import threading
import time
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList, Static

import vitienv
from vitienv import trust
from vitienv.commands.play import Begun
from vitienv.tui.app import Play
from vitienv.tui.full_screen import FullScreen
from vitienv.tui.keeper import Keeper
from vitienv.tui.sitting import Sitting

ROOT = Path(__file__).resolve().parents[2]
SMALL, LARGE = (80, 24), (120, 40)
PATIENCE = 300.0  # seconds for what may be compiled first


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Each test keeps its games in a folder of its own."""
    monkeypatch.setenv(trust.HOME, str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def begun(folder, bots=1, seed=4, game="viticulture", bot="random", **options):
    """A game with the person in seat 0."""
    options = options if bots == 0 else {"num_players": bots + 1, **options}
    sitting = Sitting(vitienv.Game.new(seed=seed, game=game, **options), 0, {i + 1: bot for i in range(bots)})
    return Begun(sitting, Keeper(sitting, folder / "kept.json", None, None, None))


@asynccontextmanager
async def playing(begin, size=SMALL):
    """The application with its first question."""
    app = Play(begin)
    async with app.run_test(size=size) as pilot:
        await settled(app)
        await pilot.pause()
        yield app, pilot


def at_table(**options):
    """The test begins at a game with these options and its own parameters, at the first question."""

    def made(test):
        def run(folder, **own):
            async def play():
                async with playing(lambda: begun(folder, **options | own)) as (app, pilot):
                    await test(app, pilot, **own)

            asyncio.run(play())

        names = ["folder", *list(inspect.signature(test).parameters)[2:]]
        run.__signature__ = inspect.Signature([inspect.Parameter(name, 1) for name in names])
        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run

    return made


async def settled(app):
    """Until the person is to choose, or the game is over, or the application has stopped."""
    until = time.monotonic() + PATIENCE
    while app.busy is not None and app.error is None and not app.has_left:
        assert time.monotonic() < until, "nobody asks for a choice"
        await asyncio.sleep(0.002)


async def press(app, pilot, *keys):
    for key in keys:
        await pilot.press(key)
        await settled(app)
    await pilot.pause()


def shown(app, what):
    return str(app.query_one(f"#{what}", Static).render())


def screen_text(app):
    """What stands on the screen, line by line."""
    width, height = app.size
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips[:height])


async def play_on(app, pilot, most=2000):
    """Take choices in turn until the game is over."""
    for number in range(most):
        if app.sitting.game.is_over:
            return
        listed = app.query_one(OptionList)
        listed.highlighted = number % listed.option_count
        before = len(app.sitting.game.moves), app._picked
        listed.action_select()  # as Enter does; the pilot waits long after each key
        until = time.monotonic() + PATIENCE
        while (len(app.sitting.game.moves), app._picked) == before and len(app.screen_stack) == 1:
            assert time.monotonic() < until, "nothing was chosen"
            await asyncio.sleep(0.001)
        if len(app.screen_stack) > 1:  # it was a grave one
            await press(app, pilot, "y")
        await settled(app)
    raise AssertionError(f"not over after {most} choices")


@pytest.mark.parametrize(
    ("size", "options"),
    [(SMALL, {"bots": 1, "max_years": 4}), (SMALL, {"bots": 0, "ruleset": "solo"})],
    ids=["two", "solo"],
)
def test_a_whole_game_is_played(folder, size, options):
    async def run():
        async with playing(lambda: begun(folder, **options), size) as (app, pilot):
            await play_on(app, pilot)
            text = screen_text(app)
            assert "The game is over." in text and "Leave the table" in text
            assert all(line[:40] in text for line in app.sitting.result)
            await pilot.press("enter")
            await pilot.pause()
            return app

    app = asyncio.run(run())
    kept = json.loads((folder / "kept.json").read_text())
    assert app.return_value is True and kept["is_over"] and vitienv.replay(kept).scores == app.sitting.game.scores


@at_table()
async def test_a_number_marks_and_enter_takes(app, pilot):
    moves = len(app.sitting.game.moves)
    await press(app, pilot, "2")
    assert app.query_one(OptionList).highlighted == 1 and len(app.sitting.game.moves) == moves
    await press(app, pilot, "enter")
    assert app.sitting.game.moves[moves] == "option:2"
    while len(app.query_one(OptionList).options) < 12:
        await press(app, pilot, "enter")
    await press(app, pilot, "1", "2")  # one number
    assert app.query_one(OptionList).highlighted == 11
    app._digit_at -= 10  # a while later
    await press(app, pilot, "3")
    assert app.query_one(OptionList).highlighted == 2


async def to_placing(app, pilot):
    """To the first decision that can be passed."""
    while "pass" not in app.sitting.game.legal_actions():
        await press(app, pilot, "enter")


@at_table()
async def test_enter_alone_never_passes(app, pilot):
    """Pass has no number, asks again, and Enter then stands on No."""
    await to_placing(app, pilot)
    assert "pass" not in {choice.action for key, choice in app._choices.items() if key.isdigit()}
    for keys in (("end", "enter", "enter"), ("end", "enter", "escape"), ("end", "enter", "n")):
        await press(app, pilot, *keys)
        assert len(app.screen_stack) == 1 and "pass" not in app.sitting.game.moves
    await press(app, pilot, "end", "enter", "y")
    assert "pass" in app.sitting.game.moves


@at_table()
async def test_a_click_takes_a_choice(app, pilot):
    moves, wanted = len(app.sitting.game.moves), next(iter(app._choices.values())).action
    await pilot.click("#choices", offset=(6, 0))
    await settled(app)
    assert app.sitting.game.moves[moves] == wanted


@at_table(bot="heuristic")
async def test_undo_goes_back_and_says_what_it_does(app, pilot):
    await press(app, pilot, "u")
    assert "there is no choice of yours" in screen_text(app)
    await press(app, pilot, "enter")
    before = app.sitting.game.copy()
    await press(app, pilot, "4", "enter", "u")
    assert app.sitting.game.record == before.record and app.sitting.taken_back == 1
    assert "Taken back: You take wake-up row 4" in screen_text(app)
    await press(app, pilot, "2", "enter", "u")  # a card is drawn
    assert "this choice stands" in screen_text(app) and app.sitting.taken_back == 1


@at_table()
async def test_a_hint_marks_the_choice(app, pilot):
    await to_placing(app, pilot)
    wanted = app.sitting.advice()[1].action
    await press(app, pilot, "h")
    marked = app._choices[app.query_one(OptionList).highlighted_option.id]
    assert marked.action == wanted and "heuristic would choose" in screen_text(app)
    await press(app, pilot, "H", *"nobody", "enter")
    assert "unknown agent 'nobody'" in screen_text(app)


@at_table()
async def test_chances_are_shown(app, pilot):
    await to_placing(app, pilot)
    await press(app, pilot, "c")
    text = screen_text(app)
    assert "from -1 (lost) to +1 (won)" in text and "%" in text and "value" in text
    await press(app, pilot, "escape")
    assert len(app.screen_stack) == 1


@at_table()
async def test_things_are_explained(app, pilot):
    """What is marked at first, then what is typed; other hands are no help."""
    await press(app, pilot, "question_mark")
    assert "needed by Pinot" in screen_text(app) and "Enter or a click" in screen_text(app)
    await press(app, pilot, *"scholar")
    assert "train a worker for 3 lira" in screen_text(app)
    app.screen.query_one(Input).value = "nosuch"
    await pilot.pause()
    assert "Nothing is called 'nosuch' here." in screen_text(app)
    await press(app, pilot, "escape")
    assert len(app.screen_stack) == 1 and "Which one?" in screen_text(app)


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6])
def test_the_whole_table_stands_on_a_small_screen(folder, seats):
    """In the middle of a game: every seat with its vineyard, the board, the own hand, nothing of other hands."""
    options = {"ruleset": "solo", "bots": 0} if seats == 1 else {"bots": seats - 1, "bot": "heuristic"}

    async def run():
        async with playing(lambda: middle(begun(folder, **options))) as (app, pilot):
            await press(app, pilot, "t")
            text = screen_text(app)
            assert text.count("fields") == (seats if seats > 1 else 1)
            assert all(name in text for name in app.sitting.names) and "On board" in text
            lines = app.sitting.table(*SMALL, app.shown).splitlines()
            assert len(lines) <= SMALL[1] and max(map(len, lines)) <= SMALL[0]
            await press(app, pilot, "t")
            assert all(name in screen_text(app) for name in app.sitting.names)

    asyncio.run(run())


def middle(made):
    """Some years later, when the person places a worker and others have."""
    bot = vitienv.agent("heuristic")
    sitting = made.sitting
    while not (
        sitting.game.round >= 4
        and sitting.is_mine
        and sitting.game.decision == "place_worker"
        and "On board" in sitting.table()
    ):
        assert not sitting.game.is_over
        sitting.play(sitting._chosen_by(bot))
    return made


@at_table(bots=3)
async def test_the_screen_may_change_its_size(app, pilot):
    await to_placing(app, pilot)
    assert not app.query_one("#story").display
    for width, height in (LARGE, (130, 40), (160, 50), (60, 16), (40, 10), SMALL):
        await pilot.resize_terminal(width, height)
        await pilot.pause()
        listed = app.query_one(OptionList)
        assert listed.size.height >= 3 and listed.region.bottom <= height
        assert app.query_one("#story").display == (width >= 130)
        # A sentence has room: beside the table, or below it in the whole width.
        told = app.query_one("#story") if width >= 130 else app.query_one("#told")
        assert not told.display or told.size.width >= min(width, 50) - 4
    await press(app, pilot, "enter")


@at_table()
async def test_what_happened_is_told(app, pilot):
    await press(app, pilot, "enter", "enter")
    assert app.sitting.since[-1][:30] in screen_text(app)
    await press(app, pilot, "l")
    assert "You take the trellis." in screen_text(app) and "Viticulture, essential" in screen_text(app)
    await press(app, pilot, "escape")


@at_table()
async def test_a_game_is_saved(app, pilot):
    await press(app, pilot, "enter", "s", *"mine.json", "enter")
    assert "Saved: mine.json" in screen_text(app)
    await press(app, pilot, "s", *"no/mine.json", "enter")
    assert "not saved: there is no folder 'no'" in screen_text(app)
    assert vitienv.replay(json.loads(Path("mine.json").read_text())).moves


def test_several_things_are_chosen_together(folder):
    """Marked in any order, taken back by a second Enter, played with the last one."""

    async def run():
        made = begun(folder)
        while made.sitting.picks is None:
            move = made.sitting.next_move()
            choices = [choice.action for choice in made.sitting.choices if not choice.is_grave]
            made.sitting.play(move or choices[len(made.sitting.game.moves) % len(choices)])
        async with playing(lambda: made) as (app, pilot):
            n, moves = app.sitting.picks.n, len(app.sitting.game.moves)
            await press(app, pilot, "enter", "enter")
            assert len(app.sitting.game.moves) == moves and f"{n} more" in shown(app, "question")
            for number in range(n, 0, -1):
                await press(app, pilot, str(number), "enter")
            assert len(app.sitting.game.moves) > moves

    asyncio.run(run())


# What takes long stops nothing.


def test_the_screen_is_there_before_the_game(folder):
    """What a compilation says of itself is shown while it runs, and one can leave."""
    gate = threading.Event()

    def begin():
        sys.stderr.write("\rvitienv: [#####---------------] 25 %, 3 s")
        gate.wait(PATIENCE)
        return begun(folder)

    async def run():
        app = Play(begin)
        async with app.run_test(size=SMALL) as pilot:
            until = time.monotonic() + PATIENCE
            while "25 %, 3 s" not in screen_text(app) and time.monotonic() < until:
                await pilot.pause(0.01)
            assert "being set up" in screen_text(app) and "[#####---------------] 25 %" in screen_text(app)
            await pilot.press("q")
        return app

    app = asyncio.run(run())
    gate.set()
    assert app.return_value is False and app.error is None


class Slow:
    """A bot that thinks until it is told to stop."""

    name = "slow"
    gate = threading.Event()

    def act(self, observations, masks, **_):
        assert self.gate.wait(PATIENCE)
        return masks.argmax(axis=1)


def test_a_bot_that_thinks_does_not_hold_the_screen(folder, monkeypatch):
    monkeypatch.setattr(Slow, "gate", threading.Event())

    async def run():
        made = begun(folder)
        made.sitting.agents[1] = Slow()
        app = Play(lambda: made)
        async with app.run_test(size=SMALL) as pilot:
            until = time.monotonic() + PATIENCE
            while (app.busy is None or "thinks" not in app.busy[0]) and time.monotonic() < until:
                if app.busy is None:
                    await pilot.press("enter")
                await pilot.pause(0.01)
            assert "thinks" in screen_text(app)
            await pilot.press("t")
            await pilot.pause()
            assert len(app.screen_stack) == 2  # the table can be looked at meanwhile
            await pilot.press("t")
            begun_at = time.monotonic()
            moves = list(made.sitting.game.moves)
            await pilot.press("q")
        assert time.monotonic() - begun_at < PATIENCE / 2  # not until the bot has thought
        Slow.gate.set()
        time.sleep(0.05)
        assert made.sitting.game.moves == moves  # nothing moves after the person has left

    asyncio.run(run())


def test_what_goes_wrong_is_raised_when_the_screen_is_closed():
    def begin():
        raise ValueError("there is no such game")

    async def run():
        app = Play(begin)
        async with app.run_test(size=SMALL):
            await settled(app)
        return app

    app = asyncio.run(run())
    assert str(app.error) == "there is no such game" and app.return_value is False


def test_the_screen_raises_what_the_game_raises():
    def begin():
        raise ValueError("no")

    class Quiet(Play):
        def run(self):
            return asyncio.run(self.run_async(headless=True))

    screen = FullScreen(begin)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(ValueError, match="no"):
        patch.setattr("vitienv.tui.full_screen.Play", Quiet)
        screen.play()


# Any game.


@pytest.mark.parametrize(("game", "bots"), [("toscana", 1), ("toscana", 4), ("tests.toy.definition", 2)])
@at_table()
async def test_other_games_have_it_too(app, pilot, game, bots):
    for number in range(40):  # until there is much to choose from
        if not app.sitting.game.is_over and (number < 6 or app.query_one(OptionList).option_count < 15):
            await press(app, pilot, "enter")
    brief = app.sitting.table(SMALL[0], 1, app.shown).splitlines()
    text = screen_text(app)
    assert all(line.rstrip() in text for line in brief[:12])  # the choices are scrolled sooner than the table
    await press(app, pilot, "t")
    lines = app.sitting.table(*SMALL, app.shown).splitlines()
    assert lines[-1][:30] in screen_text(app) and len(lines) <= SMALL[1]
