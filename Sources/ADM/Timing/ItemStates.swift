// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Turns blocks into states of objects.
package struct ItemStates: Sendable {
  /// The N of `ITU-R_BS.2076-N`.
  private let version: Int
  /// Modes wanted for headphones, by track of the file.
  private let modes: [ObjectRules.HeadphoneMode]

  /// States for a document of version `version`; `modes` has an entry for each track, or none.
  package init(version: Int, modes: [ObjectRules.HeadphoneMode] = []) {
    self.version = version
    self.modes = modes
  }

  /// The state that `block` describes.
  package func state(
    of block: AudioBlock, in format: AudioChannelFormat, of item: RenderingItem
  ) -> ObjectState {
    let details = format.details(of: block)
    let isMuted = item.blockThreshold > 0 && Int(block.importance) < item.blockThreshold
    return ObjectState(
      position: position(of: block, details, item), gain: isMuted ? 0 : block.gain * item.gain,
      extent: ObjectExtent(
        width: block.size.first, height: block.size.second, depth: block.size.third),
      diffuse: block.diffuse, rules: rules(of: block, details, in: format, of: item))
  }

  private func position(
    of block: AudioBlock, _ details: BlockDetails, _ item: RenderingItem
  ) -> ObjectPosition {
    let (at, offset) = (block.position, item.offset?.offset ?? Position(0, 0, 0))
    let (first, second) = (at.first + offset.first, at.second + offset.second)
    let third = at.third + offset.third
    guard !block.flags.contains(.isCartesian) else {
      return .cartesian(x: first, y: second, z: third)
    }
    let edge = DefaultScreen.snapped(
      Direction(azimuth: first, elevation: second), to: details.screenEdge)
    return .polar(edge, distance: max(0, third))
  }

  private func rules(
    of block: AudioBlock, _ details: BlockDetails, in format: AudioChannelFormat,
    of item: RenderingItem
  ) -> ObjectRules {
    let isCartesian = block.flags.contains(.isCartesian)
    var rules = ObjectRules(
      role: role(details, format, item), headphones: mode(of: item, details),
      isHeadLocked: item.isHeadLocked || block.flags.contains(.isHeadLocked))
    guard item.kind == .objects else { return rules }
    let object = details.object
    if block.flags.contains(.isLocked) {
      rules.lock = ObjectRules.ChannelLock(within: object.lockDistance)
    }
    if object.divergence > 0 {
      // The range that holds where none is stated became 0 with version 2 (BS.2127, 6.5).
      let range =
        isCartesian ? object.positionRange ?? 0 : object.azimuthRange ?? (version >= 2 ? 0 : 45)
      rules.divergence = ObjectRules.Divergence(value: object.divergence, range: range)
    }
    rules.zones = object.zones.compactMap(ItemStates.zone)
    return rules
  }

  private func role(
    _ details: BlockDetails, _ format: AudioChannelFormat, _ item: RenderingItem
  ) -> ObjectRules.Role {
    switch item.kind {
    case .directSpeakers:
      let labels = details.speaker.labels.map(ItemStates.nominal)
      return .speaker(
        SpeakerChannel(
          labels: labels,
          pack: item.packs.last.flatMap { CommonDefinitions.holds($0) ? $0.text : nil },
          isLFE: ItemStates.isLFE(format, labels), least: details.speaker.least.bounds,
          greatest: details.speaker.greatest.bounds))
    case .binaural:
      return .ear(format.id.text.hasSuffix("2") ? .right : .left)
    case .objects, .hoa, .matrix: return .source
    }
  }

  /// The loudspeaker's name, as ITU-R BS.2051 has it where `label` is one of its URNs.
  static func nominal(_ label: String) -> String {
    let name = label.split(separator: ":").last.map(String.init) ?? label
    return ["LFE": "LFE1", "LFEL": "LFE1", "LFER": "LFE2"][name] ?? name
  }

  /// Whether a channel is for low frequencies: by its low pass without a high pass, or its label
  /// (BS.2127, 8.2).
  private static func isLFE(_ format: AudioChannelFormat, _ labels: [String]) -> Bool {
    if let lowPass = format.lowPass, format.highPass == nil, lowPass <= 200 { return true }
    // Dolby's label has no frequency beside it.
    return labels.contains { ["LFE1", "LFE2", "RC_LFE"].contains($0) }
  }

  private func mode(of item: RenderingItem, _ details: BlockDetails) -> ObjectRules.HeadphoneMode {
    if details.bypassesHeadphones { return .off }
    guard case .track(let track) = item.channels.first?.samples, modes.indices.contains(track)
    else { return .unstated }
    return modes[track]
  }

  private static func zone(_ zone: ExcludedZone) -> ObjectRules.Zone? {
    switch zone {
    case .sector(let from, let to, let elevations):
      return .sector(fromAzimuth: from, toAzimuth: to, elevations: elevations)
    case .box(let least, let greatest):
      // A box whose ends are the wrong way round holds nothing.
      guard least.first <= greatest.first, least.second <= greatest.second,
        least.third <= greatest.third
      else { return nil }
      return .box(
        x: least.first...greatest.first, y: least.second...greatest.second,
        z: least.third...greatest.third)
    }
  }
}

extension PositionBounds {
  /// These bounds for a renderer.
  fileprivate var bounds: SpeakerChannel.Bounds {
    SpeakerChannel.Bounds(first: first, second: second, third: third)
  }
}

extension DolbyMetadata.HeadphoneMode {
  /// This mode for a renderer.
  package var wanted: ObjectRules.HeadphoneMode {
    switch self {
    case .off: return .off
    case .near: return .near
    case .mid: return .middle
    case .far: return .far
    case .notIndicated: return .unstated
    }
  }
}

/// The screen that is assumed at the reproduction: in front, 58° wide, 1.78 times as wide as high
/// (ITU-R BS.2076-2, 5.8.4). A screen of the programme's own is taken for the same.
enum DefaultScreen {
  /// Azimuth of the left edge, degrees.
  private static let left = 29.0
  /// Elevation of the top edge, degrees.
  private static let top = atan(tan(left * .pi / 180) / 1.78) * 180 / .pi

  /// `direction`, moved to the edges that are stated.
  static func snapped(_ direction: Direction, to edge: ScreenEdge) -> Direction {
    var result = direction
    switch edge.horizontal {
    case .left: result.azimuth = left
    case .right: result.azimuth = -left
    case nil: break
    }
    switch edge.vertical {
    case .top: result.elevation = top
    case .bottom: result.elevation = -top
    case nil: break
    }
    return result
  }
}
