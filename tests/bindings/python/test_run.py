"""The program that runs these tests, and the modules that it and pyproject.toml list."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import run

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
PARTS = {"pip"}  # of every virtual environment
SPELLINGS = {"scikit-build-core": "scikit_build_core"}


def test_a_python_without_numpy_runs_no_tests():
    found = subprocess.run([sys.executable, "-I", "-S", run.__file__], capture_output=True, text=True)
    assert found.returncode == run.SKIPPED == 77, found.stderr
    assert "not run: " in found.stdout and "numpy" in found.stdout


def test_ctest_skips_by_the_exit_status_only():
    """A failure that prints the words "not run: " counts as one."""
    build = os.environ.get("TILEWRIGHT_BUILD_DIR")
    if not build or shutil.which("ctest") is None:
        pytest.skip("TILEWRIGHT_BUILD_DIR does not name a build directory, or there is no CTest")
    command = ["ctest", "--test-dir", build, "--show-only=json-v1", "-R", "python_package$"]
    tests = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)["tests"]
    assert tests
    for test in tests:
        properties = {one["name"]: one["value"] for one in test["properties"]}
        assert properties["SKIP_RETURN_CODE"] == run.SKIPPED
        assert "SKIP_REGULAR_EXPRESSION" not in properties


def test_modules_of_tests_are_listed():
    """A module that no list names would be missing everywhere, and its tests would never run."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extra = re.search(r"^test = \[\n(.*?)^\]", project, re.M | re.S)[1]
    names = set()
    for requirement in re.findall(r'"([\w-]+)(\[[\w,]*\])?"', extra):
        names |= {requirement[0], *re.findall(r"distributed", requirement[1])}
    names = {SPELLINGS.get(name, name) for name in names}
    assert names == {*run.NEEDED, *run.OPTIONAL}
    for path in FOLDER.glob("test_*.py"):
        for module in re.findall(r'importorskip\("(\w+)', path.read_text(encoding="utf-8")):
            assert module in names | PARTS, f"{path.name} needs {module}"
