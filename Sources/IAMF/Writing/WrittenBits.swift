import Signal

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
