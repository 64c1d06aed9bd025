// swift-format-ignore-file
// Written by make_tables.py; don't edit.

import AudioCore

/// Loudspeakers by the bits that name them.
enum ChannelGroups {
  /// Channels of each bit of the assignment of presentation 1, bit 0 first.
  static let six: [[Speaker?]] = [
    [.frontLeft, .frontRight],
    [.frontCenter],
    [.lowFrequency],
    [.sideLeft, .sideRight],
    [.topFrontLeft, .topFrontRight],
  ]
  /// Channels of each bit of the assignment of presentation 2.
  static let eight: [[Speaker?]] = [
    [.frontLeft, .frontRight],
    [.frontCenter],
    [.lowFrequency],
    [.sideLeft, .sideRight],
    [.topFrontLeft, .topFrontRight],
    [.frontLeftOfCenter, .frontRightOfCenter],
    [.backLeft, .backRight],
    [.backCenter],
    [.topCenter],
    [nil, nil],
    [.wideLeft, .wideRight],
    [.topFrontCenter],
    [.lowFrequency2],
  ]
  /// Channels of each bit of it where the stream's flags restrict them.
  static let eightRestricted: [[Speaker?]] = [
    [.frontLeft, .frontRight],
    [.frontCenter],
    [.lowFrequency],
    [.sideLeft, .sideRight],
    [.topSideLeft, .topSideRight],
  ]
  /// Channels of each bit of the bed of presentation 3.
  static let bed: [[Speaker?]] = [
    [.frontLeft, .frontRight],
    [.frontCenter],
    [.lowFrequency],
    [.sideLeft, .sideRight],
    [.backLeft, .backRight],
    [.topFrontLeft, .topFrontRight],
    [.topSideLeft, .topSideRight],
    [.topBackLeft, .topBackRight],
    [.wideLeft, .wideRight],
    [.lowFrequency2],
  ]
  /// Channels of each arrangement of MLP.
  static let arrangements: [[Speaker?]] = [
    [.frontCenter],
    [.frontLeft, .frontRight],
    [.frontLeft, .frontRight, .backCenter],
    [.frontLeft, .frontRight, .sideLeft, .sideRight],
    [.frontLeft, .frontRight, .lowFrequency],
    [.frontLeft, .frontRight, .lowFrequency, .backCenter],
    [.frontLeft, .frontRight, .lowFrequency, .sideLeft, .sideRight],
    [.frontLeft, .frontRight, .frontCenter],
    [.frontLeft, .frontRight, .frontCenter, .backCenter],
    [.frontLeft, .frontRight, .frontCenter, .sideLeft, .sideRight],
    [.frontLeft, .frontRight, .frontCenter, .lowFrequency],
    [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backCenter],
    [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight],
    [.frontLeft, .frontRight, .frontCenter, .backCenter],
    [.frontLeft, .frontRight, .frontCenter, .sideLeft, .sideRight],
    [.frontLeft, .frontRight, .frontCenter, .lowFrequency],
    [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backCenter],
    [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight],
    [.frontLeft, .frontRight, .sideLeft, .sideRight, .lowFrequency],
    [.frontLeft, .frontRight, .sideLeft, .sideRight, .frontCenter],
    [.frontLeft, .frontRight, .sideLeft, .sideRight, .frontCenter, .lowFrequency],
  ]
}
