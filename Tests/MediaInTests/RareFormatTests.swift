// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// Formats and files that only some versions of FFmpeg read as they are meant.
@Suite(.tags(.system)) struct RareFormatTests {
  struct PCM: Sendable, CustomTestStringConvertible {
    let isFloat: Bool
    let bits: Int
    let isLittleEndian: Bool
    var testDescription: String {
      "\(isFloat ? "fpcm" : "ipcm"), \(bits) bits, \(isLittleEndian ? "little" : "big") endian"
    }

    /// Bytes of one sample, −1 to 1.
    func bytes(_ value: Double) -> [UInt8] {
      let pattern: UInt64 =
        switch (isFloat, bits) {
        case (true, 32): UInt64(Float(value).bitPattern)
        case (true, _): value.bitPattern
        default: UInt64(bitPattern: Int64(value * Double(1 << (bits - 1))))
        }
      let little = (0..<bits / 8).map { UInt8(truncatingIfNeeded: pattern >> (8 * UInt64($0))) }
      return isLittleEndian ? little : little.reversed()
    }
  }

  static let pcm = [(false, 16), (false, 24), (false, 32), (true, 32), (true, 64)].flatMap { kind in
    [true, false].map { PCM(isFloat: kind.0, bits: kind.1, isLittleEndian: $0) }
  }

  /// Up to 6.0, libavformat takes `ipcm` for 16 bits, whatever `pcmC` says, and doesn't know `fpcm`.
  @Test(
    "integer and float PCM in MP4 give their exact samples in every width and byte order",
    arguments: pcm)
  func uncompressedSoundInMP4HasItsOwnFormat(format: PCM) throws {
    let frames = 6000
    // Multiples of 2^-12 fit all formats.
    let value = { (channel: Int, frame: Int) in
      Double((frame * 37 + channel * 1000) % 8192 - 4096) / 4096
    }
    let payload = (0..<frames).flatMap { frame in
      (0..<2).flatMap { format.bytes(value($0, frame)) }
    }
    let file = try MadeMedia(
      "a.mp4",
      bytes: MoviePCM.bytes(
        payload, frames: frames, channels: 2, isFloat: format.isFloat, bits: format.bits,
        isLittleEndian: format.isLittleEndian))
    let decoded = try file.decode()
    for channel in 0..<2 {
      #expect(decoded.planes[channel] == (0..<frames).map { Float(value(channel, $0)) })
    }
  }

  /// Bytes that aren't sound lie in front of the first frame: random ones, zeros, what libavformat takes for raw AMR,
  /// a page of the web, or what an ID3 tag doesn't count.
  @Test(
    "junk in front of MP3 and FLAC is left out and reported with its size, and no sample changes",
    arguments: [
      ("noise", 100), ("noise", 300_000), ("zeros", 900_000), ("like AMR", 10_000), ("page", 9300),
      ("picture", 112), ("behind ID3", 5000),
    ], [["a.mp3", "-c:a", "libmp3lame", "-id3v2_version", "0"], ["a.flac", "-c:a", "flac"]])
  func junkInFrontIsLeftOut(row: (kind: String, count: Int), format: [String]) throws {
    let (kind, count) = row
    let good = try MadeMedia(format[0], Array(format.dropFirst()))
    let wanted = try good.decode()
    let patterns: [String: [UInt8]] = [
      "zeros": [0], "like AMR": [0xDE, 0xAD, 0xBE, 0xEF],
      "page": Array("<html><body>moved</body></html>\n".utf8),
      "picture": Array("GIF89a".utf8) + [1, 0, 1] + [UInt8](repeating: 0, count: 103),
    ]
    var noise = SeededNoise(seed: 5)
    let bad = try good.altered { data in
      let pattern = patterns[kind]
      let junk = (0..<count).map { index in
        pattern.map { $0[index % $0.count] } ?? UInt8.random(in: 0...254, using: &noise)
      }
      // A tag of 20 bytes, all padding.
      let tag =
        kind == "behind ID3"
        ? Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 20) : []
      data = Data(tag + junk) + data
    }
    let result = try bad.decode()
    #expect(result.planes == wanted.planes)
    #expect(result.count == 96_000)
    #expect(result.kinds == ["garbage-skipped"])
    #expect(result.degradations.contains { $0.message.hasPrefix("\(count) bytes in front") })
    #expect(!wanted.kinds.contains("garbage-skipped"))
  }

  /// Ogg and Matroska hold the header of FLAC, too; what follows it there is no stream of FLAC.
  @Test("FLAC in Ogg or Matroska without its first byte is refused", arguments: ["a.oga", "a.mka"])
  func theHeaderOfFLACElsewhereIsNoBeginning(name: String) throws {
    let bad = try MadeMedia(name, ["-c:a", "flac"]).altered { $0[0] = 0 }
    #expect(bad.failure()?.kind == .inputUnreadable)
  }

  /// libavformat's probing wants many frames. Of a few it says nothing, or that they are MP3.
  @Test(
    "30 ms of raw TrueHD, MLP and DTS are read by their name's extension, as ffmpeg reads them by its -f",
    arguments: [["thd", "truehd", "truehd"], ["mlp", "mlp", "mlp"], ["dts", "dca", "dts"]])
  func aFewBareFramesAreReadByTheirName(row: [String]) throws {
    let media = try MadeMedia(
      "a.\(row[0])", ["-c:a", row[1], "-strict", "-2", "-t", "0.03"])
    let decoded = try media.decode()
    let raw = ["-v", "error", "-f", row[2], "-i", media.path, "-f", "f32le", "-"]
    let wanted = try withExtendedLifetime(media.folder) { try Tool.run("ffmpeg", raw).output }
    let values = wanted.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    // The start-up of DTS, one frame of 512 samples, is left out.
    let skipped = row[0] == "dts" ? 512 : 0
    #expect(decoded.count == values.count / 2 - skipped)
    for channel in 0..<2 {
      let plane = stride(from: 2 * skipped + channel, to: values.count, by: 2).map { values[$0] }
      let worst = zip(decoded.planes[channel], plane).map { abs($0 - $1) }.max()
      #expect(try #require(worst) < 1e-4)
    }
    #expect(decoded.degradations.isEmpty)
    #expect(decoded.decisions.contains { $0.code == .container && $0.chose == row[2] })
  }

  @Test(
    "text and noise named like raw streams are refused as no media, and WAV named so is WAV",
    arguments: ["thd", "mlp", "dts", "ac3", "eac3", "aac", "mp2", "mp3", "amr"])
  func aNameDoesntBeatTheBytes(ending: String) throws {
    var noise = SeededNoise(seed: 12)
    let text = Data(String(repeating: "Only words, no sound at all.\n", count: 400).utf8)
    let random = Data((0..<50_000).map { _ in UInt8.random(in: 0...255, using: &noise) })
    for bytes in [text, random] {
      #expect(try MadeMedia("a.\(ending)", bytes: bytes).failure()?.kind == .inputUnreadable)
    }
    let plane = (0..<3000).map { Int16($0) }
    let wav = try MadeMedia("a.\(ending)", bytes: WAVBytes.pcm16([plane], rate: 48_000)).decode()
    #expect(wav.planes[0] == plane.map { Float($0) / 32_768 })
  }

  @Test("an MP3 after 1,100,000 bytes of junk is refused")
  func moreThanAMebibyteOfJunkIsRefused() throws {
    let good = try MadeMedia("a.mp3", ["-c:a", "libmp3lame"])
    let bad = try good.altered { $0 = Data(repeating: 0x55, count: 1_100_000) + $0 }
    #expect(bad.failure() != nil)
  }

  /// Frames of the highest rate hold any bits, and 20 ms each (3GPP TS 26.101 and 26.201; RFC 4867, section 5).
  @Test(
    "50 frames of AMR or AMR-WB give one second of sound",
    arguments: [("#!AMR\n", 0x3C, 31, 8000), ("#!AMR-WB\n", 0x44, 60, 16_000)])
  func speechFramesAreDecoded(magic: String, head: UInt8, bytes: Int, rate: Int) throws {
    var noise = SeededNoise(seed: 9)
    let frames = (0..<50).flatMap { _ in
      [head] + (0..<bytes).map { _ in UInt8.random(in: 0...255, using: &noise) }
    }
    let file = try MadeMedia("a.amr", bytes: Data(Array(magic.utf8) + frames))
    let decoded = try file.decode()
    #expect(decoded.count == rate)
    #expect(decoded.planes[0].contains { $0.magnitude > 0.01 })
  }

  /// A layout that is asked for names the channels, also of a codec whose frames are converted.
  @Test("DSD in a layout that is asked for has that layout and the same samples")
  func directStreamDigitalTakesTheLayoutAskedFor() throws {
    let file = try MadeMedia("a.dsf", bytes: DSDStream.file(frequency: 1000, level: 0.5))
    var options = InputOptions()
    options.layout = ChannelLayout(name: "FL")
    let named = try file.decode(options)
    #expect(named.planes == (try file.decode().planes))
    #expect(named.format.layout == options.layout)
    #expect(named.degradations.isEmpty)
  }

  @Test("DSD in WavPack, also in Matroska, has the samples of the same bits in DSF")
  func directStreamDigitalInWavPackIsTheSame() throws {
    let plain = try MadeMedia("a.dsf", bytes: DSDStream.file(frequency: 1000, level: 0.5)).decode()
    let packed = DSDStream.wavPack(frequency: 1000, level: 0.5)
    let file = try MadeMedia("a.wv", bytes: packed)
    let copied = file.folder.file("a.mka")
    try Tool.ffmpeg(["-i", file.path, "-c", "copy", copied])
    let held = try MadeMedia("b.mka", bytes: Data(contentsOf: URL(fileURLWithPath: copied)))
    for decoded in [try file.decode(), try held.decode()] {
      #expect(decoded.format.sampleRate == 88_200)
      #expect(decoded.count == plain.count)
      // libavcodec fills its filter with other bits before the first ones of WavPack than of DSF; the conversion to 88.2 kHz
      // carries that on by half its filter, 125 samples.
      #expect(decoded.planes[0].dropFirst(130) == plain.planes[0].dropFirst(130))
      #expect(decoded.degradations.isEmpty)
    }
  }

  /// One bit at 2.8224 MHz comes at 88.2 kHz, at its level and in its place.
  @Test("a DSD tone at 2.8224 MHz comes at 88.2 kHz within 0.02 of the tone")
  func directStreamDigitalIsBroughtToAUsualRate() throws {
    let file = try MadeMedia("a.dsf", bytes: DSDStream.file(frequency: 1000, level: 0.5))
    let decoded = try file.decode()
    let wanted = (0..<decoded.count).map { 0.5 * sin(2 * Double.pi * 1000 * Double($0) / 88_200) }
    #expect(decoded.count == (DSDStream.samples / 32 - 1))
    let worst = zip(decoded.planes[0], wanted).dropFirst(2000).dropLast(2000).map {
      abs(Double($0) - $1)
    }.max()
    // A quarter of a sample at 88.2 kHz is 0.009 of this tone; the modulator's noise in the band is below that.
    #expect(try #require(worst) < 0.02)
    #expect(decoded.format.sampleRate == 88_200)
    #expect(decoded.degradations.isEmpty)
  }
}
