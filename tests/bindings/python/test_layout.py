"""The generated structs and constants are those of the C headers."""

import ctypes
import pathlib
import shutil
import subprocess

import pytest
from tilewright._c import constants, library, structs
from tilewright._c.functions import FUNCTIONS
from tilewright._c.types import Struct

ROOT = pathlib.Path(__file__).resolve().parents[3]
STRUCTS = [value for value in vars(structs).values() if isinstance(value, type) and issubclass(value, Struct)]


def test_sizes_and_offsets_are_those_of_the_compiler(tmp_path):
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or not pathlib.Path("/usr/include/CL/cl.h").exists():
        pytest.skip("no C compiler, or no headers of OpenCL")
    expected, code = [], ['#include "tilewright.h"', "#include <stddef.h>", "#include <stdio.h>", "int main(void) {"]
    for struct in STRUCTS:
        expected.append(ctypes.sizeof(struct))
        code.append(f'  printf("%zu\\n", sizeof({struct.c_name}));')
        for name, _ in struct._fields_:
            expected.append(getattr(struct, name).offset)
            expected.append(getattr(struct, name).size)
            code.append(f'  printf("%zu\\n", offsetof({struct.c_name}, {name}));')
            code.append(f'  printf("%zu\\n", sizeof((({struct.c_name}*)0)->{name}));')
    for name, value in vars(constants).items():
        if name.isupper() or name[0].isupper():
            expected.append(value)
            code.append(f'  printf("%d\\n", (int)TILEWRIGHT_{name});')
    code.append("}")
    (tmp_path / "layout.c").write_text("\n".join(code))
    program = tmp_path / "layout"
    subprocess.run([compiler, f"-I{ROOT}/include", str(tmp_path / "layout.c"), "-o", str(program)], check=True)
    found = subprocess.run([str(program)], capture_output=True, check=True, text=True).stdout.split()
    assert len(STRUCTS) > 50
    assert [int(number) for number in found] == expected


def test_the_library_has_every_function():
    for name in FUNCTIONS:
        assert getattr(library(), name.removeprefix("tilewright_"))
