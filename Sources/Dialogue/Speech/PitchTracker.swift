// SPDX-License-Identifier: Apache-2.0
import Signal

/// Finds the pitch of each frame, once what stays for 0.3 s on each side has been taken off its spectrum.
///
/// A held tone, a chord, hum and noise stay in a bin; a speaking voice leaves it. The mean of 1/√power leans to the minima, so that
/// the voice itself hardly counts.
final class PitchTracker {
  /// Pitch of a frame.
  struct Pitch {
    /// Peak of the autocorrelation, 1 at lag 0; 0 where it lies above 400 Hz, as no voice does.
    var height = 0.0
    /// Its lag in decimated samples.
    var lag = 1.0
  }

  /// Frames on each side that what stays is found in.
  static let reach = 15
  /// Rows that are kept: the frames on both sides, eight that are worked on at once, and eight that arrive at once.
  private static let rows = 48
  /// How much of the steady part is taken off; its mean lies some 3 dB below that of noise.
  private static let removed: Float = 2
  /// Part of the power that stays at least, −20 dB: no holes.
  private static let kept: Float = 0.01
  /// How much a peak at the longest lag must exceed one at the shortest: no octave errors downwards.
  private static let shorterWins = 0.08

  private let spectra: FrameSpectra
  private let sampleRate: Double
  /// The bins that pitch is looked for in: above 80 and below 3000 Hz.
  private let bins: Range<Int>
  /// Vectors of a row.
  private let width: Int
  private let powers: Buffer<SIMD8<Float>>
  /// 1/√power of the same rows.
  private let roots: Buffer<SIMD8<Float>>
  private let lags: Range<Int>
  /// Frames that arrived, and frames whose pitch is known.
  private var arrived = 0
  private var found = 0

  /// A tracker of signals of `sampleRate` Hz (decimated) in windows of `length` samples.
  init(sampleRate: Double, length: Int) {
    spectra = FrameSpectra(length: length)
    self.sampleRate = sampleRate
    let inside = (0..<spectra.bins).filter { bin in
      let frequency = Double(bin) * sampleRate / Double(length)
      return frequency > 80 && frequency < 3000
    }
    bins = (inside.first ?? 0)..<((inside.last ?? -1) + 1)
    width = (bins.count + 7) / 8
    powers = Buffer(SIMD8(repeating: 1), count: PitchTracker.rows * width)
    roots = Buffer(SIMD8(repeating: 1), count: PitchTracker.rows * width)
    // Instruments are looked for up to 800 Hz, so that they aren't taken for a voice an octave lower.
    lags = Int(sampleRate / 800)..<Int(sampleRate / 70) + 1
  }

  /// Bytes of the rows.
  var bytesKept: Int { 2 * PitchTracker.rows * width * MemoryLayout<SIMD8<Float>>.stride }

  /// Takes the powers of the next `count` frames, and calls `use` with each pitch that can be found by now, in order.
  func add(_ spectrum: Buffer<SIMD8<Float>>, count: Int, _ use: (Pitch) -> Void) {
    let from = plane(spectrum) + 8 * bins.lowerBound
    for lane in 0..<count {
      let row = arrived % PitchTracker.rows * width
      let to = plane(powers) + 8 * row
      for index in 0..<bins.count { to[index] = from[8 * index + lane] }
      for chunk in row..<row + width {
        roots.base[chunk] = 1 / powers.base[chunk].squareRoot()
      }
      arrived += 1
    }
    while arrived >= found + ParallelFFT.lanes + PitchTracker.reach {
      track(ParallelFFT.lanes, use)
    }
  }

  /// Finds the pitch of the frames that are left.
  func finish(_ use: (Pitch) -> Void) {
    while found < arrived { track(min(ParallelFFT.lanes, arrived - found), use) }
  }

  private func plane(_ buffer: Buffer<SIMD8<Float>>) -> UnsafeMutablePointer<Float> {
    UnsafeMutableRawPointer(buffer.base).assumingMemoryBound(to: Float.self)
  }

  private func track(_ count: Int, _ use: (Pitch) -> Void) {
    for lane in 0..<count { loadMoving(found + lane, lane) }
    spectra.correlate()
    for lane in 0..<count { use(pitch(lane)) }
    found += count
  }

  /// Puts the root of a frame's power without the steady part into a lane.
  private func loadMoving(_ frame: Int, _ lane: Int) {
    let first = max(0, frame - PitchTracker.reach)
    let count = min(arrived - 1, frame + PitchTracker.reach) - first + 1
    // Rows lie in a ring: those up to its end, then those from its beginning on.
    let place = first % PitchTracker.rows
    let untilEnd = min(count, PitchTracker.rows - place)
    let (older, newer) = (roots.base + place * width, roots.base)
    let row = powers.base + frame % PitchTracker.rows * width
    let inputs = plane(spectra.inputs) + 8 * bins.lowerBound + lane
    for chunk in 0..<width {
      var sum = SIMD8<Float>()
      for other in 0..<untilEnd { sum += older[other * width + chunk] }
      for other in 0..<count - untilEnd { sum += newer[other * width + chunk] }
      let root = sum / Float(count)
      let steady = 1 / (root * root)
      let least = row[chunk] * PitchTracker.kept
      let rest = row[chunk] - steady * PitchTracker.removed
      let moving = rest.replacing(with: least, where: rest .< least).squareRoot()
      for index in 0..<min(8, bins.count - 8 * chunk) {
        inputs[8 * (8 * chunk + index)] = moving[index]
      }
    }
  }

  /// The pitch of the frame in `lane`: the highest peak, of equal ones that with the shorter lag, refined by a parabola.
  private func pitch(_ lane: Int) -> Pitch {
    let norm = Double(spectra.correlation(0, lane)) + 1e-15
    var best = (lag: lags.lowerBound, height: 0.0, value: -Double.infinity)
    for lag in lags {
      let height = Double(spectra.correlation(lag, lane)) / norm
      let place = Double(lag - lags.lowerBound) / Double(lags.count)
      let value = height - PitchTracker.shorterWins * place
      if value > best.value { best = (lag, height, value) }
    }
    let before = Double(spectra.correlation(best.lag - 1, lane))
    let peak = Double(spectra.correlation(best.lag, lane))
    let after = Double(spectra.correlation(best.lag + 1, lane))
    let bend = before - 2 * peak + after
    let offset = bend < 0 ? 0.5 * (before - after) / bend : 0
    let lag = Double(best.lag) + min(0.5, max(-0.5, offset))
    return Pitch(height: lag < sampleRate / 400 ? 0 : best.height, lag: lag)
  }
}
