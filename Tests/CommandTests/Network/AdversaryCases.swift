// SPDX-License-Identifier: Apache-2.0

/// All things that hostile servers do in tests.
extension AdversaryCase {
  private static let ok = "HTTP/1.1 200 x|"
  private static let part = "HTTP/1.1 206 x|"
  private static let limit = ["--max-download", "1M"]

  /// Redirections.
  static let redirections: [AdversaryCase] = [
    .init("endless redirections", "{http}/N/loop", 3, "redirects more than 10 times"),
    .init("redirection to nowhere", raw("HTTP/1.1 302 x"), 3, "doesn't say where to"),
    .init("redirection to a file", redirect("file:///etc/passwd"), 3, "isn't http or https"),
    .init("redirection to concat", redirect("concat:a|b"), 3, "isn't http or https"),
    .init("redirection to data", redirect("data:audio/wav,x"), 3, "isn't http or https"),
    .init("redirection to ftp", redirect("ftp://127.0.0.1/x"), 3, "isn't http or https"),
    .init(
      "redirection to another public host",
      redirect("http://other.example/a.wav", from: "{public}"), 0, ""),
    .init(
      "redirection to a host that isn't allowed",
      redirect("http://other.example/x", from: "{public}"), 3,
      "isn't among the allowed hosts", "--allow-hosts", "x.example"),
    .init(
      "redirection to an allowed domain", redirect("http://other.example/a.wav", from: "{public}"),
      0, "",
      "--allow-hosts", "*.example"),
    .init(
      "redirection to a private host that is allowed", redirect("{localhost}/a.wav"), 0, "",
      "--allow-hosts",
      "localhost"),
  ]

  /// Redirections to private addresses, from a private host and from a public one.
  static let privateAddresses: [AdversaryCase] = [
    "10.0.0.1", "192.168.0.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "[::1]",
    "[fe80::1]",
    "[fc00::1]", "[::ffff:10.0.0.1]", "127.0.0.2", "0x7f.2", "2130706434", "localhost",
  ].flatMap { host in
    ["{http}", "{public}"].map { server in
      .init(
        "redirection to \(host) from \(server.filter(\.isLetter))",
        redirect("http://\(host)/x", from: server), 3,
        "a server redirects to it, but its host is a private address")
    }
  }

  /// Servers that are slow or say nothing.
  static let slowness: [AdversaryCase] = [
    .init("silence", "{http}/N/silence", 75, "too little for too long", "--network-timeout", "2"),
    .init(
      "header in drips", "{http}/N/drip?head", 75, "too little for too long", "--network-timeout",
      "2"),
    .init(
      "content in drips", "{http}/N/drip", 75, "too little for too long", "--network-timeout", "2"
    ),
    .init(
      "content in drips for a render", "{http}/N/drip", 75, "too little for too long",
      "--network-timeout", "2",
      command: "render"),
    .init(
      "segment in drips", playlist("drip"), 75, "segment 0 of", "--network-timeout", "2",
      command: "render"),
  ]

