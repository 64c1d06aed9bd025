import Signal

/// Makes two channels from a carrier (`ACplModule`, TS 103 190-1, 5.7.7.5).
///
/// From `acpl_qmf_band` on the channels are x · (1 ± α) ± y · β / 2, where x is the carrier and y what the
/// decorrelator makes of 2x. Below, they are the sum and the difference of carrier and residual.
final class ACPLModule {
  private let slots: Int
  private let decorrelator: ACPLDecorrelator
  private let ducker: ACPLDucker
  /// The decorrelated carrier.
  private let wet: SubbandFrame
  /// α slot by slot in the current subband.
  private let alpha: FixedBuffer<Float>
  /// β slot by slot in the current subband.
  private let beta: FixedBuffer<Float>
  /// The values of each subband at the end of the last frame.
  private let last = FixedBuffer<ACPLValues.Pair>(.init(), count: QMF.bands)
  /// Dequantised values of both parameter sets.
  private let values = FixedBuffer<ACPLValues.Pair>(.init(), count: 2 * ACPLParameters.rowLength)
  /// `acpl_qmf_band`.
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

  /// Replaces a carrier and its residual by the two channels.
  /// - Parameter parameters: the frame's; `nil` keeps the last frame's values.
  func process(
    _ parameters: ACPLParameters?, _ carrier: SubbandFrame, _ other: SubbandFrame
  ) {
    // The standard doubles the module's inputs and halves its outputs.
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

  /// Writes α and β of a subband slot by slot.
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

  /// Makes the real or the imaginary parts of two channels in one subband.
  private func mix(_ subband: Int, _ carrier: SlotRows, _ other: SlotRows, _ wet: SlotRows) {
    let (first, second) = (carrier.row(subband), other.row(subband))
    if subband < firstSubband {
      separate(first, second)
    } else {
      upmix(first, second, wet.row(subband))
    }
  }

  /// Turns mid and side into two channels.
  private func separate(
    _ mid: UnsafeMutablePointer<Float>, _ side: UnsafeMutablePointer<Float>
  ) {
    for slot in 0..<slots {
      let (sum, difference) = (mid[slot] + side[slot], mid[slot] - side[slot])
      mid[slot] = sum
      side[slot] = difference
    }
  }

  /// Makes two channels of a carrier and its decorrelated signal.
  private func upmix(
    _ carrier: UnsafeMutablePointer<Float>, _ other: UnsafeMutablePointer<Float>,
    _ wet: UnsafePointer<Float>
  ) {
    let (alpha, beta) = (alpha.base, beta.base)
    for slot in 0..<slots {
      let dry = carrier[slot]
      let decorrelated = 0.5 * wet[slot] * beta[slot]
      carrier[slot] = dry * (1 + alpha[slot]) + decorrelated
      other[slot] = dry * (1 - alpha[slot]) - decorrelated
    }
  }
}
