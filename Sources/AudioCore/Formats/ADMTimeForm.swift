/// How times are written in audio definition metadata (ITU-R BS.2076-2, 8.4).
public enum ADMTimeForm: String, Sendable, Hashable, Codable, CaseIterable {
  /// Seconds with five to nine decimals, which every reader takes.
  case decimal
  /// An exact fraction of a second, which only readers of BS.2076-2 take.
  case fraction
}
