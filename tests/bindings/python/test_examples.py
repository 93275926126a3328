"""The examples in docstrings."""

import doctest
import importlib
import pathlib

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "src/bindings/python/tilewright"


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__"))
def test_docstrings(tw, name):
    assert doctest.testmod(importlib.import_module(f"tilewright.{name}")).failed == 0
