// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Compares loudness and true peak, of the programme and of every channel.
package struct LevelComparator: LayerComparator {
  private let reference: LevelFigures
  private let test: LevelFigures
  private let layout: ChannelLayout

  /// A comparator of two measurements.
  package init(reference: LevelFigures, test: LevelFigures, layout: ChannelLayout) {
    self.reference = reference
    self.test = test
    self.layout = layout
  }

  /// Fails on the first difference above its limit: programme before channels, loudness before peak.
  package func judge(_ tolerance: ComparisonTolerance) -> LayerResult {
    let channel = { (old: [Double?], new: [Double?]) in
      zip(old, new).map { LevelComparator.difference($0, $1)?.magnitude }.compactMap { $0 }.max()
    }
    return LayerResult(
      .levels,
      figures: [
        ComparisonFigure(
          "loudness", LevelComparator.difference(reference.integrated, test.integrated), "LU",
          limit: tolerance.loudness),
        ComparisonFigure(
          "truePeak", LevelComparator.difference(reference.truePeak, test.truePeak), "dB",
          limit: tolerance.truePeak),
        ComparisonFigure(
          "channelLoudness", channel(reference.channelLoudness, test.channelLoudness), "LU",
          limit: tolerance.loudness),
        ComparisonFigure(
          "channelTruePeak", channel(reference.channelTruePeaks, test.channelTruePeaks), "dB",
          limit: tolerance.truePeak),
      ],
      rule: "no figure may change by more than its limit", fault: fault(tolerance))
  }

  private func fault(_ tolerance: ComparisonTolerance) -> ComparisonFault? {
    let names = layout.channelNames
    var rows: [(String, Double?, Double?, Double, String)] = [
      ("the programme", reference.integrated, test.integrated, tolerance.loudness, "LU louder"),
      (
        "the programme", reference.truePeak, test.truePeak, tolerance.truePeak,
        "dB higher in true peak"
      ),
    ]
    for (index, name) in names.enumerated()
    where index < min(reference.channelLoudness.count, test.channelLoudness.count) {
      rows.append(
        (
          name, reference.channelLoudness[index], test.channelLoudness[index], tolerance.loudness,
          "LU louder"
        ))
    }
    for (index, name) in names.enumerated()
    where index < min(reference.channelTruePeaks.count, test.channelTruePeaks.count) {
      rows.append(
        (
          name, reference.channelTruePeaks[index], test.channelTruePeaks[index],
          tolerance.truePeak, "dB higher in true peak"
        ))
    }
    return rows.lazy.compactMap { LevelComparator.fault($0.0, $0.1, $0.2, $0.3, $0.4) }.first
  }

  private static func fault(
    _ what: String, _ old: Double?, _ new: Double?, _ limit: Double, _ more: String
  ) -> ComparisonFault? {
    switch (old, new) {
    case (nil, nil): return nil
    case (nil, _?):
      return ComparisonFault(
        .cause, "\(what) is silent in REF and isn't in TEST",
        explains: [.null, .spectrum, .interaural])
    case (_?, nil):
      return ComparisonFault(
        .cause, "\(what) is silent in TEST and isn't in REF",
        explains: [.null, .spectrum, .interaural])
    case (let old?, let new?):
      let change = new - old
      guard change.magnitude > limit else { return nil }
      let words =
        change > 0 ? more : more.replacing("louder", "quieter").replacing("higher", "lower")
      return ComparisonFault(
        .effect, "\(what) is \(Decimals.text(change.magnitude, 2)) \(words) in TEST")
    }
  }

  private static func difference(_ old: Double?, _ new: Double?) -> Double? {
    guard let old, let new else { return nil }
    return new - old
  }
}

extension String {
  fileprivate func replacing(_ word: String, _ other: String) -> String {
    split(separator: " ").map { $0 == word ? other : String($0) }.joined(separator: " ")
  }
}

/// Loudness and peaks of one file.
package struct LevelFigures: Sendable, Equatable {
  /// Programme loudness in LUFS (ITU-R BS.1770-5); `nil` for silence.
  package var integrated: Double?
  /// True peak in dBTP; `nil` for silence.
  package var truePeak: Double?
  /// Loudness of every channel alone in LUFS, unweighted by its place.
  package var channelLoudness: [Double?]
  /// True peak of every channel in dBTP.
  package var channelTruePeaks: [Double?]

  /// Figures in LUFS and dBTP.
  package init(
    integrated: Double?, truePeak: Double?, channelLoudness: [Double?],
    channelTruePeaks: [Double?]
  ) {
    self.integrated = integrated
    self.truePeak = truePeak
    self.channelLoudness = channelLoudness
    self.channelTruePeaks = channelTruePeaks
  }

  /// The figures of the same sound with a gain in dB.
  package func louder(by gain: Double) -> LevelFigures {
    LevelFigures(
      integrated: integrated.map { $0 + gain }, truePeak: truePeak.map { $0 + gain },
      channelLoudness: channelLoudness.map { $0.map { $0 + gain } },
      channelTruePeaks: channelTruePeaks.map { $0.map { $0 + gain } })
  }
}
