"""Bars of tqdm, if it is installed."""

import contextlib


class Bar:
    """A bar that shows how much of a total is done. Without tqdm it shows nothing, and so it does in files."""

    def __init__(self, description, total, is_shown=True, **options):
        self.bar = None
        if is_shown:
            try:
                from tqdm.auto import tqdm  # type: ignore[import-untyped]
            except ImportError:
                return
            self.bar = tqdm(desc=description, total=total, disable=None, leave=False, **options)

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, trace):
        if self.bar is not None:
            self.bar.close()

    def show(self, done, note=""):
        """Moves the bar to an amount that is done."""
        if self.bar is not None:
            self.bar.update(done - self.bar.n)
            if note:
                self.bar.set_postfix_str(note)


@contextlib.contextmanager
def fractions(progress, description):
    """Gives the function that gets the fractions of a call: the caller's, that of a bar for True, or None."""
    if progress is not True:
        yield progress or None
        return
    with Bar(description, 1.0, bar_format="{desc}: {percentage:3.0f}% |{bar}| {elapsed}<{remaining}") as bar:
        yield bar.show


@contextlib.contextmanager
def tuning_steps(progress, seconds):
    """Gives the function that gets the steps of tuning: the caller's, that of a bar for None or True, or None."""
    if progress is not None and progress is not True:
        yield progress or None
        return
    with Bar("tuning", seconds, unit="s", bar_format="{desc}: |{bar}| {n:.0f}/{total:.0f} s {postfix}") as bar:

        def show(step):
            note = f"{step['problem'] + 1}/{step['problems']} {step['problem_text']} {step['activity']}"
            bar.show(max(0.0, seconds - step["seconds_left"]), note)

        yield show
