import AudioCore

/// Works out how loud each channel of an output plays the planes of a programme (ITU-R BS.2127-1).
///
/// Beds are rendered as channels of the common pack of their layout, or by the names of their directions
/// where there is none.
final class OutputGains {
  private let output: LoudspeakerOutput
  private let objects: ObjectGains
  private let speakers: SpeakerChannelGains

  /// Gains for the channels of `layout`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a layout that can't be had.
  init(_ layout: ChannelLayout) throws {
    output = try LoudspeakerOutput(layout)
    objects = ObjectGains(output.layout)
    speakers = SpeakerChannelGains(output.layout)
  }

  /// Number of channels.
  var channels: Int { output.channels }

  /// Number of the decorrelation filter of each channel; `nil` for LFE. Mono has the filter of a layout of
  /// one name.
  var filters: [Int?] {
    guard !output.isMono else { return [0] }
    return output.order.map { index in
      let speaker = output.layout.speakers[index]
      return speaker.isLFE ? nil : speaker.filter
    }
  }

  /// Gains of an object in `state`, by its role.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for the signal of an ear, unless the output is
  ///   stereo.
  func gains(of state: ObjectState) throws -> SpeakerGains {
    switch state.rules.role {
    case .source: return channels(of: objects.gains(of: state))
    case .speaker(let channel):
      let gains = speakers.gains(of: channel, at: state.position)
      return channels(of: gains.map { state.gain.isFinite ? $0 * state.gain : 0 })
    case .ear(let ear):
      guard output.layout.name == "0+2+0" else {
        throw MediaError(
          .unsupportedFeature,
          "the programme holds channels made for headphones, which can't be played by "
            + (output.isMono ? "one loudspeaker" : "\(channels) loudspeakers")
            + "; render it to stereo or for headphones")
      }
      let name = ear == .left ? "M+030" : "M-030"
      return channels(of: output.layout.speakers.map { $0.name == name ? state.gain : 0 })
    }
  }

  /// Gains of each channel of a bed.
  func gains(ofBed layout: ChannelLayout) -> [SpeakerGains] {
    let pack = LoudspeakerOutput.pack(of: layout)
    return LoudspeakerOutput.labels(of: layout).enumerated().map { index, label in
      let channel = SpeakerChannel(
        labels: [label], pack: pack, isLFE: layout.speakers[index].isLFE)
      let position = ObjectPosition.polar(layout.direction(at: index), distance: 1)
      return channels(of: speakers.gains(of: channel, at: position))
    }
  }

  /// Gains of each component of a sound field. Mono gets the component that is the same from everywhere.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for an order that is too high.
  func gains(ofScene order: Int) throws -> [SpeakerGains] {
    let rows = try SceneDecoder(order: order, layout: output.layout).gains
    let mains = output.layout.mains
    return (0..<(order + 1) * (order + 1)).map { component in
      guard !output.isMono else { return SpeakerGains(direct: [component == 0 ? 1 : 0]) }
      var gains = [Double](repeating: 0, count: output.layout.speakers.count)
      for (main, index) in mains.enumerated() { gains[index] = rows[main][component] }
      return channels(of: gains)
    }
  }

  private func channels(of direct: [Double]) -> SpeakerGains {
    SpeakerGains(direct: channels(of: direct))
  }

  private func channels(of gains: SpeakerGains) -> SpeakerGains {
    SpeakerGains(direct: channels(of: gains.direct), diffuse: channels(of: gains.diffuse))
  }

  private func channels(of gains: [Double]) -> [Double] {
    guard output.isMono else { return output.order.map { gains[$0] } }
    return [GainVector.norm(output.layout.mains.map { gains[$0] })]
  }
}
