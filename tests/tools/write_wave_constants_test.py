"""tools/write-wave-constants.py on a copy of the header: what it writes, and what it refuses."""

import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"


def load_script():
    sys.path.insert(0, str(TOOLS))
    spec = importlib.util.spec_from_file_location("write_wave_constants", TOOLS / "write-wave-constants.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load_script()
ORIGINAL = script.HEADER.read_text(encoding="utf-8")


def defaults(header):
    return {name: float(header[begin:end]) for name, (begin, end) in script.places_of_all(header).items()}


class Test(unittest.TestCase):
    def run_on(self, text, *words, header=ORIGINAL):
        """Runs the script with `text` piped in. Returns the header that it leaves."""
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "wave_constants.hpp"
            copy.write_text(header, encoding="utf-8")
            with mock.patch.object(script, "HEADER", copy), mock.patch.object(sys, "argv", ["script", *words]):
                with mock.patch.object(sys, "stdin", io.StringIO(text)):
                    script.main()
            return copy.read_text(encoding="utf-8")

    def refusal(self, text, *words, header=ORIGINAL):
        with self.assertRaises(SystemExit) as refused:
            self.run_on(text, *words, header=header)
        return str(refused.exception.code)

    def with_constants(self, **changed):
        constants = {name: value * 1.0001 for name, value in defaults(ORIGINAL).items()}  # as a fit rounds them
        constants.update({name.replace("__", "."): value for name, value in changed.items()})
        return json.dumps({"device": "made up", "constants": constants})

    def test_only_changed_constants_are_written(self):
        self.assertEqual(self.run_on(self.with_constants()), ORIGINAL)
        changed = {"memory_rate": 15.04, "warps.line": 0.02, "tensor_f64.second": 17100, "reduction.read_rate": 3e-7}
        header = self.run_on(self.with_constants(**{name.replace(".", "__"): x for name, x in changed.items()}))
        self.assertEqual(defaults(header), {**defaults(ORIGINAL), **changed, "memory_rate": 15.0})
        self.assertEqual(len(header.splitlines()), len(ORIGINAL.splitlines()))

    def test_a_shared_default_changes_if_all_agree(self):
        both = {"tensor__first": 8000, "reduction__first": 8001}
        self.assertEqual(defaults(self.run_on(self.with_constants(**both)))["reduction.first"], 8000)
        self.assertIn("share one default", self.refusal(self.with_constants(tensor__first=8000)))
        self.assertIn("tensor_f64.step = 1.5", self.refusal(self.with_constants(tensor_f64__step=1.5)))

    def test_wrong_input_is_refused(self):
        for text in ("", "tensor.copying 9000", "[]", "{}", '{"constants": 1}', '{"constants": {"memory_rate": "a"}}'):
            self.assertIn("fit-times --json", self.refusal(text), text)
        self.assertIn("no constant warps.reed", self.refusal(self.with_constants(warps__reed=1)))
        for wrong in (0, -1, float("nan"), float("inf")):
            self.assertIn("expected a positive number", self.refusal(self.with_constants(memory_rate=wrong)))
        self.assertIn("Usage", self.refusal("", "--chekc"))

    def test_check_finds_a_constant_without_a_default(self):
        self.assertEqual(self.run_on("not read", "--check"), ORIGINAL)
        for gone in ("double read = 0.005;", ".second = 24000,", "double memory_rate = 14.2;", "struct Reduction {"):
            self.assertIn(gone, ORIGINAL)
            header = ORIGINAL.replace(gone, gone.replace("=", "is").replace("struct Reduction", "struct Other"))
            if gone.startswith("."):  # the table would have the default of all launches
                header = header.replace("double second = 9470;", "")
            self.assertIn("has no default", self.refusal("", "--check", header=header))


if __name__ == "__main__":
    unittest.main()
