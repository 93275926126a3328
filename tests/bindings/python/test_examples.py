"""The examples in docstrings, in the guides and in examples/python."""

import doctest
import importlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / "src/bindings/python/tilewright"


FILES = [path.relative_to(FOLDER.parent).with_suffix("") for path in FOLDER.rglob("*.py") if path.stem != "__init__"]


@pytest.mark.parametrize("name", sorted(".".join(path.parts) for path in FILES))
def test_docstrings(tw, name):
    pytest.importorskip({"tilewright.sparse": "scipy.sparse", "tilewright.dask": "dask.array"}.get(name, "numpy"))
    assert doctest.testmod(importlib.import_module(name)).failed == 0


PAGES = ["README.md", "docs/guides/use-from-python.md", "docs/guides/from-other-python-libraries.md"]


@pytest.mark.parametrize("page", PAGES)
def test_pages(tw, page):
    if page == PAGES[2]:
        pytest.importorskip("pyopencl")
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)
    assert blocks
    exec(compile("\n".join(blocks), page, "exec"), {})


SCRIPTS = sorted((ROOT / "examples/python").glob("*.py"))


def test_there_are_scripts():
    assert len(SCRIPTS) >= 3


@pytest.mark.parametrize("script", [path.stem for path in SCRIPTS])
def test_scripts(tw, tmp_path, script):
    """Each script runs as a program and draws the picture that is committed next to it."""
    pytest.importorskip("matplotlib")
    path = ROOT / f"examples/python/{script}.py"
    (tmp_path / "data").symlink_to(ROOT / "examples/data")
    place = tmp_path / "python"
    place.mkdir()
    shutil.copy(path, place)
    variables = {"MPLBACKEND": "Agg", "MPLCONFIGDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    variables = {**os.environ, **variables}
    found = subprocess.run([sys.executable, path.name], capture_output=True, text=True, cwd=place, env=variables)
    assert found.returncode == 0, found.stderr
    drawn, committed = (file.with_suffix(".svg").read_text(encoding="utf-8") for file in (place / path.name, path))
    longest = [max(re.findall(r"<text[^>]*>([^<]*)</text>", text), key=len) for text in (drawn, committed)]
    assert longest[0] == longest[1], "run the script in its folder and commit its picture"
    assert len(committed) < 60_000
