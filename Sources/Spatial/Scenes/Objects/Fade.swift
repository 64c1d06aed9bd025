/// A stretch of time over which values go linearly from one to another.
struct Fade: Equatable {
  /// The sample at which it begins; not necessarily whole.
  var start: Double
  /// Samples it lasts, at least 0.
  var length: Double

  /// A fade that is over.
  static let done = Fade(start: 0, length: 0)

  /// The sample at which it is over.
  var end: Double { start + length }

  /// The part of the way that is done at sample `time`, 0…1.
  func part(at time: Double) -> Double {
    length > 0 ? min(1, max(0, (time - start) / length)) : 1
  }
}
