// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Works out the facts of ``HRTFSummary``.
struct HRTFInspection {
  private let set: HRTFSet
  private let fields: [DiffuseField]
  private let fft: DoubleFFT

  /// An inspection of `set`.
  init(_ set: HRTFSet) {
    self.set = set
    fft = DoubleFFT(length: set.transformLength)
    fields = DiffuseField.average(set.measurements, set.grid, fft)
  }

  /// All facts.
  func summary() -> HRTFSummary {
    let measurements = set.measurements
    let played = playedFacts()
    let elevations = measurements.directions.map(\.elevation)
    return HRTFSummary(
      id: set.id, citation: set.citation, measurements: measurements.directions.count,
      directions: set.directionCount, lowestElevation: elevations.min() ?? 0,
      highestElevation: elevations.max() ?? 0, taps: measurements.taps,
      sampleRate: measurements.sampleRate, delayUnit: measurements.delayUnit,
      lowestDelayMicroseconds: played.delays.min() ?? 0,
      highestDelayMicroseconds: played.delays.max() ?? 0, delays: delays,
      diffuseField: HRTFSummary.DiffuseField(
        frequenciesHz: bands, measuredDB: thirds(measuredPower), processedDB: thirds(played.power)),
      asymmetry: asymmetry(), steps: steps())
  }

  private var binWidth: Double { fields[0].binWidth }

  /// Thirds of an octave from 50 Hz to 20 kHz, as far as the rate goes.
  private var bands: [Double] {
    let highest = 0.43 * Double(set.sourceRate)
    let centers = (-13...13).map { (third: Int) -> Double in 1000 * pow(2, Double(third) / 3) }
    return centers.filter { $0 <= highest }
  }

  private var measuredPower: [Double] {
    zip(fields[0].levels, fields[1].levels).map { (left: Double, right: Double) -> Double in
      (pow(10, left / 10) + pow(10, right / 10)) / 2
    }
  }

  private func thirds(_ power: [Double]) -> [Double] {
    bands.map { HRTFInspection.level(power, around: $0, binWidth) }
  }

  /// Level in dB of a third of an octave (10^±0.05 times its centre, IEC 61260-1); level of the
  /// nearest bin where none lies inside.
  private static func level(_ power: [Double], around center: Double, _ width: Double) -> Double {
    let low = Int((center * 0.891 / width).rounded(.up))
    let high = min(power.count - 1, Int(center * 1.122 / width))
    let near = min(power.count - 1, Int((center / width).rounded()))
    let bins = low <= high ? low...high : near...near
    return 10 * log10(max(1e-30, bins.reduce(0) { $0 + power[$1] } / Double(bins.count)))
  }

  /// Every place as a renderer plays it: interaural delays in µs and both ears' mean power by bin.
  private func playedFacts() -> (delays: [Double], power: [Double]) {
    let synthesiser = ResponseSynthesiser(set)
    var power = [Double](repeating: 0, count: set.transformLength / 2 + 1)
    var delays: [Double] = []
    for (point, area) in zip(set.grid.points, set.grid.areas()) {
      let pair = synthesiser.pair(for: UnitVector.direction(of: point.position))
      delays.append((pair.right.delay - pair.left.delay) / Double(set.sourceRate) * 1e6)
      for bin in power.indices {
        let left = exp(2 * pair.left.logMagnitude[bin])
        let right = exp(2 * pair.right.logMagnitude[bin])
        power[bin] += area * (left + right) / 2
      }
    }
    return (delays, power)
  }

  /// Interaural delays of the set around the head, before and after it is fitted to another one.
  private var delays: HRTFSummary.Delays {
    let synthesiser = ResponseSynthesiser(set)
    let azimuths = Array(stride(from: -180.0, through: 180, by: 5))
    let played = azimuths.map { azimuth in
      let pair = synthesiser.pair(for: Direction(azimuth: azimuth))
      return (pair.right.delay - pair.left.delay) / Double(set.sourceRate) * 1e6
    }
    return HRTFSummary.Delays(
      azimuths: azimuths, measuredMicroseconds: played.map { $0 / set.delayScale },
      playedMicroseconds: played, headRadius: 100 * HeadSize(of: set).radius / set.delayScale,
      scale: set.delayScale)
  }

