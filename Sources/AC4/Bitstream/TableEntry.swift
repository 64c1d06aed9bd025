/// A part of the table of contents whose memory is used again by the next frame.
protocol TableEntry {
  init()

  /// Resets all properties to their defaults, but keeps the memory of arrays.
  mutating func clear()
}
