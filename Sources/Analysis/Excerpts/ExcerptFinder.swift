// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Finds excerpts for listening: where sound moves most, where somebody speaks, and where it is quiet.
///
/// The finder looks at levels above 150 Hz in steps of 100 ms, and keeps four figures a step.
package final class ExcerptFinder: Analyser {
  private let format: AudioFormat
  private let length: Int64
  private let clock: StepClock
  private let middle: MiddleShare
  private var bands: [ChannelEnergy]
  private var motion: ShareMotion
  private var steps: [ExcerptStep] = []
  private var samples: Int64 = 0

  /// Looks for excerpts of `seconds` in sound of `format`.
  package init(_ format: AudioFormat, seconds: Double) {
    self.format = format
    length = max(1, Int64((seconds * Double(format.sampleRate)).rounded()))
    clock = StepClock(format)
    middle = MiddleShare(format.layout)
    bands = format.layout.speakers.map {
      ChannelEnergy(isCounted: !$0.isLFE, sampleRate: format.sampleRate)
    }
    motion = ShareMotion(channels: format.channels)
  }

  package func add(_ block: AudioBuffer) throws {
    try check(block, format)
    samples += Int64(block.frames)
    try clock.add(block) { step, _ in addStep(step) }
  }

  /// The excerpts in the order of ``FoundExcerpt/Reason``, without overlaps; none for a silent programme. A programme
  /// shorter than one and a half excerpts is one excerpt.
  package func finish() -> [FoundExcerpt] {
    let size = Int64(clock.size)
    let windows = ExcerptWindows(steps, length: Int((length + size - 1) / size))
    guard windows.isAudible else { return [] }
    guard samples > length + length / 2 else {
      return [FoundExcerpt(start: 0, length: min(samples, length), reason: .whole)]
    }
    let last = samples - length
    return windows.found().map { reason, step in
      FoundExcerpt(
        start: min(Int64(step) * size, last), length: length, reason: reason)
    }
  }

  private func addStep(_ block: AudioBuffer) {
    let energies = bands.indices.map {
      bands[$0].meanSquare(UnsafeBufferPointer(block.channel($0)))
    }
    let total = energies.reduce(0, +)
    let share = middle.share(of: block, energies)
    steps.append(
      ExcerptStep(
        level: ExcerptStep.decibels(total), motion: motion.add(energies),
        middleShare: share, middleLevel: ExcerptStep.decibels(total * share)))
  }
}

/// The figures of 100 ms.
struct ExcerptStep {
  /// Level that counts as silence, dBFS.
  static let silence = -90.0

  /// Mean square of all channels together, dBFS.
  let level: Double
  /// Part of the energy that moved to other channels since the step before, 0…1.
  let motion: Double
  /// Part of the energy that comes from the middle, 0…1.
  let middleShare: Double
  /// Level of what comes from the middle, dBFS.
  let middleLevel: Double

  static func decibels(_ energy: Double) -> Double {
    energy > 1e-9 ? 10 * log10(energy) : silence
  }
}

/// Energy of one channel above 150 Hz.
private struct ChannelEnergy {
  private let isCounted: Bool
  private let pole: Float
  private var low: Float = 0

  init(isCounted: Bool, sampleRate: Int) {
    self.isCounted = isCounted
    pole = min(1, 2 * .pi * 150 / Float(sampleRate))
  }

  /// The mean square of the next samples; those that are no number count as nothing.
  mutating func meanSquare(_ samples: UnsafeBufferPointer<Float>) -> Double {
    guard isCounted, !samples.isEmpty else { return 0 }
    var sum = 0.0
    for sample in samples where sample.isFinite {
      low += pole * (sample - low)
      let high = Double(sample - low)
      sum += high * high
    }
    return sum / Double(samples.count)
  }
}

/// How much of the energy comes from the middle: that of the centre, or of what left and right have in common.
private struct MiddleShare {
  private let centre: Int?
  private let sides: (left: Int, right: Int)?

  init(_ layout: ChannelLayout) {
    let speakers = layout.speakers
    centre = speakers.firstIndex(of: .frontCenter)
    if centre == nil, let left = speakers.firstIndex(of: .frontLeft),
      let right = speakers.firstIndex(of: .frontRight)
    {
      sides = (left, right)
    } else {
      sides = nil
    }
  }

  /// The share in `block`, 0…1, whose channels have these energies.
  func share(of block: AudioBuffer, _ energies: [Double]) -> Double {
    let total = energies.reduce(0, +)
    guard total > 0 else { return 0 }
    if let centre { return energies[centre] / total }
    guard let sides else { return energies.count == 1 ? 1 : 0 }
    let (left, right) = (block.channel(sides.left), block.channel(sides.right))
    var (common, single) = (0.0, 0.0)
    for (one, other) in zip(left, right) where one.isFinite && other.isFinite {
      common += Double(one) * Double(other)
      single += (Double(one) * Double(one) + Double(other) * Double(other)) / 2
    }
    guard single > 0 else { return 0 }
    return max(0, common / single) * (energies[sides.left] + energies[sides.right]) / total
  }
}

