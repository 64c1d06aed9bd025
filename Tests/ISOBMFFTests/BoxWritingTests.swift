// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ISOBMFF

/// Fields and sizes of written boxes, byte by byte.
@Suite struct BoxWritingTests {
  @Test("nested boxes have their sizes, versions and flags")
  func sizesArePatchedIn() {
    var builder = BoxBuilder()
    builder.box("outr") { outer in
      outer.fullBox("innr", version: 1, flags: 0x0203) { $0.u16(7) }
      outer.u8(9)
    }
    #expect(
      builder.bytes
        == BoxBytes.box("outr", BoxBytes.box("innr", [1, 0, 2, 3, 0, 7]) + [9]))
  }

  @Test("values beyond a field are clamped to its ends")
  func valuesAreClampedToTheirFields() {
    var builder = BoxBuilder()
    builder.u8(-1)
    builder.u8(300)
    builder.u16(70_000)
    builder.u24(Int64.max)
    builder.u32(Int64.max)
    builder.i16(-40_000)
    builder.u64(Int64(-5))
    #expect(
      builder.bytes == [0, 255, 255, 255] + [UInt8](repeating: 255, count: 7) + [0x80, 0]
        + [UInt8](repeating: 0, count: 8))
  }

  @Test("four-character codes are Latin-1 and padded with blanks")
  func fourCharacterCodesAreLatin1() {
    var builder = BoxBuilder()
    builder.fourCC("©nam")
    builder.fourCC("ab")
    #expect(builder.bytes == [0xA9] + Array("namab  ".utf8))
  }

  @Test("a header is 64-bit from 2^32 bytes of box on")
  func largeHeadersHave64Bits() {
    #expect(BoxBuilder.header("mdat", payloadSize: 5) == [0, 0, 0, 13] + Array("mdat".utf8))
    let last = Int64(UInt32.max) - 8
    #expect(BoxBuilder.header("mdat", payloadSize: last).count == 8)
    #expect(
      BoxBuilder.header("mdat", payloadSize: last + 1)
        == [0, 0, 0, 1] + Array("mdat".utf8) + BoxBytes.number(UInt64(last) + 17))
    #expect(BoxBuilder.header("mdat", payloadSize: .max).count == 16)
  }

  @Test("an edit list of 64-bit duration reads back")
  func editsRoundTrip() {
    let list = EditListBox(entries: [.init(duration: 1 << 40, mediaTime: 1024)])
    let bytes = list.encoded
    #expect(EditListBox(payload: Array(bytes.dropFirst(8))) == list)
    #expect(bytes.count == 36)
  }

  @Test("loudness and peaks are coded in the standard's steps, and figures that aren't known as 0")
  func loudnessIsCodedInTheStandardsSteps() {
    let box = LoudnessBox(
      TrackLoudness(integrated: -16, truePeak: -1, samplePeak: -1.5, range: 40, shortTermMax: -10.3)
    )?.encoded
    // True peak (20 + 1) · 32 = 672 = 0x2A0, sample peak 688 = 0x2B0.
    let expected: [UInt8] =
      [0, 0, 0, 0, 0, 0, 0x2B, 0x02, 0xA0, 0x23, 3]
      + [1, 167, 0x23, 5, 190, 0x13, 6, 144, 0x13]
    #expect(box == BoxBytes.box("ludt", BoxBytes.box("tlou", expected)))
    let none = LoudnessBox(TrackLoudness(integrated: .nan, truePeak: nil))?.encoded
    #expect(none == BoxBytes.box("ludt", BoxBytes.box("tlou", [UInt8](repeating: 0, count: 11))))
    let extreme = TrackLoudness(integrated: -1e9, truePeak: 1e9, range: 1e9)
    #expect(LoudnessBox(extreme)?.encoded.count == 8 + 8 + 11 + 6)
  }

  @Test("defined layouts and positions are written as chnl")
  func layoutsAreWritten() {
    #expect(
      ChannelLayoutBox(.defined(6)).encoded
        == BoxBytes.box("chnl", [0, 0, 0, 0, 1, 6] + [UInt8](repeating: 0, count: 8)))
    #expect(
      ChannelLayoutBox(.positions([0, 1])).encoded
        == BoxBytes.box("chnl", [0, 0, 0, 0, 1, 0, 0, 1]))
  }

  /// Two times, the scale and the length in version 1, the language, and a field that is 0 (ISO/IEC 14496-12, 8.4.2.2).
  @Test("mdhd has times, timescale, duration and language in version 1")
  func mediaHeadersHaveAllTheirFields() throws {
    let bytes = try FragmentedMovieBytes.movie()
    let scanner = BoxScanner(BoxBytes.source(bytes))
    let movie = try #require(scanner.boxes().first { $0.type == "moov" })
    let header = try #require(scanner.first(["trak", "mdia", "mdhd"], in: movie))
    let language: [UInt8] = [0x15, 0xC7]
    #expect(
      Array(bytes[Int(header.payload)..<Int(header.end)])
        == [1, 0, 0, 0] + [UInt8](repeating: 0, count: 16) + BoxBytes.number(UInt32(48_000))
        + [UInt8](repeating: 0, count: 8) + language + [0, 0])
  }

  @Test("the language en-GB is spelled in elng")
  func languagesArePackedOrSpelled() throws {
    let movie = try FragmentedMovieBytes.movie()
    #expect(
      movie.indices.contains {
        movie[$0...].starts(with: BoxBytes.box("elng", [0, 0, 0, 0] + Array("en-GB".utf8) + [0]))
      })
  }

  /// ISO/IEC 14496-12, 8.4.2.3: three letters of ISO 639-2/T, each 0x60 less, in five bits.
  @Test(
    "mdhd has the code of ISO 639-2/T, and elng the tag where it has more than the language",
    arguments: [
      ("ger", "deu", nil), ("deu", "deu", nil), ("de", "deu", nil), ("fre", "fra", nil),
      ("chi", "zho", nil),
      ("en-GB", "eng", "en-GB"), ("eng_gb", "eng", "en-GB"), ("zh-hant", "zho", "zh-Hant"),
      ("fil", "fil", nil),
      ("und", "und", nil), ("", "und", nil), ("x-klingon", "und", "x-klingon"),
    ] as [(language: String, code: String, tag: String?)])
  func languagesHaveTheirCode(language: String, code: String, tag: String?) throws {
    let track = TrackBox(
      kind: .audio, timescale: 48_000,
      sampleEntry: AudioSampleEntry(format: "test", channels: 1, sampleRate: 0).encoded,
      language: language,
      edits: EditListBox(entries: []))
    let bytes = MovieBox(
      timescale: 48_000, duration: 1, tracks: [track], tags: MovieTags()
    ).encoded
    let scanner = BoxScanner(BoxBytes.source(bytes))
    let movie = try #require(scanner.boxes().first { $0.type == "moov" })
    let header = try #require(scanner.first(["trak", "mdia", "mdhd"], in: movie))
    let packed = bytes[Int(header.end) - 4..<Int(header.end) - 2].reduce(0) { $0 << 8 | Int($1) }
    let letters = [10, 5, 0].map { UInt8(packed >> $0 & 31) + 0x60 }
    #expect(String(decoding: letters, as: UTF8.self) == code)
    let extended = scanner.first(["trak", "mdia", "elng"], in: movie).map { box in
      String(decoding: bytes[Int(box.payload) + 4..<Int(box.end) - 1], as: UTF8.self)
    }
    #expect(extended == tag)
  }

  @Test("a fragment with a sample of 2^31 − 1 bytes is refused")
  func impossibleFragmentsAreRefused() {
    let sample = FragmentSample(size: Int(Int32.max), duration: 1)
    let box = MovieFragmentBox(
      sequenceNumber: 1,
      tracks: [TrackFragmentBox(trackID: 1, baseDecodeTime: 0, samples: [sample])])
    #expect(throws: BoxError.self) { try box.encoded() }
  }
}
