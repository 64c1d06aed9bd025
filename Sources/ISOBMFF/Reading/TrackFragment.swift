/// One track's samples in a fragment, as read (`traf`, ISO/IEC 14496-12, 8.8.6).
package struct TrackFragment: Sendable, Equatable {
  /// Where the samples of one `trun` box lie in the file.
  package struct Extent: Sendable, Equatable {
    /// Offset of the first byte in the file; negative when the box states such an offset.
    package let offset: Int64
    /// Bytes.
    package let size: Int64
  }

  /// Number of the track (`tfhd`).
  package internal(set) var trackID: Int
  /// When the first sample is decoded, in track ticks (`tfdt`); `nil` when not stated.
  package internal(set) var baseDecodeTime: Int64?
  /// The samples in order, alike neighbours together.
  package internal(set) var samples: [SampleRun] = []
  /// Where their bytes lie, one extent for each `trun`.
  package internal(set) var extents: [Extent] = []
  /// Number of samples that a roll group covers (`sbgp`); `nil` without one.
  package internal(set) var rollSamples: Int64?

  /// Number of samples.
  package var sampleCount: Int64 { samples.reduce(0) { Saturating.sum($0, $1.count) } }
  /// Ticks that all samples last.
  package var duration: Int64 { samples.reduce(0) { Saturating.sum($0, $1.duration) } }
  /// Bytes of all samples.
  package var dataSize: Int64 { extents.reduce(0) { Saturating.sum($0, $1.size) } }
  /// Whether the first sample can be decoded without any before.
  package var startsWithSync: Bool { samples.first?.sample.isSync ?? false }
}
