// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// Finds the alignment of TEST with REF: cross-correlation by FFT over ±1 s on an excerpt, refined
/// in double precision.
package struct AlignmentSearch {
  private let excerpt: AlignmentExcerpt
  private let channels: Int
  private let length = AlignmentExcerpt.length
  private let reach: Int

  /// A search in an excerpt that is finished.
  package init(_ excerpt: AlignmentExcerpt) {
    self.excerpt = excerpt
    channels = excerpt.reference.channels
    reach = excerpt.reach
  }

  /// The lag and channel order that leave the least residual; lag 0 and the given order where they
  /// leave no more.
  package func find() -> Alignment {
    let none = Alignment.none(channels: channels)
    guard !excerpt.isEmpty else { return none }
    let peak = roughLag()
    var best = (lag: 0, residual: residual(at: 0))
    // A lag has to halve the residual, so that chance correlations don't count.
    let atZero = best.residual
    for lag in (peak - 2...peak + 2) where lag.magnitude <= reach {
      let left = residual(at: lag)
      if left < best.residual, left < 0.5 * atZero { best = (lag, left) }
    }
    return Alignment(lag: Int64(best.lag), sources: sources(at: best.lag))
  }

  /// The lag whose squared normalised correlation, each channel of REF with its best partner, is
  /// largest; of equal ones the one nearest to 0.
  private func roughLag() -> Int {
    let correlator = Correlator(lags: 2 * reach + 1)
    var best = [[Double]](
      repeating: [Double](repeating: 0, count: 2 * reach + 1), count: channels)
    for partner in 0..<channels {
      let plane = excerpt.test.channel(partner)
      correlator.loadTest(plane)
      for channel in 0..<channels where partners(of: channel).contains(partner) {
        guard excerptEnergy(channel) > 0 else { continue }
        let old = excerpt.reference.channel(channel)
        let sums = correlator.correlate(
          UnsafeMutableBufferPointer(rebasing: old[reach..<reach + length]))
        raise(&best[channel], sums, plane)
      }
    }
    let scores = (0..<2 * reach + 1).map { lag in best.reduce(0) { $0 + $1[lag] } }
    let highest = scores.max() ?? 0
    let candidates = scores.indices.filter { scores[$0] >= highest * (1 - 1e-7) }
    return (candidates.min { abs($0 - reach) < abs($1 - reach) } ?? reach) - reach
  }

  /// Channels of TEST that may hold REF's `channel`: all of them up to eight channels, else only
  /// the one in the same place, because the cost grows with the square.
  private func partners(of channel: Int) -> Range<Int> {
    channels <= 8 ? 0..<channels : channel..<channel + 1
  }

  /// Raises `best` to the explained energy of REF's channel at each lag.
  private func raise(
    _ best: inout [Double], _ correlation: [Float], _ plane: UnsafeMutableBufferPointer<Float>
  ) {
    var energy = 0.0
    for index in 0..<length { energy += Double(plane[index]) * Double(plane[index]) }
    let whole = plane.reduce(0.0) { $0 + Double($1) * Double($1) }
    guard whole > 0 else { return }
    for lag in best.indices {
      let value = Double(correlation[lag])
      // In a TEST that is nearly silent, rounding errors would look like correlation.
      let score = energy > 1e-6 * whole ? value * value / energy : 0
      if score > best[lag] { best[lag] = score }
      guard lag + 1 < best.count else { break }
      energy -= Double(plane[lag]) * Double(plane[lag])
      energy += Double(plane[lag + length]) * Double(plane[lag + length])
    }
  }

  private func excerptEnergy(_ channel: Int) -> Double { product(channel, nil, 0).own }

  /// Dot product of REF's channel with TEST's at a lag, and the energies of both.
  private func product(
    _ channel: Int, _ partner: Int?, _ lag: Int
  ) -> (cross: Double, own: Double, other: Double) {
    let old = excerpt.reference.channel(channel)
    var (cross, own, other) = (0.0, 0.0, 0.0)
    let new = partner.map { excerpt.test.channel($0) }
    for index in reach..<reach + length {
      let value = Double(old[index])
      own += value * value
      guard let new else { continue }
      let tested = Double(new[index + lag])
      cross += value * tested
      other += tested * tested
    }
    return (cross, own, other)
  }

  /// Share of the partner's energy that REF's channel doesn't explain, 0…1.
  private func unexplained(_ channel: Int, _ partner: Int, _ lag: Int) -> Double {
    let sums = product(channel, partner, lag)
    guard sums.own > 0, sums.other > 0 else { return sums.own == sums.other ? 0 : 1 }
    return max(0, 1 - sums.cross * sums.cross / (sums.own * sums.other))
  }

  /// Energy of REF's channels that stays unexplained at a lag, each with its best partner.
  private func residual(at lag: Int) -> Double {
    (0..<channels).reduce(0) { sum, channel in
      let energy = excerptEnergy(channel)
      guard energy > 0 else { return sum }
      let left = partners(of: channel).map { unexplained(channel, $0, lag) }.min() ?? 1
      return sum + energy * left
    }
  }

  /// Assigns the best pairs first. A channel keeps its own place unless another one leaves less
  /// than a tenth of its energy unexplained in comparison.
  private func sources(at lag: Int) -> [Int] {
    var result = Array(0..<channels)
    guard channels > 1, channels <= 8 else { return result }
    var pairs: [(left: Double, channel: Int, partner: Int)] = []
    for channel in 0..<channels where excerptEnergy(channel) > 0 {
      let own = unexplained(channel, channel, lag)
      for partner in 0..<channels {
        let left = unexplained(channel, partner, lag)
        if partner == channel || left < 0.1 * own { pairs.append((left, channel, partner)) }
      }
    }
    // Own places win ties, so they come first in a stable order.
    pairs.sort {
      ($0.left, $0.channel == $0.partner ? 0 : 1) < ($1.left, $1.channel == $1.partner ? 0 : 1)
    }
    var taken: Set<Int> = []
    var placed: Set<Int> = []
    for pair in pairs where !placed.contains(pair.channel) && !taken.contains(pair.partner) {
      result[pair.channel] = pair.partner
      placed.insert(pair.channel)
      taken.insert(pair.partner)
    }
    let free = result.indices.filter { !taken.contains($0) }
    for (channel, partner) in zip(result.indices.filter { !placed.contains($0) }, free) {
      result[channel] = partner
    }
    return result
  }
}

