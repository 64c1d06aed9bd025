// SPDX-License-Identifier: Apache-2.0
import AudioCore
import IAMF

/// The elements of a mix for a renderer.
struct IAMFScene {
  /// An element of the mix.
  struct Part {
    /// Elements of the programme that hold it; each channel is an object where no layout of ours has its place.
    let elements: [Programme.Element]
    /// For each plane, the channel of the reconstructed element that it holds.
    let channels: [Int]
    /// Whether it is a bed that headphones get without HRTF.
    var isPlainOnHeadphones = false
    /// Whether it is a bed of the signals for a listener's ears.
    var isForEars = false
  }

  /// Nominal directions of channels that belong to a layout with seven channels in the plane (ITU-R BS.2051),
  /// azimuth and elevation in degrees.
  private static let places: [ElementChannel: (Double, Double)] = [
    .l: (30, 0), .r: (-30, 0), .c: (0, 0), .fc: (0, 0), .flc: (30, 0), .frc: (-30, 0),
    .fl: (60, 0), .fr: (-60, 0), .ls: (110, 0), .rs: (-110, 0), .lss: (90, 0), .rss: (-90, 0),
    .sil: (90, 0), .sir: (-90, 0), .lrs: (135, 0), .rrs: (-135, 0), .bl: (135, 0),
    .br: (-135, 0), .bc: (180, 0), .ltf: (45, 30), .rtf: (-45, 30), .ltb: (135, 30),
    .rtb: (-135, 30), .ltr: (110, 30), .rtr: (-110, 30), .tpfl: (45, 30), .tpfr: (-45, 30),
    .tpfc: (0, 30), .tpsil: (90, 30), .tpsir: (-90, 30), .tpbl: (135, 30), .tpbr: (-135, 30),
    .tpbc: (180, 30), .tpc: (0, 90), .btfl: (45, -30), .btfr: (-45, -30), .btfc: (0, -30),
    .btbl: (135, -30), .btbr: (-135, -30),
  ]

  /// Layouts that an element's channels may make as a bed.
  private static let beds: Set<String> = [
    "mono", "stereo", "5.1(side)", "5.1.2", "5.1.4", "7.1", "7.1.2", "7.1.4", "9.1.6", "3.1.2",
  ]

  /// Greatest order of a sound field that is rendered; higher ones are cut.
  static let mostOrder = 4

  /// The part of the scene that an element becomes.
  /// - Parameters:
  ///   - output: what its reconstructor makes.
  ///   - isBinaural: whether its channels are meant for the ears.
  ///   - mode: what headphones get of its channels.
  ///   - isOnly: whether the mix has no other element.
  static func part(
    _ output: ElementReconstructor.Output, isBinaural: Bool,
    _ mode: RenderingConfig.HeadphonesMode, isOnly: Bool
  ) -> Part {
    switch output {
    case .scene(let count):
      let order = min(IAMFScene.order(count), mostOrder)
      return Part(
        elements: [.scene(order: order)], channels: Array(0..<(order + 1) * (order + 1)))
    case .channels(let channels):
      if !isBinaural, mode != .stereo, let bed = bed(channels) { return bed }
      // Beside other elements, two channels are objects, because only these may differ in their headphone mode.
      if isOnly, channels == [.l, .r], var bed = bed(channels) {
        (bed.isPlainOnHeadphones, bed.isForEars) = (!isBinaural, isBinaural)
        return bed
      }
      return Part(
        elements: channels.map { object($0, isBinaural: isBinaural, mode) },
        channels: Array(channels.indices))
    }
  }

  /// The order of a sound field of `count` channels.
  static func order(_ count: Int) -> Int {
    var order = 0
    while (order + 1) * (order + 1) < count { order += 1 }
    return order
  }

  /// Whether a layer's layout has the loudspeakers of ours; 5.1 may have its surrounds under either name.
  static func isLayout(_ layout: LoudspeakerLayout, _ own: ChannelLayout) -> Bool {
    guard layout.isScalable, case .bed(let found)? = bed(layout.channels)?.elements.first else {
      return false
    }
    return found == own || (layout == .surround51 && own.name == "5.1")
  }

  /// The channels as a bed; `nil` where no layout of ours has their places.
  private static func bed(_ channels: [ElementChannel]) -> Part? {
    let own = channels.compactMap(\.speaker)
    let layout = ChannelLayout(own)
    guard own.count == channels.count, layout.count == channels.count, beds.contains(layout.name)
    else { return nil }
    return Part(
      elements: [.bed(layout)],
      channels: layout.speakers.compactMap { own.firstIndex(of: $0) })
  }

  /// A channel by itself.
  private static func object(
    _ channel: ElementChannel, isBinaural: Bool, _ mode: RenderingConfig.HeadphonesMode
  ) -> Programme.Element {
    var rules = ObjectRules()
    let place = places[channel] ?? (0, 0)
    if isBinaural {
      rules.role = .ear(channel == .r ? .right : .left)
    } else {
      let isLFE = [.lfe, .lfe1, .lfe2].contains(channel)
      rules.role = .speaker(SpeakerChannel(labels: [], isLFE: isLFE))
      // "As on two loudspeakers": panned to the ears, without HRTF.
      if mode == .stereo { rules.headphones = .off }
    }
    let direction = Direction(azimuth: place.0, elevation: place.1)
    return .object(
      name: channel.rawValue,
      start: ObjectState(position: .polar(direction, distance: 1), rules: rules))
  }
}
