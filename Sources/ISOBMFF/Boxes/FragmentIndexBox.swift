/// Where playback can begin, written after the last fragment: `mfra` with one `tfra` for each track
/// and `mfro`, through which readers find it from the end of the file (ISO/IEC 14496-12, 8.8.9 to
/// 8.8.11).
package struct FragmentIndexBox: WritableBox, Equatable {
  /// One place of one track.
  package struct Entry: Sendable, Equatable {
    /// Presentation time of the sync sample in track ticks, before edits.
    package var time: Int64
    /// Offset of the `moof` in the file.
    package var fragmentOffset: Int64
    /// Number of the `traf` in the `moof`, from 1.
    package var trackFragment: Int
    /// Number of the sample in its `trun`, from 1.
    package var sample: Int

    /// A place.
    package init(time: Int64, fragmentOffset: Int64, trackFragment: Int, sample: Int) {
      self.time = time
      self.fragmentOffset = fragmentOffset
      self.trackFragment = trackFragment
      self.sample = sample
    }
  }

  /// The places of each track, in file order; the first track is number 1.
  package var tracks: [[Entry]]

  /// An index of the given places.
  package init(tracks: [[Entry]]) { self.tracks = tracks }

  /// Appends the whole box.
  package func append(to builder: inout BoxBuilder) {
    let start = builder.bytes.count
    builder.box("mfra") { box in
      for (index, entries) in tracks.enumerated() {
        box.fullBox("tfra", version: 1) { table in
          table.u32(index + 1)
          // Numbers of traf and trun take one byte, those of samples four.
          table.u32(3)
          table.u32(entries.count)
          for entry in entries {
            table.u64(entry.time)
            table.u64(entry.fragmentOffset)
            table.u8(entry.trackFragment)
            table.u8(1)
            table.u32(entry.sample)
          }
        }
      }
      box.fullBox("mfro") { $0.u32($0.bytes.count - start + 4) }
    }
  }
}
