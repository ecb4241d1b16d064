"""Speed as ratios against a rival in the same run, on one thread; never part of the tests."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
