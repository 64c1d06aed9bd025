// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// Takes the fingerprint of a stream; its memory grows by one row a second only.
package final class FingerprintBuilder {
  private let format: AudioFormat
  private let analyzer: SpectralAnalyzer
  private var print = AudioFingerprint()
  private var sums: [Double]
  private var filled = 0
  private var bands: FrequencyBands?
  private var powers = [Double](repeating: 0, count: 9)
  private var frames = 0

  /// A builder for audio in `format`.
  package init(format: AudioFormat) {
    self.format = format
    analyzer = SpectralAnalyzer(format: format)
    sums = [Double](repeating: 0, count: format.channels)
  }

  /// Adds the next samples.
  package func add(_ block: AudioBuffer) {
    var start = 0
    while start < block.frames {
      let count = min(block.frames - start, format.sampleRate - filled)
      for channel in 0..<block.channels {
        let plane = block.channel(channel)
        var sum = 0.0
        for index in start..<start + count { sum += Double(plane[index]) * Double(plane[index]) }
        sums[channel] += sum
      }
      start += count
      filled += count
      if filled == format.sampleRate { closeLevels() }
    }
    analyzer.add(block, block, count: block.frames) { frame in addOctaves(frame) }
  }

  /// The fingerprint of all samples; call once, after the last.
  package func fingerprint() -> AudioFingerprint {
    if filled > 0 { closeLevels() }
    if frames > 0 { closeOctaves() }
    return print
  }

  /// Averages over a whole second even at the end, so that a shorter last second counts as quieter.
  private func closeLevels() {
    let scale = 2 / Double(format.sampleRate)
    print.channels.append(sums.map { FingerprintBuilder.level($0 * scale) })
    for index in sums.indices { sums[index] = 0 }
    filled = 0
  }

  private func addOctaves(_ frame: SpectralFrame) {
    // 44.2 Hz is the lower edge of the octave around 62.5 Hz.
    let edges = (0...9).map { step in
      (0..<step).reduce(44.2) { value, _ in value * 2 }
    }
    let bands = bands ?? FrequencyBands(edges: edges, spacing: frame.spacing, bins: frame.bins)
    self.bands = bands
    for channel in 0..<frame.channels {
      let (re, im) = frame.reference(channel)
      for (index, band) in bands.bands.enumerated() {
        for bin in band.bins { powers[index] += Double(re[bin] * re[bin] + im[bin] * im[bin]) }
      }
    }
    frames += 1
    if frames == SpectralAnalyzer.framesPerSecond { closeOctaves() }
  }

  private func closeOctaves() {
    let scale = 1 / Double(SpectralAnalyzer.framesPerSecond)
    let count = bands?.bands.count ?? 0
    print.octaves.append(powers.prefix(count).map { FingerprintBuilder.level($0 * scale) })
    for index in powers.indices { powers[index] = 0 }
    frames = 0
  }

  private static func level(_ power: Double) -> Double {
    let level = max(AudioFingerprint.silence, Decibels.boundedLevel(power: power, over: 1))
    return (level * 10).rounded() / 10
  }
}

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

  /// The largest difference of any level in `other` from this one. Seconds that one of them lacks count as silence.
  /// Octaves 30 dB and more below their second's loudest are ignored, and so is what is at −70 dB or below in both.
  package func distance(to other: AudioFingerprint) -> Distance {
    let rows = [
      Row(isOctave: false, one: channels, two: other.channels, depth: 200),
      Row(isOctave: true, one: octaves, two: other.octaves, depth: 30),
    ]
    return rows.compactMap(\.worst).reduce(Distance()) { $1.decibels > $0.decibels ? $1 : $0 }
  }

  /// How far and where two fingerprints differ most.
  package struct Distance: Sendable, Equatable {
    /// The largest difference in dB, from 0.
    package var decibels = 0.0
    /// `louder` or `quieter`, and when and where: `quieter from 0:12 on, around 125 Hz`.
    package var words = ""
  }

  /// Levels of one kind in two fingerprints, for each second.
  private struct Row {
    let isOctave: Bool
    let one: [[Double]]
    let two: [[Double]]
    /// Levels so far below their second's loudest are ignored, in dB.
    let depth: Double

    /// The largest difference; `nil` where all are equal.
    var worst: Distance? {
      var worst = (difference: 0.0, second: 0, index: 0)
      for second in 0..<seconds {
        for index in 0..<max(levels(one, second).count, levels(two, second).count) {
          let difference = difference(second, index)
          if difference.magnitude > worst.difference.magnitude {
            worst = (difference, second, index)
          }
        }
      }
      guard worst.difference != 0 else { return nil }
      let word = worst.difference > 0 ? "louder" : "quieter"
      let place = isOctave ? "around \(frequency(worst.index))" : "in channel \(worst.index + 1)"
      let time = time(around: worst.second, worst.index, worst.difference)
      return Distance(decibels: worst.difference.magnitude, words: "\(word) \(time), \(place)")
    }

    private var seconds: Int { max(one.count, two.count) }

    private func levels(_ side: [[Double]], _ second: Int) -> [Double] {
      second < side.count ? side[second] : []
    }

    /// By how much the second fingerprint is louder there; 0 where that is ignored.
    private func difference(_ second: Int, _ index: Int) -> Double {
      let (a, b) = (levels(one, second), levels(two, second))
      let loudest = (a + b).max() ?? AudioFingerprint.silence
      let x = index < a.count ? a[index] : AudioFingerprint.silence
      let y = index < b.count ? b[index] : AudioFingerprint.silence
      return max(x, y) > max(loudest - depth, -70) ? y - x : 0
    }

    /// The time around `second` in which the difference is at least half of `worst`.
    private func time(around second: Int, _ index: Int, _ worst: Double) -> String {
      func isLarge(_ second: Int) -> Bool { difference(second, index) / worst >= 0.5 }
      var (first, last) = (second, second)
      while first > 0, isLarge(first - 1) { first -= 1 }
      while last + 1 < seconds, isLarge(last + 1) { last += 1 }
      if last + 1 == seconds { return first == 0 ? "throughout" : "from \(clock(first)) on" }
      return first == last ? "at \(clock(first))" : "from \(clock(first)) to \(clock(last + 1))"
    }

    private func clock(_ second: Int) -> String {
      "\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)"
    }

    /// The middle of an octave (IEC 61260-1), of which the first is that of 63 Hz.
    private func frequency(_ octave: Int) -> String {
      let middles = [
        "63 Hz", "125 Hz", "250 Hz", "500 Hz", "1 kHz", "2 kHz", "4 kHz", "8 kHz", "16 kHz",
      ]
      return octave < middles.count ? middles[octave] : "octave \(octave + 1)"
    }
  }
}
