/// Samples of a fragment that follow each other and are alike.
package struct SampleRun: Sendable, Equatable {
  /// How many, 1…4294967295.
  package internal(set) var count: Int64
  /// What each of them is; its composition offset may be negative.
  package let sample: FragmentSample

  /// Ticks they last together.
  package var duration: Int64 { Saturating.product(count, sample.duration) }
  /// Bytes they take together.
  package var size: Int64 { Saturating.product(count, Int64(sample.size)) }
}
