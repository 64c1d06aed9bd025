/// The noise generator of spectral noise fill (TS 103 190-1, 5.1.4).
///
/// Its state follows from the frame's sequence counter alone, so that the values don't depend on where
/// decoding started.
struct FillNoiseGenerator {
  /// Counter of values, 0…254; ``second`` counts its rounds.
  private var first: Int
  private var second: Int
  /// Indices of the two table values whose sum is the next value.
  private var state: Int
  private var current: Int

  /// The generator at the start of a frame with this sequence counter.
  init(sequenceCounter: Int) {
    // The standard's closed form for the indices after `start` values.
    let start = 255 * (sequenceCounter & 255)
    first = start % 255
    second = start / 255 & 255
    state =
      (first + 1) * (first + 2 + 2 * second) / 2 + 255 * second * (255 + second) / 2
      + (start % 130_560 >= 65_280 ? 128 : 0)
    current = first * (first + 1) / 2 + second * 32_386
  }

  /// The next value.
  mutating func next(_ table: UnsafePointer<Float>) -> Float {
    let value = table[current & 255] + table[state & 255]
    first += 1
    state = (state + 1) & 255
    if first == 255 {
      current = (current + 1) & 255
      second = (second + 1) & 255
      first = 0
    }
    current = (current + first) & 255
    state = (state + second + first) & 255
    return value
  }
}
