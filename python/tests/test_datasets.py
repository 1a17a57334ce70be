import hashlib
import os

import numpy as np
import pytest

from isthmus import datasets


def test_the_same_seed_gives_the_same_demo():
    one, two = datasets.make_demo(20, 10), datasets.make_demo(20, 10, random_state=1)
    assert one.X_source.shape == (20, 256) and one.X_target.shape == (10, 256)
    assert set(one.y_source) <= set(range(10))
    np.testing.assert_array_equal(one.X_source, datasets.make_demo(20, 10).X_source)
    assert (one.X_source != two.X_source).any()


def test_files_are_read_with_and_without_labels(tmp_path):
    path = tmp_path / "samples.csv"
    path.write_text("a,b,label\n1,2,x\n3,4,y\n")
    data = datasets.read(path)
    np.testing.assert_array_equal(data.X, [[1, 2], [3, 4]])
    assert data.y.tolist() == ["x", "y"]
    np.save(tmp_path / "samples.npy", data.X)
    assert datasets.read(tmp_path / "samples.npy").y is None
    with pytest.raises(OSError, match="No such file"):
        datasets.read(tmp_path / "none.csv")


def test_the_manifest_names_the_benchmark_files(tmp_path):
    files = datasets.manifest()
    assert all(len(file["sha256"]) == 64 and file["bytes"] > 0 for file in files)
    assert datasets.verify(tmp_path) == {file["name"]: "missing" for file in files}
    with pytest.raises(OSError, match="benchmark files are missing"):
        datasets.load_table1(tmp_path, "C->A")
    with pytest.raises(ValueError, match="no task 'C->B'"):
        datasets.load_table1(tmp_path, "C->B")
    assert len(datasets.table1_tasks()) == 16


def test_a_task_of_table_1_loads():
    folder = os.environ.get("ISTHMUS_DATA")
    if not folder:
        pytest.skip("ISTHMUS_DATA does not name the folder of the benchmark files")
    task = datasets.load_table1(folder, "W->D")
    assert (task.X_source.shape, task.X_target.shape) == ((295, 800), (157, 800))
    assert task.family == "SURF" and set(task.y_source) == set(task.y_target) == set(range(1, 11))
    sums = {file["name"]: file["sha256"] for file in datasets.manifest()}
    with open(os.path.join(folder, "dslr_SURF_L10.mat"), "rb") as file:
        assert hashlib.sha256(file.read()).hexdigest() == sums["dslr_SURF_L10.mat"]
