"""These libraries have an environment of their own (`make test-integrations`); elsewhere nothing is collected."""

from importlib.util import find_spec

NEEDED = ("pyspiel", "ray", "supersuit", "tianshou", "torchrl", "openenv", "mcp")
collect_ignore_glob = [] if all(map(find_spec, NEEDED)) else ["test_*.py"]
