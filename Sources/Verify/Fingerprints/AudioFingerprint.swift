/// Levels of a programme second by second, small enough to keep as text.
package struct AudioFingerprint: Sendable, Codable, Equatable {
  /// Levels below this count as silence, dB re full scale.
  package static let silence = -90.0
  /// RMS level of each channel in dB re a full-scale sine, for each second.
  package var channels: [[Double]] = []
  /// Level of all channels in octaves from 63 Hz to 16 kHz, for each second.
  package var octaves: [[Double]] = []

  /// A fingerprint of no samples.
  package init() {}

  /// The largest difference of any level in another fingerprint from this one, in dB, and where it
  /// is. Seconds that one of them lacks count as silence. Octaves 30 dB and more below their
  /// second's loudest are ignored, and so is what is at −70 dB or below in both.
  package func distance(to other: AudioFingerprint) -> (decibels: Double, place: String) {
    var worst = (decibels: 0.0, place: "")
    for (what, one, two, depth) in [
      ("channel", channels, other.channels, 200.0), ("octave", octaves, other.octaves, 30.0),
    ] {
      for second in 0..<max(one.count, two.count) {
        let a = second < one.count ? one[second] : []
        let b = second < two.count ? two[second] : []
        let loudest = (a + b).max() ?? AudioFingerprint.silence
        for index in 0..<max(a.count, b.count) {
          let x = index < a.count ? a[index] : AudioFingerprint.silence
          let y = index < b.count ? b[index] : AudioFingerprint.silence
          guard max(x, y) > max(loudest - depth, -70) else { continue }
          if (x - y).magnitude > worst.decibels {
            worst = ((x - y).magnitude, "\(what) \(index + 1) in second \(second)")
          }
        }
      }
    }
    return worst
  }
}
