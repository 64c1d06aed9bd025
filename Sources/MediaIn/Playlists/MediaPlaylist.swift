// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A media playlist: segments in order (RFC 8216, 4.3.2 and 4.3.3).
struct MediaPlaylist: Equatable {
  private(set) var segments: [PlaylistSegment] = []
  /// Whether EXT-X-ENDLIST ends it; without that it is live.
  private(set) var isComplete = false

  /// Greatest number of segments that is read.
  static let limit = 200_000

  private let name: String
  private var sequence: Int64 = 0
  private var total: Int64 = 0
  private var duration: (nanoseconds: Int64, uncertainty: Int64)?
  private var length: (length: Int64, offset: Int64?)?
  private var map: SegmentMap?
  private var keys: [String: SegmentKey] = [:]
  private var isDiscontinuous = false
  private var isGap = false

  /// Reads a playlist that messages call `name`.
  /// - Throws: ``MediaError`` of kind `inputUnreadable`, with the line, when it breaks a rule that reading
  ///   depends on; of kind `unsupportedFeature` for tags that change the meaning of other lines.
  init(_ bytes: [UInt8], name: String) throws {
    self.name = name
    guard let lines = PlaylistLine.lines(of: bytes) else {
      throw MediaError(.inputUnreadable, about: name, "isn't a playlist; check the URL")
    }
    for (number, line) in lines {
      switch line {
      case .tag(let tag, let value): try read(tag, value, number)
      case .uri(let uri): try add(uri, number)
      }
    }
    guard !segments.isEmpty else {
      throw MediaError(.inputUnreadable, about: name, "the playlist lists no segments")
    }
  }

  private mutating func read(_ tag: String, _ value: String, _ number: Int) throws {
    switch tag {
    case "#EXTINF":
      let text = value.prefix { $0 != "," }.filter { $0 != " " }
      duration = PlaylistNumber.seconds(text)
      guard duration != nil else { throw broken(number, "the duration isn't a number") }
    case "#EXT-X-BYTERANGE":
      length = PlaylistNumber.byteRange(value)
      guard length != nil else { throw broken(number, "the byte range isn't length@offset") }
    case "#EXT-X-MEDIA-SEQUENCE":
      guard segments.isEmpty, let first = PlaylistNumber.integer(value) else {
        throw broken(number, "the media sequence number isn't one, or comes too late")
      }
      sequence = first
    case "#EXT-X-KEY": readKey(PlaylistAttributes(value))
    case "#EXT-X-MAP": map = try readMap(PlaylistAttributes(value), number)
    case "#EXT-X-DISCONTINUITY": isDiscontinuous = true
    case "#EXT-X-GAP": isGap = true
    case "#EXT-X-ENDLIST": isComplete = true
    case "#EXT-X-DEFINE", "#EXT-X-SKIP", "#EXT-X-I-FRAMES-ONLY":
      throw MediaError(
        .unsupportedFeature, about: name,
        "line \(number): \(tag.dropFirst()) isn't supported; give a plain media playlist")
    default: break
    }
  }

  /// Takes a key, which applies until the next one of its format. METHOD=NONE ends all keys.
  private mutating func readKey(_ attributes: PlaylistAttributes) {
    guard let key = SegmentKey(attributes) else { return keys = [:] }
    keys[attributes["KEYFORMAT"] ?? "identity"] = key
  }

  private func readMap(_ attributes: PlaylistAttributes, _ number: Int) throws -> SegmentMap {
    guard let uri = attributes["URI"] else { throw broken(number, "EXT-X-MAP names no URI") }
    var map = SegmentMap(uri: uri, key: SegmentKey.choose(keys))
    if let text = attributes["BYTERANGE"] {
      guard let range = PlaylistNumber.byteRange(text) else {
        throw broken(number, "the byte range isn't length@offset")
      }
      let start = range.offset ?? 0
      map.range = start..<start + range.length
    }
    return map
  }

