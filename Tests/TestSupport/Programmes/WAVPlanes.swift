// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The samples of a WAV file, read byte by byte without the product's own code.
package struct WAVPlanes {
  /// Samples of each channel; ±1 is full scale.
  package let planes: [[Float]]
  /// Sample rate in Hz.
  package let rate: Int

  /// Reads RIFF, RF64 and BW64 with PCM of 16, 24 or 32 bits or floats of 32 bits; `nil` for anything else.
  package init?(_ data: Data) {
    let bytes = [UInt8](data)
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
    }
    guard bytes.count > 12, ["RIFF", "RF64", "BW64"].contains(WAVPlanes.name(bytes, at: 0)) else {
      return nil
    }
    var place = 12
    var format: (tag: Int, channels: Int, rate: Int, width: Int)?
    while place + 8 <= bytes.count {
      let name = WAVPlanes.name(bytes, at: place)
      var size = number(place + 4, 4)
      if name == "fmt ", size >= 16 {
        let tag = number(place + 8, 2)
        // The extensible form has its tag at the beginning of the subformat.
        format = (
          tag == 0xFFFE ? number(place + 32, 2) : tag, number(place + 10, 2),
          number(place + 12, 4), number(place + 22, 2) / 8
        )
      }
      // RF64 states the size elsewhere, and a stream doesn't know it.
      if name == "data", size == 0xFFFF_FFFF { size = bytes.count - place - 8 }
      if name == "data", let format, format.channels > 0, format.width > 0 {
        let end = min(bytes.count, place + 8 + size)
        guard
          let read = WAVPlanes.planes(
            bytes[(place + 8)..<end], format.tag, format.channels, format.width)
        else { return nil }
        (planes, rate) = (read, format.rate)
        return
      }
      place += 8 + size + size % 2
    }
    return nil
  }

  private static func name(_ bytes: [UInt8], at place: Int) -> String {
    String(decoding: bytes[place..<place + 4], as: UTF8.self)
  }

  private static func planes(
    _ bytes: ArraySlice<UInt8>, _ tag: Int, _ channels: Int, _ width: Int
  ) -> [[Float]]? {
    let frames = bytes.count / (width * channels)
    return bytes.withUnsafeBytes { raw -> [[Float]]? in
      func all(_ sample: (Int) -> Float) -> [[Float]] {
        (0..<channels).map { channel in
          (0..<frames).map { sample((channel + $0 * channels) * width) }
        }
      }
      switch (tag, width) {
      case (1, 2):
        return all {
          Float(Int16(littleEndian: raw.loadUnaligned(fromByteOffset: $0, as: Int16.self)))
            * 0x1p-15
        }
      case (1, 3):
        return all {
          let value =
            UInt32(raw[$0]) << 8 | UInt32(raw[$0 + 1]) << 16 | UInt32(raw[$0 + 2]) << 24
          return Float(Int32(bitPattern: value) >> 8) * 0x1p-23
        }
      case (1, 4):
        return all {
          Float(Int32(littleEndian: raw.loadUnaligned(fromByteOffset: $0, as: Int32.self)))
            * 0x1p-31
        }
      case (3, 4):
        return all {
          Float(
            bitPattern: UInt32(
              littleEndian: raw.loadUnaligned(fromByteOffset: $0, as: UInt32.self)))
        }
      default: return nil
      }
    }
  }
}
