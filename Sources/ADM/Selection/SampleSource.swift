/// Where the samples of a channel come from.
package indirect enum SampleSource: Sendable, Equatable {
  /// One term of a mix.
  package struct Term: Sendable, Equatable {
    package var gain: Double
    /// Delay in milliseconds; samples are ⌈delay · rate / 1000 − ½⌉.
    package var delay: Double
    package var source: SampleSource
  }

  /// A track of the file, from 0.
  case track(Int)
  /// Silence.
  case silence
  /// A sum.
  case mix([Term])

  /// Adds the tracks that are needed.
  func collectTracks(into tracks: inout Set<Int>) {
    switch self {
    case .track(let track): tracks.insert(track)
    case .silence: break
    case .mix(let terms): for term in terms { term.source.collectTracks(into: &tracks) }
    }
  }
}
