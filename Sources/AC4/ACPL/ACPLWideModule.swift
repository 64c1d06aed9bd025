/// Makes five channels from two carriers (TS 103 190-1, 5.7.7.6.2).
final class ACPLWideModule {
  /// The channels in the order that the formulas number them.
  struct Channels {
    /// Carrier, then left.
    let left: SubbandFrame
    /// Left surround.
    let leftSurround: SubbandFrame
    /// Carrier, then right.
    let right: SubbandFrame
    /// Right surround.
    let rightSurround: SubbandFrame
    /// Centre.
    let centre: SubbandFrame
  }

  /// Gains and products of gains that change along time of their own.
  private static let productCount = 15
  /// What brings the carriers to the level of the channels, 1 + √2.
  private static let scale: Float = 2.414_213_56
  private static let root: Float = 1.414_213_56

  private let slots: Int
  private let decorrelators: [ACPLDecorrelator]
  private let duckers: [ACPLDucker]
  private let wet: [SubbandFrame]
  private let curves: FixedBuffer<Float>
  /// What the last frame ended with, subband by subband, in the parameters' rows.
  private let last = FixedBuffer<Float>(0, count: QMF.bands * ACPLParameters.rowCount)
  /// Dequantised values: set, band, row.
  private let values = FixedBuffer<Float>(0, count: 2 * ACPLParameters.setLength)

  /// A module for frames of `slots` slots.
  init(slots: Int) {
    self.slots = slots
    decorrelators = (0..<3).map { ACPLDecorrelator($0, slots: slots) }
    duckers = (0..<3).map { _ in ACPLDucker(slots: slots) }
    wet = (0..<3).map { _ in SubbandFrame(slots: slots) }
    curves = FixedBuffer(0, count: ACPLWideModule.productCount * slots)
  }

  /// Replaces the carriers in left and right by the five channels.
  /// - Parameter parameters: the frame's; `nil` keeps to what was.
  func process(_ parameters: ACPLParameters?, _ channels: Channels) {
    let curve = ACPLCurve(parameters, slots: slots)
    if let parameters, let configuration = parameters.configuration {
      dequantise(parameters, configuration)
    }
    for subband in 0..<QMF.bands {
      shape(subband, curve.band(subband), curve)
      mixCarriers(channels.left.real, channels.right.real, subband) { $0.real }
      mixCarriers(channels.left.imaginary, channels.right.imaginary, subband) { $0.imaginary }
    }
    for (index, frame) in wet.enumerated() {
      decorrelators[index].process(frame, gain: 1, into: frame)
      duckers[index].process(frame)
    }
    for subband in 0..<QMF.bands {
      let band = curve.band(subband)
      shape(subband, band, curve)
      upmix(channels, subband) { $0.real }
      upmix(channels, subband) { $0.imaginary }
      if curve.setCount > 0 {
        let row = (curve.setCount - 1) * ACPLParameters.setLength + band * ACPLParameters.rowCount
        (last.base + subband * ACPLParameters.rowCount).update(
          from: values.base + row, count: ACPLParameters.rowCount)
      }
    }
  }

  /// Forgets everything.
  func reset() {
    for decorrelator in decorrelators { decorrelator.reset() }
    for ducker in duckers { ducker.reset() }
    last.fill(0)
  }

  private func dequantise(_ parameters: ACPLParameters, _ configuration: ACPLConfiguration) {
    let length = ACPLParameters.rowLength
    for set in 0..<parameters.setCount {
      let coded = parameters.values.base + set * ACPLParameters.setLength
      for band in 0..<configuration.bandCount {
        let target =
          values.base + set * ACPLParameters.setLength + band * ACPLParameters.rowCount
        for side in 0..<2 {
          let pair = ACPLValues.Pair(
            alpha: coded[side * length + band], beta: coded[(2 + side) * length + band],
            isCoarse: configuration.isCoarse)
          target[side] = pair.alpha
          target[2 + side] = pair.beta
        }
        target[4] = ACPLValues.beta3(
          coded[4 * length + band], isCoarse: configuration.isCoarse)
        for row in 5..<ACPLParameters.rowCount {
          target[row] = ACPLValues.gamma(
            coded[row * length + band], isCoarse: configuration.isGammaCoarse)
        }
      }
    }
  }

