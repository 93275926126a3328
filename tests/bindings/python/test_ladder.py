"""The ladder of variants, explanations as HTML, and bars."""

import html.parser
import math
import sys
import types

import numpy
import pytest
from conftest import QUICK

# At the quick level few variants run, because each is compiled. The last one has no products of float32.
FEW = ["naive", "local_tile", "packed_panel", "tensor_f64"] if QUICK else None
# Plain values, so that a table such as pandas.DataFrame takes the rows.
COLUMNS = {"variant": str, "summary": str, "configuration": str, "seconds": float, "gflops": float, "verified": bool,
           "note": str, "fastest": bool}  # fmt: skip


@pytest.mark.parametrize("dtype, variants", [
    ("f4", FEW), ("f8", ["naive", "packed_panel"]), ("c8", ["naive"]), ("i1", ["naive"]), ("f2", ["naive"]),
])  # fmt: skip
def test_ladder(tw, dtype, variants):
    rows = tw.ladder((40, 33, 25), dtype=dtype, variants=variants, runs=1, progress=False)
    assert len(rows) == len(variants or rows)
    for row in rows:
        assert {name: type(value) for name, value in row.items()} == COLUMNS
    assert variants or len(rows) > 5
    ran = [row for row in rows if not math.isnan(row["seconds"])]
    assert ran and all(row["verified"] and row["gflops"] > 0 and not row["note"] for row in ran)
    assert all(row["note"] and not row["verified"] for row in rows if math.isnan(row["seconds"]))
    (fastest,) = [row for row in rows if row["fastest"]]
    assert fastest["seconds"] == min(row["seconds"] for row in ran)
    assert rows[0]["variant"] == "naive"


def test_slow_variants_do_not_run(tw):
    (row,) = tw.ladder((600, 600, 600), variants=["naive"], budget=1e-6)
    assert math.isnan(row["seconds"]) and "budget" in row["note"] and not row["fastest"]


def test_wrong_results_are_found(tw, monkeypatch):
    from tilewright import ladder

    monkeypatch.setattr(sys.modules["tilewright.ladder"].Product, "seconds", lambda *given: 1e-3)
    (row,) = tw.ladder((8, 8, 8), variants=["naive"])
    assert not row["verified"] and row["note"] == "the result is wrong" and not row["fastest"]
    assert callable(ladder)


def test_arguments_of_the_ladder(tw):
    for options, kind in (
        ({"shape": (8, 8)}, ValueError),
        ({"shape": (8, 8, 0)}, ValueError),
        ({"shape": (8.0, 8, 8)}, TypeError),
        ({"dtype": "i4"}, TypeError),
        ({"variants": ["none_such"]}, ValueError),
        ({"runs": 0}, ValueError),
        ({"budget": "soon"}, TypeError),
    ):
        with pytest.raises(kind) as problem:
            tw.ladder(**{"shape": (8, 8, 8), **options})
        assert isinstance(problem.value, tw.Error)


class Tags(html.parser.HTMLParser):
    """Checks that tags are closed in order, and collects the text."""

    def __init__(self):
        super().__init__()
        self.open, self.text, self.names = [], "", []

    def handle_starttag(self, tag, attributes):
        self.names.append(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def tags_of(text):
    tags = Tags()
    tags.feed(text)
    assert not tags.open
    return tags


def test_explanations_in_notebooks(tw):
    scipy = pytest.importorskip("scipy.sparse")
    a = numpy.ones((64, 64), "f4")
    found = tw.explain(a, a)
    tags = tags_of(found._repr_html_())
    assert isinstance(found, dict) and tags.names.count("tr") == len(found["candidates"]) + 1
    assert found["variant"] in tags.text and found["reason"] in tags.text
    plan = tw.Plan((8, 8), (8, 8), "f4")
    assert plan.explain()["variant"] in tags_of(plan._repr_html_()).text and "(8, 8)" in repr(plan)
    assert "no elements" in tags_of(tw.Plan((0, 8), (8, 8), "f4")._repr_html_()).text
    assert tags_of(tw.sparse.Matrix(scipy.csr_matrix(a)).explain(3)._repr_html_()).names


def test_explanations_are_escaped(tw):
    bad = "<script>&\"'</script>"
    one = {"variant": bad, "configuration": {bad: 1}, "supported": False, "reason": bad}
    whole = {"problem": bad, **one, "candidates": [one], "parts": []}
    found = type(tw.explain(numpy.eye(2), numpy.eye(2)))({**whole, "parts": [whole]})
    tags = tags_of(found._repr_html_())
    assert "script" not in tags.names and tags.text.count(bad) > 8


@pytest.fixture
def bars(monkeypatch):
    """Replaces tqdm. Lists its bars."""
    made = []

    class Tqdm:
        def __init__(self, **options):
            self.options, self.n, self.notes, self.is_closed = options, 0, [], False
            made.append(self)

        def update(self, more):
            self.n += more

        def set_postfix_str(self, note):
            self.notes.append(note)

        def close(self):
            self.is_closed = True

    module = types.ModuleType("tqdm.auto")
    module.tqdm = Tqdm
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", module)
    return made


def test_bars(tw, bounds, bars, monkeypatch):
    a = bounds.array((40, 40), "f4")
    bounds.expect_product(tw.matmul(a, a, progress=True), a, a)
    (bar,) = bars
    assert bar.n == 1 and bar.is_closed and bar.options["disable"] is None  # None: on terminals only
    for progress in (None, False):
        bounds.expect_product(tw.matmul(a, a, progress=progress), a, a)
    tw.ladder((8, 8, 8), variants=["naive"], progress=False)
    assert len(bars) == 1
    tw.ladder((8, 8, 8), variants=["naive"])
    assert bars[1].notes == ["naive"] and bars[1].is_closed
    with pytest.raises(TypeError, match="progress"):
        tw.matmul(a.astype("f2"), a.astype("f2"), progress=True)


def test_bars_of_tuning(tw, bars):
    from tilewright import progress

    step = {"problem": 0, "problems": 2, "problem_text": "8x8x8", "activity": "search", "seconds_left": 7.0}
    for given in (None, True):
        with progress.tuning_steps(given, 10.0) as show:
            show(step)
            assert bars[-1].n == 3 and bars[-1].notes == ["1/2 8x8x8 search"]
        assert bars[-1].is_closed
    for given in (False, print):
        with progress.tuning_steps(given, 10.0) as show:
            assert show is (given or None)
    assert len(bars) == 2


def test_without_tqdm(tw, bounds, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    a = bounds.array((4, 4), "f8")
    bounds.expect_product(tw.matmul(a, a, progress=True), a, a)