  /// Compares each measurement with the nearest one to its mirrored place.
  private func asymmetry() -> HRTFSummary.Asymmetry? {
    guard set.grid.mirroredShare >= 0.5, !set.isHemisphere else { return nil }
    let measurements = set.measurements
    let whole = DirectionGrid(directions: measurements.directions, hemisphere: true)
    let levels = measurements.directions.indices.map(bandLevels)
    var level = (sum: 0.0, count: 0.0)
    var delay = level
    for point in whole.points where point.position.y > 1e-9 {
      guard let own = point.members.first(where: { !$0.swapped })?.measurement,
        let mirror = point.members.first(where: \.swapped)?.measurement
      else { continue }
      for ear in 0..<2 {
        for (one, other) in zip(levels[own][ear], levels[mirror][1 - ear]) {
          level = (level.sum + (one - other).magnitude, level.count + 1)
        }
      }
      let gap = interauralDelay(own) + interauralDelay(mirror)
      delay = (delay.sum + gap.magnitude, delay.count + 1)
    }
    guard delay.count > 0 else { return nil }
    return HRTFSummary.Asymmetry(
      levelDB: level.sum / level.count,
      delayMicroseconds: delay.sum / delay.count / Double(set.sourceRate) * 1e6)
  }

  /// Samples by which the right ear's onset follows the left's, to fractions: the peak of their
  /// cross-correlation.
  private func interauralDelay(_ measurement: Int) -> Double {
    let ears = spectra(measurement)
    return CorrelationPeak.lag(of: ears[1], behind: ears[0], fft)
      + set.measurements.delays[2 * measurement + 1] - set.measurements.delays[2 * measurement]
  }

  private func bandLevels(_ measurement: Int) -> [[Double]] {
    spectra(measurement).map { spectrum in
      let power = spectrum.powers
      return bands.filter { (300...12000).contains($0) }.map {
        HRTFInspection.level(power, around: $0, binWidth)
      }
    }
  }

  private func spectra(_ measurement: Int) -> [Spectrum] {
    (0..<2).map { Spectrum(set.measurements.response(measurement, ear: $0), fft) }
  }
}

extension HRTFInspection {
  private func steps() -> [HRTFSummary.Step] {
    [delayStep, symmetryStep, headStep, levelStep, flatteningStep, bassStep]
  }

  private var delayStep: HRTFSummary.Step {
    let seconds = set.measurements.delayUnit == .seconds
    let reason =
      switch set.measurements.delayUnit {
      case .none: "the responses hold their delays themselves"
      case .samples: "the delays are in samples, as AES69 has them"
      case .seconds: "the delays are far below one sample, so they are taken as seconds"
      }
    return HRTFSummary.Step(name: .delayUnit, isApplied: seconds, reason: reason)
  }

  private var symmetryStep: HRTFSummary.Step {
    let share = HRTFInspection.text(100 * set.grid.mirroredShare)
    let reason =
      if set.isHemisphere {
        "only the left half was measured; the right half is its mirror image"
      } else if !set.options.isSymmetrised {
        "it was switched off"
      } else if set.grid.isSymmetric {
        "\(share) % of the directions have a mirror image to average with" + mirrorLoss
      } else {
        "\(share) % of the directions have a mirror image, fewer than half"
      }
    return HRTFSummary.Step(name: .symmetrise, isApplied: set.grid.isSymmetric, reason: reason)
  }

  private var mirrorLoss: String {
    guard set.mirrorLoss.counts else { return "" }
    let loss = HRTFInspection.text(set.mirrorLoss.highest)
    return ", which takes up to \(loss) dB off the diffuse field; the equaliser gives it back"
  }

  private var headStep: HRTFSummary.Step {
    let change = 100 * (set.delayScale - 1)
    let percent = HRTFInspection.text(change.magnitude)
    return HRTFSummary.Step(
      name: .headSize, isApplied: change != 0,
      reason: change == 0
        ? "the delays between the ears are those of the head that was measured"
        : "the delays between the ears become \(percent) % \(change > 0 ? "longer" : "shorter")")
  }

  private var levelStep: HRTFSummary.Step {
    let means = fields.map { HRTFInspection.text($0.mean) }
    let list = set.grid.isSymmetric ? means[0] : means.joined(separator: " and ")
    return HRTFSummary.Step(
      name: .level, isApplied: fields.contains { $0.mean.magnitude >= 0.05 },
      reason: "the diffuse field's mean of \(list) dB over 200 Hz…10 kHz becomes 0 dB")
  }

  /// Why steps that the user switched off aren't applied; `nil` where they weren't.
  private var switchedOff: String? {
    self.set.options.isProcessed ? nil : "but processing was switched off"
  }

  private var flatteningStep: HRTFSummary.Step {
    let range = HRTFInspection.text(fields.map(\.range).max() ?? 0)
    let applied = set.equalisers.contains(where: \.flattens)
    return HRTFSummary.Step(
      name: .diffuseField, isApplied: applied,
      reason: "the diffuse field varies by \(range) dB over 100 Hz…16 kHz, "
        + (applied ? "more than 1 dB" : switchedOff ?? "no more than 1 dB"))
  }

