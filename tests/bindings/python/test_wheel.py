"""The wheel of the package: its files and tags, and a first product in a virtual environment of its own."""

import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "src/bindings/python/tilewright"
PRODUCT = """
import numpy, tilewright as tw
assert tw.__file__.startswith({place!r}), tw.__file__
a = numpy.arange(12.0).reshape(3, 4)
assert (tw.matmul(a, a.T) == a @ a.T).all()
print("right with", tw.version())
"""
# Prints all files that cannot be compiled.
COMPILE = """
import sys
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        compile(file.read(), name, "exec")
"""


def run(*command, **variables):
    environment = {**os.environ, **variables}
    found = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=environment)
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel with the C library of this build."""
    pytest.importorskip("scikit_build_core")
    pytest.importorskip("pip", minversion="22.3")
    library = os.environ.get("TILEWRIGHT_LIBRARY")
    if not library or shutil.which("cmake") is None:
        pytest.skip("there is no build of the C library, or no CMake")
    folder = tmp_path_factory.mktemp("wheel")
    settings = {"cmake.define.TILEWRIGHT_C_LIBRARY": library, "build-dir": folder / "build"}
    options = ["--no-build-isolation", "--no-deps", *(f"--config-settings={key}={settings[key]}" for key in settings)]
    run(sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", folder, ROOT)
    (found,) = folder.glob("*.whl")
    return found


def test_tag_and_files(wheel):
    assert wheel.name.startswith("tilewright-") and "-py3-none-linux_" in wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    modules = {f"tilewright/{path.relative_to(PACKAGE).as_posix()}" for path in PACKAGE.rglob("*.py")}
    assert modules <= set(names)
    assert {"tilewright/lib/libtilewright.so.1", "tilewright/py.typed"} <= set(names)
    information = ".dist-info/"
    assert all(name.startswith("tilewright/") or information in name for name in names)
    assert any(information in name and name.endswith("LICENSE") for name in names)


def test_libraries_that_the_wheel_needs(wheel):
    pytest.importorskip("auditwheel")
    text = " ".join(run(sys.executable, "-m", "auditwheel", "show", wheel).split())
    assert "is consistent with" in text and "manylinux" in text
    assert "libOpenCL" not in text


def test_a_virtual_environment(tw, wheel, tmp_path):
    place = tmp_path / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", place)
    python = place / "bin/python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps", wheel)
    (packages,) = place.glob("lib/python*/site-packages")
    numpys = pathlib.Path(numpy.__file__).parents[1]  # the only other package, so that the test needs no network
    (packages / "numpy").symlink_to(numpys / "numpy")
    if (numpys / "numpy.libs").exists():
        (packages / "numpy.libs").symlink_to(numpys / "numpy.libs")
    program = PRODUCT.format(place=str(place))
    assert "right with" in run(python, "-I", "-c", program, TILEWRIGHT_LIBRARY="", PYTHONPATH="")


def interpreters():
    """Returns the Pythons of this machine from 3.9 on, also those that pyenv installed."""
    found = {}
    folders = [pathlib.Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep)]
    folders += pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")).glob("versions/*/bin")
    for minor in range(9, 30):
        for folder in folders:
            program = folder / f"python3.{minor}"
            if program.exists() and subprocess.run([program, "-c", ""], capture_output=True).returncode == 0:
                found.setdefault(minor, program)
    return found


def test_the_install_component(tmp_path):
    """CMake's install component of the package, by which a distribution makes its own."""
    build = os.environ.get("TILEWRIGHT_BUILD_DIR")
    if not build:
        pytest.skip("TILEWRIGHT_BUILD_DIR does not name a build directory")
    run("cmake", "--install", build, "--prefix", tmp_path, "--component", "python")
    installed = {path.relative_to(tmp_path / "lib/python3/dist-packages/tilewright") for path in tmp_path.rglob("*.py")}
    assert installed == {path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")}
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == len(installed) + 1  # py.typed


def test_every_python_of_this_machine_compiles_the_package():
    found = interpreters()
    assert found
    for program in found.values():
        run(program, "-c", COMPILE, *PACKAGE.rglob("*.py"))
