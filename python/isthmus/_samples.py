"""Samples and their domains in the form C++ takes."""

import numpy as np
from sklearn.utils import check_array
from sklearn.utils.validation import column_or_1d

# For check_array and validate_data: float32 stays what it is, the rest becomes float64. C++ looks for NaN itself, and
# says where.
SAMPLES = {"dtype": [np.float64, np.float32], "order": "C", "ensure_all_finite": False}


def check_domains(sample_domain, count):
    """Checked domains: positive for source samples, negative for target samples."""
    sample_domain = column_or_1d(check_array(sample_domain, ensure_2d=False, dtype=None, input_name="sample_domain"))
    if len(sample_domain) != count:
        raise ValueError(f"sample_domain has {len(sample_domain)} entries for {count} samples; one a sample is needed")
    if not np.issubdtype(sample_domain.dtype, np.integer) or (sample_domain == 0).any():
        raise ValueError(
            "sample_domain must hold whole numbers: above 0 for source samples, below 0 for target samples"
        )
    return sample_domain


def rows(X, chosen):
    """The chosen rows; without a copy where they follow each other."""
    where = np.flatnonzero(chosen)
    if len(where) and where[-1] - where[0] + 1 == len(where):
        return X[where[0] : where[-1] + 1]
    return X[chosen]
