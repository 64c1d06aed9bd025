/// A channel for a loudspeaker that is written (DirectSpeakers, ITU-R BS.2076-2, 5.4.3.1).
package struct WrittenSpeaker: Sendable, Hashable {
  /// Its name.
  package var name: String
  /// What it does over time: jumps, each to a state whose role is that of a loudspeaker. With gain 0 it
  /// is silent.
  package var blocks: [WrittenBlock]

  /// A channel from its values.
  package init(name: String, blocks: [WrittenBlock]) {
    self.name = name
    self.blocks = blocks
  }
}
