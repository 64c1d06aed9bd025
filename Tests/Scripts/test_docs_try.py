# SPDX-License-Identifier: Apache-2.0
"""The run of the pages' commands: how a page is read, what counts as equal, and that a wrong page fails. A script stands for pinna."""
import importlib.machinery
import importlib.util
import re

import docs_material
import docs_terminal
import pytest
from conftest import ROOT

LOADER = importlib.machinery.SourceFileLoader("docs_try", str(ROOT / ".ci/docs_try"))
docs_try = importlib.util.module_from_spec(importlib.util.spec_from_loader("docs_try", LOADER))
LOADER.exec_module(docs_try)

PROGRAM = """#!/bin/bash
[[ $1 != --wrong ]] || { echo "unknown option" >&2; exit 2; }
echo "output    $2: $(stat -c %s "${3:-/dev/null}") bytes"
echo "speed     ${RANDOM}× real time, 0.1 CPU s, 9 MiB"
"""
PAGE = """# A page

```console
$ pinna render out.wav
output    out.wav: 0 bytes
speed     163× real time, 0.09 CPU s, 81 MiB
$ pinna render walk Golden/Media/channel-walk.mkv          # a comment
…
speed     1× real time, 0.09 CPU s, 81 MiB
```

```yaml list.yaml
items: 1
```

```
cat list.yaml
make demo
```
"""


# Inputs that a page's manifest names.
IN_FILES = {"albums/**/*.flac"}


@pytest.fixture
def tried(tmp_path, capsys):
    """Runs a page with this text, and answers the exit code and what was printed."""
    program = tmp_path / "pinna"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    page = tmp_path / "page.md"

    def run(text, *options):
        page.write_text(text)
        code = docs_try.main([*options, str(program), str(page)])
        return code, capsys.readouterr().out, page.read_text()
    return run


def commands(text):
    return [(command.line, command.text, command.shown) for command in docs_try.parsed(text)[0] if not command.isAlone]


def test_commands_have_their_lines_and_outputs():
    assert commands(PAGE) == [
        (4, "pinna render out.wav", ["output    out.wav: 0 bytes", "speed     163× real time, 0.09 CPU s, 81 MiB"]),
        (7, "pinna render walk Golden/Media/channel-walk.mkv", ["…", "speed     1× real time, 0.09 CPU s, 81 MiB"]),
        (17, "cat list.yaml", None), (18, "make demo", None)]


def test_a_line_that_goes_on_is_one_command():
    assert commands("```\npinna a \\\n  b    # c\npinna d\n```\n") == [(2, "pinna a \\\n  b", None), (4, "pinna d", None)]
    assert commands("```console\n$ pinna a \\\n    b\nout\n```\n") == [(2, "pinna a \\\n    b", ["out"])]


def test_a_command_in_a_sentence_is_tried_if_its_input_can_be_made(tried):
    code, out, _ = tried("See `pinna probe FILE`, `pinna probe`.\n\n| a | `pinna --wrong way.csv` |\n\n`pinna a way.csv`\n")
    assert code == 1
    assert out.startswith("page.md: 2 commands, 0 outputs equal, 1 FAILED\n") and "page.md:3: exit code 2 instead of 0" in out


def test_a_block_in_a_list_and_one_of_another_language():
    assert commands("- item\n\n  ```\n  pinna a\n  ```\n\n```swift\nlet a = 1\n```\n") == [(4, "pinna a", None)]


def test_a_named_block_is_a_file():
    assert docs_try.parsed(PAGE)[1] == {"list.yaml": "items: 1\n"}


@pytest.mark.parametrize("text", ["```\nPreamp: 1\n```\n", "```console\noutput first\n```\n", "```fish\npinna a\n```\n"])
def test_a_line_that_is_no_command_is_refused(text):
    with pytest.raises(ValueError):
        docs_try.parsed(text)


@pytest.mark.parametrize("shown, came", [
    (["a"], ["a"]), (["…"], []), (["…", "c"], ["a", "b", "c"]), (["a", "…", "d", "…"], ["a", "b", "c", "d"]),
    (["speed     9× real time, 1.00 CPU s, 8 MiB"], ["speed     163× real time, 0.09 CPU s, 81 MiB"]),
    (["gain 5.69 dB"], ["gain 5.70 dB"]), (["1; …; 3"], ["1; 2; 3"])])
def test_equal_outputs(shown, came):
    assert docs_try.matches(shown, came)


@pytest.mark.parametrize("shown, came", [
    (["a"], ["b"]), (["a"], []), ([], ["a"]), (["a", "…"], ["b", "a"]), (["gain 5.69 dB"], ["gain 5.71 dB"]),
    (["gain 5.7 dB"], ["gain 5.70 dB"]), (["720128 samples"], ["720129 samples"]), (["gain 5.69 dB"], ["gain -5.69 dB"])])
def test_other_outputs(shown, came):
    assert not docs_try.matches(shown, came)


def test_outputs_of_a_command_are_not_its_inputs():
    names = set(docs_try.read_names("pinna render film.mkv --tap post:fir=fix.wav -o a.wav --also speakers:b.flac < in > out"))
    assert {"film.mkv", "fix.wav", "in"} <= names
    assert not {"a.wav", "b.flac", "out"} & names