  private mutating func add(_ uri: String, _ number: Int) throws {
    guard let duration else { throw broken(number, "a segment has no EXTINF") }
    guard segments.count < MediaPlaylist.limit else {
      throw broken(number, "there are more than \(MediaPlaylist.limit) segments")
    }
    let (next, isOver) = sequence.addingReportingOverflow(Int64(segments.count))
    guard !isOver else { throw broken(number, "the media sequence number is too large") }
    total += duration.nanoseconds
    guard total <= PlaylistNumber.year else { throw broken(number, "it lasts more than a year") }
    segments.append(
      PlaylistSegment(
        uri: uri, duration: duration.nanoseconds, uncertainty: duration.uncertainty,
        range: try range(uri, number), sequence: next, map: map, key: SegmentKey.choose(keys),
        isDiscontinuous: isDiscontinuous, isGap: isGap))
    self.duration = nil
    length = nil
    isDiscontinuous = false
    isGap = false
  }

  /// The bytes of the next segment; `nil` for all. A range without an offset begins where the previous
  /// segment's range ended (RFC 8216, 4.3.2.2).
  private func range(_ uri: String, _ number: Int) throws -> Range<Int64>? {
    guard let length else { return nil }
    let before = segments.last.flatMap { $0.uri == uri ? $0.range?.upperBound : nil }
    guard let start = length.offset ?? before else {
      throw broken(number, "a byte range without offset doesn't follow another of the same file")
    }
    let (end, isOver) = start.addingReportingOverflow(length.length)
    guard !isOver else { throw broken(number, "the byte range ends beyond any file") }
    return start..<end
  }

  private func broken(_ number: Int, _ flaw: String) -> MediaError {
    MediaError(.inputUnreadable, about: name, "line \(number): \(flaw); give a valid playlist")
  }

  static func == (left: MediaPlaylist, right: MediaPlaylist) -> Bool {
    left.segments == right.segments && left.isComplete == right.isComplete
  }
}

/// One media segment of a media playlist.
struct PlaylistSegment: Equatable {
  /// URI of the file that holds it, as written.
  var uri: String
  /// Duration that EXTINF states, in nanoseconds.
  var duration: Int64
  /// Greatest rounding error of the duration, in nanoseconds.
  var uncertainty: Int64
  /// Its bytes in that file; `nil` for all.
  var range: Range<Int64>?
  /// Media sequence number.
  var sequence: Int64
  /// Its initialisation section.
  var map: SegmentMap?
  /// How it is encrypted.
  var key: SegmentKey?
  /// Whether EXT-X-DISCONTINUITY separates it from the segment before.
  var isDiscontinuous = false
  /// Whether EXT-X-GAP states that it is missing.
  var isGap = false
}

/// An initialisation section, which has to be read before the segments that it belongs to (RFC 8216,
/// 4.3.2.5).
struct SegmentMap: Hashable {
  /// URI of the file that holds it, as written.
  var uri: String
  /// Its bytes in that file; `nil` for all.
  var range: Range<Int64>?
  /// How it is encrypted.
  var key: SegmentKey?
}

/// How segments are encrypted (RFC 8216, 4.3.2.4).
enum SegmentKey: Hashable {
  /// AES-128 in CBC with PKCS #7 padding over whole segments, with the key at `uri`. Without a `vector`,
  /// the media sequence number is the initialisation vector.
  case aes128(uri: String, vector: [UInt8]?)
  /// Another method or key format, by name.
  case unsupported(String)

  /// Reads the attributes of EXT-X-KEY; `nil` for METHOD=NONE.
  init?(_ attributes: PlaylistAttributes) {
    let method = attributes["METHOD"] ?? "without METHOD"
    guard method != "NONE" else { return nil }
    let format = attributes["KEYFORMAT"] ?? "identity"
    guard method == "AES-128" else {
      self = .unsupported(method)
      return
    }
    guard format == "identity", let uri = attributes["URI"],
      attributes["IV"] == nil || attributes.bytes16("IV") != nil
    else {
      self = .unsupported(format == "identity" ? "AES-128 without key" : "AES-128, \(format)")
      return
    }
    self = .aes128(uri: uri, vector: attributes.bytes16("IV"))
  }

  /// Of the keys that apply at once, the one that Pinna can use, else one that an error message names.
  static func choose(_ keys: [String: SegmentKey]) -> SegmentKey? {
    if let identity = keys["identity"], case .aes128 = identity { return identity }
    return keys.sorted { $0.key < $1.key }.first?.value
  }
}
