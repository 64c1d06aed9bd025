/// One coded picture in the form MP4 wants, with its times in ticks of its stream.
package struct CodedPicture: Sendable, Equatable {
  /// Its bytes.
  package let data: [UInt8]
  /// When it is decoded.
  package let decodeTime: Int64
  /// When it is shown, on the stream's own clock.
  package let presentationTime: Int64
  /// How long it lasts; 0 when unknown.
  package let duration: Int64
  /// Whether decoding may begin here.
  package let isKey: Bool
}
