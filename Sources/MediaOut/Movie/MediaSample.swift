/// One coded sample (packet, access unit) of a track.
package struct MediaSample: Sendable {
  /// Its bytes.
  package var data: [UInt8]
  /// When it is decoded, in track ticks from 0 at the track's first sample; the writer adds the
  /// track's start offset. Strictly ascending.
  package var decodeTime: Int64
  /// Ticks it lasts, 1…4294967295. What counts is the time to the next sample; this is used for
  /// the last one.
  package var duration: Int64
  /// Ticks from decoding to presentation, 0…4294967295.
  package var compositionOffset: Int64
  /// Whether decoding may begin here.
  package var isSync: Bool

  /// A sample of the given facts.
  package init(
    data: [UInt8], decodeTime: Int64, duration: Int64, compositionOffset: Int64 = 0,
    isSync: Bool = true
  ) {
    self.data = data
    self.decodeTime = decodeTime
    self.duration = duration
    self.compositionOffset = compositionOffset
    self.isSync = isSync
  }
}
