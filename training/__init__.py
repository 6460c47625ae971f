"""Training, tournaments, ratings and benchmarks.

In the sources this is the folder `training/`, which is installed as `vitienv.training`.
"""

import os

# Torch's threads, once there, wait for each other asleep and not by spinning, which takes the cores from the threads
# that act and from other processes: docs/training.md has figures. It must be said before torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
