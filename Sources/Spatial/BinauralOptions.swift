/// What can be chosen about a binaural rendering.
package struct BinauralOptions: Sendable {
  /// Level of LFE channels relative to a main channel, in dB; `nil` drops them.
  package var lfeGainDB: Double?
  /// Directions of channels that don't come from where ITU-R BS.2051 puts them.
  package var positions: SpeakerPositions
  /// How the listener holds the head; LFE channels don't depend on it.
  package var pose: HeadPose
  /// How the listener's head moves; `nil` holds it in ``pose``. Only one of both can be given.
  package var trajectory: HeadTrajectory?
  /// The room whose early reflections are heard; `nil` is none, as outdoors. Not with a trajectory,
  /// with which ``SceneRenderer`` turns the room.
  package var room: RoomModel?
  /// Whether the room has its late reverberation, too; nothing without a room.
  package var roomTail: Bool

  /// Options; by default LFE is played 10 dB above a main channel (ITU-R BS.775-3).
  package init(
    lfeGainDB: Double? = 10, positions: SpeakerPositions = .standard, pose: HeadPose = .ahead,
    trajectory: HeadTrajectory? = nil, room: RoomModel? = nil, roomTail: Bool = false
  ) {
    self.lfeGainDB = lfeGainDB
    self.positions = positions
    self.pose = pose
    self.trajectory = trajectory
    self.room = room
    self.roomTail = roomTail
  }
}
