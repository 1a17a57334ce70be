"""What a pass over many rows yields, for rows that lie in several arrays, files or processes.

Each holder of some of the rows adds them under the number of their first one (a multiple of ``FOLD_BLOCK``), sends
its summary (they pickle), and whoever merges all of them has the same bytes as one pass over all rows: the same for any
number of threads and any division of the rows.
"""

from ._core import FOLD_BLOCK, ClassSums, Draw, Extent, FeatureMoments, Moments

__all__ = ["FOLD_BLOCK", "ClassSums", "Draw", "Extent", "FeatureMoments", "Moments"]
