"""A progress bar over the iterations of a fit."""

from contextlib import contextmanager


@contextmanager
def with_bar(verbose, callback):
    """The callback to hand to C++: the user's, behind a bar when `verbose`."""
    if not verbose:
        yield callback
        return
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("verbose=1 draws its bar with tqdm, which is not installed: pip install tqdm") from error

    with tqdm(unit="it") as bar:

        def draw(iteration):
            bar.set_description(iteration.phase, refresh=False)
            bar.total = iteration.limit
            if iteration.label_changes >= 0:
                bar.set_postfix(label_changes=iteration.label_changes, refresh=False)
            bar.n = iteration.iteration
            bar.refresh()
            return callback(iteration) if callback is not None else None

        yield draw
