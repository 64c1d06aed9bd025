import LibAV

/// Reads answers of HTTP/1 from a connection: heads of bounded size, and content by its framing.
final class HTTPReader {
  /// Most bytes of a head, of a chunk's line and of trailers; servers refuse requests with heads of 8 to 32 KiB.
  static let headLimit = 64 << 10

  private let source: (UnsafeMutableRawBufferPointer) throws -> Int
  private var buffer = [UInt8](repeating: 0, count: 32 << 10)
  private var start = 0
  private var end = 0
  private var framing = HTTPHead.Framing.close
  /// Bytes of the content, or of this chunk, that are still to come.
  private var left: Int64 = 0
  private var isOver = false
  /// Bytes that extensions of chunks may take in all: each byte of content could bring some.
  private var extensions = HTTPReader.headLimit

  /// A reader of bytes that `source` puts into its argument; it returns how many, 0 at the end.
  init(_ source: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) { self.source = source }

  /// Reads the head of the final answer; interim answers (status 1xx) are passed over.
  /// - Throws: ``RemoteFailure``, also for a head of more than ``headLimit`` bytes.
  func head() throws -> HTTPHead {
    var budget = HTTPReader.headLimit
    while true {
      var lines: [[UInt8]] = []
      while true {
        let line = try line(&budget, "the header")
        if line.isEmpty, !lines.isEmpty { break }
        if !line.isEmpty { lines.append(line) }
      }
      let head = try HTTPHead(lines)
      if head.status >= 200 { return head }
    }
  }

  /// Prepares for content that ends as `framing` says.
  func begin(_ framing: HTTPHead.Framing) {
    self.framing = framing
    (left, isOver, extensions) = (0, false, HTTPReader.headLimit)
    if case .length(let length) = framing { left = length }
  }

  /// Bytes of content with a stated length that haven't come.
  var missing: Int64 {
    if case .length = framing { return left }
    return 0
  }

  /// Reads up to `room.count` bytes of the content; 0 at its end, or where the connection ended before, which ``missing``
  /// tells.
  /// - Throws: ``RemoteFailure``; also for chunks that end too early.
  func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
    guard !isOver, !room.isEmpty else { return 0 }
    switch framing {
    case .close: return try take(room.count, into: room)
    case .length:
      let got = try take(Int(min(left, Int64(room.count))), into: room)
      left -= Int64(got)
      return got
    case .chunks:
      if left == 0 { try beginChunk() }
      guard !isOver else { return 0 }
      let got = try take(Int(min(left, Int64(room.count))), into: room)
      guard got > 0 else { throw HTTPReader.broken("a chunk") }
      left -= Int64(got)
      if left == 0 { try endChunk() }
      return got
    }
  }

  private func beginChunk() throws {
    var budget = HTTPReader.headLimit
    let line = try line(&budget, "a chunk's line")
    let digits = String(decoding: line.prefix { $0 != 0x3B && $0 > 0x20 }, as: UTF8.self)
    guard (1...15).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit),
      let size = Int64(digits, radix: 16)
    else { throw RemoteFailure.malformed("a chunk's length isn't a number") }
    extensions -= line.count - digits.utf8.count
    guard extensions >= 0 else {
      throw RemoteFailure.malformed("the chunks' extensions have no end")
    }
    left = size
    guard size == 0 else { return }
    // Trailers say nothing that is needed, but the end of the content is sure only behind them.
    while try !self.line(&budget, "the trailer").isEmpty {}
    isOver = true
  }

  private func endChunk() throws {
    var budget = 2
    guard try line(&budget, "a chunk").isEmpty else {
      throw RemoteFailure.malformed("a chunk is longer than it says")
    }
  }

  /// A line without its end; `budget` bytes are left for this and further lines.
  private func line(_ budget: inout Int, _ part: String) throws -> [UInt8] {
    var line: [UInt8] = []
    while true {
      if start == end, try !fill() { throw HTTPReader.broken(part) }
      let rest = buffer[start..<end]
      let found = rest.firstIndex(of: 0x0A)
      let count = (found.map { $0 + 1 } ?? end) - start
      budget -= count
      guard budget >= 0 else { throw RemoteFailure.malformed("\(part) has no end") }
      line += rest.prefix(found == nil ? count : count - 1)
      start += count
      guard found != nil else { continue }
      if line.last == 0x0D { line.removeLast() }
      return line
    }
  }

  private func take(_ count: Int, into room: UnsafeMutableRawBufferPointer) throws -> Int {
    guard count > 0 else { return 0 }
    if start == end {
      // Content goes past the buffer.
      return try source(UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
    }
    let got = min(count, end - start)
    room.copyBytes(from: buffer[start..<start + got])
    start += got
    return got
  }

  private func fill() throws -> Bool {
    start = 0
    end = 0
    end = try buffer.withUnsafeMutableBytes { try source($0) }
    return end > 0
  }

  private static func broken(_ part: String) -> RemoteFailure {
    RemoteFailure(
      cause: .transport, hasAnswered: true, detail: "the connection ended inside of \(part)")
  }
}

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

  /// Validators that distinguish this content from an earlier or later one at the same place (RFC 9110, 8.8).
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

extension RemoteFailure {
  /// An answer that breaks a rule, which `detail` names.
  static func malformed(_ detail: String) -> RemoteFailure {
    RemoteFailure(cause: .malformed, hasAnswered: true, detail: detail)
  }
}
