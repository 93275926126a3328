#!/usr/bin/env python3
"""Checks the English of comments, messages and documentation against the patterns in tools/check-prose.tsv.

Usage: tools/check-prose.py [PATH...]       print `file:line: text` and the replacement for each finding; exit 1 if any
       tools/check-prose.py --count [...]   print a table of counts by folder and pattern instead
       tools/check-prose.py --self-test     only check that each pattern finds its own examples

Without PATH: include, src, cl, tests, tools, examples, docs, cmake and the files next to them. Two limits are not
patterns: 30 words for a sentence in a docstring under include/, and 150 columns for a line of Markdown that is neither
in a table nor in a code block. Uses only Python's standard library.

The table's columns: name; where the pattern applies (`opener`: the start of a comment, `docstring`: anywhere in a
docstring, `text`: anywhere in comments, strings of several words, and Markdown); regular expression; replacement;
reason; examples that it finds and examples that it passes, separated by ` | `.
"""

import collections
import csv
import io
import pathlib
import re
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["include", "src", "cl", "tests", "tools", "examples", "docs", "cmake"]
# Build and data folders, and this script, whose samples are wrong on purpose.
SKIPPED = re.compile(r"(^|/)(build[^/]*|corpus|__pycache__)/|^tools/check-prose\.py$")
MAX_WORDS = 30
MAX_COLUMNS = 150

C_FILES = {".cpp", ".hpp", ".h", ".c", ".cc", ".cl", ".js"}
SCRIPTS = {".cmake", ".sh", ".txt"}
SUFFIXES = C_FILES | SCRIPTS | {".py", ".md"}

# A piece of English: its kind (comment, docstring, string or markdown) and its lines as (number, text).
Prose = collections.namedtuple("Prose", "kind lines")
Finding = collections.namedtuple("Finding", "line name text replacement")


class Pattern:
    def __init__(self, row):
        self.name, self.where, expression, self.replacement, self.reason = row[:5]
        self.finds, self.passes = ([text for text in cell.split(" | ") if text] for cell in row[5:7])
        self.expression = re.compile(expression)

    def matches(self, prose, text):
        if self.where == "opener":
            return list(filter(None, [prose.kind in ("comment", "docstring") and self.expression.match(text)]))
        if self.where == "docstring" and prose.kind != "docstring":
            return []
        return list(self.expression.finditer(text))


