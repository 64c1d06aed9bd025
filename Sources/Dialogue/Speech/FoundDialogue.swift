// SPDX-License-Identifier: Apache-2.0
import AudioCore

extension DialogueSource {
  /// Whether the signal has the words apart from most of the rest: loud scenes can hide words in the others.
  var isOwn: Bool { self == .stated || self == .centre || self == .centreAndMid }
}

/// Passages of a programme in which people speak. Found once in the source, they count for all outputs, which have its time.
package struct FoundDialogue: Sendable, Equatable {
  /// A stretch in which people speak.
  package struct Passage: Sendable, Equatable {
    /// Its frames.
    package let frames: Range<Int>
    /// Whether its frames count for the loudness of dialogue: some of it is very much like speech, and it has 0.8 s of it.
    package let isCertain: Bool
  }

  /// Score that a certain passage reaches somewhere, and frames of speech that it has. Solo instruments seldom get so high.
  private static let certainScore = 0.20
  private static let leastSpeech = 40
  /// The centre is empty where the front pair has more than this many times its power, 20 dB: crosstalk and room lie higher.
  private static let emptyPower = 100.0
  /// Frames of speech (1 s) in the front pair from which on it is named as a source.
  private static let other = 50

  /// The signal that the speech is in.
  package let source: DialogueSource
  /// Frames of the programme.
  package let frames: Int
  /// Passages that have frames of speech.
  package let passages: [Passage]
  /// Frames of speech.
  package let speech: FrameRuns
  /// Frames of speech in certain passages.
  package let certain: FrameRuns

  /// Speech in one signal.
  package init(_ frames: SpeechFrames, source: DialogueSource) {
    let found = SpeechDetector(frames)
    self.init(
      source: source, frames: frames.count, passages: found.passages, speech: found.speech
    ) { frames.scores[$0] }
  }

  /// Speech in the centre channel, and in the middle of the front pair where the centre is empty. Both have as many frames.
  package init(centre: SpeechFrames, mid: SpeechFrames) {
    let count = centre.count
    let (inCentre, inMid) = (SpeechDetector(centre), SpeechDetector(mid))
    let empty = FoundDialogue.emptyFrames(centre, mid)
    let full = empty.complement(below: count)
    let heard = inMid.speech.intersection(empty)
    let spoken = inCentre.speech.intersection(full)
    var source = DialogueSource.centre
    if heard.count > FoundDialogue.other { source = spoken.count > 0 ? .centreAndMid : .mid }
    let passages = inMid.passages.intersection(empty)
      .joined(inCentre.passages.intersection(full))
    var isEmpty = [Bool](repeating: false, count: count)
    for range in empty.ranges {
      for frame in range { isEmpty[frame] = true }
    }
    self.init(
      source: source, frames: count, passages: passages, speech: heard.joined(spoken)
    ) { isEmpty[$0] ? mid.scores[$0] : centre.scores[$0] }
  }

  /// The dialogue of several sounds on one timeline of `count` frames, on which each begins at its own frame. Passages of sounds
  /// that overlap may overlap, too.
  package init(placing parts: [(found: FoundDialogue, start: Int)], in count: Int) {
    let placed = parts.map { $0.found.part(-$0.start..<count - $0.start) }
    source = placed.source
    frames = count
    passages = placed.flatMap(\.passages).sorted { $0.frames.lowerBound < $1.frames.lowerBound }
    speech = placed.reduce(FrameRuns()) { $0.joined($1.speech) }
    certain = placed.reduce(FrameRuns()) { $0.joined($1.certain) }
  }

  private init(
    source: DialogueSource, frames: Int, passages: [Passage], speech: FrameRuns, certain: FrameRuns
  ) {
    self.source = source
    self.frames = frames
    self.passages = passages
    self.speech = speech
    self.certain = certain
  }

  /// The dialogue in `range`, whose first frame becomes number 0; the range may begin before the sound and end after it.
  package func part(_ range: Range<Int>) -> FoundDialogue {
    func moved(_ runs: FrameRuns) -> FrameRuns {
      var moved = FrameRuns()
      moved.append(runs.clamped(to: range), movedBy: -range.lowerBound)
      return moved
    }
    let passages = passages.compactMap { passage -> Passage? in
      let frames = passage.frames.clamped(to: range)
      guard !frames.isEmpty else { return nil }
      return Passage(
        frames: frames.lowerBound - range.lowerBound..<frames.upperBound - range.lowerBound,
        isCertain: passage.isCertain)
    }
    return FoundDialogue(
      source: source, frames: range.count, passages: passages, speech: moved(speech),
      certain: moved(certain))
  }

  private init(
    source: DialogueSource, frames: Int, passages: FrameRuns, speech: FrameRuns,
    score: (Int) -> Double
  ) {
    self.source = source
    self.frames = frames
    self.speech = speech
    var certain = FrameRuns()
    var kept: [Passage] = []
    for range in passages.ranges {
      let words = speech.clamped(to: range)
      guard words.count > 0 else { continue }
      let isCertain =
        words.count >= FoundDialogue.leastSpeech
        && range.contains { score($0) >= FoundDialogue.certainScore }
      kept.append(Passage(frames: range, isCertain: isCertain))
      if isCertain { certain.append(words, movedBy: 0) }
    }
    self.passages = kept
    self.certain = certain
  }

  /// Frames around which, within half a second on each side, the centre says nothing.
  private static func emptyFrames(_ centre: SpeechFrames, _ mid: SpeechFrames) -> FrameRuns {
    let half = SpeechFeatures.reach
    var empty = FrameRuns()
    for start in stride(from: 0, to: centre.count, by: SpeechDetector.chunk) {
      let places = start..<min(centre.count, start + SpeechDetector.chunk)
      let one = WindowSums.means(centre.powers, before: half, after: half, at: places)
      let other = WindowSums.means(mid.powers, before: half, after: half, at: places)
      let runs = FrameRuns(below: places.count) { other[$0] > one[$0] * emptyPower }
      empty.append(runs, movedBy: start)
    }
    return empty
  }
}
