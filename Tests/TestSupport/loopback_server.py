#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Serves a folder on 127.0.0.1 with faults, for tests.

Prints the port, then logs one line a request ("path range connection") to the file given as second argument.
Faults are asked for in the query of a URL:
  norange        ignores Range
  cut=N          closes after N bytes of the body, the first `times` requests (default 1)
  fail=STATUS    answers STATUS, the first `times` requests (default all)
  stall          sends the header and half of the body, then nothing
  chunked        names no length
  redirect=URL   answers 302
  type=MIME      names this media type
  pace=N         sends N bytes of the body in each tenth of a second
  keep           leaves the connection open for further requests; without it, it is closed in words and in fact
  drop           closes the connection behind the answer without having said so
  leave          leaves the connection open, but closes it at the next request instead of answering
With a third argument, a PEM file with key and certificate, it speaks https.
Ends when its standard input is closed.
"""
import collections
import http.server
import itertools
import os
import ssl
import sys
import threading
import time
import urllib.parse

root, log_path = sys.argv[1:3]
seen = collections.Counter()
lock = threading.Lock()
numbers = itertools.count(1)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        self.number = next(numbers)
        self.answers = 0

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        faults = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        self.close_connection = not {"keep", "leave"} & set(faults)
        if "leave" in faults and self.answers > 0:
            self.close_connection = True
            return
        self.answers += 1
        with lock:
            seen[self.path] += 1
            count = seen[self.path]
            with open(log_path, "a") as log:
                log.write(f"{self.path} {self.headers.get('Range', '-')} {self.number}\n")
        isFaulty = count <= int(faults.get("times", "1" if "cut" in faults else "1000000"))
        if "fail" in faults and isFaulty:
            return self.empty(int(faults["fail"]))
        if "redirect" in faults:
            return self.empty(302, {"Location": faults["redirect"]})
        path = os.path.join(root, urllib.parse.unquote(url.path).lstrip("/"))
        if not os.path.isfile(path):
            return self.empty(404)
        with open(path, "rb") as file:
            body = file.read()
        self.answer(body, faults, isFaulty)

    def answer(self, body, faults, isFaulty):
        size, start, end = len(body), 0, len(body)
        asked = self.headers.get("Range", "")
        isRange = asked.startswith("bytes=") and "norange" not in faults
        if isRange:
            first, last = asked[6:].split("-")
            start, end = int(first), min(size, int(last) + 1 if last else size)
            if start >= size:
                return self.empty(416)
        self.send_response(206 if isRange else 200)
        if isRange:
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{size}")
        self.send_header("Content-Type", faults.get("type", "application/octet-stream"))
        if self.close_connection and "drop" not in faults:
            self.send_header("Connection", "close")
        part = body[start:end]
        if "chunked" in faults:
            self.send_header("Transfer-Encoding", "chunked")
            part = b"%x\r\n" % len(part) + part + b"\r\n0\r\n\r\n"
        else:
            self.send_header("Content-Length", str(end - start))
        self.end_headers()
        if "cut" in faults and isFaulty:
            part = part[: int(faults["cut"])]
        if "stall" in faults:
            self.wfile.write(part[: len(part) // 2])
            self.wfile.flush()
            time.sleep(60)
            return
        for place in range(0, len(part), int(faults.get("pace", len(part) or 1))):
            self.wfile.write(part[place:place + int(faults.get("pace", len(part)))])
            if "pace" in faults:
                time.sleep(0.1)

    def empty(self, status, headers={}):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *arguments):
        pass  # A client that hangs up is what some tests are about.


server = Server(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
