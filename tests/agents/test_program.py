"""Programs as players: queries, answers, and forfeits."""

import ast
import json
import re
import shlex
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

import vitienv
from tests.command import run
from vitienv.agents import make_agent
from vitienv.agents.program import CRASH, ILLEGAL, MAX_ANSWER_BYTES, TIMEOUT, BotFailure, Program
from vitienv.agents.protocol import GameViews
from vitienv.core.batch import Batch, make_key
from vitienv.training.evaluation.match import play
from vitienv.training.evaluation.tournament import Settings, run_tournament

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "programs.md").read_text(encoding="utf-8")
OPTIONS = vitienv.game_spec().options.of(num_players=2, max_years=2, skip_forced=True)
HIDDEN = ("OPENAI_API_KEY", "hf_token", "MY_SECRETS", "PGPASSWORD", "SSH_PASSPHRASE", "AWS_CREDENTIALS", "DATABASE_URL")
NEEDS_PROC = pytest.mark.skipif(not Path("/proc").is_dir(), reason="/proc does not exist")
# Answers with the last choice; runs FAILURE at the third query.
PLAYER = """
import json, os, sys, time
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    if number == 2:
        FAILURE
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


def program_command(folder, forfeit="pass"):
    path = folder / "player.py"
    path.write_text(PLAYER.replace("FAILURE", forfeit))
    return f"{sys.executable} {path}"


def test_program_plays_its_choices(tmp_path):
    agents = [make_agent(f"program:{program_command(tmp_path)}"), make_agent("random", seed=1)]
    played = play(OPTIONS, [1, 2], [[0, 1], [1, 0]], agents)
    assert played.forfeits == {}
    game = vitienv.Game.new(seed=1, **OPTIONS.to_dict())
    for move in played.log(0)["moves"]:
        assert game.current_seat != 0 or move == game.legal_actions()[-1]
        game.step(move)
    assert game.is_over


@pytest.mark.parametrize(("forfeit", "kind", "why"), FORFEITS.values(), ids=FORFEITS)
def test_failure_forfeits_one_game(tmp_path, forfeit, kind, why):
    agents = [make_agent(f"program:{program_command(tmp_path, forfeit)},limit_ms=2000"), make_agent("random", seed=1)]
    played = play(OPTIONS, [1, 2], [[1, 0], [1, 1]], agents)
    ((game, (seat, failure)),) = played.forfeits.items()
    assert (game, seat, failure.kind) == (0, 1, kind) and why in failure.text and "\n" not in failure.text
    assert played.ranks[0].tolist() == [1, 2] and played.rewards[0, 1] == -1 and played.records[1].any()
    last = vitienv.replay(played.log(0))
    assert not last.is_over and last.current_seat == 1
    agents[0].program.close()


def test_each_game_has_its_own_clock(tmp_path):
    """Answers of 0.2 s are within the limit of a decision, but not within that of a game."""
    log = f"open({str(tmp_path / 'asked')!r}, 'a').write(f\"{{asked.get('remaining_ms')}} \")"
    code = PLAYER.replace("if number == 2:", "if True:").replace("FAILURE", f"time.sleep(0.2); {log}")
    (tmp_path / "player.py").write_text(code)
    spec = f"program:{sys.executable} {tmp_path / 'player.py'},limit_ms=20000"
    agents = [make_agent(f"{spec},game_limit_ms=1000"), make_agent("random", seed=1), make_agent(spec)]
    played = play(OPTIONS, [1, 2], [[0, 1], [1, 0]], agents)
    assert {i: (seat, failure.kind) for i, (seat, failure) in played.forfeits.items()} == {
        0: (0, TIMEOUT), 1: (1, TIMEOUT)
    }  # fmt: skip
    assert all("exceeded the 1000 ms of game_limit_ms" in failure.text for _, failure in played.forfeits.values())
    remaining = [int(text) for text in (tmp_path / "asked").read_text().split()]
    assert remaining.count(1000) == 2 and 4 < len(remaining) <= 10 and min(remaining) < 500
    settings = Settings((f"{spec},game_limit_ms=300", "random"), 2, 2, options={"max_years": 1}, on_failure="replace")
    bots = run_tournament(settings, tmp_path / "run")["bots"]
    assert {bot["agent"]: bot["forfeits"] for bot in bots} == {settings.agents[0]: {"timeout": 2}, "random": {}}
    (tmp_path / "asked").unlink()
    batch = Batch(1, OPTIONS)
    batch.start(make_key(1))
    agents[2].act(batch.obs, batch.masks, GameViews(batch, [0]))
    assert (tmp_path / "asked").read_text() == "None "


def test_bound_copy_reports_the_forfeit_of_a_removed_program(tmp_path):
    path = tmp_path / "player"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    agent = make_agent(f"program:{path} --fast")
    path.unlink()
    batch = Batch(1, OPTIONS)
    batch.start(make_key(1))
    agent.bind(replace(vitienv.game_spec()))._act(batch.obs, batch.masks, GameViews(batch, [0]))
    assert agent.forfeits[0].kind == CRASH and "could not be started: No such file" in agent.forfeits[0].text


def start_program(tmp_path, code, limit_ms=5000):
    (tmp_path / "code.py").write_text(f"import os, sys, time\n{code}")
    return Program([sys.executable, str(tmp_path / "code.py")], limit_ms)


def test_output_before_a_query_is_not_an_answer(tmp_path):
    code = "for line in sys.stdin:\n print(line, end='', flush=True); time.sleep(0.1); print('early', flush=True)"
    program = start_program(tmp_path, code)
    assert program.ask(b"one\n") == b"one"
    time.sleep(0.5)
    with pytest.raises(BotFailure, match=r"wrote before the query: b'early\\n'"):
        program.ask(b"two\n")
    assert not program.is_running and program.ask(b"three\n") == b"three"
    program.close()


def test_program_restarts_after_each_failure(tmp_path):
    """Also after an illegal action, as the program may answer an earlier query."""
    starts = tmp_path / "starts"
    forfeit = f"open({str(starts)!r}, 'a').write('x'); print('{{\"action\": \"win\"}}', flush=True); continue"
    agents = [make_agent(f"program:{program_command(tmp_path, forfeit)}"), make_agent("random", seed=1)]
    played = play(OPTIONS, [1, 2, 3], [[0, 1], [0, 1], [0, 1]], agents)
    agents[0].program.close()
    assert len(starts.read_text()) == len(played.forfeits) > 1


def test_stderr_is_drained_and_its_end_reported(tmp_path):
    program = start_program(
        tmp_path, "for _ in sys.stdin:\n    sys.stderr.write('\\x1b[2Jné ' * 99_999)\n    os.write(1, b'one\\ntwo\\n')"
    )
    with pytest.raises(BotFailure, match="more than one line"):
        program.ask(b"one\n")
    assert program.stderr_tail.endswith("?[2Jné ?[2Jné") and len(program.stderr_tail) == 500
    endless = start_program(tmp_path, "while True: sys.stderr.write('x')", 1000)
    with pytest.raises(BotFailure, match="did not answer within 1000 ms"):
        endless.ask(b"one\n")


def test_environment_has_no_keys(tmp_path, monkeypatch):
    for name in (*HIDDEN, "HARMLESS"):
        monkeypatch.setenv(name, "x")
    code = PLAYER.replace("FAILURE", f"open({str(tmp_path / 'seen')!r}, 'w').write(' '.join(os.environ))")
    (tmp_path / "player.py").write_text(code)
    agent = make_agent(f"program:{sys.executable} {tmp_path / 'player.py'}")
    play(OPTIONS, [1], [[0, 1]], [agent, make_agent("random", seed=1)])
    agent.program.close()
    names = (tmp_path / "seen").read_text().split()
    assert {"PATH", "HARMLESS"} <= set(names) and not [name for name in names if "key" in name.lower()]
    assert not set(HIDDEN) & set(names)


@NEEDS_PROC
def test_program_ends_with_a_killed_parent(tmp_path):
    """Although neither the program nor its child process reads stdin."""
    (tmp_path / "player.sh").write_text(f"sleep 99 & echo $! $$ >{tmp_path / 'pids'}; wait")
    path = str(tmp_path / "player.sh")
    code = f"from vitienv.agents.program import Program; Program(['sh', {path!r}], 60_000).ask(b'')"
    starter = subprocess.Popen([sys.executable, "-c", code])
    until = time.monotonic() + 60
    while not (pids := (tmp_path / "pids").read_text().split() if (tmp_path / "pids").exists() else []):
        assert time.monotonic() < until
        time.sleep(0.05)
    starter.kill()
    starter.wait()
    wait_for_end(pids)


def wait_for_end(pids):
    """Wait until processes are zombies or do not exist."""
    until = time.monotonic() + 60
    for pid in pids:
        with suppress(OSError):
            while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX":
                assert time.monotonic() < until
                time.sleep(0.05)


@NEEDS_PROC
def test_child_processes_end_with_the_program(tmp_path):
    child = "import subprocess; child = subprocess.Popen(['sleep', '999'], stdout=subprocess.DEVNULL)"
    forfeit = f"{child}; open({str(tmp_path / 'pid')!r}, 'w').write(str(child.pid)); sys.exit()"
    agent = make_agent(f"program:{program_command(tmp_path, forfeit)}")
    play(OPTIONS, [1], [[0, 1]], [agent, make_agent("random", seed=1)])
    wait_for_end([(tmp_path / "pid").read_text()])


@pytest.mark.parametrize(("language", "interpreter"), [("python", sys.executable), ("js", "node")])
def test_documented_programs_play(tmp_path, language, interpreter):
    if shutil.which(interpreter) is None:
        pytest.skip(f"{interpreter} is not installed")
    code = PAGE.partition(f"```{language}\n")[2].partition("```")[0]
    path = tmp_path / f"player.{language}"
    path.write_text(code)
    for options in (OPTIONS, vitienv.game_spec("toscana").options.of(num_players=2)):
        agents = [make_agent(spec, 1, options.game_spec) for spec in (f"program:{interpreter} {path}", "random")]
        assert play(options, [5], [[0, 1]], agents).forfeits == {}


def test_documented_specs_are_commands_with_options(tmp_path, monkeypatch):
    (tmp_path / "mybot").write_text("#!/bin/sh\n")
    (tmp_path / "mybot").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    in_shell, in_python = re.findall(
        r"tournament ('program:./mybot.*?') heur|make_agent\((\"program:./mybot.*?\")\)", PAGE
    )
    for spec in (*shlex.split(in_shell[0]), ast.literal_eval(in_python[1])):
        program = make_agent(spec).program
        assert (program.command, program.limit_ms) == (["./mybot", "--depth", "3"], 500)


def test_bot_check_reports_failures(tmp_path, capsys):
    status, output, _ = run(capsys, "bot", "check", f"program:{program_command(tmp_path)}", "--games", "2")
    assert status == 0 and "2 games, " in output and output.strip().endswith("nothing wrong")
    spec = f"program:{program_command(tmp_path, 'sys.exit(1)')}"
    status, output, _ = run(capsys, "bot", "check", spec, "--games", "2", "--json")
    (failure,) = json.loads(output)["wrong"]  # reported once, although the game is played twice
    assert status == 1 and "crash: exited with status 1" in failure


def test_bot_check_detects_varying_choices(tmp_path, capsys):
    answer = "print(json.dumps({'action': asked['choices'][time.monotonic_ns() // 1000 % 2]['name']}), flush=True)"
    program = PLAYER.replace("if number == 2:", "if len(asked['choices']) > 1:").replace(
        "FAILURE", f"{answer}; continue"
    )
    (tmp_path / "player.py").write_text(program)
    spec = f"program:{sys.executable} {tmp_path / 'player.py'}"
    status, output, _ = run(capsys, "bot", "check", spec, "--games", "2")
    assert status == 1 and "differs when it is repeated" in output
