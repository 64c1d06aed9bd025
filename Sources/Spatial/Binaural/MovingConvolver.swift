import AudioCore
import LibAV
import Signal

/// Convolves any number of channels to two with filters that change from hop to hop, by overlap-save
/// with channel pairs in one complex FFT: the output fades from one set's to the next one's.
///
/// Blocks start at fixed positions of the signal, so the output doesn't depend on how the input
/// is cut. Output sample n is the convolution at n: the filters' delay is the only one.
final class MovingConvolver: ChannelConvolver {
  private let history: Int
  private let fft: ComplexFFT
  private var filters: PairedFilters
  private let moving: MovingFilters
  /// Hops played.
  private var played = 0
  /// Per pair: interleaved input, the history first.
  private let inputs: [Buffer<Float>]
  /// Per pair: spectrum, bin 0 again at the end.
  private let spectra: [Buffer<Float>]
  private let product: Buffer<Float>
  private let result: Buffer<Float>
  /// The hop as the next filters play it, while the output fades to them.
  private let coming: Buffer<Float>
  private let bases: [UnsafePointer<Float>]
  /// Samples waiting after the history.
  private var filled = 0
  private var received = 0
  private var emitted = 0

  private var transformLength: Int { moving.transformLength }
  private var hop: Int { moving.hop }

  /// A convolver for the filters of `moving`, of `taps` taps each.
  /// - Throws: ``MediaError`` of kind `internal` when no transform can be made.
  init(_ moving: MovingFilters, taps: Int) throws {
    history = taps - 1
    filters = moving.filters(at: 0)
    self.moving = moving
    fft = try ComplexFFT(length: moving.transformLength)
    let size = 2 * moving.transformLength
    inputs = (0..<filters.pairs).map { _ in Buffer(aligned: size) }
    spectra = (0..<filters.pairs).map { _ in Buffer(aligned: size + 16) }
    product = Buffer(aligned: size + 16)
    result = Buffer(aligned: size)
    coming = Buffer(aligned: size)
    bases = spectra.map { UnsafePointer($0.base) }
  }

  func process(_ sources: [UnsafePointer<Float>], frames: Int, into output: AudioBuffer) {
    var position = 0
    while position < frames {
      let count = min(hop - filled, frames - position)
      for (pair, buffer) in inputs.enumerated() {
        let second = 2 * pair + 1 < sources.count ? sources[2 * pair + 1] + position : nil
        interleave(
          sources[2 * pair] + position, second, count,
          into: buffer.base + 2 * (history + filled))
      }
      filled += count
      received += count
      position += count
      if filled == hop { emitBlock(hop, into: output) }
    }
  }

  func finish(into output: AudioBuffer) {
    let total = received > 0 ? received + history : 0
    while emitted < total {
      for buffer in inputs {
        let start = 2 * (history + filled)
        (buffer.base + start).update(repeating: 0, count: buffer.count - start)
      }
      emitBlock(min(hop, total - emitted), into: output)
    }
  }

  private func interleave(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>?, _ count: Int,
    into target: UnsafeMutablePointer<Float>
  ) {
    if let second {
      for index in 0..<count {
        target[2 * index] = first[index]
        target[2 * index + 1] = second[index]
      }
    } else {
      for index in 0..<count {
        target[2 * index] = first[index]
        target[2 * index + 1] = 0
      }
    }
  }

  /// Transforms one block, appends `count` samples of it and keeps its end as history.
  private func emitBlock(_ count: Int, into output: AudioBuffer) {
    for (buffer, spectrum) in zip(inputs, spectra) {
      fft.forward(buffer.base, into: spectrum.base)
      spectrum.base[2 * transformLength] = spectrum.base[0]
      spectrum.base[2 * transformLength + 1] = spectrum.base[1]
      buffer.base.update(from: buffer.base + 2 * hop, count: 2 * history)
    }
    multiply()
    fft.inverse(product.base, into: result.base)
    fade()
    let start = output.grow(by: count)
    guard let left = output.channel(0).baseAddress, let right = output.channel(1).baseAddress
    else { return }
    deinterleave(result.base + 2 * history, count, into: left + start, right + start)
    emitted += count
    filled = 0
  }

  /// Goes on to the next hop's filters and fades the output of this hop towards theirs.
  ///
  /// Responses of neighbouring directions are alike, so gains that sum to 1 keep the level.
  private func fade() {
    played += 1
    let next = moving.filters(at: played)
    guard next !== filters else { return }
    filters = next
    multiply()
    fft.inverse(product.base, into: coming.base)
    let old = result.base + 2 * history
    let new = coming.base + 2 * history
    let step = 1 / Float(hop)
    for index in 0..<hop {
      let part: Float = Float(index) * step
      old[2 * index] += part * (new[2 * index] - old[2 * index])
      old[2 * index + 1] += part * (new[2 * index + 1] - old[2 * index + 1])
    }
  }

  private func deinterleave(
    _ source: UnsafePointer<Float>, _ count: Int, into left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count {
      left[index] = source[2 * index]
      right[index] = source[2 * index + 1]
    }
  }

