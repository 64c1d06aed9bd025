# SPDX-License-Identifier: Apache-2.0
"""Options of `make cluster-test`, and the batch."""
import os
import shutil
import sys
import tempfile

import pytest

# Its assertions say what they compared, too.
pytest.register_assert_rewrite("made_batch")
from made_batch import MadeBatch

sys.dont_write_bytecode = True


def pytest_addoption(parser):
    parser.addoption("--pinna", default=".build/release/pinna", help="the program")


@pytest.fixture(scope="session")
def batch(pytestconfig):
    base = os.path.realpath(tempfile.mkdtemp(prefix="pinna-cluster-"))
    # Jobs of other users must be able to read in it.
    os.chmod(base, 0o755)
    made = MadeBatch(os.path.abspath(pytestconfig.getoption("pinna")), base)
    yield made
    made.server.stop()
    shutil.rmtree(base, ignore_errors=True)
