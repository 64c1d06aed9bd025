/// The interpolation of A-CPL parameters over the slots of a frame (TS 103 190-1, 5.7.7.3).
///
/// Smooth values run along a line from the last frame's end to each set; steep ones jump at the slots that
/// are sent.
struct ACPLCurve {
  /// Parameter sets of the frame, 1 or 2; 0 keeps the last frame's values.
  let setCount: Int
  private let isSteep: Bool
  /// Slot at which the first set is reached, or from which it holds.
  private let first: Int
  /// Slot from which the second set holds, where values are steep.
  private let second: Int
  /// Slots of the frame.
  private let count: Int
  /// Parameter band of each subband.
  private let bands: [UInt8]

  /// The curve of a frame of `slots` slots.
  /// - Parameter parameters: the frame's; `nil` keeps the last frame's values.
  init(_ parameters: ACPLParameters?, slots: Int) {
    guard let parameters, let configuration = parameters.configuration else {
      // Steep, and the first set holds from the frame's end on.
      self.init(sets: 0, isSteep: true, at: SIMD2(slots, slots), slots: slots, bands: [])
      return
    }
    self.init(
      sets: parameters.setCount, isSteep: parameters.isSteep, at: parameters.slots, slots: slots,
      bands: configuration.bandOfSubband)
  }

  /// A curve of one or two parameter sets in a frame of `slots` slots.
  /// - Parameters:
  ///   - places: slot from which each set holds, where values are steep.
  ///   - bands: parameter band of each subband.
  init(sets: Int, isSteep: Bool, at places: SIMD2<Int>, slots: Int, bands: [UInt8]) {
    (count, setCount, self.isSteep, self.bands) = (slots, sets, isSteep, bands)
    if isSteep {
      first = min(places[0], slots)
      second = sets > 1 ? min(max(places[1], first), slots) : slots
    } else {
      first = sets > 1 ? slots / 2 : slots
      second = slots
    }
  }

  /// Parameter band of a subband.
  func band(_ subband: Int) -> Int { bands.isEmpty ? 0 : Int(bands[subband]) }

  /// Writes the value of each slot.
  /// - Parameters:
  ///   - start: the value at the end of the last frame.
  ///   - values: the values of the two sets.
  @inline(__always)
  func fill(
    _ target: UnsafeMutablePointer<Float>, from start: Float, _ values: SIMD2<Float>
  ) {
    if isSteep {
      for slot in 0..<first { target[slot] = start }
      for slot in first..<second { target[slot] = values[0] }
      for slot in second..<count { target[slot] = values[1] }
      return
    }
    let step = (values[0] - start) / Float(first)
    for slot in 0..<first { target[slot] = start + step * Float(slot + 1) }
    let later = (values[1] - values[0]) / Float(max(1, count - first))
    for slot in first..<count { target[slot] = values[0] + later * Float(slot - first + 1) }
  }

  /// The value at the end of the frame.
  func last(_ start: Float, _ values: SIMD2<Float>) -> Float {
    setCount == 0 ? start : values[setCount - 1]
  }
}
