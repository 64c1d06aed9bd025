/// Reads bit fields, most significant bit first, from bytes that outlive it.
///
/// A read beyond the end throws; it never makes up bits.
struct BitReader {
  private let bytes: UnsafePointer<UInt8>
  private let byteCount: Int
  /// Position behind the last bit that may be read.
  private(set) var end: Int
  /// Position of the next bit, counted from the first byte.
  private(set) var position: Int

  /// A reader of all of `buffer`, which must outlive it.
  init(_ buffer: UnsafeBufferPointer<UInt8>) {
    // An empty buffer may have no address; any other does, since nothing is read from it.
    bytes = buffer.baseAddress ?? UnsafePointer(BitReader.nothing)
    byteCount = buffer.count
    end = buffer.count * 8
    position = 0
  }

  /// An address for readers of nothing.
  private static nonisolated(unsafe) let nothing: UnsafeMutablePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return byte
  }()

  /// Number of bits that are left.
  var remaining: Int { end - position }

  /// A reader of `count` bytes from byte `offset` on. Its positions count from the first byte of this reader,
  /// too.
  func part(at offset: Int, count: Int) throws(AC4Error) -> BitReader {
    guard offset >= 0, count >= 0, count <= byteCount, offset <= byteCount - count else {
      throw .damaged("a substream beyond the end of the frame")
    }
    var part = self
    part.position = offset * 8
    part.end = (offset + count) * 8
    return part
  }

  /// The next 32 bits without moving on; bits beyond the end of the bytes are 0.
  @inline(__always)
  func peek32() -> UInt32 {
    let byte = position >> 3
    let word: UInt64
    if byte + 8 <= byteCount {
      word = UnsafeRawPointer(bytes + byte).loadUnaligned(as: UInt64.self).bigEndian
    } else {
      word = slowWord(byte)
    }
    return UInt32(truncatingIfNeeded: (word &<< UInt64(position & 7)) &>> 32)
  }

  /// The 64 bits from byte `first` on, where fewer bytes are left.
  private func slowWord(_ first: Int) -> UInt64 {
    var word: UInt64 = 0
    for byte in first..<first + 8 {
      word = word << 8 | (byte < byteCount ? UInt64(bytes[byte]) : 0)
    }
    return word
  }

  /// Moves on by `count` bits; a negative count throws.
  @inline(__always)
  mutating func skip(_ count: Int) throws(AC4Error) {
    guard count >= 0, count <= end - position else { throw .damaged("data end too early") }
    position += count
  }

  /// An unsigned number of `count` bits, 0…32.
  @inline(__always)
  mutating func read(_ count: Int) throws(AC4Error) -> Int {
    let word = peek32()
    try skip(count)
    return count == 0 ? 0 : Int(word &>> UInt32(truncatingIfNeeded: 32 &- count))
  }

  /// One bit as a truth value.
  @inline(__always)
  mutating func flag() throws(AC4Error) -> Bool { try read(1) == 1 }

  /// A number of `count` bits behind a flag; `nil` when the flag is 0.
  mutating func optional(_ count: Int) throws(AC4Error) -> Int? {
    try flag() ? read(count) : nil
  }

  /// `variable_bits(n)` (TS 103 190-1, 4.2.2); throws beyond 2³².
  mutating func variableBits(_ count: Int) throws(AC4Error) -> Int {
    var value = 0
    while true {
      value += try read(count)
      guard try flag() else { return value }
      value = value << count + 1 << count
      guard value <= 1 << 32 else { throw .damaged("a number beyond 32 bits") }
    }
  }

  /// A number of `count` bits, to whose largest value `variable_bits(variable)` is added.
  mutating func escaped(_ count: Int, variable: Int) throws(AC4Error) -> Int {
    let value = try read(count)
    return value == 1 << count - 1 ? value + (try variableBits(variable)) : value
  }

  /// Moves to the next multiple of eight bits from bit `start`, unless it is there.
  mutating func align(from start: Int) throws(AC4Error) {
    try skip((8 - (position - start) & 7) & 7)
  }

  /// Moves to bit `target`; throws where that lies behind the position.
  mutating func move(to target: Int) throws(AC4Error) { try skip(target - position) }

  /// Moves to bit `target`, forwards or backwards; throws where that lies outside `range`.
  mutating func move(to target: Int, within range: ClosedRange<Int>) throws(AC4Error) {
    guard range.contains(target), target <= end else { throw .damaged("data end too early") }
    position = target
  }

  /// Makes the data end before bit `end`.
  mutating func limit(to end: Int) throws(AC4Error) {
    guard end >= position, end <= self.end else { throw .damaged("data end too early") }
    self.end = end
  }

  /// Number of 1 bits before the next 0 bit; throws above `limit`.
  mutating func unary(limit: Int) throws(AC4Error) -> Int {
    var count = 0
    while try flag() {
      count += 1
      guard count <= limit else { throw .damaged("a unary code that is too long") }
    }
    return count
  }

  /// The next `count` bytes, which may begin within a byte.
  mutating func bytes(_ count: Int) throws(AC4Error) -> [UInt8] {
    guard count >= 0, count <= remaining / 8 else { throw .damaged("data end too early") }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    for _ in 0..<count { result.append(UInt8(truncatingIfNeeded: try read(8))) }
    return result
  }
}
