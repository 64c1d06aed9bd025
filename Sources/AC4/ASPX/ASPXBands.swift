// SPDX-License-Identifier: Apache-2.0
import Platform
import Signal

/// Subband groups, patches and limiter bands of advanced spectral extension (A-SPX)
/// (TS 103 190-1, 5.7.6.3.1 to 5.7.6.3.3).
final class ASPXBands {
  /// Borders of the low-resolution template in QMF subbands (`aspx_master_freq_scale` 0).
  private static let low = [
    10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 24, 26, 28, 30, 32, 35, 38, 42, 46,
  ]
  /// Borders of the high-resolution template (`aspx_master_freq_scale` 1).
  private static let high = [
    18, 19, 20, 21, 22, 23, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 47, 50, 53, 56, 59, 62,
  ]

  /// The settings that the groups follow from.
  let configuration: ASPXConfiguration
  /// `aspx_xover_subband_offset`.
  let crossoverOffset: Int
  /// Borders of the signal groups at high resolution.
  let signalHigh: [Int]
  /// Borders of the signal groups at low resolution.
  let signalLow: [Int]
  /// Borders of the noise groups.
  let noise: [Int]
  /// First subband of the master table, `sba`.
  let first: Int
  /// The runs of subbands that the high band is copied from.
  let patches: [ASPXPatch]
  /// Borders of the limiter's bands.
  let limiter: [Int]

  /// Polynomials of order 0 to 3 over the subbands below the crossover, one row each.
  let cubicBasis: Buffer<Float>

  /// First subband that is generated, `sbx`.
  var crossover: Int { signalHigh[0] }
  /// Subband after the last one that is generated, `sbz`.
  var end: Int { signalHigh[signalHigh.count - 1] }
  /// Number of generated subbands.
  var width: Int { end - crossover }
  /// Number of noise groups, 1…5.
  var noiseCount: Int { noise.count - 1 }
  /// Number of signal groups at high resolution, 1…22.
  var highCount: Int { signalHigh.count - 1 }

  /// Borders of the signal groups at one resolution.
  func signal(isHigh: Bool) -> [Int] { isHigh ? signalHigh : signalLow }

  /// The groups for these settings.
  /// - Throws: ``AC4Error/damaged(_:)`` for offsets beyond the table or too many noise groups.
  init(_ configuration: ASPXConfiguration, offset: Int, is48kHz: Bool) throws(AC4Error) {
    let template = configuration.isHighTemplate ? ASPXBands.high : ASPXBands.low
    let count = template.count - 1 - 2 * configuration.start - 2 * configuration.stop
    let begin = 2 * configuration.start
    guard count > 0, offset < count else { throw .damaged("A-SPX crossover offset \(offset)") }
    let master = Array(template[begin...begin + count])
    self.configuration = configuration
    crossoverOffset = offset
    first = master[0]
    signalHigh = Array(master[offset...])
    signalLow = ASPXBands.halved(signalHigh)
    noise = try ASPXBands.noiseBorders(configuration.noiseGroups, signalHigh, signalLow)
    patches = try ASPXBands.patches(
      master, crossover: signalHigh[0], isHigh: configuration.isHighTemplate, is48kHz: is48kHz)
    limiter = ASPXBands.limiterBorders(signalLow, patches)
    cubicBasis = Buffer(ASPXBasis.cubic(signalHigh[0]), or: 0)
  }

  /// The low-resolution groups: every two high-resolution groups become one, from the top down.
  private static func halved(_ high: [Int]) -> [Int] {
    let count = high.count - 1
    let lowCount = count - count / 2
    return [high[0]] + (1...lowCount).map { high[count & 1 == 0 ? 2 * $0 : 2 * $0 - 1] }
  }

  /// Noise groups: `aspx_noise_sbg` for each octave.
  private static func noiseBorders(
    _ setting: Int, _ high: [Int], _ low: [Int]
  ) throws(AC4Error) -> [Int] {
    let octaves = log2(Double(high[high.count - 1]) / Double(high[0]))
    let count = max(1, Int((Double(setting) * octaves + 0.5).rounded(.down)))
    // The standard allows five.
    guard count <= 5, count < low.count else { throw .damaged("\(count) A-SPX noise groups") }
    var borders = [low[0]]
    var index = 0
    for group in 1...count {
      index += (low.count - 1 - index) / (count + 1 - group)
      borders.append(low[index])
    }
    return borders
  }

