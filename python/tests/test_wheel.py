"""What tools/python-wheel puts around the extension, on the one of this build; `make wheel` builds the real one."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import scipy.io

import isthmus

pytestmark = pytest.mark.skipif(shutil.which("dpkg") is None, reason="no dpkg here, which knows the licences of libraries")

EXTENSION = isthmus._core.__file__
# A wheel's extension has the library linked in; here it is shared, and its readers of MAT and NPZ are a module beside it.
LIBRARY = Path(re.search(r"libisthmus\.so\.0 => (/\S+)", subprocess.check_output(["ldd", EXTENSION], text=True))[1])
READERS = LIBRARY.with_name("libisthmus_formats.so")
NETWORK = re.compile(r"lib(curl|ssl|crypto|gnutls|nettle|ldap|krb5|gssapi|ssh2|rtmp|nghttp2|psl|idn2)")
# What a wheel expects of the system (auditwheel), and what is ours.
NOT_CARRIED = re.compile(r"(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|isthmus)\.so)")


def run(*command, **surroundings):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env={**os.environ, **surroundings})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stand-ins")
    run(sys.executable, Path(__file__).parents[2] / "tools/wheel-stand-ins", READERS, folder)
    return folder


@pytest.fixture(scope="module")
def carried(stand_ins):
    """The libraries that the extension and the readers load where the stand-ins are found first, by name."""
    loaded = re.findall(r"(\S+) => (/\S+)", run("ldd", READERS, LD_LIBRARY_PATH=str(stand_ins)))
    return {name: Path(path) for name, path in loaded if not NOT_CARRIED.match(name)}


def test_the_extension_and_the_library_bring_no_network():
    for path in (EXTENSION, LIBRARY):
        loaded = re.findall(r"(\S+) => /", run("ldd", path))
        assert loaded and not [name for name in loaded if NETWORK.match(name)]


def test_no_library_of_the_network_is_carried(carried, stand_ins):
    assert {"libopenblas.so.0", "libfmt.so.9"} <= set(carried)
    assert [name for name, path in carried.items() if NETWORK.match(name) and path.parent != stand_ins] == []


def test_the_readers_work_beside_the_stand_ins(stand_ins, digits, tmp_path):
    np.savez_compressed(tmp_path / "x.npz", X=digits.X_source, y=digits.y_source)
    scipy.io.savemat(tmp_path / "x.mat", {"X": digits.X_source, "y": digits.y_source})
    script = "import sys, isthmus; print([isthmus.datasets.read(path).X.shape for path in sys.argv[1:]])"
    told = run(sys.executable, "-c", script, tmp_path / "x.npz", tmp_path / "x.mat", LD_LIBRARY_PATH=str(stand_ins))
    assert told == "[(150, 256), (150, 256)]\n"


def made_up_wheel(folder, libraries):
    """A wheel as auditwheel leaves it: libraries have a part of their checksum in the name."""
    files = {
        "isthmus-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "isthmus-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: isthmus\nVersion: 1.0\n",
        "isthmus-1.0.dist-info/licenses/LICENSE": "ours",
        **{f"isthmus.libs/{name.replace('.', '-0a1b2c3d.', 1)}": "" for name in libraries},
    }
    for name, text in files.items():
        path = folder / "unpacked" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    run(sys.executable, "-m", "wheel", "pack", "--dest-dir", folder, folder / "unpacked")
    return folder / "isthmus-1.0-py3-none-any.whl"


def test_every_library_that_is_carried_brings_its_licence(carried, stand_ins, root, tmp_path):
    real = {name: path.resolve() for name, path in carried.items() if path.parent != stand_ins}
    wheel = made_up_wheel(tmp_path, [path.name for path in real.values()] + ["libcurl.so.4"])
    run(sys.executable, root / "tools/wheel-licenses", wheel, stand_ins)
    with zipfile.ZipFile(wheel) as archive:
        texts = {Path(name).name: archive.read(name).decode() for name in archive.namelist() if "/licenses/bundled/" in name}
        recorded = archive.read("isthmus-1.0.dist-info/RECORD").decode()
        assert archive.read("isthmus-1.0.dist-info/licenses/LICENSE") == b"ours"
    for path in real.values():
        package = run("dpkg", "-S", f"*/{path.name}").split(":")[0]
        assert "copyright" in texts[f"{package}.txt"].lower(), path
        assert f"bundled/{package}.txt,sha256=" in recorded
    referred = set(re.findall(r"/usr/share/common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])", "".join(texts.values())))
    assert referred and {f"{name}.txt" for name in referred if Path("/usr/share/common-licenses", name).exists()} <= set(texts)


def test_a_library_of_unknown_licence_is_refused(stand_ins, root, tmp_path):
    wheel = made_up_wheel(tmp_path, ["libnobody-knows.so.1"])
    before = wheel.read_bytes()
    done = subprocess.run([sys.executable, root / "tools/wheel-licenses", wheel, stand_ins], capture_output=True, text=True)
    assert done.returncode != 0
    assert "libnobody-knows.so.1; its licence is not known" in done.stderr
    assert wheel.read_bytes() == before


def test_the_projects_own_licences_go_with_the_package(root):
    listed = (root / "pyproject.toml").read_text()
    assert 'license-files = ["LICENSE", "NOTICE", "licenses/*"]' in listed
    notice = (root / "NOTICE").read_text()
    for text in (root / "licenses").iterdir():
        assert text.stat().st_size > 0
        assert text.stem.lower() in notice.lower(), f"NOTICE does not name {text.stem}"
