#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Python with lm_eval 0.4.4 in a folder of its own.

    PYTHON_WITH_TORCH environment.py FOLDER

Makes the environment unless it is there and prints its Python. torch is linked from the Python that runs this and named to pip as
it is, so that pip can neither replace it nor fetch gigabytes.
"""

import hashlib
import importlib.metadata
import pathlib
import subprocess
import sys
import venv

REQUIREMENTS = pathlib.Path(__file__).with_name("requirements.txt")


def link_torch(python):
    version = importlib.metadata.version("torch")
    source = pathlib.Path(importlib.metadata.distribution("torch").locate_file(""))
    ask = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    target = pathlib.Path(subprocess.run([python, "-c", ask], check=True, capture_output=True, text=True).stdout.strip())
    for name in ("torch", "torchgen", "functorch", f"torch-{version}.dist-info"):
        if (source / name).exists():
            (target / name).symlink_to(source / name)
    return version


def make(folder):
    """The environment's Python; pip's output goes to standard error."""
    folder = pathlib.Path(folder).absolute()
    python, stamp = folder / "bin" / "python", folder / "complete"
    key = importlib.metadata.version("torch") + " " + hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text() == key:
        return python
    venv.create(folder, clear=True, with_pip=True)
    version = link_torch(python)
    subprocess.run([python, "-m", "pip", "--disable-pip-version-check", "install", f"torch=={version}", "-r", REQUIREMENTS],
                   check=True, stdout=sys.stderr)
    stamp.write_text(key)
    return python


if __name__ == "__main__":
    print(make(sys.argv[1]))
