/// Reads the substream with metadata that the objects of a group share (`oamd_substream`, TS 103 190-2, 6.2.8.1).
///
/// Objects that are decoded from a downmix send their own updates beside the audio, so no more than the timing is read.
struct ObjectSubstreamReader {
  /// The timing that was sent last; `nil` before the first.
  private(set) var timing: ObjectTiming?

  /// Reads the substream of a frame. Nothing changes when it throws.
  mutating func read(_ bits: BitReader) throws(AC4Error) {
    var bits = bits
    if try bits.flag() { try ObjectSubstreamReader.skipCommonData(&bits) }
    if try bits.flag() { timing = try ObjectTiming(&bits) }
  }

  /// Forgets all earlier frames.
  mutating func reset() { timing = nil }

  /// Skips `oamd_common_data`: the size of a cinema's screen, and how beds are mixed down and objects trimmed for
  /// loudspeaker layouts. It has no sound of its own.
  static func skipCommonData(_ bits: inout BitReader) throws(AC4Error) {
    if try !bits.flag() { try bits.skip(5) }
    try bits.skip(1)
    guard try bits.flag() else { return }
    var count = try bits.read(1) + 1
    if count == 2 { count += try bits.variableBits(2) }
    guard count <= bits.remaining / 8 else { throw .damaged("common data of \(count) bytes") }
    try bits.skip(count * 8)
  }
}
