import AudioCore

/// Renders any loudspeaker layout for two loudspeakers ahead of the listener: a binaural signal
/// whose crosstalk is cancelled.
///
/// Between 300 Hz and 8 kHz the ears of a listener in the middle get what ``BinauralRenderer``
/// gives to headphones, at the same level, as far as ``maximumGainDB`` allows; below and above the
/// binaural signal passes plainly. A centred sound comes out equal on both loudspeakers. At the
/// ears it keeps its colour (at 20° within 5 dB, lowest around 8 kHz); the loudspeakers' sum has
/// no notch deeper than 3 dB below its bass, but rises to 13 dB above it, at 20° over 5…8 kHz,
/// where the sound of both cancels at the ears. LFE goes to both through the low-pass of the
/// binaural rendering.
///
/// The frontal direction's onset (mean of both ears, without the travel time from the loudspeakers)
/// falls exactly on ``latency``. `process` and `finish` emit input + ``latency`` + ``tail`` samples
/// in all. One pair of filters for each channel does it all: the cost is that of a binaural
/// rendering with filters of 37 ms, some one and a half times its own.
package final class SpeakerVirtualizer: AudioStage {
  /// Cap in dB of both singular values of the four filters from the binaural signal to the
  /// loudspeakers, at any frequency; 0 dB is the diffuse-field level at the ears.
  package static let maximumGainDB = CrosstalkCanceller.maximumGainDB

  private let hrtf: HRTFSet
  private let options: SpeakerOptions
  private var convolver: LayoutConvolver?

  /// Samples by which output lags input: 16.5 ms, or half the LFE filter (21 ms) when LFE is played.
  package private(set) var latency = 0

  /// Samples by which the response outlasts the input after latency compensation: 20.3 ms, or half
  /// the LFE filter.
  package private(set) var tail = 0

  /// A virtualizer for the head of `hrtf`.
  package init(hrtf: HRTFSet, options: SpeakerOptions = SpeakerOptions()) {
    self.hrtf = hrtf
    self.options = options
  }

  /// Makes the filters for the channels of `format` and returns stereo at the same rate.
  /// - Throws: ``MediaError``: `unsupportedFeature` for rates outside 8…384 kHz, `layoutUnknown`
  ///   without channels, `usage` for a span outside 10…60°, an LFE gain outside −60…+30 dB or
  ///   positions of channels that the layout lacks, `internal` when no transform can be made.
  package func prepare(_ format: AudioFormat) throws -> AudioFormat {
    guard (8000...384_000).contains(format.sampleRate) else {
      throw MediaError(
        .unsupportedFeature,
        "rendering for loudspeakers works at 8…384 kHz, not at \(format.sampleRate) Hz")
    }
    guard format.channels > 0 else {
      throw MediaError(.layoutUnknown, "rendering for loudspeakers needs at least one channel")
    }
    guard (10...60).contains(options.spanDegrees) else {
      throw MediaError(
        .usage,
        "the angle between the loudspeakers must be within 10…60°, not \(options.spanDegrees)")
    }
    if let gain = options.lfeGainDB, !(-60...30).contains(gain) {
      throw MediaError(.usage, "the LFE gain must be within −60…+30 dB, not \(gain)")
    }
    let bank = try BinauralFilterBank(
      hrtf, format,
      BinauralOptions(lfeGainDB: options.lfeGainDB, positions: options.positions),
      span: options.spanDegrees)
    convolver = try LayoutConvolver(bank)
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

  private func prepared() throws -> LayoutConvolver {
    guard let convolver else {
      throw MediaError(.internal, "the speaker virtualizer was used before it was prepared")
    }
    return convolver
  }
}

/// Options of a rendering for a pair of loudspeakers.
package struct SpeakerOptions: Sendable {
  /// Angle between the loudspeakers seen from the listener, in degrees, 10…60.
  package var spanDegrees: Double
  /// Level of LFE channels relative to a main channel, in dB, −60…+30; `nil` drops them.
  package var lfeGainDB: Double?
  /// Directions of channels that don't come from where ITU-R BS.2051 puts them; the loudspeakers
  /// themselves stay at ``spanDegrees``.
  package var positions: SpeakerPositions

  /// Options; 20° is a screen with loudspeakers at its sides, seen from just under three times its
  /// width. By default LFE is played 10 dB above a main channel (ITU-R BS.775-3).
  package init(
    spanDegrees: Double = 20, lfeGainDB: Double? = 10, positions: SpeakerPositions = .standard
  ) {
    self.spanDegrees = spanDegrees
    self.lfeGainDB = lfeGainDB
    self.positions = positions
  }
}
