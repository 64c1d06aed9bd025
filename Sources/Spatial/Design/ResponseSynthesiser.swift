// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Makes the aligned responses of both ears for any direction, from the measurements it needs.
///
/// Works out each measurement once, on first use.
///
/// On request it mends onsets: that of a response that lags or leads those of most neighbouring places
/// is moved to where they say it is. That changes nothing at measured places, but between an outlier
/// and its neighbours a sum of responses would lose its high frequencies.
final class ResponseSynthesiser {
  /// Both ears' responses for one direction.
  struct Pair {
    var left: AlignedResponse
    var right: AlignedResponse
  }

  /// Transform of all spectra.
  let fft: DoubleFFT
  /// Samples per second of the measurements.
  var sourceRate: Int { self.set.sourceRate }
  private let set: HRTFSet
  private var cache: [Int: [AlignedResponse]] = [:]
  private let mender: OnsetMender?
  private var mended: [Int: [AlignedResponse]] = [:]

  /// A synthesiser of this set's responses, their onsets `mended` or as they were found.
  init(_ set: HRTFSet, mended: Bool = false) {
    self.set = set
    fft = DoubleFFT(length: set.transformLength)
    mender = mended ? OnsetMender(set.grid, rate: set.sourceRate) : nil
  }

  /// The responses for `direction`.
  ///
  /// In a symmetric set the right side is the left side's with the ears exchanged, and a median
  /// direction gives both ears the same, to the last bit.
  func pair(for direction: Direction) -> Pair { pair(at: UnitVector.of(direction)) }

  /// The responses for the direction of `place` on the unit sphere; see ``pair(for:)``.
  func pair(at place: SIMD3<Double>) -> Pair {
    var place = place
    guard set.grid.isSymmetric else { return scaled(pair(at: place, mirrored: false)) }
    if place.y == 0 {
      let left = pair(at: place, mirrored: true).left
      return Pair(left: left, right: left)
    }
    guard place.y < 0 else { return scaled(pair(at: place, mirrored: false)) }
    place.y = -place.y
    let other = scaled(pair(at: place, mirrored: false))
    return Pair(left: other.right, right: other.left)
  }

  /// `pair` with the delay between its ears as long as the chosen head has it; its middle stays.
  private func scaled(_ pair: Pair) -> Pair {
    guard set.delayScale != 1 else { return pair }
    var pair = pair
    let middle = (pair.left.delay + pair.right.delay) / 2
    pair.left.delay = middle + (pair.left.delay - middle) * set.delayScale
    pair.right.delay = middle + (pair.right.delay - middle) * set.delayScale
    return pair
  }

  /// The responses in the middle between two points of the set's grid, which may be the same.
  func pair(between one: Int, _ other: Int) -> Pair {
    let points = one == other ? [one] : [one, other]
    var left: [(response: AlignedResponse, weight: Double)] = []
    var right = left
    for point in points {
      let members = set.grid.points[point].members
      for member in members {
        let ears = responses(of: member.measurement)
        let weight = 1 / Double(members.count * points.count)
        left.append((ears[member.swapped ? 1 : 0], weight))
        right.append((ears[member.swapped ? 0 : 1], weight))
      }
    }
    return scaled(Pair(left: AlignedResponse(mean: left), right: AlignedResponse(mean: right)))
  }

  /// Onset of the frontal direction over the whole band, mean of both ears, in samples.
  func frontalOnset() -> Double {
    let front = pair(for: Direction(azimuth: 0))
    let binWidth = Double(set.sourceRate) / Double(fft.length)
    let onsets = zip([front.left, front.right], set.equalisers).map { response, equaliser in
      response.wholeBandOnset(
        binWidth: binWidth, bass: equaliser.bass, fft)
    }
    return (onsets[0] + onsets[1]) / 2
  }

  /// The responses at `place`; `mirrored` averages each part with its mirror image.
  private func pair(at place: SIMD3<Double>, mirrored: Bool) -> Pair {
    var left: [(response: AlignedResponse, weight: Double)] = []
    var right = left
    for share in GridInterpolation.shares(of: place, in: set.grid) {
      let members = set.grid.points[share.point].members
      let weight = share.weight / Double(members.count)
      for member in members {
        let ears = responses(of: member.measurement)
        let pair = member.swapped ? [ears[1], ears[0]] : ears
        left.append((pair[0], mirrored ? weight / 2 : weight))
        right.append((pair[1], mirrored ? weight / 2 : weight))
      }
    }
    let all = left + right
    if mirrored { return Pair(left: AlignedResponse(mean: all), right: AlignedResponse(mean: all)) }
    return Pair(left: AlignedResponse(mean: left), right: AlignedResponse(mean: right))
  }

