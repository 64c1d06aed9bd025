// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Dialogue
import Loudness

/// Looks for dialogue in the items of a queue, each in the sound of its file, and puts it on the timeline of the queue's first
/// mix. Levelling of the whole works on the sum of that mix. Not thread-safe; one owner at a time.
final class QueueDialogue: DialogueSearch {
  private let mix: QueueMix
  /// Meter of the sum of all items; `nil` where it isn't levelled as a whole.
  private let meter: LoudnessMeter?
  /// Findings in the items, by index; their time begins with the item.
  private(set) var found: [Int: SourceDialogue.Found] = [:]

  /// A search in the items of `mix`, whose sum is measured where `isMetered` says so.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a rate or channels that can't be measured.
  init(_ mix: QueueMix, isMetered: Bool, isDualMono: Bool) throws {
    self.mix = mix
    meter =
      isMetered
      ? try LoudnessMeter(format: mix.format, measuresTruePeak: false, dualMono: isDualMono) : nil
  }

  /// Takes what was found in the item at `index`.
  func take(_ found: SourceDialogue.Found, item index: Int) { self.found[index] = found }

  /// Takes the next samples of the sum of mix `number`.
  func add(_ sum: AudioBuffer, of number: Int) throws {
    if number == 0 { try meter?.add(sum) }
  }

  func finish() -> SourceDialogue.Found {
    let statistics = meter?.statistics()
    let (rate, window) = (mix.format.sampleRate, mix.window)
    let parts = found.sorted { $0.key < $1.key }.map { index, found in
      let start = mix.placement.items[index].start - window.lowerBound
      return (found: found.dialogue, start: FoundDialogue.frames(in: start, at: rate))
    }
    return SourceDialogue.Found(
      dialogue: FoundDialogue(
        placing: parts, in: FoundDialogue.frames(in: Int64(window.count), at: rate)),
      energies: statistics.map { StepEnergies(meanSquares: $0.meanSquares, sampleRate: rate) },
      own: nil, programme: statistics?.measurement,
      isStatedSilent: found.values.contains(where: \.isStatedSilent), stated: nil)
  }
}

/// The dialogue of an item with a loudness of its own, and what is done for it before its level is solved.
struct ItemDialogue {
  /// Findings in the item.
  let found: SourceDialogue.Found
  /// The levelling that it gets by itself; `nil` for none.
  let levelling: LevelRequest?

  /// Whether its own dialogue can be brought to a target.
  var isEnough: Bool { [found.dialogue].verdict == .dialogue }

  /// Figures of its sound with these `statistics`, at `rate` Hz.
  func figures(_ statistics: LoudnessStatistics, _ rate: Int) -> DialogueLoudness {
    found.figures(energies(statistics, rate), statistics.measurement)
  }

  /// How often each 100 ms of that sound counts.
  func weights(_ statistics: LoudnessStatistics, _ rate: Int) -> [Int] {
    energies(statistics, rate).counts(of: found.dialogue.certain)
  }

  /// The levelling of that sound, which begins `lead` samples before the item in its spool, and the gain that it gives samples;
  /// `nil` where none is asked for.
  func level(
    _ statistics: LoudnessStatistics, _ rate: Int, lead: Int64
  ) -> (levelling: Levelling, gain: LevelGain)? {
    guard let levelling else { return nil }
    let energies = energies(statistics, rate)
    let solved = LevelSolver(
      LevelProgramme(found.dialogue, figures(statistics, rate), energies: energies),
      mode: levelling.mode, range: levelling.range
    ).solve()
    return (
      solved, LevelGain(gain: solved.gain, sampleRate: rate, source: energies, lead: lead)
    )
  }

  private func energies(_ statistics: LoudnessStatistics, _ rate: Int) -> StepEnergies {
    StepEnergies(meanSquares: statistics.meanSquares, sampleRate: rate)
  }
}
