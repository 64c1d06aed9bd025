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

  /// The largest difference of any level in another fingerprint from this one, in dB, and where it
  /// is. Seconds that one of them lacks count as silence. Octaves 30 dB and more below their
  /// second's loudest are ignored, and so is what is at −70 dB or below in both.
  package func distance(to other: AudioFingerprint) -> (decibels: Double, place: String) {
    var worst = (decibels: 0.0, place: "")
    for (what, one, two, depth) in [
      ("channel", channels, other.channels, 200.0), ("octave", octaves, other.octaves, 30.0),
    ] {
      for second in 0..<max(one.count, two.count) {
        let a = second < one.count ? one[second] : []
        let b = second < two.count ? two[second] : []
        let loudest = (a + b).max() ?? AudioFingerprint.silence
        for index in 0..<max(a.count, b.count) {
          let x = index < a.count ? a[index] : AudioFingerprint.silence
          let y = index < b.count ? b[index] : AudioFingerprint.silence
          guard max(x, y) > max(loudest - depth, -70) else { continue }
          if (x - y).magnitude > worst.decibels {
            worst = ((x - y).magnitude, "\(what) \(index + 1) in second \(second)")
          }
        }
      }
    }
    return worst
  }
}
