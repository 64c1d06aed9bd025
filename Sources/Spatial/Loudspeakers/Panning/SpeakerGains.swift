/// How loud each loudspeaker plays a plane; linear.
struct SpeakerGains: Sendable, Equatable {
  /// Gains as it is.
  var direct: [Double]
  /// Gains of what is decorrelated.
  var diffuse: [Double]

  /// Silence on `count` loudspeakers.
  init(count: Int) {
    direct = [Double](repeating: 0, count: count)
    diffuse = direct
  }
}
