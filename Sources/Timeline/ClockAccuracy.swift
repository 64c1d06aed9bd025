import AudioCore

/// How accurate the timestamps of a source are when a block is read; see ``TimedSource``.
struct ClockAccuracy: Equatable {
  /// Greatest error of a timestamp, in samples.
  let tolerance: Int64
  /// Samples of a codec frame; 0 when they vary or nothing is known.
  let codecFrame: Int64
  /// Greatest error of a jump's length, in samples.
  let uncertainty: Int64

  /// The accuracy that `source` states now.
  init(_ source: any TimedSource) {
    tolerance = max(0, source.timestampTolerance)
    codecFrame = source.codecFrame
    uncertainty = source.clockUncertainty
  }

  /// A deviation up to this many samples is the rounding of the clock.
  var noise: Int64 { max(1, uncertainty) }

  /// Packets are lost whole: a jump that is a number of codec frames within the clock's uncertainty
  /// is taken as exactly that many.
  func wholeFrames(_ jump: Int64) -> Int64 {
    guard codecFrame > 0 else { return jump }
    let size = Int64(jump.magnitude)
    let whole = (size + codecFrame / 2) / codecFrame * codecFrame
    guard whole > 0, abs(whole - size) <= uncertainty else { return jump }
    return jump > 0 ? whole : -whole
  }

  /// Whether `jump` is a number of codec frames.
  func isWholeFrames(_ jump: Int64) -> Bool { codecFrame > 0 && jump % codecFrame == 0 }
}
