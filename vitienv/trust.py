"""What may be run as code: nothing that came with a file, unless the user wrote the file or says so.

The .zip of a MaskablePPO holds pickled Python, and a name with a dot, of a bot or of a game, is a module to import.
What this program writes of that kind it seals with a key that stays in the user's configuration folder: a file with a
sound seal is the user's own. For any other it takes the user's word: `--trust`, or `allow()`.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import os
import secrets
import sys
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from vitienv.core.english import in_one_line

WORD = "VITIENV_TRUST"  # in the environment, so that the processes that are started here have it too
HOME = "VITIENV_HOME"  # another folder for the user's own files
KEY_BYTES, SEAL_LETTERS = 32, 64
SEAL = "seal"  # the entry of a sealed mapping
LATER = "training can be gone on with by --trust alone"
HOW = "if you trust whoever made it, add --trust (in Python: vitienv.trust.allow())"


def own_folder() -> Path:
    """The folder of the user's own files: $VITIENV_HOME, or `vitienv` in the configuration folder."""
    return Path(os.environ.get(HOME) or user_config_path("vitienv", appauthor=False)).expanduser()


def allow() -> None:
    """Take files from others that hold code, in this process and in those that it starts."""
    os.environ[WORD] = "1"


def is_allowed() -> bool:
    """Whether the user has trusted files of others, by `--trust`."""
    return os.environ.get(WORD) == "1"


def sealed(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record of plain JSON with the user's seal; without one where no key can be kept."""
    seal = _seal(_plain(record), make=True)
    return {**record, SEAL: seal} if seal else dict(record)


def is_own(record: Mapping[str, Any]) -> bool:
    """Whether a record was sealed by this user and not changed since."""
    return _fits(record.get(SEAL), _plain(record))


def seal_zip(packed: bytes) -> bytes:
    """A zip file with the user's seal as the end of its comment, over everything before."""
    whole = io.BytesIO(packed)
    with zipfile.ZipFile(whole, "a") as archive:
        archive.comment = b"0" * SEAL_LETTERS
    body = whole.getvalue()[:-SEAL_LETTERS]
    seal = _seal(b"zip " + body, make=True)
    return body + seal.encode() if seal else packed


def is_own_zip(packed: bytes) -> bool:
    """Whether a zip file was sealed by this user and not changed since."""
    return _fits(packed[-SEAL_LETTERS:].decode("ascii", "replace"), b"zip " + packed[:-SEAL_LETTERS])


def _plain(record: Mapping[str, Any]) -> bytes:
    return b"json " + json.dumps({k: v for k, v in record.items() if k != SEAL}, sort_keys=True).encode()


def _seal(told: bytes, make: bool) -> str | None:
    key = _key(make)
    return None if key is None else hmac.new(key, told, hashlib.sha256).hexdigest()


def _fits(seal: Any, told: bytes) -> bool:
    right = _seal(told, make=False)
    return right is not None and isinstance(seal, str) and hmac.compare_digest(seal.encode(), right.encode())


def _key(make: bool) -> bytes | None:
    """The user's key, or None. A key that cannot be made or is damaged brings one warning in each process."""
    file = own_folder() / "key"
    try:
        if make and not file.exists():
            _make(file)
        key = file.read_bytes()
    except OSError as error:
        if make:
            _tell(f"no key of yours can be kept in {file.parent} ({error.strerror}): {LATER}")
        return None
    if len(key) != KEY_BYTES:
        _tell(f"{file} is no key, it has {len(key)} bytes and not {KEY_BYTES}: {LATER}, until you remove that file")
        return None
    return key


def _make(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    mine = file.with_name(f".key.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
            new.write(secrets.token_bytes(KEY_BYTES))
        os.link(mine, file)  # whoever comes second takes the first one's
    except FileExistsError:
        pass
    finally:
        mine.unlink(missing_ok=True)


@cache
def _tell(line: str) -> None:
    if sys.stderr is not None:
        print(f"vitienv: {in_one_line(line)}", file=sys.stderr, flush=True)
