// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// The measurements that a delivered programme must have, and what may be done to it.
public struct LoudnessTarget: Sendable, Hashable, Codable {
  /// The loudness of a set of programmes that is brought to the target.
  public typealias Reference = AlbumReference

  /// The source of the gain.
  public enum Mode: String, Sendable, CaseIterable, Codable {
    /// From the loudness of the rendered programme, solved on what is delivered.
    case measured
    /// From the level that the bitstream states: target − dialnorm, as Dolby's output reference level works, or target −
    /// the loudness that IAMF states for the layout. The delivered loudness is right only if what is stated is.
    case metadata
  }

  /// A gain that is set beforehand instead of being solved.
  public struct Pin: Sendable, Hashable, Codable {
    /// The gain in dB, −120…40.
    public var gain: Double
    /// Whether a programme that misses its target with this gain by more than 0.1 LU is refused. One that isn't
    /// judged is lowered where ``PeakPolicy/lower`` asks for it.
    public var isJudged: Bool

    /// A gain of `gain` dB.
    public init(_ gain: Double, isJudged: Bool = true) {
      self.gain = gain
      self.isJudged = isJudged
    }
  }

  /// Programme loudness in LUFS, −70…0.
  public var integrated: Double
  /// Largest true peak allowed, in dBTP, −30…0.
  public var truePeak: Double
  /// Policy when gain alone can't meet both loudness and peak.
  public var peakPolicy: PeakPolicy
  /// Source of the gain.
  public var mode = Mode.measured
  /// Whether programmes below the target stay as quiet as they are.
  public var lowersOnly = false
  /// Largest gain in dB, 0…100; `nil` for no limit. Gain that makes up for a limiter counts too.
  public var maxGain: Double?
  /// Deviation from the target in LU, 0…20, up to which a programme whose peaks are low enough is
  /// left alone; `nil` always brings it to the target.
  public var threshold: Double?
  /// Loudness of several programmes that counts.
  public var reference = Reference.programme

  /// The loudness that ``integrated`` is of; `nil` is that of the whole.
  public var anchor: LoudnessAnchor?
  /// Loudness in LUFS, −70…0, that the whole is brought to where ``anchor`` asks for dialogue and too little is found; `nil`
  /// for ``integrated``.
  public var programmeTarget: Double?

  /// The gain that is set beforehand; `nil` solves it.
  public var pin: Pin?

  /// A target of `integrated` LUFS with peaks up to `truePeak` dBTP.
  public init(integrated: Double, truePeak: Double, peakPolicy: PeakPolicy = .limit) {
    self.integrated = integrated
    self.truePeak = truePeak
    self.peakPolicy = peakPolicy
  }

  /// −16 LKFS with peaks up to −1 dBTP, held by a limiter.
  public static let standard = LoudnessTarget(integrated: -16, truePeak: -1)

  /// Most gain allowed, in dB.
  var gainLimit: Double { min(lowersOnly ? 0 : .infinity, maxGain ?? .infinity) }

  /// Checks that every figure is in its range.
  /// - Throws: ``MediaError`` of kind `usage`, naming the option as the command line spells it,
  ///   when a figure is out of its range: loudness −70…0 LUFS, true peak −30…0 dBTP, largest gain
  ///   0…100 dB, threshold 0…20 LU, or when a threshold is given in the mode `metadata`.
  public func validate() throws {
    let figures: [(Setting, Double?)] = [
      (.loudness, integrated), (.truePeak, truePeak), (.maxGain, maxGain),
      (.loudnessThreshold, threshold), (.programmeLoudness, programmeTarget),
    ]
    for case (let setting, let figure?) in figures {
      try setting.check(figure, shownAs: Decibels.text(figure))
    }
    if let gain = pin?.gain, !(-120...40).contains(gain) {
      throw MediaError(.usage, "the pinned gain \(Decibels.text(gain)): give −120 to 40 dB")
    }
    guard anchor != .dialogue || mode == .measured else {
      throw MediaError(
        .usage,
        "\(setting: .anchor) dialogue: measures the dialogue; use \(setting: .loudnessMode) measured"
      )
    }
    guard threshold == nil || mode == .measured else {
      throw MediaError(
        .usage,
        "\(setting: .loudnessThreshold): compares the measured loudness; use \(setting: .loudnessMode) measured"
      )
    }
  }
}

/// The policy when the gain for the target loudness would lift the true peak above its limit.
public enum PeakPolicy: String, Sendable, CaseIterable, Codable {
  /// Keep the loudness; a limiter holds the peaks.
  case limit
  /// Keep the peaks; the programme stays quieter than the target.
  case lower
  /// Refuse.
  case fail
  /// Keep the loudness and let the peaks pass the limit.
  case ignore
}
