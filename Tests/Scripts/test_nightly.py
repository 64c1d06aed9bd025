# SPDX-License-Identifier: Apache-2.0
import re
import subprocess

import content_times
import nightly
import pytest
from conftest import ROOT


def test_nightly_jobs_are_targets_of_make():
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([\w-]+):(?!=)", makefile, re.M))
    jobs = nightly.jobs()
    assert {"fuzz", "mutants", "coverage", "soak", "bench"} <= set(jobs)
    for command in jobs.values():
        words = command.split()
        assert words[0] == "make"
        assert {word for word in words[1:] if "=" not in word and ")" not in word} <= targets
        assert all(f"$({name})" in makefile or f"$({name}," in makefile or f"if $({name})" in makefile
                   for name in re.findall(r"\b([A-Z]+)=", command))


@pytest.mark.parametrize("words, expected", [([], 1), (["good"], 0), (["bad"], 1), (["none"], 2)])
def test_a_failed_job_is_a_failure(tmp_path, monkeypatch, capfd, words, expected):
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci/nightly").write_text("# comment\ngood  echo fine\nbad  echo broken; exit 3\n")
    monkeypatch.setattr(nightly, "ROOT", tmp_path)
    monkeypatch.setattr("sys.argv", ["nightly.py", *words])
    assert nightly.main() == expected
    if words != ["none"]:
        assert ("bad: FAILED (3)" in capfd.readouterr().out) == (expected == 1)
        assert all((tmp_path / f"out/nightly/{name}.log").stat().st_size for name in words or ["good", "bad"])


def test_times_follow_from_content(tmp_path):
    def git(*words):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    git("init", "-q")
    for name, text in (("a.swift", "one"), ("b.swift", "one"), ("ü c.swift", "two")):
        (tmp_path / name).write_text(text)
    git("add", ".")
    first = content_times.times(tmp_path)
    assert first["a.swift"] == first["b.swift"] != first["ü c.swift"]
    (tmp_path / "a.swift").write_text("six")
    # Not staged: nobody knows its content yet.
    assert set(content_times.times(tmp_path)) == {"b.swift", "ü c.swift"}
    git("add", ".")
    assert content_times.times(tmp_path)["a.swift"] not in first.values()
