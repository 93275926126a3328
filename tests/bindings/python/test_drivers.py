"""The driver of the extra `intel`, which serves only machines without another driver."""

import importlib.metadata
import os
import pathlib

import pytest

VARIABLES = ("OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "OPENCL_VENDOR_PATH")


@pytest.fixture
def drivers(monkeypatch, tmp_path):
    """The module, on a machine without drivers whose Python has a driver."""
    from tilewright._c import drivers

    for name in VARIABLES:
        monkeypatch.setenv(name, "")  # is restored
        monkeypatch.delenv(name)
    monkeypatch.setattr(drivers, "VENDORS", str(tmp_path / "vendors"))
    driver = tmp_path / "lib" / drivers.DRIVER
    driver.parent.mkdir()
    driver.touch()
    path = importlib.metadata.PackagePath("../lib", drivers.DRIVER)
    path.dist = type("Distribution", (), {"locate_file": lambda self, name: tmp_path / "site" / name})()
    (tmp_path / "site").mkdir()
    monkeypatch.setattr(importlib.metadata, "files", lambda name: [importlib.metadata.PackagePath("x.py"), path])
    return drivers


def registered():
    return [os.environ.get(name) for name in VARIABLES[:2]]


def test_it_is_registered_without_another_driver(drivers, tmp_path):
    drivers.register()
    assert registered() == [str(tmp_path / "lib" / drivers.DRIVER)] * 2
    drivers.register()
    assert registered() == [str(tmp_path / "lib" / drivers.DRIVER)] * 2


def test_an_empty_folder_has_no_driver(drivers, tmp_path, monkeypatch):
    monkeypatch.setenv("OCL_ICD_VENDORS", str(tmp_path))
    drivers.register()
    assert None not in registered() and str(tmp_path) not in registered()


@pytest.mark.parametrize("name", VARIABLES)
def test_another_driver_comes_first(drivers, tmp_path, monkeypatch, name):
    other = tmp_path / "other.icd"
    other.touch()
    monkeypatch.setenv(name, str(other))
    before = registered()
    drivers.register()
    assert registered() == before


@pytest.mark.parametrize("name", ["libpocl.so", "libpocl.so.2.14.0", "other.icd"])
def test_a_driver_without_a_folder_comes_first(drivers, monkeypatch, name):
    folder = pathlib.Path(drivers.VENDORS)
    folder.mkdir()
    (folder / "other.icd").touch()
    monkeypatch.setenv("OCL_ICD_VENDORS", name)
    drivers.register()
    assert registered() == [name, None]


def test_a_folder_that_does_not_exist_has_no_driver(drivers, tmp_path, monkeypatch):
    monkeypatch.setenv("OCL_ICD_VENDORS", str(tmp_path / "none"))
    drivers.register()
    assert registered() == [str(tmp_path / "lib" / drivers.DRIVER)] * 2


def test_a_registered_driver_comes_first(drivers, tmp_path, monkeypatch):
    folder = pathlib.Path(drivers.VENDORS)
    folder.mkdir()
    (folder / "pocl.icd").touch()
    drivers.register()
    assert registered() == [None, None]


def test_the_extra_may_be_missing(drivers, monkeypatch):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    for files in (missing, lambda name: None, lambda name: []):
        monkeypatch.setattr(importlib.metadata, "files", files)
        drivers.register()
        assert registered() == [None, None]
