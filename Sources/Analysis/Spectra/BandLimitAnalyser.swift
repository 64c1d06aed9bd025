// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The upper end of a programme's content in frequency, and how it ends.
package struct BandLimitFindings: Sendable, Codable, Equatable {
  /// How the content ends.
  package enum Edge: String, Sendable, Codable, CaseIterable {
    /// Like a cliff, as encoders and conversions from lower rates leave it.
    case steep
    /// Gently, until it is lost in the noise floor.
    case gentle
    /// Not below the end of the band.
    case none
    /// Nothing can be said.
    case unknown
  }

  /// How sure the finding is.
  package enum Doubt: String, Sendable, Codable, CaseIterable {
    /// The spectrum leaves no doubt.
    case certain
    /// The spectrum looks like it, but other causes are possible.
    case likely
    /// The spectrum doesn't tell.
    case unclear
  }

  /// How the content ends.
  package var edge: Edge
  /// Highest frequency with content, Hz; `nil` when that can't be told.
  package var highestHz: Double?
  /// By how much the level falls at a steep edge, within about a kilohertz, dB; `nil` for the others.
  package var dropDB: Double?
  /// How sure that is.
  package var doubt: Doubt
  /// One sentence for people.
  package var sentence: String
  /// Half the sampling rate, Hz.
  package var bandHz: Double
  /// Frames that the spectrum is the mean of; silent ones are left out.
  package var frames: Int64
}

/// Estimates from the long-term spectrum where content ends, and whether lossy coding or a lower rate cut it off.
///
/// The spectrum is the mean power of all channels in frames of 8192 samples at 48 kHz (170 ms), which overlap by half;
/// frames below −70 dBFS don't count. The window is Hann's to the fourth power, so that tones and bass leak less than
/// 100 Hz to both sides. ``BandLimitEstimator`` reads the spectrum.
package final class BandLimitAnalyser: Analyser {
  /// RMS of a frame without its DC, dBFS, below which it is silent.
  package static let silenceDBFS = -70.0

  private let format: AudioFormat
  private let frames: SpectralFrames
  /// Power of a frame from which it counts.
  private let floor: Double
  private var sums: [Double]
  private var count: Int64 = 0

  /// An analyser of sound in `format`.
  package init(_ format: AudioFormat) {
    self.format = format
    frames = SpectralFrames(
      format, channels: Array(0..<format.channels),
      length: SpectralFrames.length(8192, at: format.sampleRate), steepness: 4)
    sums = Array(repeating: 0, count: frames.lines)
    floor = pow(10, BandLimitAnalyser.silenceDBFS / 10)
  }

  /// Takes the next block.
  /// - Throws: ``MediaError`` of kind `internal` for another number of channels.
  package func add(_ block: AudioBuffer) throws {
    try check(block, format)
    frames.add(block, take)
  }

  /// Answers the estimate.
  package func finish() throws -> BandLimitFindings {
    BandLimitEstimator(spectrum: spectrum, spacing: frames.spacing, frames: count).findings
  }

  /// Mean power by line, as the mean square that white noise of that density has in the whole band.
  package var spectrum: [Double] {
    sums.map { $0 * density / Double(max(1, count)) }
  }

  /// Factor that makes the power of a line the mean square of white noise in the whole band.
  ///
  /// A line at 1 is a sine of mean square ½. White noise of that mean square has N/2 lines, each seen through
  /// N·Σw²/(Σw)² = 1287/490 lines, the equivalent noise bandwidth of the window.
  private var density: Double { 0.5 / (1287 / 490) * Double(frames.lines - 1) }

  private func take(_ power: UnsafePointer<Double>) -> Int {
    // Lines below 20 Hz are DC and what leaks from it.
    let first = Int((20 / frames.spacing).rounded(.up)) + 2
    var total = 0.0
    for line in first..<max(first, frames.lines) { total += power[line] }
    if total * density / Double(frames.lines - 1) >= floor {
      sums.withUnsafeMutableBufferPointer { sums in
        for line in 0..<sums.count { sums[line] += power[line] }
      }
      count += 1
    }
    return frames.length / 2
  }
}