  private func multiply() {
    let half = transformLength / 2
    bases.withUnsafeBufferPointer { spectra in
      MovingConvolver.multiplyGroups(
        spectra, UnsafePointer(filters.groups.base), transformLength, product.base)
      var sum = SIMD2<Float>(repeating: 0)
      for (pair, term) in filters.middle.enumerated() {
        let re: Float = spectra[pair][2 * half]
        let im: Float = spectra[pair][2 * half + 1]
        sum.x += term.x * re - term.y * im + term.z * re + term.w * im
        sum.y += term.x * im + term.y * re + term.w * re - term.z * im
      }
      product.base[2 * half] = sum.x
      product.base[2 * half + 1] = sum.y
    }
  }

  /// Bins k = 0…N/2−1 and N−k, four at a time; see ``PairedFilters``.
  private static func multiplyGroups(
    _ spectra: UnsafeBufferPointer<UnsafePointer<Float>>, _ filters: UnsafePointer<Float>,
    _ length: Int, _ product: UnsafeMutablePointer<Float>
  ) {
    var filter = UnsafeRawPointer(filters)
    let target = UnsafeMutableRawPointer(product)
    for group in 0..<length / 8 {
      let low = group * 32
      let high = (length - 4 * group - 3) * 8
      var total = BinGroup()
      var first = 0
      // Four pairs are summed before they join the total, because with 24 channels the rounding
      // errors of one long sum would show.
      while first < spectra.count {
        let last = min(first + 4, spectra.count)
        var part = BinGroup()
        for pair in first..<last {
          part.add(UnsafeRawPointer(spectra[pair]), low: low, high: high, filter: filter)
          filter += 128
        }
        total.add(part)
        first = last
      }
      target.storeBytes(of: total.lowBins, toByteOffset: low, as: SIMD8<Float>.self)
      target.storeBytes(of: total.highBins, toByteOffset: high, as: SIMD8<Float>.self)
    }
  }
}

/// Four output bins k…k+3 and their mirrors N−k…N−k−3, summed over channel pairs.
struct BinGroup {
  private var lowRe = SIMD4<Float>(repeating: 0)
  private var lowIm = SIMD4<Float>(repeating: 0)
  private var highRe = SIMD4<Float>(repeating: 0)
  private var highIm = SIMD4<Float>(repeating: 0)

  /// Zero bins.
  @inline(__always) init() {}

  /// Adds one pair's part; `low` and `high` are byte offsets of bins k and N−k−3 in `spectrum`,
  /// `filter` points to the 32 floats of ``PairedFilters/groups``.
  @inline(__always) mutating func add(
    _ spectrum: UnsafeRawPointer, low: Int, high: Int, filter: UnsafeRawPointer
  ) {
    let x: SIMD8<Float> = spectrum.loadUnaligned(fromByteOffset: low, as: SIMD8<Float>.self)
    let y: SIMD8<Float> = spectrum.loadUnaligned(fromByteOffset: high, as: SIMD8<Float>.self)
    let xr: SIMD4<Float> = x.evenHalf
    let xi: SIMD4<Float> = x.oddHalf
    let yr = SIMD4<Float>(y[6], y[4], y[2], y[0])
    let yi = SIMD4<Float>(y[7], y[5], y[3], y[1])
    let pr: SIMD4<Float> = filter.load(fromByteOffset: 0, as: SIMD4<Float>.self)
    let pi: SIMD4<Float> = filter.load(fromByteOffset: 16, as: SIMD4<Float>.self)
    let qr: SIMD4<Float> = filter.load(fromByteOffset: 32, as: SIMD4<Float>.self)
    let qi: SIMD4<Float> = filter.load(fromByteOffset: 48, as: SIMD4<Float>.self)
    lowRe += (pr * xr - pi * xi) + (qr * yr + qi * yi)
    lowIm += (pr * xi + pi * xr) + (qi * yr - qr * yi)
    let sr: SIMD4<Float> = filter.load(fromByteOffset: 64, as: SIMD4<Float>.self)
    let si: SIMD4<Float> = filter.load(fromByteOffset: 80, as: SIMD4<Float>.self)
    let tr: SIMD4<Float> = filter.load(fromByteOffset: 96, as: SIMD4<Float>.self)
    let ti: SIMD4<Float> = filter.load(fromByteOffset: 112, as: SIMD4<Float>.self)
    highRe += (sr * yr - si * yi) + (tr * xr + ti * xi)
    highIm += (sr * yi + si * yr) + (ti * xr - tr * xi)
  }

  /// Adds another group.
  @inline(__always) mutating func add(_ other: BinGroup) {
    lowRe += other.lowRe
    lowIm += other.lowIm
    highRe += other.highRe
    highIm += other.highIm
  }

  /// Bins k…k+3, interleaved.
  @inline(__always) var lowBins: SIMD8<Float> {
    SIMD8<Float>(
      lowRe[0], lowIm[0], lowRe[1], lowIm[1], lowRe[2], lowIm[2], lowRe[3], lowIm[3])
  }

  /// Bins N−k−3…N−k, interleaved.
  @inline(__always) var highBins: SIMD8<Float> {
    SIMD8<Float>(
      highRe[3], highIm[3], highRe[2], highIm[2], highRe[1], highIm[1], highRe[0], highIm[0])
  }
}