  /// Both ears of one measurement, equalised and aligned, mended if that is wanted.
  private func responses(of measurement: Int) -> [AlignedResponse] {
    guard let mender else { return found(measurement) }
    if let known = mended[measurement] { return known }
    let made = mender.mended(measurement, fft) { found($0) }
    mended[measurement] = made
    return made
  }

  /// Both ears of one measurement, equalised and aligned by its own onsets.
  private func found(_ measurement: Int) -> [AlignedResponse] {
    if let known = cache[measurement] { return known }
    let set = self.set.measurements
    let length = fft.length
    var re = [Double](repeating: 0, count: length)
    var im = re
    for tap in 0..<set.taps {
      re[tap] = Double(set.responses[set.offset(measurement, ear: 0) + tap])
      im[tap] = Double(set.responses[set.offset(measurement, ear: 1) + tap])
    }
    fft.forward(&re, &im)
    let raw = ResponseSynthesiser.unpack(re, im)
    let binWidth = Double(set.sampleRate) / Double(length)
    let made = (0..<2).map { ear -> AlignedResponse in
      let equaliser = self.set.equalisers[ear]
      var response = AlignedResponse(
        raw[ear].multiplied(by: equaliser.filter), binWidth: binWidth,
        bass: equaliser.bass, fft)
      response.delay += set.delays[2 * measurement + ear]
      return response
    }
    cache[measurement] = made
    return made
  }

  /// Spectra of two real signals transformed together as real and imaginary part.
  private static func unpack(_ re: [Double], _ im: [Double]) -> [Spectrum] {
    let length = re.count
    var first = Spectrum(count: length / 2 + 1)
    var second = first
    for bin in 0...length / 2 {
      let mirror = (length - bin) % length
      first.re[bin] = (re[bin] + re[mirror]) / 2
      first.im[bin] = (im[bin] - im[mirror]) / 2
      second.re[bin] = (im[bin] + im[mirror]) / 2
      second.im[bin] = (re[mirror] - re[bin]) / 2
    }
    return [first, second]
  }
}

/// One equalised response, split into an onset delay and what is left when that is taken away.
struct AlignedResponse: Sendable {
  /// Spectrum with the onset at time 0.
  var spectrum: Spectrum
  /// Natural log of the spectrum's magnitudes.
  var logMagnitude: [Double]
  /// Onset, in samples from the response's first tap; not whole.
  var delay: Double

  /// Splits `raw` (the equalised spectrum of a response at `binWidth` Hz per bin).
  ///
  /// The onset is the lag of the highest correlation with the response's own minimum-phase
  /// version (Nam, Abel, Smith: "A Method for Estimating Interaural Time Difference for Binaural
  /// Synthesis", AES 125, 2008), found to a fraction of a sample. Only frequencies below 4 kHz
  /// count: with all of them, resonances of the pinna give the correlation another peak every 80
  /// µs, and neighbouring places end up on different peaks.
  init(_ raw: Spectrum, binWidth: Double, bass: Equaliser.Bass, _ fft: DoubleFFT) {
    var aligned = raw
    logMagnitude = raw.re.indices.map { bin in
      let power = raw.re[bin] * raw.re[bin] + raw.im[bin] * raw.im[bin]
      let kept = bass == .measured ? 1 : Equaliser.keep(at: Double(bin) * binWidth)
      return kept * 0.5 * log(max(power, 1e-20))
    }
    delay = AlignedResponse.onset(
      raw, logMagnitude, binWidth: binWidth, bass: bass, fade: 1500...4000, fft)
    aligned.shift(by: -delay)
    for bin in aligned.re.indices {
      let kept = bass == .measured ? 1 : Equaliser.keep(at: Double(bin) * binWidth)
      guard kept < 1 else { break }
      let phase = (bass == .extended ? kept : 1) * atan2(aligned.im[bin], aligned.re[bin])
      let gain = exp(logMagnitude[bin])
      aligned.re[bin] = gain * cos(phase)
      aligned.im[bin] = gain * sin(phase)
    }
    spectrum = aligned
  }

  /// Onset of the response over the whole band, in samples from the first tap.
  func wholeBandOnset(binWidth: Double, bass: Equaliser.Bass, _ fft: DoubleFFT) -> Double {
    let end = Double(spectrum.count) * binWidth
    return delay
      + AlignedResponse.onset(
        spectrum, logMagnitude, binWidth: binWidth, bass: bass, fade: end...2 * end, fft)
  }

