import CSndFile

extension PinnaBroadcastInfo {
  /// libsndfile's form of `info`: fixed fields padded with NUL, loudness in hundredths, 0x7FFF
  /// where a figure is unset (EBU Tech 3285, version 2).
  init(_ info: BroadcastInfo) {
    self.init()
    version = 2
    PinnaBroadcastInfo.copy(info.description, into: &description)
    PinnaBroadcastInfo.copy("Pinna", into: &originator)
    time_reference_low = UInt32(truncatingIfNeeded: info.timeReference)
    time_reference_high = UInt32(truncatingIfNeeded: info.timeReference >> 32)
    loudness_value = BroadcastInfo.hundredths(info.loudness)
    loudness_range = BroadcastInfo.hundredths(info.range)
    max_true_peak_level = BroadcastInfo.hundredths(info.truePeak)
    max_momentary_loudness = BroadcastInfo.hundredths(info.momentaryMax)
    max_shortterm_loudness = BroadcastInfo.hundredths(info.shortTermMax)
    PinnaBroadcastInfo.copy(info.codingHistory, into: &coding_history)
    coding_history_size = UInt32(min(info.codingHistory.utf8.count, 2047))
  }

  /// Copies UTF-8 bytes into a C character array, cut to its size.
  private static func copy<Field>(_ text: String, into field: inout Field) {
    withUnsafeMutableBytes(of: &field) { bytes in
      for (index, byte) in text.utf8.prefix(bytes.count).enumerated() { bytes[index] = byte }
    }
  }
}
