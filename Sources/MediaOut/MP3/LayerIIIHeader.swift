// SPDX-License-Identifier: Apache-2.0

/// The header of a frame of Layer III (ISO/IEC 11172-3, 2.4.1.3, and 13818-3), as far as lengths depend on it.
struct LayerIIIHeader {
  /// Bytes of a header.
  static let length = 4

  /// kbit/s by the number in the header, for MPEG-1 and for the lower rates.
  private static let bitRates = [
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
  private static let rates = [44_100, 48_000, 32_000]

  let bytes: [UInt8]
  /// Hz.
  let rate: Int
  /// kbit/s.
  let kilobits: Int
  /// Whether it is of MPEG-1, which has the rates from 32 kHz on.
  let isFirst: Bool
  /// Bytes of the frame.
  let size: Int

  /// The header that `frame` begins with; `nil` where there is none of Layer III, or it states no bit rate.
  init?(_ frame: some Collection<UInt8>) {
    let bytes = Array(frame.prefix(LayerIIIHeader.length))
    guard bytes.count == LayerIIIHeader.length, bytes[0] == 0xFF, bytes[1] & 0xE6 == 0xE2 else {
      return nil
    }
    let version = bytes[1] >> 3 & 3
    let (bitRate, rate) = (Int(bytes[2] >> 4), Int(bytes[2] >> 2 & 3))
    guard version != 1, rate < 3, (1...14).contains(bitRate) else { return nil }
    self.bytes = bytes
    isFirst = version == 3
    self.rate = LayerIIIHeader.rates[rate] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    kilobits = LayerIIIHeader.bitRates[isFirst ? 0 : 1][bitRate - 1]
    size = (isFirst ? 144_000 : 72_000) * kilobits / self.rate + Int(bytes[2] >> 1 & 1)
  }

  /// Samples of a frame.
  var samples: Int { isFirst ? 1152 : 576 }

  /// Number of the channel mode: 0 stereo, 1 joint stereo, 2 two channels, 3 mono.
  var mode: UInt8 { bytes[3] >> 6 }

  /// Bytes of the side information behind the header, without a checksum.
  var side: Int { isFirst ? (mode == 3 ? 17 : 32) : (mode == 3 ? 9 : 17) }

  /// The header of a frame without checksum and padding that holds at least `count` bytes; of those, the one whose bit rate is
  /// nearest. `nil` where none is as long.
  func holding(_ count: Int) -> LayerIIIHeader? {
    (1...14).compactMap { number -> LayerIIIHeader? in
      // Intensity and difference of the channels mean nothing where there is no sound.
      LayerIIIHeader([
        0xFF, bytes[1] | 1, UInt8(number << 4) | bytes[2] & 0x0C, bytes[3] & 0xCF,
      ])
    }.filter { $0.size >= count }.min {
      abs($0.kilobits - kilobits) < abs($1.kilobits - kilobits)
    }
  }
}
