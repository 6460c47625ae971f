"""Checkpoints of trainings: whole or not at all, and nothing in them is code."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import torch

from vitienv.core.files import atomic


def write_checkpoint(path: Path, whole: dict[str, Any]) -> None:
    """Write it, its `format` among what it holds. OSError, which names the file, if it cannot be written."""
    packed = io.BytesIO()  # torch says of a full disk nothing that one could understand
    torch.save(whole, packed)
    with atomic(path) as temporary:
        temporary.write_bytes(packed.getbuffer())


def read_checkpoint(path: Path, made: int) -> dict[str, Any]:
    """What a checkpoint of this format holds. ValueError if it is not there, cannot be read or has another format."""
    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}: nothing to go on with")
    try:
        whole = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # whatever a damaged file makes the reading raise
        raise ValueError(f"{str(path)!r} is damaged ({type(error).__name__})") from None
    if whole.get("format") != made:
        raise ValueError(f"{str(path)!r} has format {whole.get('format')!r}; this version reads {made}")
    return whole
