"""Programs as players: what they are asked, and what their faults cost them."""

import ast
import json
import re
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import vitienv
from vitienv.agents import make_agent
from vitienv.agents.program import CRASH, ILLEGAL, MAX_ANSWER_BYTES, TIMEOUT, BotFailure, Program
from vitienv.agents.protocol import GameViews
from vitienv.core.batch import Batch, key_of
from vitienv.training.evaluation.match import play
from vitienv.training.evaluation.tournament import Settings, run_tournament

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "programs.md").read_text(encoding="utf-8")
OPTIONS = vitienv.game_spec().options.of(num_players=2, max_years=2, skip_forced=True)
HIDDEN = ("OPENAI_API_KEY", "hf_token", "MY_SECRETS", "PGPASSWORD", "SSH_PASSPHRASE", "AWS_CREDENTIALS", "DATABASE_URL")
# It answers with the last choice; at its third question it does what is named.
PLAYER = """
import json, os, sys, time
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    if number == 2:
        FAULT
    print(json.dumps({"action": asked["choices"][-1]["name"]}), flush=True)
"""
FORFEITS = {
    "ends": ("sys.exit(3)", CRASH, "exited with status 3"),
    "is killed": ("os.kill(os.getpid(), 9)", CRASH, "was killed by signal 9"),
    "closes": ("os.close(1); time.sleep(60)", CRASH, "closed its stdout"),
    "hangs": ("time.sleep(60)", TIMEOUT, "did not answer within 2000 ms"),
    "trickles": ("[(print(' ', end='', flush=True), time.sleep(0.2)) for _ in range(99)]", TIMEOUT, "did not answer"),
    "is wrong": ('print(\'{"action": "win"}\', flush=True); continue', ILLEGAL, "'win' is not an action"),
    "chatters": ("print('hello', flush=True); continue", ILLEGAL, """got b'hello': Expecting value"""),
    "says two things": ("print('{}\\n{}', flush=True)", ILLEGAL, "wrote more than one line per query: b'{}"),
    "has two lines": (
        r"""print('{"action": "no\\nchoice: %d"}' % asked["choices"][-1]["number"], flush=True); continue""",
        ILLEGAL,
        r"action must be one line, got 'no\nchoice: ",
    ),
    "names two actions": (
        """print('{"action": "win", "action": %d}' % asked["choices"][-1]["number"], flush=True); continue""",
        ILLEGAL,
        "}': it has 2 actions",
    ),
    "counts far": (
        """print('{"action": ' + '1' * 5000 + '}', flush=True); continue""",
        ILLEGAL,
        f"got b'{{\"action\": {'1' * 69}': a number in it has too many digits",
    ),
    "explains": (
        "sys.stderr.write('\\x1b[2J' + 'y' * 300_000 + '\\nout of\\nideas\\n'); sys.exit(3)",
        CRASH,
        "exited with status 3; end of stderr: yyy",
    ),
    "floods": (f"os.write(1, b'x' * {2 * MAX_ANSWER_BYTES}); time.sleep(60)", ILLEGAL, "wrote more than 1000000 bytes"),
}


def written(folder, forfeit="pass"):
    """The command of a program in a folder."""
    path = folder / "player.py"
    path.write_text(PLAYER.replace("FAULT", forfeit))
    return f"{sys.executable} {path}"


def test_a_program_plays_what_it_chooses(tmp_path):
    agents = [make_agent(f"program:{written(tmp_path)}"), make_agent("random", seed=1)]
    played = play(OPTIONS, [1, 2], [[0, 1], [1, 0]], agents)
    assert played.forfeits == {}
    game = vitienv.Game.new(seed=1, **OPTIONS.to_dict())
    for move in played.log(0)["moves"]:
        assert game.current_seat != 0 or move == game.legal_actions()[-1]
        game.step(move)
    assert game.is_over


@pytest.mark.parametrize(("forfeit", "kind", "why"), FORFEITS.values(), ids=FORFEITS)
def test_a_fault_loses_the_game_and_no_other(tmp_path, forfeit, kind, why):
    agents = [make_agent(f"program:{written(tmp_path, forfeit)},limit_ms=2000"), make_agent("random", seed=1)]
    played = play(OPTIONS, [1, 2], [[1, 0], [1, 1]], agents)
    ((game, (seat, found)),) = played.forfeits.items()
    assert (game, seat, found.kind) == (0, 1, kind) and why in found.text and "\n" not in found.text
    assert played.ranks[0].tolist() == [1, 2] and played.rewards[0, 1] == -1 and played.records[1].any()
    stood = vitienv.replay(played.log(0))
    assert not stood.is_over and stood.current_seat == 1
    agents[0].program.close()


def test_each_of_several_faults_costs_the_last_place(tmp_path):
    """Whatever the points say, and whenever the other games end."""
    options = vitienv.game_spec().options.of(num_players=3, max_years=2, skip_forced=True)
    agents = [make_agent(f"program:{written(tmp_path, 'sys.exit(1)')}"), make_agent("random", seed=1)]
    played = play(options, range(8), [[i % 3 != 0, i % 3 != 1, i % 3 != 2] for i in range(8)], agents)
    assert len(played.forfeits) > 3
    for game, (seat, _) in played.forfeits.items():
        assert played.ranks[game, seat] == 3 > max(np.delete(played.ranks[game], seat))
        assert played.rewards[game, seat] == -1


