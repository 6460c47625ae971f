"""Files that are written whole or not at all: what is no file is left as it is."""

import os
import stat

import pytest

from vitienv.core.files import from_json, write_json


def test_a_pipe_or_a_device_is_not_replaced(tmp_path):
    """As root, `--save /dev/null` would put a file in the place of the device."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="something that is no file") as caught:
        write_json(pipe, {})
    assert caught.value.filename == str(pipe) and stat.S_ISFIFO(pipe.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_brackets_without_end_are_a_value_error():
    for text in ("[" * 100_000, '{"a":' * 100_000, b"[" * 100_000):
        with pytest.raises(ValueError, match="nested too deeply"):
            from_json(text)
    assert from_json("[" * 50 + "]" * 50)


def test_a_number_without_end_is_told_in_plain_words():
    for text in ("1" * 5000, b'{"action": -%s}' % (b"1" * 5000)):
        with pytest.raises(ValueError, match=r"^a number in it has too many digits$"):
            from_json(text)
    with pytest.raises(ValueError, match="Expecting value"):
        from_json("x" * 5000)
