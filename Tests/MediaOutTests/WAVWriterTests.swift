// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing
import Verify

@testable import MediaOut

@Suite struct WAVWriterTests {
  struct MaskRow: Sendable {
    let layout: String
    let mask: UInt32
    let probed: String
  }

  static let masks = [
    MaskRow(layout: "mono", mask: 0x4, probed: "mono"),
    MaskRow(layout: "stereo", mask: 0x3, probed: "stereo"),
    MaskRow(layout: "quad", mask: 0x33, probed: "quad"),
    MaskRow(layout: "5.1", mask: 0x3F, probed: "5.1"),
    MaskRow(layout: "5.1(side)", mask: 0x60F, probed: "5.1(side)"),
    MaskRow(layout: "7.1", mask: 0x63F, probed: "7.1"),
    MaskRow(layout: "7.1(wide)", mask: 0xFF, probed: "7.1(wide)"),
  ]

  private func layout(_ name: String) throws -> ChannelLayout {
    try #require(ChannelLayout(name: name))
  }

  @Test(
    "WAV files have the layout's mask, format and length, and ffprobe agrees", arguments: masks,
    SampleEncoding.allCases)
  func theMaskNamesTheLayout(row: MaskRow, encoding: SampleEncoding) throws {
    let layout = try self.layout(row.layout)
    let planes = WrittenFile.noise(channels: layout.count, frames: 100)
    let file = try WrittenFile(planes, WrittenFile.settings(layout, encoding, frames: 100))
    let header = try file.header()
    #expect(header.channelMask == row.mask)
    #expect(header.channels == layout.count)
    #expect(header.sampleRate == 48_000)
    #expect(header.frames == 100)
    #expect(header.bits == encoding.bytes * 8)
    #expect(header.isFloat == (encoding == .float32))
    #expect(header.form == "RIFF")
    let probed = try file.probe(["channel_layout", "codec_name", "duration_ts"])
    #expect(probed["channel_layout"] == row.probed)
    let codecs = [SampleEncoding.pcm16: "pcm_s16le", .pcm24: "pcm_s24le", .float32: "pcm_f32le"]
    #expect(probed["codec_name"] == codecs[encoding])
    #expect(probed["duration_ts"] == "100")
  }

  /// Channels that the mask can't name must not be written with the mask of back speakers.
  @Test(
    "a WAV of a layout beyond the mask has mask 0, and one of 7.1.4 has its own",
    arguments: [
      "9.1.6", "FL+FR+FC+LFE+WL+WR", "FL+FR+FC+LFE+SL+SR+TSL+TSR", "7.1.4",
    ])
  func layoutsBeyondTheMaskClaimNothing(name: String) throws {
    let layout = try self.layout(name)
    let planes = WrittenFile.noise(channels: layout.count, frames: 50)
    let file = try WrittenFile(planes, WrittenFile.settings(layout, .pcm24, frames: 50))
    let header = try file.header()
    let isNamed = name == "7.1.4"
    #expect(WAVWriter.carries(layout) == isNamed)
    #expect((header.channelMask ?? 0) == (isNamed ? UInt32(truncatingIfNeeded: layout.mask) : 0))
    #expect(header.channels == layout.count)
    #expect(header.frames == 50)
  }

  /// libsndfile gives 1, 2, 4, 6 and 8 channels the mask of usual loudspeakers where it gets none.
  @Test(
    "channels without loudspeakers have a mask of 0, in WAV and RF64",
    arguments: [1, 2, 4, 6, 8, 9, 16], [Int64(50), 1 << 32])
  func channelsWithoutLoudspeakersHaveNoMask(channels: Int, promised: Int64) throws {
    let planes = WrittenFile.noise(channels: channels, frames: 50)
    var settings = WrittenFile.settings(ChannelLayout(unnamed: channels), .pcm24, frames: 50)
    settings.frames = promised
    let file = try WrittenFile(planes, settings)
    let bytes = [UInt8](try file.bytes())
    #expect(Array(bytes[0..<4]) == Array((promised > 50 ? "RF64" : "RIFF").utf8))
    // The fields of `fmt ` (WAVE_FORMAT_EXTENSIBLE), which follows `ds64` in RF64.
    let fields = promised > 50 ? 56 : 20
    #expect(Array(bytes[fields - 8..<fields - 4]) == Array("fmt ".utf8))
    #expect(Array(bytes[fields..<fields + 4]) == [0xFE, 0xFF, UInt8(channels), 0])
    #expect(Array(bytes[fields + 20..<fields + 24]) == [0, 0, 0, 0])
    #expect(Array(bytes[fields + 24..<fields + 26]) == [1, 0])
  }

  @Test(
    "a WAV of 101 frames is whole and padded, has no PEAK chunk and the same bytes each time",
    arguments: SampleEncoding.allCases)
  func filesAreWholeWithNothingTimeDependent(encoding: SampleEncoding) throws {
    // An odd number of data bytes needs a pad byte.
    let planes = WrittenFile.noise(channels: 1, frames: 101)
    let settings = WrittenFile.settings(.mono, encoding, frames: 101)
    let file = try WrittenFile(planes, settings)
    let bytes = try file.bytes()
    #expect(WrittenFile.little(bytes, 4, 4) == UInt64(bytes.count - 8))
    #expect(bytes.count % 2 == 0)
    let types = try file.chunks().map(\.type)
    #expect(types.filter { $0 == "data" }.count == 1)
    #expect(!types.contains("PEAK"))
    #expect(try WrittenFile(planes, settings).bytes() == bytes)
  }

