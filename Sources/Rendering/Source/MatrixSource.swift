// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal
import Spatial

/// Mixes the channels of a bed by gains of the user's own, before anything else is done with them. No normalising: the gains are
/// those that are written.
final class MatrixSource: PassingSource {
  let programme: Programme
  let source: any ProgrammeSource
  let own: ProgrammeBlock
  private let mixer: ChannelMixer

  /// `source` mixed by `matrix`.
  /// - Throws: ``MediaError`` of kind `usage` for channels that aren't there, of kind `unsupportedFeature` for objects.
  init(_ source: any ProgrammeSource, _ matrix: ChannelMatrix, log: DiagnosticLog) throws {
    self.source = source
    let format = try source.programme.bedFormat(for: "\(setting: .downmix) with a matrix")
    let (layout, gains) = try matrix.gains(from: format.layout)
    mixer = ChannelMixer(gains)
    var facts = source.programme.facts
    // Statements on the layout before don't hold any more.
    (facts.downmix, facts.loudness, facts.dialogue, facts.isMixedByFile) = (nil, nil, nil, true)
    facts.dialnorm = nil
    programme = Programme(
      AudioFormat(sampleRate: format.sampleRate, layout: layout), facts: facts)
    own = ProgrammeBlock(source.programme)
    log.decide(.matrix, layout.name, why: "asked for by \(setting: .downmix): \(matrix.text)")
    MatrixSource.noteLost(format.layout, gains, log)
  }

  func pass(into block: ProgrammeBlock) { mixer.mix(own.audio, into: block.audio) }

  /// Reports channels that are in no row.
  private static func noteLost(
    _ layout: ChannelLayout, _ gains: [[Double]], _ log: DiagnosticLog
  ) {
    let lost = layout.speakers.indices.filter { input in gains.allSatisfy { $0[input] == 0 } }
    let names = lost.filter { !layout.speakers[$0].isLFE }.map { layout.speakers[$0].name }
    if lost.count > names.count {
      log.degrade(.lfeDropped, "no row of the matrix has the LFE, so it isn't heard")
    }
    guard !names.isEmpty else { return }
    log.decide(
      .matrix, "without \(names.joined(separator: ", "))",
      why: "no row of the matrix has \(names.count == 1 ? "it" : "them")")
  }
}
