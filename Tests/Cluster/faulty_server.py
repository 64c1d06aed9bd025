# SPDX-License-Identifier: Apache-2.0
"""An http server on the loopback whose files do harm: one is never there, another kills who asks."""
import http.server
import os
import signal
import threading


def owner(port):
    """The process whose socket has this local port on 127.0.0.1; None when it isn't found."""
    wanted = f"0100007F:{port:04X}"
    with open("/proc/net/tcp") as lines:
        inodes = {line.split()[9] for line in lines if line.split()[1] == wanted}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            for name in os.listdir(f"/proc/{pid}/fd"):
                link = os.readlink(f"/proc/{pid}/fd/{name}")
                if link.startswith("socket:[") and link[8:-1] in inodes:
                    return int(pid)
        except OSError:
            continue
    return None


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers 503 to everything; a process that asks for a name with `crash` gets SIGSEGV instead."""

    def do_GET(self):
        if "crash" in self.path:
            pid = owner(self.client_address[1])
            if pid and pid != os.getpid():
                self.server.killed.append(pid)
                os.kill(pid, signal.SIGSEGV)
            return
        self.server.refused += 1
        self.send_response(503)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class FaultyServer:
    """The server in a thread."""

    def __init__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.killed, self.server.refused = [], 0
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def killed(self):
        return len(self.server.killed)

    @property
    def refused(self):
        return self.server.refused

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
