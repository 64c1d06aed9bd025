import Foundation

/// Signal to noise in a part of the subbands.
enum SubbandRatio {
  /// `count` samples of the sum of `tracks` with `gains`.
  static func mix(_ tracks: [[Double]], _ gains: [Double], count: Int) -> [Float] {
    (0..<count).map { time in
      Float(zip(tracks, gains).reduce(0.0) { $0 + $1.0[time] * $1.1 })
    }
  }

  /// Signal to noise in some subbands, after the start's ramp; silence counts against the tracks.
  static func of(
    _ found: [Float], _ wanted: [Float], _ subbands: Range<Int>, level: [[Double]]
  ) -> Double {
    let end = subbands.upperBound
    // The filter bank sees the whole signal, since a cut would spread what lies above.
    func cut(_ samples: [Float]) -> [Float] {
      let block = end * 64
      return DecodedStream.subbands(samples, below: end)[2 * block..<5 * block].enumerated()
        .filter { $0.offset % block / 64 >= subbands.lowerBound }.map(\.element)
    }
    let (one, two) = (cut(found), cut(wanted))
    let loudest = level.map { track in
      cut(track.map { Float($0) }).reduce(0.0) { $0 + Double($1 * $1) }
    }
    let own = two.reduce(0.0) { $0 + Double($1 * $1) }
    let noise = zip(one, two).reduce(0.0) { $0 + pow(Double($1.0 - $1.1), 2) }
    return 10 * log10(max(own, loudest.max() ?? 0) / max(noise, 1e-30))
  }
}
