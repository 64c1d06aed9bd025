// SPDX-License-Identifier: Apache-2.0
import Signal

/// The windows of a frame, their groups, and how many bands are coded
/// (`sf_info`, TS 103 190-1, 4.2.8 and 4.3.6).
struct WindowLayout: Equatable {
  /// Transform index of each half of the frame.
  var transforms = SIMD2<UInt8>(0, 0)
  /// Whether one transform spans the frame.
  var isLong = true
  /// Windows in the frame, 1…16.
  var windowCount = 1
  /// Groups of windows, 1…16.
  var groupCount = 1
  var groupOfWindow = SIMD16<UInt8>(repeating: 0)
  var windowsInGroup = SIMD16<UInt8>(repeating: 0)
  /// Half of the frame, 0 or 1, whose transform and band count each group has.
  var halfOfGroup = SIMD16<UInt8>(repeating: 0)
  /// Coded bands in each half.
  var bands = SIMD2<UInt8>(0, 0)
  /// Coded bands in each half of a second track, where they are sent separately.
  private(set) var sideBands = SIMD2<UInt8>(0, 0)

  /// The numbers of coded bands that are sent.
  enum Role {
    /// `max_sfb` of one track, or of two with the same number.
    case main
    /// `max_sfb_side`: a side signal has fewer bands than its mid, and fewer bits for their number.
    case side
    /// `max_sfb` of a mid signal and `max_sfb_side` of its side signal.
    case both
  }

  /// Transform index of group `group`.
  func transform(_ group: Int) -> Int { Int(transforms[Int(halfOfGroup[group])]) }
  /// Coded bands of group `group`.
  func bandCount(_ group: Int) -> Int { Int(bands[Int(halfOfGroup[group])]) }
  /// Windows of group `group`.
  func windows(_ group: Int) -> Int { Int(windowsInGroup[group]) }

  /// Whether the windows are those of `other`; their groups may differ.
  func hasSameWindows(as other: WindowLayout) -> Bool {
    transforms == other.transforms && isLong == other.isLong
  }

  /// Reads `asf_transform_info` and `asf_psy_info`.
  init(
    _ bits: inout BitReader, _ sizes: TransformSizes, _ role: Role = .main
  ) throws(AC4Error) {
    let isSplit = try readTransforms(&bits, sizes)
    for half in 0..<(isSplit ? 2 : 1) {
      let length = sizes.length(Int(transforms[half]))
      let wide = TransformSizes.bandBits(length: length)
      let width = role == .side ? TransformSizes.sideBits(length: length) : wide
      bands[half] = try readBands(&bits, sizes, half, width)
      if role == .both { sideBands[half] = try readBands(&bits, sizes, half, wide) }
    }
    if !isSplit {
      bands[1] = bands[0]
      sideBands[1] = sideBands[0]
    }
    try readGroups(&bits, sizes, isSplit)
  }

  /// The layout of the second track, whose number of bands was sent separately.
  var side: WindowLayout {
    var side = self
    side.bands = sideBands
    return side
  }

  /// These windows and groups with the bands that reach as far as `count` bands of transform `largest`,
  /// which is at least as long as each of them (`max_sfb_master`).
  func reaching(_ count: Int, of largest: Int, _ sizes: TransformSizes) -> WindowLayout {
    var result = self
    for half in 0..<2 {
      result.bands[half] = UInt8(
        sizes.bands(Int(transforms[half]), reaching: count, of: largest))
    }
    return result
  }

  /// A number of coded bands, which has `width` bits.
  private func readBands(
    _ bits: inout BitReader, _ sizes: TransformSizes, _ half: Int, _ width: Int
  ) throws(AC4Error) -> UInt8 {
    let transform = Int(transforms[half])
    let count = try bits.read(width)
    guard count <= sizes.bandCount(transform) else {
      throw .damaged("\(count) bands in a transform of \(sizes.length(transform)) lines")
    }
    return UInt8(count)
  }

  /// Reads `sf_info_lfe`: one long window with few bands.
  init(lowFrequency bits: inout BitReader, _ sizes: TransformSizes) throws(AC4Error) {
    transforms = SIMD2(repeating: UInt8(sizes.count - 1))
    windowsInGroup[0] = 1
    let count = try bits.read(sizes.lowFrequencyBits)
    guard count <= sizes.bandCount(sizes.count - 1) else { throw .damaged("\(count) LFE bands") }
    bands = SIMD2(repeating: UInt8(count))
  }

  /// One long window without coded bands: a frame of silence.
  init(silent sizes: TransformSizes) {
    transforms = SIMD2(repeating: UInt8(sizes.count - 1))
    windowsInGroup[0] = 1
  }

  /// `asf_transform_info`; answers whether the halves of the frame have different transforms
  /// (`b_different_framing`).
  private mutating func readTransforms(
    _ bits: inout BitReader, _ sizes: TransformSizes
  ) throws(AC4Error) -> Bool {
    if sizes.frameLength >= 1536 {
      isLong = try bits.flag()
      if isLong {
        transforms = SIMD2(repeating: 4)
        return false
      }
      transforms[0] = UInt8(try bits.read(2))
      transforms[1] = UInt8(try bits.read(2))
      return transforms[0] != transforms[1]
    }
    let index = try bits.read(2)
    guard index < sizes.count else { throw .damaged("a reserved transform length") }
    transforms = SIMD2(repeating: UInt8(index))
    isLong = index == sizes.count - 1
    return false
  }

  /// Reads `scale_factor_grouping_bit` and sets the windows and groups that follow from them.
  private mutating func readGroups(
    _ bits: inout BitReader, _ sizes: TransformSizes, _ isSplit: Bool
  ) throws(AC4Error) {
    windowsInGroup[0] = 1
    guard !isLong else { return }
    let firstHalf: Int
    if sizes.frameLength >= 1536 {
      firstHalf = 8 >> Int(transforms[0])
      windowCount = firstHalf + 8 >> Int(transforms[1])
    } else {
      windowCount = 1 << (sizes.count - 1 - Int(transforms[0]))
      firstHalf = windowCount
    }
    var group = 0
    for window in 1..<windowCount {
      // Windows of different lengths can't be in one group, so no bit is sent at that border.
      let startsHalf = isSplit && window == firstHalf
      let joins = startsHalf ? false : try bits.flag()
      if !joins { group += 1 }
      groupOfWindow[window] = UInt8(group)
      windowsInGroup[group] += 1
      if isSplit, window >= firstHalf { halfOfGroup[group] = 1 }
    }
    groupCount = group + 1
  }
}

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
  private let borderTable: Buffer<Int>
  private let bandCounts: [Int]

  /// The sizes for frames of `frameLength` samples.
  init(frameLength: Int) {
    self.frameLength = frameLength
    count = frameLength >= 1536 ? 5 : frameLength >= 768 ? 4 : 3
    borderTable = Buffer(0, count: count * (TransformSizes.bandStride + 1))
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
