# SPDX-License-Identifier: Apache-2.0
"""Runs one case with one program, and digests what it leaves."""
import contextlib
import dataclasses
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess

import payloads
import scrubbing

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A run takes less than a second; the machine may be busy with other work.
PATIENCE = 300
# No exit code of Pinna, but that of timeout(1).
HUNG = 124
TEXTS = {".json", ".html", ".xml", ".md", ".csv", ".txt", ".svg", ".m3u8", ".yaml", ".yml", ".cue", ".vtt", ".srt", ".sh", ".xspf",
         ".ffmeta", ".m3u", ".pls", ".smk"}
NOT_ZERO, ANY = "not 0", "any"


@dataclasses.dataclass(frozen=True)
class Case:
    """A row of the tables: its group, its name, and the command lines that are run one after the other, without the program's
    name. `ends` says how the last one ends: an exit code, or NOT_ZERO or ANY."""
    group: str
    name: str
    steps: str
    ends: int | str = 0

    @property
    def title(self):
        """Its name in messages, unique."""
        return f"{self.group}: {self.name}"

    @property
    def folder(self):
        """The name of its folder, unique and short."""
        short = re.sub(r"[^\w.-]+", "-", self.title)[:60].strip("-")
        return f"{short}-{hashlib.sha256(self.title.encode()).hexdigest()[:6]}"

    def fits(self, code):
        """Whether it may end with an exit code."""
        return {NOT_ZERO: code != 0, ANY: True}.get(self.ends, code == self.ends)

    def lacks(self, inputs):
        """The inputs that it reads and that aren't there."""
        return sorted({word for word in re.findall(r"\bin/([\w.-]*shared[\w.-]*\w)", self.steps) if not (inputs / word).exists()})


class Place:
    """Where one program runs the cases: a work folder with the same name for every program, since paths are part of outputs."""

    def __init__(self, program, work, inputs, files):
        self.program, self.work, self.inputs, self.files = program, work, inputs, files

    def run(self, case):
        """The case's parts by their names, each with its kind and digests; what it left lies in the folder of files then."""
        folder = self.work / case.folder
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "tmp").mkdir(parents=True)
        (folder / "home").mkdir()
        # An output named `folder/` lies in a folder that exists.
        (folder / "folder").mkdir()
        if "in" in re.findall(r"\bin\b", case.steps):
            shutil.copytree(self.inputs, folder / "in", copy_function=os.link)
        text, code = self.steps(case, folder)
        for name in ("in", "tmp", "home"):
            shutil.rmtree(folder / name, ignore_errors=True)
        (folder / "run.txt").write_text(text)
        parts = {str(path.relative_to(folder)): self.part(path, folder) for path in sorted(folder.rglob("*")) if path.is_file()}
        kept = self.files / case.folder
        shutil.rmtree(kept, ignore_errors=True)
        shutil.move(folder, kept)
        return {"code": code, "folder": case.folder, "parts": parts}

    def steps(self, case, folder):
        """Runs the command lines; answers them with their exit codes and what they printed, and the last exit code."""
        text, code = "", 0
        for line in case.steps.split(" && "):
            words = [word.replace("{here}", str(folder)).replace("{checkout}", str(ROOT)) for word in shlex.split(line)]
            if words[0] == "scrub":
                # A step that fails may leave none.
                for path in (folder / word for word in words[1:] if (folder / word).exists()):
                    path.write_text(self.scrub(path.read_text(), folder))
                continue
            done = self.command(words, folder)
            code = done.returncode
            printed = self.scrub(done.stdout.decode("utf-8", "backslashreplace"), folder)
            errors = self.scrub(done.stderr.decode("utf-8", "backslashreplace"), folder)
            text += f"$ pinna {line}\nexit code {code}\n--- stdout\n{printed}--- stderr\n{errors}"
        return text, code

    def command(self, words, folder):
        """One command. Its last words may be < FILE and > FILE, in this order."""
        with contextlib.ExitStack() as files:
            ends = {"stdout": subprocess.PIPE, "stdin": subprocess.DEVNULL}
            for sign, end, mode in ((">", "stdout", "wb"), ("<", "stdin", "rb")):
                if words[-2:-1] == [sign]:
                    ends[end] = files.enter_context((folder / words[-1]).open(mode))
                    words = words[:-2]
            try:
                done = subprocess.run([self.program, *words], cwd=folder, stderr=subprocess.PIPE, env=self.environment(folder),
                                      timeout=PATIENCE, check=False, **ends)
            except subprocess.TimeoutExpired:
                return subprocess.CompletedProcess(words, HUNG, b"", f"same: it didn't end within {PATIENCE} s\n".encode())
        done.stdout = done.stdout or b""
        return done

    def environment(self, folder):
        kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        # Documents that state when they were made are the same in each run.
        kept["SOURCE_DATE_EPOCH"] = "1700000000"
        home = str(folder / "home")
        return {**kept, "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": home, "XDG_CACHE_HOME": home + "/cache", "XDG_CONFIG_HOME": home,
                "TMPDIR": str(folder / "tmp"), "COLUMNS": "80", "SWIFT_BACKTRACE": "enable=no"}

    def scrub(self, text, folder):
        program = pathlib.Path(self.program).resolve().parent
        return scrubbing.scrub(text, [(str(folder), "/run"), (str(self.program), "pinna"), (str(program), "/program"), (str(ROOT), "/checkout")])

    def part(self, path, folder):
        """Kind and digests of a file. A text is scrubbed in its place."""
        if path.suffix in TEXTS or path.name.startswith("completion"):
            text = self.scrub(path.read_text(encoding="utf-8", errors="backslashreplace"), folder)
            path.write_text(text)
            return {"kind": "text", "bytes": hashlib.sha256(text.encode()).hexdigest()}
        data = path.read_bytes()
        found = {"kind": "bytes", "bytes": hashlib.sha256(data).hexdigest()}
        if media := payloads.digest(path.name, data):
            found |= {"kind": "media", "media": media}
        return found
