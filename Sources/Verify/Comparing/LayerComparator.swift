/// A comparator of one layer: it takes the content of both files and then judges it.
package protocol LayerComparator {
  /// Judges by `tolerance` what was gathered.
  func judge(_ tolerance: ComparisonTolerance) -> LayerResult
}
