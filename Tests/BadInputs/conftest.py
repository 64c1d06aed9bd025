# SPDX-License-Identifier: Apache-2.0
"""Options of `make bad-inputs`, the corpus, and what its tests share."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import probing
import pytest
from batches import Batches
from checks import Case, Renders

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
PLACES = [HERE / "../../../shared/badinputs/badinputs.py", HERE / "../../../../shared/badinputs/badinputs.py"]


def pytest_addoption(parser):
    parser.addoption("--pinna", default=".build/release/pinna", help="the program")
    parser.addoption("--corpus", help="the script that makes the corpus (default: the one beside the checkout)")


def pytest_configure(config):
    """Makes the corpus anew; its manifest has an entry for each file."""
    given = config.getoption("corpus")
    maker = next((place for place in ([pathlib.Path(given)] if given else PLACES) if place.exists()), None)
    config.scratch = pathlib.Path(tempfile.mkdtemp(prefix="bad-inputs-")).resolve()
    config.manifest = None
    if maker:
        root = config.scratch / "corpus"
        root.mkdir()
        options = [] if shutil.which("ffmpeg") else ["--no-ffmpeg"]
        subprocess.run([sys.executable, maker, root, *options], check=True, stdout=subprocess.DEVNULL)
        config.manifest = json.loads((root / "manifest.json").read_text())


def pytest_unconfigure(config):
    shutil.rmtree(config.scratch, ignore_errors=True)


def pytest_generate_tests(metafunc):
    """A test for each file, and for each manifest of a batch. Names of files may hold anything."""
    for name, is_manifest in (("media", False), ("manifest", True)):
        if name in metafunc.fixturenames:
            entries = [entry for entry in (metafunc.config.manifest or {"files": []})["files"]
                       if (entry.get("kind") == "manifest") == is_manifest]
            metafunc.parametrize(name, entries, ids=[entry["file"].encode("unicode_escape").decode() for entry in entries])


@pytest.fixture(scope="session")
def strace():
    """The path of strace, where it may trace."""
    found = probing.tracer()
    if not found:
        print("bad-inputs: strace can't be used, so sockets and files read elsewhere aren't checked")
    return found


@pytest.fixture(scope="session")
def renders(pytestconfig, strace):
    """Renders each file by a process of its own."""
    if pytestconfig.manifest is None:
        pytest.skip("the script that makes the corpus isn't beside the checkout")
    pinna, scratch = os.path.abspath(pytestconfig.getoption("pinna")), str(pytestconfig.scratch)
    return Renders(pinna, scratch + "/corpus", pytestconfig.manifest, scratch, strace)


@pytest.fixture(scope="session")
def batches(renders):
    """Runs batches over the same corpus."""
    return Batches(renders.pinna, renders.root, renders.manifest, renders.scratch, renders.strace, renders.checker)


@pytest.fixture(scope="session")
def batch(batches):
    """All files by one call: a case for each, and what was wrong with the batch as a whole."""
    cases = {entry["file"]: Case(entry) for entry in batches.manifest["files"] if entry.get("kind") != "manifest"}
    return cases, batches.judge_files(list(cases.values()))
