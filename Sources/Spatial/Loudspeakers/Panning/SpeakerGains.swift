/// How loud each loudspeaker plays a plane; linear.
struct SpeakerGains: Sendable, Equatable {
  /// Gains as it is.
  var direct: [Double]
  /// Gains of what is decorrelated.
  var diffuse: [Double]

  /// Gains of both parts.
  init(direct: [Double], diffuse: [Double]) {
    self.direct = direct
    self.diffuse = diffuse
  }

  /// Gains without a diffuse part.
  init(direct: [Double]) {
    self.init(direct: direct, diffuse: [Double](repeating: 0, count: direct.count))
  }

  /// Silence on `count` loudspeakers.
  init(count: Int) { self.init(direct: [Double](repeating: 0, count: count)) }
}
