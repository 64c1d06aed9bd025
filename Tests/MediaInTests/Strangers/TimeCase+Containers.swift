// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import MediaIn

/// Containers that state times, lengths or tables about what their packets count themselves.
extension TimeCase {
  static let containers = matroska + movies + speech + blocks

  private static let foreign = "docs/explain/trimming.md: iTunSMPB counts in MP4 and MP3 alone"
  private static let lifted = "Apple's iTunSMPB: start-up, padding and samples"

  // Matroska

  private static let confirmed =
    "docs/explain/trimming.md, Gaps: the codec counts the samples, and a jump counts where later times confirm it"
  private static let informative =
    "RFC 9559, 5.1.2.10: Duration is information on the segment; the blocks have the sound"

  /// A hundred packets of 20 ms, changed by `change`; the sound is theirs.
  private static func timed(
    _ codec: [String], _ change: (inout MatroskaBytes) -> Void
  ) throws -> Sound {
    let plain = try MadeMedia("a.mka", ["-af", "asetnsamples=960:p=0", "-c:a"] + codec)
    var bytes = MatroskaBytes(try plain.bytes())
    change(&bytes)
    return try Sound("a.mka", bytes.data, as: plain)
  }

  private static let pcm = ["pcm_s16le"]
  private static let flac = ["flac", "-frame_size", "960"]

  private static let matroska: [TimeCase] = [
    TimeCase(
      "PCM in Matroska with a packet that is 20 ms late, which the next takes back", confirmed,
      samples: 96_000
    ) { try timed(pcm) { $0.move { $0 == 10 ? 20 : 0 } } },
    TimeCase(
      "FLAC in Matroska with three packets that are 2 s late, which the next takes back",
      confirmed, samples: 96_000
    ) { try timed(flac) { $0.move { 10..<13 ~= $0 ? 2000 : 0 } } },
    TimeCase(
      "PCM in Matroska whose packets from the thirtieth on are 100 ms later", confirmed,
      samples: 100_800, kinds: ["timestamp-gap"]
    ) {
      let sound = try timed(pcm) { $0.move { $0 >= 30 ? 100 : 0 } }
      let silence = [Float](repeating: 0, count: 4800)
      return Sound(
        sound.name, sound.bytes,
        sound.planes.map { $0.prefix(30 * 960) + silence + $0.dropFirst(30 * 960) })
    },
    TimeCase(
      "PCM in Matroska whose packets from the thirtieth on are 40 ms earlier", confirmed,
      samples: 94_080, kinds: ["timestamp-gap"]
    ) {
      let sound = try timed(pcm) { $0.move { $0 >= 30 ? -40 : 0 } }
      return Sound(
        sound.name, sound.bytes,
        sound.planes.map { Array($0.prefix(30 * 960)) + $0.dropFirst(32 * 960) })
    },
    TimeCase(
      "FLAC in Matroska whose packets all have the time 0", confirmed, samples: 96_000
    ) { try timed(flac) { $0.move { -20 * $0 } } },
    TimeCase("PCM in Matroska with a Duration that is twice as long", informative, samples: 96_000)
    {
      try timed(pcm) { $0.state(duration: 4000) }
    },
    TimeCase("PCM in Matroska with a Duration that is half as long", informative, samples: 96_000) {
      try timed(pcm) { $0.state(duration: 1000) }
    },
    TimeCase("FLAC in Matroska with a Duration of 0", informative, samples: 96_000) {
      try timed(flac) { $0.state(duration: 0) }
    },
    TimeCase("FLAC in Matroska with an iTunes tag of another file", foreign, samples: 96_000) {
      let tag = "iTunSMPB= 00000000 00000840 000001CA 0000000000001000"
      let tagged = try MadeMedia("a.mka", ["-c:a", "flac", "-metadata", tag])
      return try Sound("a.mka", tagged.bytes(), as: MadeMedia("a.mka", ["-c:a", "flac"]))
    },
  ]

  // MP4

  private static let edited =
    "ISO/IEC 14496-12, 8.6.6: an edit presents so much of the media from its time on"

  /// Two seconds with other numbers in the edit list: milliseconds, and the first sample.
  private static func edit(
    _ name: String, _ codec: String, _ milliseconds: Int, from first: Int, length: Int
  ) throws -> Sound {
    let plain = try MadeMedia(name, ["-c:a", codec])
    var bytes = try plain.bytes()
    replace(&bytes, "elst", 12, PlainBytes.big(milliseconds, 4) + PlainBytes.big(first, 4))
    return try Sound(name, bytes, as: plain, from: first, cut: 96_000 - first - length)
  }

