// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Signal to noise in some subbands, after the start's ramp; silence counts against the loudest of the tracks that it is made of.
struct SubbandRatio {
  private let subbands: Range<Int>
  private let loudest: Double

  /// The ratio in `subbands` of what is mixed from `tracks`.
  init(_ subbands: Range<Int>, of tracks: [[Double]]) {
    self.subbands = subbands
    loudest =
      tracks.map { track in
        SubbandRatio.cut(track.map(Float.init), subbands).reduce(0.0) { $0 + Double($1 * $1) }
      }.max() ?? 0
  }

  /// `count` samples of the sum of `tracks` with `gains`.
  static func mix(_ tracks: [[Double]], _ gains: [Double], count: Int) -> [Float] {
    var sums = [Double](repeating: 0, count: count)
    for (track, gain) in zip(tracks, gains) where gain != 0 {
      for time in 0..<count { sums[time] += track[time] * gain }
    }
    return sums.map(Float.init)
  }

  /// The ratio in dB of `found` to what sets it apart from `wanted`.
  func decibels(_ found: [Float], _ wanted: [Float]) -> Double {
    let (one, two) = (SubbandRatio.cut(found, subbands), SubbandRatio.cut(wanted, subbands))
    let own = two.reduce(0.0) { $0 + Double($1 * $1) }
    let noise = zip(one, two).reduce(0.0) { $0 + pow(Double($1.0 - $1.1), 2) }
    return 10 * log10(max(own, loudest) / max(noise, 1e-30))
  }

  /// The subbands of the third to the fifth frame. The filter bank sees the whole signal, since a cut would spread what lies
  /// above.
  private static func cut(_ samples: [Float], _ subbands: Range<Int>) -> [Float] {
    let block = subbands.upperBound * 64
    let all = DecodedStream.subbands(samples, below: subbands.upperBound)
    return all[2 * block..<5 * block].enumerated()
      .filter { $0.offset % block / 64 >= subbands.lowerBound }.map(\.element)
  }
}