  /// Covers the high band with copies of the low one (5.7.6.3.1.4).
  private static func patches(
    _ master: [Int], crossover: Int, isHigh: Bool, is48kHz: Bool
  ) throws(AC4Error) -> [ASPXPatch] {
    // The subband near 16 kHz, where a patch should end.
    let goal = is48kHz ? 43 : 46
    // Sources begin no lower than this subband.
    let lowest = isHigh ? 4 : 2
    let start = master[0]
    let last = master.count - 1
    var patches: [ASPXPatch] = []
    var sourceTop = start
    var used = crossover
    var group = goal < master[last] ? master.firstIndex { $0 >= goal } ?? last : last
    // Far more rounds than valid tables need; damaged ones may never reach the end.
    for _ in 0..<20 {
      var index = group
      // Source and target of a copy must both be even or both odd: the spectra of odd subbands are mirrored.
      func odd(_ border: Int) -> Int { (border - 2 + start) & 1 }
      while index > 0,
        master[index] > start - lowest + sourceTop - odd(master[index])
      {
        index -= 1
      }
      let border = master[index]
      let count = max(border - used, 0)
      if count > 0 {
        let source = start - odd(border) - count
        guard source >= 0 else { throw .damaged("an A-SPX patch below subband 0") }
        patches.append(ASPXPatch(source: source, target: used, count: count))
        used = border
        sourceTop = border
      } else {
        sourceTop = crossover
      }
      if master[group] - border < 3 { group = last }
      if border == master[last] {
        // A last patch of one or two subbands is left out.
        if patches.count > 1, patches[patches.count - 1].count < 3 { patches.removeLast() }
        return patches
      }
    }
    throw .damaged("A-SPX patches that never reach the last subband")
  }

  /// The limiter's bands: low-resolution groups and patches, joined where they are narrower than 0.245
  /// octaves, but not across patches.
  private static func limiterBorders(_ low: [Int], _ patches: [ASPXPatch]) -> [Int] {
    let end = low[low.count - 1]
    let patchBorders = Set(
      patches.map(\.target) + [patches.last.map { $0.target + $0.count } ?? end])
    let inner = patches.dropFirst().map(\.target)
    var borders = (low + inner).sorted()
    var index = 1
    while index < borders.count {
      let isWide = log2(Double(borders[index]) / Double(borders[index - 1])) >= 0.245
      if isWide {
        index += 1
      } else if borders[index] == borders[index - 1] {
        borders.remove(at: index)
      } else if !patchBorders.contains(borders[index]), borders[index] != end {
        borders.remove(at: index)
      } else if patchBorders.contains(borders[index - 1]) {
        index += 1
      } else {
        borders.remove(at: index - 1)
      }
    }
    return borders
  }
}

/// A run of subbands that is copied up (TS 103 190-1, 5.7.6.3.1.4).
struct ASPXPatch: Equatable {
  /// First subband that is copied.
  let source: Int
  /// First subband that is generated.
  let target: Int
  /// Number of subbands.
  let count: Int
}

/// Orthonormal polynomials up to the third order over a number of subbands. Pre-flattening projects a
/// spectrum on them for its least squares fit (TS 103 190-1, 5.7.6.4.1.1).
enum ASPXBasis {
  /// Four rows of `count` values.
  static func cubic(_ count: Int) -> [Float] {
    var rows: [[Double]] = []
    for order in 0..<4 {
      var row = (0..<count).map { band in
        let place = count > 1 ? 2 * Double(band) / Double(count - 1) - 1 : 0
        return (0..<order).reduce(1.0) { value, _ in value * place }
      }
      for earlier in rows {
        let product = zip(row, earlier).reduce(0) { $0 + $1.0 * $1.1 }
        for band in 0..<count { row[band] -= product * earlier[band] }
      }
      let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
      // With fewer than four subbands the higher orders depend on the lower ones, and nothing is left.
      rows.append(length > 1e-9 ? row.map { $0 / length } : row.map { _ in 0 })
    }
    return rows.flatMap { $0.map(Float.init) }
  }
}
