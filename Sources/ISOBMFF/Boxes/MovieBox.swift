/// The movie of a fragmented file: headers and tracks without samples (ISO/IEC 14496-12, 8.2).
package struct MovieBox: WritableBox {
  /// Ticks a second of ``duration`` and of the tracks' edits.
  package var timescale: Int
  /// Length of the presentation with all fragments, in ticks of ``timescale``.
  package var duration: Int64
  /// What `mehd` states in ticks of ``timescale``: not less than ``duration``. Readers that take it for the
  /// end of the media, not of the presentation, need the skipped starts of the tracks in it.
  package var fragmentDuration: Int64
  /// Tracks, numbered from 1 in this order.
  package var tracks: [TrackBox]
  /// Descriptive tags.
  package var tags: MovieTags

  /// A movie of the given tracks; `fragmentDuration` is the duration unless it is given.
  package init(
    timescale: Int, duration: Int64, fragmentDuration: Int64? = nil, tracks: [TrackBox],
    tags: MovieTags = MovieTags()
  ) {
    self.timescale = timescale
    self.duration = duration
    self.fragmentDuration = fragmentDuration ?? duration
    self.tracks = tracks
    self.tags = tags
  }

  /// Appends `moov` with `mvhd`, the tracks, `mvex` and `udta`.
  package func append(to builder: inout BoxBuilder) {
    builder.box("moov") { movie in
      appendHeader(to: &movie)
      for (index, track) in tracks.enumerated() { track.append(id: index + 1, to: &movie) }
      appendExtends(to: &movie)
      movie.append(TagsBox(tags))
    }
  }

  /// `mvhd` (8.2.2) with creation times 0, which means that none is stated.
  private func appendHeader(to movie: inout BoxBuilder) {
    movie.fullBox("mvhd", version: 1) { box in
      box.zeros(16)
      box.u32(timescale)
      box.u64(duration)
      box.fixed16(1)
      box.u16(0x0100)
      box.zeros(10)
      box.append(MovieBox.unityMatrix)
      box.zeros(24)
      box.u32(tracks.count + 1)
    }
  }

  /// `mvex` (8.8.1) with `mehd` (8.8.2) and one `trex` (8.8.3) for each track.
  private func appendExtends(to movie: inout BoxBuilder) {
    movie.box("mvex") { extends in
      extends.fullBox("mehd", version: 1) { $0.u64(fragmentDuration) }
      for (index, track) in tracks.enumerated() {
        extends.fullBox("trex") { box in
          box.u32(index + 1)
          box.u32(1)
          box.zeros(8)
          box.u32(track.kind == .video ? SampleFlags.dependent : SampleFlags.sync)
        }
      }
    }
  }

  /// The matrix that changes nothing (6.2.2).
  static let unityMatrix: [UInt8] =
    [0, 1, 0, 0] + [UInt8](repeating: 0, count: 12) + [0, 1, 0, 0]
    + [UInt8](repeating: 0, count: 12) + [0x40, 0, 0, 0]
}
