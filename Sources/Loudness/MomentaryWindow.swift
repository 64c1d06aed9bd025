/// Largest energy of any 400 ms window, read every 10 ms.
///
/// A reading every 100 ms can miss 0.58 LU of a 400 ms burst, which EBU Tech 3341 (test case 13)
/// doesn't allow.
struct MomentaryWindow {
  /// Steps of 10 ms in a window.
  static let steps = 40

  /// Largest window energy so far (weighted sum of squares); 0 before the first full window.
  private(set) var largest = 0.0
  private var ring = [Double](repeating: 0, count: steps)
  private var position = 0
  private var filled = 0

  /// Adds the energy of the next 10 ms.
  mutating func add(_ energy: Double) {
    ring[position] = energy
    position = (position + 1) % MomentaryWindow.steps
    filled = min(filled + 1, MomentaryWindow.steps)
    guard filled == MomentaryWindow.steps else { return }
    // Summed afresh, so that no rounding error is carried along.
    let sum = ring.reduce(0, +)
    if sum > largest { largest = sum }
  }
}