  /// Headers that have no end or lie.
  static let heads: [AdversaryCase] = [
    .init(
      "endless header", "{http}/N/heads?of=a:%20b%0D%0A", 3, "the header has no end", most: 9 << 20),
    .init("endless header line", "{http}/N/heads?of=a", 3, "the header has no end", most: 9 << 20),
    .init(
      "endless interim answers", "{http}/N/heads?of=HTTP/1.1%20100%20x%0D%0A%0D%0A", 3,
      "the header has no end",
      most: 9 << 20),
    .init("no HTTP", raw("SSH-2.0-x"), 3, "doesn't begin as an answer of HTTP/1"),
    .init(
      "length too long", raw(ok + "Content-Length: 200000", "&wav=5000"), 75,
      "only 5000 of 200000 bytes"),
    .init(
      "length too short", raw(ok + "Content-Length: 5000", "&wav=90000"), 0,
      "(truncated, damage)", command: "render"),
    .init("negative length", raw(ok + "Content-Length: -5", "&wav=50"), 3, "isn't a length"),
    .init(
      "length beyond all numbers", raw(ok + "Content-Length: 99999999999999999999"), 3,
      "isn't a length"),
    .init(
      "huge length", raw(ok + "Content-Length: 99999999999999999", "&endless"), 3, "--max-download"),
    .init(
      "two lengths", raw(ok + "Content-Length: 5|Content-Length: 6", "&wav=6"), 3,
      "isn't a length"),
    .init(
      "compressed content", raw(ok + "Content-Encoding: gzip", "&wav=50"), 3, "compressed (gzip)"),
    .init(
      "unknown transfer coding", raw(ok + "Transfer-Encoding: gzip", "&wav=50"), 3,
      "transfer coding"),
    .init(
      "shifted range", raw(part + "Content-Range: bytes 7-11/20|Content-Length: 5", "&wav=5"), 3,
      "from 7 on instead of 0"),
    .init(
      "part without range", raw(part + "Content-Length: 5", "&wav=5"), 3, "isn't a range of bytes"),
    .init(
      "range that contradicts the length",
      raw(part + "Content-Range: bytes 0-11/20|Content-Length: 5", "&wav=5"), 3,
      "contradict each other"),
    .init(
      "range from end to start", raw(part + "Content-Range: bytes 9-1/20", "&wav=5"), 3,
      "isn't a range of bytes"),
  ]

  /// Statuses, and content that breaks off or changes.
  static let contents: [AdversaryCase] =
    [
      (204, 3, "sends no content"), (205, 3, "sends no content"), (304, 3, "refuses it"),
      (401, 3, "refuses it"),
      (404, 3, "doesn't have it"), (416, 3, "refuses it"), (429, 75, "after several tries"),
      (500, 75, "after several tries"),
    ].map { code, status, words in
      .init("status \(code)", raw("HTTP/1.1 \(code) x|Content-Length: 0"), status, words)
    } + [
      .init("reset in the content", "{http}/N/reset", 75, "broke off"),
      .init(
        "chunk of no length", raw(ok + "Transfer-Encoding: chunked", "&body=xyz%7Caa"), 3,
        "a chunk's length"),
      .init(
        "chunk of negative length", raw(ok + "Transfer-Encoding: chunked", "&body=-5%7Caa"), 3,
        "a chunk's length"),
      .init(
        "chunk that is too long", raw(ok + "Transfer-Encoding: chunked", "&body=2%7Caabbb%7C"), 3,
        "a chunk"),
      .init(
        "chunk that breaks off", raw(ok + "Transfer-Encoding: chunked", "&body=20%7Caa"), 75,
        "inside of a chunk"),
      .init(
        "endless content", raw(ok, "&endless"), 3, "--max-download", limit[0], limit[1],
        most: 12 << 20),
      .init(
        "endless chunks", "{http}/N/chunks", 3, "--max-download", limit[0], limit[1], most: 12 << 20
      ),
      .init("changed ETag", "{http}/N/changes?field=ETag", 75, "changed on the server"),
      .init(
        "changed Last-Modified", "{http}/N/changes?field=Last-Modified", 75, "changed on the server"
      ),
      .init("changed size", "{http}/N/changes?field=X&size", 75, "changed on the server"),
      .init("gone when it goes on", raw("HTTP/1.1 404 x", act: "once"), 3, "HTTP 404"),
      .init(
        "shifted when it goes on",
        raw(part + "Content-Range: bytes 0-99/1000|Content-Length: 100", "&wav=100", act: "once"),
        3, "from 0 on instead of 5000"),
    ]

