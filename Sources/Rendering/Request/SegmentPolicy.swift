import AudioCore

/// Where rendered items are kept between runs; none of it changes what is written.
public struct SegmentPolicy: Sendable, Hashable, Codable {
  /// The folder.
  public var folder: String
  /// Bytes that it may hold.
  public var limit: Int64
  /// Whether items that are found are rendered as well and compared.
  public var isVerified = false
  /// Time of the programme before which no sample may differ from the run before that wrote the same output; `nil`
  /// for any.
  public var unchangedBefore: TimeSpec?

  /// A cache in `folder` of at most `limit` bytes, by default 4 GiB.
  public init(folder: String, limit: Int64 = 4 << 30) {
    self.folder = folder
    self.limit = limit
  }
}
