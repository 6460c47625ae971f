"""Build a source archive that is the same, byte for byte, for the same sources; all else is in pyproject.toml."""

import gzip
import os
import tarfile
from pathlib import Path

from setuptools import setup
from setuptools.command.sdist import sdist


class SameBytes(sdist):
    """A source archive that is the same for the same sources, as wheels are, where SOURCE_DATE_EPOCH says its time."""

    def make_archive(self, base_name, format, root_dir=None, base_dir=None, owner=None, group=None):
        if format != "gztar" or "SOURCE_DATE_EPOCH" not in os.environ:
            return super().make_archive(base_name, format, root_dir, base_dir, owner, group)
        then, path = int(os.environ["SOURCE_DATE_EPOCH"]), Path(f"{base_name}.tar.gz")

        def plain(member):
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mtime, member.mode = then, 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            return member

        with (
            path.open("wb") as raw,
            gzip.GzipFile("", "wb", fileobj=raw, mtime=then) as packed,
            tarfile.open(fileobj=packed, mode="w") as archive,
        ):
            for each in sorted(Path(root_dir or ".", base_dir).rglob("*")):
                archive.add(each, each.relative_to(root_dir or "."), recursive=False, filter=plain)
        return str(path)


setup(cmdclass={"sdist": SameBytes})
