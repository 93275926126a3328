"""Explanations, tuning, records, the cache, and the operator of pyopencl's arrays."""

import json
import os
import subprocess
import sys

import numpy
import pytest
from conftest import QUICK

# Records and programs of the test go to directories of its own, which the library reads at its first use.
TUNE = """
import json, sys
import numpy, tilewright as tw
steps = []
def progress(step):
    steps.append(step)
report = tw.tune([(16, 16, 16), "2x8x8x8"], budget=float(sys.argv[2]), progress=progress)
loaded = tw.records.load()
stopped = tw.tune([(24, 24, 24)], budget="1m", progress=lambda step: True)
try:
    tw.tune([(24, 24, 24)], budget="1m", progress=lambda step: 1 / 0, refresh=True)
except ZeroDivisionError:
    stopped["raised"] = True
tw.records.export(sys.argv[1])
backup = tw.records.clear()
added = tw.records.add(sys.argv[1])
print(json.dumps([report, loaded, stopped, backup, added, steps[-1]["activity"], tw.records.path()]))
"""
OFF = """
import json, sys
import tilewright as tw
loaded = tw.records.load()["records"]
tw.records.export(sys.argv[2])
backup = tw.records.clear()
print(json.dumps([loaded, backup, tw.records.add(sys.argv[1])]))
"""
CACHE = """
import json, sys
import numpy, tilewright as tw
tw.cache.configure("read_write", sys.argv[1])
tw.matmul(numpy.eye(3), numpy.eye(3))
tw.cache.save()
print(json.dumps([tw.cache.statistics(), len(tw.cache.entries(sys.argv[1])), tw.cache.location()]))
"""


def run(code, *arguments, **variables):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **variables}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True, env=environment).stdout)


def test_explain(tw, bounds):
    a, b = bounds.array((2, 16, 8), "f4"), bounds.array((8, 4), "f4")
    found = tw.explain(a, b)
    assert found["variant"] in [candidate["variant"] for candidate in found["candidates"]]
    assert tw.explain(a, b, variant="naive")["variant"] == "naive"
    with pytest.raises(ValueError, match="none_such"):
        tw.explain(a, b, variant="none_such")


def test_tune_and_records(tw, tmp_path):
    variables = {"TILEWRIGHT_RECORDS": "on", "TILEWRIGHT_DATA_DIR": str(tmp_path / "data")}
    found = run(TUNE, tmp_path / "file", 0.5 if QUICK else 2, **variables)
    report, loaded, stopped, backup, added, activity, path = found
    assert not report["stopped"] and len(report["results"]) == 2
    assert path.startswith(str(tmp_path / "data")) and report["records"] == path and backup.startswith(path)
    assert stopped["stopped"] and stopped["raised"]
    assert added > 0
    assert activity in ("search", "verify", "final", "compare")
    # Without records the library uses none, but they can be carried and cleared.
    variables["TILEWRIGHT_RECORDS"] = "off"
    loaded, backup, added_again = run(OFF, tmp_path / "file", tmp_path / "copy", **variables)
    assert loaded == [] and backup.startswith(path) and added_again == added
    assert (tmp_path / "copy").read_text() == (tmp_path / "file").read_text()
    for shapes, budget in (([], 1), ([(1, 2)], 1), (["axbxc"], 1), ([(0, 1, 1)], 1), ([(1, 1, 1)], "soon")):
        with pytest.raises(ValueError):
            tw.tune(shapes, budget=budget)


def test_cache(tw, tmp_path):
    statistics, files, location = run(CACHE, tmp_path, TILEWRIGHT_CACHE="on")
    assert files > 0 and statistics["compiled"] > 0 and set(location) == {"directory", "reason"}
    assert run(CACHE, tmp_path, TILEWRIGHT_CACHE="on")[0]["compiled"] == 0
    assert tw.cache.clear(tmp_path) == files and tw.cache.entries(tmp_path) == []
    with pytest.raises(ValueError, match="read_only"):
        tw.cache.configure("on")


def test_the_operator_is_installed_on_request(tw, queue):
    arrays = pytest.importorskip("pyopencl.array")
    a = arrays.to_device(queue, numpy.full((3, 3), 2.0))
    with pytest.raises(TypeError):
        a @ a
    tw.install_matmul()
    try:
        assert ((a @ a).get() == 12).all()
        with pytest.raises(TypeError):
            a @ 3
    finally:
        tw.uninstall_matmul()
    with pytest.raises(TypeError):
        a @ a
