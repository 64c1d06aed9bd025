/// One coded audio frame as MP4 holds it, with its time in ticks of its track.
package struct AccessUnit: Sendable, Equatable {
  /// Its bytes.
  package let data: [UInt8]
  /// Start, in ticks.
  package let time: Int64
  /// Duration, in ticks.
  package let duration: Int64
  /// Whether decoding may begin here.
  package let isSync: Bool
  /// Whether its checksum is wrong or it can't be read.
  package var isDamaged = false
}
