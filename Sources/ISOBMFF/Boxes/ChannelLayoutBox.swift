// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The loudspeakers of an audio track's channels: `chnl`, version 0 (ISO/IEC 14496-12, 12.2.4).
package struct ChannelLayoutBox: WritableBox, Equatable {
  /// How the layout is stated.
  package enum Layout: Sendable, Equatable {
    /// A channel configuration of ISO/IEC 23091-3, 1…63, all its channels present.
    case defined(Int)
    /// One loudspeaker position of ISO/IEC 23091-3, 0…125, for each channel.
    case positions([Int])
  }

  package let layout: Layout

  /// A box of `layout`.
  package init(_ layout: Layout) { self.layout = layout }

  /// Parses the payload of a `chnl` box of version 0 that states positions or a configuration; `nil`
  /// for anything else. `channels` is the track's channel count.
  package init?(payload: [UInt8], channels: Int) {
    guard payload.count >= 6, payload[0] == 0, payload[4] & 3 == 1, channels > 0 else { return nil }
    if payload[5] != 0 {
      layout = .defined(Int(payload[5]))
      return
    }
    let positions = payload.dropFirst(6).prefix(channels).map(Int.init)
    // Position 126 is followed by angles, which would shift all later positions.
    guard positions.count == channels, !positions.contains(where: { $0 > 125 }) else { return nil }
    layout = .positions(positions)
  }

  /// Appends the whole box.
  package func append(to builder: inout BoxBuilder) {
    builder.fullBox("chnl") { box in
      // Channels only, no objects.
      box.u8(1)
      switch layout {
      case .defined(let configuration):
        box.u8(configuration)
        box.u64(0)
      case .positions(let positions):
        box.u8(0)
        for position in positions { box.u8(min(position, 125)) }
      }
    }
  }
}

/// Apple's name for a channel layout: `chan` with nothing but a tag (QuickTime File Format, channel
/// layout atom). The standard's `chnl` can't name binaural sound, but this box can.
package struct ChannelTagBox: WritableBox, Equatable {
  /// The layout's tag: a number in the upper 16 bits, the channel count in the lower.
  package let tag: UInt32

  /// Two channels made for headphones: `kAudioChannelLayoutTag_Binaural`.
  package static let binaural = ChannelTagBox(tag: 106 << 16 | 2)

  /// A box of `tag`.
  package init(tag: UInt32) { self.tag = tag }

  /// Parses the payload of a `chan` box; `nil` when it is cut off.
  package init?(payload: [UInt8]) {
    guard payload.count >= 16 else { return nil }
    tag = payload.bigEndian32(at: 4)
  }

  /// Appends the whole box.
  package func append(to builder: inout BoxBuilder) {
    builder.fullBox("chan") { box in
      box.u32(tag)
      // No bitmap, no descriptions.
      box.u32(0)
      box.u32(0)
    }
  }
}

/// The sound field that the channels of an audio track are: `SA3D`, version 0 (Spatial Audio RFC of google/spatial-media).
package struct SpatialAudioBox: Sendable, Equatable {
  /// Highest order that is read.
  package static let highestOrder = 7

  /// Order of the field, 0…7; its components are in ACN order and SN3D.
  package let order: Int
  /// Channel of each component, and of head-locked left and right after these: each number from 0 on once.
  package let channelMap: [Int]
  /// Whether two channels follow the field's that don't turn with the head.
  package let hasHeadLockedStereo: Bool

  /// Parses the payload of an `SA3D` box; bytes after its map are passed over.
  /// - Throws: ``Fault`` for all that the RFC doesn't allow, and for orders above ``highestOrder``.
  package init(payload: [UInt8]) throws(Fault) {
    guard payload.count >= 12 else { throw .cut }
    guard payload[0] == 0 else { throw .version(Int(payload[0])) }
    guard payload[1] & 0x7F == 0 else { throw .type(Int(payload[1] & 0x7F)) }
    let (order, channels) = (payload.bigEndian32(at: 2), payload.bigEndian32(at: 8))
    guard order <= UInt32(SpatialAudioBox.highestOrder) else { throw .order(order) }
    guard payload[6] == 0 else { throw .ordering(Int(payload[6])) }
    guard payload[7] == 0 else { throw .normalization(Int(payload[7])) }
    self.order = Int(order)
    hasHeadLockedStereo = payload[1] & 0x80 != 0
    let needed = (self.order + 1) * (self.order + 1) + (hasHeadLockedStereo ? 2 : 0)
    guard channels == UInt32(needed) else { throw .channels(channels, needed: needed) }
    guard payload.count >= 12 + 4 * needed else { throw .cut }
    channelMap = (0..<needed).map { Int(payload.bigEndian32(at: 12 + 4 * $0)) }
    guard channelMap.sorted() == Array(0..<needed) else { throw .map }
  }

  /// Why a box can't be taken for a sound field.
  package enum Fault: Error, Equatable, CustomStringConvertible {
    /// Bytes are missing.
    case cut
    /// A version of the box besides 0.
    case version(Int)
    /// A kind of field besides the periphonic one (0).
    case type(Int)
    /// An order above ``SpatialAudioBox/highestOrder``.
    case order(UInt32)
    /// An order of components besides ACN (0).
    case ordering(Int)
    /// A normalisation besides SN3D (0).
    case normalization(Int)
    /// A number of channels that the order doesn't have.
    case channels(UInt32, needed: Int)
    /// A map that doesn't name each channel once.
    case map

    /// The end of a sentence that begins with the box.
    package var description: String {
      switch self {
      case .cut: return "is cut off"
      case .version(let number): return "has version \(number), not 0"
      case .type(let number): return "has ambisonic type \(number), not 0 (periphonic)"
      case .order(let number):
        return "has order \(number), above \(SpatialAudioBox.highestOrder)"
      case .ordering(let number): return "has channel ordering \(number), not 0 (ACN)"
      case .normalization(let number): return "has normalisation \(number), not 0 (SN3D)"
      case .channels(let number, let needed):
        return "has \(number) channels, but its order has \(needed)"
      case .map: return "has a channel map that doesn't name each channel once"
      }
    }
  }
}
