import Signal

/// The basic types of IAMF: `leb128()`, `string` and signed numbers.
extension Signal.BitReader where Failure == IAMFError {
  /// Most bytes of a number in base 128.
  static var mostNumberBytes: Int { 8 }
  /// Most bytes of a string, without the 0 behind it.
  static var mostStringBytes: Int { 128 }

  /// Whole bytes left.
  var bytesLeft: Int { remaining / 8 }

  /// A number in little-endian base 128 (`leb128()`), 0…2³² − 1. More bytes than it needs are legal.
  /// - Throws: ``IAMFError/malformed(_:)`` for more than eight bytes and for larger numbers.
  mutating func leb128() throws(IAMFError) -> Int {
    var value: UInt64 = 0
    for index in 0..<Self.mostNumberBytes {
      let byte = try read(8)
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      guard byte & 0x80 == 0 else { continue }
      guard value <= UInt64(UInt32.max) else {
        throw .malformed("a leb128 number beyond 32 bits")
      }
      return Int(value)
    }
    throw .malformed("a leb128 number of more than \(Self.mostNumberBytes) bytes")
  }

  /// A number of things that take at least one byte each, so that there can't be more than bytes are left.
  mutating func count(of things: String) throws(IAMFError) -> Int {
    let count = try leb128()
    guard count <= bytesLeft else { throw .malformed("\(count) \(things) in \(bytesLeft) bytes") }
    return count
  }

  /// A number of bytes and these bytes.
  mutating func sizedBytes() throws(IAMFError) -> [UInt8] { try bytes(leb128()) }

  /// All whole bytes that are left.
  mutating func rest() throws(IAMFError) -> [UInt8] { try bytes(bytesLeft) }

  /// UTF-8 text up to a 0 byte. What isn't UTF-8 is replaced.
  /// - Throws: ``IAMFError/malformed(_:)`` for more than 128 bytes, as the string has lost its end then.
  mutating func string() throws(IAMFError) -> String {
    var text: [UInt8] = []
    while true {
      let byte = try read(8)
      if byte == 0 { return String(decoding: text, as: UTF8.self) }
      guard text.count < Self.mostStringBytes else {
        throw .malformed("a string of more than \(Self.mostStringBytes) bytes")
      }
      text.append(UInt8(byte))
    }
  }

  /// `count` strings.
  mutating func strings(_ count: Int) throws(IAMFError) -> [String] {
    var all: [String] = []
    for _ in 0..<count { all.append(try string()) }
    return all
  }

  /// A number of 16 bits in two's complement.
  mutating func signed16() throws(IAMFError) -> Int {
    Int(Int16(truncatingIfNeeded: try read(16)))
  }

  /// A signed number in steps of 1/256 (Q7.8), −128…127.996.
  mutating func fixed() throws(IAMFError) -> Double { Double(try signed16()) / 256 }
}