  /// Writes the curves of one subband: gamma 1 to 6, gamma 1 and 2 times alpha 1, gamma 3 and 4
  /// times alpha 2, beta 1 and 2, beta 3 and its products with alpha 1 and 2.
  ///
  /// Each product runs along a line between its own values.
  private func shape(_ subband: Int, _ band: Int, _ curve: ACPLCurve) {
    let start = last.base + subband * ACPLParameters.rowCount
    let first = values.base + band * ACPLParameters.rowCount
    let second = first + max(0, curve.setCount - 1) * ACPLParameters.setLength
    for product in 0..<ACPLWideModule.productCount {
      curve.fill(
        curves.base + product * slots, from: ACPLWideModule.product(product, start),
        SIMD2(ACPLWideModule.product(product, first), ACPLWideModule.product(product, second)))
    }
  }

  private static func product(_ index: Int, _ rows: UnsafePointer<Float>) -> Float {
    switch index {
    case 0...5: return rows[5 + index]
    case 6, 7: return rows[index - 1] * rows[0]
    case 8, 9: return rows[index - 1] * rows[1]
    case 10, 11: return rows[index - 8]
    case 12: return rows[4]
    case 13: return rows[4] * rows[0]
    default: return rows[4] * rows[1]
    }
  }

  /// What the decorrelators are fed with.
  private func mixCarriers(
    _ left: SlotRows, _ right: SlotRows, _ subband: Int, _ part: (SubbandFrame) -> SlotRows
  ) {
    let (left, right) = (left.row(subband), right.row(subband))
    let (first, second, third) = (
      part(wet[0]).row(subband), part(wet[1]).row(subband), part(wet[2]).row(subband)
    )
    let gamma = curves.base
    for slot in 0..<slots {
      let l = ACPLWideModule.scale * left[slot]
      let r = ACPLWideModule.scale * right[slot]
      let near = gamma[slot] * l + gamma[slots + slot] * r
      let far = gamma[2 * slots + slot] * l + gamma[3 * slots + slot] * r
      first[slot] = near
      second[slot] = far
      third[slot] = near + far + gamma[4 * slots + slot] * l + gamma[5 * slots + slot] * r
    }
  }

  private func upmix(
    _ channels: Channels, _ subband: Int, _ part: (SubbandFrame) -> SlotRows
  ) {
    let (left, right) = (part(channels.left).row(subband), part(channels.right).row(subband))
    let leftSurround = part(channels.leftSurround).row(subband)
    let rightSurround = part(channels.rightSurround).row(subband)
    let centre = part(channels.centre).row(subband)
    let (wet0, wet1) = (part(wet[0]).row(subband), part(wet[1]).row(subband))
    let wet2 = part(wet[2]).row(subband)
    let root = ACPLWideModule.root
    let curves = curves.base
    for slot in 0..<slots {
      let at = curves + slot
      let l = ACPLWideModule.scale * left[slot]
      let r = ACPLWideModule.scale * right[slot]
      let near = 0.5 * (at[0] * l + at[slots] * r)
      let nearDifference = 0.5 * (at[6 * slots] * l + at[7 * slots] * r)
      let far = 0.5 * (at[2 * slots] * l + at[3 * slots] * r)
      let farDifference = 0.5 * (at[8 * slots] * l + at[9 * slots] * r)
      let side = 0.5 * at[10 * slots] * wet0[slot]
      let farSide = 0.5 * at[11 * slots] * wet1[slot]
      let shared = 0.25 * at[12 * slots] * wet2[slot]
      let sharedNear = 0.25 * at[13 * slots] * wet2[slot]
      let sharedFar = 0.25 * at[14 * slots] * wet2[slot]
      left[slot] = near + nearDifference + side + shared + sharedNear
      leftSurround[slot] = root * (near - nearDifference - side + shared - sharedNear)
      right[slot] = far + farDifference + farSide + shared + sharedFar
      rightSurround[slot] = root * (far - farDifference - farSide + shared - sharedFar)
      centre[slot] = root * (at[4 * slots] * l + at[5 * slots] * r - 2 * shared)
    }
  }
}
