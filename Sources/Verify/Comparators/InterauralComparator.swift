// SPDX-License-Identifier: Apache-2.0
import Platform

/// Compares interaural cues: level, time and coherence between two channels, per ERB band (Glasberg
/// and Moore) from 100 Hz to 16 kHz and per second.
package struct InterauralComparator: LayerComparator {
  /// Cues of one band.
  private struct Cues {
    var level = 0.0
    var time = 0.0
    var coherence = 0.0
    var power = 0.0
  }

  /// Powers and cross spectrum of one file.
  private struct Sums {
    var left: [Double]
    var right: [Double]
    var re: [Double]
    var im: [Double]

    init(_ bins: Int) {
      left = [Double](repeating: 0, count: bins)
      (right, re, im) = (left, left, left)
    }

    mutating func add(
      _ frame: SpectralFrame,
      _ spectrum: (Int) -> (re: UnsafeMutablePointer<Float>, im: UnsafeMutablePointer<Float>)
    ) {
      let (l, r) = (spectrum(0), spectrum(1))
      for bin in 0..<frame.bins {
        let (a, b) = (Double(l.re[bin]), Double(l.im[bin]))
        let (c, d) = (Double(r.re[bin]), Double(r.im[bin]))
        left[bin] += a * a + b * b
        right[bin] += c * c + d * d
        re[bin] += a * c + b * d
        im[bin] += b * c - a * d
      }
    }
  }

  /// Largest delay searched, in seconds, and the number of steps to either side.
  private static let reach = 1e-3
  private static let steps = 50

  private var bands: FrequencyBands?
  private var spacing = 0.0
  private var bins = 0
  private var old = Sums(0)
  private var new = Sums(0)
  private var pending = 0
  private var level = 0.0
  private var time = 0.0
  private var coherence = 0.0
  private var counted = 0.0
  private var timed = 0.0

  /// A comparator that has seen nothing yet.
  package init() {}

  /// Adds the spectra of one stretch of two channels.
  package mutating func add(_ frame: SpectralFrame) {
    guard frame.channels == 2 else { return }
    if bands == nil {
      bands = .erb(spacing: frame.spacing, bins: frame.bins)
      (spacing, bins) = (frame.spacing, frame.bins)
      (old, new) = (Sums(bins), Sums(bins))
    }
    old.add(frame, frame.reference)
    new.add(frame, frame.test)
    pending += 1
    if pending == SpectralAnalyzer.framesPerSecond { close() }
  }

  /// Compares the second that ends here; call once after the last spectra.
  package mutating func finish() { if pending > 0 { close() } }

  private mutating func close() {
    guard let bands else { return }
    let rows = bands.bands.map { band in
      (
        band, InterauralComparator.cues(old, band, spacing),
        InterauralComparator.cues(new, band, spacing)
      )
    }
    let loudest = rows.map { $0.1.power }.max() ?? 0
    // A band 60 dB below the loudest or below −90 dB re full scale doesn't help to locate a sound.
    let floor = max(loudest * 1e-6, 1e-9 * Double(pending))
    for (band, one, other) in rows where one.power > floor {
      counted += 1
      level += (other.level - one.level).magnitude
      coherence += (other.coherence - one.coherence).magnitude
      // Ears compare the fine structure up to about 1.5 kHz, and without coherence a delay is
      // arbitrary.
      guard band.high < 1500, one.coherence > 0.5 else { continue }
      timed += 1
      // A delay is known only up to one period of the band.
      let period = 1 / band.center
      var off = (other.time - one.time).magnitude
      off = min(off, (period - off).magnitude)
      time += off
    }
    pending = 0
    (old, new) = (Sums(bins), Sums(bins))
  }

  private static func cues(_ sums: Sums, _ band: FrequencyBands.Band, _ spacing: Double) -> Cues {
    var cues = Cues()
    let left = band.bins.reduce(0) { $0 + sums.left[$1] }
    let right = band.bins.reduce(0) { $0 + sums.right[$1] }
    cues.power = left + right
    cues.level = 10 * log10((left + 1e-10) / (right + 1e-10))
    guard left > 0, right > 0 else { return cues }
    var scores = [Double](repeating: 0, count: 2 * steps + 1)
    for bin in band.bins {
      let omega = 2 * Double.pi * spacing * Double(bin)
      let (stepRe, stepIm) = (
        cos(omega * reach / Double(steps)), sin(omega * reach / Double(steps))
      )
      var (re, im) = (cos(-omega * reach), sin(-omega * reach))
      for index in scores.indices {
        scores[index] += sums.re[bin] * re - sums.im[bin] * im
        (re, im) = (re * stepRe - im * stepIm, re * stepIm + im * stepRe)
      }
    }
    let best = scores.indices.max { scores[$0] < scores[$1] } ?? steps
    cues.coherence = max(0, scores[best] / (left * right).squareRoot())
    var place = Double(best)
    if best > 0, best < 2 * steps {
      let (a, b, c) = (scores[best - 1], scores[best], scores[best + 1])
      let bend = a - 2 * b + c
      if bend < 0 { place += 0.5 * (a - c) / bend }
    }
    cues.time = (place - Double(steps)) * reach / Double(steps)
    return cues
  }

  /// Fails on mean changes of a cue above its limit.
  package func judge(_ tolerance: ComparisonTolerance) -> LayerResult {
    let levels = counted > 0 ? level / counted : 0
    let times = timed > 0 ? time / timed * 1e6 : 0
    let coherences = counted > 0 ? coherence / counted : 0
    let rows: [(String, String, Double, String, Double)] = [
      ("ild", "levels", levels, "dB", tolerance.interauralLevel),
      ("itd", "times", times, "µs", tolerance.interauralTime),
      ("coherence", "coherence", coherences, "", tolerance.interauralCoherence),
    ]
    let off = rows.first { $0.2 > $0.4 }
    return LayerResult(
      .interaural,
      figures: rows.map { ComparisonFigure($0.0, $0.2, $0.3, limit: $0.4) },
      rule: "no cue may change by more than its limit on average over bands and seconds",
      fault: off.map {
        ComparisonFault(
          .effect,
          "interaural \($0.1) change by \(Decimals.text($0.2, 3))\($0.3.isEmpty ? "" : " " + $0.3) on "
            + "average over ERB bands")
      })
  }
}
