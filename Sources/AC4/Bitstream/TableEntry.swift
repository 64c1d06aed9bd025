/// A part of the table of contents whose memory serves frame after frame.
protocol TableEntry {
  init()

  /// Sets everything to its first value, but keeps what arrays have allocated.
  mutating func clear()
}
