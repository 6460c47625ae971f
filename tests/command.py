"""Commands in this process, files of runs and replays, and fast new processes."""

import base64
import gzip
import inspect
import io
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Iterable
from contextlib import suppress
from threading import Timer

from vitienv import cli

ANY_CHOICES = "".join(f"{number}\n" for number in range(1, 8)) * 250  # one of each seven is possible at a question


def run(capsys, *arguments):
    return cli.run(list(arguments)), *capsys.readouterr()


def run_encoded(monkeypatch, encoding, *arguments, typed=b""):
    """Return status, stdout and stderr of a command whose streams have an encoding."""
    streams = [io.TextIOWrapper(io.BytesIO(text), encoding, write_through=True) for text in (typed, b"", b"")]
    for name, stream in zip(("stdin", "stdout", "stderr"), streams):
        monkeypatch.setattr(sys, name, stream)
    return cli.run(list(arguments)), *(stream.buffer.getvalue().decode(encoding) for stream in streams[1:])


def refused(capsys, *arguments):
    """Return the one-line error of a command that ends with status 2."""
    status, out, error = run(capsys, *map(str, arguments))
    assert (status, out) == (2, "") and error.startswith("vitienv: ") and error.count("\n") == 1, error
    return error


def replace_by_pipe(path):
    """Replace a file by a named pipe. A read that waits for a writer ends after 20 s; signals do not interrupt it."""

    def end_read():
        with suppress(OSError):  # nothing reads
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))

    path.unlink()
    os.mkfifo(path)
    timer = Timer(20, end_read)
    timer.daemon = True
    timer.start()


def commands(app, path=()):
    """Return the parameters of all commands of an application by their words."""
    parameters = {}
    for command in app.registered_commands:
        parameters[*path, command.name] = inspect.signature(command.callback).parameters
    for group in app.registered_groups:
        parameters |= commands(group.typer_instance, (*path, group.name))
    return parameters


def contents(folder):
    """Return all files below a directory as bytes by name, without locks."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def logs(folder):
    """Return the logs of a tournament."""
    with gzip.open(folder / "logs.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def parts_of(page):
    """Return the text of a replay before and after its data, and the data."""
    before, data = page.split('<script type="text/plain" id="data">')
    data, after = data.split("</script>", 1)
    return before, json.loads(zlib.decompress(base64.b64decode(data))), after


SERVE = """
import gc, importlib, json, os, sys, tempfile

for name in sys.argv[1:]:
    importlib.import_module(name)
gc.collect()
gc.freeze()  # keeps its memory shared with child processes
answers = os.fdopen(os.dup(1), "w")
for line in sys.stdin:
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out, tempfile.TemporaryFile("w+", encoding="utf-8") as error:
        child = os.fork()
        if not child:
            program, arguments, folder = json.loads(line)
            for place, file in enumerate((os.open(os.devnull, os.O_RDONLY), out.fileno(), error.fileno())):
                os.dup2(file, place)
            sys.stdin, sys.argv = open(0), ["-c", *arguments]
            if folder:
                os.chdir(folder)
                sys.path.insert(0, folder)
            exec(program, {"__name__": "__main__"})
            sys.exit()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0), error.seek(0)
        print(json.dumps([status, out.read(), error.read()]), file=answers, flush=True)
"""


class Forked:
    """Context manager for new processes, which fork from one that has imported slow modules.

    modules: imports of the parent process, at the first program. settings: its environment variables. Tests of a
    program's own imports, options or threads need a real new process.
    """

    def __init__(self, modules: Iterable[str], settings: dict[str, str] | None = None) -> None:
        self._modules, self._settings = list(modules), settings or {}
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "Forked":
        return self

    def __exit__(self, *exception: object) -> None:
        if self._process is not None:
            self._process.communicate()

    def run(self, program: str, *arguments: str, folder: str = "") -> subprocess.CompletedProcess[str]:
        """Run `python -c program arguments`. folder: working directory and first entry of the import path."""
        if self._process is None:
            command, pipe = [sys.executable, "-c", SERVE, *self._modules], subprocess.PIPE
            environment = os.environ | self._settings
            self._process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)
        print(json.dumps([program, arguments, folder]), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        assert answer, f"it ended with {self._process.wait()}"
        return subprocess.CompletedProcess(program, *json.loads(answer))
