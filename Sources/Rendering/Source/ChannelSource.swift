// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Spatial

/// The channels of a programme for those who only measure samples: a bed as it is, or whatever the programme
/// holds rendered to a layout.
package final class ChannelSource: AudioSource {
  /// The layout to which objects are rendered where none is asked for: 4+5+0 of ITU-R BS.2051, the one to
  /// which BS.1770-5 renders them.
  static let usual = ChannelLayout(name: "5.1.4") ?? .stereo

  /// Format of every block.
  package let format: AudioFormat

  private let source: any ProgrammeSource
  private let renderer: Compensated<ProgrammeBlock>?
  private let block: ProgrammeBlock
  private var isFinished = false

  /// The channels of a written programme in which its level is measured: a bed's own, or those of a rendering to `layout`.
  /// - Throws: as the initialiser for a layout.
  convenience init(_ source: any ProgrammeSource, levelsIn layout: ChannelLayout?) throws {
    let isBed = source.programme.bedFormat != nil
    try self.init(source, layout: isBed ? nil : layout, log: DiagnosticLog())
  }

  /// The channels of `source`, rendered to `layout` where that is given or objects need it.
  /// - Parameter log: for the layout that objects are rendered to.
  /// - Throws: ``MediaError`` for a layout to which the programme can't be rendered.
  package init(_ source: any ProgrammeSource, layout: ChannelLayout?, log: DiagnosticLog) throws {
    self.source = source
    let programme = source.programme
    block = ProgrammeBlock(programme)
    if let own = programme.bedFormat {
      guard let layout, layout != own.layout else {
        renderer = nil
        format = own
        return
      }
      log.decide(.layout, layout.name, why: "asked for by \(setting: .outputLayout)")
      // A bed that has nothing for some of the loudspeakers is rendered, as it is for outputs.
      let isLarger = LoudspeakerRenderer.gains(ofBed: own.layout, inLarger: layout) != nil
      let made: any Renderer =
        isLarger
        ? LoudspeakerRenderer(layout: layout)
        : BedRenderer(Downmixer(to: layout), name: "the downmix")
      renderer = try Compensated(made, name: "the renderer", input: programme)
      ChannelSource.noteLFE(programme, layout, log)
    } else {
      log.decide(
        .layout, (layout ?? ChannelSource.usual).name,
        why: layout == nil
          ? "objects are measured as ITU-R BS.1770-5 renders them"
          : "asked for by \(setting: .outputLayout)")
      renderer = try Compensated(
        LoudspeakerRenderer(layout: layout ?? ChannelSource.usual), name: "the renderer",
        input: programme)
      ChannelSource.noteLFE(programme, layout ?? ChannelSource.usual, log)
    }
    format = renderer?.format ?? AudioFormat(sampleRate: programme.sampleRate, layout: .stereo)
  }

  /// Reports that the measured layout has no place for the programme's LFE.
  private static func noteLFE(_ programme: Programme, _ layout: ChannelLayout, _ log: DiagnosticLog)
  {
    guard programme.hasLFE, !layout.speakers.contains(where: \.isLFE) else { return }
    log.degrade(.lfeDropped, "\(layout.name) has no LFE, so that of the programme isn't measured")
  }

  /// Appends the next samples to `buffer`; `false` when nothing is left.
  /// - Throws: what the source throws.
  package func read(into buffer: AudioBuffer) throws -> Bool {
    guard let renderer else {
      // A bed has no objects whose states a new block could forget.
      return try source.read(into: ProgrammeBlock(source.programme, audio: buffer))
    }
    guard !isFinished else { return false }
    block.removeAll()
    if try source.read(into: block) {
      try renderer.process(block, into: buffer)
      return true
    }
    try renderer.process(block, into: buffer)
    isFinished = true
    try renderer.finish(into: buffer)
    return false
  }
}

/// A source whose failure ends it instead of throwing.
package final class GuardedSource: ProgrammeSource {
  private let source: any ProgrammeSource
  /// Why it ended early.
  package private(set) var failure: MediaError?

  package init(_ source: any ProgrammeSource) { self.source = source }

  package var programme: Programme { source.programme }

  package func read(into block: ProgrammeBlock) throws -> Bool {
    let before = block.frames
    do { return try source.read(into: block) } catch {
      block.truncate(to: before)
      failure = MediaError(any: error, input: "TEST")
      return false
    }
  }
}
