"""Runs the tests of the Python package. Says which modules are missing, and whose tests therefore do not run.

Exit status: 0 passed, 77 not run because a module that all tests need is missing, otherwise pytest's.
"""

import importlib.util
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
SKIPPED = 77  # the exit status that CMakeLists.txt gives to CTest
NEEDED = ["numpy", "pytest"]
OPTIONAL = [
    "auditwheel",
    "dask",
    "distributed",
    "hypothesis",
    "matplotlib",
    "ml_dtypes",
    "mpi4py",
    "mypy",
    "pyopencl",
    "scikit_build_core",
    "scipy",
]


def missing(names):
    return [name for name in names if importlib.util.find_spec(name) is None]


if __name__ == "__main__":
    if missing(NEEDED):
        print(f"not run: Python's {' and '.join(missing(NEEDED))} are not installed")
        sys.exit(SKIPPED)
    import pytest

    status = pytest.main(["-q", "-rs", "--durations=10", "-p", "no:cacheprovider", str(FOLDER), *sys.argv[1:]])
    if missing(OPTIONAL):
        print(f"without tests that need {', '.join(missing(OPTIONAL))}: not installed")
    sys.exit(status)
