"""Reads the public C++ headers: enumerations, structs, plans and their docstrings. Used by write-c-api.py."""

import dataclasses
import re


@dataclasses.dataclass
class Member:
    type: str
    name: str
    default: str
    doc: list


@dataclasses.dataclass
class Struct:
    name: str
    doc: list
    members: list


@dataclasses.dataclass
class Plan:
    name: str  # such as "Trsm"
    function: str  # such as "trsm"
    doc: list
    constructor: str  # its parameters
    constructor_doc: list
    enqueue_doc: list
    call_doc: list  # empty if no function plans and enqueues in one call


@dataclasses.dataclass
class Header:
    stem: str
    about: str
    enums: list
    structs: list
    plans: list
    constants: list  # (name, docstring, number)


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def lines_of(comment):
    return [re.sub(r"^\s*///<? ?", "", line).rstrip() for line in comment.strip("\n").split("\n") if line.strip()]


def members_of(body):
    """Returns the members of a struct, without functions."""
    members, doc, pending = [], [], ""
    lines = body.split("\n")
    for number, line in enumerate(lines):
        text = line.strip()
        if not pending and text.startswith("///"):
            if not text.startswith("///<"):
                doc.append(text[3:].strip())
            elif members:
                members[-1].doc.append(text[4:].strip())
            continue
        if not pending and (not text or text.startswith("//")):
            doc = [] if not text else doc
            continue
        pending = f"{pending} {text}".strip()
        code, _, comment = pending.partition("///<")
        if ";" not in code and "{" not in code.split("(")[0]:
            continue
        found = re.fullmatch(
            r"(?P<type>[\w:<>,*() &]+?[\w>*&)])\s+(?P<name>\w+)\s*(?P<default>=\s*[^;]+|\{[^;]*\})?;", code.strip()
        )
        if found and not code.startswith(("friend", "[[", "TILEWRIGHT_API", "return")):
            note = [comment.strip()] if comment.strip() else []
            default = (found["default"] or "").strip(" ={}")
            members.append(Member(found["type"], found["name"], default, doc + note))
        doc, pending = [], ""
    return members


def enum_of(name, doc, body):
    values, notes = [], []
    for line in body.split("\n"):
        text = line.strip()
        if text.startswith("///<") and values:
            values[-1][1].append(text[4:].strip())
            continue
        if text.startswith("///"):
            notes.append(text[3:].strip())
            continue
        code, _, comment = text.partition("///<")
        for value in re.findall(r"\w+", code):
            values.append((value, notes + ([comment.strip()] if comment.strip() else [])))
            notes = []
    return name, doc, values


COMMENT = r"((?:^[ ]*///[^\n]*\n)*)"


def plan_of(name, doc, body, text):
    constructor = re.search(
        COMMENT + r"^\s*TILEWRIGHT_API (?:explicit )?" + name + r"Plan\((.*?)\);", body, re.M | re.S
    )
    enqueue = re.search(COMMENT + r"^\s*TILEWRIGHT_API Event enqueue\(", body, re.M)
    if constructor is None or enqueue is None:
        return None
    function = snake(name)
    call = re.search(COMMENT + r"^TILEWRIGHT_API Event " + function + r"\(const Engine& engine", text, re.M)
    parameters = re.sub(r"\s+", " ", constructor[2])
    return Plan(
        name,
        function,
        doc,
        parameters,
        lines_of(constructor[1]),
        lines_of(enqueue[1]),
        lines_of(call[1]) if call else [],
    )


def read_header(path):
    text = path.read_text(encoding="utf-8")
    enums = [
        enum_of(m[2], lines_of(m[1]), m[3])
        for m in re.finditer(COMMENT + r"^enum class (\w+) \{(.*?)\};", text, re.M | re.S)
    ]
    structs = [
        Struct(m[2], lines_of(m[1]), members_of(m[3]))
        for m in re.finditer(COMMENT + r"^struct (\w+) \{\n(.*?)^\};", text, re.M | re.S)
    ]
    plans = [
        plan_of(m[2], lines_of(m[1]), m[3], text)
        for m in re.finditer(COMMENT + r"^class (\w+)Plan \{\n(.*?)^\};", text, re.M | re.S)
    ]
    constants = [
        (m[2], lines_of(m[1]), int(m[3]))
        for m in re.finditer(COMMENT + r"^inline constexpr unsigned (\w+) = (\d+);", text, re.M)
    ]
    about = re.match(r"((?://[^\n]*\n)+)", text)[1]
    return Header(
        path.stem,
        " ".join(line[3:] for line in about.strip().split("\n")),
        enums,
        structs,
        [plan for plan in plans if plan is not None],
        constants,
    )
