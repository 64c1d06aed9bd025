// SPDX-License-Identifier: Apache-2.0
import Loudness

/// Loudness of the dialogue of one output: of its own samples, in the frames that were found in the source.
///
/// Every value is finite, or `nil` where there is none.
package struct DialogueLoudness: Sendable, Equatable, Codable {
  /// Whether the figures can serve as a target.
  package enum Verdict: String, Sendable, Codable, CaseIterable {
    /// At least 15 % of the programme and 10 s are certain speech.
    case dialogue
    /// As much speech was found, but too little of it is certain.
    case uncertainSpeech = "uncertain-speech"
    /// Some speech is certain, but too little.
    case notEnoughSpeech = "not-enough-speech"
    /// No speech is certain.
    case noSpeech = "no-speech"
  }

  /// How far the figures can be relied on.
  package enum Confidence: String, Sendable, Codable, CaseIterable {
    /// 30 s are certain, 80 % of what was found is, and the words have a signal of their own.
    case high
    /// 10 s and half of what was found are certain.
    case medium
    /// Less.
    case low
  }

  /// A stretch in which people speak.
  package struct Passage: Sendable, Equatable, Codable {
    /// Seconds from the beginning of the programme, in steps of 0.02.
    package let begin: Double
    /// Its end, likewise.
    package let end: Double
    /// Whether its speech counts.
    package let certain: Bool
    /// Loudness of its speech in LUFS; `nil` for silence.
    package let loudness: Double?
  }

  /// The signal that speech was found in.
  package let source: DialogueSource
  /// Whether the figures can serve as a target.
  package let verdict: Verdict
  /// How far they can be relied on.
  package let confidence: Confidence
  /// Loudness in LUFS over all certain speech, without a relative gate; `nil` without any.
  package let dialogueLoudness: Double?
  /// Loudness in LUFS over the same frames of the words' own signal alone; `nil` unless the source is `stated` or `centre`.
  package let sourceLoudness: Double?
  /// Loudness in LUFS that the file states of its dialogue, if it does.
  package let statedLoudness: Double?
  /// Programme loudness in LUFS (ITU-R BS.1770-5, Annex 1).
  package let programmeLoudness: Double?
  /// Programme less dialogue loudness in LU (EBU R 128 s4): high where words are quiet at the same programme loudness.
  package let ldr: Double?
  /// Loudness range in LU (EBU Tech 3342) of the programme.
  package let loudnessRange: Double?
  /// Loudness range in LU of the steps that are mostly certain speech, joined; `nil` below 6 s of them.
  package let dialogueRange: Double?
  /// Part of the programme that is certain speech, 0 to 1.
  package let share: Double
  /// Seconds of all speech found.
  package let speechSeconds: Double
  /// Seconds of certain speech.
  package let certainSeconds: Double
  /// The stretches in which people speak.
  package let passages: [Passage]
}

extension DialogueLoudness {
  /// Least part of a programme and frames (10 s) that make a verdict: below, one sentence would decide.
  private static let enoughShare = 0.15
  private static let enoughFrames = 10 * FrameWindows.rate
  /// Certain frames of a step (of five) from which on it belongs to the dialogue's range, and steps that the range needs.
  private static let mostly = 3
  private static let rangeSteps = 60

  /// The figures of the output whose energies these are.
  /// - Parameters:
  ///   - programme: the output's loudness and range as its meter has them.
  ///   - own: energies of the words' own signal, in the source's time.
  ///   - stated: loudness in LUFS that the file states of its dialogue.
  package init(
    _ found: FoundDialogue, energies: StepEnergies, programme: LoudnessMeasurement,
    own: StepEnergies? = nil, stated: Double? = nil
  ) {
    let loudness = energies.loudness(of: found.certain)
    let ownLoudness = own.flatMap { $0.loudness(of: found.certain) }
    source = found.source
    verdict = DialogueLoudness.verdict(found, hasLoudness: loudness != nil)
    confidence = DialogueLoudness.confidence(found)
    dialogueLoudness = loudness
    sourceLoudness = loudness == nil ? nil : ownLoudness
    statedLoudness = stated
    programmeLoudness = programme.integrated
    ldr = loudness.flatMap { loudness in programme.integrated.map { $0 - loudness } }
    loudnessRange = programme.range
    dialogueRange = DialogueLoudness.range(energies.counts(of: found.certain), energies)
    share = found.share
    speechSeconds = DialogueLoudness.seconds(found.speech.count)
    certainSeconds = DialogueLoudness.seconds(found.certain.count)
    passages = found.passages.map { passage in
      Passage(
        begin: DialogueLoudness.seconds(passage.frames.lowerBound),
        end: DialogueLoudness.seconds(passage.frames.upperBound), certain: passage.isCertain,
        loudness: energies.loudness(of: found.speech.clamped(to: passage.frames)))
    }
  }

  private static func verdict(_ found: FoundDialogue, hasLoudness: Bool) -> Verdict {
    if isEnough(found.certain.count, of: found.frames) { return .dialogue }
    if isEnough(found.speech.count, of: found.frames) { return .uncertainSpeech }
    return hasLoudness ? .notEnoughSpeech : .noSpeech
  }

  private static func isEnough(_ count: Int, of frames: Int) -> Bool {
    Double(count) / Double(max(1, frames)) >= enoughShare && count >= enoughFrames
  }

  private static func confidence(_ found: FoundDialogue) -> Confidence {
    let (certain, all) = (found.certain.count, found.speech.count)
    let part = Double(certain) / Double(max(1, all))
    if certain >= 3 * enoughFrames && part >= 0.8 && found.source.isOwn { return .high }
    return certain >= enoughFrames && part >= 0.5 ? .medium : .low
  }

  /// Blocks begin every 100 ms, because joined dialogue can be as short as two blocks.
  private static func range(_ counts: [Int], _ energies: StepEnergies) -> Double? {
    let steps = counts.indices.filter { counts[$0] >= mostly }
    guard steps.count >= rangeSteps else { return nil }
    let joined = steps.map { energies.meanSquares[$0] }
    return LoudnessGates(meanSquares: joined).range(every: 1)
  }

  private static func seconds(_ frames: Int) -> Double {
    Double(frames) / Double(FrameWindows.rate)
  }
}

extension FoundDialogue {
  /// Part of the programme that is certain speech, 0 to 1.
  package var share: Double { Double(certain.count) / Double(max(1, frames)) }
}
