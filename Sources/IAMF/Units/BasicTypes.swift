// SPDX-License-Identifier: Apache-2.0
import AudioCore
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

  /// UTF-8 text up to a 0 byte. Bytes that aren't UTF-8 are replaced.
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

/// The basic types of IAMF: `leb128()`, `string` and signed numbers.
extension BitWriter {
  /// Appends a number in little-endian base 128 (`leb128()`), 0…2³² − 1, in as few bytes as it needs.
  mutating func leb128(_ value: Int) {
    var rest = value
    repeat {
      let isLast = rest < 128
      write(rest & 127 | (isLast ? 0 : 128), 8)
      rest >>= 7
    } while rest > 0
  }

  /// Appends a number of bytes and these bytes.
  mutating func sized(_ bytes: [UInt8]) {
    leb128(bytes.count)
    write(bytes)
  }

  /// Appends UTF-8 text and a 0 byte.
  ///
  /// The text ends at its first 0 character, and behind the last whole character that leaves it 127 bytes: the
  /// standard allows 128 and doesn't say whether the 0 counts.
  mutating func string(_ text: String) {
    var bytes: [UInt8] = []
    for character in text {
      let next = Array(String(character).utf8)
      guard bytes.count + next.count < BitReader.mostStringBytes, !next.contains(0) else { break }
      bytes += next
    }
    write(bytes + [0])
  }

  /// Appends strings, one behind the other.
  mutating func strings(_ texts: [String]) {
    for text in texts { string(text) }
  }

  /// Appends a number in steps of 1/256 (Q7.8), rounded to the nearest step; what is beyond −128…127.996 becomes
  /// that.
  mutating func fixed(_ value: Double) {
    let steps = (value * 256).rounded()
    write(Int(min(max(steps, Double(Int16.min)), Double(Int16.max))) & 0xFFFF, 16)
  }
}

extension [UInt8] {
  /// The bytes that `body` writes.
  static func written(_ body: (inout BitWriter) -> Void) -> [UInt8] {
    var bits = BitWriter()
    body(&bits)
    return bits.bytes
  }
}

extension OBU {
  /// A unit of the bitstream that isn't a copy and has no extension of its header.
  /// - Parameters:
  ///   - type: `obu_type`, 0…31.
  ///   - trim: of an audio frame; without samples it isn't written.
  static func bytes(_ type: Int, trim: Trim = Trim(), _ payload: [UInt8]) -> [UInt8] {
    var header = BitWriter()
    if trim != Trim() {
      // The end comes first.
      header.leb128(trim.end)
      header.leb128(trim.start)
    }
    let front = header.bytes
    return .written { bits in
      bits.write(type, 5)
      bits.write(front.isEmpty ? 0 : 0b010, 3)
      bits.leb128(front.count + payload.count)
      bits.write(front + payload)
    }
  }
}

/// The fault that keeps a sequence of IAMF, or a part of one, from being used.
package enum IAMFError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The bits contradict the syntax; this names what was read.
  case malformed(String)
  /// The syntax is in order, but it asks for what is reserved or isn't supported; this names it.
  case unsupported(String)
  /// Reading the file failed.
  case unreadable

  /// The reason in a few words.
  package var description: String {
    switch self {
    case .malformed(let what): return "damaged IAMF data: \(what)"
    case .unsupported(let what): return "this part of IAMF isn't supported: \(what)"
    case .unreadable: return "reading failed; check the disk"
    }
  }

  /// Fault in words, without those in front that ``description`` has.
  package var reason: String {
    switch self {
    case .malformed(let what), .unsupported(let what): return what
    case .unreadable: return description
    }
  }

  /// This error as the rest of the program reports it.
  package var mediaError: MediaError {
    switch self {
    case .malformed: return MediaError(.damaged, description)
    case .unsupported: return MediaError(.unsupportedFeature, description)
    case .unreadable: return MediaError(.inputUnreadable, description)
    }
  }
}

extension IAMFError: BitstreamFailure {
  package static func damaged(_ element: String) -> IAMFError { .malformed(element) }
}

/// Reads the bits of IAMF; what contradicts the syntax is an ``IAMFError``.
typealias BitReader = Signal.BitReader<IAMFError>

/// Writes the bits of IAMF.
typealias BitWriter = Signal.BitWriter
