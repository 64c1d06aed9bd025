import AudioCore
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
