# SPDX-License-Identifier: Apache-2.0
import subprocess

import house_rules
import pytest

LONG_FUNCTION = "struct Long {\n  func long() {\n" + "    work()\n" * 59 + "  }\n}\n"


@pytest.mark.parametrize("path, text, found", [
    ("Sources/ADM/A.swift", "import Glibc\n", ":1: import Platform"),
    ("Tests/ADMTests/A.swift", "\nlet a = Glibc.getpid()\n", ":2: import Platform"),
    ("Sources/ADM/A.swift", "import FoundationEssentials\n", ":1: import Essentials"),
    ("Sources/ADM/A.swift", "  #if os(Linux)\n", ":1: only Platform and Essentials"),
    ("Sources/ADM/A.swift", "let a = b as? MediaInput\n", ":1: no downcast"),
    ("Sources/ADM/A.swift", "let a = try! b()\n", ":1: no try!"),
    ("Sources/ADM/A.swift", "final class A: @unchecked Sendable {}\n", ":1: say in the lines above"),
    ("Sources/ADM/A.swift", "/// What it holds.\nlet a = 1\n", ':1: begin the comment with the noun that it is about instead of "What"'),
    ("Tests/ADMTests/A.swift", "let a = 1\n  // The same for b.\n", ":2: begin the comment"),
    ("Sources/ADM/A.swift", "// MARK: Places\n/// Where it lies,\n/// It too.\n", ":2: begin the comment"),
    ("Sources/ADM/A.swift", "/// A place.\n\n/// Whose it is.\n", ":3: begin the comment"),
    ("Sources/ADM/A.swift", "let a = 1\n" * 501, ": 501 lines"),
    ("Tests/a.py", "a = 1\n" * 501, ": 501 lines"),
    ("Sources/ADM/A.swift", LONG_FUNCTION, ":2: 61 lines"),
    ("Tests/a.py", "def a():\n" + "    b()\n" * 60, ":1: 61 lines"),
])
def test_what_breaks_a_rule_is_found(path, text, found):
    findings = list(house_rules.source_findings(path, text))
    assert len(findings) == 1 and findings[0].startswith(path + found)


@pytest.mark.parametrize("path, text", [
    ("Sources/Platform/Libc.swift", "import Glibc\n"),
    ("Sources/Essentials/Essentials.swift", "import FoundationEssentials\n#if os(Linux)\n"),
    ("Tests/ADMTests/A.swift", "#if os(Linux)\nlet a = try! b()\n"),
    ("Sources/ADM/A.swift", "// Sendable, because nobody changes it.\nfinal class A: @unchecked Sendable {}\n"),
    ("Sources/ADM/A.swift", "/// A place.\n///\n/// Where nothing lies,\n/// It is free.\nlet a = 1\n"),
    ("Sources/ADM/A.swift", "/// Its place.\n// Whatever comes.\n//// What a line.\nlet a = 1 // What a line.\n"),
    ("Golden/A.swift", "/// What it holds.\n"),
    ("Tests/a.py", "# What it holds.\n"),
    ("Sources/ADM/A.swift", "let a = 1\n" * 500),
    ("Sources/ADM/A+Table.swift", "let a = 1\n" * 501),
    ("Sources/ADM/A.swift", LONG_FUNCTION.replace("    work()\n", "", 1)),
    ("Tests/a.py", "def a():\n" + "    b()\n" * 59),
])
def test_what_keeps_the_rules_passes(path, text):
    assert not list(house_rules.source_findings(path, text))


@pytest.mark.parametrize("text, is_found", [
    ("let a = 1\n", True), (f"// {house_rules.LICENCE}\nlet a = 1\n", False),
    (f"// swift-tools-version: 6.1\n// {house_rules.LICENCE}\n", False),
    ("// Written by Resources/make-a.py; don't edit.\nlet a = 1\n", False),
    ("let a = 1\n" * 50 + f"// {house_rules.LICENCE}\n", True),
])
def test_files_name_their_licence(text, is_found):
    assert bool(list(house_rules.unlicensed("Sources/A.swift", text))) == is_found


@pytest.fixture
def repository(tmp_path):
    """A repository of one small file, and a function that runs git in it."""
    def git(*words):
        subprocess.run(["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True)
    git("init", "-q")
    (tmp_path / "a.py").write_text(f"# {house_rules.LICENCE}\na = 1\n")
    git("add", ".")
    git("commit", "-qm", "a")
    return tmp_path, git


def test_a_large_file_stays_found_after_its_removal(repository):
    folder, git = repository
    assert not list(house_rules.findings(folder))
    (folder / "render.bin").write_bytes(bytes(house_rules.LARGEST_FILE + 1))
    git("add", ".")
    assert len(list(house_rules.findings(folder))) == 1
    git("commit", "-qm", "b")
    git("rm", "-q", "render.bin")
    git("commit", "-qm", "c")
    findings = list(house_rules.findings(folder))
    assert len(findings) == 1 and findings[0].startswith("render.bin: 1048577 bytes in a commit")


def test_an_empty_list_of_files_is_a_failure(repository):
    folder, git = repository
    git("rm", "-q", "a.py")
    git("commit", "-qm", "b", "--allow-empty")
    assert "nothing can be checked" in " ".join(house_rules.findings(folder))


def test_a_folder_without_git_is_an_error(tmp_path):
    with pytest.raises(subprocess.CalledProcessError):
        list(house_rules.findings(tmp_path))


def test_builds_must_not_be_tracked(repository):
    folder, git = repository
    (folder / "out").mkdir()
    (folder / "out/a.json").write_text("{}")
    git("add", "-f", ".")
    assert list(house_rules.findings(folder)) == ["out/a.json: must not be tracked"]
