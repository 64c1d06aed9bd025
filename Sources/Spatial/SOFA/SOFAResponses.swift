// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// The responses of a set of directions in a SOFA file as impulse responses, in whichever form they are stored (AES69-2022, annex A):
/// impulse responses (`FIR`), transfer functions (`TF`), or filters in second-order sections (`SOS`).
struct SOFAResponses {
  /// Most taps of a response.
  private static let longest = 1 << 16
  /// Most numbers that are read of one data set, 1 GiB.
  private static let mostNumbers = 1 << 28
  /// Samples by which a filter of sections is run until it has come to rest.
  private static let step = 256
  /// Level of its peak below which a filter counts as at rest: −100 dB.
  private static let rest: Float = 1e-5
  /// Most numbers that are made of filters or transfer functions, 256 MiB.
  private static let mostMade = 1 << 26
  /// Part of the energy in the last eighth of responses from which on they count as begun before time 0: truncated sets have less than a
  /// thousandth there.
  private static let leastEarly = 0.01

  /// Samples a second.
  let sampleRate: Int
  /// Taps of each response.
  let taps: Int
  /// Kept measurement × ear × tap.
  private(set) var values: [Float]

  /// The responses of those measurements of `file` that are `kept`, of so many `measurements` of this `type`.
  /// - Throws: ``MediaError`` of kind `inputUnreadable`.
  init(_ file: HDF5File, _ type: String, measurements: Int, kept: [Int]) throws {
    let source = Source(file: file, measurements: measurements, kept: kept)
    switch type {
    case "TF": (sampleRate, taps, values) = try SOFAResponses.transferFunctions(source)
    case "SOS": (sampleRate, taps, values) = try SOFAResponses.sections(source)
    default: (sampleRate, taps, values) = try SOFAResponses.impulseResponses(source)
    }
  }

  /// Makes the left ear the right one.
  mutating func exchangeEars() {
    for pair in 0..<values.count / (2 * taps) {
      for tap in 0..<taps { values.swapAt(2 * pair * taps + tap, (2 * pair + 1) * taps + tap) }
    }
  }

  /// Data sets of a file, by measurement and ear.
  private struct Source {
    let file: HDF5File
    let measurements: Int
    let kept: [Int]

    /// Numbers of `name`, kept measurement × ear × the last axis, and the length of that.
    func rows(_ name: String) throws -> (length: Int, values: [Float]) {
      guard let (sizes, values) = try file.all(name, limit: SOFAResponses.mostNumbers),
        sizes.count == 3, sizes[0] == measurements, sizes[1] == 2, sizes[2] > 0
      else { throw malformed("its \(name) doesn't fit its directions and two ears") }
      let each = 2 * sizes[2]
      guard kept.count < measurements else { return (sizes[2], values) }
      return (sizes[2], kept.flatMap { values[$0 * each..<($0 + 1) * each] })
    }

    func sampleRate() throws -> Int {
      try checked(rate: Double(file.all("Data.SamplingRate")?.values.first ?? .nan))
    }

    func checked(rate: Double) throws -> Int {
      guard rate.isFinite, (8000...384_000).contains(rate) else {
        throw malformed("its sampling rate isn't within 8…384 kHz")
      }
      return Int(rate.rounded())
    }

    func checked(taps: Int) throws -> Int {
      guard (1...SOFAResponses.longest).contains(taps) else {
        throw malformed(
          "its responses have \(taps) samples, and at most \(SOFAResponses.longest) are read")
      }
      return taps
    }

    func malformed(_ what: String) -> MediaError { SOFAFile.malformed(file.path, what) }
  }

  private typealias Found = (rate: Int, taps: Int, values: [Float])

  private static func impulseResponses(_ source: Source) throws -> Found {
    let rate = try source.sampleRate()
    let (length, values) = try source.rows("Data.IR")
    return (rate, try source.checked(taps: length), values)
  }