  @Test(
    "a WAV has the same bytes for blocks of any size, with any dither",
    arguments: SampleEncoding.allCases, Dither.allCases)
  func bytesDoNotDependOnBlocks(encoding: SampleEncoding, dither: Dither) throws {
    let planes = WrittenFile.noise(channels: 2, frames: 3000)
    let settings = WrittenFile.settings(.stereo, encoding, frames: 3000, dither: dither)
    let whole = try WrittenFile(planes, settings, block: 3000).bytes()
    for block in [1, 7, 480] {
      #expect(try WrittenFile(planes, settings, block: block).bytes() == whole)
    }
  }

  @Test(
    "ffmpeg decodes a 5.1 WAV of each encoding to the samples written", .tags(.system), .fullRunOnly
  )
  func samplesArriveAsFfmpegDecodesThem() throws {
    let planes = WrittenFile.noise(channels: 6, frames: 500)
    for encoding in SampleEncoding.allCases {
      let file = try WrittenFile(
        planes, WrittenFile.settings(try layout("5.1"), encoding, frames: 500))
      let result = try file.run("ffmpeg", ["-v", "error", "-i", file.path, "-f", "f32le", "-"])
      let decoded = result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      let wanted = (0..<500).flatMap { frame in planes.map { $0[frame] } }
      #expect(decoded == wanted)
      #expect(file.clipped == 0)
    }
  }

  @Test("floats beyond full scale are stored as they are")
  func floatsBeyondFullScaleAreKept() throws {
    let file = try WrittenFile(
      [[1.5, -2, 0.1]], WrittenFile.settings(.mono, .float32, frames: 3))
    let data = try file.bytes().suffix(12)
    #expect(
      data.elementsEqual(
        [1.5, -2, 0.1 as Float].flatMap { value in
          withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
        }))
  }

  @Test("a WAV without samples is read with 0 frames")
  func aFileWithoutSamplesIsWhole() throws {
    let file = try WrittenFile([[]], WrittenFile.settings(.mono, .pcm16, frames: 0))
    #expect(try file.header().frames == 0)
  }

  @Test("715,816,960 frames of 24-bit stereo fit WAV, and one more needs RF64")
  func hugeLengthsBecomeRF64() throws {
    let stereo = WrittenFile.settings(.stereo, .pcm24, frames: 0)
    for (frames, isLong) in [
      (715_816_960, false), (715_816_961, true), (Int.max, true), (0, false),
    ] {
      var settings = stereo
      settings.frames = Int64(frames)
      #expect(settings.needsRF64 == isLong)
    }
  }

  @Test("RF64 has its sizes in ds64 and its mask, and ffprobe reads 1000 frames")
  func rf64HasItsSizesIn64Bits() throws {
    let layout = try self.layout("5.1(side)")
    var settings = WrittenFile.settings(layout, .float32, frames: 1 << 32)
    settings.texts.broadcast = BroadcastInfo(description: "", timeReference: 0, codingHistory: "")
    let planes = WrittenFile.noise(channels: 6, frames: 1000)
    let file = try WrittenFile(planes, settings)
    let bytes = try file.bytes()
    #expect(Array(bytes[0..<4]) == Array("RF64".utf8))
    #expect(WrittenFile.little(bytes, 4, 4) == 0xFFFF_FFFF)
    let chunks = try file.chunks()
    #expect(chunks.first?.type == "ds64")
    #expect(chunks.last?.type == "data")
    #expect(chunks.last?.size == 0xFFFF_FFFF)
    #expect(WrittenFile.little(bytes, 20, 8) == UInt64(bytes.count - 8))
    #expect(WrittenFile.little(bytes, 28, 8) == 24_000)
    let header = try file.header()
    #expect(header.form == "RF64")
    #expect(header.frames == 1000)
    #expect(header.channelMask == 0x60F)
    #expect(try file.probe(["duration_ts"])["duration_ts"] == "1000")
  }

  @Test("a WAV of rate 0 is refused")
  func impossibleFormatsAreRefused() throws {
    let settings = SoundSettings(
      format: AudioFormat(sampleRate: 0, layout: .mono),
      coding: OutputCoding(.pcm, encoding: .pcm16), frames: 1)
    #expect(throws: MediaError.self) { try WrittenFile([[0]], settings) }
  }

  @Test("WAV on a full disk is refused")
  func aFullDiskIsAnError() throws {
    let settings = WrittenFile.settings(.mono, .pcm16, frames: 100_000)
    let descriptor = open("/dev/full", O_RDWR)
    defer { close(descriptor) }
    let buffer = AudioBuffer(channels: 1)
    buffer.appendSilence(100_000)
    #expect(throws: MediaError.self) {
      let writer = try WAVWriter(descriptor: descriptor, name: "full", settings: settings)
      try writer.write(buffer)
      try writer.close()
    }
  }
}
