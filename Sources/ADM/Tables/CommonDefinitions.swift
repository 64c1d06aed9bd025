// SPDX-License-Identifier: Apache-2.0

/// The packs and channels that every reader knows (ITU-R BS.2094-1).
package enum CommonDefinitions {
  /// A row of the table of packs.
  struct PackRow {
    let id: String
    let name: String
    let channels: [String]
    let packs: [String]

    init(_ id: String, _ name: String, _ channels: [String], _ packs: [String]) {
      self.id = id
      self.name = name
      self.channels = channels
      self.packs = packs
    }
  }

  /// A row of the table of channels: position in degrees, low pass in Hz, or a component of a sound field.
  struct ChannelRow {
    let id: String
    let name: String
    let labels: [String]
    let position: Position?
    let lowPass: Double?
    let scene: SceneDetails?
    let edge: ScreenEdge.Horizontal?

    init(
      _ id: String, _ name: String, _ labels: [String], _ azimuth: Double?, _ elevation: Double?,
      _ distance: Double?, _ lowPass: Double?, _ order: Int?, _ degree: Int?,
      _ normalization: String?,
      _ edge: ScreenEdge.Horizontal?
    ) {
      self.edge = edge
      self.id = id
      self.name = name
      self.labels = labels
      self.lowPass = lowPass
      position = azimuth.map { Position($0, elevation ?? 0, distance ?? 1) }
      scene = order.map {
        SceneDetails(
          order: $0, degree: degree,
          normalization: normalization.flatMap(SceneDetails.Normalization.init(rawValue:)))
      }
    }
  }

  /// Packs by identifier.
  package static let packs: [ElementID: AudioPackFormat] = packRows.reduce(into: [:]) {
    packs, row in
    let id = ElementID(known: row.id)
    guard let kind = ContentKind(id) else { return }
    packs[id] = AudioPackFormat(
      id: id, name: row.name, kind: kind, channels: row.channels.map(ElementID.init(known:)),
      packs: row.packs.map(ElementID.init(known:)))
  }

  /// Channels by identifier, each with the one block that always holds.
  package static let channels: [ElementID: AudioChannelFormat] = channelRows.reduce(into: [:]) {
    channels, row in
    let id = ElementID(known: row.id)
    guard let kind = ContentKind(id) else { return }
    var details = BlockDetails()
    details.speaker.labels = row.labels
    details.scene = row.scene
    details.screenEdge.horizontal = row.edge
    var block = AudioBlock()
    block.position = row.position ?? block.position
    block.details = details == .none ? -1 : 0
    channels[id] = AudioChannelFormat(
      id: id, name: row.name, kind: kind, blocks: [block],
      details: details == .none ? [] : [details], lowPass: row.lowPass)
  }

  /// Whether a pack is one of them.
  package static func holds(_ pack: ElementID) -> Bool { packs[pack] != nil }

  /// The channel that a stream or track format of the common definitions carries: `AS_yyyyxxxx` and
  /// `AT_yyyyxxxx_01` belong to `AC_yyyyxxxx`. `nil` for any other identifier.
  static func channel(ofFormat id: ElementID) -> ElementID? {
    let parts = id.text.split(separator: "_")
    guard parts.count >= 2,
      parts[0] == "AS" && parts.count == 2
        || parts[0] == "AT" && parts.count == 3 && parts[2] == "01"
    else { return nil }
    let channel = ElementID(known: "AC_" + parts[1])
    return channels[channel] == nil ? nil : channel
  }
}
