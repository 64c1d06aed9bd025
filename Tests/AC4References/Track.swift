// SPDX-License-Identifier: Apache-2.0
import Foundation
import Signal
import TestSupport

@testable import AC4

/// One track of a synthetic frame: random windows, groups and lines in codebook 5.
struct Track {
  /// Windows of one group: their length, how many, and the bands coded.
  private struct Group {
    var length: Int
    var count: Int
    var bands: Int
    /// Quantised lines of each window.
    var lines: [[Int]] = []
    /// Scale factor of each band.
    var factors: [Int] = []
  }

  private let frameLength: Int
  private var transforms: [Int] = []
  private var joins: [Bool] = []
  private var bandCounts: [Int] = []
  private var groups: [Group] = []
  private let indexCount: Int

  /// A low-frequency track: one long window with few bands.
  init(lowFrequency frameLength: Int, _ noise: inout SeededNoise) {
    self.frameLength = frameLength
    indexCount = frameLength >= 1536 ? 5 : frameLength >= 768 ? 4 : 3
    transforms = [indexCount - 1]
    bandCounts = [Int.random(in: 1...3, using: &noise)]
    groups = [Group(length: frameLength, count: 1, bands: bandCounts[0])]
    fill(&groups[0], &noise)
  }

  /// A track with the windows and bands of another one and lines of its own.
  init(like other: Track, _ noise: inout SeededNoise) {
    self = other
    for place in groups.indices { fill(&groups[place], &noise) }
  }

  /// A track with the windows of another one, bands by `count` for each window length, and lines of
  /// its own.
  init(like other: Track, _ noise: inout SeededNoise, bands count: (Int) -> Int) {
    self = other
    let shown = transforms.count == 2 && bandCounts.count == 1 ? [transforms[0]] : transforms
    bandCounts = shown.map { count(length($0)) }
    for place in groups.indices {
      groups[place].bands = count(groups[place].length)
      fill(&groups[place], &noise)
    }
  }

  init(_ frameLength: Int, _ noise: inout SeededNoise) {
    self.frameLength = frameLength
    indexCount = frameLength >= 1536 ? 5 : frameLength >= 768 ? 4 : 3
    chooseWindows(&noise)
    for place in groups.indices { fill(&groups[place], &noise) }
  }

  /// A track with as few bands as `max_sfb_side` can say.
  init(side frameLength: Int, _ noise: inout SeededNoise) {
    let own = Track(frameLength, &noise)
    let counts = Dictionary(own.groups.map { ($0.length, $0.bands) }) { first, _ in first }
    self.init(like: own, &noise) { min(counts[$0] ?? 0, 1 << Track.sideBits($0) - 1) }
  }

  /// `n_side_bits` (Table 106).
  static func sideBits(_ length: Int) -> Int {
    switch length {
    case 192, 128, 120, 96: return 3
    case 384, 256, 240: return 4
    default: return 5
    }
  }

  /// Lines of the longest window.
  var longest: Int { groups.map(\.length).max() ?? frameLength }

  /// For each line, window after window, whether it lies in a coded band.
  var mask: [Bool] {
    groups.flatMap { group -> [Bool] in
      let end = TransformSizes.borders(length: group.length)[group.bands]
      let window = (0..<group.length).map { $0 < end }
      return (0..<group.count).flatMap { _ in window }
    }
  }

  private func length(_ index: Int) -> Int { frameLength >> (indexCount - 1 - index) }

  /// A track with the windows of another one, in groups and with bands of its own.
  init(windowsOf other: Track, _ noise: inout SeededNoise) {
    frameLength = other.frameLength
    indexCount = other.indexCount
    transforms = other.transforms
    chooseGroups(&noise)
    for place in groups.indices { fill(&groups[place], &noise) }
  }

  private mutating func chooseWindows(_ noise: inout SeededNoise) {
    let isLong = Int.random(in: 0..<3, using: &noise) == 0
    let largest = frameLength >= 1536 ? 3 : indexCount - 2
    if isLong {
      transforms = [indexCount - 1]
    } else if frameLength >= 1536 {
      transforms = (0..<2).map { _ in Int.random(in: 0...largest, using: &noise) }
    } else {
      transforms = [Int.random(in: 0...largest, using: &noise)]
    }
    chooseGroups(&noise)
  }

  private mutating func chooseGroups(_ noise: inout SeededNoise) {
    let halves =
      transforms.count == 2 && transforms[0] == transforms[1] ? [transforms[0]] : transforms
    for transform in halves {
      let all = TransformSizes.borders(length: length(transform)).count - 1
      bandCounts.append(Int.random(in: 0...all, using: &noise))
    }
    let share = transforms.count == 2 ? frameLength / 2 : frameLength
    var isFirst = true
    for (half, transform) in transforms.enumerated() {
      for window in 0..<share / length(transform) {
        let startsHalf = half == 1 && window == 0 && bandCounts.count == 2
        var join = false
        if !isFirst, !startsHalf {
          join = Bool.random(using: &noise)
          joins.append(join)
        }
        if join {
          groups[groups.count - 1].count += 1
        } else {
          groups.append(
            Group(
              length: length(transform), count: 1,
              bands: bandCounts[min(half, bandCounts.count - 1)]))
        }
        isFirst = false
      }
    }
  }

