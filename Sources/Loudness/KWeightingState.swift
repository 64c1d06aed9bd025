/// Filter memories and energy of a few channels, one per SIMD lane.
struct KWeightingState<Lanes: SIMD> where Lanes.Scalar == Double {
  /// Direct form II memories of the shelf, newest first.
  var shelf1 = Lanes()
  /// Second memory of the shelf.
  var shelf2 = Lanes()
  /// Direct form II memories of the high-pass, newest first.
  var pass1 = Lanes()
  /// Second memory of the high-pass.
  var pass2 = Lanes()
  /// Sum of squares of the weighted samples since it was last taken.
  var energy = Lanes()

  /// Zeroes memories too small to be heard before they decay into denormal numbers, which cost a
  /// hundred times as much. Called at fixed sample positions only, so results don't depend on
  /// how the input is cut.
  mutating func flushTiny() {
    for lane in shelf1.indices {
      let largest = max(
        max(shelf1[lane].magnitude, shelf2[lane].magnitude),
        max(pass1[lane].magnitude, pass2[lane].magnitude))
      guard largest < 1e-15 else { continue }
      shelf1[lane] = 0
      shelf2[lane] = 0
      pass1[lane] = 0
      pass2[lane] = 0
    }
  }
}
