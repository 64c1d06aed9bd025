/// Makes two channels from a carrier (`ACplModule`, TS 103 190-1, 5.7.7.5).
final class ACPLModule {
  private let slots: Int
  private let decorrelator: ACPLDecorrelator
  private let ducker: ACPLDucker
  private let wet: SubbandFrame
  private let alpha: FixedBuffer<Float>
  private let beta: FixedBuffer<Float>
  /// What the last frame ended with, subband by subband.
  private let last = FixedBuffer<ACPLValues.Pair>(.init(), count: QMF.bands)
  /// Dequantised values of both sets.
  private let values = FixedBuffer<ACPLValues.Pair>(.init(), count: 2 * ACPLParameters.rowLength)
  private var firstSubband = 0

  /// A module with decorrelator `index` for frames of `slots` slots.
  init(_ index: Int, slots: Int) {
    self.slots = slots
    decorrelator = ACPLDecorrelator(index, slots: slots)
    ducker = ACPLDucker(slots: slots)
    wet = SubbandFrame(slots: slots)
    alpha = FixedBuffer(0, count: slots)
    beta = FixedBuffer(0, count: slots)
  }

  /// Replaces a carrier and what is coded beside it by the two channels.
  /// - Parameter parameters: the frame's; `nil` keeps to what was.
  func process(
    _ parameters: ACPLParameters?, _ carrier: SubbandFrame, _ other: SubbandFrame
  ) {
    decorrelator.process(carrier, gain: 2, into: wet)
    ducker.process(wet)
    let curve = ACPLCurve(parameters, slots: slots)
    if let parameters, let configuration = parameters.configuration {
      firstSubband = configuration.firstSubband
      dequantise(parameters, configuration)
    }
    for subband in 0..<QMF.bands {
      shape(subband, curve.band(subband), curve)
      mix(subband, carrier.real, other.real, wet.real)
      mix(subband, carrier.imaginary, other.imaginary, wet.imaginary)
    }
  }

  /// Forgets everything.
  func reset() {
    decorrelator.reset()
    ducker.reset()
    last.fill(.init())
    firstSubband = 0
  }

  private func dequantise(_ parameters: ACPLParameters, _ configuration: ACPLConfiguration) {
    for set in 0..<parameters.setCount {
      let row = parameters.values.base + set * ACPLParameters.setLength
      for band in configuration.firstBand..<configuration.bandCount {
        values.base[set * ACPLParameters.rowLength + band] = ACPLValues.Pair(
          alpha: row[band], beta: row[ACPLParameters.rowLength + band],
          isCoarse: configuration.isCoarse)
      }
    }
  }

  /// Writes the subband's gains slot by slot.
  private func shape(_ subband: Int, _ band: Int, _ curve: ACPLCurve) {
    let start = last.base[subband]
    guard curve.setCount > 0, subband >= firstSubband else {
      let kept = subband < firstSubband ? ACPLValues.Pair() : start
      last.base[subband] = kept
      alpha.fill(kept.alpha)
      beta.fill(kept.beta)
      return
    }
    let first = values.base[band]
    let second = values.base[(curve.setCount - 1) * ACPLParameters.rowLength + band]
    let alphas = SIMD2(first.alpha, second.alpha)
    let betas = SIMD2(first.beta, second.beta)
    curve.fill(alpha.base, from: start.alpha, alphas)
    curve.fill(beta.base, from: start.beta, betas)
    last.base[subband].alpha = curve.last(start.alpha, alphas)
    last.base[subband].beta = curve.last(start.beta, betas)
  }

  private func mix(_ subband: Int, _ carrier: SlotRows, _ other: SlotRows, _ wet: SlotRows) {
    let (first, second) = (carrier.row(subband), other.row(subband))
    if subband < firstSubband {
      separate(first, second)
    } else {
      upmix(first, second, wet.row(subband))
    }
  }

  /// Mid and side to two channels.
  private func separate(
    _ mid: UnsafeMutablePointer<Float>, _ side: UnsafeMutablePointer<Float>
  ) {
    for slot in 0..<slots {
      let (sum, difference) = (mid[slot] + side[slot], mid[slot] - side[slot])
      mid[slot] = sum
      side[slot] = difference
    }
  }

  private func upmix(
    _ carrier: UnsafeMutablePointer<Float>, _ other: UnsafeMutablePointer<Float>,
    _ wet: UnsafePointer<Float>
  ) {
    let (alpha, beta) = (alpha.base, beta.base)
    for slot in 0..<slots {
      let dry = carrier[slot]
      let far = 0.5 * wet[slot] * beta[slot]
      carrier[slot] = dry * (1 + alpha[slot]) + far
      other[slot] = dry * (1 - alpha[slot]) - far
    }
  }
}
