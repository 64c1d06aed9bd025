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
  /// Where ``truePeak`` first lies, in seconds, to the middle of 100 ms; `nil` for silence, when not
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
