// SPDX-License-Identifier: Apache-2.0

// Decoders inline these few lines millions of times. The compiler doesn't do that across modules for
// `package` declarations, so they are public, though `import Pinna` doesn't pass this module on.

/// A failure that a bit reader can report.
public protocol BitstreamFailure: Error {
  /// The bits contradict the syntax; `element` names what was read.
  static func damaged(_ element: String) -> Self
}

/// Reads bit fields, most significant bit first, from bytes that outlive it.
///
/// With a `Failure` that is a ``BitstreamFailure``, every read beyond the end throws. With `Never`, bits
/// beyond the end read as 0 and ``isExhausted`` becomes true; that suits headers that may be cut, whose
/// front is useful by itself.
public struct BitReader<Failure: Error> {
  @usableFromInline let bytes: UnsafePointer<UInt8>
  @usableFromInline let byteCount: Int
  /// Bit after the last one that may be read.
  public private(set) var end: Int
  /// Next bit, counted from the first byte. Reading checks it; nothing else does.
  public var position: Int

  /// A reader of all of `buffer`, which must outlive it.
  public init(_ buffer: UnsafeBufferPointer<UInt8>) {
    // An empty buffer may have no address. Any address will do, because nothing is read from it.
    bytes = buffer.baseAddress ?? UnsafePointer(noBytes)
    byteCount = buffer.count
    end = buffer.count * 8
    position = 0
  }

  /// Bits left; below 0 when more were read than there are.
  @inlinable public var remaining: Int { end - position }

  /// The next 57 bits or more without moving on, the first as the most significant one; what stands behind
  /// them, and bits beyond the end of the bytes, are 0.
  @inlinable @inline(__always)
  public func peekLong() -> UInt64 {
    let byte = position >> 3
    let word: UInt64
    if byte + 8 <= byteCount {
      word = UnsafeRawPointer(bytes + byte).loadUnaligned(as: UInt64.self).bigEndian
    } else {
      word = lastWord(byte)
    }
    return word &<< UInt64(position & 7)
  }

  /// The next 32 bits without moving on; bits beyond the end of the bytes are 0.
  @inlinable @inline(__always)
  public func peek32() -> UInt32 { UInt32(truncatingIfNeeded: peekLong() &>> 32) }

  /// The 8 bytes from byte `first` on, with zeros for those beyond the end: a load of all 8 at once would
  /// touch memory behind the buffer.
  @usableFromInline
  func lastWord(_ first: Int) -> UInt64 {
    var word: UInt64 = 0
    for byte in first..<first + 8 {
      word = word << 8 | (byte < byteCount ? UInt64(bytes[byte]) : 0)
    }
    return word
  }

  /// The number in the next `count` bits, 0…32, without moving on.
  @inlinable @inline(__always)
  public func peek(_ count: Int) -> Int {
    count == 0 ? 0 : Int(peek32() &>> UInt32(truncatingIfNeeded: 32 &- count))
  }
}

/// The address that a reader of an empty buffer has; never read.
private nonisolated(unsafe) let noBytes: UnsafeMutablePointer<UInt8> = {
  let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
  byte.initialize(to: 0)
  return byte
}()

extension BitReader where Failure: BitstreamFailure {
  /// A reader of `count` bytes that begin at byte `offset`. Its positions count from the first byte of the
  /// whole, not of the part.
  public func part(at offset: Int, count: Int) throws(Failure) -> BitReader {
    guard offset >= 0, count >= 0, count <= byteCount, offset <= byteCount - count else {
      throw .damaged("a substream beyond the end of the frame")
    }
    var part = self
    part.position = offset * 8
    part.end = (offset + count) * 8
    return part
  }

  /// Moves on by `count` ≥ 0 bits.
  @inlinable @inline(__always)
  public mutating func skip(_ count: Int) throws(Failure) {
    guard count >= 0, count <= end - position else { throw .damaged("data end too early") }
    position += count
  }

  /// An unsigned number of `count` bits, 0…32.
  @inlinable @inline(__always)
  public mutating func read(_ count: Int) throws(Failure) -> Int {
    let value = peek(count)
    try skip(count)
    return value
  }

  /// One bit as a truth value.
  @inlinable @inline(__always)
  public mutating func flag() throws(Failure) -> Bool { try read(1) == 1 }

  /// A flag and, when it is 1, a number of `count` bits; `nil` when the flag is 0.
  @inlinable
  public mutating func optional(_ count: Int) throws(Failure) -> Int? {
    try flag() ? read(count) : nil
  }

  /// `variable_bits(n)` (ETSI TS 103 190-1, 4.2.2); throws beyond 2³².
  @inlinable
  public mutating func variableBits(_ count: Int) throws(Failure) -> Int {
    var value = 0
    while true {
      value += try read(count)
      guard try flag() else { return value }
      value = value << count + 1 << count
      guard value <= 1 << 32 else { throw .damaged("a number beyond 32 bits") }
    }
  }

  /// A number of `count` bits whose largest value means that `variable_bits(n)` is added.
  @inlinable
  public mutating func escaped(_ count: Int, variable: Int) throws(Failure) -> Int {
    let value = try read(count)
    return value == 1 << count - 1 ? value + (try variableBits(variable)) : value
  }

  /// Moves to the next byte border counted from bit `start`.
  @inlinable
  public mutating func align(from start: Int) throws(Failure) {
    try skip((8 - (position - start) & 7) & 7)
  }

  /// Moves to bit `target` at or after the next one.
  @inlinable
  public mutating func move(to target: Int) throws(Failure) { try skip(target - position) }

  /// Moves to bit `target`, backwards too, but within `range`.
  public mutating func move(
    to target: Int, within range: ClosedRange<Int>
  ) throws(Failure) {
    guard range.contains(target), target <= end else { throw .damaged("data end too early") }
    position = target
  }

  /// Makes bit `end`, at or after the next one, the new end.
  public mutating func limit(to end: Int) throws(Failure) {
    guard end >= position, end <= self.end else { throw .damaged("data end too early") }
    self.end = end
  }

  /// Number of 1 bits before the next 0 bit; throws above `limit`.
  @inlinable
  public mutating func unary(limit: Int) throws(Failure) -> Int {
    var count = 0
    while try flag() {
      count += 1
      guard count <= limit else { throw .damaged("a unary code that is too long") }
    }
    return count
  }

  /// `count` whole bytes.
  public mutating func bytes(_ count: Int) throws(Failure) -> [UInt8] {
    guard count >= 0, count <= remaining / 8 else { throw .damaged("data end too early") }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    for _ in 0..<count { result.append(UInt8(truncatingIfNeeded: try read(8))) }
    return result
  }
}

extension BitReader where Failure == Never {
  /// Whether more was read than there is.
  public var isExhausted: Bool { position > end }

  /// Moves on by `count` ≥ 0 bits.
  public mutating func skip(_ count: Int) { position += count }

  /// An unsigned number of `count` bits, 0…32; bits beyond the end are 0.
  public mutating func read(_ count: Int) -> Int {
    defer { position += count }
    return peek(count)
  }

  /// One bit as a truth value.
  public mutating func flag() -> Bool { read(1) == 1 }
}
