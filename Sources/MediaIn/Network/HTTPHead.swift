import LibAV

/// Status and fields of an answer (RFC 9112, 4 and 5).
struct HTTPHead {
  /// How the content's end is known (RFC 9112, 6.3).
  enum Framing: Equatable {
    case length(Int64)
    case chunks
    case close
  }

  /// The status, 100 to 599.
  let status: Int
  private let fields: [(name: String, value: String)]

  /// Reads the lines of a head, without their ends; the first is the status line.
  /// - Throws: ``RemoteFailure`` when it isn't that of HTTP/1.
  init(_ lines: [[UInt8]]) throws(RemoteFailure) {
    let texts = lines.map { String(decoding: $0, as: UTF8.self) }
    let parts = (texts.first ?? "").split(separator: " ", maxSplits: 2)
    guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), parts[1].utf8.count == 3,
      let status = Int(parts[1]), (100...599).contains(status)
    else { throw .malformed("it doesn't begin as an answer of HTTP/1") }
    self.status = status
    // A line without a colon is no field. Servers that send some are rare, and browsers pass over such lines.
    fields = texts.dropFirst().compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      return (parts[0].lowercased(), HTTPHead.trimmed(parts[1]))
    }
  }

  /// The first value of a field, by its name in lower case.
  subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The media type, without parameters, lower case.
  var mediaType: String? {
    self["content-type"].map { HTTPHead.trimmed($0.prefix { $0 != ";" }).lowercased() }
  }

  /// What tells this content from an earlier or later one at the same place (RFC 9110, 8.8).
  var validators: [String] { [self["etag"] ?? "", self["last-modified"] ?? ""] }

  /// How the content's end is known.
  /// - Throws: ``RemoteFailure`` for lengths that are no number or contradict each other, and unknown codings.
  func framing() throws(RemoteFailure) -> Framing {
    if let coding = self["transfer-encoding"]?.lowercased(), coding != "identity" {
      guard coding == "chunked" else {
        throw .malformed("the transfer coding \"\(coding.prefix(40))\" wasn't asked for")
      }
      return .chunks
    }
    let stated = fields.filter { $0.name == "content-length" }.map(\.value)
    guard let first = stated.first else { return .close }
    guard stated.allSatisfy({ $0 == first }), let length = PlaylistNumber.integer(first) else {
      let values = stated.prefix(2).map { "\"\($0.prefix(40))\"" }.joined(separator: " and ")
      throw .malformed("the Content-Length \(values) isn't a length")
    }
    return .length(length)
  }

  /// The bytes that an answer of status 206 holds, and the size of the whole where that is stated (RFC 9110, 14.4).
  /// - Throws: ``RemoteFailure`` when it isn't stated in a way that makes sense.
  func contentRange() throws(RemoteFailure) -> (range: Range<Int64>, size: Int64?) {
    let text = self["content-range"] ?? ""
    let halves = text.dropFirst("bytes ".count).split(separator: "/")
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

extension RemoteFailure {
  /// An answer that breaks a rule, which `detail` names.
  static func malformed(_ detail: String) -> RemoteFailure {
    RemoteFailure(cause: .malformed, hasAnswered: true, detail: detail)
  }
}
