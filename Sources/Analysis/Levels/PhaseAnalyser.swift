// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// How alike left and right are in one step of 100 ms.
package struct PhaseRow: Sendable, Equatable {
  /// Start of the step, in seconds.
  package let startSeconds: Double
  /// Correlation: +1 for identical channels, 0 for unrelated ones, −1 for opposite ones; `nil` when one of
  /// them is silent.
  package let correlation: Double?
  /// Loss of a mono downmix, dB: 0 for identical channels, 3.01 for unrelated ones, 200 when nothing is
  /// left; `nil` for silence.
  package let monoLossDB: Double?

  /// The names of the columns.
  package static let csvHeader = "time_s,correlation,mono_loss_db"

  /// The row as a line of CSV without its end: seconds and correlation with three decimals, dB with two.
  /// A value that silence leaves open is an empty field.
  package var csv: String {
    let correlation = TableText.reading(correlation, places: 3)
    let loss = TableText.reading(monoLossDB, places: 2)
    return "\(TableText.time(startSeconds)),\(correlation),\(loss)"
  }
}

/// How alike left and right are in a whole programme.
package struct PhaseFindings: Sendable, Codable, Equatable {
  /// Names of the two speakers, e.g. `FL` and `FR`.
  package var names: [String]
  /// Steps of 100 ms that have a correlation.
  package var steps: Int64
  /// Steps whose correlation lies in each twentieth of −1…+1, lowest first; +1 is in the last one.
  package var histogram: [Int64]
  /// Mean of the steps' correlations; `nil` without steps.
  package var mean: Double?
  /// Lowest correlation of a step; `nil` without steps.
  package var lowest: Double?
  /// Start of the first step with the lowest correlation, in seconds; `nil` without steps.
  package var lowestAtSeconds: Double?
  /// Share of the steps whose correlation is below 0, 0…1; `nil` without steps.
  package var shareBelowZero: Double?
  /// Loss of a mono downmix over the whole programme, dB: as ``PhaseRow/monoLossDB``.
  package var monoLossDB: Double?
  /// Correlations over time.
  package var curve: StepCurve
}

/// Measures the correlation of the left and right channel, and what a mono downmix loses, in steps of 100 ms.
///
/// The correlation is Σlr / √(Σl² · Σr²), without the means taken away, as correlation meters show it. The
/// downmix is (l + r) / 2, and its power is compared with the mean of the powers of both channels.
package final class PhaseAnalyser: Analyser {
  /// Level of a step, dBFS (RMS), below which a channel is silent: the dither of 16 bits, −96 dBFS, would read
  /// as unrelated channels.
  package static let floorDBFS = -90.0
  /// Bins of the histogram.
  package static let bins = 20

  private let format: AudioFormat
  private let pair: (left: Int, right: Int)
  private let onRow: (PhaseRow) throws -> Void
  private let clock: StepClock
  private let floor = Decibels.amplitude(2 * PhaseAnalyser.floorDBFS)
  private var total = PairSums()
  private var sum = 0.0
  private var below: Int64 = 0
  private var curve: StepCurveBuilder
  private var findings: PhaseFindings

  /// An analyser of sound in `format`, or `nil` when its layout has no left and right channel; `onRow` gets each
  /// step as soon as it is complete.
  package init?(_ format: AudioFormat, onRow: @escaping (PhaseRow) throws -> Void = { _ in }) {
    guard let pair = PhaseAnalyser.pair(format.layout) else { return nil }
    self.format = format
    self.pair = pair
    self.onRow = onRow
    clock = StepClock(format)
    curve = StepCurveBuilder(intervalSeconds: clock.seconds)
    findings = PhaseFindings(
      names: [pair.left, pair.right].map { format.layout.speakers[$0].name }, steps: 0,
      histogram: Array(repeating: 0, count: PhaseAnalyser.bins),
      curve: curve.curve)
  }

  /// Indices of the channels left and right: those in front, or those of a stereo downmix; `nil` without
  /// both.
  package static func pair(_ layout: ChannelLayout) -> (left: Int, right: Int)? {
    let pairs: [(Speaker, Speaker)] = [(.frontLeft, .frontRight), (.downmixLeft, .downmixRight)]
    for (left, right) in pairs {
      if let left = layout.speakers.firstIndex(of: left),
        let right = layout.speakers.firstIndex(of: right)
      {
        return (left, right)
      }
    }
    return nil
  }

  /// Takes the next block.
  /// - Throws: ``MediaError`` of kind `internal` for another number of channels, or what `onRow` throws.
  package func add(_ block: AudioBuffer) throws {
    try check(block, format)
    try clock.add(block, measure)
  }

  /// Answers what was found in everything.
  /// - Throws: what `onRow` throws.
  package func finish() throws -> PhaseFindings {
    try clock.finish(measure)
    findings.monoLossDB = total.monoLossDB
    findings.curve = curve.curve
    if findings.steps > 0 {
      findings.mean = sum / Double(findings.steps)
      findings.shareBelowZero = Double(below) / Double(findings.steps)
    }
    return findings
  }

  /// Measures one step, which is in one piece, so that the order of all sums is fixed.
  private func measure(_ step: AudioBuffer, _ start: Double) throws {
    var sums = PairSums()
    sums.add(
      UnsafeBufferPointer(step.channel(pair.left)), UnsafeBufferPointer(step.channel(pair.right)))
    total.add(sums)
    let correlation = sums.correlation(above: floor * Double(step.frames))
    count(correlation, start)
    try onRow(
      PhaseRow(startSeconds: start, correlation: correlation, monoLossDB: sums.monoLossDB))
  }

  private func count(_ correlation: Double?, _ start: Double) {
    curve.add(correlation)
    guard let correlation else { return }
    let bin = Int((correlation + 1) / 2 * Double(PhaseAnalyser.bins))
    findings.histogram[min(max(0, bin), PhaseAnalyser.bins - 1)] += 1
    findings.steps += 1
    sum += correlation
    if correlation < 0 { below += 1 }
    if correlation < findings.lowest ?? .infinity {
      findings.lowest = correlation
      findings.lowestAtSeconds = start
    }
  }
}

