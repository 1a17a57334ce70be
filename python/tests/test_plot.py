import numpy as np
import pytest

import isthmus

plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture
def fitted(digits):
    yield isthmus.RSACDDA(explain=True).fit(digits.X_source, digits.y_source, X_target=digits.X_target)
    plt.close("all")


def test_every_picture_is_drawn(fitted, digits):
    before, after = isthmus.plot.domains(fitted, digits.X_source, digits.y_source, digits.X_target)
    assert [len(points.get_offsets()) for points in after.collections] == [150, 120]
    assert not np.array_equal(before.collections[1].get_offsets(), after.collections[1].get_offsets())

    ax = isthmus.plot.convergence(fitted)
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), fitted.report_["objective"])

    ax = isthmus.plot.explanations(fitted)
    shown = ax.collections[0].get_offsets()
    assert len(shown) == (fitted.model_.target.explained_by >= 0).sum()
    assert shown[:, 0].max() < 120 and shown[:, 1].max() < 150

    ax = isthmus.plot.confusion(fitted, digits.X_target, digits.y_target)
    assert sum(int(text.get_text()) for text in ax.texts) == 120


def test_a_method_that_does_not_explain_says_so(digits):
    with pytest.raises(ValueError, match="CORAL does not tell"):
        isthmus.plot.explanations(isthmus.CORAL().fit(digits.X_source, digits.y_source))
