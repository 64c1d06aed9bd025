// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Something that looks at sound in order, once, and then tells what it found.
///
/// The findings don't depend on how the sound is cut into blocks, and the memory has a bound for any length.
package protocol Analyser: AnyObject {
  /// Findings at the end.
  associatedtype Findings: Sendable

  /// Takes the next block, of any size, in the format that the analyser was made for.
  /// - Throws: ``MediaError`` of kind `internal` for another number of channels, or what a closure for
  ///   rows throws.
  func add(_ block: AudioBuffer) throws

  /// Tells what was found; called once, at the end.
  /// - Throws: as ``add(_:)``.
  func finish() throws -> Findings
}

extension Analyser {
  /// Refuses a block with another number of channels than the format has.
  /// - Throws: ``MediaError`` of kind `internal`.
  func check(_ block: AudioBuffer, _ format: AudioFormat) throws {
    guard block.channels == format.channels else {
      throw MediaError(
        .internal, "an analyser of \(format.channels) channels was handed \(block.channels)")
    }
  }
}

/// Cuts sound into steps of 100 ms, to the nearest sample.
final class StepClock {
  /// Samples of a whole step; the last one of a programme may be shorter.
  let size: Int
  private let sampleRate: Int
  private let cutter: BlockCutter<AudioBuffer>
  private let piece: AudioBuffer
  private var steps: Int64 = 0

  /// A clock for sound in `format`.
  init(_ format: AudioFormat) {
    size = max(1, (format.sampleRate + 5) / 10)
    sampleRate = max(1, format.sampleRate)
    cutter = BlockCutter(size: size, channels: format.channels)
    piece = AudioBuffer(channels: format.channels)
  }

  /// Length of a whole step in seconds.
  var seconds: Double { Double(size) / Double(sampleRate) }

  /// Takes `block`, and hands on each complete step with its start in seconds.
  /// - Throws: what `use` throws.
  func add(_ block: AudioBuffer, _ use: (AudioBuffer, Double) throws -> Void) throws {
    // The cutter keeps a copy of what it gets; pieces keep that short, however long the block is.
    for start in stride(from: 0, to: block.frames, by: size) {
      piece.removeAll()
      piece.append(block, range: start..<min(block.frames, start + size))
      try cutter.push(piece) { try use($0, next()) }
    }
  }

  /// Hands on what is left, a shorter step.
  /// - Throws: what `use` throws.
  func finish(_ use: (AudioBuffer, Double) throws -> Void) throws {
    try cutter.flush { try use($0, next()) }
  }

  /// Start of the next step in seconds, from a whole number of samples, so that no error adds up.
  private func next() -> Double {
    defer { steps += 1 }
    return Double(steps * Int64(size)) / Double(sampleRate)
  }
}

/// A curve of bounded size for pictures: a long programme gets longer steps, each with its greatest and its
/// least value.
package struct StepCurve: Sendable, Codable, Equatable {
  /// Most steps that a curve has.
  package static let mostSteps = 2000

  /// Length of a step in seconds: that of a reading times a power of two.
  package var intervalSeconds: Double
  /// Greatest value in each step; `nil` where there is none.
  package var highest: [Double?] = []
  /// Least value in each step; `nil` where there is none.
  package var lowest: [Double?] = []
}

/// Makes a ``StepCurve`` of readings that come one by one, without knowing how many there will be.
struct StepCurveBuilder {
  /// The curve so far.
  private(set) var curve: StepCurve
  /// Readings in a step.
  private var width = 1
  /// Readings in the last step.
  private var filled = 0

  /// A builder for readings that lie `intervalSeconds` apart.
  init(intervalSeconds: Double) { curve = StepCurve(intervalSeconds: intervalSeconds) }

  /// Adds the next reading; `nil` stands for none, as in silence.
  mutating func add(_ value: Double?) {
    if filled == width || curve.highest.isEmpty {
      if curve.highest.count == StepCurve.mostSteps { halve() }
      // Halving leaves a whole last step, because their number was even.
      curve.highest.append(nil)
      curve.lowest.append(nil)
      filled = 0
    }
    filled += 1
    let last = curve.highest.count - 1
    curve.highest[last] = StepCurveBuilder.choose(curve.highest[last], value, max)
    curve.lowest[last] = StepCurveBuilder.choose(curve.lowest[last], value, min)
  }

  /// Makes one step of each two.
  private mutating func halve() {
    curve.highest = StepCurveBuilder.halved(curve.highest, max)
    curve.lowest = StepCurveBuilder.halved(curve.lowest, min)
    curve.intervalSeconds *= 2
    width *= 2
  }

  private static func halved(
    _ values: [Double?], _ rule: (Double, Double) -> Double
  ) -> [Double?] {
    (0..<values.count / 2).map { choose(values[2 * $0], values[2 * $0 + 1], rule) }
  }

  private static func choose(
    _ one: Double?, _ other: Double?, _ rule: (Double, Double) -> Double
  ) -> Double? {
    guard let one, let other else { return one ?? other }
    return rule(one, other)
  }
}

/// Fields and lines of CSV (RFC 4180) with numbers in them.
package enum TableText {
  /// `value` with a fixed number of `places` after the point, 0 to 6; never as `-0`.
  static func number(_ value: Double, places: Int) -> String {
    value.fixed(places, below: 1e9) ?? "\(value)"
  }

  /// A level in dB with two decimals, and `-inf` for silence.
  static func level(_ value: Double?) -> String {
    value.map { number($0, places: 2) } ?? "-inf"
  }

  /// A reading with so many decimals, and an empty field where there is none.
  static func reading(_ value: Double?, places: Int) -> String {
    value.map { number($0, places: places) } ?? ""
  }

  /// A time in seconds with milliseconds.
  package static func time(_ seconds: Double) -> String { number(seconds, places: 3) }
}