  private var bassStep: HRTFSummary.Step {
    let bass = fields.map { $0.level(at: 50) - $0.mean }
    let worst = HRTFInspection.text(bass.max { $0.magnitude < $1.magnitude } ?? 0)
    let kinds = set.equalisers.map(\.bass)
    let spread = HRTFInspection.text(set.bassSpread)
    let reason =
      if kinds.contains(.extended) {
        ", more than 1 dB off; below 100…500 Hz a plain delay at 0 dB takes over"
      } else if kinds.contains(.evened) {
        ", within 1 dB, but directions differ by \(spread) dB (standard deviation), which no head does;"
          + " below 100…500 Hz all get 0 dB"
      } else {
        switchedOff.map { ", \($0)" } ?? ", within 1 dB"
      }
    return HRTFSummary.Step(
      name: .lowFrequencies, isApplied: kinds.contains { $0 != .measured },
      reason: "50 Hz lies at \(worst) dB" + reason)
  }

  /// One decimal.
  static func text(_ value: Double) -> String {
    let tenths = Int((value.magnitude * 10).rounded())
    return (value < 0 && tenths > 0 ? "−" : "") + "\(tenths / 10).\(tenths % 10)"
  }
}

/// A set of head-related responses in figures, and the steps before it is played.
package struct HRTFSummary: Sendable, Codable, Hashable {
  /// A step between the measurements and what is played.
  package struct Step: Sendable, Codable, Hashable {
    /// Its name.
    package let name: HRTFStep
    /// Whether the step does anything to this set.
    package let isApplied: Bool
    /// The reason, with the figures that decided whether it is applied.
    package let reason: String
  }

  /// Levels of both ears' power averaged over the sphere, in thirds of an octave.
  package struct DiffuseField: Sendable, Codable, Hashable {
    /// Middle frequencies in Hz, 50 Hz upwards.
    package let frequenciesHz: [Double]
    /// Levels as measured, in dB: 0 dB is the power of a unit impulse.
    package let measuredDB: [Double]
    /// Levels after all steps, in dB.
    package let processedDB: [Double]
  }

  /// Interaural delays around the head, at ear height; positive where the left ear leads.
  package struct Delays: Sendable, Codable, Hashable {
    /// Azimuths in degrees, to the left.
    package let azimuths: [Double]
    /// As measured, µs.
    package let measuredMicroseconds: [Double]
    /// As played, µs.
    package let playedMicroseconds: [Double]
    /// Radius of the sphere with the delays that were measured, cm.
    package let headRadius: Double
    /// Factor between both.
    package let scale: Double
  }

  /// How left and right differ where both sides were measured.
  package struct Asymmetry: Sendable, Codable, Hashable {
    /// Mean difference of a response's level from its mirror image's, in dB, in thirds of an octave
    /// from 300 Hz to 12 kHz.
    package let levelDB: Double
    /// Mean difference of the interaural delay from its mirror image's, in µs.
    package let delayMicroseconds: Double
  }

  /// `kemar`, or the file's name.
  package let id: String
  /// Source of the measurements.
  package let citation: String
  /// Number of measured directions.
  package let measurements: Int
  /// Number of places, with mirrored ones where the set is symmetric, without duplicates.
  package let directions: Int
  /// Lowest measured elevation, in degrees.
  package let lowestElevation: Double
  /// Highest measured elevation, in degrees.
  package let highestElevation: Double
  /// Taps of each response.
  package let taps: Int
  /// Samples per second of the responses.
  package let sampleRate: Int
  /// Unit of the delays that the set holds beside its responses: `none`, `samples` or `seconds`.
  package let delayUnit: DelayUnit
  /// Lowest interaural delay as played, in µs; negative where the right ear leads.
  package let lowestDelayMicroseconds: Double
  /// Highest interaural delay as played, in µs; positive where the left ear leads.
  package let highestDelayMicroseconds: Double
  /// Interaural delays in the horizontal plane.
  package let delays: Delays
  /// The diffuse field before and after processing.
  package let diffuseField: DiffuseField
  /// Differences between the sides as measured; `nil` when fewer than half of the directions have
  /// a measured mirror image.
  package let asymmetry: Asymmetry?
  /// All steps, in their order.
  package let steps: [Step]
}

extension HRTFSet {
  /// Facts about this set. Takes some two seconds for 1,500 directions.
  package func summary() -> HRTFSummary { HRTFInspection(self).summary() }

  /// Facts about the set in a SOFA file.
  /// - Throws: what ``load(path:options:)`` throws.
  package static func summary(
    of path: String, options: HRTFOptions = HRTFOptions()
  ) throws -> HRTFSummary {
    try load(path: path, options: options).summary()
  }
}
