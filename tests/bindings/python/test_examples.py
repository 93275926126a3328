"""The examples in docstrings."""

import doctest
import importlib
import pathlib

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "src/bindings/python/tilewright"


FILES = [path.relative_to(FOLDER.parent).with_suffix("") for path in FOLDER.rglob("*.py") if path.stem != "__init__"]


@pytest.mark.parametrize("name", sorted(".".join(path.parts) for path in FILES))
def test_docstrings(tw, name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
