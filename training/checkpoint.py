"""Checkpoints of trainings, written atomically and read without executing code."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import torch

from vitienv.core.files import atomic


def write_checkpoint(path: Path, whole: dict[str, Any]) -> None:
    """Write a checkpoint, which contains its `format`. OSError if it cannot be written."""
    packed = io.BytesIO()  # torch's error of a full disk is unclear
    torch.save(whole, packed)
    with atomic(path) as temporary:
        temporary.write_bytes(packed.getbuffer())


def read_checkpoint(path: Path, format_number: int) -> dict[str, Any]:
    """Read a checkpoint. ValueError if it does not exist, is damaged or has another format."""
    if not path.is_file():
        raise ValueError(f"checkpoint {str(path)!r} does not exist")
    try:
        whole = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # a damaged file may raise any error
        raise ValueError(f"{str(path)!r} is damaged ({type(error).__name__})") from None
    if whole.get("format") != format_number:
        raise ValueError(f"{str(path)!r} has format {whole.get('format')!r}; this version reads {format_number}")
    return whole
