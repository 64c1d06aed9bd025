// SPDX-License-Identifier: Apache-2.0

/// Signals in which speech is looked for.
public enum DialogueSource: String, ReportWord {
  /// Objects and channels that the file calls dialogue.
  case stated
  /// The centre channel.
  case centre
  /// The centre channel, and half the sum of the front pair where the centre is empty.
  case centreAndMid = "centre+mid"
  /// Half the sum of the front pair.
  case mid
  /// The only channel.
  case mono
}

/// Whether figures of dialogue can serve as a target.
public enum DialogueVerdict: String, ReportWord {
  /// At least 15 % of the programme and 10 s are certain speech.
  case dialogue
  /// As much speech was found, but too little of it is certain.
  case uncertainSpeech = "uncertain-speech"
  /// Some speech is certain, but too little.
  case notEnoughSpeech = "not-enough-speech"
  /// No speech is certain.
  case noSpeech = "no-speech"
}

/// How far figures of dialogue can be relied on.
public enum DialogueConfidence: String, ReportWord {
  /// 30 s are certain, 80 % of what was found is, and the words have a signal of their own.
  case high
  /// 10 s and half of what was found are certain.
  case medium
  /// Less.
  case low
}

/// The loudness that counts: of the whole, or of its dialogue.
public enum LoudnessAnchor: String, ReportWord {
  /// That of all, gated as ITU-R BS.1770 does.
  case programme
  /// That of its certain speech, without a relative gate, where there is enough of it.
  case dialogue
}

/// Loudness of the dialogue of one output: of its own samples, in the frames that were found in the source.
///
/// Every value is finite, or `nil` where there is none.
public struct DialogueLoudness: Sendable, Codable, Equatable {
  /// A stretch in which people speak.
  public struct Passage: Sendable, Codable, Equatable {
    /// Seconds from the beginning of the programme, in steps of 0.02.
    public var begin: Double
    /// Its end, likewise.
    public var end: Double
    /// Whether its speech counts.
    public var certain: Bool
    /// Loudness of its speech in LUFS; `nil` for silence.
    public var loudness: Double?

    /// A stretch from `begin` to `end`.
    public init(begin: Double, end: Double, certain: Bool, loudness: Double?) {
      (self.begin, self.end, self.certain, self.loudness) = (begin, end, certain, loudness)
    }
  }

  /// The signal that speech was found in.
  public var source: DialogueSource
  /// Whether the figures can serve as a target.
  public var verdict: DialogueVerdict
  /// How far they can be relied on.
  public var confidence: DialogueConfidence
  /// Loudness in LUFS over all certain speech, without a relative gate; `nil` without any.
  public var dialogueLoudness: Double?
  /// Loudness in LUFS over the same frames of the words' own signal alone; `nil` unless the source is `stated` or `centre`.
  public var sourceLoudness: Double?
  /// Loudness in LUFS that the file states of its dialogue, if it does.
  public var statedLoudness: Double?
  /// Programme loudness in LUFS (ITU-R BS.1770-5, Annex 1).
  public var programmeLoudness: Double?
  /// Programme less dialogue loudness in LU (EBU R 128 s4): high where words are quiet at the same programme loudness.
  public var ldr: Double?
  /// Loudness range in LU (EBU Tech 3342) of the programme.
  public var loudnessRange: Double?
  /// Loudness range in LU of the steps that are mostly certain speech, joined; `nil` below 6 s of them.
  public var dialogueRange: Double?
  /// Part of the programme that is certain speech, 0 to 1.
  public var share = 0.0
  /// Seconds of all speech found.
  public var speechSeconds = 0.0
  /// Seconds of certain speech.
  public var certainSeconds = 0.0
  /// The stretches in which people speak.
  public var passages: [Passage] = []

  /// Figures of nothing; a reading of samples fills them in.
  package init(source: DialogueSource, verdict: DialogueVerdict, confidence: DialogueConfidence) {
    (self.source, self.verdict, self.confidence) = (source, verdict, confidence)
  }
}
