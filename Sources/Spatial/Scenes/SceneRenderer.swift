// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Renders any programme of beds, objects and sound fields for two ears: every sound through the head-related responses of its
/// own direction, for headphones or, with a crosstalk canceller, for two loudspeakers ahead.
///
/// One channel's level is the same in every layout, and a point object of gain 1 sounds like a channel in the same
/// direction. LFE channels are low-passed and equal in both ears. An object
/// moves along great circles; a turn of more than 30° and a jump fade from one place to the other, a jump
/// within 2 ms. Gains change exactly to the sample. In a room, channels and objects have reflections, which
/// stay where they are when the head turns; sound fields and objects that move with the head have none.
///
/// For two loudspeakers, between 300 Hz and 8 kHz, the ears of a listener in the middle get what headphones give
/// them, at the same level, as far as ``CrosstalkCanceller/maximumGainDB`` allows; below and above, the binaural signal passes plainly. A centred
/// sound comes out equal on both loudspeakers. At the ears it keeps its colour (at 20° within 5 dB, lowest around 8 kHz); the
/// loudspeakers' sum has no notch deeper than 3 dB below its bass, but rises to 13 dB above it, at 20° over 5…8 kHz, where the
/// sound of both cancels at the ears.
///
/// The frontal direction's onset (mean of both ears, without the way from loudspeakers) falls exactly on ``latency``. `process` and
/// `finish` emit input + ``latency`` + ``tail`` samples in all.
package final class SceneRenderer: Renderer {
  private let hrtf: HRTFSet
  private let options: SceneOptions
  private var pipeline: ScenePipeline?

  /// Samples by which output lags input: 1.5 ms for headphones, 16.5 ms for loudspeakers, with objects 255 samples more, but
  /// never less than half the LFE filter (21 ms) when LFE is played.
  package var latency: Int { pipeline?.timing.latency ?? 0 }

  /// Samples by which the response outlasts the input after latency compensation: 5.3 ms for headphones, 20.3 ms for
  /// loudspeakers, at least half the LFE filter when LFE is played; more with objects and in a room.
  package var tail: Int { pipeline?.timing.tail ?? 0 }

  /// A renderer with the responses of `hrtf`.
  package init(hrtf: HRTFSet, options: SceneOptions = SceneOptions()) {
    self.hrtf = hrtf
    self.options = options
  }

  /// Makes the filters for `programme` and returns stereo at its rate.
  /// - Throws: ``MediaError``: `unsupportedFeature` for rates outside 8…384 kHz, more than 1,024 planes
  ///   and sound fields above order 7; `layoutUnknown` without planes; `usage` for an LFE gain
  ///   outside −60…+30 dB, a span outside 10…60°, positions of channels that a bed lacks, angles of the
  ///   head out of range, a pose beside a trajectory.
  package func prepare(_ programme: Programme) throws -> AudioFormat {
    let rate = programme.sampleRate
    guard (8000...384_000).contains(rate) else {
      let work = options.span == nil ? "binaural rendering" : "rendering for loudspeakers"
      throw MediaError(.unsupportedFeature, "\(work) works at 8…384 kHz, not at \(rate) Hz")
    }
    try checkOptions()
    pipeline = try ScenePipeline(hrtf, programme, options)
    return AudioFormat(sampleRate: rate, layout: .stereo)
  }

  /// Renders `block`; appends what is complete.
  package func process(_ block: ProgrammeBlock, into output: AudioBuffer) throws {
    try prepared().process(block, into: output)
  }

  /// Appends the rest, ``latency`` and ``tail`` included.
  package func finish(into output: AudioBuffer) throws {
    try prepared().finish(into: output)
  }

  private func checkOptions() throws {
    if let gain = options.lfeGainDB, !(-60...30).contains(gain) {
      throw MediaError(.usage, "the LFE gain must be within −60…+30 dB, not \(gain)")
    }
    if let span = options.span, !(10...60).contains(span) {
      throw MediaError(
        .usage, "the angle between the loudspeakers must be within 10…60°, not \(span)")
    }
    try options.pose.check()
    guard options.trajectory == nil || options.pose == .ahead else {
      throw MediaError(.usage, "the head has a pose and a trajectory; give one of them")
    }
  }

  private func prepared() throws -> ScenePipeline {
    guard let pipeline else {
      throw MediaError(.internal, "the renderer was used before it was prepared")
    }
    return pipeline
  }
}

/// Options of rendering a programme of beds and objects for two ears.
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
