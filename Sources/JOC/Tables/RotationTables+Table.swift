// swift-format-ignore-file
// Written by make_tables.py; don't edit.

/// The filters that undo the shift of the surround channels by 90 degrees.
enum RotationTables {
  /// Taps of the correction in subband 0; the middle one belongs to the present slot.
  static let taps: [Float] = [
    -0.000593, -0.000395, -0.000494, -0.000381, -0.000311, -0.000158, -3.1e-05, -0.000739,
    -0.001152, -0.000394, 0.001148, 0.00371, 0.006579, 0.009117, 0.010575, 0.012174, 0.017962,
    0.032342, 0.056461, 0.085233, 0.10963, 0.122181, 0.120604, 0.108168, 0.089934, 0.070271,
    0.05184, 0.036074, 0.023617, 0.013979, 0.008192, 0.005036, 0.003043, 0.001812, 0.001072,
    0.000507, 0.000277,
  ]
}
