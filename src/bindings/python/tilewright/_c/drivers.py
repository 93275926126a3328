"""The OpenCL driver that the extra `intel` installs, for machines without another driver."""

import importlib.metadata
import os
import pathlib

PACKAGE = "intel-opencl-rt"
DRIVER = "libintelocl.so"
VENDORS = "/etc/OpenCL/vendors"


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


def register():
    """Registers the driver of the extra `intel` if there is no other one, for this process and its children.

    Its libraries find each other by their own paths. Loaders read one of two variables when they are first used:
    ocl-icd reads OCL_ICD_VENDORS, Khronos's loader OCL_ICD_FILENAMES.
    """
    driver = None if has_another() else installed()
    if driver is not None:
        os.environ["OCL_ICD_VENDORS"] = os.environ["OCL_ICD_FILENAMES"] = driver
