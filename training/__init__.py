"""Training, tournaments, ratings and benchmarks.

The source directory `training/` is installed as `vitienv.training`.
"""

import os

# Idle OpenMP threads of torch sleep instead of spinning, which would slow the acting threads and other processes
# (measured in docs/training.md). It must be set before torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
