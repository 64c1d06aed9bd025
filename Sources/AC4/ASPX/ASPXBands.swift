import Platform

/// Subband groups, patches and limiter bands of spectral extension
/// (TS 103 190-1, 5.7.6.3.1 to 5.7.6.3.3).
final class ASPXBands {
  private static let low = [
    10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 24, 26, 28, 30, 32, 35, 38, 42, 46,
  ]
  private static let high = [
    18, 19, 20, 21, 22, 23, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 47, 50, 53, 56, 59, 62,
  ]

  /// The settings that it is made from.
  let configuration: ASPXConfiguration
  /// `aspx_xover_subband_offset`.
  let crossoverOffset: Int
  /// Borders of the signal groups at high resolution.
  let signalHigh: [Int]
  /// Borders of the signal groups at low resolution.
  let signalLow: [Int]
  /// Borders of the noise groups.
  let noise: [Int]
  /// First subband of the master table.
  let first: Int
  /// Where source subbands for the high band are taken from.
  let patches: [ASPXPatch]
  /// Borders of the limiter's bands.
  let limiter: [Int]

  /// Polynomials over the subbands below the crossover, four rows.
  let cubicBasis: FixedBuffer<Float>

  /// First subband that is generated, `sbx`.
  var crossover: Int { signalHigh[0] }
  /// Subband after the last one, `sbz`.
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
    cubicBasis = FixedBuffer(ASPXBasis.cubic(signalHigh[0]), or: 0)
  }

  private static func halved(_ high: [Int]) -> [Int] {
    let count = high.count - 1
    let lowCount = count - count / 2
    return [high[0]] + (1...lowCount).map { high[count & 1 == 0 ? 2 * $0 : 2 * $0 - 1] }
  }

  private static func noiseBorders(
    _ setting: Int, _ high: [Int], _ low: [Int]
  ) throws(AC4Error) -> [Int] {
    let octaves = log2(Double(high[high.count - 1]) / Double(high[0]))
    let count = max(1, Int((Double(setting) * octaves + 0.5).rounded(.down)))
    guard count <= 5, count < low.count else { throw .damaged("\(count) A-SPX noise groups") }
    var borders = [low[0]]
    var index = 0
    for group in 1...count {
      index += (low.count - 1 - index) / (count + 1 - group)
      borders.append(low[index])
    }
    return borders
  }

  private static func patches(
    _ master: [Int], crossover: Int, isHigh: Bool, is48kHz: Bool
  ) throws(AC4Error) -> [ASPXPatch] {
    let goal = is48kHz ? 43 : 46
    let lowest = isHigh ? 4 : 2
    let start = master[0]
    let last = master.count - 1
    var patches: [ASPXPatch] = []
    var sourceTop = start
    var used = crossover
    var group = goal < master[last] ? master.firstIndex { $0 >= goal } ?? last : last
    for _ in 0..<20 {
      var index = group
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
        if patches.count > 1, patches[patches.count - 1].count < 3 { patches.removeLast() }
        return patches
      }
    }
    throw .damaged("A-SPX patches that never reach the last subband")
  }

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
