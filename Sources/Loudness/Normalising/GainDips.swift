// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Short dips in the gain that lower single peaks of a programme, the same for all channels.
///
/// A dip holds its depth for 1.3 ms on each side of its peak and fades over 5 ms, in the form of a raised
/// cosine. Of dips that overlap, the deepest one counts. Outside them the sound stays as it is, bit for bit.
package struct GainDips: Sendable, Equatable {
  private struct Dip: Sendable, Equatable {
    let center: Int64
    var depthDB: Double
  }

  private let hold: Int64
  private let fade: Int64
  private let sampleRate: Int
  /// In the order of their centres.
  private var dips: [Dip] = []

  /// No dips in a programme of `sampleRate` Hz.
  package init(sampleRate: Int) {
    self.sampleRate = sampleRate
    hold = Int64(max(16, sampleRate / 750))
    fade = Int64(max(32, sampleRate / 200))
  }

  /// Whether there are none.
  package var isEmpty: Bool { dips.isEmpty }

  /// The deepest of all dips in dB, not below 0.
  package var deepestDB: Double { dips.map(\.depthDB).max() ?? 0 }

  /// The samples that a dip at sample `center` changes.
  package func reach(of center: Int64) -> Range<Int64> {
    center - hold - fade + 1..<center + hold + fade
  }

  /// Lowers the gain at sample `center` by `depthDB` dB, above 0, unless it is that low already.
  package mutating func lower(at center: Int64, toDepth depthDB: Double) {
    let place = dips.firstIndex { $0.center >= center } ?? dips.endIndex
    if place < dips.endIndex, dips[place].center == center {
      dips[place].depthDB = max(dips[place].depthDB, depthDB)
    } else {
      dips.insert(Dip(center: center, depthDB: depthDB), at: place)
    }
  }

  /// By how many dB the gain is lowered at sample `position`, not below 0.
  package func depthDB(at position: Int64) -> Double {
    let gain = near(position..<position + 1).map { factor(of: $0, at: position) }.min() ?? 1
    return gain < 1 ? -Decibels.level(gain) : 0
  }

  /// Lowers the peaks in `buffer`, whose first sample is number `start`.
  package func apply(to buffer: AudioBuffer, from start: Int64) {
    let range = start..<start + Int64(buffer.frames)
    let touching = near(range)
    guard !touching.isEmpty else { return }
    var gains = [Float](repeating: 1, count: buffer.frames)
    for dip in touching {
      for position in reach(of: dip.center).clamped(to: range) {
        let index = Int(position - start)
        gains[index] = min(gains[index], Float(factor(of: dip, at: position)))
      }
    }
    for channel in 0..<buffer.channels {
      let plane = buffer.channel(channel)
      for index in 0..<plane.count where gains[index] < 1 { plane[index] *= gains[index] }
    }
  }

  /// `reductions`, the largest gain reduction in each 100 ms in dB, with that of the dips added.
  package func added(to reductions: [Double]?) -> [Double]? {
    guard !dips.isEmpty else { return reductions }
    var all = reductions ?? []
    let length = Int64(LoudnessMeter.stepLength(at: sampleRate))
    for (step, depth) in deepest(in: length) {
      while all.count <= step { all.append(0) }
      all[step] += depth
    }
    return all
  }

  private func deepest(in length: Int64) -> [Int: Double] {
    dips.reduce(into: [:]) { all, dip in
      let step = Int(max(0, dip.center) / length)
      all[step] = max(all[step] ?? 0, dip.depthDB)
    }
  }

  /// The dips that reach into `range`.
  private func near(_ range: Range<Int64>) -> ArraySlice<Dip> {
    let reach = hold + fade
    func first(from position: Int64) -> Int {
      var low = 0
      var high = dips.count
      while low < high {
        let middle = (low + high) / 2
        if dips[middle].center < position { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let begin = first(from: range.lowerBound - reach + 1)
    return dips[begin..<max(begin, first(from: range.upperBound + reach - 1))]
  }

  private func factor(of dip: Dip, at position: Int64) -> Double {
    let distance = (position - dip.center).magnitude
    let outside = Double(distance) - Double(hold)
    guard outside < Double(fade) else { return 1 }
    let weight = outside <= 0 ? 1 : 0.5 + 0.5 * cos(.pi * outside / Double(fade))
    return 1 - (1 - Decibels.amplitude(-dip.depthDB)) * weight
  }
}
