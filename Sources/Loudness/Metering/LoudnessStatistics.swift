// SPDX-License-Identifier: Apache-2.0
import Signal

/// The data that a measurement is computed from, small enough to keep: one number per 100 ms.
///
/// Statistics of several programmes combine without their samples and without loss: the gates see
/// exactly the blocks that a meter of all of them would have seen, none of which spans two
/// programmes. Layouts and sample rates may differ.
package struct LoudnessStatistics: Sendable, Equatable {
  /// The programmes, in order.
  let programmes: [ProgrammeEnergy]
  /// True peak of each channel in dBTP; empty when the programmes differ in channels.
  let channelTruePeaks: [Double?]
  /// Largest true peak in dBTP; `nil` for silence or when not measured.
  let truePeak: Double?
  /// Time of the first ``truePeak``, in seconds, to the middle of 100 ms; `nil` for silence, when not
  /// measured and for several programmes.
  package let truePeakTime: Double?
  /// Largest sample magnitude in dBFS; `nil` for silence.
  let samplePeak: Double?

  /// The statistics of all of `parts` measured as one programme, as for an album (AES TD1008, EBU
  /// Tech 3341). Programmes below 400 ms have no block of their own and don't count beside a longer
  /// one.
  package static func combined(_ parts: [LoudnessStatistics]) -> LoudnessStatistics {
    let channels = parts.map(\.channelTruePeaks.count)
    var peaks = parts.first?.channelTruePeaks ?? []
    if Set(channels).count > 1 { peaks = [] }
    for part in parts {
      for index in peaks.indices {
        peaks[index] = larger(peaks[index], part.channelTruePeaks[index])
      }
    }
    return LoudnessStatistics(
      programmes: parts.flatMap(\.programmes), channelTruePeaks: peaks,
      truePeak: parts.map(\.truePeak).reduce(nil, larger),
      truePeakTime: parts.count == 1 ? parts[0].truePeakTime : nil,
      samplePeak: parts.map(\.samplePeak).reduce(nil, larger))
  }

  /// The measurement of all programmes together.
  package var measurement: LoudnessMeasurement {
    let isShort = programmes.allSatisfy(\.isShort)
    let gates = LoudnessGates(programmes: programmes)
    let momentary = programmes.map { $0.largestMomentary / Double(4 * $0.stepLength) }.max()
    return LoudnessMeasurement(
      integrated: isShort ? wholeLoudness : gates.integrated,
      momentaryMax: momentary.flatMap(LoudnessScale.loudness),
      shortTermMax: gates.shortTermMax, range: gates.range,
      truePeak: truePeak, channelTruePeaks: channelTruePeaks, samplePeak: samplePeak,
      isShort: isShort, samples: samples)
  }

  /// Samples per channel of all programmes.
  var samples: Int64 { programmes.reduce(0) { $0 + $1.samples } }

  /// The statistics after a constant gain of `gainDB` dB as ``GainStage`` applies it.
  package func scaled(byDB gainDB: Double) -> LoudnessStatistics {
    let factor = Double(Float(Decibels.amplitude(gainDB)))
    let shift = factor > 0 ? Decibels.level(factor) : -.infinity
    return LoudnessStatistics(
      programmes: programmes.map { $0.scaled(by: factor * factor) },
      channelTruePeaks: channelTruePeaks.map { peak in peak.map { $0 + shift } },
      truePeak: truePeak.map { $0 + shift }, truePeakTime: truePeakTime,
      samplePeak: samplePeak.map { $0 + shift })
  }

  /// Momentary and short-term loudness every 100 ms; programmes follow each other.
  package var series: LoudnessSeries {
    LoudnessSeries(momentary: momentary, shortTerm: shortTerm)
  }

  /// The momentary loudness of ``series``.
  package var momentary: [Double?] { readings(of: 4) }

  /// The short-term loudness of ``series``.
  package var shortTerm: [Double?] { readings(of: 30) }

  /// Weighted mean squares of the whole steps of 100 ms, in order (ITU-R BS.1770-5, Annex 1); programmes follow each other.
  package var meanSquares: [Double] {
    programmes.flatMap { programme in
      programme.steps.map { $0 / Double(programme.stepLength) }
    }
  }

  /// Sum of ``meanSquares``, each as often as `weights` says, and the sum of these; steps beyond the end of `weights` don't count.
  func weightedSum(_ weights: [Int]) -> (energy: Double, number: Int) {
    zip(meanSquares, weights).reduce((0.0, 0)) { ($0.0 + $1.0 * Double($1.1), $0.1 + $1.1) }
  }

  /// The relative gate of the integrated loudness in LUFS (ITU-R BS.1770-5, Annex 1), 10 LU below
  /// the loudness of the blocks that pass the absolute gate; `nil` when none passes.
  package var relativeGate: Double? { LoudnessGates(programmes: programmes).relativeGate }

  /// Ungated loudness of everything, in LUFS.
  private var wholeLoudness: Double? {
    guard programmes.count != 1 else { return LoudnessScale.loudness(programmes[0].meanSquare) }
    let length = programmes.reduce(0) { $0 + $1.length }
    let energy = programmes.reduce(0) { $0 + $1.meanSquare * $1.length }
    return length > 0 ? LoudnessScale.loudness(energy / length) : nil
  }

  /// The loudness of `width` steps at the end of each. Films have so many steps that the list is made in place.
  private func readings(of width: Int) -> [Double?] {
    var readings: [Double?] = []
    readings.reserveCapacity(programmes.reduce(0) { $0 + $1.steps.count })
    for programme in programmes {
      for step in programme.steps.indices {
        let isWhole = step >= width - 1
        readings.append(
          isWhole
            ? LoudnessScale.loudness(programme.mean(of: width, from: step - width + 1)) : nil)
      }
    }
    return readings
  }

  private static func larger(_ first: Double?, _ second: Double?) -> Double? {
    guard let first, let second else { return first ?? second }
    return max(first, second)
  }
}

