"""Atomic writes and parsing of extreme values."""

import os
import stat

import pytest

from vitienv.core.files import from_json, write_json


def test_pipes_and_devices_are_not_replaced(tmp_path):
    """As root, `--save /dev/null` would replace the device by a file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a regular file") as caught:
        write_json(pipe, {})
    assert caught.value.filename == str(pipe) and stat.S_ISFIFO(pipe.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_deep_nesting_raises_value_error():
    for text in ("[" * 100_000, '{"a":' * 100_000, b"[" * 100_000):
        with pytest.raises(ValueError, match="nested too deeply"):
            from_json(text)
    assert from_json("[" * 50 + "]" * 50)


def test_huge_number_raises_a_readable_error():
    for text in ("1" * 5000, b'{"action": -%s}' % (b"1" * 5000)):
        with pytest.raises(ValueError, match=r"^a number in it has too many digits$"):
            from_json(text)
    with pytest.raises(ValueError, match="Expecting value"):
        from_json("x" * 5000)