  /// Onset of `raw`, from frequencies that fade out within `fade` Hz. Low frequencies that will be
  /// evened or replaced don't count, nor does the roll-off at the top of the band, whose phase isn't minimum.
  private static func onset(
    _ raw: Spectrum, _ logMagnitude: [Double], binWidth: Double, bass: Equaliser.Bass,
    fade: ClosedRange<Double>, _ fft: DoubleFFT
  ) -> Double {
    let nyquist = Double(raw.count - 1) * binWidth
    let top = Int(min(Equaliser.highestCorrected, 0.82 * nyquist) / binWidth)
    var level = logMagnitude
    var heard = raw
    for bin in raw.re.indices {
      let frequency = Double(bin) * binWidth
      let kept = bass == .measured ? 1 : Equaliser.keep(at: frequency)
      let past = (frequency - fade.lowerBound) / (fade.upperBound - fade.lowerBound)
      let weight = bin > top ? 0 : kept * (0.5 + 0.5 * cos(.pi * min(1, max(0, past))))
      heard.re[bin] *= weight
      heard.im[bin] *= weight
      if bin > top { level[bin] = level[top] }
    }
    let model = MinimumPhase.spectrum(logMagnitude: level, fft)
    return CorrelationPeak.lag(of: heard, behind: model, fft)
  }

  /// The weighted mean of several responses: phase of the aligned sum, mean log magnitude, mean
  /// delay. Magnitudes of a plain sum would sag wherever the phases differ.
  init(mean parts: [(response: AlignedResponse, weight: Double)]) {
    let count = parts.first?.response.spectrum.count ?? 0
    var sum = Spectrum(count: count)
    logMagnitude = [Double](repeating: 0, count: count)
    delay = 0
    for (response, weight) in parts {
      delay += weight * response.delay
      for bin in 0..<count {
        logMagnitude[bin] += weight * response.logMagnitude[bin]
        sum.re[bin] += weight * response.spectrum.re[bin]
        sum.im[bin] += weight * response.spectrum.im[bin]
      }
    }
    if parts.count > 1 {
      for bin in 0..<count {
        let size = (sum.re[bin] * sum.re[bin] + sum.im[bin] * sum.im[bin]).squareRoot()
        let gain = exp(logMagnitude[bin])
        sum.re[bin] = size > 0 ? sum.re[bin] / size * gain : gain
        sum.im[bin] = size > 0 ? sum.im[bin] / size * gain : 0
      }
    }
    spectrum = sum
  }
}

/// Corrects onsets of single measurements that disagree with those of their neighbours.
struct OnsetMender {
  private let grid: DirectionGrid
  private let rate: Int
  /// Grid point of each measurement that isn't swapped there.
  private let points: [Int: Int]

  /// Neighbours that are asked.
  private static let neighbours = 6
  /// Smallest correction, in seconds: half a sample at 48 kHz.
  private static let least = 0.5 / 48000
  /// How far neighbours that agree may lie apart, as a part of the correction.
  private static let spread = 0.5

  /// A mender of the measurements that stand in `grid`, at `rate` Hz.
  init(_ grid: DirectionGrid, rate: Int) {
    self.grid = grid
    self.rate = rate
    var points: [Int: Int] = [:]
    for (index, point) in grid.points.enumerated() {
      for member in point.members where !member.swapped { points[member.measurement] = index }
    }
    self.points = points
  }

  /// Both ears of `measurement`; `found` gives those of any, aligned by their own onsets.
  func mended(
    _ measurement: Int, _ fft: DoubleFFT, found: (Int) -> [AlignedResponse]
  ) -> [AlignedResponse] {
    var ears = found(measurement)
    guard let point = points[measurement] else { return ears }
    let near = grid.nearest(OnsetMender.neighbours + 1, to: grid.points[point].position)
      .filter { $0 != point }.compactMap { grid.points[$0].members.first }
    for ear in 0..<2 {
      let lags = near.map { member -> Double in
        let other = found(member.measurement)[member.swapped ? 1 - ear : ear]
        return CorrelationPeak.lag(of: ears[ear].spectrum, behind: other.spectrum, fft)
      }.sorted()
      guard let lag = correction(lags) else { continue }
      ears[ear].spectrum.shift(by: -lag)
      ears[ear].delay += lag
    }
    return ears
  }

  /// The lag that most of `lags`, ascending, agree on; `nil` when that is small or they disagree.
  private func correction(_ lags: [Double]) -> Double? {
    guard lags.count >= 3 else { return nil }
    let median = (lags[(lags.count - 1) / 2] + lags[lags.count / 2]) / 2
    guard median.magnitude >= OnsetMender.least * Double(rate) else { return nil }
    let agreeing = lags.filter { ($0 - median).magnitude <= OnsetMender.spread * median.magnitude }
    return agreeing.count * 3 >= lags.count * 2 ? median : nil
  }
}