/// Result of measuring a programme: loudness in LUFS and LU, peaks in dBTP and dBFS.
///
/// Every value is finite, or `nil` where the programme has none.
package struct LoudnessMeasurement: Sendable, Equatable, Codable {
  /// Programme loudness in LUFS (ITU-R BS.1770-5, Annex 1); `nil` when nothing passes the gates.
  package var integrated: Double?
  /// Largest loudness of any 400 ms, read every 10 ms, in LUFS (EBU Tech 3341); `nil` below 400 ms
  /// and for silence.
  package var momentaryMax: Double?
  /// Largest loudness of any 3 s, read every 100 ms, in LUFS (EBU Tech 3341); `nil` below 3 s and
  /// for silence.
  package var shortTermMax: Double?
  /// Loudness range in LU (EBU Tech 3342); `nil` when no 3 s block passes the absolute gate.
  package var range: Double?
  /// Largest true peak of any channel in dBTP (ITU-R BS.1770-5, Annex 2); `nil` for digital
  /// silence or when not measured.
  package var truePeak: Double?
  /// True peak of each channel in dBTP, in channel order; `nil` where silent or not measured.
  package var channelTruePeaks: [Double?]
  /// Largest sample magnitude of any channel in dBFS; `nil` for digital silence.
  package var samplePeak: Double?
  /// Whether the programme is shorter than 400 ms; ``integrated`` is then the ungated loudness of
  /// all its samples taken as one block.
  package var isShort: Bool
  /// Samples per channel that were measured.
  package var samples: Int64

  /// A measurement from its values; units as in the properties.
  package init(
    integrated: Double? = nil, momentaryMax: Double? = nil, shortTermMax: Double? = nil,
    range: Double? = nil, truePeak: Double? = nil, channelTruePeaks: [Double?] = [],
    samplePeak: Double? = nil, isShort: Bool = false, samples: Int64 = 0
  ) {
    self.integrated = integrated
    self.momentaryMax = momentaryMax
    self.shortTermMax = shortTermMax
    self.range = range
    self.truePeak = truePeak
    self.channelTruePeaks = channelTruePeaks
    self.samplePeak = samplePeak
    self.isShort = isShort
    self.samples = samples
  }
}

/// Loudness over time, read every 100 ms (EBU Tech 3341, clause 2.2).
package struct LoudnessSeries: Sendable, Equatable {
  /// Seconds between readings.
  package static let interval = 0.1

  /// Momentary loudness in LUFS of the 400 ms that end at each reading; `nil` for silence and before
  /// the first 400 ms are complete.
  package let momentary: [Double?]
  /// Short-term loudness in LUFS of the 3 s that end at each reading; `nil` for silence and before
  /// the first 3 s are complete.
  package let shortTerm: [Double?]
}
