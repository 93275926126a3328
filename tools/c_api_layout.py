"""Members and constants of the C interface, in an order that never changes. Used by write-c-api.py."""

import re

from c_api_source import snake

# The version of the next release's interface. Raise it when the interface grows after a release.
VERSION = "1.0"

# CBLAS's numbers. Other enumerations count from 1 in the order of their values; 0 always means the default.
CBLAS = {"Layout": (101, 102), "Transpose": (111, 112, 113), "Uplo": (122, 121), "Diag": (131, 132), "Side": (141, 142)}

# How constants begin, and names that differ from TILEWRIGHT_PREFIX_VALUE.
PREFIXES = {
    "DataType": "",
    "Transpose": "",
    "Layout": "",
    "Side": "",
    "Uplo": "",
    "Diag": "",
    "Symmetry": "",
    "SparseFormat": "",
    "VectorFunction": "",
    "EpilogueVector": "EPILOGUE",
    "Activation": "ACTIVATION",
    "Accuracy": "ACCURACY",
    "IndexType": "INDEX",
    "StructureCheck": "CHECK",
    "Summation": "SUMMATION",
    "TileTransfer": "TRANSFER",
    "CacheMode": "CACHE",
    "Ability": "ABILITY",
    "GemmInput": "INPUT",
    "ErrorCode": "",
    "OperandName": "OPERAND",
}
SPECIAL = {
    ("Transpose", "no"): "NO_TRANS",
    ("Transpose", "yes"): "TRANS",
    ("Transpose", "conjugate_transpose"): "CONJ_TRANS",
}
FIRST = {"ErrorCode": 1, "OperandName": 0}


def enum_name(enum):
    """Returns the C name of an enumeration, without tilewright_. tilewright_transpose() is a function."""
    return "trans" if enum == "Transpose" else snake(enum)


def constant(enum, value):
    word = SPECIAL.get((enum, value)) or "_".join(part for part in (PREFIXES[enum], value.upper()) if part)
    return f"TILEWRIGHT_{word}"


class Abi:
    """The committed list of constants and members, to which lines are only added; of the last member of each struct in
    each release; and of the release in which each function appeared."""

    def __init__(self, path):
        self.path = path
        self.numbers, self.members, self.lines = {}, {}, []
        self.last = {}  # of a struct: from a version to its last member
        self.since = {}  # of a function: the version
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            if not line or line.startswith("#"):
                continue
            kind, owner, name, value = line.split(" ", 3)
            if kind == "last":
                self.last.setdefault(owner, {})[value] = name
                continue
            if kind == "function":
                self.since[owner] = value
                continue
            self.lines.append(line)
            if kind == "enum":
                self.numbers.setdefault(owner, {})[name] = int(value)
            else:
                self.members.setdefault(owner, []).append((name, value))

    def number(self, enum, values):
        """Returns the numbers of an enumeration's values, new ones after those that are known."""
        known = self.numbers.setdefault(enum_name(enum), {})
        for index, value in enumerate(values):
            if value in known:
                continue
            if enum in CBLAS:
                number = CBLAS[enum][index]
            else:
                number = max(known.values(), default=FIRST.get(enum, 1) - 1) + 1
            known[value] = number
            self.lines.append(f"enum {enum_name(enum)} {value} {number}")
        missing = set(known) - set(values)
        if missing:
            raise SystemExit(f"the values {sorted(missing)} of {enum} are gone; the C interface must keep them")
        return known

    def order(self, struct, wanted):
        """Returns the members of a struct in their order in memory, and adds new ones at the end. `wanted` maps names
        to types. Members fill whole words of 64 bits, so that no byte is unnamed."""
        known = self.members.setdefault(struct, [])
        gone = {name for name, _ in known if not name.startswith("reserved")} - set(wanted)
        changed = [name for name, type_name in known if name in wanted and wanted[name] != type_name]
        if gone or changed:
            raise SystemExit(f"tilewright_{struct} must keep the members {sorted(gone) + changed} as they were")
        new = [name for name in wanted if name not in dict(known)]
        small = [name for name in new if wanted[name] in ("int32_t", "uint32_t")]
        added = [(name, wanted[name]) for name in small]
        first = 1 if not known else 0  # struct_size
        if (len(small) + first) % 2:
            count = sum(name.startswith("reserved") for name, _ in known)
            added.append((f"reserved{count + 1}", "uint32_t"))
        added += [(name, wanted[name]) for name in new if name not in small]
        if not new:
            added = [] if known else added
        for name, type_name in added:
            known.append((name, type_name))
            self.lines.append(f"struct {struct} {name} {type_name}")
        ends = self.last.setdefault(struct, {})
        if VERSION in ends or known[-1][0] not in ends.values():
            ends[VERSION] = known[-1][0]
        return known

    def ends(self, struct):
        """Returns the last member of a struct in each release, from the first on."""
        return [self.last[struct][version] for version in sorted(self.last[struct], key=numbers_of)]

    def functions(self, names):
        """Adds functions. Returns their names by version."""
        gone = set(self.since) - set(names)
        if gone:
            raise SystemExit(f"the functions {sorted(gone)} are gone; the C interface must keep them")
        for name in names:
            self.since.setdefault(name, VERSION)
        versions = sorted(set(self.since.values()), key=numbers_of)
        return {version: sorted(name for name in names if self.since[name] == version) for version in versions}

    def text(self):
        about = (
            "# Constants and members of the C interface. Written by tools/write-c-api.py, which only adds lines:\n"
            "# programs that were built with an older header depend on every line.\n"
            "#   enum ENUMERATION VALUE NUMBER\n"
            "#   struct STRUCT MEMBER TYPE, in their order in memory\n"
            "#   last STRUCT MEMBER VERSION: the last member of the struct in a release\n"
            "#   function NAME since VERSION\n"
        )
        ends = [
            f"last {struct} {member} {version}"
            for struct, versions in sorted(self.last.items())
            for version, member in sorted(versions.items())
        ]
        functions = [f"function {name} since {version}" for name, version in sorted(self.since.items())]
        return about + "\n".join(self.lines + ends + functions) + "\n"


