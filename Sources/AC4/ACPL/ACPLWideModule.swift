// SPDX-License-Identifier: Apache-2.0
import Signal

/// Makes five channels from two carriers: ASPX_ACPL_3 (TS 103 190-1, 5.7.7.6.2).
///
/// With the carriers l and r and the decorrelated signals y₀, y₁, y₂ it computes
/// - left and left surround: (l·γ₁ + r·γ₂) · (1 ± α₁) / 2 ± y₀·β₁ / 2 + y₂·β₃ · (1 ± α₁) / 4
/// - right and right surround: (l·γ₃ + r·γ₄) · (1 ± α₂) / 2 ± y₁·β₂ / 2 + y₂·β₃ · (1 ± α₂) / 4
/// - centre: l·γ₅ + r·γ₆ − y₂·β₃ / 2
///
/// and raises centre and surrounds by 3 dB.
final class ACPLWideModule {
  /// The five channels.
  struct Channels {
    /// The left carrier, which becomes the left channel.
    let left: SubbandFrame
    /// The left surround channel.
    let leftSurround: SubbandFrame
    /// The right carrier, which becomes the right channel.
    let right: SubbandFrame
    /// The right surround channel.
    let rightSurround: SubbandFrame
    /// The centre channel.
    let centre: SubbandFrame
  }

  /// Number of gains and products of gains, each of which is interpolated by itself.
  private static let productCount = 15
  /// 1 + √2, by which the standard multiplies the carriers.
  private static let scale: Float = 2.414_213_56
  /// √2, by which it multiplies centre and surrounds.
  private static let root: Float = 1.414_213_56

  private let slots: Int
  private let decorrelators: [ACPLDecorrelator]
  private let duckers: [ACPLDucker]
  /// The inputs of the decorrelators, which become their outputs.
  private let wet: [SubbandFrame]
  /// The gains of the current subband, ``productCount`` rows of slots.
  private let curves: Buffer<Float>
  /// The values of each subband at the end of the last frame, in the order of the parameters' rows.
  private let last = Buffer<Float>(0, count: QMF.bands * ACPLParameters.rowCount)
  /// Dequantised values: set, band, row.
  private let values = Buffer<Float>(0, count: 2 * ACPLParameters.setLength)

  /// A module for frames of `slots` slots.
  init(slots: Int) {
    self.slots = slots
    decorrelators = (0..<3).map { ACPLDecorrelator($0, slots: slots) }
    duckers = (0..<3).map { _ in ACPLDucker(slots: slots) }
    wet = (0..<3).map { _ in SubbandFrame(slots: slots) }
    curves = Buffer(0, count: ACPLWideModule.productCount * slots)
  }

  /// Replaces the carriers in left and right by the five channels.
  /// - Parameter parameters: the frame's; `nil` keeps the last frame's values.
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

  /// Writes the gains of a subband slot by slot: γ₁ to γ₆, γ₁α₁, γ₂α₁, γ₃α₂, γ₄α₂, β₁, β₂, β₃, β₃α₁, β₃α₂.
  ///
  /// The standard interpolates the products, not their factors.
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

  /// Gain `index` of ``shape(_:_:_:)`` from a band's parameters.
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

  /// Writes the inputs of the decorrelators: l·γ₁ + r·γ₂, l·γ₃ + r·γ₄, and both with l·γ₅ + r·γ₆.
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
      let dryLeft = gamma[slot] * l + gamma[slots + slot] * r
      let dryRight = gamma[2 * slots + slot] * l + gamma[3 * slots + slot] * r
      first[slot] = dryLeft
      second[slot] = dryRight
      third[slot] = dryLeft + dryRight + gamma[4 * slots + slot] * l + gamma[5 * slots + slot] * r
    }
  }

  /// Makes the five channels.
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
      let gain = curves + slot
      let l = ACPLWideModule.scale * left[slot]
      let r = ACPLWideModule.scale * right[slot]
      let dryLeft = 0.5 * (gain[0] * l + gain[slots] * r)
      let dryLeftAlpha = 0.5 * (gain[6 * slots] * l + gain[7 * slots] * r)
      let dryRight = 0.5 * (gain[2 * slots] * l + gain[3 * slots] * r)
      let dryRightAlpha = 0.5 * (gain[8 * slots] * l + gain[9 * slots] * r)
      let wetLeft = 0.5 * gain[10 * slots] * wet0[slot]
      let wetRight = 0.5 * gain[11 * slots] * wet1[slot]
      let wetBoth = 0.25 * gain[12 * slots] * wet2[slot]
      let wetBothAlpha1 = 0.25 * gain[13 * slots] * wet2[slot]
      let wetBothAlpha2 = 0.25 * gain[14 * slots] * wet2[slot]
      left[slot] = dryLeft + dryLeftAlpha + wetLeft + wetBoth + wetBothAlpha1
      leftSurround[slot] = root * (dryLeft - dryLeftAlpha - wetLeft + wetBoth - wetBothAlpha1)
      right[slot] = dryRight + dryRightAlpha + wetRight + wetBoth + wetBothAlpha2
      rightSurround[slot] = root * (dryRight - dryRightAlpha - wetRight + wetBoth - wetBothAlpha2)
      centre[slot] = root * (gain[4 * slots] * l + gain[5 * slots] * r - 2 * wetBoth)
    }
  }
}
