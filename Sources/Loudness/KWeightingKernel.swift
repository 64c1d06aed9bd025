/// The hot loops of K-weighting: filter, square and sum, with two or four channels in SIMD lanes.
///
/// Direct form II keeps the loop-carried path at one multiplication and one subtraction per
/// filter; the state is Double because Float sums drift. The pair and quad forms are spelt out
/// because generic SIMD code isn't reliably specialised.
enum KWeightingKernel {
  /// Runs `count` samples of two channels through `filter`, adding their squares to the energy.
  static func run(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, count: Int,
    filter: KWeighting, state: inout KWeightingState<SIMD2<Double>>
  ) {
    let (b0, b1, b2) = filter.shelfB
    let (a1, a2) = filter.shelfA
    let (c1, c2) = filter.highPassA
    var local = state
    for index in 0..<count {
      let input = SIMD2<Double>(Double(first[index]), Double(second[index]))
      let held: SIMD2<Double> = input - local.shelf2 * a2
      let shelf: SIMD2<Double> = held - local.shelf1 * a1
      let tail: SIMD2<Double> = local.shelf1 * b1 + local.shelf2 * b2
      let raised: SIMD2<Double> = shelf * b0 + tail
      local.shelf2 = local.shelf1
      local.shelf1 = shelf
      let kept: SIMD2<Double> = raised - local.pass2 * c2
      let pass: SIMD2<Double> = kept - local.pass1 * c1
      let twice: SIMD2<Double> = local.pass1 + local.pass1
      let output: SIMD2<Double> = (pass + local.pass2) - twice
      local.pass2 = local.pass1
      local.pass1 = pass
      local.energy += output * output
    }
    state = local
  }

  /// Runs `count` samples of four channels through `filter`, adding their squares to the energy.
  static func run(
    _ planes: (
      UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>
    ), count: Int, filter: KWeighting, state: inout KWeightingState<SIMD4<Double>>
  ) {
    let (b0, b1, b2) = filter.shelfB
    let (a1, a2) = filter.shelfA
    let (c1, c2) = filter.highPassA
    let (first, second, third, fourth) = planes
    var local = state
    for index in 0..<count {
      let input = SIMD4<Double>(
        Double(first[index]), Double(second[index]), Double(third[index]), Double(fourth[index]))
      let held: SIMD4<Double> = input - local.shelf2 * a2
      let shelf: SIMD4<Double> = held - local.shelf1 * a1
      let tail: SIMD4<Double> = local.shelf1 * b1 + local.shelf2 * b2
      let raised: SIMD4<Double> = shelf * b0 + tail
      local.shelf2 = local.shelf1
      local.shelf1 = shelf
      let kept: SIMD4<Double> = raised - local.pass2 * c2
      let pass: SIMD4<Double> = kept - local.pass1 * c1
      let twice: SIMD4<Double> = local.pass1 + local.pass1
      let output: SIMD4<Double> = (pass + local.pass2) - twice
      local.pass2 = local.pass1
      local.pass1 = pass
      local.energy += output * output
    }
    state = local
  }
}
