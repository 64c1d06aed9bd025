// SPDX-License-Identifier: Apache-2.0

// Words that steps and reports share: a step works with the enum, and its raw value is what the JSON says.

/// A word of reports: text shows it by its raw value, as the JSON has it.
public protocol ReportWord:
  RawRepresentable<String>, CustomStringConvertible, CaseIterable, Codable, Sendable
{}

extension ReportWord {
  /// The raw value.
  public var description: String { rawValue }
}

/// The kind of an endpoint, by the name that the command line and reports use.
public enum EndpointKind: String, ReportWord {
  /// Binaural for headphones.
  case headphones
  /// Two loudspeakers in front of the listener.
  case speakers
  /// Channels as they are.
  case none
}

/// A step of a job, as progress names it.
public enum RenderPass: String, ReportWord {
  /// Decoding, rendering and metering.
  case render
  /// Gain, limiter and writing.
  case finish
  /// Reading back.
  case verify
}

/// How the gain came about.
public enum GainOutcome: String, ReportWord {
  /// The target is met.
  case reached
  /// Nothing has loudness, so nothing was changed.
  case silent
  /// The loudness was within the threshold of the target and is left alone.
  case unchanged
  /// The gain is the one that the level stated by the bitstream asks for.
  case metadata
  /// The loudness is below the target and stays so, because only lowering is allowed.
  case lowersOnly = "lower-only"
  /// The gain stops at the most that is allowed.
  case maxGain = "max-gain"
  /// The loudness stays below the target because the peaks allow no more.
  case lowered
  /// The gain was set beforehand.
  case pinned
}

/// How quickly the limiter of true peaks reacts and releases.
///
/// ``gentle`` is inaudible on most programmes. If dense or pulsed sound can't reach its loudness
/// with it, because every peak pulls the sound around it down too, the normaliser moves on to the
/// next, which touches less of the sound at the price of more distortion.
public enum LimiterResponse: String, ReportWord {
  /// About 5 ms of look-ahead, 100 ms of release.
  case gentle
  /// About 1 ms of look-ahead, 10 ms of release.
  case fast
  /// About 0.3 ms of look-ahead, 1 ms of release: close to a clipper.
  case hard
}

/// The loudness of a set of programmes that is brought to the target.
public enum AlbumReference: String, ReportWord {
  /// That of all its blocks together.
  case programme
  /// That of its loudest programme (album normalisation of AES TD1008).
  case loudestTrack = "loudest-track"
}

/// How a layer ended.
public enum LayerStatus: String, ReportWord {
  /// Within tolerance.
  case passed
  /// Outside tolerance.
  case failed
  /// Not compared; a note gives the reason.
  case skipped
}

/// The layers of a comparison, from bytes to what is heard; an earlier one explains a later one.
public enum ComparisonLayer: String, ReportWord {
  /// Format, length, layout, tags, start, edit lists, boxes and fragments.
  case structure
  /// Hash of the decoded samples.
  case samples
  /// Residual of TEST when REF is taken away, at lag 0 and at the best lag.
  case null
  /// Loudness and true peak of the programme and of every channel.
  case levels
  /// Log-mel distance, tilt and bandwidth.
  case spectrum
  /// Interaural level, time and coherence of two channels.
  case interaural
}

/// A step between the measurements of an HRTF set and what is played.
public enum HRTFStep: String, ReportWord {
  /// Delays in seconds become samples.
  case delayUnit = "delay-unit"
  /// Left and right become mirror images.
  case symmetrise
  /// Delays are scaled to a head.
  case headSize = "head-size"
  /// The set's level is brought to that of the built-in one.
  case level
  /// The diffuse field becomes flat.
  case diffuseField = "diffuse-field"
  /// Bass that was not measured, or depends on the direction, is replaced.
  case lowFrequencies = "low-frequencies"
}

/// The unit of delays that an HRTF set stores by themselves.
public enum DelayUnit: String, ReportWord {
  /// Delays aren't stored by themselves.
  case none
  /// Samples.
  case samples
  /// Seconds.
  case seconds
}

/// The kind of a stream in a file.
public enum StreamKind: String, ReportWord {
  /// Sound, whether it can be decoded or not.
  case audio
  /// Moving pictures.
  case video
  /// A still picture (cover art).
  case picture
  /// Text or bitmap subtitles.
  case subtitle
  /// Attachments and data.
  case other
}
