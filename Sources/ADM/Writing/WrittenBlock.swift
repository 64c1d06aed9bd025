import AudioCore

/// A change of an object that is written.
package struct WrittenBlock: Sendable, Hashable {
  /// First sample that it affects, at least 0; before the first block's an object is silent.
  package var start: Int64
  /// How long before that sample it begins, in samples, 0 to 1: times of metadata may lie between two
  /// samples.
  package var lead: Double
  /// Samples from its beginning until ``state`` is reached; 0 for a jump. The first block's doesn't count.
  /// Where the next block begins earlier, it begins from the state that is reached by then.
  package var ramp: Double
  /// The state to reach. Its role is that of a source, or of a loudspeaker in a ``WrittenSpeaker``.
  package var state: ObjectState

  /// A block from its values.
  package init(start: Int64, lead: Double = 0, ramp: Double = 0, state: ObjectState) {
    self.start = start
    self.lead = lead
    self.ramp = ramp
    self.state = state
  }
}
