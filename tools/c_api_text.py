"""Turns docstrings of the C++ headers into those of the C header. Used by write-c-api.py."""

import re
import textwrap

WIDTH = 120
# CamelCase and functions that belong into a C header.
C_NAME = re.compile(
    r"tilewright_\w+\(\)|cl[A-Z]\w+\(\)|OpenCL|PoCL|NaN|MiB|DeviceProfile|(fork|progress|tile_done|has_tile)\(\)"
)
FAILS_WITH = "Fails with one of the following; tilewright_last_error() names the operand:"


class Names:
    """The words of the C++ interface that have other names in C."""

    def __init__(self, headers, constants, snake):
        self.codes = {
            value
            for header in headers
            for name, _, values in header.enums
            if name == "ErrorCode"
            for value, _ in values
        }
        plans = {plan.name: plan.function for header in headers for plan in header.plans}
        structs = {struct.name for header in headers for struct in header.structs}
        functions = set(plans.values())
        replacements = [
            # Members and functions with names of their own.
            (r"GemmOperands::offsets\b", "`offsets_a`, `offsets_b` and `offsets_c`"),
            (r"\bMatrixRef\b", "tilewright_matrix"),
            (r"\bWorkspaceRef\b", "tilewright_workspace"),
            (r"\bDataType\b(?!::)", "tilewright_data_type"),
            (r"(?<!tilewright_)\bexplain_(\w+)\(\)", r"tilewright_explain_\1()"),
            (r"(?<!\w)transfer_speeds\(\)", "those of tilewright_measure_transfer_speeds()"),
            (r"(?<!\w)run\(\)", "tilewright_host_plan_run()"),
            (r"\bmax_strassen_levels\b", "TILEWRIGHT_MAX_STRASSEN_LEVELS"),
            (r"the plan's workspace_bytes\(\)", "tilewright_plan_workspace_bytes()"),
            (r"If `levels` is unset", "If `levels` is 0"),
            # The event of a call is an argument in C, and OpenCL times single commands.
            (r"; the event's own profile [^.;]*, and Event::times\(\)[^.;]*", ""),
            (r",? unless \w+Operands::event is false", ", unless `event` is null"),
            (r",? unless `operands\.event` is false", ", unless `event` is null"),
            (r"Returns an event that covers", "`event` receives an event that covers"),
            (r" ?[A-Z][^.;]*?[;.:] ?Event::times\(\)[^.;]*?\.(?= |$)", ""),
            (r"; Event::times\(\)[^.]*?\.", "."),
            (r" ?(The event's own profile|A call (that|with|is|consists))[^.]*?Event::times\(\)[^.]*?\.", ""),
            (r" ?Event::times\(\) (covers|reports|has)[^.]*?\.", ""),
            (r" ?The event's own profile[^.]*?\.(?= |$)", ""),
            # Errors.
            (
                r"All arguments are checked(.*?) Throws Error, whose operand\(\) names the culprit, with",
                r"All arguments are checked\1 " + FAILS_WITH,
            ),
            (
                r"Throws Error, whose operand\(\) names the culprit, with",
                FAILS_WITH,
            ),
            (
                r", whose operand\(\) is the wrong one\. The message says",
                ". tilewright_last_error() names the operand. " "Its message says",
            ),
            (r"Throws Error with$", "Fails with one of:"),
            (
                r"(Throws|throws) what (\w+)Plan's constructor and enqueue\(\) throw",
                lambda m: f"Fails as tilewright_{plans.get(m[2], m[2])}_plan_create() and "
                f"tilewright_{plans.get(m[2], m[2])}_enqueue() do",
            ),
            (
                r"(Throws|throws) what (\w+)Plan's constructor (throws|throw)",
                lambda m: f"Fails as tilewright_{plans.get(m[2], m[2])}_plan_create() does",
            ),
            (
                r"(\w+)Plan::enqueue(?:\(\))? (rejects|refuses|throws Error\(invalid_offset\) for)"
                r"( an offset that breaks)?",
                lambda m: f"tilewright_{plans.get(m[1], m[1])}_enqueue() rejects" + (m[3] or ""),
            ),
            (r"(\w+)Plan::enqueue\(\)", lambda m: f"tilewright_{plans.get(m[1], m[1])}_enqueue()"),
            (r"(\w+)Plan::workspace_bytes\(\)", "tilewright_plan_workspace_bytes()"),
            (r"Engine::save_programs\(\)", "tilewright_engine_save_programs()"),
            (r"\bexplanation\(\)", "tilewright_plan_explain()"),
            (r"`?\b\w+Operands::(\w+)`?", r"`\1`"),
            (r"[Tt]hrows? an Error|Error of the", "fails"),
            (r"Throws Error\(", "Fails with ("),
            (r"throws Error\(", "fails with ("),
            (r"Error\(", "("),
            (r"Throws (?=[a-z`])", "Fails with "),
            (r"\bthrows\b", "fails with"),
            (r"\bthrown\b", "failed"),
            (r"(\w+)'s constructor", "the function that makes it"),
            (r"(\w+)Problem::(\w+)", r"`\2`"),
            # Types and constants.
            (r", where gamma\(n\) = n u / \(1 - n u\) and u is", ". Here gamma(n) = n u / (1 - n u), and u is"),
            (r"Engine::probe\(\)", "tilewright_engine_probe()"),
            (r"Probe::value", "`value` of the probe"),
            (
                r"`offsets` or `scalars` do not have batch\.count entries",
                "the batch is by offsets and an array of offsets is null, or the other way round",
            ),
            (r"strassen_error_factor\(", "tilewright_strassen_error_factor("),
            (r"an Error is about", "an error is about"),
            (r"roundoff of accumulator_of\(type\)", "roundoff of the sums"),
            (r"accumulator_of\(type\)", "the accumulator type"),
            (r"Batch::|GemmEpilogue::", ""),
            (r"Element::of_bytes\(\)|of_bytes\(\)", "element_bytes"),
            (r"std::numeric_limits<std::uint64_t>::max\(\)", "the maximum"),
            (r"If empty, the engine's shared workspace", "If its buffer is null, the engine's shared workspace"),
            (
                r"If null, the call uses the engine's workspace",
                "If its buffer is null, the call uses the engine's workspace",
            ),
            (r"\b(const )?PackedMatrix\b", "packed matrix"),
        ]
        self.patterns = [(re.compile(pattern), replacement) for pattern, replacement in replacements]
        for (enum, value), constant in constants.items():
            self.patterns.append((re.compile(rf"\b{enum}::{value}\b"), constant))
        for name in sorted(structs | {plan + "Plan" for plan in plans}, key=len, reverse=True):
            word = "plan" if name.endswith("Plan") else f"tilewright_{snake(name)}"
            self.patterns.append((re.compile(rf"\b{name}\b(?!s?::)"), word))
        for name in functions:
            self.patterns.append((re.compile(rf"(?<![\w:])(?<!tilewright_){name}\(\)"), f"tilewright_{name}()"))
        for code in self.codes:
            self.patterns.append((re.compile(rf"(?<![\w.]){code}\b"), f"TILEWRIGHT_{code.upper()}"))
        codes = "|".join(f"TILEWRIGHT_{code.upper()}" for code in sorted(self.codes, key=len, reverse=True))
        self.patterns += [(re.compile(rf"\(((?:{codes})(?:, (?:{codes}))*)\)"), r"\1"), (re.compile(r"  +"), " ")]

    def text(self, text):
        for pattern, replacement in self.patterns:
            text = pattern.sub(replacement, text)
        return text.strip()

    def paragraphs(self, lines):
        """Returns (indentation, text) of each paragraph, list item and line of a formula."""
        result = []
        for line in lines:
            item = re.match(r"  +(([a-z0-9_.]+(, )?)+)(,|  +(?P<rest>.*)|(?P<end>))$", line)
            is_code = item and all(word.strip() in self.codes for word in item[1].split(","))
            if not line:
                result.append([0, ""])
            elif is_code and item[1] == "invalid_increment":
                continue  # 0 is the increment 1 in C
            elif is_code:
                names = item[1].rstrip(", ")
                tail = "," if item[4] == "," else ": " + item["rest"] if item["rest"] else ""
                if result and result[-1][0] == 2 and result[-1][1].endswith(","):
                    result[-1][1] += f" {names}{tail}"
                else:
                    result.append([2, f"- {names}{tail}"])
            elif line.startswith("    ") and result and result[-1][0] == 2:
                joint = " " if ":" in result[-1][1] else ": "
                result[-1][1] += joint + line.strip()
            elif line.startswith("  "):
                result.append([4, line.strip()])
            elif result and result[-1][0] == 0 and result[-1][1]:
                result[-1][1] += " " + line.strip()
            else:
                result.append([0, line.strip()])
        return result

    def faults(self, text):
        """Returns what is wrong with the comments of a C header: backquotes without a partner, and names of C++."""
        faults = []
        for block in re.findall(r"(?:^ *//.*\n)+|///<.*", text, re.M):
            if block.count("`") % 2:
                faults.append(f"odd backquotes: {block}")
            words = re.findall(r"\b[A-Z][a-z0-9]+[A-Z]\w*|\w*::\w+|(?<!\w)[a-z]\w*\(\)", block)
            faults += [f"a name of C++: {word}" for word in words if not C_NAME.fullmatch(word)]
        return faults

    def comment(self, lines, indent=""):
        """Returns lines of a docstring, wrapped."""
        out = []
        for depth, text in self.paragraphs(lines):
            text = self.text(text)
            # A sentence that introduces a list ends with a colon.
            head = f"{indent}/// "
            if not text:
                if out and out[-1] != f"{indent}///":
                    out.append(f"{indent}///")
                continue
            start = head + " " * depth
            out += textwrap.wrap(
                text,
                WIDTH,
                initial_indent=start,
                subsequent_indent=start + ("  " if depth == 2 else ""),
                break_long_words=False,
                break_on_hyphens=False,
            )
        while out and out[-1] == f"{indent}///":
            out.pop()
        return out
