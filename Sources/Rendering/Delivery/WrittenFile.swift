import AudioCore
import Loudness
import Timeline

/// What was found in an output when it was read back.
struct WrittenFile {
  /// `wav`, `rf64`, or the name of another kind of container.
  let format: String
  /// Start-up samples that its readers have to be told of; `automatic` where the file states them.
  var priming = PrimingOption.automatic
  /// Layout that its readers see.
  let layout: ChannelLayout
  /// Samples per channel.
  let samples: Int64
  /// SHA-256 of the samples: as they lie in a WAV file, as 24-bit integers from a lossless
  /// encoding, as 32-bit floats from a lossy one.
  let digest: String
  /// What they measure.
  let statistics: LoudnessStatistics
  /// Levels of ``LongTermSpectrum/frequencies``, dB.
  var spectrum: [Double?] = []
}
