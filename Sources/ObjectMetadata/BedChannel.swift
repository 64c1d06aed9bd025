// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A channel of a bed, in the order of `nonstd_bed_channel_assignment`, bit 0 first.
package enum BedChannel: Int, CaseIterable, Sendable {
  case left, right, center, lowFrequency, leftSurround, rightSurround, leftBack, rightBack
  case topFrontLeft, topFrontRight, topSideLeft, topSideRight, topBackLeft, topBackRight
  case leftWide, rightWide, lowFrequency2

  /// Whether it passes the downmix unmixed, so that no coefficients belong to it.
  package var isLFE: Bool { self == .lowFrequency || self == .lowFrequency2 }

  /// Its loudspeaker. Ls and Rs stand at the sides, as the downmix's do.
  package var speaker: Speaker {
    switch self {
    case .left: .frontLeft
    case .right: .frontRight
    case .center: .frontCenter
    case .lowFrequency: .lowFrequency
    case .leftSurround: .sideLeft
    case .rightSurround: .sideRight
    case .leftBack: .backLeft
    case .rightBack: .backRight
    case .topFrontLeft: .topFrontLeft
    case .topFrontRight: .topFrontRight
    case .topSideLeft: .topSideLeft
    case .topSideRight: .topSideRight
    case .topBackLeft: .topBackLeft
    case .topBackRight: .topBackRight
    case .leftWide: .wideLeft
    case .rightWide: .wideRight
    case .lowFrequency2: .lowFrequency2
    }
  }

  /// Channels of each bit of `bed_channel_assignment`, bit 0 first, as a set for ``BedSet``.
  package static let standardGroups: [UInt32] = [
    0b11, 0b100, 0b1000, 0b11_0000, 0b1100_0000, 0b11 << 8, 0b11 << 10, 0b11 << 12, 0b11 << 14,
    1 << 16,
  ]
}

/// The channels of one bed; bit n stands for channel number n.
package struct BedSet: Equatable, Sendable {
  package let bits: UInt32

  /// A bed of the LFE alone.
  package static let lfe = BedSet(bits: 1 << UInt32(BedChannel.lowFrequency.rawValue))

  /// The channels of these bits.
  package init(bits: UInt32) { self.bits = bits }

  /// Number of channels.
  package var count: Int { bits.nonzeroBitCount }

  /// The channels, in the order of their objects.
  package var channels: [BedChannel] {
    BedChannel.allCases.filter { bits >> UInt32($0.rawValue) & 1 == 1 }
  }
}
