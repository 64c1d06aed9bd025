# SPDX-License-Identifier: Apache-2.0
"""Replays the writes, syncs and renames that strace recorded, and finds names that a power cut could leave without content."""
import os
import re

CALLS = ("open,openat,creat,write,pwrite64,writev,pwritev,ftruncate,fsync,fdatasync,sync_file_range,rename,renameat,"
         "renameat2,link,linkat,mkdir,mkdirat,unlink,unlinkat,rmdir,copy_file_range,sendfile")
LINE = re.compile(r"^(\d+) +(\w+)\((.*)\) += +(-?\d+)(?:<(.*?)>)?(?: .*)?$")
BEGUN = re.compile(r"^(\d+) +(.*) <unfinished \.\.\.>$")
ENDED = re.compile(r"^(\d+) +<\.\.\. (\w+) resumed>(.*)$")
DESCRIPTOR = re.compile(r"^(?:AT_FDCWD|\d+)<(.*?)(?:\(deleted\))?>$")


def calls(path):
    """Successful calls in the order in which they ended: name, arguments, and the path of the descriptor that came back."""
    begun = {}
    with open(path, errors="replace") as lines:
        for line in lines:
            line = line.rstrip("\n")
            part = BEGUN.match(line)
            if part:
                begun[part[1]] = part[2]
                continue
            part = ENDED.match(line)
            if part:
                line = f"{part[1]} {begun.pop(part[1], part[2] + '(')}{part[3]}"
            found = LINE.match(line)
            if found and int(found[4]) >= 0:
                yield found[2], split(found[3]), found[5]


def split(text):
    """The arguments of a call: commas in quotes and brackets don't part them."""
    parts, depth, quoted, start, previous = [], 0, False, 0, ""
    for place, letter in enumerate(text):
        if letter == '"' and previous != "\\":
            quoted = not quoted
        elif not quoted and letter in "<[{(":
            depth += 1
        elif not quoted and letter in ">]})":
            depth -= 1
        elif letter == "," and not quoted and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
        previous = letter
    return parts + [text[start:].strip()]


class Disk:
    """What of the files below `root` is certain to be on the disk.

    Content and names that weren't synced may or may not be there after a power cut; the worse case counts."""

    def __init__(self, root, cwd, promised):
        # `promised` says of a path whether its name promises whole content.
        self.root, self.cwd, self.promised = root, cwd, promised
        self.unsynced = {}  # path of a file: what happened to it since its last sync
        self.entries = {}   # folder: names that were made, removed or replaced in it since its last sync
        self.named = []     # final names that appeared, in order
        self.faults = []
        self.counts = {"writes": 0, "syncs": 0, "names": 0}

    def path(self, folder, name=None):
        base = self.cwd
        if folder is not None:
            found = DESCRIPTOR.match(folder)
            base = found[1] if found else self.cwd
        if name is None:
            return base
        return os.path.normpath(os.path.join(base, name.strip('"')))

    def take(self, call, words, result):
        """One call. Its kind decides which of its words are paths."""
        if call in ("open", "openat", "creat"):
            self.opened(call, words, result)
        elif call in ("write", "pwrite64", "writev", "pwritev", "ftruncate", "copy_file_range", "sendfile"):
            # copy_file_range(2) writes to its third word, sendfile(2) to its first.
            self.write(self.path(words[2] if call == "copy_file_range" else words[0]))
        elif call in ("fsync", "fdatasync"):
            self.sync(self.path(words[0]))
        elif call in ("rename", "link"):
            self.name(self.path(None, words[0]), self.path(None, words[1]), call == "link")
        elif call in ("renameat", "renameat2", "linkat"):
            self.name(self.path(words[0], words[1]), self.path(words[2], words[3]), call == "linkat")
        elif call in ("unlink", "rmdir", "mkdir"):
            self.entry(self.path(None, words[0]))
        elif call in ("unlinkat", "mkdirat"):
            self.entry(self.path(words[0], words[1]))
            if call == "unlinkat":
                self.unsynced.pop(self.path(words[0], words[1]), None)

    def opened(self, call, words, result):
        flags = "O_CREAT|O_TRUNC" if call == "creat" else words[-1] if "O_" in words[-1] else words[-2]
        if result and self.inside(result) and ("O_CREAT" in flags or "O_TRUNC" in flags):
            self.unsynced[result] = "made"
            self.entry(result)
            if self.promised(result):
                self.faults.append(f"{self.short(result)} is written under its final name")

    def write(self, path):
        if self.inside(path):
            self.counts["writes"] += 1
            self.unsynced[path] = "written"
            if self.promised(path):
                self.faults.append(f"{self.short(path)} is written to under its final name")

    def sync(self, path):
        if self.inside(path):
            self.counts["syncs"] += 1
            self.unsynced.pop(path, None)
            self.entries.pop(path, None)

    def entry(self, path):
        if self.inside(path):
            self.entries.setdefault(os.path.dirname(path), set()).add(os.path.basename(path))

    def name(self, old, new, is_link):
        if not self.inside(new):
            return
        for path in [path for path in self.unsynced if path == old or path.startswith(old + "/")]:
            state = self.unsynced[path] if is_link else self.unsynced.pop(path)
            target = new + path[len(old):]
            self.unsynced[target] = state
            if self.promised(target):
                self.faults.append(f"{self.short(target)} gets its name before its content is synced")
        if self.promised(new):
            inner = [folder for folder in self.entries if folder == old or folder.startswith(old + "/")]
            if inner:
                self.faults.append(f"{self.short(new)} gets its name before the names in it are synced")
        for folder in [folder for folder in self.entries if folder == old or folder.startswith(old + "/")]:
            self.entries[new + folder[len(old):]] = self.entries.pop(folder)
        self.entry(old)
        self.entry(new)
        if self.promised(new):
            self.counts["names"] += 1
            self.named.append(new)

    def end(self):
        """What isn't certain when the program says that it is done."""
        for path in self.named:
            if os.path.basename(path) in self.entries.get(os.path.dirname(path), ()):
                self.faults.append(f"the folder of {self.short(path)} isn't synced after its name appeared")

    def inside(self, path):
        return path.startswith(self.root + "/")

    def short(self, path):
        return os.path.relpath(path, self.root)


def replay(trace, root, cwd, promised):
    """The state after all recorded calls; its `faults` say what a power cut could break."""
    disk = Disk(root, cwd, promised)
    for call, words, result in calls(trace):
        disk.take(call, words, result)
    disk.end()
    return disk
