/// A sum of tracks with gains and delays, which is what every ``SampleSource`` comes to.
package struct SampleTerms: Sendable, Equatable {
  /// One addend.
  package struct Term: Sendable, Equatable {
    /// Track of the file, from 0.
    package var track: Int
    /// Amplitude.
    package var gain: Double
    /// Delay in samples, at least 0.
    package var delay: Int
  }

  /// The longest delay that is accepted, in seconds.
  private static let longestDelay = 10.0
  /// Addends of one channel.
  private static let most = 65536

  /// The addends; none is silence.
  package private(set) var terms: [Term] = []

  /// The addends of `source` at `rate` Hz.
  /// - Throws: ``ADMError`` of code `limit` for delays of more than 10 s and more than 65,536 addends.
  package init(_ source: SampleSource, rate: Int) throws(ADMError) {
    try add(source, gain: 1, delay: 0, rate)
  }

  /// One track as it is.
  package init(track: Int) { terms = [Term(track: track, gain: 1, delay: 0)] }

  /// The longest delay, in samples.
  package var delay: Int { terms.map(\.delay).max() ?? 0 }

  private mutating func add(
    _ source: SampleSource, gain: Double, delay: Int, _ rate: Int
  ) throws(ADMError) {
    guard delay <= Int(SampleTerms.longestDelay * Double(rate)), terms.count < SampleTerms.most
    else {
      throw ADMError(
        .limit,
        "a matrix delays a channel by more than \(Int(SampleTerms.longestDelay)) s, or has more than "
          + "\(SampleTerms.most) addends")
    }
    switch source {
    case .silence: break
    case .track(let track): terms.append(Term(track: track, gain: gain, delay: delay))
    case .mix(let parts):
      for part in parts {
        let own = (part.delay * Double(rate) / 1000 - 0.5).rounded(.up)
        guard own < Double(Int32.max) else {
          throw ADMError(.limit, "a matrix delays a channel by \(part.delay) ms")
        }
        try add(part.source, gain: gain * part.gain, delay: delay + max(0, Int(own)), rate)
      }
    }
  }
}