def read_patterns():
    with open(ROOT / "tools/check-prose.tsv", encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [Pattern(row) for row in rows[1:]]


C_TOKEN = re.compile(
    r"""(?P<line>//[^\n]*)
      | (?P<block>/\*.*?\*/)
      | (?P<error>^[ \t]*\#[ \t]*(?:error|warning)[^\n]*)
      | R"(?P<mark>[^\s()\\]{0,16})\((?P<raw>.*?)\)(?P=mark)"
      | "(?P<string>(?:\\.|[^"\\\n])*)"
      | '(?:\\.|[^'\\\n])+'
      | \d[\w.']*
      | [A-Za-z_]\w*
      | .""", re.VERBOSE | re.DOTALL | re.MULTILINE)


def prose_of_c(text):
    """Comments, with `//` lines below each other joined, #error texts, and strings, with neighbours joined."""
    pieces, line, code_on_line, last_place, open_string = [], 1, False, None, None
    for match in C_TOKEN.finditer(text):
        token, kind = match.group(), match.lastgroup
        if kind == "line":
            marker = re.match(r"//(/<|/|!<|!)?", token).group()
            words = token[len(marker):].strip()
            if marker == "///" and token.startswith("///   "):
                words = "- " + words  # an indented line of a list or a formula
            place = (marker[:3], match.start() - text.rfind("\n", 0, match.start()), line)
            if not code_on_line and last_place == (*place[:2], line - 1):
                comment.append((line, words))
            else:
                comment = [(line, words)]
                pieces.append(Prose("docstring" if len(marker) > 2 else "comment", comment))
            last_place = place
        elif kind == "block":
            rows = [re.sub(r"^\s*(/\*[*!]?<?|\*(?!/))|\*/\s*$", "", row).strip() for row in token.split("\n")]
            pieces.append(Prose("docstring" if re.match(r"/\*[*!]", token) else "comment",
                                [(line + i, row) for i, row in enumerate(rows)]))
        elif kind == "error":
            pieces.append(Prose("string", [(line, token.split(None, 1)[1] if " " in token else "")]))
        elif kind in ("string", "raw"):
            body = match.group(kind)
            rows = [(line + i, row) for i, row in enumerate(body.replace("\\n", " ").split("\n"))]
            if open_string is not None:
                open_string.extend(rows)
            else:
                pieces.append(Prose("string", rows))
                open_string = pieces[-1].lines
        if not token.isspace():
            code_on_line = kind not in ("line", "block")
            if kind not in ("string", "raw"):
                open_string = None
        line += token.count("\n")
        if "\n" in token:
            code_on_line = False
    return pieces


def prose_of_python(text):
    pieces, previous = [], -1
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        line = token.start[0]
        if token.type == tokenize.COMMENT:
            alone = token.line.lstrip().startswith("#")
            if alone and previous == line - 1:
                pieces[-1].lines.append((line, token.string.lstrip("# ")))
            else:
                pieces.append(Prose("comment", [(line, token.string.lstrip("# "))]))
            previous = line if alone else -1
        elif token.type == tokenize.STRING:
            start = re.match(r"[A-Za-z]*('''|\"\"\"|'|\")", token.string)
            body = token.string[start.end():-len(start.group(1))]
            kind = "docstring" if not token.line[:token.start[1]].strip() and len(start.group(1)) == 3 else "string"
            pieces.append(Prose(kind, [(line + i, row.strip()) for i, row in enumerate(body.split("\n"))]))
    return pieces


def prose_of_script(text):
    """Shell and CMake: `#` comments, and strings in double quotes that end on their line."""
    pieces, previous = [], 0
    for line, row in enumerate(text.split("\n"), 1):
        comment = re.match(r"""(?P<code>(?:[^"'#]|"(?:\\.|[^"\\])*"|'[^']*'|(?<=\S)\#)*?)(?<!\S)\#(?P<text>.*)$""", row)
        code = comment.group("code") if comment else row
        for match in re.finditer(r'"((?:\\.|[^"\\])*)"', code):
            pieces.append(Prose("string", [(line, match.group(1))]))
        if comment:
            words = comment.group("text").strip()
            if previous == line - 1 and previous and not code.strip():
                last_comment.lines.append((line, words))
            else:
                last_comment = Prose("comment", [(line, words)])
                pieces.append(last_comment)
            previous = line if not code.strip() else 0
    return pieces


def prose_of_markdown(text):
    """Paragraphs and rows of tables without code blocks."""
    pieces, fence, previous = [], None, -1
    for line, row in enumerate(text.split("\n"), 1):
        mark = re.match(r"\s*(```+|~~~+)", row)
        if fence is None and mark:
            fence = mark.group(1)
        elif fence is not None:
            if mark and mark.group(1).startswith(fence):
                fence = None
        elif row.strip():
            if previous == line - 1 and not row.lstrip().startswith(("|", "-", "*", "#")):
                pieces[-1].lines.append((line, row))
            else:
                pieces.append(Prose("markdown", [(line, row)]))
            previous = line
    return pieces


def without_code(text):
    """The text with code in backquotes and file names blanked at their length."""
    return re.sub(r"`[^`]*`|\b\w+\.(?:npy|npz|csv|cl|hpp|cpp|md)\b", lambda match: "~" * len(match.group()), text)


def joined(prose):
    """The piece as one string, and a function from a position in it to a line."""
    text, starts = "", []
    for line, row in prose.lines:
        starts.append((len(text), line))
        text += row + " "
    return text, lambda position: [line for start, line in starts if start <= position][-1]


def long_sentences(prose):
    """Sentences of a docstring that are over the limit. An empty line, a list item and a code block end one, too."""
    sentences, fenced = [[]], False  # lists of (line, word)
    for line, row in prose.lines:
        if row.startswith("```"):
            fenced = not fenced
        if fenced or not row or row.startswith(("```", "- ", "* ", "| ", "@", "\\")):
            sentences.append([])
        for word in [] if fenced else re.sub(r"`[^`]*`", "code", row).split():
            if re.search(r"[A-Za-z]", word):
                sentences[-1].append((line, word))
            if re.search(r"[.!?][)\"']*$", word) and not re.search(r"\b(e\.g|i\.e|cf|vs)\.$", word):
                sentences.append([])
    return [Finding(words[0][0], "long-sentence", " ".join(word for _, word in words[:8]) + " ...",
                    f"split it: {len(words)} words, at most {MAX_WORDS}")
            for words in sentences if len(words) > MAX_WORDS]


def long_lines(text):
    fence = False
    for line, row in enumerate(text.split("\n"), 1):
        if re.match(r"\s*(```|~~~)", row):
            fence = not fence
        elif not fence and len(row) > MAX_COLUMNS and not row.lstrip().startswith("|"):
            if max(map(len, row.split())) < MAX_COLUMNS // 2:  # not a long address
                yield Finding(line, "long-line", row[:60] + "...",
                              f"break it: {len(row)} columns, at most {MAX_COLUMNS}; one sentence per line")


def prose_of(name, text):
    suffix = pathlib.PurePath(name).suffix
    if suffix == ".md":
        return prose_of_markdown(text)
    if suffix in C_FILES:
        return prose_of_c(text)
    if suffix == ".py":
        return prose_of_python(text)
    return prose_of_script(text)


def check(name, text, patterns):
    """The findings in a file, by line."""
    findings = []
    for prose in prose_of(name, text):
        words, line_of = joined(prose)
        searched = without_code(words)
        if prose.kind == "string" and " " not in words.strip():
            continue  # a name, not a message
        for pattern in patterns:
            for match in pattern.matches(prose, searched):
                shown = words[max(0, match.start() - 25):match.end() + 35].strip()
                findings.append(Finding(line_of(match.start()), pattern.name, shown, pattern.replacement))
        if prose.kind == "docstring" and name.startswith("include/"):
            findings += long_sentences(prose)
    if name.endswith(".md"):
        findings += long_lines(text)
    return sorted(findings)


def files_of(paths):
    for path in paths or [ROOT / folder for folder in FOLDERS] + sorted(ROOT.glob("*.*")):
        path = pathlib.Path(path)
        if not path.exists():
            sys.exit(f"{path} does not exist")
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            name = file.resolve().relative_to(ROOT).as_posix()
            if file.is_file() and file.suffix in SUFFIXES and not SKIPPED.search(name):
                yield name, file


def self_test(patterns):
    """Fails where a pattern misses one of its examples or matches one that is right."""
    opens = {"opener": "// ", "docstring": "/// ", "text": "// "}
    wrong = [f"{pattern.name}: expected {expected} finding in: {text}"
             for pattern in patterns
             for expected, texts in ((1, pattern.finds), (0, pattern.passes))
             for text in texts
             if len([x for x in check("src/x.cpp", opens[pattern.where] + text, patterns) if x.name == pattern.name])
             != expected]
    samples = [
        ("src/x.cpp", "int a;  // a count\n// Whoever\nf(\"x\" // b\n  \"runs \" \"by itself\");", [(2, "opener"), (2, "whoever"), (4, "by-itself")]),
        ("src/x.cpp", "auto s = R\"(// What)\"; char c = '\"';  // What c is\n", [(1, "opener")]),
        ("src/x.cpp", "const int n = 1'000;\n// goes in the\n// place of B\n", [(2, "in-the-place-of")]),
        ("cl/x.cl", "#error \"doesn't stand\"\n// bits of `digits`\n", [(1, "stand")]),
        ("tools/x.sh", "a=${b#c} # What\nfail \"it's beside it\"  # ok\n", [(1, "opener"), (2, "beside")]),
        ("tools/x.py", "x = 'by itself'  # fine\ndef f():\n    \"\"\"What it is.\"\"\"\n", [(1, "by-itself"), (3, "opener")]),
        ("docs/x.md", "A " + "word " * 40 + "\n\n```\nbehind\n```\n| " + "word " * 40 + "|\n", [(1, "long-line")]),
        ("include/x.hpp", "/// One." + " word" * 31 + ".\n/// Two.\n", [(1, "long-sentence")]),
    ]
    for name, text, expected in samples:
        found = [(finding.line, finding.name) for finding in check(name, text, patterns)]
        if found != expected:
            wrong.append(f"{name}: found {found}, expected {expected} in: {text!r}")
    if wrong:
        sys.exit("\n".join(wrong))


def print_counts(counts):
    names = [name for name, _ in collections.Counter(name for _, name in counts.elements()).most_common()]
    folders = sorted({folder for folder, _ in counts})
    widths = [max(5, len(name)) for name in names]
    first = max(map(len, folders + ["folder"]))
    print("  ".join([f"{'folder':{first}}"] + [f"{name:>{width}}" for name, width in zip(names, widths)] + ["total"]))
    for folder in folders + ["total"]:
        cells = [sum(count for (where, what), count in counts.items() if what == name and folder in (where, "total"))
                 for name in names]
        print("  ".join([f"{folder:{first}}"] + [f"{cell:>{width}}" for cell, width in zip(cells, widths)] +
                        [f"{sum(cells):>5}"]))


def main(arguments):
    options = {argument for argument in arguments if argument.startswith("--")}
    if options - {"--count", "--self-test"}:
        sys.exit(__doc__)
    patterns = read_patterns()
    self_test(patterns)
    if "--self-test" in options:
        return 0
    counts = collections.Counter()
    for name, file in files_of([argument for argument in arguments if argument not in options]):
        for finding in check(name, file.read_text(encoding="utf-8"), patterns):
            parts = pathlib.PurePath(name).parts
            counts["/".join(parts[:2] if len(parts) > 2 else parts[:1]), finding.name] += 1
            if "--count" not in options:
                print(f"{name}:{finding.line}: {finding.text}\n    [{finding.name}] {finding.replacement}")
    if "--count" in options:
        print_counts(counts)
    elif counts:
        print(f"{counts.total()} findings; tools/check-prose.tsv has the patterns and their reasons", file=sys.stderr)
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