/// The lag of TEST against REF, and the order of its channels.
package struct Alignment: Sendable, Equatable {
  /// Samples by which TEST is late; negative where it is early.
  package var lag: Int64
  /// For each channel of REF the channel of TEST that holds it.
  package var sources: [Int]

  package init(lag: Int64, sources: [Int]) {
    self.lag = lag
    self.sources = sources
  }

  /// The alignment of a TEST without lag and with its channels in order.
  package static func none(channels: Int) -> Alignment {
    Alignment(lag: 0, sources: Array(0..<channels))
  }
}

/// Keeps the loudest stretch of two files that are read block by block: 131,072 samples of REF, and
/// as many of TEST with a second more on either side. Memory doesn't depend on the length of the
/// files.
package final class AlignmentExcerpt {
  /// Samples of REF that are looked for.
  static let length = 131_072
  /// Lags searched, either way, in samples: one second.
  let reach: Int
  /// REF from the same position as ``test``; only its middle is looked for.
  private(set) var reference: AudioBuffer
  private(set) var test: AudioBuffer
  private let oldWindow: AudioBuffer
  private let newWindow: AudioBuffer
  private var best = 0.0

  /// An excerpt of files in `format`.
  package init(format: AudioFormat) {
    reach = format.sampleRate
    let buffers = (0..<4).map { _ in AudioBuffer(channels: format.channels) }
    (reference, test) = (buffers[0], buffers[1])
    (oldWindow, newWindow) = (buffers[2], buffers[3])
    oldWindow.appendSilence(reach)
    newWindow.appendSilence(reach)
  }

  /// Whether there was anything but silence in both.
  var isEmpty: Bool { best <= 0 }

  private var window: Int { AlignmentExcerpt.length + 2 * reach }

  /// Adds the next `count` samples of both.
  package func add(_ old: AudioBuffer, _ new: AudioBuffer, count: Int) {
    oldWindow.append(old, range: 0..<count)
    newWindow.append(new, range: 0..<count)
    while oldWindow.frames >= window { consider() }
  }

  /// Considers the remaining samples; call once after the last one.
  package func finish() {
    repeat {
      let missing = max(0, window - oldWindow.frames)
      oldWindow.appendSilence(missing)
      newWindow.appendSilence(missing)
      consider()
    } while oldWindow.frames > 2 * reach
  }

  private func consider() {
    let middle = reach..<reach + AlignmentExcerpt.length
    let energy =
      AlignmentExcerpt.energy(oldWindow, middle)
      * AlignmentExcerpt.energy(newWindow, 0..<window)
    if energy > best {
      best = energy
      reference.removeAll()
      test.removeAll()
      reference.append(oldWindow, range: 0..<window)
      test.append(newWindow, range: 0..<window)
    }
    oldWindow.removeFirst(AlignmentExcerpt.length)
    newWindow.removeFirst(AlignmentExcerpt.length)
  }

  private static func energy(_ buffer: AudioBuffer, _ range: Range<Int>) -> Double {
    var sum = 0.0
    for channel in 0..<buffer.channels {
      let plane = buffer.channel(channel)
      for index in range { sum += Double(plane[index]) * Double(plane[index]) }
    }
    return sum
  }
}

