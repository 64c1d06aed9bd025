import AudioCore

/// Where the loudspeakers of a layout of ITU-R BS.2051 lie among the channels of a programme.
///
/// A channel layout is rendered as the layout of ITU-R BS.2051 whose loudspeakers stand where its channels
/// do. One without LFE is rendered as with it, and the LFE's signal is dropped, as the standard drops it for
/// 0+2+0. Mono (0+1+0) isn't known to the standard: it is rendered as 0+5+0, and its only loudspeaker plays
/// the power sum of all gains but the LFE's.
struct LoudspeakerOutput: Sendable {
  /// The layout in which gains are calculated.
  let layout: LoudspeakerLayout
  /// For each channel the number of its loudspeaker; empty for mono.
  let order: [Int]
  /// Whether all gains come together in one channel.
  var isMono: Bool { order.isEmpty }
  /// Number of channels.
  var channels: Int { max(1, order.count) }

  /// The output for the channels of `layout`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a layout that ITU-R BS.2051 doesn't have; the
  ///   message lists those that can be had.
  init(_ channels: ChannelLayout) throws {
    guard let output = LoudspeakerOutput(fitting: channels) else {
      throw MediaError(
        .unsupportedFeature,
        "the loudspeaker renderer can't place objects in the layout \(channels); choose one of "
          + LoudspeakerOutput.names.joined(separator: ", "))
    }
    self = output
  }

  /// The output for `channels`; `nil` where no layout fits.
  private init?(fitting channels: ChannelLayout) {
    if channels == .mono, let surround = LoudspeakerLayout.named("0+5+0") {
      (layout, order) = (surround, [])
      return
    }
    for layout in LoudspeakerLayout.all {
      if let order = LoudspeakerOutput.order(of: channels, in: layout) {
        (self.layout, self.order) = (layout, order)
        return
      }
    }
    return nil
  }

  /// Names of the layouts that can be rendered to, of those that have a name.
  static let names = ChannelLayout.knownNames.filter { name in
    ChannelLayout(name: name).flatMap { LoudspeakerOutput(fitting: $0) } != nil
  }

  /// Name in ITU-R BS.2051 of each channel of any layout: by the label of its direction, LFE by number.
  static func labels(of channels: ChannelLayout) -> [String] {
    channels.speakers.indices.map { index in
      switch channels.speakers[index] {
      case .lowFrequency: return "LFE1"
      case .lowFrequency2: return "LFE2"
      default: return channels.direction(at: index).label
      }
    }
  }

  /// The common pack of a layout's channels (ITU-R BS.2094-1); `nil` where there is none.
  static func pack(of channels: ChannelLayout) -> String? {
    if channels == .mono { return "AP_00010001" }
    return LoudspeakerLayout.all.first { order(of: channels, in: $0) != nil }
      .flatMap { SpeakerRules.shared.packs(of: $0.name).first }
  }

  /// Numbers of the loudspeakers that play the channels; `nil` when a channel has none or a loudspeaker
  /// other than an LFE has no channel.
  private static func order(of channels: ChannelLayout, in layout: LoudspeakerLayout) -> [Int]? {
    guard !channels.speakers.contains(where: { $0 == .downmixLeft || $0 == .downmixRight }) else {
      return nil
    }
    let order = labels(of: channels).compactMap { label in
      layout.speakers.firstIndex { $0.name == label }
    }
    let lfe = order.filter { layout.speakers[$0].isLFE }.count
    let isWhole = order.count - lfe == layout.mains.count
    guard order.count == channels.count, Set(order).count == order.count, isWhole else {
      return nil
    }
    return lfe == 0 || lfe == layout.speakers.count - layout.mains.count ? order : nil
  }
}