  /// Transfer functions at frequencies from 0 or one step on, in equal steps up to half the sampling rate, by inverse transform.
  private static func transferFunctions(_ source: Source) throws -> Found {
    let (count, real) = try source.rows("Data.Real")
    let (others, imaginary) = try source.rows("Data.Imag")
    let frequencies = try source.file.all("N", limit: longest)?.values.map(Double.init) ?? []
    guard count == others, frequencies.count == count, count > 1 else {
      throw source.malformed("its frequencies don't fit its transfer functions")
    }
    let step = (frequencies[count - 1] - frequencies[0]) / Double(count - 1)
    let first = (frequencies[0] / step).rounded()
    // A hundredth of a step is what frequencies in single precision are off at most.
    guard step > 0, first == 0 || first == 1,
      frequencies.enumerated().allSatisfy({
        abs($1 - (first + Double($0)) * step) < 0.01 * step
      })
    else {
      throw source.malformed(
        "its frequencies don't go in equal steps from 0 on, so that no response can be made of them"
      )
    }
    let bins = Int(first) + count
    // Of an even number of samples, the last frequency is half the sampling rate, where a transform of real samples is real.
    let largest = real.reduce(0) { max($0, $1.magnitude) }
    let isEven = stride(from: count - 1, to: imaginary.count, by: count).allSatisfy {
      imaginary[$0].magnitude <= 1e-5 * largest
    }
    let taps = try source.checked(taps: isEven ? 2 * (bins - 1) : 2 * bins - 1)
    guard real.count / count * taps <= mostMade else {
      throw source.malformed("it holds more responses than are made of transfer functions")
    }
    let rate = try source.checked(rate: Double(taps) * step)
    let transform = InverseTransform(length: taps)
    var values: [Float] = []
    values.reserveCapacity(real.count / count * taps)
    for start in stride(from: 0, to: real.count, by: count) {
      var spectrum = (start..<start + count).map {
        (re: Double(real[$0]), im: Double(imaginary[$0]))
      }
      // Nothing is known of 0 Hz there; a response as loud as at the first frequency has no step.
      if first == 1 { spectrum.insert((hypotenuse(spectrum[0]), 0), at: 0) }
      values += transform.samples(spectrum)
    }
    return (rate, taps, causal(values, taps))
  }

  /// Responses of a transform, which are circular: sound in front of time 0, as simulations have it, lies at their end. All of them begin
  /// later by the same number of samples then, after the quietest part of the circle.
  private static func causal(_ values: [Float], _ taps: Int) -> [Float] {
    var energy = [Double](repeating: 0, count: taps)
    for (place, value) in values.enumerated() {
      energy[place % taps] += Double(value) * Double(value)
    }
    let (eighth, all) = (max(1, taps / 8), energy.reduce(0, +))
    guard energy.suffix(eighth).reduce(0, +) > leastEarly * all else { return values }
    func quiet(_ start: Int) -> Double {
      (start..<start + eighth).reduce(0) { $0 + energy[$1 % taps] }
    }
    let start = (0..<taps).min { quiet($0) < quiet($1) } ?? 0
    let shift = (start + eighth) % taps
    return stride(from: 0, to: values.count, by: taps).flatMap {
      values[$0 + shift..<$0 + taps] + values[$0..<$0 + shift]
    }
  }

  private static func hypotenuse(_ value: (re: Double, im: Double)) -> Double {
    (value.re * value.re + value.im * value.im).squareRoot()
  }

  /// Filters in second-order sections, run until they are at rest.
  private static func sections(_ source: Source) throws -> Found {
    let rate = try source.sampleRate()
    let (length, values) = try source.rows("Data.SOS")
    guard length % 6 == 0 else {
      throw source.malformed("its sections don't have six coefficients each")
    }
    var (responses, taps): ([[Float]], Int) = ([], 0)
    for start in stride(from: 0, to: values.count, by: length) {
      guard let response = response(of: values[start..<start + length].map(Double.init)) else {
        throw source.malformed("one of its filters has no end")
      }
      taps = max(taps, response.count)
      guard values.count / length * taps <= mostMade else {
        throw source.malformed("its filters sound on for too long to make responses of all of them")
      }
      responses.append(response)
    }
    taps = try source.checked(taps: taps)
    var all = [Float](repeating: 0, count: responses.count * taps)
    for (number, response) in responses.enumerated() {
      all.replaceSubrange(number * taps..<number * taps + response.count, with: response)
    }
    return (rate, taps, all)
  }

