// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import MediaIn

/// Bare streams of frames that count their own samples: FLAC, MP3, layers I and II, AAC.
extension TimeCase {
  static let frames = flac + mp3 + mpeg + filled

  // FLAC

  private static let old =
    "RFC 9639, 8.2 and 9.1: blocks of several lengths are numbered by samples; the last one may be shorter than the shortest"
  private static let open = "RFC 9639, 8.2: a total or an MD5 of 0 is unknown"
  private static let tagged =
    "RFC 9639, 6: a stream begins with fLaC; tags of MP3 around it are no part of it"

  private static let fixed = Array(repeating: 1152, count: 12) + [77]
  private static let varied =
    Array(repeating: 1152, count: 5) + [4608, 4608, 4608, 1152, 1152, 1152, 1152, 77]

  /// A stream of `blocks` that `change` has changed, between other bytes.
  private static func stream(
    _ blocks: [Int], after head: Data = Data(), before tail: Data = Data(),
    _ change: (inout FLACBytes) -> Void
  ) -> Sound {
    var bytes = FLACBytes(blocks: blocks)
    change(&bytes)
    return Sound("a.flac", head + bytes.file + tail, bytes.planes)
  }

  /// Numbers blocks by their samples, in a header that states these lengths.
  private static func numbered(_ least: Int, _ greatest: Int) -> (inout FLACBytes) -> Void {
    { bytes in
      let blocks = bytes.blocks
      bytes.numbers = blocks.indices.map { blocks[..<$0].reduce(0, +) }
      bytes.stated = (least, greatest)
    }
  }

  private static let flac: [TimeCase] = [
    TimeCase(
      "FLAC of two block lengths numbered by samples, with a short last block", old,
      samples: 24_269
    ) { stream(varied, numbered(1152, 4608)) },
    TimeCase(
      "FLAC of one block length numbered by samples, whose last block is stated as the shortest",
      old, samples: 13_901
    ) { stream(fixed, numbered(77, 1152)) },
    TimeCase(
      "FLAC whose frames say that they number samples, and whose header states one length", old,
      samples: 13_901
    ) {
      stream(fixed) { bytes in
        numbered(1152, 1152)(&bytes)
        bytes.countsSamples = true
      }
    },
    TimeCase(
      "FLAC without total and MD5 that lost two frames", open, samples: 13_901,
      kinds: ["timestamp-gap"]
    ) {
      let sound = stream(fixed) { bytes in
        (bytes.stated, bytes.total) = ((1152, 1152), 0)
        (bytes.md5, bytes.lost) = ([UInt8](repeating: 0, count: 16), [7, 8])
      }
      let silence = [Float](repeating: 0, count: 2 * 1152)
      return Sound(
        sound.name, sound.bytes,
        sound.planes.map { $0.prefix(7 * 1152) + silence + $0.dropFirst(9 * 1152) })
    },
    TimeCase(
      "FLAC without total and MD5 whose first frame has the number 100", open, samples: 13_901,
      place: 115_200
    ) {
      stream(fixed) { bytes in
        (bytes.stated, bytes.total) = ((1152, 1152), 0)
        bytes.md5 = [UInt8](repeating: 0, count: 16)
        bytes.numbers = Array(100..<113)
      }
    },
    TimeCase(
      "FLAC whose last block has one sample",
      "RFC 9639, 9.1: the last block alone may be shorter than 16 samples", samples: 1153
    ) { stream([1152, 1]) { $0.stated = (1152, 1152) } },
    TimeCase("FLAC after an ID3v2 tag with a footer", tagged, samples: 13_901) {
      stream(fixed, after: MP3Bytes.footed(Data(count: 300))) { $0.stated = (1152, 1152) }
    },
    TimeCase(
      "FLAC after two ID3v2 tags", tagged, samples: 13_901, kinds: ["garbage-skipped"]
    ) {
      stream(
        fixed, after: MP3Bytes.comment("one", "text") + MP3Bytes.comment("two", "text")
      ) { $0.stated = (1152, 1152) }
    },
    TimeCase(
      "FLAC numbered by samples between ID3v2 and ID3v1 tags", tagged, samples: 24_269
    ) {
      stream(
        varied, after: MP3Bytes.comment("note", "text"), before: MP3Bytes.old, numbered(1152, 4608))
    },
  ]

  // MP3

  private static let info =
    "mp3infotag.html: twelve bits each of delay and padding, to which a decoder adds 529 samples"
  private static let apple =
    "iTunSMPB of iTunes: delay, padding and samples, which count without LAME's header"

  /// Two seconds with other numbers in the header frame. The judge is the same without it, in which the decoder's and
  /// LAME's own delay of 1105 samples in all are missing, and nothing at the end.
  private static func headed(
    frames: Int = 85, delay: Int = 576, padding: Int = 1344, after head: Data = Data()
  ) throws -> Sound {
    let (_, data, start) = try MP3Bytes.parts()
    let file = try MP3Bytes.numbered(data, frames: frames, (delay, padding))
    return try Sound(
      "a.mp3", head + file[start...], as: bare(), from: delay - 576, cut: max(0, padding - 529))
  }

  /// The frames of sound alone.
  private static func bare() throws -> MadeMedia {
    let (_, data, start) = try MP3Bytes.parts()
    return try MadeMedia("a.mp3", bytes: Data(data[(start + MP3Bytes.frameSize)...]))
  }

