"""Tests in a separate environment with these libraries (`make test-integrations`); skipped elsewhere."""

from importlib.util import find_spec

NEEDED = ("pyspiel", "ray", "supersuit", "tianshou", "torchrl", "openenv", "mcp")
collect_ignore_glob = [] if all(map(find_spec, NEEDED)) else ["test_*.py"]
