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
