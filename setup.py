"""Reproducible source archives, and tags of wheels with prebuilt kernels; see pyproject.toml for all other settings."""

import gzip
import os
import re
import tarfile
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.sdist import sdist

KERNELS = Path(__file__).resolve().parent / "vitienv" / "kernels"  # written by `make kernels`
MIN_GLIBC = 17  # manylinux_2_17


class SameBytes(sdist):
    """Source archive that is reproducible if SOURCE_DATE_EPOCH is set."""

    def prune_file_list(self):
        """Exclude prebuilt kernels."""
        super().prune_file_list()
        self.filelist.exclude_pattern(None, prefix="vitienv/kernels")

    def make_archive(self, base_name, format, root_dir=None, base_dir=None, owner=None, group=None):
        if format != "gztar" or "SOURCE_DATE_EPOCH" not in os.environ:
            return super().make_archive(base_name, format, root_dir, base_dir, owner, group)
        timestamp, path = int(os.environ["SOURCE_DATE_EPOCH"]), Path(f"{base_name}.tar.gz")

        def normalize(member):
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mtime, member.mode = timestamp, 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            return member

        with (
            path.open("wb") as raw,
            gzip.GzipFile("", "wb", fileobj=raw, mtime=timestamp) as packed,
            tarfile.open(fileobj=packed, mode="w") as archive,
        ):
            for file in sorted(Path(root_dir or ".", base_dir).rglob("*")):
                archive.add(file, file.relative_to(root_dir or "."), recursive=False, filter=normalize)
        return str(path)


class TaggedWheel(bdist_wheel):
    """Wheel for x86-64 Linux with prebuilt kernels, for any system without."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = not any(KERNELS.glob("*.so"))

    def get_tag(self):
        """Return the tags of Python, ABI and platform; the shim uses the limited API of Python 3.11."""
        libraries = [path.read_bytes() for path in KERNELS.glob("*.so")]
        if not libraries:
            return super().get_tag()
        versions = [int(number) for code in libraries for number in re.findall(rb"GLIBC_2\.(\d+)", code)]
        return "cp311", "abi3", f"manylinux_2_{max(MIN_GLIBC, *versions)}_x86_64"


setup(cmdclass={"sdist": SameBytes, "bdist_wheel": TaggedWheel})
