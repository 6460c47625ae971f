"""These libraries have an environment of their own (`make test-integrations`); elsewhere nothing is collected."""

from importlib.util import find_spec

collect_ignore_glob = [] if all(map(find_spec, ("ray", "supersuit", "tianshou", "torchrl"))) else ["test_*.py"]
