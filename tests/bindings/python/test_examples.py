"""The examples in docstrings and in the guide."""

import doctest
import importlib
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / "src/bindings/python/tilewright"


FILES = [path.relative_to(FOLDER.parent).with_suffix("") for path in FOLDER.rglob("*.py") if path.stem != "__init__"]


@pytest.mark.parametrize("name", sorted(".".join(path.parts) for path in FILES))
def test_docstrings(tw, name):
    pytest.importorskip({"tilewright.sparse": "scipy.sparse", "tilewright.dask": "dask.array"}.get(name, "numpy"))
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("page", ["README.md", "docs/guides/use-from-python.md"])
def test_pages(tw, page):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)
    assert blocks
    exec(compile("\n".join(blocks), page, "exec"), {})
