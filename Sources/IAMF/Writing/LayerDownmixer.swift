import AudioCore

/// Mixes a bed down to a layout that its layers could have below it, with the factors of the element (annex
/// A2.2). ``ChannelReconstructor`` undoes it.
package final class LayerDownmixer {
  private let mixer: ChannelMixer

  /// A downmixer from one layout to another.
  /// - Throws: ``IAMFError/unsupported(_:)`` where ``reaches(_:from:)`` says that there is no way.
  package init(from: LoudspeakerLayout, to: LoudspeakerLayout) throws(IAMFError) {
    guard LayerDownmixer.reaches(to, from: from) else {
      throw .unsupported("a downmix that the rules of layers don't allow")
    }
    mixer = try ChannelMixer(
      to.channels.compactMap { CodedChannel.version(of: $0, in: to) }, from: from)
  }

  /// Whether `to` can stand below `from` in layers, or is the same layout. Tops get lost on the way to layouts
  /// without any; players needn't follow the element's factors there (3.6.2).
  package static func reaches(_ to: LoudspeakerLayout, from: LoudspeakerLayout) -> Bool {
    guard to.isScalable, from.isScalable else { return false }
    return to == from || from.grows(from: to)
  }

  /// Planes that it makes.
  package var channelCount: Int { mixer.count }

  /// Appends the downmix of the samples `range` of `source` to `output`.
  /// - Parameters:
  ///   - source: planes in the order of IAMF.
  ///   - values: factors, which may change from call to call.
  ///   - output: ``channelCount`` planes or more, in the order of IAMF.
  package func mix(
    _ source: AudioBuffer, range: Range<Int>, _ values: DemixingValues, into output: AudioBuffer
  ) {
    mixer.mix(source, range, values, into: output)
  }
}
