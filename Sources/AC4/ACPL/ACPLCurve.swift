/// Where a frame's parameter sets hold: its values slot by slot (TS 103 190-1, 5.7.7.3).
struct ACPLCurve {
  /// Parameter sets: 0 holds what was, else 1 or 2.
  let setCount: Int
  private let isSteep: Bool
  private let first: Int
  private let second: Int
  private let count: Int
  /// Parameter band of each subband.
  private let bands: [UInt8]

  /// The curve of a frame of `slots` slots; without parameters nothing changes in it.
  init(_ parameters: ACPLParameters?, slots: Int) {
    count = slots
    guard let parameters, let configuration = parameters.configuration else {
      setCount = 0
      isSteep = true
      first = slots
      second = slots
      bands = []
      return
    }
    bands = configuration.bandOfSubband
    setCount = parameters.setCount
    isSteep = parameters.isSteep
    if isSteep {
      first = min(parameters.slots[0], slots)
      second = setCount > 1 ? min(max(parameters.slots[1], first), slots) : slots
    } else {
      first = setCount > 1 ? slots / 2 : slots
      second = slots
    }
  }

  /// Parameter band of a subband.
  func band(_ subband: Int) -> Int { bands.isEmpty ? 0 : Int(bands[subband]) }

  /// Writes the values from `start`, the last frame's end, over those of the sets.
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

  /// The value that the frame ends with.
  func last(_ start: Float, _ values: SIMD2<Float>) -> Float {
    setCount == 0 ? start : values[setCount - 1]
  }
}
