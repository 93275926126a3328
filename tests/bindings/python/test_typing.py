"""Types of the public functions: they can be evaluated, and a type checker accepts programs that use them well."""

import inspect
import pathlib
import subprocess
import sys
import typing

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3] / "src/bindings/python"
GOOD = """
import numpy as np
import pyopencl as cl
import pyopencl.array as arrays
from typing_extensions import assert_type
import tilewright as tw

a = np.ones((3, 3), np.float32)
queue = cl.CommandQueue(cl.create_some_context())
d: arrays.Array = arrays.to_device(queue, a)
assert_type(tw.matmul(a, [[1.0]]), np.ndarray)
assert_type(tw.matmul(d, d, accuracy="tf32"), arrays.Array)
assert_type(tw.gemm(d, d, d, alpha=2, trans_a="T", wait_for=d.events), arrays.Array)
assert_type(tw.linalg.solve(a, a, assume_a="pos"), np.ndarray)
assert_type(tw.transpose(d), arrays.Array)
assert_type(tw.vector.axpy(np.ones(3), np.ones(3), 2), np.ndarray)
plan = tw.Plan((3, 3), (3, 3), np.float32, queue=queue)
tw.matmul(a, a, progress=lambda done: print(done))
rows: "list[dict]" = tw.ladder((8, 8, 8))
reason: str = tw.explain(a, a)["reason"]
name: str = tw.__version__
"""
BAD = """
import numpy as np
import tilewright as tw

a = np.ones((3, 3), np.float32)
tw.matmul(a, a, accuracy=1)
tw.gemm(a, a, alphas=2)
tw.transpose(a, out="b")
tw.Plan((3, 3), (3, 3))
"""


def public_functions(tw):
    for module in (tw, tw.linalg, tw.sparse, tw.vector, tw.cache, tw.records):
        for name, value in vars(module).items():
            if inspect.isfunction(value) and value.__module__.startswith("tilewright") and not name.startswith("_"):
                yield value
    for kind in (tw.Plan, tw.sparse.Matrix):
        yield from (value for value in vars(kind).values() if inspect.isfunction(value))


def test_hints_can_be_evaluated(tw):
    functions = list(public_functions(tw))
    assert len(functions) > 50
    for function in functions:
        typing.get_type_hints(function)
    assert tw.__version__ == tw.version()
    with pytest.raises(AttributeError, match="no_such_name"):
        tw.no_such_name  # noqa: B018


def check(tmp_path, *what):
    """Returns mypy's report."""
    pytest.importorskip("mypy")
    pytest.importorskip("pyopencl")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), *map(str, what)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def test_a_type_checker_accepts_the_package_and_good_programs(tw, tmp_path):
    program = tmp_path / "good.py"
    program.write_text(GOOD)
    report = check(tmp_path, "tilewright", program)
    assert report.returncode == 0, report.stdout


def test_a_type_checker_refuses_wrong_programs(tw, tmp_path):
    program = tmp_path / "bad.py"
    program.write_text(BAD)
    found = [line.split(":")[1] for line in check(tmp_path, program).stdout.splitlines() if "error:" in line]
    assert set(found) == {"6", "7", "8", "9"}
