/// Reads the units of a raw sequence (`.iamf`, `.obu`), one behind the other.
///
/// It keeps no more than a piece of the file and one unit.
package struct RawOBUReader {
  /// A unit with its bytes.
  package struct Unit {
    /// Its header; offsets count from the first of ``bytes``.
    package var obu: OBU
    /// All of its bytes.
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
