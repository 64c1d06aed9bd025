// SPDX-License-Identifier: Apache-2.0

/// An open bitstream unit: its header, and where it lies in the bytes that it was read from.
package struct OBU: Equatable, Sendable {
  /// The content of a unit, by its type number.
  package enum Kind: Equatable, Sendable {
    /// How audio frames are coded.
    case codecConfig
    /// The product of substreams.
    case audioElement
    /// How elements are mixed.
    case mixPresentation
    /// Values of a parameter.
    case parameterBlock
    /// The beginning of a temporal unit.
    case temporalDelimiter
    /// A coded frame of one substream.
    case audioFrame
    /// The beginning of a sequence.
    case sequenceHeader
    /// Reserved in the published versions; skipped by its size.
    case reserved
  }

  /// Most bytes of a unit with its header.
  package static let mostBytes = 1 << 21
  /// Most bytes that say how large a unit is: the type and the size.
  package static let mostSizeBytes = 1 + BitReader.mostNumberBytes

  /// Its number, `obu_type`, 0…31.
  package var type: Int
  /// Whether it repeats an earlier one.
  package var isRedundant: Bool
  /// `obu_trimming_status_flag`, which only means trimming in audio frames.
  package var flag: Bool
  /// Samples of the frame that aren't presented at its start and at its end.
  package var trim = Trim()
  /// Bytes of its extension header, which nobody knows.
  package var extensionBytes: [UInt8]?
  /// Its first byte.
  package var offset: Int
  /// Bytes of all of it.
  package var size: Int
  /// The bytes behind its header.
  package var payload: Range<Int>

  /// Samples that a frame has and the programme hasn't.
  package struct Trim: Equatable, Sendable {
    /// Samples at the start.
    package var start = 0
    /// Samples at the end.
    package var end = 0

    /// Trimming of `start` samples at the start and of `end` at the end.
    package init(start: Int = 0, end: Int = 0) {
      self.start = start
      self.end = end
    }
  }

  /// Content of the unit.
  package var kind: Kind { OBU.kind(type) }

  /// Content of a unit of the type `type`.
  static func kind(_ type: Int) -> Kind {
    switch type {
    case 0: return .codecConfig
    case 1: return .audioElement
    case 2: return .mixPresentation
    case 3: return .parameterBlock
    case 4: return .temporalDelimiter
    case 5...23: return .audioFrame
    case 31: return .sequenceHeader
    default: return .reserved
    }
  }

  /// The size of the unit that begins at the next of `bits`, all of its bytes counted; moves behind the size
  /// field.
  /// - Throws: ``IAMFError/malformed(_:)`` for more than ``mostBytes``.
  static func readSize(_ bits: inout BitReader) throws(IAMFError) -> Int {
    let start = bits.position
    try bits.skip(8)
    let content = try bits.leb128()
    let size = (bits.position - start) / 8 + content
    guard size <= mostBytes else { throw .malformed("an OBU of \(size) bytes") }
    return size
  }

  /// Reads the header of the unit at the next of `bits`, and moves behind the whole unit.
  /// - Throws: ``IAMFError/malformed(_:)`` where it doesn't fit in the bytes, or its header not in the unit.
  init(_ bits: inout BitReader) throws(IAMFError) {
    offset = bits.position / 8
    let first = bits.peek(8)
    size = try OBU.readSize(&bits)
    let end = offset + size
    guard size <= bits.bytesLeft + bits.position / 8 - offset else {
      throw .malformed("an OBU beyond the end of its container")
    }
    type = first >> 3
    isRedundant = first & 4 != 0
    flag = first & 2 != 0
    payload = bits.position / 8..<end
    var header = bits
    try header.limit(to: 8 * end)
    try bits.move(to: 8 * end)
    if flag, OBU.kind(type) == .audioFrame {
      // The end comes first.
      trim.end = try header.leb128()
      trim.start = try header.leb128()
    }
    if first & 1 != 0 { extensionBytes = try header.sizedBytes() }
    payload = header.position / 8..<end
  }

  /// A reader of the payload in the bytes that the unit was read from.
  func payloadReader(_ bytes: UnsafeBufferPointer<UInt8>) throws(IAMFError) -> BitReader {
    try BitReader(bytes).part(at: payload.lowerBound, count: payload.count)
  }
}

/// Reads the units of a raw sequence (`.iamf`, `.obu`), one behind the other.
///
/// The reader keeps no more than a piece of the file and one unit.
package struct RawOBUReader {
  /// A unit with its bytes.
  package struct Unit {
    /// Its header; offsets count from the first of ``bytes``.
    package var obu: OBU
    package var bytes: [UInt8]
    /// Position of the first byte in the file.
    package var position: Int64
  }

  /// Bytes that are read at once.
  private static let piece = 1 << 16

  /// Bytes of the file.
  package let size: Int64
  /// Position of the next unit.
  package private(set) var position: Int64 = 0
  private let fetch: (Int64, Int) -> [UInt8]
  private var buffer: [UInt8] = []
  private var bufferPosition: Int64 = 0

  /// A reader of `size` bytes; `fetch(offset, count)` returns fewer bytes only where reading fails.
  package init(size: Int64, fetch: @escaping (Int64, Int) -> [UInt8]) {
    self.size = size
    self.fetch = fetch
  }

  /// Bytes behind the last unit that was read.
  package var bytesLeft: Int64 { size - position }

  /// The type of the next unit; `nil` at the end.
  /// - Throws: ``IAMFError/unreadable``.
  package mutating func nextKind() throws(IAMFError) -> OBU.Kind? {
    guard position < size else { return nil }
    return OBU.kind(Int(try bytes(1)[0] >> 3))
  }

  /// The next unit; `nil` at the end. After an error the position is still that of the unit.
  /// - Throws: ``IAMFError``.
  package mutating func next() throws(IAMFError) -> Unit? {
    guard position < size else { return nil }
    let front = try bytes(Int(min(Int64(OBU.mostSizeBytes), bytesLeft)))
    let count = try front.reading { bits throws(IAMFError) in try OBU.readSize(&bits) }
    guard count <= bytesLeft else { throw .malformed("an OBU beyond the end of the file") }
    let all = try bytes(count)
    let obu = try all.reading { bits throws(IAMFError) in try OBU(&bits) }
    defer { position += Int64(count) }
    return Unit(obu: obu, bytes: all, position: position)
  }

  /// `count` bytes at the position, which the file has.
  private mutating func bytes(_ count: Int) throws(IAMFError) -> [UInt8] {
    var start = Int(position - bufferPosition)
    if start + count > buffer.count {
      let wanted = Int(min(Int64(max(RawOBUReader.piece, count)), bytesLeft))
      buffer = fetch(position, wanted)
      bufferPosition = position
      start = 0
      guard buffer.count >= count else { throw .unreadable }
    }
    return Array(buffer[start..<start + count])
  }
}

extension [UInt8] {
  /// The result of `body` with a reader of these bytes.
  func reading<Result>(
    _ body: (inout BitReader) throws(IAMFError) -> Result
  ) throws(IAMFError) -> Result {
    try withUnsafeBufferPointer { buffer throws(IAMFError) in
      var bits = BitReader(buffer)
      return try body(&bits)
    }
  }
}
