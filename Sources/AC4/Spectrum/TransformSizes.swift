import Signal

/// Transform lengths of one frame length and their scale factor bands
/// (TS 103 190-1, Tables 99 to 106 and Annex B).
final class TransformSizes {
  /// Room for the bands of one length: more than the most that any length has.
  static let bandStride = 64

  /// Samples per frame at the coded rate.
  let frameLength: Int
  /// Number of lengths; the last is the whole frame.
  let count: Int
  /// Band borders of all lengths, ``bandStride`` + 1 for each.
  private let borderTable: FixedBuffer<Int>
  private let bandCounts: [Int]

  /// The sizes for frames of `frameLength` samples.
  init(frameLength: Int) {
    self.frameLength = frameLength
    count = frameLength >= 1536 ? 5 : frameLength >= 768 ? 4 : 3
    borderTable = FixedBuffer(0, count: count * (TransformSizes.bandStride + 1))
    var counts: [Int] = []
    for index in 0..<count {
      let borders = TransformSizes.borders(length: frameLength >> (count - 1 - index))
      let row = borderTable.base + index * (TransformSizes.bandStride + 1)
      for (place, border) in borders.enumerated() { row[place] = border }
      counts.append(borders.count - 1)
    }
    bandCounts = counts
  }

  /// Lines of the transform with this index.
  func length(_ index: Int) -> Int { frameLength >> (count - 1 - index) }

  /// Number of scale factor bands of the transform with this index.
  func bandCount(_ index: Int) -> Int { bandCounts[index] }

  /// Borders of those bands, one more than there are.
  func borders(_ index: Int) -> UnsafePointer<Int> {
    UnsafePointer(borderTable.base + index * (TransformSizes.bandStride + 1))
  }

  /// Bits of `max_sfb` for `length` lines (`n_msfb_bits`, Tables 99 to 106).
  static func bandBits(length: Int) -> Int { length >= 384 ? 6 : length >= 192 ? 5 : 4 }

  /// Bits of `max_sfb_side` and `max_sfb_master` for `length` lines (`n_side_bits`, the same tables).
  static func sideBits(length: Int) -> Int { length >= 480 ? 5 : length >= 240 ? 4 : 3 }

  /// The number of bands of transform `index` that reach as far as `count` bands of transform `other`, which
  /// has the same length or a greater one (`n_sfb_side`, Tables B.8 to B.19).
  func bands(_ index: Int, reaching count: Int, of other: Int) -> Int {
    let end = borders(other)[count]
    let own = borders(index)
    return (0...bandCount(index)).first { own[$0] << (other - index) >= end } ?? bandCount(index)
  }

  /// Bits of `max_sfb` of a low-frequency channel.
  var lowFrequencyBits: Int { frameLength >= 1536 ? 3 : 2 }

  /// Borders of the scale factor bands of `length` lines (Annex B).
  static func borders(length: Int) -> [Int] {
    switch length {
    case 2048: return BandBorders.borders2048
    case 1920: return BandBorders.borders1920
    case 1536: return BandBorders.borders1536
    case 1024: return BandBorders.borders1024
    case 960: return BandBorders.borders960
    case 768: return BandBorders.borders768
    case 512: return BandBorders.borders512
    case 480: return BandBorders.borders480
    case 384: return BandBorders.borders384
    case 256: return BandBorders.borders256
    case 240: return BandBorders.borders240
    case 192: return BandBorders.borders192
    case 128: return BandBorders.borders128
    case 120: return BandBorders.borders120
    default: return BandBorders.borders96
    }
  }
}
