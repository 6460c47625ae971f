"""Finds the packages below the folders that pyproject.toml maps (see [tool.setuptools.package-dir] there)."""

import gzip
import os
import tarfile
import tomllib
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.sdist import sdist

with (Path(__file__).parent / "pyproject.toml").open("rb") as file:
    folders = tomllib.load(file)["tool"]["setuptools"]["package-dir"]


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


setup(
    packages=[
        package
        for name, folder in folders.items()
        for package in [name, *(f"{name}.{below}" for below in find_packages(folder))]
    ],
    cmdclass={"sdist": SameBytes},
)
