import AudioCore
import LibAV

/// The room that an output has before the first sample of its source, for what filters put there.
struct HeadRoom {
  /// Samples of silence that go in front of everything, at the rate before conversion. They make room for the filter
  /// of the rate conversion, and put the source's first sample on a sample of the output.
  let silence: Int
  /// Samples of the output before the source's first one.
  let samples: Int64

  /// The room for `early` samples at `rate` Hz that filters before the conversion to `format` put in front.
  init(_ early: Int, from rate: Int, to format: AudioFormat) {
    let (own, target) = (Int64(rate), Int64(format.sampleRate))
    guard own != target else {
      (silence, samples) = (0, Int64(early))
      return
    }
    // As many samples at the one rate last as long as a whole number at the other.
    let step = MediaTime.leastCommonMultiple(own, target) / target
    let needed = Int64(early + Resampler.reach(from: rate, to: format.sampleRate))
    let all = (needed + step - 1) / step * step
    silence = Int(all) - early
    samples = MediaTime.rescale(all, by: target, over: own)
  }
}

extension [TapStage] {
  /// Samples that all of them together put before the first one and that are kept.
  var heads: Int { reduce(0) { $0 + $1.head } }
}
