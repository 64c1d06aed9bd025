// SPDX-License-Identifier: Apache-2.0
import AudioCore

extension LevelMode {
  /// The mode's limits.
  package var limits: LevelLimits {
    switch self {
    case .gentle: LevelLimits(range: 12, rise: 1.5, fall: 4, boost: 6, cut: 12, quiet: 15)
    case .night: LevelLimits(range: 8, rise: 4, fall: 8, boost: 9, cut: 18, quiet: 15)
    case .train: LevelLimits(range: 5, rise: 6, fall: 12, boost: 12, cut: 24, quiet: 25)
    }
  }
}

/// Limits of a curve of gains.
///
/// Falls are steeper than rises, because a loud sound is met in time, while a quick rise is heard as pumping.
package struct LevelLimits: Sendable, Equatable {
  /// Spread in LU to reach.
  package let range: Double
  /// Steepest rise in dB/s.
  package let rise: Double
  /// Steepest fall in dB/s, above zero.
  package let fall: Double
  /// Largest gain in dB.
  package let boost: Double
  /// Largest cut in dB, above zero.
  package let cut: Double
  /// Distance in LU under the anchor from which on all but dialogue is rest, which isn't raised.
  package let quiet: Double

  /// The largest curve of gains (dB, one for each 100 ms) that isn't above `gains` and keeps the slopes. The pass backwards is
  /// what begins a cut before the loud sound.
  package func held(_ gains: [Double]) -> [Double] {
    var held = gains
    for step in held.indices.dropFirst() {
      held[step] = min(held[step], held[step - 1] + rise * 0.1)
    }
    for step in held.indices.dropLast().reversed() {
      held[step] = min(held[step], held[step + 1] + fall * 0.1)
    }
    return held
  }
}

/// The 100 ms energies of a source, and what is known of its dialogue: all that its levelling depends on.
package struct LevelProgramme: Sendable, Equatable {
  /// A certain passage of dialogue.
  package struct Passage: Sendable, Equatable {
    /// Its steps of 100 ms.
    package let steps: Range<Int>
    /// Loudness of its speech in LUFS.
    package let loudness: Double

    /// A passage of these steps.
    package init(steps: Range<Int>, loudness: Double) {
      self.steps = steps
      self.loudness = loudness
    }
  }

  /// Weighted mean squares of whole steps of 100 ms.
  package let energies: [Double]
  /// Certain passages, in order.
  package let passages: [Passage]
  /// Frames of certain speech in each step, 0 to 5; none where nothing is known of dialogue.
  package let certain: [Int]
  /// Loudness in LUFS to level around; `nil` for silence.
  package let anchor: Double?
  /// Kind of ``anchor``.
  package let anchorOf: LoudnessAnchor

  /// A programme from its values.
  package init(
    energies: [Double], passages: [Passage] = [], certain: [Int] = [], anchor: Double?,
    anchorOf: LoudnessAnchor = .programme
  ) {
    self.energies = energies
    self.passages = passages
    self.certain = certain
    self.anchor = anchor
    self.anchorOf = anchorOf
  }

  /// The source whose energies these are, with the dialogue that was found in it and its figures.
  package init(_ found: FoundDialogue, _ figures: DialogueLoudness, energies: StepEnergies) {
    let isSpoken = figures.verdict == .dialogue
    let passages = found.passages.filter(\.isCertain).compactMap { passage -> Passage? in
      let first = energies.step(of: passage.frames.lowerBound)
      let last = energies.step(of: passage.frames.upperBound - 1)
      let steps = first..<min(energies.meanSquares.count, last + 1)
      guard !steps.isEmpty else { return nil }
      return energies.loudness(of: found.speech.clamped(to: energies.frames(of: steps)))
        .map { Passage(steps: steps, loudness: $0) }
    }
    self.init(
      energies: energies.meanSquares, passages: passages,
      certain: energies.counts(of: found.certain),
      anchor: isSpoken ? figures.dialogueLoudness : figures.programmeLoudness,
      anchorOf: isSpoken ? .dialogue : .programme)
  }
}