  /// Encrypted connections.
  static let secure: [AdversaryCase] = [
    .init("tunnel that is refused", "{tunnel}/N/a.wav", 3, "can't be reached"),
    .init("right certificate", "{tls}/N/a.wav", 0, "", "--ca-file", "{folder}/ca.pem"),
    .init("unknown authority", "{tls}/N/a.wav", 3, "certificate"),
    .init(
      "certificate of another name", "{other}/N/a.wav", 3, "can't be reached", "--ca-file",
      "{folder}/ca.pem"),
    .init(
      "self-signed certificate", "{self}/N/a.wav", 3, "certificate", "--ca-file", "{folder}/ca.pem"),
    .init(
      "redirection that drops encryption", redirect("{localhost}/a.wav", from: "{tls}"), 3,
      "isn't encrypted",
      "--ca-file", "{folder}/ca.pem"),
  ]

  /// Playlists that lead elsewhere or have no end.
  static let playlists: [AdversaryCase] =
    [
      "file:///etc/passwd", "concat:a|b", "data:audio/wav;base64,AA", "subfile:x",
      "rtmp://127.0.0.1/x",
    ].map {
      .init("playlist of \($0)", playlist($0), 3, "may only name http and https")
    }
    + ["/etc/passwd", "../../../../etc/passwd", "subfile,,start,0,end,9,,:/etc/passwd"].map {
      .init("playlist of \($0)", playlist($0), 3, "HTTP 404")
    }
    + ["http://10.0.0.1/x", "//169.254.169.254/x", "http://localhost/x"].map {
      .init(
        "playlist of \($0)", playlist($0), 3,
        "a playlist names it, but its host is a private address")
    } + [
      .init(
        "public playlist of this machine", playlist("http://127.0.0.1/x", from: "{public}"), 3,
        "is a private address"),
      .init(
        "playlist of a host that isn't allowed",
        playlist("http://other.example/x", from: "{public}"), 3,
        "isn't among the allowed hosts", "--allow-hosts", "x.example"),
      .init(
        "initialisation section on a private host",
        playlist("s", before: "#EXT-X-MAP:URI=\"http://10.0.0.1/i\""), 3, "is a private address"),
      .init(
        "key on a private host",
        playlist("a.wav", before: "#EXT-X-KEY:METHOD=AES-128,URI=\"http://10.0.0.1/k\""), 3,
        "is a private address"),
      .init(
        "key on another host",
        playlist(
          "a.wav", before: "#EXT-X-KEY:METHOD=AES-128,URI=\"http://keys.example/k\"",
          from: "{public}"), 3,
        "isn't among the allowed hosts", "--allow-hosts", "x.example"),
      .init(
        "key without end", playlist("a.wav", before: "#EXT-X-KEY:METHOD=AES-128,URI=\"chunks\""), 3,
        // On a busy machine the server fills the buffers of both ends before the connection is closed.
        "longer than 16", most: 9 << 20),
      .init("nested playlists", "{http}/N/nested.m3u8", 3, "a segment has no EXTINF"),
      .init(
        "playlist of a gigabyte", "{http}/N/giant.m3u8", 3, "longer than 33554432", most: 44 << 20),
      .init(
        "playlist of a stated gigabyte", "{http}/N/giant.m3u8?stated", 3, "longer than 33554432",
        most: 9 << 20),
      .init(
        "playlist named as sound", "{http}/N/giant.wav?stated", 3, "longer than 33554432",
        most: 9 << 20),
      .init(
        "playlist of a million segments", "{http}/N/giant.m3u8?lines=1000000", 3, "200000 segments",
        most: 14 << 20),
      .init(
        "endless segment", playlist("chunks"), 3, "--max-download", limit[0], limit[1],
        most: 12 << 20,
        command: "render"),
      .init(
        "range that is ignored",
        playlist("raw?head=HTTP/1.1 200 x&endless", before: "#EXT-X-BYTERANGE:100@100"), 3,
        "can't send parts of a file", most: 9 << 20),
      .init(
        "segments of two contents",
        playlist(
          "versions", before: "#EXTINF:1,|#EXT-X-BYTERANGE:100@0|versions|#EXT-X-BYTERANGE:100@100"),
        75,
        "changed on the server", command: "render"),
    ]
}
