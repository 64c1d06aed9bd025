# SPDX-License-Identifier: Apache-2.0
"""Runs a command for docs_try: in a folder and a HOME of its own, without a network, and on a terminal of 80 columns if asked."""
import fcntl
import functools
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

COLUMNS = 80
KEPT = ("PATH", "TMPDIR", "LD_LIBRARY_PATH")


def install(pinna, scratch):
    """A folder for PATH with the program, and its host of plugins if there is one."""
    folder = scratch / "bin"
    folder.mkdir(parents=True)
    (folder / "pinna").symlink_to(pinna)
    if (pinna.parent / "pinna-lv2").exists():
        (folder / "pinna-lv2").symlink_to(pinna.parent / "pinna-lv2")
    return folder


def environment(programs, home):
    """Variables of a command: none of the caller's but for a few, so that no setting of a user's acts."""
    home.mkdir(parents=True)
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | {"PATH": f"{programs}:{kept.get('PATH', os.defpath)}", "HOME": str(home), "LC_ALL": "C.UTF-8", "TERM": "xterm",
                   "GITHUB_STEP_SUMMARY": str(home / "summary.md")}


@functools.cache
def without_network():
    """Words that start a command without a network, or none where the system doesn't allow that."""
    for words in (["unshare", "-n"], ["unshare", "-rn"]):
        try:
            if subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0:
                return words
        except FileNotFoundError:
            break
    print("docs-try: commands aren't kept from the network here, because unshare -n fails")
    return []


def shown(data):
    """Lines as a terminal shows them: without colours, and of a line that is drawn again the last version."""
    lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    plain = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line.rstrip("\r").rsplit("\r", 1)[-1]).rstrip() for line in lines]
    return plain[:-1] if plain[-1] == "" else plain


def run(text, folder, env, seconds, terminal):
    """Runs a command by bash; its exit code, or None when the time was up, and the lines of both its outputs."""
    reader, writer = pty.openpty() if terminal else os.pipe()
    if terminal:
        fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    process = subprocess.Popen([*without_network(), "bash", "-c", text], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                               stdout=writer, stderr=writer, start_new_session=True)
    os.close(writer)
    data, end = b"", time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([reader], [], [], left)[0]:
            try:
                part = os.read(reader, 65536)
            except OSError:  # A terminal without a writer gives EIO.
                break
            if not part:
                break
            data += part
    in_time = time.monotonic() < end
    if not in_time:
        os.killpg(process.pid, signal.SIGKILL)
    os.close(reader)
    code = process.wait()
    return code if in_time else None, shown(data)
