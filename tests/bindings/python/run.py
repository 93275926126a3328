"""Runs the tests of the Python package, or says which module is missing."""

import importlib.util
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent

if __name__ == "__main__":
    missing = [name for name in ("numpy", "pytest") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"not run: Python's {' and '.join(missing)} are not installed")
        sys.exit(0)
    import pytest

    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", str(FOLDER), *sys.argv[1:]]))
