// SPDX-License-Identifier: Apache-2.0

/// Frames of AC-3, which dumps of discs carry between the units of TrueHD.
enum CoreFrame {
  /// Bytes of a frame's head that tell its length.
  static let head = 6
  private static let kilobits = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]

  /// Bytes of the frame that begins at byte `start`; `nil` where none does (ETSI TS 102 366, 4.4.1).
  static func length(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
    guard start + head <= bytes.count, bytes[start] == 0x0B, bytes[start + 1] == 0x77 else {
      return nil
    }
    let (rate, size) = (Int(bytes[start + 4]) >> 6, Int(bytes[start + 4]) & 63)
    guard rate < 3, size < 2 * kilobits.count, bytes[start + 5] >> 3 <= 10 else { return nil }
    let kilobit = kilobits[size / 2]
    switch rate {
    case 0: return 4 * kilobit
    case 1: return 2 * (kilobit * 96_000 / 44_100 + size % 2)
    default: return 6 * kilobit
    }
  }
}
