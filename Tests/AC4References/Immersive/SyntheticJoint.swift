// SPDX-License-Identifier: Apache-2.0
import Signal
import TestSupport

@testable import AC4

/// Writes `ajcc_data` with random values, and knows what they are.
struct SyntheticJoint {
  /// The data of a frame: for each set, row and band the value before dequantisation.
  struct Frame {
    var hasWideFront = false
    var form = AJCCParameters.Form()
    var framings: [AJCCParameters.Framing] = []
    /// Row by row, set by set.
    var values: [[[Int]]] = []
  }

  private var last: Frame?

  /// Writes the next frame.
  mutating func write(
    _ bits: inout BitWriter, _ noise: inout SeededNoise, isIFrame: Bool, slots: Int
  ) -> Frame {
    var frame = Frame()
    frame.hasWideFront = Bool.random(using: &noise)
    frame.form = form(isIFrame, &noise)
    let lacksTime = isIFrame || frame.form != last?.form || Bool.random(using: &noise)
    bits.write(lacksTime)
    bits.write([15, 12, 9, 7].firstIndex(of: frame.form.bandCount) ?? 0, 2)
    bits.write(frame.hasWideFront)
    bits.write(frame.form.isCoarse)
    bits.write(frame.form.hasCoarseShares)
    frame.framings = (0..<2).map { _ in SyntheticJoint.framing(&bits, &noise, slots) }
    for (row, kind) in AJCCParameters.rows.enumerated() {
      let isCoarse = frame.form.isCoarse(kind.quantity)
      let range = kind.quantity.range(isCoarse: isCoarse)
      let codes = SyntheticJoint.codes(kind.quantity, isCoarse)
      var sets: [[Int]] = []
      for set in 0..<frame.framings[kind.side].setCount {
        let own = (0..<frame.form.bandCount).map { _ in Int.random(in: range, using: &noise) }
        let before = set > 0 ? sets[set - 1] : last?.values[row].last
        let isTime = !lacksTime && Bool.random(using: &noise)
        if !lacksTime { bits.write(isTime) }
        if isTime, let before {
          for (value, old) in zip(own, before) { Track.write(value - old, codes[2], &bits) }
        } else {
          Track.write(own[0], codes[0], &bits)
          for (old, value) in zip(own, own.dropFirst()) {
            Track.write(value - old, codes[1], &bits)
          }
        }
        sets.append(own)
      }
      frame.values.append(sets)
    }
    last = frame
    return frame
  }

  private func form(_ isIFrame: Bool, _ noise: inout SeededNoise) -> AJCCParameters.Form {
    if !isIFrame, let last, Int.random(in: 0..<3, using: &noise) > 0 { return last.form }
    return AJCCParameters.Form(
      bandCount: [15, 12, 9, 7].randomElement(using: &noise) ?? 15,
      isCoarse: Bool.random(using: &noise), hasCoarseShares: Bool.random(using: &noise))
  }

  private static func framing(
    _ bits: inout BitWriter, _ noise: inout SeededNoise, _ slots: Int
  ) -> AJCCParameters.Framing {
    var framing = AJCCParameters.Framing()
    framing.isSteep = Bool.random(using: &noise)
    framing.setCount = Int.random(in: 1...2, using: &noise)
    bits.write(framing.isSteep)
    bits.write(framing.setCount - 1, 1)
    guard framing.isSteep else { return framing }
    let places = (0..<framing.setCount).map { _ in Int.random(in: 0..<slots, using: &noise) }
      .sorted()
    for (set, place) in places.enumerated() {
      framing.slots[set] = place
      bits.write(place, 5)
    }
    return framing
  }

  /// First values, differences along frequency, differences along time.
  private static func codes(
    _ quantity: AJCCParameters.Quantity, _ isCoarse: Bool
  ) -> [HuffmanCode] {
    typealias Books = ObjectCodebooks
    switch (quantity, isCoarse) {
    case (.alpha, _): return ACPLCodes.of(.alpha, isCoarse: isCoarse)
    case (.beta, _): return ACPLCodes.of(.beta, isCoarse: isCoarse)
    case (.dry, false): return [Books.ajccDryFineF0, Books.ajccDryFineDf, Books.ajccDryFineDt]
    case (.dry, true):
      return [Books.ajccDryCoarseF0, Books.ajccDryCoarseDf, Books.ajccDryCoarseDt]
    case (.wet, false): return [Books.ajccWetFineF0, Books.ajccWetFineDf, Books.ajccWetFineDt]
    case (.wet, true):
      return [Books.ajccWetCoarseF0, Books.ajccWetCoarseDf, Books.ajccWetCoarseDt]
    }
  }
}
