/// The oversampling filter of ITU-R BS.1770-5, Annex 2: 48 taps in four phases.
///
/// Output `i` is made of inputs `i − 11 … i` and lies between inputs `i − 6` and `i − 5`, an
/// eighth, three eighths, five eighths and seven eighths of the way.
enum AnnexTwoInterpolator {
  /// Inputs before the current one that an output needs.
  static let history = 11
  /// Largest sum of tap magnitudes of a phase, rounded up: no output exceeds the largest input
  /// times this, rounding errors included.
  static let largestNorm: Float = 2.0229

  /// Writes to `output[i]`, for each `i < count`, the largest magnitude of the four phases.
  ///
  /// Works in groups of eight: `input` is read and `output` written up to the next multiple of
  /// eight of `count`.
  static func quadruple(
    _ input: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    run(input, count: count, isQuadruple: true, into: output)
  }

  /// As ``quadruple(_:count:into:)`` with phases 0 and 2 only, which lie half a sample apart.
  static func double(
    _ input: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    run(input, count: count, isQuadruple: false, into: output)
  }

  private struct Sums {
    var phase0 = SIMD8<Float>()
    var phase1 = SIMD8<Float>()
    var phase2 = SIMD8<Float>()
    var phase3 = SIMD8<Float>()
  }

  @inline(__always)
  private static func run(
    _ input: UnsafePointer<Float>, count: Int, isQuadruple: Bool,
    into output: UnsafeMutablePointer<Float>
  ) {
    var index = 0
    while index < count {
      let all = isQuadruple
      let here = input + index
      var sums = Sums()
      tap(here, 0, all, &sums, 0.001708984375, -0.0291748046875, -0.0189208984375, -0.00830078125)
      tap(here, 1, all, &sums, 0.010986328125, 0.029296875, 0.0330810546875, 0.014892578125)
      tap(here, 2, all, &sums, -0.0196533203125, -0.0517578125, -0.0582275390625, -0.026611328125)
      tap(here, 3, all, &sums, 0.033203125, 0.089111328125, 0.1015625, 0.047607421875)
      tap(here, 4, all, &sums, -0.0594482421875, -0.16650390625, -0.2003173828125, -0.102294921875)
      tap(here, 5, all, &sums, 0.1373291015625, 0.465087890625, 0.77978515625, 0.9721679687500)
      tap(here, 6, all, &sums, 0.97216796875, 0.77978515625, 0.465087890625, 0.1373291015625)
      tap(here, 7, all, &sums, -0.102294921875, -0.2003173828125, -0.16650390625, -0.0594482421875)
      tap(here, 8, all, &sums, 0.047607421875, 0.1015625, 0.089111328125, 0.033203125)
      tap(here, 9, all, &sums, -0.026611328125, -0.0582275390625, -0.0517578125, -0.0196533203125)
      tap(here, 10, all, &sums, 0.014892578125, 0.0330810546875, 0.029296875, 0.010986328125)
      tap(here, 11, all, &sums, -0.00830078125, -0.0189208984375, -0.0291748046875, 0.001708984375)
      let largest = magnitude(sums, isQuadruple)
      UnsafeMutableRawPointer(output + index).storeBytes(of: largest, as: SIMD8<Float>.self)
      index += 8
    }
  }

  /// Adds input `delay` samples back to all phases of eight successive outputs.
  @inline(__always)
  private static func tap(
    _ here: UnsafePointer<Float>, _ delay: Int, _ isQuadruple: Bool, _ sums: inout Sums,
    _ tap0: Float, _ tap1: Float, _ tap2: Float, _ tap3: Float
  ) {
    let input = UnsafeRawPointer(here - delay).loadUnaligned(as: SIMD8<Float>.self)
    let part0: SIMD8<Float> = input * tap0
    let part2: SIMD8<Float> = input * tap2
    sums.phase0 += part0
    sums.phase2 += part2
    guard isQuadruple else { return }
    let part1: SIMD8<Float> = input * tap1
    let part3: SIMD8<Float> = input * tap3
    sums.phase1 += part1
    sums.phase3 += part3
  }

  @inline(__always)
  private static func magnitude(_ sums: Sums, _ isQuadruple: Bool) -> SIMD8<Float> {
    // Compared as integers; see SampleScan. `pointwiseMax` is several times slower.
    let mask = SIMD8<Int32>(repeating: .max)
    var best: SIMD8<Int32> = unsafeBitCast(sums.phase0, to: SIMD8<Int32>.self) & mask
    let bits2: SIMD8<Int32> = unsafeBitCast(sums.phase2, to: SIMD8<Int32>.self) & mask
    best.replace(with: bits2, where: bits2 .> best)
    if isQuadruple {
      let bits1: SIMD8<Int32> = unsafeBitCast(sums.phase1, to: SIMD8<Int32>.self) & mask
      let bits3: SIMD8<Int32> = unsafeBitCast(sums.phase3, to: SIMD8<Int32>.self) & mask
      best.replace(with: bits1, where: bits1 .> best)
      best.replace(with: bits3, where: bits3 .> best)
    }
    return unsafeBitCast(best, to: SIMD8<Float>.self)
  }
}
