import AudioCore

/// Renders beds, objects and sound fields to loudspeakers by ITU-R BS.2127-1.
///
/// An object's gains, not its position, go linearly from those of a motion's origin to those of its target.
/// Channels made for loudspeakers jump. The diffuse part of objects is decorrelated, which delays everything by
/// 255 samples; a programme without objects isn't delayed.
package final class LoudspeakerRenderer: Renderer {
  /// The most planes that are taken.
  package static let mostPlanes = 1024

  private let layout: ChannelLayout
  private var mixer: ProgrammeMixer?

  /// A renderer for the channels of `layout`.
  package init(layout: ChannelLayout) { self.layout = layout }

  /// 255 samples for a programme with objects, else 0.
  package var latency: Int { mixer?.canBeDiffuse == true ? DecorrelationBus.latency : 0 }

  /// 256 samples for a programme with objects, else 0.
  package var tail: Int { mixer?.canBeDiffuse == true ? DecorrelationBus.tail : 0 }

  /// Works out the gains of all planes.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a layout that ITU-R BS.2051 doesn't have, more
  ///   than 1,024 planes, sound fields above order 7, and channels made for headphones when the layout isn't
  ///   stereo.
  package func prepare(_ programme: Programme) throws -> AudioFormat {
    guard programme.planes <= LoudspeakerRenderer.mostPlanes else {
      throw MediaError(
        .unsupportedFeature,
        "the programme holds \(programme.planes) channels and objects, but the loudspeaker renderer "
          + "takes at most \(LoudspeakerRenderer.mostPlanes); leave some out")
    }
    mixer = try ProgrammeMixer(programme, OutputGains(layout))
    return AudioFormat(sampleRate: programme.sampleRate, layout: layout)
  }

  /// Mixes a block.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for an update that makes an object a channel for
  ///   headphones when the layout isn't stereo.
  package func process(_ block: ProgrammeBlock, into output: AudioBuffer) throws {
    guard let mixer else {
      throw MediaError(.internal, "the loudspeaker renderer was used before it was prepared")
    }
    try mixer.process(block, into: output)
  }

  /// Appends what the filters hold.
  package func finish(into output: AudioBuffer) throws { mixer?.finish(into: output) }

  /// Gains (output × input) by which a bed of `source` is rendered to `layout` where no downmix leads there, since
  /// nothing in it belongs to some of the loudspeakers; `nil` where a downmix does, or where ITU-R BS.2051 doesn't have
  /// the layout.
  package static func gains(ofBed source: ChannelLayout, inLarger layout: ChannelLayout)
    -> [[Double]]?
  {
    guard (try? DownmixMatrix(from: source, to: layout)) == nil,
      let rows = (try? OutputGains(layout))?.gains(ofBed: source)
    else { return nil }
    return layout.speakers.indices.map { channel in rows.map { $0.direct[channel] } }
  }
}
