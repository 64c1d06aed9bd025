import AudioCore

/// The channels and packs of the common definitions that the loudspeakers of a layout have.
enum CommonBed {
  /// Common channels by the name of their loudspeaker, e.g. `M+030`; the lowest identifier of each.
  private static let channels: [String: ElementID] = {
    var channels: [String: ElementID] = [:]
    for (id, channel) in CommonDefinitions.channels where channel.kind == .directSpeakers {
      for label in channel.details.flatMap(\.speaker.labels) {
        let name = label.split(separator: ":").last.map(String.init) ?? label
        channels[name] = channels[name].map { min($0, id) } ?? id
      }
    }
    return channels
  }()

  /// The common channel of each loudspeaker; `nil` where there is none. No two are equal.
  static func channels(of layout: ChannelLayout) -> [ElementID?] {
    var taken: Set<ElementID> = []
    return layout.speakers.indices.map { index in
      guard let id = channels[label(index, of: layout)], taken.insert(id).inserted else {
        return nil
      }
      return id
    }
  }

  /// The common pack that holds exactly these channels, in any order; `nil` when there is none.
  static func pack(of channels: [ElementID]) -> ElementID? {
    let wanted = Set(channels)
    return CommonDefinitions.packs.values
      .filter { $0.kind == .directSpeakers && $0.packs.isEmpty && Set($0.channels) == wanted }
      .map(\.id).min()
  }

  /// The name of a loudspeaker by ITU-R BS.2051: its layer and azimuth, or that of its LFE channel.
  private static func label(_ index: Int, of layout: ChannelLayout) -> String {
    let speaker = layout.speakers[index]
    if speaker.isLFE {
      let both: Set<Speaker> = [.lowFrequency, .lowFrequency2]
      guard both.isSubset(of: layout.speakers) else { return "LFE" }
      return speaker == .lowFrequency ? "LFEL" : "LFER"
    }
    let direction = layout.direction(at: index)
    let layer =
      switch direction.elevation {
      case ..<0: "B"
      case 0: "M"
      case ..<90: "U"
      default: "T"
      }
    let digits = String(Int(direction.azimuth.magnitude))
    return layer + (direction.azimuth < 0 ? "-" : "+")
      + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
