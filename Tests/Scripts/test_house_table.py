# SPDX-License-Identifier: Apache-2.0
import subprocess

import house_table
import pytest


def files(**texts):
    return [house_table.File(f"Sources/{name.replace('__', '/')}.swift", text) for name, text in texts.items()]


def test_a_type_for_one_other_file_that_lies_alone_is_lonely():
    long = "struct Long {\n" + "  let a = 1\n" * 60 + "}\n"
    found = files(ADM__One="struct One {}\n", ADM__User="struct User { let a: One, b: Two, c: Long, d: Pair }\n",
                  ADM__Two="struct Two {}\n", ADM__Second="/// One is in a comment only.\nlet second = Two()\n",
                  ADM__Long=long, ADM__Pair="struct Pair {}\nstruct Other {}\n")
    assert house_table.lonely(found, house_table.users(found)) == ["Sources/ADM/One.swift: One, for Sources/ADM/User.swift"]


@pytest.mark.parametrize("text, users, glued", [
    ("struct A {}\nstruct B {}\n", ["let a = A()", "let b = B()"], True),
    ("struct A {}\nstruct B {}\n", ["let a = (A(), B())"], False),
    ("struct A {}\nstruct B { let a: A }\n", ["let a = A()", "let b = B()"], False),
    ("struct A {}\nstruct B {}\nextension B {\n  var a: A { A() }\n}\n", ["let a = A()", "let b = B()"], False),
    ("struct A {}\nstruct B {}\nstruct C { let a: A, b: B }\n", ["let a = A()", "let b = B()"], False),
    ("struct A {}\nstruct B {}\nstruct C { let a: A }\n", ["let a = A()", "let b = B()"], True),
    ("struct A {\n  struct B {}\n}\n", ["let a = A()"], False),
    ("struct A {}\nextension C {\n  struct B {}\n}\n", ["let a = A()", "let b = B()"], True),
    ("struct A {}\nstruct B {}\nextension C {\n  var both: (A, B)\n}\n", ["let a = A()", "let b = B()"], False),
    ("struct A {}\nstruct B {}\nextension C {\n  var a: A\n}\n", ["let a = A()", "let b = B()"], True),
    ("struct A {}\nextension A {\n  struct B {}\n  var b: B { B() }\n}\n", ["let a = A()", "let b = B()"], False),
])
def test_files_that_glue_strangers_together_are_found(text, users, glued):
    found = files(ADM__A=text, **{f"ADM__User{number}": line + "\n" for number, line in enumerate(users)})
    assert bool(house_table.glued(found, house_table.users(found))) == glued


def test_doc_comments_are_read_whole():
    file = files(ADM__A="/// It is\n/// one comment.\nstruct A {\n  /// Another.\n  let a = 1  // It isn't one.\n}\n")[0]
    assert list(file.docs()) == [(1, "It is one comment."), (4, "Another.")]


def test_lists_of_options_are_found_by_keys_and_names():
    found = files(ADM__Keys='let keys = ["lfe-gain", "--dither"]\n', ADM__Names="let a = (lfeGain, dither)\n", ADM__One="let lfeGain = 1\n")
    keys = ["lfe-gain", "dither", "yaw", "pitch", "roll", "room", "layout", "bits"]
    assert house_table.option_lists(found, keys) == ["Sources/ADM/Keys.swift: 2 of 8", "Sources/ADM/Names.swift: 2 of 8"]


@pytest.mark.parametrize("name, text", [
    ("path splits by Character", 'let a = path.split(separator: "/")\nlet b = path.lastIndex(of: "/")\n'),
    ("write-all loops (files)", "while true {\n  guard write(descriptor, a, b) < 0, errno == EINTR else { break }\n}\n"),
    ("“exists already” texts", 'let a = "\\(b) exists already"\n'),
    ("declarations of dither", "struct A {\n  package var dither = Dither.none\n}\n"),
    ("files that name --lfe-gain", 'let a = "--lfe-gain"\n'),
    ("files that name a quarter of the 9 render options", "let a = (b1, b2, b3)\n"),
    ("functions of more than 60 lines", "func a() {\n" + "  b()\n" * 60 + "}\n"),
    ("files of more than 500 lines", "let a = 1\n" * 501),
])
def test_each_figure_counts_what_it_names(tmp_path, name, text):
    def rows():
        subprocess.run(["git", "-C", str(tmp_path), "add", "."], check=True)
        return {row.name: len(row.counted) for row in house_table.table(tmp_path)}
    subprocess.run(["git", "-C", str(tmp_path), "init", "-q"], check=True)
    (tmp_path / "docs/reference").mkdir(parents=True)
    (tmp_path / "docs/reference/manifest.md").write_text("".join(f"| `b{number}` | `--b{number}` | text |\n" for number in range(9)))
    (tmp_path / "Sources/ADM").mkdir(parents=True)
    (tmp_path / "Sources/ADM/Empty.swift").write_text("// " + text.replace("\n", "\n// ") + "\n" if len(text) < 200 else "\n")
    before = rows()
    (tmp_path / "Sources/ADM/B.swift").write_text(text)
    after = rows()
    assert after[name] == before[name] + len([line for line in text.splitlines() if "path." in line] or [1])
    assert {row for row in after if after[row] != before[row]} <= {name, "most files in one folder"}


def test_the_table_of_this_repository_can_be_made():
    rows = house_table.table(house_table.ROOT)
    assert all(row.today for row in rows) and all(row.why or row.today != "-" for row in rows)
    assert house_table.text(rows).splitlines()[-1].startswith("house: ")
