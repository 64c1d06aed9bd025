// SPDX-License-Identifier: Apache-2.0
import ISOBMFF

/// A small fragmented movie made with the write side.
enum FragmentedMovieBytes {
  /// Two tracks (sound with a roll group, pictures with reordering) in `fragments` fragments.
  static func movie(
    fragments: Int = 3, change: (inout MovieFragmentBox, Int) -> Void = { _, _ in },
    edit: Int64? = nil, segments: ((inout SegmentIndexBox) -> Void)? = nil
  ) throws -> [UInt8] {
    let count = Int64(fragments)
    let sound = TrackBox(
      kind: .audio, timescale: 48_000,
      sampleEntry: try AACSampleEntry(
        configuration: [0x11, 0x90], channels: 2, sampleRate: 48_000
      ).encoded, language: "eng",
      edits: EditListBox(entries: [
        .init(duration: edit ?? (count * 3072 - 1024), mediaTime: 1024)
      ]), rollDistance: -1, loudness: LoudnessBox(TrackLoudness(integrated: -16, truePeak: -1)))
    let pictures = TrackBox(
      kind: .video, timescale: 25,
      sampleEntry: AudioSampleEntry(
        format: "test", channels: 0, sampleRate: 0
      ).encoded, language: "en-GB",
      edits: EditListBox(entries: [.init(duration: count * 3840, mediaTime: 1)]), width: 640,
      height: 360)
    var tags = MovieTags()
    tags.items = [MovieItem("©nam", .text("Title"))]
    var bytes =
      FileTypeBox(.file, majorBrand: "iso6", compatibleBrands: ["iso6"]).encoded
      + MovieBox(
        timescale: 48_000, duration: count * 3840, tracks: [sound, pictures], tags: tags
      ).encoded
    var boxes = (0..<fragments).map(fragment)
    for number in boxes.indices { change(&boxes[number], number) }
    if let segments {
      // The sound's first fragment presents less by its 1024 start-up samples.
      var box = SegmentIndexBox(
        trackID: 1, timescale: 48_000, earliestTime: 0,
        entries: try boxes.enumerated().map { number, box in
          .init(
            size: Int64(try box.encoded().count) + box.tracks.reduce(0) { $0 + $1.dataSize },
            duration: number == 0 ? 2048 : 3072)
        })
      segments(&box)
      bytes += box.encoded
    }
    var index: [[FragmentIndexBox.Entry]] = [[], []]
    for box in boxes {
      for track in 0..<2 {
        index[track].append(
          .init(
            time: box.tracks[track].baseDecodeTime, fragmentOffset: Int64(bytes.count),
            trackFragment: track + 1, sample: 1))
      }
      bytes += try box.encoded()
      let payload = box.tracks.reduce(0) { $0 + $1.dataSize }
      bytes += [UInt8](repeating: 7, count: Int(payload))
    }
    return bytes + FragmentIndexBox(tracks: index).encoded
  }

  private static func fragment(_ number: Int) -> MovieFragmentBox {
    MovieFragmentBox(
      sequenceNumber: number + 1,
      tracks: [
        TrackFragmentBox(
          trackID: 1, baseDecodeTime: Int64(number) * 3072,
          samples: (0..<3).map { FragmentSample(size: 5 + $0, duration: 1024) },
          isInRollGroup: true),
        TrackFragmentBox(
          trackID: 2, baseDecodeTime: Int64(number) * 2,
          samples: [
            FragmentSample(size: 20, duration: 1, compositionOffset: 1),
            FragmentSample(size: 9, duration: 1, compositionOffset: 2, isSync: false),
          ]),
      ])
  }
}
