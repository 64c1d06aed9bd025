/// Reads `drc_frame` and keeps its settings from one I-frame to the next
/// (TS 103 190-1, 4.2.14.5).
struct DynamicRangeReader {
  /// The data of the last frame that had any; `nil` without settings.
  private var last: AC4DynamicRange?

  /// The dynamic range data at the reader's position.
  mutating func read(
    _ bits: inout BitReader, _ context: MetadataContext
  ) throws(AC4Error) -> AC4DynamicRange {
    guard try bits.flag() else {
      // An I-frame without data takes the settings back.
      if context.isIFrame { last = nil }
      var absent = last ?? AC4DynamicRange()
      absent.isPresent = false
      absent.isReset = false
      absent.gains = []
      return absent
    }
    var current = last ?? AC4DynamicRange()
    if context.isIFrame {
      try current.readConfiguration(&bits)
    } else if last == nil {
      throw .needsIFrame("dynamic range data")
    }
    current.isPresent = true
    current.isReset = false
    try current.readData(
      &bits, channels: context.gainChannels, subframes: context.subframes,
      context.books.dynamicRange)
    last = current
    return current
  }
}