/// Reads from a long-term spectrum where content ends.
///
/// The estimate is made of medians over 500 Hz, which single tones don't move, every 50 Hz. An edge is steep when they fall by
/// 10 dB or more and by 80 dB per octave or more, at least three times as fast as just below it, and stay down. Filters
/// of encoders and of rate converters do that; voices, instruments, microphones and tape don't, nor do simple filters,
/// which bend down slowly.
struct BandLimitEstimator {
  /// Distance of the levels that are looked at, Hz.
  static let step = 50.0
  /// Steps that a median is taken over: 500 Hz.
  private static let span = 10
  /// Level, dBFS as white noise of the whole band, that content has to exceed; Float32 computations leave less
  /// behind tones.
  private static let leastLevel = -115.0
  /// Lowest frequency, Hz, where a steep edge is looked for.
  private static let lowestEdge = 1500.0
  /// Least fall at a steep edge, dB, and least steepness in dB per octave.
  private static let (leastDrop, leastSteepness) = (10.0, 80.0)
  /// Ratio of the slopes at a steep edge and below it. Up to ``lookedAt`` that of filters by the bilinear
  /// transform, which end in a zero at the end of the band, is at most 2.5.
  private static let leastBend = 3.0
  /// Part of the band that is looked at.
  private static let lookedAt = 0.97
  /// Part of the band that content has to fill to reach its end: converters need the rest for their filters.
  private static let wholeBand = 0.95
  /// Frames that can tell something (1.7 s), and those that are enough for certainty (5 s).
  private static let (fewestFrames, enoughFrames): (Int64, Int64) = (19, 58)

  private let frames: Int64
  private let bandHz: Double
  /// Mean levels over 100 Hz, dBFS as white noise, ``step`` apart; entry `i` is that around `i` steps.
  private let levels: [Double]
  /// Median levels over 500 Hz; entry `i` is that around `i` steps.
  private let medians: [Double]

  /// An estimator for mean powers by line, which lie `spacing` Hz apart, of so many frames.
  init(spectrum: [Double], spacing: Double, frames: Int64) {
    self.frames = frames
    bandHz = spacing * Double(max(0, spectrum.count - 1))
    let steps = Int(bandHz / BandLimitEstimator.step)
    let half = Double(BandLimitEstimator.span) / 2
    func lines(_ index: Int, _ reach: Double) -> ArraySlice<Double> {
      let scale = BandLimitEstimator.step / spacing
      let first = Int(((Double(index) - reach) * scale).rounded(.up))
      let last = Int(((Double(index) + reach) * scale).rounded(.down))
      return spectrum[max(0, first)..<min(spectrum.count, max(first, last) + 1)]
    }
    levels = (0..<steps).map { index in
      let near = lines(index, 1)
      return BandLimitEstimator.decibels(near.reduce(0, +) / Double(max(1, near.count)))
    }
    medians = (0..<steps).map { index in
      let near = lines(index, half).sorted()
      return BandLimitEstimator.decibels(near.isEmpty ? 0 : near[near.count / 2])
    }
  }

  /// Findings from the spectrum.
  var findings: BandLimitFindings {
    guard frames >= BandLimitEstimator.fewestFrames, medians.count > 4 * BandLimitEstimator.span
    else {
      return unknown("too quiet or too short to say")
    }
    guard hasBroadContent else {
      return unknown("only single tones above the noise floor: too little to say")
    }
    if let edge = steepEdge { return steep(edge) }
    if let end = gentleEnd { return gentle(end) }
    return whole
  }

  private static func decibels(_ power: Double) -> Double { 10 * log10(max(power, 1e-20)) }
}

// MARK: - Features of the spectrum

extension BandLimitEstimator {
  private struct SteepEdge {
    /// Steps at which the fall begins and ends.
    let knee: Int
    let foot: Int
    /// Fall in dB.
    let drop: Double
  }

  /// Steps that are looked at.
  private var usable: ClosedRange<Int> {
    let last = Int(Double(medians.count) * BandLimitEstimator.lookedAt)
    return BandLimitEstimator.span / 2...last
  }

  /// Level of the end of the band, where a noise floor would show: the lowest median of its upper fifth.
  private var floor: Double {
    medians[(medians.count * 4 / 5)...usable.upperBound].min() ?? -200
  }

  /// Whether there is more than single tones: something that stands out of the floor over 500 Hz, or a floor that has
  /// a good part of all power, and so is the sound itself.
  private var hasBroadContent: Bool {
    guard let highest = medians[usable].max(), highest > BandLimitEstimator.leastLevel else {
      return false
    }
    if highest > floor + 10 { return true }
    let total = levels.reduce(0) { $0 + pow(10, $1 / 10) }
    let broad = medians.reduce(0) { $0 + pow(10, $1 / 10) }
    return total < 10 * broad
  }

  /// The greatest fall that no natural sound has.
  private var steepEdge: SteepEdge? {
    let first = Int(BandLimitEstimator.lowestEdge / BandLimitEstimator.step)
    var best: SteepEdge?
    var highestAbove = -Double.infinity
    for foot in usable.reversed() where foot > first {
      highestAbove = max(highestAbove, medians[foot])
      // A fall ends where it is steep for the last time.
      guard fall(to: foot) >= least(foot),
        foot == usable.upperBound || fall(to: foot + 1) < least(foot + 1)
      else { continue }
      guard let edge = edge(to: foot), edge.drop > best?.drop ?? 0,
        highestAbove <= medians[edge.knee] - max(8, edge.drop / 2)
      else { continue }
      best = edge
    }
    return best
  }