def test_a_right_page_passes(tried):
    code, out, _ = tried(PAGE)
    assert code == 0
    assert out.startswith("page.md: 4 commands, 2 outputs equal, 1 skipped (make builds the program)\n")
    # What is skipped is named.
    assert "page.md:18: skipped, make builds the program: make demo" in out


def test_a_wrong_output_fails(tried):
    code, out, _ = tried(PAGE.replace("0 bytes", "1 bytes"))
    assert code == 1
    assert "1 outputs equal" in out and "1 FAILED" in out and "page.md:4: another output: pinna render out.wav" in out
    assert "came: output    out.wav: 0 bytes" in out and "page: output    out.wav: 1 bytes" in out


def test_an_output_that_the_page_leaves_out_fails(tried):
    code, out, _ = tried("```console\n$ pinna render out.wav\n```\n")
    assert code == 1 and "came: output    out.wav: 0 bytes" in out


def test_a_wrong_option_fails(tried):
    code, out, _ = tried("```\npinna --wrong\n```\n")
    assert code == 1
    assert "page.md:2: exit code 2 instead of 0: pinna --wrong" in out and "came: unknown option" in out


def test_what_came_is_written_and_what_varies_stays(tried):
    wrong = PAGE.replace("0 bytes", "1 bytes")
    assert tried(wrong, "--write")[2] == PAGE
    assert tried(PAGE, "--write")[2] == PAGE


def test_lines_between_dots_are_those_with_the_same_label():
    assert docs_try.rewritten(["…", "tap       a", "          b", "…", "output    c"],
                              ["input     x", "tap       d", "          e", "loudness  f", "output    g"]) == [
        "…", "tap       d", "          e", "…", "output    g"]


def test_a_command_without_its_input_is_skipped_with_the_reason(tried, monkeypatch):
    monkeypatch.setattr(docs_material, "SHARED", [])
    code, out, _ = tried("```\npinna a film.ac4 -o made.wav\npinna b made.wav\n```\n")
    assert code == 0
    assert "2 skipped (../shared/media/ChannelCheck.ac4 isn't there; reads what a skipped command makes)" in out


def test_a_stated_exit_code_passes_and_a_fault_that_is_gone_fails(tried, monkeypatch):
    monkeypatch.setattr(docs_try, "CODES", [("page.md", "wrong", 2, "the page says so")])
    assert tried("```\npinna --wrong\n```\n")[0] == 0
    monkeypatch.setattr(docs_try, "CODES", [])
    monkeypatch.setattr(docs_try, "FAULTS", [("page.md", "^pinna", 2, "it is wrong")])
    code, out, _ = tried("```\npinna --wrong\n```\n")
    assert code == 0 and "1 known faults" in out and "page.md:2: fault of the program, it is wrong: pinna --wrong" in out
    code, out, _ = tried("```\npinna right\n```\n")
    assert code == 1 and "exit code 0 instead of 2" in out


def test_an_input_is_made_when_a_command_names_it(tmp_path):
    materials = docs_material.Materials(tmp_path, tmp_path / "made")
    materials.put("page.md", "Golden/Media/channel-walk.mkv", tmp_path)
    materials.put("page.md", "way.csv", tmp_path)
    assert (tmp_path / "Golden/Media/channel-walk.mkv").stat().st_size > 100_000
    # A page's own file stays, and other words stand for nothing.
    (tmp_path / "way.csv").write_text("mine")
    for word in ("way.csv", "Golden", "--help"):
        materials.put("page.md", word, tmp_path)
    assert (tmp_path / "way.csv").read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"made", "Golden", "way.csv"}


def test_a_command_ends_in_time(tmp_path):
    env = docs_terminal.environment(tmp_path, tmp_path / "home")
    assert docs_terminal.run("echo a; sleep 30", tmp_path, env, 0.5, terminal=False) == (None, ["a"])
    assert docs_terminal.run("tput cols; exit 3", tmp_path, env, 20, terminal=True) == (3, ["80"])


def test_a_terminal_shows_the_last_version_of_a_line():
    assert docs_terminal.shown(b"\r\x1b[Kone\r\x1b[K\x1b[1mtwo\x1b[0m\r\nthree\r\n") == ["two", "three"]


def test_the_pages_can_be_read_and_the_tables_are_used():
    """Each row of the tables of exceptions is one of a page's commands."""
    pages = {str(path.relative_to(ROOT)): docs_try.parsed(path.read_text())[0] for pattern in docs_try.PAGES for path in ROOT.glob(pattern)}
    assert len(pages) > 15
    everything = [command.text for found in pages.values() for command in found]
    for pattern, *_ in docs_try.SKIPPED:
        assert any(re.search(pattern, text) for text in everything), pattern
    names = {name for text in everything for name in docs_try.read_names(text)}
    for name in docs_material.MAKERS:
        assert any(word == name.split()[-1] or name.endswith("/") and word.startswith(name) for word in names) or name in IN_FILES, name
    for page, pattern, *_ in docs_try.CODES + docs_try.FAULTS:
        assert any(re.search(pattern, command.text) for command in pages[page]), pattern