/// Sums over the samples of two channels.
private struct PairSums {
  private var left = 0.0
  private var right = 0.0
  private var product = 0.0

  var monoLossDB: Double? {
    guard left + right > 0 else { return nil }
    // The power of (l + r)/2 is a quarter of Σl² + Σr² + 2Σlr. The rest that rounding leaves of opposite channels
    // counts as nothing.
    let mono = (left + right + 2 * product) / 4
    let mean = (left + right) / 2
    return Decibels.boundedLevel(power: mean, over: mono > mean * 1e-15 ? mono : 0)
  }

  /// The correlation; `nil` unless both sums of squares reach `floor`.
  func correlation(above floor: Double) -> Double? {
    guard left >= floor, right >= floor, left > 0, right > 0 else { return nil }
    return min(1, max(-1, product / (left.squareRoot() * right.squareRoot())))
  }

  mutating func add(_ other: PairSums) {
    left += other.left
    right += other.right
    product += other.product
  }

  /// Adds samples in four lanes, which the compiler can make vectors of. A NaN or an infinity counts as 0.
  mutating func add(_ one: UnsafeBufferPointer<Float>, _ other: UnsafeBufferPointer<Float>) {
    guard let lefts = one.baseAddress, let rights = other.baseAddress else { return }
    var (ll, rr, lr) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
    let whole = one.count / 4 * 4
    for index in stride(from: 0, to: whole, by: 4) {
      let (l, r) = (PairSums.four(lefts + index), PairSums.four(rights + index))
      ll += l * l
      rr += r * r
      lr += l * r
    }
    for index in whole..<one.count {
      let (l, r) = (PairSums.valid(lefts[index]), PairSums.valid(rights[index]))
      ll[index - whole] += l * l
      rr[index - whole] += r * r
      lr[index - whole] += l * r
    }
    left += ll.sum()
    right += rr.sum()
    product += lr.sum()
  }

  private static func four(_ base: UnsafePointer<Float>) -> SIMD4<Double> {
    SIMD4(valid(base[0]), valid(base[1]), valid(base[2]), valid(base[3]))
  }

  private static func valid(_ sample: Float) -> Double { sample.isFinite ? Double(sample) : 0 }
}
