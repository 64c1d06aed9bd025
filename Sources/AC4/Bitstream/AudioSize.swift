/// `audio_size`, with which an `ac4_substream` begins: the length of its audio in bytes
/// (TS 103 190-1, 4.2.5).
enum AudioSize {
  /// Reads the size at the reader's position.
  static func read(_ bits: inout BitReader) throws(AC4Error) -> Int {
    var size = try bits.read(15)
    if try bits.flag() { size += try bits.variableBits(7) << 15 }
    return size
  }
}
