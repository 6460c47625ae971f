"""vitienv play in the terminal: input, output and saved games."""

import json
import re
from pathlib import Path

import pytest

import vitienv
from tests.command import ANY_CHOICES
from tests.text.test_sentences import position
from vitienv import cli
from vitienv.render.text import Choice
from vitienv.session import saves
from vitienv.session.game_session import GameSession
from vitienv.session.replay import read_seats, short_name
from vitienv.session.terminal import Terminal, numbered


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Return the data directory of a test, which runs in another directory."""
    monkeypatch.setenv(saves.HOME, str(tmp_path / "data"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "data"


def saved_logs(folder):
    return [json.loads(file.read_text()) for file in sorted((folder / "games").glob("*.json"))]


# Input and output.


def test_a_level_stays_the_opponent_after_resuming(play, folder):
    status, _, _ = play("1\nquit\n", "--bots", "level:3,level:1", "--seed", "4")
    (log,) = saved_logs(folder)
    assert status == 0 and log["agents"] == ["you", "level:3", "level:1"]
    assert "level:1 (easy) to level:10" in " ".join(re.sub("[^\\w: ()]", " ", play("", "--help")[1]).split())
    status, *_ = play("1\nquit\n", "--resume")
    assert status == 0 and saved_logs(folder)[0]["agents"] == log["agents"]


def test_moves_are_read_from_stdin_and_hands_are_hidden(play):
    status, out, _ = play("help\nnonsense\n1\nmoves\nquit\n", "--bots", "random,random:seed=3", "--seed", "4",
                          "--save", "saved.json")  # fmt: skip
    saved = json.loads(Path("saved.json").read_text())
    assert status == 0 and "'nonsense' is not a legal choice" in out and "Row 4" in out
    assert saved["options"]["num_players"] == 3 and not vitienv.replay(saved).is_over
    assert out.count("    winter ") <= out.count("> You ")  # one hand
    assert out.isascii() and "\x1b" not in out  # any encoding; no colours without a terminal


def test_a_pass_has_no_number(play):
    """An accidental 1 places a worker; a season ends only by its name, in any case."""
    summer = "1\n4\n"
    _, out, _ = play(summer + "1\nquit\n", "--seed", "4")
    assert "You pass" not in out and "You place a worker on Draw vine" in out
    _, out, _ = play(summer + "p\nPASS\nquit\n", "--seed", "4")
    assert out.count("You pass.") == 1


def test_cards_and_choices_are_explained(play):
    _, out, _ = play("help scholar\nSCHOLAR\nhelp option:1\nhelp 1\nhelp wine\nhelp nothing\nquit\n", "--seed", "4")
    assert out.count("train a worker for 3 lira") == 2
    assert "'SCHOLAR' is not a legal choice" in out and "Unknown topic 'nothing'." in out
    assert out.count("The trellis: needed by Pinot") == 2 and "Red wine is made from a red grape" in out


def test_choices_match_parts_of_names_and_titles(play):
    _, out, _ = play("trellis\n4\nbuild\ntour grande\nwhy\nquit\n", "--seed", "4")
    assert "You take the trellis." in out and "You place the grande worker on Give tour" in out
    assert "Ambiguous:" in out and "(Build structure: worker)" in out


@pytest.mark.parametrize("digits", ["²", "9" * 5000, "help ²", "help wake_up:²", "help order_²"])
def test_digits_outside_of_integers_are_illegal_choices(play, digits):
    status, out, error = play(f"{digits}\nquit\n", "--bots", "random", "--seed", "3")
    assert (status, error) == (0, "") and ("is not a legal choice" in out or "Unknown topic" in out)


def test_undo_is_refused_after_a_revealed_card(play):
    status, out, _ = play("undo\n1\n4\nundo\n2\nundo\nundo\nquit\n", "--seed", "4", "--save", "a.json")
    log = json.loads(Path("a.json").read_text())
    assert "you have no choice to undo" in out and out.count("Undone: You take wake-up row 4") == 1
    assert out.count("cannot undo:") == 2  # row 2 draws a card
    assert log["taken_back"] == 1 and [move for move in log["moves"] if move.startswith("wake_up")][-1] == "wake_up:2"


def test_hints_come_from_any_bot(play):
    bot = "ismcts:simulations=8,playout=none"
    _, out, _ = play(f"hint\nhint random:seed=1\nhint nobody\nhint {bot}\nquit\n", "--seed", "4")
    assert "heuristic would choose " in out and "random would choose " in out
    text = out.partition("no hint: unknown agent 'nobody'")[2].replace("\n", " ")
    assert f"8 simulations by {bot}" in text and "%" in text and "Likely" not in text


def test_log_repeats_events(play):
    _, out, _ = play("log\n1\n4\nlog\nlog all\nquit\n", "--seed", "4")
    assert out.count("heuristic takes a third worker") == 3  # the event, log, log all
    assert out.count("You take wake-up row 4; +1 lira") == 3  # the event, log, log all
    assert out.count("You take the trellis.") == 2  # the event, log all


def test_several_cards_are_picked_in_any_order(play):
    game = position(["summer:auctioneer", "vine:pinot", "order:order_01", "winter:queen"])
    Path("log.json").write_text(json.dumps(game.log))
    typed = "visitor worker\n3\n3\n3\n1\nquit\n"  # the queen, once more by mistake, then the queen and pinot
    _, out, _ = play(typed, "--load", "log.json", "--save", "end.json")
    assert "Choose 2 of them" in out and "Chosen: Queen; 1 more." in out
    moves = json.loads(Path("end.json").read_text())["moves"]
    assert moves[3:5] == ["card:vine:pinot", "card:winter:queen"]
    play(typed.replace("quit", "undo\nquit"), "--load", "log.json", "--save", "undone.json")
    undone = json.loads(Path("undone.json").read_text())
    assert (undone["moves"], undone["taken_back"]) == (moves[:3], 1)  # both cards together


def test_choices_keep_the_numbers_of_their_names():
    rows = [Choice(f"wake_up:{row}", f"Row {row}") for row in (2, 4)]
    assert numbered(rows) == ({2: rows[0], 4: rows[1]}, [])
    fields = [Choice("done", "That is all"), Choice("field:6", "Field 6")]
    assert numbered(fields) == ({6: fields[1]}, [fields[0]])
    mixed = [Choice("pass", "Pass", is_grave=True), Choice("card:vine:pinot", "Pinot"), Choice("done", "None")]
    assert numbered(mixed) == ({1: mixed[1], 2: mixed[2]}, [mixed[0]])


@pytest.mark.parametrize("width", [60, 80, 120])
def test_lines_fit_the_width(width, monkeypatch, capsys):
    """Choices and the table of four with bonus spaces, at every width."""
    game = vitienv.Game.new(num_players=4, seed=2)
    while game.decision != "place_worker":
        game.step(game.legal_actions()[0])
    session = GameSession(game, ["you" if seat == game.current_seat else "random" for seat in range(4)])
    terminal = Terminal(session, lambda: None, lambda file: None)
    monkeypatch.setattr(Terminal, "width", property(lambda self: width))
    terminal._show_table()
    terminal._show_choices()
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width and any("1 worker" in line for line in lines)


def test_moves_and_hints_are_those_of_the_bot():
    game = vitienv.Game.new(num_players=2, seed=5)
    session, bot = GameSession(game, ["you", "heuristic"]), vitienv.make_agent("heuristic")
    for _ in range(40):
        game = session.game
        action = int(bot.act(game.observation()[None], game.mask[None])[0])
        if session.is_persons_turn:
            assert session.suggest()[1] == action
            session.play(action)
        else:
            assert session.advance() and session.game._moves[len(game._moves)] == action


def test_bots_have_short_names():
    names = ["policy:champion", "policy:runs/mine/best.safetensors", "ismcts:simulations=9", "mybot.Bot"]
    assert [short_name(name) for name in names] == ["champion", "best", "ismcts", "mybot.Bot"]
    game = vitienv.Game.new(num_players=3, seed=1)
    assert GameSession(game, ["random", "you", "random:seed=4"]).names == ["random 1", "You", "random 3"]


# Saved games.


def test_the_default_seed_is_random(play):
    for _ in range(2):
        _, out, _ = play("1\nquit\n")
    first, second = sorted(Path(saves.folder() / "games").glob("*.json"))
    assert json.loads(first.read_text())["seed"] != json.loads(second.read_text())["seed"]
    seed = json.loads(second.read_text())["seed"]
    assert f"--seed {seed})" in out or f"--seed {json.loads(first.read_text())['seed']})" in out


def test_a_loaded_game_keeps_seat_and_bots(play):
    play("1\n1\nquit\n", "--bots", "policy:champion", "--seat", "2", "--seed", "9", "--save", "q.json")
    saved = json.loads(Path("q.json").read_text())
    assert saved["seat"] == 1 and saved["agents"] == ["policy:champion", "you"]
    status, out, _ = play("quit\n", "--load", "q.json", "--save", "q.json")
    assert status == 0 and "against champion" in out
    loaded = json.loads(Path("q.json").read_text())
    assert loaded["seat"] == 1 and loaded["moves"] == saved["moves"]
    assert [line for line in out.splitlines() if line.startswith("> You")]


def test_seat_and_bots_of_a_loaded_game_can_be_replaced(play):
    play("1\nquit\n", "--bots", "heuristic", "--seat", "2", "--save", "q.json")
    arguments = ["--seat", "1", "--bots", "random", "--game", "viticulture", "--save", "q.json"]
    status, out, _ = play("quit\n", "--load", "q.json", *arguments)
    assert status == 0 and "against random:" in out
    log = json.loads(Path("q.json").read_text())
    assert log["seat"] == 0 and log["agents"] == ["you", "random"]


@pytest.mark.parametrize("agents", [["heuristic"], ["you", 3], "you", {"you": 1, "random": 2}])
def test_agents_of_a_log_must_be_one_per_seat(agents):
    with pytest.raises(ValueError, match="agents must be a list of 2 names, got"):
        read_seats({"agents": agents}, 2)


def test_logs_and_replays_show_the_candidates_of_bots(play, capsys):
    """Also after an undo and in a continued game."""
    play("1\n4\n1\nundo\nquit\n", "--bots", "heuristic,random", "--seed", "4", "--save", "q.json",
         "--option", "max_years=1")  # fmt: skip
    started = json.loads(Path("q.json").read_text())
    play(ANY_CHOICES, "--load", "q.json", "--save", "q.json")
    log = json.loads(Path("q.json").read_text())
    n = len(started["moves"])
    assert log["candidates"][:n] == started["candidates"] and any(started["candidates"])
    game, considered = vitienv.replay(log | {"moves": [], "state": None}), 0
    for move, candidates in zip(log["moves"], log["candidates"], strict=True):
        is_expected = log["agents"][game.current_seat] == "heuristic" and len(game.legal_actions()) > 1
        assert (candidates is not None) == is_expected and (not is_expected or candidates[0]["action"] == move)
        considered += is_expected
        game.step(move)
    assert game.is_over and considered > 5
    assert cli.run(["replay", "q.json"]) == 0
    assert capsys.readouterr().out.count("considered: ") == considered
    Path("q.json").write_text(json.dumps(log | {"candidates": [3]}))
    assert "candidates must be a list" in play("quit\n", "--load", "q.json")[2]


def test_a_log_of_a_tournament_can_be_continued(play):
    game = vitienv.Game.new(num_players=2, seed=5)
    game.step(game.legal_actions()[0])
    Path("t.json").write_text(json.dumps(game.log | {"agents": ["heuristic", "random:seed=1"]}))
    status, out, _ = play("quit\n", "--load", "t.json")
    assert status == 0 and "against random:" in out
    assert "against heuristic:" in play("quit\n", "--load", "t.json", "--seat", "2")[1]


def test_a_quit_game_is_saved_and_resumed(play, folder):
    _, out, _ = play("1\n4\n1\nq\n", "--bots", "random", "--seat", "2", "--seed", "4")
    assert "You left the game" in out and "not a legal choice" not in out and "vitienv play --resume" in out
    (log,) = saved_logs(folder)
    assert "candidates" not in log  # this bot has none
    status, out, _ = play("show\nquit\n", "--resume")
    assert status == 0 and saved_logs(folder) == [log] and "the game continues" in out
    status, _, errors = play("", "--resume", "--seed", "3")
    assert status == 2 and "leave out --seed" in errors
    assert "--game must be viticulture for the game in" in play("", "--resume", "--game", "toscana")[2]


def test_resume_continues_the_last_unfinished_game(play, folder):
    play("1\nquit\n", "--seed", "1")
    play("1\nquit\n", "--seed", "2")
    play(ANY_CHOICES, "--seed", "3", "--option", "max_years=1")  # finished
    assert "--seed 2)" in play("quit\n", "--resume")[1] and len(saved_logs(folder)) == 3


def test_resume_requires_an_unfinished_game(play, folder):
    status, _, errors = play("", "--resume")
    assert status == 2 and "no unfinished game" in errors
    (folder / "games").mkdir(parents=True)
    (folder / "games" / "damaged.json").write_text("{")
    assert play("", "--resume")[0] == 2


def test_the_game_is_saved_after_each_choice_and_ended_by_ctrl_c(play, folder, monkeypatch):
    typed, saved = iter(["1", "4"]), []

    def answer(prompt=""):
        saved.extend(log["moves"] for log in saved_logs(folder))
        try:
            return next(typed)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("builtins.input", answer)
    status, out, errors = play("", "--seed", "4")
    assert status == 130 and "vitienv play --resume" in out
    assert "wake_up:4" in saved[-1] and saved_logs(folder)[0]["moves"] == saved[-1]


def test_save_overwrites_no_other_file_and_creates_no_directory(play):
    Path("mine.txt").write_text("mine")
    typed = "save\nsave mine.txt\nsave nowhere/x.json\nsave new.json\n1\nsave new.json\nquit\n"
    _, out, _ = play(typed, "--seed", "4")
    assert Path("mine.txt").read_text() == "mine" and not Path("nowhere").exists()
    assert "'mine.txt' already exists" in out and "directory 'nowhere' does not exist" in out
    assert json.loads(Path("new.json").read_text())["moves"]


def full_disk(monkeypatch, is_full):
    """Make the autosave fail for paths on a full disk."""
    from vitienv.session import autosave

    write_json = autosave.write_json

    def write(path, value):
        if is_full(path):
            raise OSError(28, "No space left on device")
        write_json(path, value)

    monkeypatch.setattr(autosave, "write_json", write)


def test_a_full_disk_loses_no_game(play, folder, monkeypatch):
    """Without --save the game is saved automatically; without space for that its log is printed."""
    full_disk(monkeypatch, lambda path: path.name == "a.json")
    _, out, _ = play("1\nquit\n", "--seed", "4", "--save", "a.json")
    assert "not saved to a.json: No space left on device" in out and "vitienv play --resume" in out
    assert saved_logs(folder)[0]["moves"]
    full_disk(monkeypatch, lambda path: True)
    _, out, _ = play("1\nquit\n", "--seed", "4")
    assert "could not be saved" in out
    printed = next(line for line in out.splitlines() if line.startswith("{"))
    assert vitienv.replay(json.loads(printed)).moves


def test_a_resumed_campaign_game_is_recorded(play, folder):
    play("1\n1\n1\nquit\n", "--campaign", "c.json", "--difficulty", "easy")
    assert saved_logs(folder)[0]["campaign"].endswith("c.json")
    status, out, _ = play(ANY_CHOICES, "--resume")
    assert status == 0 and "Recorded in" in out and len(json.loads(Path("c.json").read_text())["results"]) == 1
