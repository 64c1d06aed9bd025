// SPDX-License-Identifier: Apache-2.0

/// How far and how quickly a programme is levelled.
public enum LevelMode: String, ReportWord {
  /// For a living room: slow, and a little.
  case gentle
  /// For the night: rooms leave some 8 LU between words and the loudest then.
  case night
  /// For noise around, which hides what lies more than 5 LU down, so that rest is raised as well.
  case train
}

/// How the search for a levelling gain ended.
public enum LevelOutcome: String, ReportWord {
  /// The programme keeps the range already; no gain.
  case within
  /// The range is kept.
  case reached
  /// The limits didn't allow it.
  case notReached = "not-reached"
  /// There is nothing to level; no gain.
  case silent
  /// Below 3 s; no gain.
  case tooShort = "too-short"
}

/// How a programme is levelled, and the figures that the report has of it.
public struct Levelling: Sendable, Codable, Equatable {
  /// Figures of the source's energies.
  public struct Figures: Sendable, Codable, Equatable {
    /// 10 % to 95 % in LU of the short-term loudness that isn't rest.
    public var spread: Double
    /// Programme loudness in LUFS (ITU-R BS.1770-5).
    public var programme: Double?
    /// Loudness in LUFS of certain speech.
    public var dialogue: Double?
    /// Loudness range in LU (EBU Tech 3342).
    public var range: Double?

    /// Figures from their values.
    public init(spread: Double, programme: Double?, dialogue: Double?, range: Double?) {
      (self.spread, self.programme) = (spread, programme)
      (self.dialogue, self.range) = (dialogue, range)
    }
  }

  /// 5, 50 and 95 % in LUFS of the short-term loudness above −70 LUFS, before and after.
  public struct ShortTerm: Sendable, Codable, Equatable {
    /// Without the gain.
    public var before: [Double]
    /// With it, of the same steps.
    public var after: [Double]

    /// Percentiles from their values.
    public init(before: [Double], after: [Double]) { (self.before, self.after) = (before, after) }
  }

  /// How far and how quickly.
  public var mode: LevelMode
  /// The end of the search.
  public var outcome: LevelOutcome
  /// Loudness in LUFS that the programme is levelled around; `nil` where the outcome is `silent` or `too-short`.
  public var anchor: Double?
  /// Kind of ``anchor``.
  public var anchorOf: LoudnessAnchor?
  /// Spread in LU that was wanted.
  public var wanted: Double
  /// Window in LU of the curve that is used; `nil` without one.
  public var window: Double?
  /// Without the gain.
  public var before: Figures?
  /// With it.
  public var after: Figures?
  /// Largest gain in dB.
  public var largestGain = 0.0
  /// Smallest gain in dB.
  public var smallestGain = 0.0
  /// Steepest rise in dB/s.
  public var steepestRise = 0.0
  /// Steepest fall in dB/s, at most zero.
  public var steepestFall = 0.0
  /// Part of the steps between which the gain moves by more than 0.5 dB/s.
  public var moving = 0.0
  /// Part of the steps whose gain is more than 0.5 dB from zero.
  public var away = 0.0
  /// Percentiles; `nil` where nothing is above −70 LUFS.
  public var shortTerm: ShortTerm?
  /// Gain in dB of each step of 100 ms, which holds at its middle.
  public var gain: [Double]

  /// A search for a spread of `wanted` LU that ended with `outcome`, and its gain.
  package init(
    mode: LevelMode, outcome: LevelOutcome, anchor: Double?, anchorOf: LoudnessAnchor?,
    wanted: Double, gain: [Double]
  ) {
    (self.mode, self.outcome, self.wanted, self.gain) = (mode, outcome, wanted, gain)
    (self.anchor, self.anchorOf) = (anchor, anchorOf)
  }
}