def test_a_copy_at_a_table_with_rules_of_its_own_tells_its_faults(tmp_path):
    agent = make_agent(f"program:{written(tmp_path, 'sys.exit(1)').replace('player', 'nobody')}")
    batch = Batch(1, OPTIONS)
    batch.start(key_of(1))
    agent.bind(replace(vitienv.game_spec()))._act(batch.obs, batch.masks, GameViews(batch, [0]))
    assert agent.forfeits[0].kind == CRASH


def test_a_program_that_goes_away_is_a_fault(tmp_path):
    path = tmp_path / "player"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    agents = [make_agent(f"program:{path} --fast"), make_agent("random", seed=1)]
    path.unlink()
    played = play(OPTIONS, [1], [[0, 1]], agents)
    assert played.forfeits[0][1].kind == CRASH and "could not be started: No such file" in played.forfeits[0][1].text


def running(tmp_path, code, limit_ms=5000):
    """A program that runs a text of Python."""
    (tmp_path / "code.py").write_text(f"import os, sys, time\n{code}")
    return Program([sys.executable, str(tmp_path / "code.py")], limit_ms)


def test_what_was_written_early_answers_no_question(tmp_path):
    code = (
        "for line in sys.stdin:\n    print(line, end='', flush=True)\n    time.sleep(0.1); print('early', flush=True)"
    )
    program = running(tmp_path, code)
    assert program.ask(b"one\n") == b"one"
    time.sleep(0.5)
    with pytest.raises(BotFailure, match=r"wrote before the query: b'early\\n'"):
        program.ask(b"two\n")
    assert not program.is_running and program.ask(b"three\n") == b"three"
    program.close()


def test_it_is_started_anew_after_a_fault_of_any_kind(tmp_path):
    """An answer that names no legal action, too: the program may be at another question."""
    starts = tmp_path / "starts"
    forfeit = f"open({str(starts)!r}, 'a').write('x'); print('{{\"action\": \"win\"}}', flush=True); continue"
    agents = [make_agent(f"program:{written(tmp_path, forfeit)}"), make_agent("random", seed=1)]
    played = play(OPTIONS, [1, 2, 3], [[0, 1], [0, 1], [0, 1]], agents)
    agents[0].program.close()
    assert len(starts.read_text()) == len(played.forfeits) > 1


def test_the_end_of_stderr_is_told_and_does_not_stop_the_program(tmp_path):
    program = running(
        tmp_path, "for _ in sys.stdin:\n    sys.stderr.write('\\x1b[2Jné ' * 99_999)\n    os.write(1, b'one\\ntwo\\n')"
    )
    with pytest.raises(BotFailure, match="more than one line"):
        program.ask(b"one\n")
    assert program.stderr_tail.endswith("?[2Jné ?[2Jné") and len(program.stderr_tail) == 500
    endless = running(tmp_path, "while True: sys.stderr.write('x')", 1000)
    with pytest.raises(BotFailure, match="did not answer within 1000 ms"):
        endless.ask(b"one\n")


def test_a_program_gets_no_keys(tmp_path, monkeypatch):
    for name in (*HIDDEN, "HARMLESS"):
        monkeypatch.setenv(name, "x")
    code = PLAYER.replace("FAULT", f"open({str(tmp_path / 'seen')!r}, 'w').write(' '.join(os.environ))")
    (tmp_path / "player.py").write_text(code)
    agent = make_agent(f"program:{sys.executable} {tmp_path / 'player.py'}")
    play(OPTIONS, [1], [[0, 1]], [agent, make_agent("random", seed=1)])
    agent.program.close()
    seen = (tmp_path / "seen").read_text().split()
    assert {"PATH", "HARMLESS"} <= set(seen) and not [name for name in seen if "key" in name.lower()]
    assert not set(HIDDEN) & set(seen)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="there is no /proc here")
def test_it_ends_with_who_started_it_even_by_a_signal(tmp_path):
    """It reads no stdin, so that it notices nothing, and neither does what it started."""
    (tmp_path / "player.sh").write_text(f"sleep 99 & echo $! $$ >{tmp_path / 'pids'}; wait")
    code = (
        f"from vitienv.agents.program import Program; Program(['sh', {str(tmp_path / 'player.sh')!r}], 60_000).ask(b'')"
    )
    starter = subprocess.Popen([sys.executable, "-c", code])
    until = time.monotonic() + 60
    while not (pids := (tmp_path / "pids").read_text().split() if (tmp_path / "pids").exists() else []):
        assert time.monotonic() < until
        time.sleep(0.05)
    starter.kill()
    starter.wait()
    while any(state(pid) not in "ZX" for pid in pids):
        assert time.monotonic() < until
        time.sleep(0.05)


