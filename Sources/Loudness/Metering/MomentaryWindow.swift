/// Largest energy of any 400 ms window, read every 10 ms.
///
/// A reading every 100 ms can miss 0.58 LU of a 400 ms burst, which EBU Tech 3341 (test case 13)
/// doesn't allow.
struct MomentaryWindow {
  /// Steps of 10 ms in a window.
  static let steps = 40

  /// Largest window energy so far (weighted sum of squares); 0 before the first full window.
  private(set) var largest = 0.0
  /// Energy of the window that ended last; 0 before the first full window.
  private(set) var latest = 0.0
  /// The last ``steps`` energies, four to an element.
  private var ring = [SIMD4<Double>](repeating: SIMD4(), count: steps / 4)
  private var position = 0
  private var filled = 0

  /// Adds the energy of the next 10 ms.
  mutating func add(_ energy: Double) {
    ring[position / 4][position % 4] = energy
    position = (position + 1) % MomentaryWindow.steps
    filled = min(filled + 1, MomentaryWindow.steps)
    guard filled == MomentaryWindow.steps else { return }
    // The whole window is summed each time, so that rounding errors don't accumulate.
    var sums = SIMD4<Double>()
    for four in ring { sums += four }
    let sum: Double = sums.sum()
    latest = sum
    if sum > largest { largest = sum }
  }
}
