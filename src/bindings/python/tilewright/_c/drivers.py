"""The OpenCL driver and loader that the extra `intel` installs, for machines without others."""

import contextlib
import ctypes
import importlib.metadata
import os
import pathlib

PACKAGE = "intel-opencl-rt"
DRIVER = "libintelocl.so"
LOADER = "libOpenCL.so.1"
NEEDED_BY_LOADER = ("libintlc.so.5", "libimf.so", "libirng.so", "libsvml.so")
VENDORS = "/etc/OpenCL/vendors"
BUNDLED = pathlib.Path(__file__).parent.parent / "lib" / LOADER


def has_another():
    """Returns whether a driver is registered with the OpenCL loader."""
    if os.environ.get("OCL_ICD_FILENAMES"):
        return True
    vendors = pathlib.Path(os.environ.get("OCL_ICD_VENDORS") or os.environ.get("OPENCL_VENDOR_PATH") or VENDORS)
    if vendors.is_dir():
        return any(vendors.glob("*.icd"))
    # ocl-icd takes a file, the name of a file in the usual folder, or a library that the dynamic linker finds.
    return vendors.is_file() or (pathlib.Path(VENDORS) / vendors).is_file() or ".so" in vendors.suffixes


def installed():
    """Returns the path of the driver in this Python's packages; None if the extra is not installed."""
    try:
        files = importlib.metadata.files(PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = [file.locate() for file in files if file.name == DRIVER]
    return os.path.realpath(found[0]) if found else None


def has_loaded_loader():
    """Returns whether this process has loaded an OpenCL loader, such as pyopencl's."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as libraries:
            return any("/libOpenCL" in line for line in libraries)
    except OSError:
        return False


def load_loader(driver):
    """Loads the system's loader, or without one that of the driver's package. The C library uses a loaded one.

    A loader in the wheel of this package, or one that the process has loaded, needs no help.
    """
    if BUNDLED.exists() or has_loaded_loader():
        return
    folder = pathlib.Path(driver).parent
    try:
        ctypes.CDLL(LOADER)
    except OSError:
        # The package's loader does not name the folder of the libraries that it needs.
        with contextlib.suppress(OSError):  # the first call says that there is no loader
            for name in (*NEEDED_BY_LOADER, LOADER):
                ctypes.CDLL(str(folder / name))


def register():
    """Registers the driver of the extra `intel` if there is no other one, for this process and its children, and loads a
    loader for it.

    Its libraries find each other by their own paths. Loaders read one of two variables when they are first used:
    ocl-icd reads OCL_ICD_VENDORS, Khronos's loader OCL_ICD_FILENAMES.
    """
    driver = None if has_another() else installed()
    if driver is not None:
        os.environ["OCL_ICD_VENDORS"] = os.environ["OCL_ICD_FILENAMES"] = driver
        load_loader(driver)
