/// Facts of one decoded block, before any trimming.
package struct TimedBlock: Sendable, Equatable {
  /// Samples the block added to the buffer.
  package var frames: Int
  /// Timestamp of its first sample, in samples at the source's rate; `nil` when unknown.
  package var position: Int64?
  /// Start-up samples that container or codec ask to skip from here on.
  package var skipStart: Int
  /// Samples that container or codec ask to discard at the block's end.
  package var discardEnd: Int
  /// Duration that the container states for the block, in samples; `nil` where it states none or its
  /// clock is too coarse to count samples.
  package var declaredFrames: Int?
  /// Statements of the frame without sound in front of the block; `nil` for all blocks but the first of MP3 that has one.
  package var infoFrame: GaplessFacts.InfoFrame?
  /// Samples of the packets in front of the first block that give none, though the container's clock counts them.
  package var silentLead: Int64 = 0

  /// A block of `frames` samples.
  package init(
    frames: Int, position: Int64?, skipStart: Int = 0, discardEnd: Int = 0,
    declaredFrames: Int? = nil
  ) {
    self.frames = frames
    self.position = position
    self.skipStart = skipStart
    self.discardEnd = discardEnd
    self.declaredFrames = declaredFrames
  }
}
