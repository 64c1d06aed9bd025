import AudioCore

/// Renders any loudspeaker layout for headphones: every channel through the head-related response
/// of its direction, LFE channels low-passed and equal in both ears.
///
/// The frontal direction's onset (mean of both ears) falls exactly on ``latency``; one channel's
/// level is the same in every layout. `process` and `finish` emit input + ``latency`` + ``tail``
/// samples in all.
package final class BinauralRenderer: AudioStage {
  private let hrtf: HRTFSet
  private let options: BinauralOptions
  private var convolver: LayoutConvolver?

  /// Samples by which output lags input; 1.5 ms, or half the LFE filter (21 ms) when LFE is played.
  package private(set) var latency = 0

  /// Samples by which the response outlasts the input after latency compensation: 5.3 ms, half the
  /// LFE filter (21 ms) when LFE is played, more in a room.
  package private(set) var tail = 0

  /// A renderer with the responses of `hrtf`.
  package init(hrtf: HRTFSet, options: BinauralOptions = BinauralOptions()) {
    self.hrtf = hrtf
    self.options = options
  }

  /// Makes the filters for the channels of `format` and returns stereo at the same rate.
  /// - Throws: ``MediaError``: `unsupportedFeature` for rates outside 8…384 kHz, `layoutUnknown`
  ///   without channels, `usage` for an LFE gain outside −60…+30 dB, positions of channels that the
  ///   layout lacks, angles of the head out of range, a pose or a room beside a trajectory,
  ///   `internal` when no transform can be made.
  package func prepare(_ format: AudioFormat) throws -> AudioFormat {
    guard (8000...384_000).contains(format.sampleRate) else {
      throw MediaError(
        .unsupportedFeature,
        "binaural rendering works at 8…384 kHz, not at \(format.sampleRate) Hz")
    }
    guard format.channels > 0 else {
      throw MediaError(.layoutUnknown, "binaural rendering needs at least one channel")
    }
    if let gain = options.lfeGainDB, !(-60...30).contains(gain) {
      throw MediaError(.usage, "the LFE gain must be within −60…+30 dB, not \(gain)")
    }
    guard options.trajectory == nil || options.pose == .ahead else {
      throw MediaError(
        .usage, "the head has a pose and a trajectory; give one of them")
    }
    guard options.trajectory == nil || options.room == nil else {
      throw MediaError(
        .usage, "a bed's filters can't turn a room with a head trajectory; render it as a scene")
    }
    let bank = try BinauralFilterBank(hrtf, format, options)
    convolver = try LayoutConvolver(bank, moving: try moving(bank, format))
    latency = bank.latency
    tail = bank.length - 1 - bank.latency
    return AudioFormat(sampleRate: format.sampleRate, layout: .stereo)
  }

  /// Convolves `input`; appends the blocks that are complete.
  package func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    try prepared().process(input, into: output)
  }

  /// Appends the rest, ``latency`` and ``tail`` included.
  package func finish(into output: AudioBuffer) throws {
    try prepared().finish(into: output)
  }

  /// The filters of a head that moves.
  private func moving(
    _ bank: BinauralFilterBank, _ format: AudioFormat
  ) throws -> MovingFilters? {
    guard let trajectory = options.trajectory else { return nil }
    let directions = try options.positions.directions(in: format.layout)
    return MovingFilters(
      hrtf, rate: format.sampleRate, directions: bank.mainChannels.map { directions[$0] },
      trajectory: trajectory)
  }

  private func prepared() throws -> LayoutConvolver {
    guard let convolver else {
      throw MediaError(.internal, "the binaural renderer was used before it was prepared")
    }
    return convolver
  }
}

/// Options of a binaural rendering.
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
