import AudioCore

/// Decodes the embedded measurements of ``KEMARTable``.
enum KEMARMeasurements {
  /// The measurements of the left half sphere.
  /// - Throws: ``MediaError`` of kind `internal` when the table is damaged.
  static func decode() throws -> HRTFMeasurements {
    let lineBytes = 8 + 4 * KEMARTable.taps
    let bytes = KEMARTable.lines.withUTF8Buffer { decodeLines($0) }
    guard bytes.count == lineBytes * KEMARTable.directions else {
      throw MediaError(.internal, "the built-in HRTF table is damaged")
    }
    var directions: [Direction] = []
    let responses = bytes.withUnsafeBytes { raw -> [Float] in
      var responses: [Float] = []
      responses.reserveCapacity(KEMARTable.directions * 2 * KEMARTable.taps)
      for line in 0..<KEMARTable.directions {
        let start = line * lineBytes
        directions.append(
          Direction(azimuth: angle(raw, start), elevation: angle(raw, start + 4)))
        for tap in 0..<2 * KEMARTable.taps {
          let bits = raw.loadUnaligned(fromByteOffset: start + 8 + 2 * tap, as: Int16.self)
          responses.append(Float(Int16(littleEndian: bits)) / 32768)
        }
      }
      return responses
    }
    return HRTFMeasurements(
      sampleRate: KEMARTable.sampleRate, taps: KEMARTable.taps, directions: directions,
      responses: responses, delays: [Double](repeating: 0, count: 2 * directions.count))
  }

  private static func angle(_ raw: UnsafeRawBufferPointer, _ offset: Int) -> Double {
    let bits = raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return Double(Float(bitPattern: UInt32(littleEndian: bits)))
  }

  /// Decodes lines of base64 (RFC 4648), each padded on its own.
  private static func decodeLines(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let values = alphabet()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var pending: UInt32 = 0
    var bits: UInt32 = 0
    for character in text {
      let value = values[Int(character)]
      guard value < 64 else {
        // At padding or a line's end the bits left over are filler.
        bits = 0
        continue
      }
      pending = pending << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
      }
    }
    return bytes
  }

  private static func alphabet() -> [UInt8] {
    var values = [UInt8](repeating: 255, count: 256)
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (index, letter) in letters.utf8.enumerated() { values[Int(letter)] = UInt8(index) }
    return values
  }
}