/// How much of the energy moves from channel to channel.
private struct ShareMotion {
  private var smooth: [Double]
  private var before: [Double]

  init(channels: Int) {
    smooth = [Double](repeating: 0, count: channels)
    before = smooth
  }

  /// The part of the energy that moved, 0…1, smoothed over some 200 ms.
  mutating func add(_ energies: [Double]) -> Double {
    for channel in smooth.indices {
      smooth[channel] += 0.4 * (energies[channel] - smooth[channel])
    }
    let total = smooth.reduce(0, +)
    guard total > 1e-9 else {
      before = before.map { _ in 0 }
      return 0
    }
    let shares = smooth.map { $0 / total }
    defer { before = shares }
    guard before.contains(where: { $0 > 0 }) else { return 0 }
    return zip(shares, before).reduce(0) { $0 + abs($1.0 - $1.1) } / 2
  }
}

/// All windows of one length over the steps of a programme, and the best of them for each reason.
struct ExcerptWindows {
  private let steps: [ExcerptStep]
  private let length: Int
  /// Mean level of the steps that aren't silent, dBFS.
  private let usual: Double

  /// Windows of `length` steps.
  init(_ steps: [ExcerptStep], length: Int) {
    self.steps = steps
    self.length = max(1, length)
    let heard = steps.map(\.level).filter { $0 > ExcerptStep.silence + 20 }
    usual = heard.isEmpty ? ExcerptStep.silence : heard.reduce(0, +) / Double(heard.count)
  }

  /// Whether anything can be heard.
  var isAudible: Bool { usual > ExcerptStep.silence }

  /// The first step of the best window for each reason; no window overlaps another.
  func found() -> [(FoundExcerpt.Reason, Int)] {
    var found: [(FoundExcerpt.Reason, Int)] = []
    for (reason, scores) in [
      (FoundExcerpt.Reason.motion, motion()), (.dialogue, dialogue()), (.quiet, quiet()),
    ] {
      let free = scores.indices.filter { start in
        found.allSatisfy { abs($0.1 - start) >= length } && scores[start] > 0
      }
      guard let best = free.max(by: { scores[$0] < scores[$1] }) else { continue }
      found.append((reason, best))
    }
    return found
  }

  /// Motion counts by how loud it is.
  private func motion() -> [Double] {
    sums(steps.map { $0.motion * weight($0.level) })
  }

  /// Scores of dialogue: sound from the middle counts by how much it goes up and down, as syllables do.
  private func dialogue() -> [Double] {
    let shares = sums(steps.map { $0.middleShare * weight($0.middleLevel) })
    let changes = zip(steps.dropFirst(), steps).map { abs($0.middleLevel - $1.middleLevel) }
    let lively = sums([0] + changes.map { min($0, 12) })
    return zip(shares, lively).map { $0 * min(1, $1 / Double(length) / 3) }
  }

  /// The quieter, the better, as long as four fifths can be heard.
  private func quiet() -> [Double] {
    let floor = max(usual - 40, ExcerptStep.silence + 15)
    let heard = sums(steps.map { $0.level > floor ? 1 : 0 })
    let levels = sums(steps.map { max($0.level, floor) })
    return zip(heard, levels).map { heard, level in
      heard < 0.8 * Double(length) ? 0 : max(0, usual - level / Double(length))
    }
  }

  /// 0 for 30 dB below the usual level and less, 1 for 10 dB below it and more.
  private func weight(_ level: Double) -> Double { min(1, max(0, (level - usual + 30) / 20)) }

  /// The sum over each window; a programme shorter than one window has none.
  private func sums(_ figures: [Double]) -> [Double] {
    guard figures.count >= length else { return [] }
    var totals = [0.0]
    for figure in figures { totals.append(totals[totals.count - 1] + figure) }
    return (0...figures.count - length).map { totals[$0 + length] - totals[$0] }
  }
}

/// A stretch of a programme that is worth listening to.
package struct FoundExcerpt: Sendable, Equatable {
  /// Why it was chosen.
  package enum Reason: String, Sendable, CaseIterable, Codable {
    /// Sound moves between the channels, loudly.
    case motion
    /// One voice or instrument in the middle comes and goes as speech does.
    case dialogue
    /// The sound is quiet, though not silent.
    case quiet
    /// The programme is hardly longer than an excerpt.
    case whole
  }

  /// First sample.
  package let start: Int64
  /// Length in samples.
  package let length: Int64
  /// Why it was chosen.
  package let reason: Reason
}