  private static let mp3: [TimeCase] = [
    TimeCase(
      "MP3 whose LAME header states no padding", info, samples: 96_815, startUp: 1105, place: nil
    ) { try headed(padding: 0) },
    TimeCase(
      "MP3 whose padding is shorter than the decoder's delay", info, samples: 96_815,
      startUp: 1105, place: nil
    ) { try headed(padding: 528) },
    TimeCase(
      "MP3 whose delay and padding are as long as their fields allow", info,
      samples: 97_920 - 4624 - 3566, startUp: 4624, place: nil
    ) { try headed(delay: 4095, padding: 4095) },
    TimeCase(
      "MP3 whose LAME header comes after an ID3v2 tag with a footer",
      "ID3v2.4, 3.4: the footer's 10 bytes aren't part of the tag's size", samples: 96_000,
      startUp: 1105, place: nil
    ) { try headed(after: MP3Bytes.footed(Data(count: 300))) },
    TimeCase(
      "MP3 of 24 kHz in mono whose LAME header counts itself", info, samples: 48_000,
      startUp: 1105, place: nil
    ) {
      let media = try MadeMedia(
        "a.mp3", ["-c:a", "libmp3lame", "-ar", "24000", "-ac", "1", "-b:a", "32k"])
      let counted = try MP3Bytes.numbered(media.bytes(), lead: 13, frames: 87)
      return try Sound("a.mp3", counted, as: media)
    },
    TimeCase(
      "MP3 whose Xing header counts 1000 frames, and states nothing else",
      "Xing's count is no bound, and says nothing about padding", samples: 96_815,
      startUp: 1105, place: nil
    ) {
      let (_, whole, start) = try MP3Bytes.parts()
      var data = whole
      let header = Data("Xing".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xE8]
      data.replaceSubrange(
        start + 36..<start + MP3Bytes.frameSize, with: header + Data(count: 156 - header.count))
      return try Sound("a.mp3", data, as: bare())
    },
    TimeCase(
      "MP3 without a LAME header, whose iTunes tag states 576 and 96,000 samples", apple,
      samples: 96_000, startUp: 1105
    ) {
      let tag = " 00000000 00000240 00000540 0000000000017700 00000000 00000000"
      let frames = try bare()
      let bytes = try MP3Bytes.comment("iTunSMPB", tag) + frames.bytes()
      return try Sound("a.mp3", bytes, as: frames, cut: 815)
    },
    TimeCase(
      "MP3 with a LAME header and an iTunes tag of another file", apple, samples: 96_000,
      startUp: 1105, place: nil
    ) {
      let tag = " 00000000 00000840 000001CA 0000000000001000 00000000 00000000"
      return try headed(after: MP3Bytes.comment("iTunSMPB", tag))
    },
  ]

  // Layers I and II, AAC

  private static let checked =
    "ISO/IEC 11172-3, 2.4.3.1: the checksum is for header, allocation and the choice of scale factors"

  /// Layer I with a checksum; the judge has none.
  private static func layerI(_ mode: MPEGBytes.Mode) throws -> Sound {
    let plain = MPEGBytes.layerI(frames: 50, mode, hasChecksum: false)
    return try Sound(
      "a.mp1", MPEGBytes.layerI(frames: 50, mode), as: MadeMedia("a.mp1", bytes: plain))
  }

  private static let mpeg: [TimeCase] = [
    TimeCase("layer I in stereo with checksums", checked, samples: 50 * 384, place: nil) {
      try layerI(.stereo)
    },
    TimeCase("layer I in mono with checksums", checked, samples: 50 * 384, place: nil) {
      try layerI(.mono)
    },
    TimeCase(
      "layer II with checksums", checked, samples: 50 * 1152 - 481, startUp: 481, place: nil
    ) {
      let plain = MPEGBytes.layerII(frames: 50, hasChecksum: false)
      return try Sound(
        "a.mp2", MPEGBytes.layerII(frames: 50), as: MadeMedia("a.mp2", bytes: plain))
    },
    TimeCase(
      "AAC in ADTS with checksums in every other frame",
      "ISO/IEC 14496-3, 1.A.2: protection_absent of each frame states whether two bytes follow",
      samples: 95 * 1024 - 1024, startUp: 1024, place: nil
    ) {
      let plain = try MadeMedia("a.aac", ["-c:a", "aac", "-ac", "1"])
      return try Sound("a.aac", MPEGBytes.checked(adts: plain.bytes()), as: plain)
    },
  ]

  // Zeros after the last frame

  /// Bare streams, by the codec's own count of frames; libavformat's parsers join the zeros to the last frame, or make a packet
  /// of them.
  private static let filled: [TimeCase] = [
    ("AC-3", "a.ac3", ["ac3"]), ("E-AC-3", "a.eac3", ["eac3"]), ("layer II", "a.mp2", ["mp2"]),
    ("MP3 without a header frame", "a.mp3", ["libmp3lame", "-write_xing", "0"]),
    ("AAC in LOAS", "a.loas", ["aac", "-f", "latm"]), ("WavPack", "a.wv", ["wavpack"]),
  ].map { name, file, coding in
    TimeCase(
      "\(name) with 1000 zeros after the last frame",
      "a frame begins with its sync word, so that zeros are no frame", samples: nil, startUp: nil,
      place: nil
    ) {
      let plain = try MadeMedia(file, ["-c:a"] + coding)
      return try Sound(file, plain.bytes() + Data(count: 1000), as: plain)
    }
  }
}
