import AudioCore

/// A change of an object that is written.
package struct WrittenBlock: Sendable, Hashable {
  /// Sample at which it begins, at least 0; before the first one's an object is silent.
  package var start: Int64
  /// Samples from there until ``state`` is reached; 0 for a jump. The first block's doesn't count. Where
  /// the next block begins earlier, it begins from the state that is reached by then.
  package var ramp: Int64
  /// The state to reach. Its role is that of a source, or of a loudspeaker in a ``WrittenSpeaker``.
  package var state: ObjectState

  /// A block from its values.
  package init(start: Int64, ramp: Int64 = 0, state: ObjectState) {
    self.start = start
    self.ramp = ramp
    self.state = state
  }
}
