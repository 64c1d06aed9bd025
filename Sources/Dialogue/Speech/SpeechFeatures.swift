// SPDX-License-Identifier: Apache-2.0
import Signal

/// Two numbers for each frame of 20 ms of a signal.
package struct SpeechFrames: Sendable, Equatable {
  /// How much the second around each frame is like speech: at least 0.20 in passages that count as certain.
  package internal(set) var scores: [Double] = []
  /// Power in 200 to 3150 Hz, the band of a telephone, as a mean square; 1e−10 per bin in silence.
  package internal(set) var powers: [Double] = []

  /// No frames.
  package init() {}

  /// Number of frames: whole 20 ms of the signal.
  package var count: Int { powers.count }

  /// Bytes of memory that both lists occupy.
  package var bytesKept: Int {
    (scores.capacity + powers.capacity) * MemoryLayout<Double>.stride
  }

  /// Appends to a list that grows by a quarter: doubling would keep up to 32 bytes for each frame, and more while it copies.
  static func append(_ value: Double, to list: inout [Double]) {
    if list.count == list.capacity { list.reserveCapacity(list.count + list.count / 4 + 1024) }
    list.append(value)
  }
}

/// Measures how much each frame of a signal is like speech: how often its pitch glides and how fast its spectrum changes shape,
/// both within a second around it.
///
/// A frame's figures depend on the samples within 0.95 s alone, so they have the same bits however the signal is cut and
/// wherever it begins. Samples are finite. Memory doesn't grow beside the ``SpeechFrames``. Not thread-safe; one owner at a time.
package final class SpeechFeatures {
  /// Frames on each side of the window that glides and changes of shape are counted in: 1.02 s in all.
  static let reach = 25
  /// Part of gliding frames for which one dB per 40 ms of change of shape counts. This and ``bias`` were set once by
  /// logistic regression on freely licensed speech and music.
  private static let shapeWeight = 0.08
  /// Largest change of shape that counts: what changes faster rattles or beeps.
  private static let shapeCap = 4.5
  private static let bias = 0.48

  private let windows: FrameWindows
  private let spectra: FrameSpectra
  private let tracker: PitchTracker
  private let bands: SpectralBands
  private var glides = GlideCounter()
  private var frames = SpeechFrames()
  private var glideRing = FrameRing(0.0)
  private var shapeRing = FrameRing(0.0)
  private var levels = FrameRing(SIMD16<Double>())

  /// Features of a signal of `sampleRate` Hz, 8000 or more.
  package init(sampleRate: Int) {
    windows = FrameWindows(sampleRate: sampleRate)
    spectra = FrameSpectra(length: windows.length)
    tracker = PitchTracker(sampleRate: windows.sampleRate, length: windows.length)
    bands = SpectralBands(sampleRate: windows.sampleRate, length: windows.length)
  }

  /// Bytes kept for the frames so far; nothing else grows.
  package var bytesKept: Int { frames.bytesKept }

  /// Takes the next `count` samples.
  package func add(_ samples: UnsafePointer<Float>, count: Int) {
    windows.add(samples, count: count) { take($0, $1) }
  }

  /// The features of all frames. Call once, after the last sample.
  package func finish() -> SpeechFrames {
    windows.finish { take($0, $1) }
    tracker.finish { note($0) }
    glides.finish(windows.frames) { glideRing.append($0) }
    score(upTo: windows.frames)
    return frames
  }

  private func take(_ samples: UnsafePointer<Float>, _ offsets: [Int]) {
    spectra.analyse(samples, offsets)
    for lane in offsets.indices {
      let (levels, power) = bands.measure(spectra.powers, lane)
      SpeechFrames.append(power, to: &frames.powers)
      shapeRing.append(change(to: levels))
      self.levels.append(levels)
    }
    tracker.add(spectra.powers, count: offsets.count) { note($0) }
  }

  private func note(_ pitch: PitchTracker.Pitch) {
    glides.add(pitch) { glideRing.append($0) }
    // A frame is complete when all frames of its window are.
    score(upTo: glideRing.count - SpeechFeatures.reach)
  }

  /// Mean change in dB of the bands' levels over 40 ms, whatever the level of all.
  private func change(to levels: SIMD16<Double>) -> Double {
    let frame = self.levels.count
    guard frame >= 2 else { return 0 }
    let before = self.levels[frame - 2]
    var sum = 0.0
    for band in 0..<16 { sum += (levels[band] - before[band]).magnitude }
    return sum / 16
  }

  private func score(upTo end: Int) {
    var frame = frames.scores.count
    while frame < end {
      let first = max(0, frame - SpeechFeatures.reach)
      let last = min(glideRing.count - 1, frame + SpeechFeatures.reach)
      var (moving, shape) = (0.0, 0.0)
      for other in first...last {
        moving += glideRing[other]
        shape += shapeRing[other]
      }
      let count = Double(last - first + 1)
      let change = min(shape / count, SpeechFeatures.shapeCap)
      SpeechFrames.append(
        moving / count + SpeechFeatures.shapeWeight * change - SpeechFeatures.bias,
        to: &frames.scores)
      frame += 1
    }
  }
}

