/// How quickly a ``TruePeakLimiter`` reacts and releases.
///
/// ``gentle`` is inaudible on most programmes. Where dense or pulsed sound can't reach its loudness
/// with it, because every peak pulls the sound around it down too, the normaliser moves on to the
/// next, which touches less of the sound at the price of more distortion.
package enum LimiterResponse: String, Sendable, CaseIterable, Codable {
  /// About 5 ms of look-ahead, 100 ms of release.
  case gentle
  /// About 1 ms of look-ahead, 10 ms of release.
  case fast
  /// About 0.3 ms of look-ahead, 1 ms of release: close to a clipper.
  case hard

  /// Half the length of the smoothing window in samples at `sampleRate` Hz.
  func halfWindow(at sampleRate: Int) -> Int {
    switch self {
    case .gentle: return max(8, sampleRate / 400)
    case .fast: return max(8, sampleRate / 2000)
    case .hard: return 8
    }
  }

  /// Samples before a peak over which a limiter at `sampleRate` Hz may already lower the gain, however it reacts.
  package static func longestLookAhead(at sampleRate: Int) -> Int {
    2 * gentle.halfWindow(at: sampleRate) + 2 * GainEnvelope.hold
  }

  /// Release time constant in seconds.
  var release: Double {
    switch self {
    case .gentle: return 0.1
    case .fast: return 0.01
    case .hard: return 0.001
    }
  }
}
