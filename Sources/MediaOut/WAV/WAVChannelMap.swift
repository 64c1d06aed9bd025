import AudioCore
import CSndFile

/// libsndfile's channel positions.
enum WAVChannelMap {
  /// The position of a speaker; `nil` for those the WAV channel mask can't name.
  static func position(of speaker: Speaker) -> Int32? { positions[speaker] }

  /// Whether every speaker of `layout` has a bit in the WAV channel mask.
  static func carries(_ layout: ChannelLayout) -> Bool {
    layout.unnamed == 0 && layout.speakers.allSatisfy { positions[$0] != nil }
  }

  private static let positions: [Speaker: Int32] = Dictionary(
    uniqueKeysWithValues: [
      (Speaker.frontLeft, SF_CHANNEL_MAP_LEFT), (.frontRight, SF_CHANNEL_MAP_RIGHT),
      (.frontCenter, SF_CHANNEL_MAP_CENTER), (.lowFrequency, SF_CHANNEL_MAP_LFE),
      (.backLeft, SF_CHANNEL_MAP_REAR_LEFT), (.backRight, SF_CHANNEL_MAP_REAR_RIGHT),
      (.frontLeftOfCenter, SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER),
      (.frontRightOfCenter, SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER),
      (.backCenter, SF_CHANNEL_MAP_REAR_CENTER), (.sideLeft, SF_CHANNEL_MAP_SIDE_LEFT),
      (.sideRight, SF_CHANNEL_MAP_SIDE_RIGHT), (.topCenter, SF_CHANNEL_MAP_TOP_CENTER),
      (.topFrontLeft, SF_CHANNEL_MAP_TOP_FRONT_LEFT),
      (.topFrontCenter, SF_CHANNEL_MAP_TOP_FRONT_CENTER),
      (.topFrontRight, SF_CHANNEL_MAP_TOP_FRONT_RIGHT),
      (.topBackLeft, SF_CHANNEL_MAP_TOP_REAR_LEFT),
      (.topBackCenter, SF_CHANNEL_MAP_TOP_REAR_CENTER),
      (.topBackRight, SF_CHANNEL_MAP_TOP_REAR_RIGHT),
    ].map { ($0.0, Int32($0.1)) })
}
