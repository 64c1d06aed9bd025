/// How the header of a codec frame tells which sample the frame begins with.
package enum FrameNumbering: Sendable, Hashable {
  /// By the number of the frame, or of its first sample (RFC 9639, 9.1.5).
  case flac
  /// By the number of its first sample (`block_index` of WavPack 4 and 5).
  case wavPack
}
