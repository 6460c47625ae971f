"""Ray has an environment of its own (`make test-cluster`); elsewhere nothing is collected."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("ray") else ["test_*.py"]
