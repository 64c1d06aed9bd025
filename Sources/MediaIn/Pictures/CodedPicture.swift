/// One coded picture in the form MP4 wants, with its times in ticks of its stream.
public struct CodedPicture: Sendable, Equatable {
  /// Its bytes.
  public let data: [UInt8]
  /// When it is decoded.
  public let decodeTime: Int64
  /// When it is shown, on the stream's own clock.
  public let presentationTime: Int64
  /// How long it lasts; 0 when unknown.
  public let duration: Int64
  /// Whether decoding may begin here.
  public let isKey: Bool
}
