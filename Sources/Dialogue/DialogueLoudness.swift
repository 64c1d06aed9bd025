// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness

extension DialogueLoudness {
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
    self.init(
      source: found.source,
      verdict: [found].verdict, confidence: [found].confidence)
    dialogueLoudness = loudness
    sourceLoudness = loudness == nil ? nil : own.flatMap { $0.loudness(of: found.certain) }
    statedLoudness = stated
    programmeLoudness = programme.integrated
    ldr = loudness.flatMap { loudness in programme.integrated.map { $0 - loudness } }
    loudnessRange = programme.range
    dialogueRange = DialogueLoudness.range(
      energies.mostly(found.certain, DialogueLoudness.mostly))
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

  /// The figures of several sounds as one programme; passages are those of each, so there are none.
  /// - Parameter programme: loudness and range of all together.
  package init?(
    album: [(found: FoundDialogue, energies: StepEnergies)], programme: LoudnessMeasurement
  ) {
    guard !album.isEmpty else { return nil }
    let found = album.map(\.found)
    let sums = album.map { $0.energies.sum(of: $0.found.certain) }
    let (sum, number) = sums.reduce((0.0, 0)) { ($0.0 + $1.energy, $0.1 + $1.number) }
    let loudness = sum > 0 ? PlainMaths.loudness(sum / Double(number)) : nil
    self.init(source: found.source, verdict: found.verdict, confidence: found.confidence)
    dialogueLoudness = loudness
    programmeLoudness = programme.integrated
    ldr = loudness.flatMap { loudness in programme.integrated.map { $0 - loudness } }
    loudnessRange = programme.range
    dialogueRange = DialogueLoudness.range(
      album.flatMap { $0.energies.mostly($0.found.certain, DialogueLoudness.mostly) })
    share = found.share
    speechSeconds = DialogueLoudness.seconds(found.reduce(0) { $0 + $1.speech.count })
    certainSeconds = found.certainSeconds
  }

  /// Blocks begin every 100 ms, because joined dialogue can be as short as two blocks.
  private static func range(_ joined: [Double]) -> Double? {
    guard joined.count >= rangeSteps else { return nil }
    return LoudnessGates(meanSquares: joined).range(every: 1)
  }

  private static func seconds(_ frames: Int) -> Double {
    Double(frames) / Double(FrameWindows.rate)
  }
}

extension [FoundDialogue] {
  /// Least part of a programme and frames (10 s) that make a verdict: below, one sentence would decide.
  private static var enoughShare: Double { 0.15 }
  private static var enoughFrames: Int { 10 * FrameWindows.rate }

  /// The signal that names all of them: the only one, or else one that may hide words among other sound, where there is any.
  package var source: DialogueSource {
    guard let first = first?.source else { return .mono }
    guard contains(where: { $0.source != first }) else { return first }
    return map(\.source).first { !$0.isOwn } ?? .centreAndMid
  }

  private var certain: Int { reduce(0) { $0 + $1.certain.count } }
  private var speech: Int { reduce(0) { $0 + $1.speech.count } }

  /// Seconds of certain speech of all of them.
  package var certainSeconds: Double { Double(certain) / Double(FrameWindows.rate) }

  /// Part of all of them that is certain speech, 0 to 1.
  package var share: Double { Double(certain) / Double(Swift.max(1, reduce(0) { $0 + $1.frames })) }

  /// Whether figures of the dialogue of all of them together can serve as a target.
  package var verdict: DialogueVerdict {
    if isEnough(certain) { return .dialogue }
    if isEnough(speech) { return .uncertainSpeech }
    return certain > 0 ? .notEnoughSpeech : .noSpeech
  }

  private func isEnough(_ count: Int) -> Bool {
    let frames = reduce(0) { $0 + $1.frames }
    return Double(count) / Double(Swift.max(1, frames)) >= Self.enoughShare
      && count >= Self.enoughFrames
  }

  /// How far such figures can be relied on.
  package var confidence: DialogueConfidence {
    let part = Double(certain) / Double(Swift.max(1, speech))
    let isOwn = allSatisfy(\.source.isOwn)
    if certain >= 3 * Self.enoughFrames && part >= 0.8 && isOwn { return .high }
    return certain >= Self.enoughFrames && part >= 0.5 ? .medium : .low
  }
}

extension FoundDialogue {
  /// The stretches of certain speech, in seconds.
  package var certainSpeech: [(begin: Double, end: Double)] {
    let rate = Double(FrameWindows.rate)
    return certain.ranges.map { (Double($0.lowerBound) / rate, Double($0.upperBound) / rate) }
  }

  /// Frames, to the nearest, in `samples` at `rate` Hz; below 0 for a time before.
  package static func frames(in samples: Int64, at rate: Int) -> Int {
    let doubled = 2 * Int64(FrameWindows.rate) * samples + Int64(rate)
    // Towards minus infinity, so that frames before are as long as those after.
    return Int((Double(doubled) / Double(2 * rate)).rounded(.down))
  }

  /// Part of the programme that is certain speech, 0 to 1.
  package var share: Double { Double(certain.count) / Double(max(1, frames)) }
}