  /// The response of a cascade of sections b₀, b₁, b₂, a₀, a₁, a₂ until it is at rest; `nil` where that never comes.
  private static func response(of coefficients: [Double]) -> [Float]? {
    let sections = stride(from: 0, to: coefficients.count, by: 6).map {
      Section(coefficients[$0..<$0 + 6])
    }
    var states = [SIMD2<Double>](repeating: .zero, count: sections.count)
    var (found, peak): ([Float], Float) = ([], 0)
    while found.count < longest {
      var loudest: Float = 0
      for _ in 0..<step {
        var value = found.isEmpty ? 1.0 : 0
        for (place, section) in sections.enumerated() {
          value = section.next(value, &states[place])
        }
        let sample = Float(value)
        guard sample.isFinite else { return nil }
        found.append(sample)
        loudest = max(loudest, sample.magnitude)
      }
      if peak > 0, loudest <= peak * rest { return found }
      peak = max(peak, loudest)
    }
    // A filter that gives nothing is at rest from the beginning.
    return peak > 0 ? nil : Array(found.prefix(step))
  }

  /// A section of a filter in transposed direct form II, with a₀ = 1.
  private struct Section {
    private let b: SIMD3<Double>
    private let a: SIMD2<Double>

    /// The section b₀, b₁, b₂, a₀, a₁, a₂.
    init(_ stored: ArraySlice<Double>) {
      let c = stored.map { $0 / stored[stored.startIndex + 3] }
      (b, a) = (SIMD3(c[0], c[1], c[2]), SIMD2(c[4], c[5]))
    }

    func next(_ input: Double, _ state: inout SIMD2<Double>) -> Double {
      let output = b.x * input + state.x
      state = SIMD2(b.y * input - a.x * output + state.y, b.z * input - a.y * output)
      return output
    }
  }
}

/// Real samples of the bins from 0 to half the sampling rate, for any length: by a transform of a power of two, or by Bluestein's
/// convolution with a chirp.
struct InverseTransform {
  private let length: Int
  private let transform: DoubleFFT
  /// e^(jπn²/length); empty where the length is a power of two.
  private let chirp: [(re: Double, im: Double)]
  /// Transform of the conjugate chirp around 0.
  private var kernel: (re: [Double], im: [Double]) = ([], [])

  init(length: Int) {
    self.length = length
    guard length & (length - 1) != 0 else {
      (transform, chirp) = (DoubleFFT(length: length), [])
      return
    }
    transform = DoubleFFT(length: 2 * length)
    chirp = (0..<length).map { n in
      // Squares are taken modulo 2·length, so that the angle keeps its digits.
      let angle = Double.pi * Double(n * n % (2 * length)) / Double(length)
      return (cos(angle), sin(angle))
    }
    var re = [Double](repeating: 0, count: transform.length)
    var im = re
    for n in 0..<length {
      for place in [n, n == 0 ? 0 : transform.length - n] {
        (re[place], im[place]) = (chirp[n].re, -chirp[n].im)
      }
    }
    transform.forward(&re, &im)
    kernel = (re, im)
  }

  /// The samples of `spectrum`, whose other half is its mirror image.
  func samples(_ spectrum: [(re: Double, im: Double)]) -> [Float] {
    var re = [Double](repeating: 0, count: transform.length)
    var im = re
    for bin in 0..<length {
      let isMirrored = bin >= spectrum.count
      let value = spectrum[isMirrored ? length - bin : bin]
      (re[bin], im[bin]) = (value.re, isMirrored ? -value.im : value.im)
    }
    // A transform of real samples is real at 0 and at half the sampling rate.
    im[0] = 0
    if length % 2 == 0 { im[length / 2] = 0 }
    guard !chirp.isEmpty else {
      transform.inverse(&re, &im)
      return re.prefix(length).map { Float($0 / Double(length)) }
    }
    for n in 0..<length { multiply(&re[n], &im[n], by: chirp[n]) }
    transform.forward(&re, &im)
    for n in re.indices { multiply(&re[n], &im[n], by: (kernel.re[n], kernel.im[n])) }
    transform.inverse(&re, &im)
    let scale = 1 / (Double(length) * Double(transform.length))
    return (0..<length).map { n in
      multiply(&re[n], &im[n], by: chirp[n])
      return Float(re[n] * scale)
    }
  }

  private func multiply(
    _ re: inout Double, _ im: inout Double, by factor: (re: Double, im: Double)
  ) {
    (re, im) = (re * factor.re - im * factor.im, re * factor.im + im * factor.re)
  }
}
