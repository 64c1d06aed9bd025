// SPDX-License-Identifier: Apache-2.0
import Platform
import Signal

/// Compares spectra: log-mel distance frame by frame, and long-term tilt and bandwidth.
package struct SpectrumComparator: LayerComparator {
  /// Power below which a band counts as empty: −90 dB re full scale.
  private static let floor = 1e-9
  /// Power relative to a frame's loudest band below which a band counts as masked: −50 dB.
  private static let depth = 1e-5
  /// Frames in 100 ms.
  private static let sustainedFrames = 5

  private var mel: FrequencyBands?
  private var twelfths: FrequencyBands?
  private var old: [Double] = []
  private var new: [Double] = []
  private var frames: Int64 = 0
  private var sum = 0.0
  private var peak = 0.0
  private var sustained = 0.0
  private var recent: [[Double]] = []

  /// A comparator that has seen nothing yet.
  package init() {}

  /// Adds the spectra of one stretch.
  package mutating func add(_ frame: SpectralFrame) {
    let bands = mel ?? FrequencyBands.mel(spacing: frame.spacing, bins: frame.bins)
    if mel == nil {
      mel = bands
      twelfths = .twelfths(spacing: frame.spacing, bins: frame.bins)
      old = [Double](repeating: 0, count: frame.bins)
      new = old
      recent = [[Double]](repeating: [], count: frame.channels)
    }
    var largest = 0.0
    for channel in 0..<frame.channels {
      let distance = add(frame, channel, bands)
      largest = max(largest, distance)
      recent[channel].append(distance)
      if recent[channel].count > SpectrumComparator.sustainedFrames {
        recent[channel].removeFirst()
      }
      let mean = recent[channel].reduce(0, +) / Double(SpectrumComparator.sustainedFrames)
      sustained = max(sustained, mean)
    }
    peak = max(peak, largest)
    sum += largest
    frames += 1
  }

  private mutating func add(_ frame: SpectralFrame, _ channel: Int, _ bands: FrequencyBands)
    -> Double
  {
    let (one, other) = (frame.reference(channel), frame.test(channel))
    for bin in 0..<frame.bins {
      old[bin] += Double(one.re[bin] * one.re[bin] + one.im[bin] * one.im[bin])
      new[bin] += Double(other.re[bin] * other.re[bin] + other.im[bin] * other.im[bin])
    }
    let rows = bands.bands.map { band in
      (
        SpectrumComparator.power(one, band.bins), SpectrumComparator.power(other, band.bins)
      )
    }
    let loudest = rows.reduce(0) { max($0, $1.0, $1.1) }
    let floor = max(SpectrumComparator.floor, SpectrumComparator.depth * loudest)
    var squares = 0.0
    for (a, b) in rows where a != b {
      let off = 10 * log10((b + floor) / (a + floor))
      squares += off * off
    }
    return (squares / Double(max(1, bands.bands.count))).squareRoot()
  }

  private static func power(
    _ spectrum: (re: UnsafeMutablePointer<Float>, im: UnsafeMutablePointer<Float>),
    _ bins: Range<Int>
  ) -> Double {
    bins.reduce(0.0) { sum, bin in
      sum
        + Double(
          spectrum.re[bin] * spectrum.re[bin] + spectrum.im[bin] * spectrum.im[bin])
    }
  }

  /// Fails on missing bandwidth, tilt and distances above their limits.
  package func judge(_ tolerance: ComparisonTolerance) -> LayerResult {
    let rows = longTerm
    let top = cutoff(rows)
    let tilt = SpectrumComparator.tilt(rows)
    let mean = frames > 0 ? sum / Double(frames) : 0
    return LayerResult(
      .spectrum,
      figures: [
        ComparisonFigure("peak", peak, "dB", limit: tolerance.spectralPeak),
        ComparisonFigure("sustained", sustained, "dB", limit: tolerance.spectralSustained),
        ComparisonFigure("mean", mean, "dB", limit: tolerance.spectralMean),
        ComparisonFigure("tilt", tilt, "dB/octave", limit: tolerance.tilt),
        ComparisonFigure("cutoff", top, "Hz", limit: tolerance.cutoff),
      ],
      rule: "no content may end below the limit's frequency, and no distance be above its limit",
      fault: fault(tolerance, rows, top, tilt, mean))
  }

  private struct Row {
    let band: FrequencyBands.Band
    let level: Double
    let change: Double
  }

  /// Level of REF in dB re full scale and change in dB for each twelfth of an octave that holds
  /// something in REF.
  private var longTerm: [Row] {
    guard let twelfths, frames > 0 else { return [] }
    let rows = twelfths.bands.map { band in
      let a = band.bins.reduce(0) { $0 + old[$1] } / Double(frames)
      let b = band.bins.reduce(0) { $0 + new[$1] } / Double(frames)
      return Row(
        band: band, level: Decibels.boundedLevel(power: a, over: 1),
        change: Decibels.boundedLevel(power: b + 1e-13, over: a + 1e-13))
    }
    let loudest = rows.map(\.level).max() ?? 0
    return rows.filter { $0.level > max(loudest - 90, -110) }
  }

  /// Frequency above which TEST has no content although REF has; `nil` if there is none.
  private func cutoff(_ rows: [Row]) -> Double? {
    let kept = SpectrumComparator.kept(rows)
    guard let last = rows.last, last.change <= kept - 6 else { return nil }
    let lost = rows.reversed().prefix { $0.change <= kept - 3 }
    // A file that is quieter in all bands has no end of its content.
    guard lost.count < rows.count else { return nil }
    return lost.last?.band.low
  }

  /// Frequency below which TEST has no content although REF has; `nil` if there is none.
  private static func lowEnd(_ rows: [Row]) -> Double? {
    let kept = kept(rows)
    guard let first = rows.first, first.change <= kept - 6 else { return nil }
    let lost = rows.prefix { $0.change <= kept - 3 }
    guard lost.count < rows.count else { return nil }
    return lost.last?.band.high
  }

  /// Change in dB of what a filter lets pass: that of the upper tenth of all changes, but no boost, beside which nothing is
  /// missing.
  private static func kept(_ rows: [Row]) -> Double {
    let changes = rows.map(\.change).sorted()
    return changes.isEmpty ? 0 : min(0, changes[changes.count * 9 / 10])
  }

  /// The third of an octave that changed most beside the tilt, and its change in dB; `nil` where none stands out.
  private static func bump(_ rows: [Row], tilt: Double) -> (frequency: Double, change: Double)? {
    let width = 4
    let tilted = rows.filter { $0.band.high < 16_000 }
    guard tilted.count >= 3 * width else { return nil }
    let changes = tilted.map { $0.change - tilt * log2($0.band.center / tilted[0].band.center) }
    let middle = changes.sorted()[changes.count / 2]
    let means = (0...(tilted.count - width)).map { start in
      changes[start..<start + width].reduce(0, +) / Double(width) - middle
    }
    guard let place = means.indices.max(by: { means[$0].magnitude < means[$1].magnitude }),
      means[place].magnitude >= max(0.5, 3 * tilt.magnitude)
    else { return nil }
    let change = tilted[place..<place + width].reduce(0) { $0 + $1.change } / Double(width)
    return (tilted[place + width / 2].band.low, change)
  }

  /// Slope of the change over frequency in dB an octave, by least squares below 16 kHz.
  private static func tilt(_ rows: [Row]) -> Double {
    let points = rows.filter { $0.band.high < 16_000 }.map { (log2($0.band.center), $0.change) }
    guard points.count > 2 else { return 0 }
    let count = Double(points.count)
    let x = points.reduce(0) { $0 + $1.0 } / count
    let y = points.reduce(0) { $0 + $1.1 } / count
    let spread = points.reduce(0) { $0 + ($1.0 - x) * ($1.0 - x) }
    return spread > 0 ? points.reduce(0) { $0 + ($1.0 - x) * ($1.1 - y) } / spread : 0
  }

  private func fault(
    _ tolerance: ComparisonTolerance, _ rows: [Row], _ top: Double?, _ tilt: Double, _ mean: Double
  ) -> ComparisonFault? {
    if let top, top < tolerance.cutoff ?? .infinity {
      return ComparisonFault(
        .cause,
        "content above about \(Decimals.text(top / 1000, 1)) kHz is missing in TEST (low-pass): "
          + "\(Decimals.text(rows.last?.change ?? 0, 0)) dB at the top",
        explains: [.null, .levels, .interaural])
    }
    if let low = SpectrumComparator.lowEnd(rows) {
      return ComparisonFault(
        .cause, "content below about \(Decimals.text(low, 0)) Hz is missing in TEST (high-pass)",
        explains: [.null, .levels, .interaural])
    }
    if mean > tolerance.spectralMean, let bump = SpectrumComparator.bump(rows, tilt: tilt) {
      let place =
        bump.frequency < 1000
        ? "\(Decimals.text(bump.frequency, 0)) Hz"
        : "\(Decimals.text(bump.frequency / 1000, 1)) kHz"
      return ComparisonFault(
        .effect,
        "TEST is \(Decimals.text(bump.change.magnitude, 1)) dB \(bump.change < 0 ? "quieter" : "louder") around \(place)"
      )
    }
    if tilt.magnitude > tolerance.tilt {
      return ComparisonFault(
        .effect,
        "TEST is \(tilt > 0 ? "brighter" : "duller"): its spectrum tilts by "
          + "\(Decimals.text(tilt, 3)) dB an octave")
    }
    for (what, value, limit) in [
      ("on average", mean, tolerance.spectralMean),
      ("over 100 ms", sustained, tolerance.spectralSustained),
      ("for a moment", peak, tolerance.spectralPeak),
    ] where value > limit {
      return ComparisonFault(
        .effect, "the spectrum of TEST is off by \(Decimals.text(value, 2)) dB \(what)")
    }
    return nil
  }
}
