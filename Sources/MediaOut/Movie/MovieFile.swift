import Platform

/// One file of an output in fragmented MP4 and the tracks it holds.
package struct MovieFile {
  /// Where its bytes go.
  package var sink: DescriptorSink
  /// Tracks that are pulled, in the order they have in the file; chapters come last.
  package var tracks: [CodedTrack]
  /// Whether the track that is pushed follows them in this file, in front of chapters.
  package var holdsPushedTrack: Bool

  /// A file of these tracks.
  package init(sink: DescriptorSink, tracks: [CodedTrack] = [], holdsPushedTrack: Bool = false) {
    self.sink = sink
    self.tracks = tracks
    self.holdsPushedTrack = holdsPushedTrack
  }
}
