/// A comparator of one layer: a value that was fed both files and judges them.
package protocol LayerComparator {
  /// Holds what was gathered against a tolerance.
  func judge(_ tolerance: ComparisonTolerance) -> LayerResult
}
