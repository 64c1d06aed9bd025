// SPDX-License-Identifier: Apache-2.0

/// Lines of an answer's head as they come, and of its trailers; interim answers (status 1xx) are passed over.
struct HTTPHeadLines {
  /// Most bytes of a head, interim answers included, and of trailers; servers refuse requests with heads of 8 to 32 KiB.
  static let limit = 64 << 10

  private var lines: [[UInt8]] = []
  private var left = HTTPHeadLines.limit
  /// The head of the final answer; `nil` until its last line has come.
  private(set) var head: HTTPHead?

  /// Adds a line, with or without its end; an empty one ends a head.
  /// - Throws: ``RemoteFailure`` for more than ``limit`` bytes, and for a head that isn't one of HTTP.
  mutating func add(_ line: [UInt8]) throws(RemoteFailure) {
    left -= line.count
    guard left >= 0 else {
      throw .malformed("\(head == nil ? "the header" : "the trailer") has no end")
    }
    // Trailers say nothing that is needed.
    guard head == nil else { return }
    var line = line[...]
    if line.last == 0x0A { line.removeLast() }
    if line.last == 0x0D { line.removeLast() }
    if !line.isEmpty {
      lines.append(Array(line))
    } else if !lines.isEmpty {
      let found = try HTTPHead(lines)
      lines = []
      guard found.status >= 200 else { return }
      head = found
      left = HTTPHeadLines.limit
    }
  }
}

/// Status and fields of an answer (RFC 9112, 4 and 5; of HTTP/2, as libcurl writes them).
struct HTTPHead {
  /// The status, 100 to 599.
  let status: Int
  private let fields: [(name: String, value: String)]

  /// Reads the lines of a head, without their ends; the first is the status line.
  /// - Throws: ``RemoteFailure`` when it isn't that of HTTP/1 or HTTP/2.
  init(_ lines: [[UInt8]]) throws(RemoteFailure) {
    let texts = lines.map { String(decoding: $0, as: UTF8.self) }
    let parts = (texts.first ?? "").split(separator: " ", maxSplits: 2)
    guard parts.count >= 2, parts[0].hasPrefix("HTTP/1.") || parts[0] == "HTTP/2",
      parts[1].utf8.count == 3, let status = Int(parts[1]), (100...599).contains(status)
    else { throw HTTPHead.noAnswer }
    self.status = status
    // A line without a colon is no field. Servers that send some are rare, and browsers pass over such lines.
    fields = texts.dropFirst().compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      return (parts[0].lowercased(), HTTPHead.trimmed(parts[1]))
    }
  }

  /// The failure for what doesn't begin as an answer.
  static let noAnswer = RemoteFailure.malformed("it doesn't begin as an answer of HTTP/1")

  /// The first value of a field, by its name in lower case.
  subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The media type, without parameters, lower case.
  var mediaType: String? {
    self["content-type"].map { HTTPHead.trimmed($0.prefix { $0 != ";" }).lowercased() }
  }

  /// Validators that distinguish this content from an earlier or later one at the same place (RFC 9110, 8.8).
  var validators: [String] { [self["etag"] ?? "", self["last-modified"] ?? ""] }

  /// Bytes of the content (RFC 9112, 6.3); `nil` where chunks or the connection tell its end.
  /// - Throws: ``RemoteFailure`` for lengths that are no number or contradict each other, and unknown codings.
  func length() throws(RemoteFailure) -> Int64? {
    if let coding = self["transfer-encoding"]?.lowercased(), coding != "identity" {
      if coding == "chunked" { return nil }
      throw .malformed("the transfer coding \"\(coding.prefix(40))\" wasn't asked for")
    }
    let stated = fields.filter { $0.name == "content-length" }.map(\.value)
    guard let first = stated.first else { return nil }
    guard stated.allSatisfy({ $0 == first }), let length = PlaylistNumber.integer(first) else {
      let values = stated.prefix(2).map { "\"\($0.prefix(40))\"" }.joined(separator: " and ")
      throw .malformed("the Content-Length \(values) isn't a length")
    }
    return length
  }

  /// The bytes that an answer of status 206 holds, and the size of the whole where that is stated (RFC 9110, 14.4).
  /// - Throws: ``RemoteFailure`` when it isn't stated in a way that makes sense.
  func contentRange() throws(RemoteFailure) -> (range: Range<Int64>, size: Int64?) {
    let text = self["content-range"] ?? ""
    let halves = text.dropFirst("bytes ".count).parts(at: "/").filter { !$0.isEmpty }
    let ends = (halves.first ?? "").split(separator: "-")
    guard text.lowercased().hasPrefix("bytes "), halves.count == 2, ends.count == 2,
      let first = PlaylistNumber.integer(ends[0]), let last = PlaylistNumber.integer(ends[1]),
      first <= last
    else { throw .malformed("the Content-Range \"\(text.prefix(40))\" isn't a range of bytes") }
    guard halves[1] != "*" else { return (first..<last + 1, nil) }
    guard let size = PlaylistNumber.integer(halves[1]), last < size else {
      throw .malformed("the Content-Range \"\(text.prefix(40))\" isn't a range of bytes")
    }
    return (first..<last + 1, size)
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\r" }.reversed())
  }
}
