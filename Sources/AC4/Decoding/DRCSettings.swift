/// A compression curve with its time constants (TS 103 190-1, 5.7.9.3.2).
struct DRCSettings: Equatable {
  /// Levels relative to dialogue in dB, ascending, and the gain at each in dB2. 6 dB2 double the amplitude.
  var points: [(level: Float, gain: Float)]
  /// Time constants of attack, release, fast attack and fast release in ms.
  var times: [Float]
  /// Rise and fall of the level in dB beyond which the fast times are used; `nil` for never.
  var thresholds: (attack: Float, release: Float)?

  /// The profile that `drc_eac3_profile` names: 1 film standard, 2 film light, 3 music standard,
  /// 4 music light, 5 speech; `nil` for others.
  init?(profile: Int) {
    switch profile {
    case 1: points = [(-12, 6), (0, 0), (5, 0), (15, -5), (35, -24)]
    case 2: points = [(-22, 6), (-10, 0), (10, 0), (20, -5), (40, -24)]
    case 3: points = [(-24, 12), (0, 0), (5, 0), (15, -5), (35, -24)]
    case 4: points = [(-34, 12), (-10, 0), (10, 0), (40, -15)]
    case 5: points = [(-19, 15), (0, 0), (5, 0), (15, -5), (35, -24)]
    default: return nil
    }
    times = profile == 5 ? [100, 1000, 10, 200] : [100, profile == 3 ? 10_000 : 3000, 10, 1000]
    thresholds = profile == 5 ? (10, 10) : (15, 20)
  }

  /// Units of the transmitted time constants in ms, in the order of ``times``.
  private static let timeUnits: [Float] = [5, 40, 5, 20]

  /// The curve that a stream carries (`drc_compression_curve`).
  init(_ curve: AC4DRCCurve) {
    let low = -Float(curve.nullBandLow)
    let high = Float(curve.nullBandHigh)
    var points: [(level: Float, gain: Float)] = [(low, 0)]
    if curve.maximumBoost > 0 {
      var start = low
      if let section = curve.boostSection {
        start = low - 1 - Float(curve.boostSectionLevel)
        points.insert((start, 1 + Float(section)), at: 0)
      }
      points.insert(
        (start - 1 - Float(curve.maximumBoostLevel), Float(curve.maximumBoost)), at: 0)
    }
    points.append((high, 0))
    if curve.maximumCut > 0 {
      var start = high
      if let section = curve.cutSection {
        start = high + 1 + Float(curve.cutSectionLevel)
        points.append((start, -1 - Float(section)))
      }
      points.append((start + 1 + Float(curve.maximumCutLevel), -Float(curve.maximumCut)))
    }
    self.points = points
    if let coded = curve.timeConstants {
      times = DRCSettings.timeUnits.indices.map { Float(coded[$0]) * DRCSettings.timeUnits[$0] }
    } else {
      // The defaults of `drc_tc_default_flag`.
      times = [100, 3000, 10, 1000]
    }
    thresholds = curve.fastThresholds.map { (Float($0[0]), Float($0[1])) }
  }

  /// The gain in dB2 at a level relative to dialogue in dB.
  func gain(at level: Float) -> Float {
    guard let first = points.first, let last = points.last else { return 0 }
    if level <= first.level { return first.gain }
    for place in 1..<max(1, points.count) where level <= points[place].level {
      let (left, right) = (points[place - 1], points[place])
      guard right.level > left.level else { return right.gain }
      let part = (level - left.level) / (right.level - left.level)
      return left.gain + part * (right.gain - left.gain)
    }
    return last.gain
  }

  static func == (left: DRCSettings, right: DRCSettings) -> Bool {
    left.times == right.times && left.thresholds?.attack == right.thresholds?.attack
      && left.thresholds?.release == right.thresholds?.release
      && left.points.map(\.level) == right.points.map(\.level)
      && left.points.map(\.gain) == right.points.map(\.gain)
  }
}