  /// The fall that ends at `foot`, if it is one of a steep edge.
  private func edge(to foot: Int) -> SteepEdge? {
    var knee = foot
    // The edge begins where it is half as steep.
    while knee > BandLimitEstimator.span, fall(to: knee) >= max(0.5, least(knee) / 2) { knee -= 1 }
    // The fall to a place is that of the 500 Hz below it.
    knee = max(usable.lowerBound, knee - BandLimitEstimator.span / 2)
    let drop = medians[knee] - medians[foot]
    let before = min(40, max(BandLimitEstimator.span, knee / 4))
    let start = max(usable.lowerBound, knee - before)
    let slope = drop / Double(foot - knee)
    let slopeBefore = (medians[start] - medians[knee]) / Double(max(1, knee - start))
    guard drop >= BandLimitEstimator.leastDrop, slope >= BandLimitEstimator.leastBend * slopeBefore,
      medians[knee] > BandLimitEstimator.leastLevel
    else { return nil }
    return SteepEdge(knee: knee, foot: foot, drop: drop)
  }

  /// By how much the median at a step is lower than that 250 Hz below it, dB.
  private func fall(to index: Int) -> Double {
    medians[max(0, index - BandLimitEstimator.span / 2)] - medians[index]
  }

  /// The least ``fall(to:)`` at a step that is steep, dB; what the medians scatter by is less.
  private func least(_ index: Int) -> Double {
    let half = Double(BandLimitEstimator.span) / 2
    let octaves = log2(Double(index) / max(1, Double(index) - half))
    return max(0.8, BandLimitEstimator.leastSteepness * octaves)
  }

  /// The highest frequency that stands above a flat noise floor; `nil` when the floor isn't flat, so that what
  /// falls there is still content.
  private var gentleEnd: Double? {
    let top = Int(Double(medians.count) * BandLimitEstimator.wholeBand)
    let floor = floor
    guard let last = medians[..<top].lastIndex(where: { $0 > floor + 6 }) else { return nil }
    let rest = medians[min(top, last + BandLimitEstimator.span / 2)..<top]
    let flat = rest.dropFirst(rest.count / 3)
    guard let low = flat.min(), let high = flat.max(), high - low <= 2,
      flat.count >= BandLimitEstimator.span
    else { return nil }
    return Double(last) * BandLimitEstimator.step
  }
}

// MARK: - Sentences

extension BandLimitEstimator {
  private func unknown(_ sentence: String) -> BandLimitFindings {
    BandLimitFindings(
      edge: .unknown, doubt: .unclear, sentence: sentence, bandHz: bandHz, frames: frames)
  }

  private func steep(_ edge: SteepEdge) -> BandLimitFindings {
    let end = end(of: edge)
    guard end < BandLimitEstimator.wholeBand * bandHz else { return whole }
    let isCertain = edge.drop >= 25 && frames >= BandLimitEstimator.enoughFrames
    return BandLimitFindings(
      edge: .steep, highestHz: end, dropDB: edge.drop, doubt: isCertain ? .certain : .likely,
      sentence:
        "content ends at \(kilohertz(end)), with a steep edge: looks like lossy coding or a lower rate",
      bandHz: bandHz, frames: frames)
  }

  /// Frequency at which the level has fallen by 6 dB, as filters state their cut-off.
  private func end(of edge: SteepEdge) -> Double {
    let wanted = medians[edge.knee] - 6
    let last = levels[edge.knee...edge.foot].lastIndex { $0 > wanted } ?? edge.knee
    return Double(last) * BandLimitEstimator.step
  }

  private func gentle(_ end: Double) -> BandLimitFindings {
    BandLimitFindings(
      edge: .gentle, highestHz: end,
      doubt: frames >= BandLimitEstimator.enoughFrames ? .certain : .likely,
      sentence: "content falls off gently and ends at about \(kilohertz(end)): looks natural",
      bandHz: bandHz, frames: frames)
  }

  private var whole: BandLimitFindings {
    BandLimitFindings(
      edge: .none, highestHz: bandHz,
      doubt: frames >= BandLimitEstimator.enoughFrames ? .certain : .likely,
      sentence: "content reaches the end of the band", bandHz: bandHz, frames: frames)
  }

  /// A frequency in kHz with one decimal.
  private func kilohertz(_ hertz: Double) -> String {
    TableText.number(hertz / 1000, places: 1) + " kHz"
  }
}
