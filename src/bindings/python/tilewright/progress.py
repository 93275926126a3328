"""Functions that C calls with how far it has come, and bars of tqdm, if it is installed."""

import atexit
import contextlib
import ctypes
import os
import threading

import numpy

from .errors import InvalidType

LONGEST_END = 30  # seconds that the end of a process waits for calls of other threads


class Calls:
    """The calls of C in other threads than the main one that may call Python now.

    Before 3.14, Python ends a daemon thread that wants to run bytecode after the end of the main thread by unwinding
    it. C++ catches that, and the process is aborted. So these calls are cancelled before the process ends.
    """

    def __init__(self):
        self.condition = threading.Condition()
        self.count = 0
        self.is_ending = False

    def begin(self):
        with self.condition:
            self.expect_process()
            self.count += 1

    def finish(self):
        with self.condition:
            self.count -= 1
            self.condition.notify_all()

    def forget(self):
        """Forgets the calls of the parent, whose threads a child made by fork() does not have."""
        self.condition, self.count = threading.Condition(), 0

    def expect_process(self):
        if self.is_ending:
            raise SystemExit  # which ends a thread without a message

    def end(self):
        """Cancels the calls of other threads, and waits for their ends."""
        with self.condition:
            self.is_ending = True
            self.condition.wait_for(lambda: self.count == 0, LONGEST_END)


calls = Calls()
atexit.register(calls.end)
os.register_at_fork(after_in_child=calls.forget)


def expect_progress(progress):
    """Returns a function or True, or None for False. Raises InvalidType for other objects."""
    if progress is None or progress is False:
        return None
    if progress is not True and not callable(progress):
        raise InvalidType(f"progress is {progress!r}, but it must be a function, True or False", "invalid_argument")
    return progress


class Reporter:
    """A function for C that calls one of Python with a struct, and keeps what that one raises.

    C stops if the answer is True, or if there was an exception. Python raises the interrupt from the keyboard where it
    next runs bytecode, which is often the first instruction of the function that C calls. ctypes ignores an exception
    there. A generator is resumed inside its `try`, so it catches this one, too.
    """

    def __init__(self, struct, function):
        self.problem = None
        self.is_main = threading.current_thread() is threading.main_thread()
        answers = self.answers(function)
        next(answers)
        # C also passes its `user`, which a callee may leave alone.
        self.callback = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(struct))(answers.send)

    def answers(self, function):
        answer = 0
        while True:
            try:
                progress = yield answer
                if not self.is_main:
                    calls.expect_process()
                found = function(progress.contents)
                answer = 1 if isinstance(found, (bool, numpy.bool_)) and found else 0
            except GeneratorExit:
                return
            except BaseException as problem:
                self.problem = problem
                answer = 1

    def __enter__(self):
        if not self.is_main:
            calls.begin()
        return self

    def __exit__(self, kind, problem, trace):
        if not self.is_main:
            calls.finish()

    @property
    def pointer(self):
        """The function as C takes it."""
        return ctypes.cast(self.callback, ctypes.c_void_p).value

    def raise_problem(self):
        """Raises the exception, if there was one, when C has returned."""
        if self.problem is not None:
            raise self.problem


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
        yield progress
        return
    with Bar(description, 1.0, bar_format="{desc}: {percentage:3.0f}% |{bar}| {elapsed}<{remaining}") as bar:
        yield bar.show


@contextlib.contextmanager
def tuning_steps(progress, seconds):
    """Gives the function that gets the steps of tuning: the caller's, that of a bar for None or True, or None."""
    if progress is not None and progress is not True:
        yield expect_progress(progress)
        return
    with Bar("tuning", seconds, unit="s", bar_format="{desc}: |{bar}| {n:.0f}/{total:.0f} s {postfix}") as bar:

        def show(step):
            note = f"{step['problem'] + 1}/{step['problems']} {step['problem_text']} {step['activity']}"
            bar.show(max(0.0, seconds - step["seconds_left"]), note)

        yield show
