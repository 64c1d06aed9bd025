/// One coded audio frame as MP4 holds it, with its time in ticks of its track.
public struct AccessUnit: Sendable, Equatable {
  /// Its bytes.
  public let data: [UInt8]
  /// When it begins.
  public let time: Int64
  /// How long it lasts.
  public let duration: Int64
  /// Whether decoding may begin here.
  public let isSync: Bool
  /// Whether its checksum is wrong or it can't be read.
  public var isDamaged = false
}
