import AudioCore

/// Renders beds, objects and channels for two ears: every sound through the head-related responses of its
/// own direction, for headphones or, with a crosstalk canceller, for two loudspeakers ahead.
///
/// A point object of gain 1 sounds like a bed's channel in the same direction in ``BinauralRenderer``. It
/// moves along great circles; a turn of more than 30° and a jump fade from one place to the other, a jump
/// within 2 ms. Gains change exactly to the sample. In a room, channels and objects have reflections, which
/// stay where they are when the head turns; sound fields and objects that move with the head have none. The
/// frontal direction's onset (mean of both ears) falls exactly on ``latency``. `process` and `finish` emit
/// input + ``latency`` + ``tail`` samples in all.
package final class SceneRenderer: Renderer {
  private let hrtf: HRTFSet
  private let options: SceneOptions
  private var pipeline: ScenePipeline?

  /// Samples by which output lags input: that of ``BinauralRenderer``, or, for loudspeakers, of
  /// ``SpeakerVirtualizer``; with objects 255 samples more, but never less than half the LFE filter.
  package var latency: Int { pipeline?.timing.latency ?? 0 }

  /// Samples by which the response outlasts the input after latency compensation.
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
      throw MediaError(
        .unsupportedFeature, "binaural rendering works at 8…384 kHz, not at \(rate) Hz")
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
      throw MediaError(.internal, "the scene renderer was used before it was prepared")
    }
    return pipeline
  }
}
