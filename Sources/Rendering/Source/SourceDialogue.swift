// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Dialogue
import Loudness
import Signal
import Spatial

/// A search for dialogue that pass 1 carries on.
package protocol DialogueSearch: AnyObject {
  /// Findings. Call once, after the last sample.
  /// - Throws: ``MediaError`` of kind `damaged` for samples that aren't finite.
  func finish() throws -> SourceDialogue.Found
}

/// Looks for dialogue in a programme while it passes by, in front of any endpoint, and measures its energies.
///
/// Objects are rendered to 7.1.4 for that, which has a centre. Not thread-safe; one owner at a time.
package final class SourceDialogue: DialogueSearch {
  /// Findings in a whole programme.
  package struct Found: Sendable {
    /// Passages and their speech.
    package private(set) var dialogue: FoundDialogue
    /// Energies of the source; `nil` where they weren't measured.
    package let energies: StepEnergies?
    /// Energies of the words' own signal; `nil` where they have none.
    package let own: StepEnergies?
    /// Loudness of the source; `nil` where it wasn't measured.
    package let programme: LoudnessMeasurement?
    /// Whether the file calls sound dialogue that is silent throughout, so that another signal was searched.
    package let isStatedSilent: Bool
    /// Loudness in LUFS that the file states of its dialogue.
    package let stated: Double?

    /// These findings with other passages.
    func with(_ dialogue: FoundDialogue) -> Found {
      var found = self
      found.dialogue = dialogue
      return found
    }

    /// Figures of a sound with these energies, which has the source's time.
    package func figures(_ energies: StepEnergies, _ programme: LoudnessMeasurement)
      -> DialogueLoudness
    {
      DialogueLoudness(
        dialogue, energies: energies, programme: programme, own: own, stated: stated)
    }

    /// Difference between stated and measured loudness of dialogue that is worth a remark, LU.
    private static let largestDifference = 2.0

    /// Reports statements of the file that don't fit what was found. Its figure is compared with the words' own signal.
    package func note(_ log: DiagnosticLog) {
      if isStatedSilent {
        log.degrade(
          .statedDialogue,
          "the sound that the file calls dialogue is silent, so speech was looked for in the rest")
      }
      guard [dialogue].verdict == .dialogue, let stated,
        let loudness = own?.loudness(of: dialogue.certain),
        (loudness - stated).magnitude > Found.largestDifference
      else { return }
      log.degrade(
        .statedDialogue,
        "the file states a dialogue level of \(Decibels.text(stated)) LUFS, and "
          + "\(Decibels.text(loudness)) LUFS was measured")
    }
  }

  /// Layout that objects are rendered to: it has a centre, and each of them lies near one of its loudspeakers.
  private static let layout = ChannelLayout(name: "7.1.4") ?? .stereo

  /// The meter of the sound that is levelled, where that isn't the one that is searched.
  package var levels: SourceDialogue?
  private let programme: Programme
  /// `nil` where energies alone are measured.
  private let finder: DialogueFinder?
  private let meter: LoudnessMeter?
  /// `nil` for a bed.
  private let renderer: Compensated<ProgrammeBlock>?
  private let rendered: AudioBuffer
  /// Whether speech is looked for in the planes themselves.
  private let hearsPlanes: Bool
  private let statedPlanes: [Int]
  /// Stated dialogue whose samples the renderer hasn't given yet.
  private let stated = AudioBuffer(channels: 1)
  private let plane = AudioBuffer(channels: 1)

  /// A search in `programme` if `isSearched`, which measures its energies if `isMetered`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a rate or channels that can't be measured.
  package init(
    _ programme: Programme, isMetered: Bool, isSearched: Bool = true, isDualMono: Bool = false
  ) throws {
    self.programme = programme
    statedPlanes = programme.facts.dialogue ?? []
    var mixes: [EvidenceMix]
    if let bed = programme.bedFormat {
      renderer = nil
      hearsPlanes = true
      mixes = EvidenceMix.mixes(for: bed.layout)
    } else {
      renderer = try Compensated(
        LoudspeakerRenderer(layout: SourceDialogue.layout), name: "the renderer", input: programme)
      mixes = EvidenceMix.mixes(for: SourceDialogue.layout)
      // W and X of a sound field alone (ACN 0 and 3) look forward together.
      if programme.elements.count == 1, case .scene(let order) = programme.elements[0], order > 0 {
        mixes = EvidenceMix.soundField(w: 0, x: 3)
        hearsPlanes = true
      } else {
        hearsPlanes = false
      }
    }
    let format = programme.bedFormat ?? renderer?.format
    rendered = AudioBuffer(channels: format?.channels ?? 1)
    meter =
      isMetered
      ? try format.map {
        try LoudnessMeter(format: $0, measuresTruePeak: false, dualMono: isDualMono)
      } : nil
    let stated = !statedPlanes.isEmpty
    finder =
      isSearched
      ? try DialogueFinder(sampleRate: programme.sampleRate, mixes: mixes, hasStated: stated) : nil
  }

  /// Takes the next block of the programme.
  /// - Throws: ``MediaError`` of kind `damaged` for samples that aren't finite.
  package func add(_ block: ProgrammeBlock) throws {
    addStated(block)
    if hearsPlanes { try hear(block.audio) }
    guard let renderer else {
      try meter?.add(block.audio)
      return
    }
    guard meter != nil || !hearsPlanes else { return }
    rendered.removeAll()
    try renderer.process(block, into: rendered)
    try take()
  }

  package func finish() throws -> Found {
    if let renderer, meter != nil || !hearsPlanes {
      rendered.removeAll()
      try renderer.finish(into: rendered)
      try take()
    }
    let rate = programme.sampleRate
    let findings = finder?.finish()
    let statistics = meter?.statistics()
    let levels = try levels?.finish()
    let none = FoundDialogue(SpeechFrames(), source: .mono)
    return Found(
      dialogue: findings?.dialogue ?? none,
      energies: levels?.energies
        ?? statistics.map { StepEnergies(meanSquares: $0.meanSquares, sampleRate: rate) },
      own: findings?.energies.map { StepEnergies(meanSquares: $0, sampleRate: rate) },
      programme: levels?.programme ?? statistics?.measurement,
      isStatedSilent: findings?.isStatedSilent ?? false, stated: programme.facts.dialnorm)
  }

  private func take() throws {
    try meter?.add(rendered)
    if !hearsPlanes { try hear(rendered) }
  }

  /// Sums up what the file calls dialogue.
  private func addStated(_ block: ProgrammeBlock) {
    guard finder != nil, !statedPlanes.isEmpty, block.frames > 0 else { return }
    let first = stated.frames
    stated.appendSilence(block.frames)
    plane.removeAll()
    plane.grow(by: block.frames)
    guard let sum = stated.channel(0).baseAddress, let part = plane.channel(0).baseAddress else {
      return
    }
    for index in statedPlanes {
      ObjectMeters.copy(index, of: block, to: part)
      for frame in 0..<block.frames { sum[first + frame] += part[frame] }
    }
  }

  private func hear(_ audio: AudioBuffer) throws {
    try finder?.add(audio, stated: stated.frames > 0 ? stated.channel(0).baseAddress : nil)
    stated.removeFirst(min(stated.frames, audio.frames))
  }
}
