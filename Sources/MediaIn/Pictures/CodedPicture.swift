/// One coded picture in the form MP4 wants, with its times in ticks of its stream.
package struct CodedPicture: Sendable, Equatable {
  /// Its bytes.
  package let data: [UInt8]
  /// Decoding time, in ticks.
  package let decodeTime: Int64
  /// Presentation time on the stream's own clock, in ticks.
  package let presentationTime: Int64
  /// Duration in ticks; 0 when unknown.
  package let duration: Int64
  /// Whether decoding may begin here.
  package let isKey: Bool
}
