// swift-format-ignore-file
// Written by make_tables.py; don't edit.

/// Tables of object audio metadata.
package enum ObjectTables {
  /// Samples that sample_offset_idx stands for.
  package static let sampleOffsets: [Int] = [
    8, 16, 18, 24,
  ]
  /// Samples that ramp_duration_idx stands for.
  package static let ramps: [Int] = [
    32, 64, 128, 256, 320, 480, 1000, 1001, 1024, 1600, 1601, 1602, 1920, 2000, 2002, 2048,
  ]
  /// Objects of each intermediate spatial format; 0 where it is reserved.
  package static let spatialObjects: [Int] = [
    4, 8, 10, 14, 15, 30, 0, 0,
  ]
  /// Distances beyond the wall.
  package static let distances: [Double] = [
    1.1, 1.3, 1.6, 2.0, 2.5, 3.2, 4.0, 5.0, 6.3, 7.9, 10.0, 12.6, 15.8, 20.0, 25.1, 50.1,
  ]
  /// Divergences of the short table.
  package static let divergences: [Double] = [
    0.500755, 0.608529, 0.704833, 1.0,
  ]
  /// Divergences of the long table.
  package static let divergenceCodes: [Double] = [
    0, 0, 0.004026, 0.00716, 0.012731, 0.020173, 0.028485, 0.04021, 0.050582, 0.063601, 0.079914,
    0.100299, 0.125666, 0.140532, 0.157027, 0.175282, 0.195417, 0.217536, 0.241718, 0.268002,
    0.296377, 0.326766, 0.359017, 0.392895, 0.428081, 0.464184, 0.500755, 0.537316, 0.573389,
    0.608529, 0.642346, 0.674524, 0.704833, 0.733123, 0.75932, 0.783416, 0.805451, 0.825506,
    0.843686, 0.860112, 0.874914, 0.888222, 0.900168, 0.910875, 0.920461, 0.929035, 0.936698,
    0.943544, 0.949656, 0.955112, 0.95998, 0.964322, 0.968195, 0.974729, 0.979923, 0.98405, 0.98733,
    0.989935, 0.992874, 0.994955, 0.996817, 0.99821, 0.998993, 1.0,
  ]
  /// Fifths of a step.
  package static let fineSteps: [Int] = [
    1, 2, -1, -2,
  ]
  /// Screen depth factors.
  package static let depthFactors: [Double] = [
    0.25, 0.5, 1.0, 2.0,
  ]
  /// Trims in dB.
  package static let trims: [Double] = [
    6.0, 3.0, 1.5, 0.75, -0.75, -1.5, -3.0, -4.5, -6.0, -7.5, -9.0, -10.5, -12.0, -13.5, -16.0,
    -36.0,
  ]
}
