"""Finds the packages below the folders that pyproject.toml maps (see [tool.setuptools.package-dir] there)."""

import tomllib
from pathlib import Path

from setuptools import find_packages, setup

with (Path(__file__).parent / "pyproject.toml").open("rb") as file:
    folders = tomllib.load(file)["tool"]["setuptools"]["package-dir"]

setup(packages=[
    package
    for name, folder in folders.items()
    for package in [name, *(f"{name}.{below}" for below in find_packages(folder))]
])
