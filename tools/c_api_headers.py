"""Writes the text of the generated headers of the C interface. Used by write-c-api.py."""

import re
import textwrap

from c_api_interface import CALL, EVENTS, ONLY_WRITTEN, REAL_SCALARS, WIDTH, Interface, has_default, line_of, zero_of
from c_api_layout import c_members, constant, enum_name
from c_api_source import snake


def facts_of(plan):
    """Returns the docstring of a plan's class without the sentences that say what a plan is."""
    end = plan.doc.index("") if "" in plan.doc else len(plan.doc)
    first = re.sub(r"^An? .*?,? from any thread\. ?", "", " ".join(plan.doc[:end]))
    return [first] * bool(first) + plan.doc[end:]


class HeaderWriter(Interface):
    def header(self, header):
        used = {
            word for struct in header.structs for member in struct.members for word in re.findall(r"\w+", member.type)
        }
        operands = {f"{plan.name}Operands": plan for plan in header.plans}
        used |= {f"{plan.name}Problem" for plan in header.plans} | set(operands)
        uses = sorted({self.home[name] for name in used if name in self.structs} - {header.stem})
        lines = self.notice(header) + ["#pragma once", "", '#include "tilewright/c/base.h"']
        lines += [f'#include "tilewright/c/generated/{use}.h"' for use in uses]
        lines += ["", "#ifdef __cplusplus", 'extern "C" {', "#endif"]
        for name, doc, values in header.enums:
            lines += [""] + self.enum(name, doc, values)
        for name, doc, value in header.constants:
            lines += [""] + self.names.comment(doc) + [f"#define TILEWRIGHT_{name.upper()} {value}"]
        for struct in header.structs:
            lines += [""] + self.struct(struct)
            if struct.name in operands:
                lines += self.functions(operands.pop(struct.name))
        for plan in operands.values():  # their operands are in another header
            lines += self.functions(plan)
        lines += ["", "#ifdef __cplusplus", "}", "#endif"]
        return "\n".join(lines) + "\n"

    def enum(self, name, doc, values):
        notes = [line for line in doc]
        lines = self.names.comment(notes) + [f"typedef enum tilewright_{enum_name(name)} {{"]
        if name == "ErrorCode":
            lines = self.names.comment(["The status of a call. Numbers never change; new ones are added."])
            lines += [
                "typedef enum tilewright_status_code {",
                "  TILEWRIGHT_SUCCESS = 0,  ///< the call did what it was asked to do",
            ]
        for value, text in values:
            code = f"  {constant(name, value)} = {self.numbers[name][value]},"
            note = self.names.text(" ".join(text))
            if note and len(code) + len(note) + 7 <= WIDTH:
                lines.append(f"{code}  ///< {note}")
            else:
                lines += (self.names.comment(text, "  ") if note else []) + [code]
        if name == "ErrorCode":
            lines += [
                "  /// an argument is null, a handle is of another kind, or a member has a value that is not possible",
                "  TILEWRIGHT_INVALID_ARGUMENT = 1000,",
                "  TILEWRIGHT_UNSUPPORTED_STRUCT = 1001,  ///< struct_size is too small, or a newer member is set",
                "  TILEWRIGHT_CANCELLED = 1002,           ///< a callback asked to cancel the call",
                "  TILEWRIGHT_INTERNAL_ERROR = 1003       ///< any other failure; the message says which",
                "} tilewright_status_code;",
            ]
        else:
            lines[-1] = re.sub(r",(?=  ///<|$)", "", lines[-1], count=1)
            lines.append(f"}} tilewright_{enum_name(name)};")
        return lines

    def default(self, struct, member, how):
        """Returns what 0 or null means for a member."""
        kind = member.type.replace("std::", "")
        if how == "enum":
            return f"tilewright_{enum_name(kind)}; 0: {constant(*member.default.split('::'))}"
        if how == "optional enum":
            return f"tilewright_{enum_name(re.search(r'<(.*)>', kind)[1])}; 0: not set"
        if how == "element":
            return "tilewright_data_type; 0: TILEWRIGHT_F32"
        if how in ("optional struct", "choice", "list"):
            return "null: not set"
        if how == "struct":
            return "null: one problem" if kind == "Batch" else "null: its defaults"
        if how == "scalar":
            return f"null: {member.default}" + ("" if struct.name in REAL_SCALARS else "; c64 and c128: two numbers")
        if how == "packed":
            return "null: not used"
        if how == "flag":
            return "0 or 1"
        if how == "number" and "max()" in member.default:
            return "0: no limit"
        if how == "number" and has_default(member, kind):
            return f"0: {member.default}"
        return ""

    def member_text(self, member, how):
        """Returns the docstring of a member, in which 0 is written as in C."""
        text = self.names.text(" ".join(member.doc))
        kind = member.type.replace("std::", "")
        zero = "TILEWRIGHT_ZERO_32" if how == "optional number" else zero_of(member, kind)
        if zero:
            text = re.sub(r"\b0(?=:| is )", zero, text)
        if how == "optional number":
            text = text.replace("Unset:", "0:")
        elif how == "number" and has_default(member, kind):
            text = text.removesuffix("; not 0")
        return text

    def struct(self, struct):
        c_name = f"tilewright_{snake(struct.name)}"
        docs = {}
        for member in struct.members:
            parts = c_members(member, self.structs)
            for name, _, how in parts:
                text = self.member_text(member, how)
                note = "" if struct.name in ONLY_WRITTEN else self.default(struct, member, how)
                docs[name] = f"{text} ({note})" if text and note else text or note
        docs |= (
            {
                "element_bytes": "elements of 1, 2, 4, 8 or 16 bytes that are only moved, instead of `type`; 0: `type`",
                "speeds_count": "number of pointers in `speeds`",
            }
            if "element_bytes" in docs or "speeds_count" in docs
            else {}
        )
        if "alphas" in docs:
            each = "of each product, like `{}`; null: all products use `{}`"
            docs |= {"alphas": each.format("alpha", "alpha"), "betas": each.format("beta", "beta")}
            for part in "abc":
                docs[f"offsets_{part}"] = (
                    f"elements from the first {part.upper()} of the call to each {part.upper()} of a batch by offsets"
                )
        lines = self.names.comment(struct.doc) + [
            f"typedef struct {c_name} {{",
            f"  uint32_t struct_size;  ///< sizeof({c_name})",
        ]
        for name, kind in self.layouts[struct.name]:
            code = f"  {kind} {name};"
            text = docs.get(name, "must be 0")
            if text and len(code) + len(text) + 7 <= WIDTH:
                lines.append(f"{code}  ///< {text}")
            else:
                lines += textwrap.wrap(
                    text, WIDTH, initial_indent="  /// ", subsequent_indent="  /// ", break_on_hyphens=False
                )
                lines.append(code)
        return lines + [f"}} {c_name};"]

    def functions(self, plan):
        lines = []
        name = plan.function
        choice = ["const tilewright_choice* choice"] if "Choice& choice" in plan.constructor else []
        extra = ["int32_t function"] if "VectorFunction" in plan.constructor else []
        api = "TILEWRIGHT_C_API tilewright_status "
        if "SparseStructure" not in plan.constructor:
            lines += [""] + self.names.comment(
                ["Makes a plan: `plan` receives it with one reference, which tilewright_plan_release() returns."]
                + (["`function` is a tilewright_vector_function, such as TILEWRIGHT_AXPY."] if extra else [])
                + plan.constructor_doc
            )
            lines += line_of(
                f"{api}tilewright_{name}_plan_create",
                [
                    "const tilewright_engine* engine",
                    *extra,
                    f"const tilewright_{name}_problem* problem",
                    *choice,
                    "tilewright_plan** plan",
                ],
                ";",
            )
        lines += [""] + self.names.comment(plan.enqueue_doc)
        lines += line_of(
            f"{api}tilewright_{name}_enqueue",
            ["const tilewright_plan* plan", *CALL.format(name).split(", "), *EVENTS.split(", ")],
            ";",
        )
        if plan.call_doc:
            lines += [""] + self.names.comment(plan.call_doc + [""] + facts_of(plan))
            lines += line_of(
                f"{api}tilewright_{name}",
                [
                    "const tilewright_engine* engine",
                    "cl_command_queue queue",
                    f"const tilewright_{name}_problem* problem",
                    f"const tilewright_{name}_operands* operands",
                    *choice,
                    *EVENTS.split(", "),
                ],
                ";",
            )
        return lines
