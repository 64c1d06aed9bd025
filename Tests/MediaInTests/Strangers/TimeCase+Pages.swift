// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import MediaIn

/// Ogg, whose pages say where sound begins and ends.
extension TimeCase {
  static let pages = opus + vorbis + others

  private static let cutEnd =
    "RFC 7845, 4.4: the last page may leave out the end of several packets"
  private static let lateBegin = "RFC 7845, 4.3: the first page states where the sound begins"
  private static let noPosition = "RFC 3533, 6: -1 states no position"
  private static let increasing =
    "RFC 3533, 6: positions grow; one that the next page takes back is an error of its page"
  private static let mapping =
    "Ogg FLAC mapping 1.0: a page's position is the number of its last sample"

  /// `stream` with changes, whose sound is that of its packets without `from` samples in front and `cut` at the end.
  private static func changed(
    _ stream: OggBytes, from start: Int = 0, cut: Int = 0, _ change: (inout OggBytes) -> Void
  ) throws -> Sound {
    var bytes = stream
    change(&bytes)
    let plain = try MadeMedia("a.ogg", bytes: stream.file())
    return try Sound("a.ogg", bytes.file(), as: plain, from: start, cut: cut)
  }

  /// Moves all pages, and the last one back by `cut` samples.
  private static func move(_ count: Int64, cut: Int64 = 0) -> (inout OggBytes) -> Void {
    { bytes in
      for index in bytes.pages.indices { bytes.pages[index].position += count }
      bytes.pages[bytes.pages.count - 1].position -= cut
    }
  }

  /// `count` samples of start-up by the header, in place of 312.
  private static func skipping(_ count: Int) throws -> Sound {
    var (kept, skipping) = (try OggBytes.opus(), try OggBytes.opus())
    kept.headers[0].replaceSubrange(10..<12, with: [0, 0])
    skipping.headers[0].replaceSubrange(10..<12, with: [UInt8(count & 0xFF), UInt8(count >> 8)])
    let plain = try MadeMedia("a.opus", bytes: kept.file())
    return try Sound("a.opus", skipping.file(), as: plain, from: count)
  }

  private static let opus: [TimeCase] = [
    TimeCase(
      "Opus that begins 10 s late and leaves out the last four packets", cutEnd,
      samples: 38_400 - 312 - 3000, startUp: 312, place: 480_000
    ) { try changed(.opus(), cut: 3000, move(480_000, cut: 3000)) },
    TimeCase(
      "Opus that begins 1 s late, is cut, and ends with a packet of no bytes", lateBegin,
      samples: 38_400 - 312 - 700, startUp: 312, place: 48_000
    ) {
      try changed(.opus(), cut: 700) { bytes in
        move(48_000, cut: 700)(&bytes)
        bytes.hasEmptyEnd = true
      }
    },
    TimeCase(
      "Opus whose last page cuts nothing and has no flag",
      "RFC 3533, 6: the last page has the flag, so that one without it isn't the end",
      samples: 38_400 - 312, startUp: 312, kinds: ["truncated"]
    ) { try changed(.opus()) { $0.hasEndFlag = false } },
    TimeCase(
      "Opus whose second page states no position", noPosition, samples: 38_400 - 312, startUp: 312
    ) { try changed(.opus()) { $0.pages[1].position = -1 } },
    TimeCase(
      "Opus whose last page but one states no position, and whose last one cuts", noPosition,
      samples: 38_400 - 312 - 500, startUp: 312
    ) {
      try changed(.opus(), cut: 500) { bytes in
        bytes.pages[2].position = -1
        move(0, cut: 500)(&bytes)
      }
    },
    TimeCase(
      "Opus with a page whose position lies before that of the first", increasing,
      samples: 38_400 - 312, startUp: 312
    ) { try changed(.opus()) { $0.pages[2].position = $0.pages[0].position - 960 } },
    TimeCase(
      "Opus with a pre-skip of 80 ms", "RFC 7845, 4.2: the header's pre-skip is left out",
      samples: 38_400 - 3840, startUp: 3840
    ) { try skipping(3840) },
    TimeCase(
      "Opus with a pre-skip that is longer than its first page",
      "RFC 7845, 4.2: the pre-skip may reach beyond the first page", samples: 38_400 - 12_000,
      startUp: 12_000
    ) { try skipping(12_000) },
  ]

  private static let vorbis: [TimeCase] = [
    TimeCase(
      "Vorbis that begins before 0, is cut at its end and has no flag",
      "Vorbis I, A.2: samples before 0 and after the last position are left out", samples: nil,
      startUp: nil, kinds: ["truncated"]
    ) {
      try changed(.vorbis(), from: 500, cut: 700) { bytes in
        move(-500, cut: 700)(&bytes)
        bytes.hasEndFlag = false
      }
    },
    TimeCase(
      "Vorbis that begins 2 s late and leaves out 3000 samples", "Vorbis I, A.2", samples: nil,
      startUp: nil, place: 96_000
    ) { try changed(.vorbis(), cut: 3000, move(96_000, cut: 3000)) },
    TimeCase("Vorbis with a page whose position is 0", increasing, samples: nil, startUp: nil) {
      try changed(.vorbis()) { $0.pages[1].position = 0 }
    },
    TimeCase("Vorbis whose first page states no position", noPosition, samples: nil, startUp: nil) {
      try changed(.vorbis()) { $0.pages[0].position = -1 }
    },
  ]

  private static let others: [TimeCase] = [
    TimeCase(
      "FLAC in Ogg that begins 3 s late and leaves out 7 samples", mapping, samples: 46_080 - 7,
      place: 144_000
    ) { try changed(.flac(), cut: 7, move(144_000, cut: 7)) },
    TimeCase(
      "FLAC in Ogg with a page that is 5000 samples late, which the next takes back", increasing,
      samples: 46_080
    ) { try changed(.flac()) { $0.pages[1].position += 5000 } },
    TimeCase(
      "FLAC in Ogg whose pages from the third on are 4608 samples later", mapping,
      samples: 46_080 + 4608, kinds: ["timestamp-gap"]
    ) {
      let plain = try OggBytes.flac()
      let sound = try changed(plain) { bytes in
        for index in 2..<5 { bytes.pages[index].position += 4608 }
      }
      let silence = [Float](repeating: 0, count: 4608)
      return Sound(
        sound.name, sound.bytes,
        sound.planes.map { $0.prefix(4 * 4608) + silence + $0.dropFirst(4 * 4608) })
    },
    TimeCase(
      "Speex that begins 1 s late and leaves out 500 samples of two packets",
      "Speex manual, Ogg file format: positions count samples, and SPEEX_GET_LOOKAHEAD of the decoder",
      samples: 12_800 - 80 - 420, startUp: 80, place: 16_000
    ) { try changed(.speex(), cut: 420, move(16_000, cut: 500)) },
  ]
}
