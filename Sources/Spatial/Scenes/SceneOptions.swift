/// What can be chosen about rendering a programme of beds and objects for two ears.
package struct SceneOptions: Sendable {
  /// Level of LFE channels relative to a main channel, in dB, −60…+30; `nil` drops them.
  package var lfeGainDB: Double?
  /// Directions of bed channels that don't come from where ITU-R BS.2051 puts them.
  package var positions: SpeakerPositions
  /// How the listener holds the head.
  package var pose: HeadPose
  /// How the listener's head moves; `nil` holds it in ``pose``. Only one of both can be given.
  package var trajectory: HeadTrajectory?
  /// The room whose early reflections of channels and objects are heard; `nil` is none. Sound fields get
  /// none, nor do objects that move with the head or are marked as near for headphones.
  package var room: RoomModel?
  /// Whether the room has its late reverberation, too; nothing without a room.
  package var roomTail: Bool
  /// How Cartesian positions become directions.
  package var mapping: CubeMapping
  /// Whether objects that the mixer took out of virtualisation are panned straight to the ears, and those that
  /// it marked as near or far have no or stronger reflections.
  package var followsHeadphoneModes: Bool
  /// Angle between two loudspeakers ahead that play the result, in degrees, 10…60; `nil` is for
  /// headphones.
  package var span: Double?

  /// Options; by default for headphones, LFE 10 dB above a main channel (ITU-R BS.775-3).
  package init(
    lfeGainDB: Double? = 10, positions: SpeakerPositions = .standard, pose: HeadPose = .ahead,
    trajectory: HeadTrajectory? = nil, room: RoomModel? = nil, roomTail: Bool = false,
    mapping: CubeMapping = .eightCorners, followsHeadphoneModes: Bool = true,
    span: Double? = nil
  ) {
    self.lfeGainDB = lfeGainDB
    self.positions = positions
    self.pose = pose
    self.trajectory = trajectory
    self.room = room
    self.roomTail = roomTail
    self.mapping = mapping
    self.followsHeadphoneModes = followsHeadphoneModes
    self.span = span
  }
}
