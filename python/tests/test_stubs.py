import subprocess
import sys


def test_the_committed_stubs_say_what_the_package_has(root):
    done = subprocess.run([sys.executable, root / "tools/python-stubs.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
