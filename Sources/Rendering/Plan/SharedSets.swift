import Signal
import Spatial

/// HRTF sets that a process keeps from one render to the next. The averages over all directions that make a set take longer than
/// the rendering of a short sound; a process that renders once had better give the set's memory back.
package final class SharedSets: Sendable {
  /// A batch mostly has one; outputs and jobs may ask for others.
  private let builtIn = SharedDesigns<HRTFOptions, HRTFSet>(capacity: 2)

  /// No sets yet.
  package init() {}

  /// The built-in set.
  /// - Throws: what ``HRTFSet/builtIn(options:)`` throws.
  func builtIn(_ options: HRTFOptions) throws -> HRTFSet {
    try builtIn.design(for: options) { try HRTFSet.builtIn(options: options) }
  }
}
