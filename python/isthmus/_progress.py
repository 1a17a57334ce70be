"""How a fit gets on, shown while it runs."""

import sys
from contextlib import contextmanager


@contextmanager
def with_bar(verbose, callback):
    """The callback to hand to C++: the user's, behind a bar of tqdm when `verbose`; without tqdm, behind plain lines."""
    if not verbose:
        yield callback
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield _after(_print_line, callback)
        return

    with tqdm(unit="it") as bar:

        def draw(iteration):
            bar.set_description(iteration.phase, refresh=False)
            bar.total = iteration.limit
            if iteration.label_changes >= 0:
                bar.set_postfix(label_changes=iteration.label_changes, refresh=False)
            bar.n = iteration.iteration
            bar.refresh()

        yield _after(draw, callback)


def _after(show, callback):
    def shown(iteration):
        show(iteration)
        return callback(iteration) if callback is not None else None

    return shown


def _print_line(iteration):
    changes = f", {iteration.label_changes} labels changed" if iteration.label_changes >= 0 else ""
    print(f"{iteration.phase} {iteration.iteration}/{iteration.limit}{changes}", file=sys.stderr)