  /// Replaces what follows the word by so many bytes from its beginning on.
  private static func replace(_ bytes: inout Data, _ word: String, _ distance: Int, _ new: Data) {
    guard let place = bytes.range(of: Data(word.utf8))?.lowerBound else { return }
    bytes.replaceSubrange(place + distance..<place + distance + new.count, with: new)
  }

  private static let silent =
    "Vorbis I, 4.3.8: the first packet of a stream gives no samples"

  /// Packets of Vorbis copied to MP4, whose edit list begins with the one that gives no samples.
  private static func copied(from plain: MadeMedia) throws -> Sound {
    try withExtendedLifetime(plain) {
      let path = plain.folder.file("copy.mp4")
      try FixtureStore.ffmpeg(["-i", plain.path, "-c", "copy", path])
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      return try Sound("a.mp4", bytes, as: plain)
    }
  }

  private static let movies: [TimeCase] = [
    TimeCase("Vorbis that was copied from Ogg to MP4", silent, samples: 96_000) {
      try copied(from: MadeMedia("a.ogg", ["-c:a", "libvorbis"]))
    },
    TimeCase("Vorbis that was copied from WebM to MP4", silent, samples: nil) {
      try copied(from: MadeMedia("a.webm", ["-c:a", "libvorbis"]))
    },
    TimeCase(
      "ALAC in MP4 whose edit list is longer than its media", edited, samples: 96_000,
      kinds: ["truncated"]
    ) { try edit("a.m4a", "alac", 5000, from: 0, length: 96_000) },
    TimeCase(
      "ALAC in MP4 whose edit has the duration 0",
      "ISO/IEC 14496-12, 8.6.6: a duration of 0 is that of the media", samples: 96_000
    ) { try edit("a.m4a", "alac", 0, from: 0, length: 96_000) },
    TimeCase(
      "ALAC in MP4 whose edit begins in the second frame", edited, samples: 48_000, startUp: 5000
    ) { try edit("a.m4a", "alac", 1000, from: 5000, length: 48_000) },
    TimeCase(
      "PCM in MOV whose edit begins with the eighth sample", edited, samples: 48_000, startUp: 7
    ) { try edit("a.mov", "pcm_s16le", 1000, from: 7, length: 48_000) },
    TimeCase(
      "ALAC in MP4 whose media header states twice the duration",
      "ISO/IEC 14496-12, 8.4.2: the sample table has the durations that mdhd sums up",
      samples: 96_000
    ) {
      let plain = try MadeMedia("a.m4a", ["-c:a", "alac"])
      var bytes = try plain.bytes()
      replace(&bytes, "mdhd", 20, PlainBytes.big(192_000, 4))
      return try Sound("a.m4a", bytes, as: plain)
    },
    TimeCase(
      "AAC in MP4 without an edit list, whose iTunes tag states 2112 and 90,000 samples", lifted,
      samples: 90_000, startUp: 2112
    ) {
      let tag = "iTunSMPB= 00000000 00000840 000001CA 0000000000015F90"
      let movie = try MadeMedia(
        "a.m4a", ["-c:a", "aac", "-movflags", "use_metadata_tags", "-metadata", tag])
      var bytes = try movie.bytes()
      replace(&bytes, "edts", 0, Data("free".utf8))
      // Of the bare stream of the same frames, 1024 samples are left out by the codec's table.
      let stream = try MadeMedia("a.aac", ["-c:a", "aac"])
      let sound = try Sound("a.m4a", bytes, as: stream, from: 2112 - 1024)
      return Sound(sound.name, sound.bytes, sound.planes.map { Array($0.prefix(90_000)) })
    },
  ]

  // AMR

  private static let packed =
    "3GPP TS 26.244, 6.5 and TS 26.201: each frame has 320 samples, also one without data"

  /// A movie of wideband; the judge is the bare stream of its frames.
  private static func wide(_ frames: [Data], perSample: Int) throws -> Sound {
    let movie = SpeechMovie(wide: frames, perSample: perSample)
    return try Sound("a.3gp", movie.file, as: MadeMedia("a.awb", bytes: movie.bare))
  }

  private static let full = (0..<60).map { SpeechMovie.frame($0, type: 8, size: 60) }
  private static let mixed = (0..<60).map { index in
    let (type, size): (UInt8, Int) = [(0, 17), (15, 0), (8, 60)][index % 3]
    return SpeechMovie.frame(index, type: type, size: size)
  }

