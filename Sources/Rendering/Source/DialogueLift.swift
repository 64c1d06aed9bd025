// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Dialogue
import Loudness
import Report
import Signal

/// Raises or lowers the planes of a programme that hold its dialogue: those that the file calls so, else the centre channel.
/// Used before anything is measured or rendered.
final class DialogueLift: PassingSource {
  let source: any ProgrammeSource
  private let planes: [Int]
  private let factor: Float
  let own: ProgrammeBlock
  private let gain: Double
  private let isStated: Bool
  /// Meters of a bed, and of the changed planes by themselves, before the change; `nil` for objects.
  private let meters: (whole: LoudnessMeter, dialogue: LoudnessMeter)?
  private let mixed: AudioBuffer
  let programme: Programme

  /// `source` with its dialogue changed by `gain` dB.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a programme whose dialogue has no channel of its own.
  init(_ source: any ProgrammeSource, gain: Double, log: DiagnosticLog) throws {
    self.source = source
    let (planes, name) = try DialogueLift.planes(of: source.programme)
    (self.planes, self.gain) = (planes, gain)
    isStated = source.programme.facts.dialogue != nil
    var changed = source.programme
    // Statements on the sound before don't hold any more.
    (changed.facts.dialnorm, changed.facts.loudness) = (nil, nil)
    programme = changed
    meters = try source.programme.bedFormat.map { format in
      (
        try LoudnessMeter(format: format, measuresTruePeak: false),
        try LoudnessMeter(format: format, measuresTruePeak: false)
      )
    }
    mixed = AudioBuffer(channels: source.programme.planes)
    factor = Float(Decibels.amplitude(gain))
    own = ProgrammeBlock(source.programme)
    log.decide(
      .dialogEnhancement, "\(Decibels.signedText(gain)) dB",
      why: "asked for by \(setting: .dialogueLift); it changes \(name)")
  }

  func pass(into block: ProgrammeBlock) throws {
    try measure()
    for plane in planes {
      let samples = own.audio.channel(plane)
      for index in samples.indices { samples[index] *= factor }
    }
    block.append(own)
  }

  /// The change as reports have it, with the dialogue that was found after it. Call once, after the last block.
  func report(_ found: SourceDialogue.Found?) -> RenderReport.DialogueGain {
    var report = RenderReport.DialogueGain(gainDB: gain, of: isStated ? .stated : .centre)
    guard let meters else { return report }
    let (whole, part) = (meters.whole.statistics(), meters.dialogue.statistics())
    let sum = whole.meanSquares.reduce(0, +)
    report.share = sum > 0 ? part.meanSquares.reduce(0, +) / sum : nil
    let energies = StepEnergies(
      meanSquares: whole.meanSquares, sampleRate: programme.sampleRate)
    let before = found?.figures(energies, whole.measurement)
    (report.dialogueBefore, report.ldrBefore) = (before?.dialogueLoudness, before?.ldr)
    return report
  }

  /// Reports words that lie elsewhere than in what was changed.
  func note(_ found: SourceDialogue.Found, _ log: DiagnosticLog) {
    guard !isStated, found.dialogue.source == .mid, found.dialogue.speech.count > 0 else { return }
    log.degrade(
      .dialogueElsewhere,
      "the centre channel was changed, but the words lie in the front left and right")
  }

  private func measure() throws {
    guard let meters else { return }
    try meters.whole.add(own.audio)
    mixed.removeAll()
    mixed.appendSilence(own.frames)
    for plane in planes {
      guard let from = own.audio.channel(plane).baseAddress else { continue }
      mixed.channel(plane).baseAddress?.update(from: from, count: own.frames)
    }
    try meters.dialogue.add(mixed)
  }

  /// The planes to change, and their name in words.
  private static func planes(of programme: Programme) throws -> ([Int], String) {
    if let stated = programme.facts.dialogue {
      let planes = stated.filter { !programme.lfePlanes.contains($0) }
      let others = (0..<programme.planes).filter { !(stated + programme.lfePlanes).contains($0) }
      guard !planes.isEmpty, !others.isEmpty else {
        throw MediaError(
          .unsupportedFeature,
          "\(setting: .dialogueLift): the file calls all of its sound dialogue, so everything would be raised with it; leave it out"
        )
      }
      return (planes, planes.count.counted("plane", "planes") + " that the file calls dialogue")
    }
    guard let layout = programme.bedFormat?.layout else {
      throw MediaError(
        .unsupportedFeature,
        "\(setting: .dialogueLift): the file calls none of \(programme.contents) dialogue; use \(setting: .objectChanges) for an object of it"
      )
    }
    guard let centre = layout.speakers.firstIndex(of: .frontCenter), layout.count > 1 else {
      throw MediaError(
        .unsupportedFeature,
        "\(setting: .dialogueLift): dialogue has no channel of its own: the source is \(layout), so everything would be raised "
          + "with it; \(setting: .levelling) works on any layout")
    }
    return ([centre], "the centre channel, with all other sound in it")
  }
}
