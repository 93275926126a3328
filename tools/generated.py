"""Writes generated files, or checks that they are up to date. Used by the scripts next to it."""

import pathlib
import sys

sys.dont_write_bytecode = True

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The style of plots. Blue, orange and gray are distinguishable for colour-blind readers, on light and dark backgrounds.
PLOT_STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .paper { fill: #ffffff }
  .quiet { fill: #59636e }
  .title { font-weight: 600 }
  .axis { stroke: #d1d9e0 }
  .first { fill: #0969da }
  .second { fill: #d4790a }
  .third { fill: #8c959f }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .paper { fill: #0d1117 }
    .quiet { fill: #9198a1 }
    .axis { stroke: #3d444d }
    .first { fill: #4493f8 }
    .second { fill: #e3a33b }
    .third { fill: #767e88 }
  }
"""


def plot(width, height, title, lines):
    """Returns an SVG file of these lines on paper that follows the reader's light or dark background."""
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img">',
        f"<title>{title}</title>",
        f"<style>{PLOT_STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}" rx="6"/>',
    ]
    return "\n".join(head + lines + ["</svg>"]) + "\n"


def write_or_check(script, files, check):
    """Writes files, a dictionary from path to text, where they differ. With `check` it fails instead."""
    for path, text in files.items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if check:
            sys.exit(f"{path.relative_to(ROOT)} is out of date; run {script}")
        path.write_text(text, encoding="utf-8")