  private static let speech: [TimeCase] =
    [1, 2, 10].map { count in
      TimeCase("AMR wideband in 3GP, \(count) frames a sample", packed, samples: 60 * 320) {
        try wide(full, perSample: count)
      }
    } + [
      TimeCase(
        "AMR wideband in 3GP, 7 frames a sample of three types, the last sample short", packed,
        samples: 60 * 320
      ) { try wide(mixed, perSample: 7) }
    ]

  // Tables and counts of other containers

  private static let table =
    "Core Audio Format 1.0, packet table: valid frames, priming and remainder"
  private static let counted = "RIFF 1.0, fact: the samples of coded sound, within its last block"

  /// 4,800 samples of ALAC in CAF with other numbers in the packet table.
  private static func packets(priming: Int, valid: Int, remainder: Int, length: Int) throws -> Sound
  {
    let plain = try MadeMedia(
      "a.caf", ["-af", "atrim=end_sample=4800", "-c:a", "alac", "-sample_fmt", "s16p"])
    var bytes = try plain.bytes()
    let numbers = [
      PlainBytes.big(valid, 8), PlainBytes.big(priming, 4), PlainBytes.big(remainder, 4),
    ]
    replace(&bytes, "pakt", 20, numbers.reduce(Data(), +))
    return try Sound("a.caf", bytes, as: plain, from: priming, cut: 4800 - priming - length)
  }

  /// 4,800 samples of ADPCM in WAV whose fact chunk counts this many; the judge, whose chunk counts none, has whole blocks.
  private static func fact(_ codec: String, _ count: Int, cut: Int) throws -> Sound {
    let media = try MadeMedia("a.wav", ["-af", "atrim=end_sample=4800", "-c:a", codec])
    var (bytes, whole) = (try media.bytes(), try media.bytes())
    replace(&bytes, "fact", 8, PlainBytes.little(count, 4))
    replace(&whole, "fact", 8, PlainBytes.little(0, 4))
    return try Sound("a.wav", bytes, as: MadeMedia("a.wav", bytes: whole), cut: cut)
  }

  private static let blocks: [TimeCase] = [
    TimeCase(
      "ALAC in CAF whose packet table states a remainder and no priming", table, samples: 3800
    ) { try packets(priming: 0, valid: 3800, remainder: 1000, length: 3800) },
    TimeCase(
      "ALAC in CAF whose packet table counts more than its packets hold", table, samples: 4700,
      startUp: 100, kinds: ["truncated"]
    ) { try packets(priming: 100, valid: 9000, remainder: 0, length: 4700) },
    // Blocks of 1024 bytes hold 1017 samples.
    TimeCase("IMA ADPCM in WAV whose last block has one sample", counted, samples: 4069) {
      try fact("adpcm_ima_wav", 4069, cut: 1016)
    },
    TimeCase("IMA ADPCM in WAV whose fact chunk is all ones", counted, samples: 5085) {
      try fact("adpcm_ima_wav", 0xFFFF_FFFF, cut: 0)
    },
    TimeCase(
      "WavPack with an ID3v1 tag after its sound",
      "WavPack 4 & 5 Binary File / Block Format, 1: blocks begin with wvpk; tags follow the last one",
      samples: 96_000
    ) {
      let plain = try MadeMedia("a.wv", ["-c:a", "wavpack"])
      return try Sound("a.wv", plain.bytes() + Data("TAG".utf8) + Data(count: 125), as: plain)
    },
    TimeCase(
      "WavPack that lost its second block of 24,000 samples",
      "WavPack 4 & 5 Binary File / Block Format, 2: block_index is the number of a block's first sample",
      samples: 96_000, kinds: ["timestamp-gap"]
    ) {
      let plain = try MadeMedia("a.wv", ["-c:a", "wavpack"])
      var bytes = try plain.bytes()
      let size = { (place: Int) in
        8 + bytes[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      let second = size(0)
      bytes.removeSubrange(second..<second + size(second))
      let silence = [Float](repeating: 0, count: 24_000)
      return Sound(
        "a.wv", bytes,
        try plain.decode().planes.map { $0.prefix(24_000) + silence + $0.dropFirst(48_000) })
    },
    TimeCase(
      "PCM in AVI whose stream header counts ten samples",
      "AVI RIFF: dwLength is information; the chunks have the sound", samples: 96_000
    ) {
      let plain = try MadeMedia("a.avi", ["-c:a", "pcm_s16le"])
      var bytes = try plain.bytes()
      replace(&bytes, "strh", 40, PlainBytes.little(10, 4))
      return try Sound("a.avi", bytes, as: plain)
    },
  ]
}
