#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Answers on 127.0.0.1 as a hostile server might, for tests.

Prints its ports: of http, and of https for each certificate given. The log (first argument) has a line for the begin
of each answer, and one for its end: the word, the request's number, the URL, what came as Host and as Authorization
("-" for none), and how many bytes were sent. Answers may end in another order than their requests came in. The second
argument is a folder whose files are served whole or in parts; further ones are PEM files with a key and its
certificate. A request's path chooses what happens: see ACTS. Requests in absolute form, as a proxy gets them, are
answered alike.
Ends when its standard input is closed.
"""
import os
import socket
import ssl
import struct
import sys
import threading
import time
import urllib.parse

log_path, folder = sys.argv[1:3]
lock = threading.Lock()
counts = {}
ENDLESS = b"\0" * (64 << 10)
MARK = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"


class Answer:
    """One request on one connection."""

    def __init__(self, connection, url, fields):
        self.connection = connection
        self.fields = fields
        self.url = url
        parts = urllib.parse.urlsplit(url)
        self.path = parts.path
        self.query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        self.sent = 0
        with lock:
            self.count = counts[url] = counts.get(url, 0) + 1
            self.number = sum(counts.values())

    def send(self, data):
        data = data.encode() if isinstance(data, str) else data
        for start in range(0, len(data), 16 << 10):
            self.connection.sendall(data[start:start + (16 << 10)])
            self.sent += len(data[start:start + (16 << 10)])

    def head(self, status, *fields):
        self.send("\r\n".join([f"HTTP/1.1 {status} x", *fields, "", ""]))

    def whole(self, body, *fields):
        body = body.encode() if isinstance(body, str) else body
        self.head(200, f"Content-Length: {len(body)}", *fields)
        self.send(body)

    def forever(self, data=ENDLESS, pause=0.0):
        while True:
            self.send(data)
            time.sleep(pause)

    def wav(self):
        with open(os.path.join(folder, "a.wav"), "rb") as file:
            return file.read()

    def range(self, size):
        first, last = self.fields.get("range", "bytes=0-")[6:].split("-")
        return int(first), min(size, int(last) + 1 if last else size)


def file(a):
    body = open(os.path.join(folder, os.path.basename(a.path)), "rb").read()
    start, end = a.range(len(body))
    a.head(206, f"Content-Range: bytes {start}-{end - 1}/{len(body)}", f"Content-Length: {end - start}")
    a.send(body[start:end])


def to(a):
    a.head(a.query.get("status", "302"), "Location: " + a.query["url"], "Content-Length: 0")


def loop(a):
    a.head(302, f"Location: loop?n={int(a.query.get('n', 0)) + 1}")


def raw(a):
    """What the query holds as `head`, with | for the ends of lines, and the sound if asked for."""
    a.send(a.query["head"].replace("|", "\r\n") + "\r\n\r\n")
    a.send(a.query.get("body", "").replace("|", "\r\n"))
    if "wav" in a.query:
        a.send(a.wav()[:int(a.query["wav"])])
    if "endless" in a.query:
        a.forever()


def answer(a):
    """A file as it stands, its head included."""
    with open(os.path.join(folder, os.path.basename(a.query["file"])), "rb") as file:
        a.send(file.read())


def silence(a):
    a.connection.settimeout(600)
    a.connection.recv(1)


def drip(a):
    """One byte in each tenth of a second, of head or content."""
    if "head" in a.query:
        a.send("HTTP/1.1 200 x\r\n")
    else:
        a.head(200, "Content-Length: 100000")
    a.forever(b"H", 0.1)


def heads(a):
    """A head without end."""
    a.send("" if a.query["of"] == "HTTP/1.1 100 x\r\n\r\n" else "HTTP/1.1 200 x\r\n")
    a.forever((a.query["of"] * 400).encode())


def chunks(a):
    a.head(200, "Transfer-Encoding: chunked", "Content-Type: " + a.query.get("type", "audio/wav"))
    a.send("8\r\n" + a.query.get("first", "RIFFxxxx") + "\r\n")
    a.forever(b"10000\r\n" + a.query.get("fill", "\0").encode() * 65536 + b"\r\n")


def changes(a):
    """A transfer that breaks, and another content when it goes on."""
    body = a.wav()
    start, _ = a.range(len(body))
    size = len(body) + (a.count if "size" in a.query else 0)
    a.head(206, f"Content-Range: bytes {start}-{size - 1}/{size}", f"Content-Length: {size - start}",
           f"{a.query['field']}: \"{a.count}\"")
    a.send(body[start:start + 5000])


def versions(a):
    """Parts of a content that is another one for each request."""
    a.head(206, f"Content-Range: {a.fields['range'].replace('=', ' ')}/*", f"ETag: \"{time.time_ns()}\"")
    a.send(ENDLESS[:100])


def reset(a):
    a.head(200, "Content-Length: 100000")
    a.send(a.wav()[:1000])
    a.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    a.connection.close()


def once(a):
    """The sound; after the first 5000 bytes of it, what the query says."""
    body = a.wav()
    if a.count > 1:
        return raw(a)
    a.head(206, f"Content-Range: bytes 0-{len(body) - 1}/{len(body)}", f"Content-Length: {len(body)}")
    a.send(body[:5000])


def playlist(a):
    """A playlist of what the query names: one segment, with what else is to stand before it."""
    before = a.query.get("before", "").replace("|", "\n")
    a.whole(f"{MARK}{before}\n#EXTINF:1,\n{a.query.get('segment', 's.ts')}\n#EXT-X-ENDLIST\n")


def nested(a):
    a.whole(f"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nnested.m3u8?n={a.count}\n")


def giant(a):
    """A playlist of a million segments, or of a gigabyte."""
    line = b"#EXTINF:1,\ns\n"
    if "lines" in a.query:
        return a.whole(MARK.encode() + line * int(a.query["lines"]) + b"#EXT-X-ENDLIST\n")
    fields = ["Content-Length: 1000000000"] if "stated" in a.query else []
    a.head(200, *fields)
    a.send(MARK)
    a.forever(line * 5000)


ACTS = {act.__name__: act for act in (
    to, loop, raw, answer, silence, drip, heads, chunks, changes, versions, reset, once, playlist, nested, giant)}


def note(word, a):
    said = a.fields.get("authorization", "-").replace(" ", "_")
    with lock, open(log_path, "a") as log:
        log.write(f"{word} {a.number} {a.url} {a.fields.get('host', '-')} {said} {a.sent}\n")


def serve(connection, context):
    answer = None
    try:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 << 10)
        if context:
            connection = context.wrap_socket(connection, server_side=True)
        stream = connection.makefile("rb")
        line = stream.readline().decode("latin-1").split()
        if len(line) < 3:
            return
        fields = {}
        while field := stream.readline().decode("latin-1").strip():
            name, _, value = field.partition(":")
            fields[name.lower()] = value.strip()
        answer = Answer(connection, line[1], fields)
        note("begin", answer)
        name = os.path.basename(answer.path).split(".")[0]
        if name in ACTS:
            ACTS[name](answer)
        elif os.path.isfile(os.path.join(folder, os.path.basename(answer.path))):
            file(answer)
        else:
            answer.head(404, "Content-Length: 0")
    except (OSError, ssl.SSLError):
        pass  # Clients hang up; that is what the tests are about.
    finally:
        if answer:
            note("end", answer)
        try:
            connection.close()
        except OSError:
            pass


def listen(certificate):
    context = None
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
    server = socket.create_server(("127.0.0.1", 0), backlog=64)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 << 10)

    def run():
        while True:
            connection, _ = server.accept()
            threading.Thread(target=serve, args=(connection, context), daemon=True).start()

    threading.Thread(target=run, daemon=True).start()
    return server.getsockname()[1]


print(*[listen(certificate) for certificate in [None, *sys.argv[3:]]], flush=True)
sys.stdin.read()