def numbers_of(version):
    return [int(part) for part in version.split(".")]


def is_enum(type_name):
    return type_name in PREFIXES


def c_members(member, structs):
    """Returns (name, C type, how it is converted) for each C member of a C++ member."""
    kind, name = member.type.replace("std::", ""), member.name
    if is_enum(kind):
        return [(name, "int32_t", "enum")]
    optional = re.fullmatch(r"optional<(\w+)>", kind)
    if optional and is_enum(optional[1]):
        return [(name, "int32_t", "optional enum")]
    if kind == "optional<unsigned>":
        return [(name, "uint32_t", "optional number")]
    if optional:
        return [(name, f"const tilewright_{snake(optional[1])}*", "optional struct")]
    if kind == "Element":
        return [(name, "int32_t", "element"), ("element_bytes", "uint32_t", "part")]
    if kind in ("uint64_t", "int64_t", "int32_t", "double"):
        return [(name, kind, "number")]
    if kind == "size_t":
        return [(name, "uint64_t", "number")]
    if kind == "unsigned":
        return [(name, "uint32_t", "number")]
    if kind == "bool":
        return [] if name == "event" else [(name, "int32_t", "flag")]
    if kind == "Scalar":
        return [(name, "const double*", "scalar")]
    if kind == "MatrixRef":
        return [(name, "tilewright_matrix", "matrix")]
    if kind == "WorkspaceRef":
        return [(name, "tilewright_workspace", "workspace")]
    if kind == "GemmOffsets":
        return [(f"offsets_{part}", "const uint64_t*", "part") for part in "abc"]
    if kind == "GemmScalars":
        return [("alphas", "const double*", "part"), ("betas", "const double*", "part")]
    if kind == "const PackedMatrix*":
        return [(name, "const tilewright_packed_matrix*", "packed")]
    if kind in ("const void*", "void*"):
        return [(name, kind, "pointer")]
    if kind == "Choice":
        return [(name, "const tilewright_choice*", "choice")]
    if kind == "vector<TransferSpeeds>":
        return [(name, "const tilewright_transfer_speeds* const*", "list"), (f"{name}_count", "uint64_t", "part")]
    if kind in structs:
        return [(name, f"const tilewright_{snake(kind)}*", "struct")]
    raise SystemExit(f"tools/c_api_layout.py does not know the type {member.type} of the member {name}")