/// Counts frames whose pitch glides, as it does in speech: by 0.3 to 2 semitones in 20 ms. Less is a held note, more a new
/// note or an error.
struct GlideCounter {
  /// Least height of a voiced frame's peak.
  private static let voiced = 0.30
  /// Ratios of lags of 0.3 and 2 semitones.
  private static let least = 1.01748
  private static let most = 1.12246
  /// Frames on each side after which the pitch of a vibrato of 5 to 7 Hz is back within 0.4 semitones.
  private static let swing = 4
  private static let back = 1.0234

  private var pitches = FrameRing(PitchTracker.Pitch())
  private var decided = 0

  /// Takes the pitch of the next frame, and hands on 1 or 0 for each frame that can be decided by now.
  mutating func add(_ pitch: PitchTracker.Pitch, _ use: (Double) -> Void) {
    pitches.append(pitch)
    while decided + GlideCounter.swing < pitches.count { decide(use) }
  }

  /// Hands on the rest of `total` frames.
  mutating func finish(_ total: Int, _ use: (Double) -> Void) {
    while decided < total { decide(use) }
  }

  private mutating func decide(_ use: (Double) -> Void) {
    let frame = decided
    decided += 1
    guard frame > 0, let moved = ratio(frame - 1, frame), moved > GlideCounter.least,
      moved < GlideCounter.most
    else { return use(0) }
    let (before, after) = (frame - GlideCounter.swing, frame + GlideCounter.swing)
    if before >= 0, after < pitches.count, let apart = ratio(before, after),
      apart < GlideCounter.back
    {
      return use(0)
    }
    use(1)
  }

  /// Ratio of the lags of two voiced frames, at least 1; `nil` unless both are voiced.
  private func ratio(_ one: Int, _ other: Int) -> Double? {
    let (first, second) = (pitches[one], pitches[other])
    guard first.height > GlideCounter.voiced, second.height > GlideCounter.voiced else {
      return nil
    }
    let ratio = second.lag / first.lag
    return ratio < 1 ? 1 / ratio : ratio
  }
}

/// Levels of the 16 critical bands from 100 to 3700 Hz.
struct SpectralBands {
  private static let edges = [
    100, 200, 300, 400, 510, 630, 770, 920, 1080, 1270, 1480, 1720, 2000, 2320, 2700, 3150, 3700,
  ]
  /// Bins of each band.
  private let bins: [Range<Int>]

  /// Bands of spectra of windows of `length` samples at `sampleRate` Hz.
  init(sampleRate: Double, length: Int) {
    let starts = SpectralBands.edges.map { edge in
      (0...length / 2).first { Double($0) * sampleRate / Double(length) >= Double(edge) }
        ?? length / 2 + 1
    }
    bins = zip(starts, starts.dropFirst()).map { $0..<$1 }
  }

  /// The levels of the frame in `lane` in dB, less their mean, and its power from 200 to 3150 Hz.
  func measure(_ spectrum: Buffer<SIMD8<Float>>, _ lane: Int) -> (SIMD16<Double>, Double) {
    var levels = SIMD16<Double>()
    var (power, mean) = (0.0, 0.0)
    for (band, bins) in bins.enumerated() {
      var sum = 0.0
      for bin in bins { sum += Double(spectrum.base[bin][lane]) }
      if (1...14).contains(band) { power += sum }
      levels[band] = PlainMaths.decibels(power: sum)
      mean += levels[band]
    }
    return (levels - mean / 16, power)
  }
}

/// The newest values of a list that gets one for each frame: as many as any window here reaches back, and those that arrive
/// before they are looked at.
struct FrameRing<Value> {
  private static var size: Int { 128 }

  /// Number of values so far.
  private(set) var count = 0
  private var values: [Value]

  /// An empty ring; `empty` fills its memory.
  init(_ empty: Value) { values = Array(repeating: empty, count: FrameRing.size) }

  /// The value of `frame`, one of the last 128.
  subscript(frame: Int) -> Value { values[frame % FrameRing.size] }

  mutating func append(_ value: Value) {
    values[count % FrameRing.size] = value
    count += 1
  }
}
