"""Types of the public functions: they can be evaluated, and a type checker accepts programs that use them well."""

import ast
import inspect
import os
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


def test_hints_can_be_evaluated_by_python_3_9():
    """Unions of types by an operator came with Python 3.10."""
    for path in (ROOT / "tilewright").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            hints = [getattr(node, name, None) for name in ("annotation", "returns")]
            for part in (part for hint in hints if hint is not None for part in ast.walk(hint)):
                is_union = isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr)
                assert not is_union, f"{path}:{part.lineno} has a union that Python 3.9 cannot evaluate"


def test_a_type_checker_accepts_the_package_and_refuses_wrong_programs(tw, tmp_path):
    """One run of mypy, because it takes long to read NumPy's types."""
    pytest.importorskip("mypy")
    pytest.importorskip("pyopencl")
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(GOOD)
    bad.write_text(BAD)
    command = [sys.executable, "-m", "mypy", f"--cache-dir={os.devnull}", "tilewright", str(good), str(bad)]
    report = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    errors = [line.split(":") for line in report.stdout.splitlines() if ": error:" in line]
    assert {pathlib.Path(file).name for file, *_ in errors} == {"bad.py"}, report.stdout + report.stderr
    assert {line for _, line, *_ in errors} == {"6", "7", "8", "9"}, report.stdout
