# SPDX-License-Identifier: Apache-2.0
"""Tests of the scripts in .ci and of the drivers in Tests: `make lint` runs them. None of them needs a built program."""
import pathlib
import struct
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / ".ci"), str(ROOT / "Tests/Benchmarks"), str(ROOT / "Tests/Strangers"), str(ROOT / "Tests/BadInputs"),
                str(ROOT / "Tests/Same")]


@pytest.fixture
def sound(tmp_path):
    """Makes a mono WAV file of 32-bit floats, opened as `make strangers` opens it."""
    import samples

    def make(values):
        data = struct.pack(f"<{len(values)}f", *values)
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.wav"
        form = struct.pack("<HHIIHH", 3, 1, 8000, 32000, 4, 32)
        head = b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack("<I", 16) + form
        path.write_bytes(head + b"data" + struct.pack("<I", len(data)) + data)
        return samples.Sound(path)
    return make
