"""The driver and the loader of the extra `intel`, which serve only machines without others."""

import ctypes
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
    monkeypatch.setattr(drivers, "BUNDLED", tmp_path / "wheel" / drivers.LOADER)
    monkeypatch.setattr(drivers, "has_loaded_loader", lambda: True)
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


@pytest.fixture
def loaded(drivers, monkeypatch):
    """The libraries that are loaded, in a process without a loader."""
    paths = []
    monkeypatch.setattr(drivers, "has_loaded_loader", lambda: False)
    monkeypatch.setattr(ctypes, "CDLL", paths.append)
    return paths


def test_the_systems_loader_comes_first(drivers, loaded):
    drivers.register()
    assert loaded == [drivers.LOADER]


def test_the_loader_of_the_drivers_package_is_the_last(drivers, loaded, monkeypatch, tmp_path):
    def load(path):
        loaded.append(path)
        if path == drivers.LOADER:
            raise OSError("there is none")

    monkeypatch.setattr(ctypes, "CDLL", load)
    drivers.register()
    of_package = [*drivers.NEEDED_BY_LOADER, drivers.LOADER]
    assert loaded == [drivers.LOADER, *(str(tmp_path / "lib" / name) for name in of_package)]


def test_a_machine_may_have_no_loader(drivers, loaded, monkeypatch):
    def fail(path):
        raise OSError("there is none")

    monkeypatch.setattr(ctypes, "CDLL", fail)
    drivers.register()


def test_no_loader_is_loaded_without_need(drivers, loaded, monkeypatch):
    drivers.BUNDLED.parent.mkdir()
    drivers.BUNDLED.touch()
    drivers.register()
    drivers.BUNDLED.unlink()
    monkeypatch.setattr(drivers, "has_loaded_loader", lambda: True)
    drivers.register()
    monkeypatch.setattr(drivers, "installed", lambda: None)
    monkeypatch.setattr(drivers, "has_loaded_loader", lambda: False)
    drivers.register()
    assert loaded == []