  private func fill(_ group: inout Group, _ noise: inout SeededNoise) {
    let borders = TransformSizes.borders(length: group.length)
    group.lines = (0..<group.count).map { _ in
      (0..<group.length).map { line in
        line < borders[group.bands] ? Int.random(in: -4...4, using: &noise) : 0
      }
    }
    // Any band that is all zeros by chance would carry no factor.
    for band in 0..<group.bands where group.lines[0][borders[band]] == 0 {
      group.lines[0][borders[band]] = 1
    }
    group.factors = (0..<group.bands).map { _ in Int.random(in: 110...150, using: &noise) }
  }

  /// Lengths of the windows in order.
  var windows: [Int] { groups.flatMap { Array(repeating: $0.length, count: $0.count) } }

  /// Dequantised lines, window after window.
  var lines: [Double] {
    groups.flatMap { group -> [Double] in
      let borders = TransformSizes.borders(length: group.length)
      return group.lines.flatMap { window in
        window.enumerated().map { line, value -> Double in
          guard let band = (0..<group.bands).first(where: { line < borders[$0 + 1] }) else {
            return 0
          }
          let size =
            pow(Double(abs(value)), 4.0 / 3) * pow(2, Double(group.factors[band] - 100) / 4)
          return value < 0 ? -size : size
        }
      }
    }
  }

  /// `asf_transform_info` and `asf_psy_info`, with the bands of `side` where they are sent apart.
  func writeInfo(_ bits: inout BitWriter, side: Track? = nil, isSide: Bool = false) {
    if frameLength >= 1536 {
      bits.write(transforms.count == 1)
      if transforms.count == 2 { for transform in transforms { bits.write(transform, 2) } }
    } else {
      bits.write(transforms[0], 2)
    }
    for (half, count) in bandCounts.enumerated() {
      let lines = length(transforms[half])
      let width = lines >= 384 ? 6 : lines >= 192 ? 5 : 4
      bits.write(count, isSide ? Track.sideBits(lines) : width)
      if let side { bits.write(side.bandCounts[half], width) }
    }
    for join in joins { bits.write(join) }
  }

  /// `sf_info_lfe`.
  func writeLowFrequencyInfo(_ bits: inout BitWriter) {
    bits.write(bandCounts[0], frameLength >= 1536 ? 3 : 2)
  }

  /// `sf_data`.
  func writeData(_ bits: inout BitWriter) {
    for group in groups where group.bands > 0 {
      let index = (0..<indexCount).first { length($0) == group.length } ?? 0
      let width = index <= 2 ? 3 : 5
      let escape = 1 << width - 1
      bits.write(5, 4)
      var rest = group.bands - 1
      while rest >= escape {
        bits.write(escape, width)
        rest -= escape
      }
      bits.write(rest, width)
    }
    for group in groups { writeLines(group, &bits) }
    var last = groups.first { !$0.factors.isEmpty }?.factors.first ?? 120
    bits.write(last, 8)
    var isFirst = true
    for factor in groups.flatMap(\.factors) {
      if !isFirst { Track.write(factor - last, Codebooks.asfScalefac, &bits) }
      isFirst = false
      last = factor
    }
    bits.write(0, 1)
  }

  private func writeLines(_ group: Group, _ bits: inout BitWriter) {
    let borders = TransformSizes.borders(length: group.length)
    for band in 0..<group.bands {
      for window in group.lines {
        for line in stride(from: borders[band], to: borders[band + 1], by: 2) {
          let symbol = (window[line] + 4) * 9 + window[line + 1] + 4
          Track.write(symbol - Codebooks.asf5.offset, Codebooks.asf5, &bits)
        }
      }
    }
  }

  static func write(_ value: Int, _ code: HuffmanCode, _ bits: inout BitWriter) {
    let symbol = value + code.offset
    bits.write(Int(code.codewords[symbol]), Int(code.lengths[symbol]))
  }

  /// `chparam_info` with prediction for the bands of this track; answers the share of each line, window after window.
  func writePrediction(_ bits: inout BitWriter, _ noise: inout SeededNoise) -> [Double] {
    bits.write(3, 2)
    // All bands have it, and nothing refers to the group before.
    bits.write(1, 1)
    if groups.count > 1 { bits.write(0, 1) }
    var shares: [Double] = []
    for group in groups {
      let borders = TransformSizes.borders(length: group.length)
      var window = [Double](repeating: 0, count: group.length)
      var last = 0
      for band in stride(from: 0, to: group.bands, by: 2) {
        let steps = Int.random(in: -12...12, using: &noise)
        Track.write(steps - last, Codebooks.asfScalefac, &bits)
        last = steps
        for line in borders[band]..<borders[min(band + 2, group.bands)] {
          window[line] = 0.1 * Double(steps)
        }
      }
      for _ in 0..<group.count { shares += window }
    }
    return shares
  }
}
