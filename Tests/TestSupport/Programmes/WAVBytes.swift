// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Makes WAV files byte by byte, without the product's own code.
package enum WAVBytes {
  /// A WAV file of 16-bit samples, channels interleaved from planes.
  package static func pcm16(_ planes: [[Int16]], rate: Int, mask: UInt32? = nil) -> Data {
    let body = interleaved(planes) { UInt16(bitPattern: $0) }
    return file(body, channels: planes.count, rate: rate, bits: 16, tag: 1, mask: mask)
  }

  /// A WAV file of 32-bit floats.
  package static func float32(_ planes: [[Float]], rate: Int, mask: UInt32? = nil) -> Data {
    let body = interleaved(planes, \.bitPattern)
    return file(body, channels: planes.count, rate: rate, bits: 32, tag: 3, mask: mask)
  }

  /// The planes of a WAV file; none where `data` isn't one.
  package static func floatPlanes(_ data: Data) -> [[Float]] { WAVPlanes(data)?.planes ?? [] }

  /// The bytes of the samples of all channels, interleaved.
  private static func interleaved<Sample, Word: FixedWidthInteger>(
    _ planes: [[Sample]], _ word: (Sample) -> Word
  ) -> Data {
    let frames = planes.first?.count ?? 0
    var words = [Word](repeating: 0, count: frames * planes.count)
    for (channel, plane) in planes.enumerated() {
      for frame in 0..<frames {
        words[frame * planes.count + channel] = word(plane[frame]).littleEndian
      }
    }
    return words.withUnsafeBytes { Data($0) }
  }

  private static func file(
    _ body: Data, channels: Int, rate: Int, bits: Int, tag: UInt16, mask: UInt32?
  ) -> Data {
    var format = Data()
    append(mask == nil ? tag : 0xFFFE, to: &format)
    append(UInt16(channels), to: &format)
    append(UInt32(rate), to: &format)
    append(UInt32(rate * channels * bits / 8), to: &format)
    append(UInt16(channels * bits / 8), to: &format)
    append(UInt16(bits), to: &format)
    if let mask {
      append(UInt16(22), to: &format)
      append(UInt16(bits), to: &format)
      append(mask, to: &format)
      append(tag, to: &format)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    var data = Data("RIFF".utf8)
    append(UInt32(4 + 8 + format.count + 8 + body.count), to: &data)
    data += Data("WAVEfmt ".utf8)
    append(UInt32(format.count), to: &data)
    data += format + Data("data".utf8)
    append(UInt32(body.count), to: &data)
    return data + body
  }

  private static func append<Value: FixedWidthInteger>(_ value: Value, to data: inout Data) {
    withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
  }
}