def state(pid):
    """The letter of a process's state; X for one that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def test_what_it_started_ends_with_it(tmp_path):
    begun, marker = tmp_path / "begun", tmp_path / "child"
    child = f"touch {begun}; sleep 2; touch {marker}"
    forfeit = f"import subprocess; subprocess.Popen(['sh', '-c', '{child}']); time.sleep(60)"
    agent = make_agent(f"program:{written(tmp_path, forfeit)},limit_ms=1500")
    play(OPTIONS, [1], [[0, 1]], [agent, make_agent("random", seed=1)])
    subprocess.run(["sleep", "2"], check=True)
    assert begun.exists() and not marker.exists()


def test_a_tournament_counts_faults_and_goes_on(tmp_path):
    spec = f"program:{written(tmp_path, 'sys.exit(1)')}"
    options = {"max_years": 2}
    settings = Settings(agents=(spec, "random", "heuristic"), num_players=2, games=12, seed=3, options=options)
    results = run_tournament(settings, tmp_path / "run")
    bot = next(bot for bot in results["bots"] if bot["agent"] == spec)
    assert bot["forfeits"].keys() == {"crash"} and bot["win_rate"]["value"] < 1
    assert sum(sum(bot["forfeits"].values()) for bot in results["bots"]) == bot["forfeits"]["crash"] > 0
    import pandas as pd

    frame = pd.read_parquet(tmp_path / "run" / "games.parquet")
    assert (frame["forfeit"] == "crash").sum() == bot["forfeits"]["crash"]
    assert set(frame["agent"][frame["forfeit"] != ""]) == {spec}


def test_files_of_others_start_no_program(tmp_path):
    from vitienv.agents.registry import check_untrusted_specs

    with pytest.raises(ValueError, match="which would run a program"):
        check_untrusted_specs([f"program:{written(tmp_path)}"], "the log")


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("program", "requires 'command'"),
        ("program:command= ", "missing command"),
        ("program:'x", "cannot parse the command .*No closing quotation"),
        ("program:/nowhere/player --fast", "'/nowhere/player' does not exist"),
        (f"program:{__file__}", "is not executable"),
        ('program:"python mybot.py"', "'python mybot.py' does not exist"),
        ("program:cat,limit_ms=0", "limit_ms must be from 1 to 3600000, got 0"),
        ("program:x,limit_ms=soon", "limit_ms must be an integer, got 'soon'"),
    ],
)
def test_wrong_specs_are_refused(spec, why):
    with pytest.raises(ValueError, match=why):
        make_agent(spec)


@pytest.mark.parametrize(("language", "run"), [("python", sys.executable), ("js", "node")])
def test_the_programs_of_the_page_play(tmp_path, language, run):
    if shutil.which(run) is None:
        pytest.skip(f"there is no {run} here")
    code = PAGE.partition(f"```{language}\n")[2].partition("```")[0]
    path = tmp_path / f"player.{language}"
    path.write_text(code)
    for options in (OPTIONS, vitienv.game_spec("toscana").options.of(num_players=2)):
        agents = [make_agent(spec, 1, options.game_spec) for spec in (f"program:{run} {path}", "random")]
        assert play(options, [5], [[0, 1]], agents).forfeits == {}


def test_the_specs_of_the_page_are_commands_with_options(tmp_path, monkeypatch):
    (tmp_path / "mybot").write_text("#!/bin/sh\n")
    (tmp_path / "mybot").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    in_shell, in_python = re.findall(
        r"tournament ('program:./mybot.*?') heur|make_agent\((\"program:./mybot.*?\")\)", PAGE
    )
    for spec in (*shlex.split(in_shell[0]), ast.literal_eval(in_python[1])):
        program = make_agent(spec).program
        assert (program.command, program.limit_ms) == (["./mybot", "--depth", "3"], 500)


def test_what_a_program_is_asked_can_be_read():
    game = vitienv.Game.new(num_players=4, seed=1)
    question = {"view": game.view(), "text": game.describe(), "choices": game.describe_actions()}
    assert len(json.dumps(question)) < 65_536  # a pipe's room: the question is written at once


def checked(*words):
    command = [sys.executable, "-m", "vitienv.cli", "bot", "check", *words]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout.strip()


def test_a_bot_is_checked(tmp_path):
    status, told = checked(f"program:{written(tmp_path)}", "--games", "2")
    assert status == 0 and "2 games, " in told and told.endswith("nothing wrong")
    status, told = checked(f"program:{written(tmp_path, 'sys.exit(1)')}", "--games", "2", "--json")
    (wrong,) = json.loads(told)["wrong"]  # once, though the game is played twice
    assert status == 1 and "crash: exited with status 1" in wrong


def test_a_bot_that_plays_another_way_is_told(tmp_path):
    forfeit = "print(json.dumps({'action': asked['choices'][os.getpid() % 2]['name']}), flush=True); continue"
    program = PLAYER.replace("if number == 2:", "if len(asked['choices']) > 1:").replace("FAULT", forfeit)
    (tmp_path / "player.py").write_text(program.replace("os.getpid()", "time.monotonic_ns() // 1000"))
    status, told = checked(f"program:{sys.executable} {tmp_path / 'player.py'}", "--games", "2")
    assert status == 1 and "differs when it is repeated" in told