/// Cross-correlation of a stretch of 131,072 samples with a longer one, by one transform that holds all of the longer one, so
/// that nothing wraps around.
private final class Correlator {
  private let lags: Int
  private let fft: SingleFFT
  /// The spectrum of the longer stretch.
  private let testReal, testImaginary: Buffer<Float>
  private let real, imaginary: Buffer<Float>

  /// A correlator for lags 0..<`lags`.
  init(lags: Int) {
    self.lags = lags
    var length = 4
    while length < AlignmentExcerpt.length + lags - 1 { length *= 2 }
    fft = SingleFFT(length: length)
    testReal = Buffer(aligned: length)
    testImaginary = Buffer(aligned: length)
    real = Buffer(aligned: length)
    imaginary = Buffer(aligned: length)
  }

  /// Loads the longer stretch.
  func loadTest(_ plane: UnsafeMutableBufferPointer<Float>) {
    transform(plane, into: testReal, testImaginary)
  }

  /// Σ `plane`[n] · test[n + lag] for every lag.
  func correlate(_ plane: UnsafeMutableBufferPointer<Float>) -> [Float] {
    transform(plane, into: real, imaginary)
    let (a, b, c, d) = (real.base, imaginary.base, testReal.base, testImaginary.base)
    let scale = 1 / Float(fft.length)
    // The conjugate of `plane`'s spectrum times that of the test.
    for bin in 0..<fft.length {
      let (re, im) = (a[bin], b[bin])
      a[bin] = scale * (re * c[bin] + im * d[bin])
      b[bin] = scale * (re * d[bin] - im * c[bin])
    }
    // An inverse transform: the parts are exchanged.
    fft.transform(b, a)
    return Array(UnsafeBufferPointer(start: a, count: lags))
  }

  private func transform(
    _ plane: UnsafeMutableBufferPointer<Float>, into real: Buffer<Float>,
    _ imaginary: Buffer<Float>
  ) {
    real.fill(0)
    imaginary.fill(0)
    guard let base = plane.baseAddress else { return }
    real.base.update(from: base, count: min(plane.count, fft.length))
    fft.transform(real.base, imaginary.base)
  }
}
