import AudioCore

/// A setting of a preset; raw values are the names that manifests have for options of `render`, but for `album-loudness`.
package enum PresetKey: String, Sendable, CaseIterable {
  /// Integrated loudness target, LUFS, or `off`.
  case loudness
  /// True-peak ceiling, dBTP.
  case truePeak = "true-peak"
  /// What happens when the peak is above the ceiling.
  case peakPolicy = "peak-policy"
  /// Whether mono is measured as two equal channels.
  case dualMono = "dual-mono"
  /// Whether the level is only ever lowered.
  case lowerOnly = "lower-only"
  /// Largest gain, dB.
  case maxGain = "max-gain"
  /// Distance from the target below which the level stays, LU.
  case threshold
  /// Where the gain comes from.
  case loudnessMode = "loudness-mode"
  /// Layout to which programmes that are stored as they are are rendered to be measured.
  case loudnessLayout = "loudness-layout"
  /// Whether several inputs get one common gain.
  case album
  /// Whether the loudest track of an album gets the target.
  case loudestTrack = "loudest-track"
  /// Loudness target where several inputs get one common gain, LUFS; without it `loudness` counts.
  case albumLoudness = "album-loudness"
  /// What the output is for.
  case endpoint
  /// Layout that programmes with more channels are mixed down to with the endpoint none, or `keep`; others keep theirs.
  case layout
  /// Codec of the sound, where the output's format holds it.
  case codec
  /// Bit rate of a lossy codec, bit/s.
  case bitRate = "bit-rate"
  /// Output sample encoding.
  case bits
  /// Output rate, Hz.
  case rate
  /// Dither of integer output.
  case dither
  /// Output file format.
  case format
  /// How times are written in the metadata of BW64.
  case admTimes = "adm-times"
  /// Equalisers of AutoEq or Equalizer APO behind the virtualiser; paths count from the preset's folder.
  case eq
  /// Processing at points of the chain, each as `POINT:KIND=ARGUMENTS`; paths count from the preset's folder.
  case tap

  /// The value of ``layout`` that sets no limit.
  private static let keptLayout = "keep"

  /// What the setting may be.
  package var rule: PresetRule {
    switch self {
    case .loudness: return .numberOrOff(-70...0, unit: "LUFS")
    case .albumLoudness: return .number(-70...0, unit: "LUFS")
    case .truePeak: return .number(-30...0, unit: "dBTP")
    case .peakPolicy: return .word(["limit", "lower", "fail", "ignore"])
    case .dualMono, .lowerOnly, .album, .loudestTrack: return .flag
    case .maxGain: return .number(0...100, unit: "dB")
    case .threshold: return .number(0...20, unit: "LU")
    case .loudnessMode: return .word(["measured", "metadata"])
    case .loudnessLayout: return .word(ChannelLayout.knownNames)
    case .endpoint: return .word(["headphones", "speakers", "none"])
    case .layout: return .word([PresetKey.keptLayout] + ChannelLayout.knownNames)
    case .codec: return .word(AudioEncoding.allCases.map(\.rawValue))
    case .bitRate: return .whole(AudioEncoding.bitRates, unit: "bit/s")
    case .bits: return .word(["16", "24", "32f"])
    case .rate: return .whole(8_000...384_000, unit: "Hz")
    case .dither: return .word(["none", "tpdf"])
    case .eq: return .list("a file")
    case .tap: return .list("text such as post:eq=headphones.txt")
    case .format: return .word(ContainerKind.allCases.map(\.rawValue))
    case .admTimes: return .word(ADMTimeForm.allCases.map(\.rawValue))
    }
  }
}

/// What a setting of a preset may be.
package enum PresetRule: Sendable, Equatable {
  /// A number in this range, in this unit.
  case number(ClosedRange<Double>, unit: String)
  /// A number in this range, in this unit, or `off`.
  case numberOrOff(ClosedRange<Double>, unit: String)
  /// A whole number in this range, in this unit.
  case whole(ClosedRange<Int>, unit: String)
  /// One of these words.
  case word([String])
  /// `true` or `false`.
  case flag
  /// Texts of this kind.
  case list(String)

  /// The allowed values, for people.
  package var allowed: String {
    switch self {
    case .number(let range, let unit): return PresetRule.span(range, unit)
    case .numberOrOff(let range, let unit): return PresetRule.span(range, unit) + ", or off"
    case .whole(let range, let unit): return "\(range.lowerBound) to \(range.upperBound) \(unit)"
    case .word(let words): return words.joined(separator: ", ")
    case .flag: return "true or false"
    case .list(let what): return "\(what), or a list of them"
    }
  }

  /// The value that `text` stands for; `nil` when it isn't allowed.
  ///
  /// A word may be quoted in the file. A number or a flag may not (`isPlain`), because quoted it
  /// would be text.
  func value(of text: String, isPlain: Bool) -> PresetValue? {
    switch self {
    case .number(let range, _): return isPlain ? PresetRule.number(text, range) : nil
    case .numberOrOff(let range, _):
      return text == "off" ? .word(text) : isPlain ? PresetRule.number(text, range) : nil
    case .whole(let range, _):
      guard isPlain, let value = Int(text), range.contains(value) else { return nil }
      return .number(Double(value))
    case .word(let words): return words.contains(text) ? .word(text) : nil
    case .flag:
      guard isPlain, text == "true" || text == "false" else { return nil }
      return .flag(text == "true")
    // A list isn't one text; ``PresetDocument`` reads it.
    case .list: return nil
    }
  }

  private static func number(_ text: String, _ range: ClosedRange<Double>) -> PresetValue? {
    // Double also reads "nan", "inf" and hexadecimal.
    guard text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) }),
      let value = Double(text), range.contains(value)
    else { return nil }
    return .number(value)
  }

  private static func span(_ range: ClosedRange<Double>, _ unit: String) -> String {
    let lower = PresetValue.number(range.lowerBound).text
    guard range.upperBound < 1000 else { return "\(lower) \(unit) or more" }
    return "\(lower) to \(PresetValue.number(range.upperBound).text) \(unit)"
  }
}
