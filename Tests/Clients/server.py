# SPDX-License-Identifier: Apache-2.0
"""A web server on 127.0.0.1 for the browser's page and other readers: files with ranges and right types, and a place
where the page leaves its results."""
import http.server
import json
import os
import pathlib
import queue
import re
import threading
import urllib.parse

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".m3u8": "application/vnd.apple.mpegurl",
    ".m4a": "audio/mp4",
    ".m4s": "video/mp4",
    ".mp4": "video/mp4",
    ".vtt": "text/vtt",
}


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        self.server.asked.append((path, self.headers.get("Range", "")))
        if path == "/jobs":
            return self._answer(200, json.dumps(self.server.jobs).encode(), "application/json")
        root = self.server.page.parent if path == "/client.html" else self.server.folder
        file = (root / path.lstrip("/")).resolve()
        if not file.is_relative_to(root) or not file.is_file():
            return self._answer(404, b"", "text/plain")
        return self._file(file)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        _, kind, name = self.path.split("/", 2)
        if kind == "pcm":
            self.server.sound[name] = body
        else:
            self.server.results.put((name, json.loads(body)))
        self._answer(200, b"", "text/plain")

    def _answer(self, status, body, kind, headers=()):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _file(self, file):
        size = file.stat().st_size
        kind = TYPES.get(file.suffix, "application/octet-stream")
        headers = [("Accept-Ranges", "bytes"), ("Cache-Control", "no-store")]
        begin, end, status = 0, size, 200
        asked = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if asked and (asked[1] or asked[2]):
            begin = int(asked[1]) if asked[1] else max(0, size - int(asked[2]))
            end = min(size, int(asked[2]) + 1) if asked[1] and asked[2] else size
            if begin >= end:
                return self._answer(416, b"", kind, [("Content-Range", f"bytes */{size}")])
            status = 206
            headers.append(("Content-Range", f"bytes {begin}-{end - 1}/{size}"))
        with open(file, "rb") as stream:
            stream.seek(begin, os.SEEK_SET)
            try:
                self._answer(status, stream.read(end - begin), kind, headers)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the browser has what it wants


class Server(http.server.ThreadingHTTPServer):
    """Serves `folder` and client.html; `jobs` go to the page, `results` and `sound` come from it. `asked` has the path
    and the range of each request."""
    daemon_threads = True

    def __init__(self, folder, jobs=()):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folder = pathlib.Path(folder).resolve()
        self.page = pathlib.Path(__file__).resolve().parent / "client.html"
        self.jobs = jobs
        self.results = queue.Queue()
        self.sound = {}
        self.asked = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass  # a connection that the browser drops

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}"
