// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// HLS from local files is rendered with exactly the samples that were encoded.
@Suite(.tags(.system), .fullRunOnly) struct StreamInputTests {
  private let maker: StreamMaker
  private let source: [[Float]]

  init() throws {
    maker = try StreamMaker()
    source = try maker.source("a.wav", seconds: 7)
  }

  private func path(_ name: String) -> String { maker.folder.file(name) }

  private func fragments(_ name: String, of wav: String = "a.wav", _ extra: [String] = []) throws {
    let files = [
      "-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "\(name)-init.mp4",
    ]
    try maker.stream("\(name).m3u8", of: wav, codec: ["flac"], files + extra)
  }

  @Test(
    "lossless HLS of fragments has exactly the encoded samples",
    arguments: [[], ["-hls_flags", "single_file"]])
  func losslessFragmentsComeOutAsTheyWentIn(extra: [String]) throws {
    try fragments("s", extra)
    let result = try RenderedSamples(path("s.m3u8"))
    #expect(Alignment.difference(result.planes, source) == nil)
    #expect(result.kinds.isEmpty)
    let input = result.input
    #expect(input?["container"] as? String == "hls")
    #expect(input?["path"] as? String == path("s.m3u8"))
    #expect(
      try Alignment.difference(
        RenderedSamples(path("s.m3u8"), ["--block-size", "7"]).planes, source) == nil)
  }

  @Test("HLS that pinna wrote is read back to the sample")
  func ourOwnStreamsAreReadBackToTheSample() throws {
    for codec in ["flac", "alac", "aac"] {
      let made = try Product.run([
        "render", path("a.wav"), "-o", path("own-\(codec).m3u8"), "-f", "hls", "-c:a", codec, "-e",
        "none", "-l", "off", "--segment-duration", "2s",
      ])
      #expect(made.status == 0, "\(made.errors)")
      let result = try RenderedSamples(path("own-\(codec).m3u8"))
      #expect(result.count == source[0].count)
      #expect(result.kinds.isEmpty)
      if codec == "aac" {
        #expect(Alignment.lag(result.planes[0], source[0]) == 0)
      } else {
        #expect(Alignment.difference(result.planes, source) == nil)
      }
    }
  }

  @Test("a fragmented movie that pinna wrote is read back to the sample")
  func ourOwnFragmentedMoviesAreReadBackToTheSample() throws {
    for codec in ["flac", "aac"] {
      let made = try Product.run([
        "render", path("a.wav"), "-o", path("\(codec).mp4"), "-f", "fmp4", "-c:a", codec, "-e",
        "none", "-l", "off",
      ])
      #expect(made.status == 0, "\(made.errors)")
      let result = try RenderedSamples(path("\(codec).mp4"))
      #expect(result.count == source[0].count)
      #expect(Alignment.lag(result.planes[0], source[0]) == 0)
    }
  }

  @Test("HLS of MPEG transport streams starts at the encoded sample")
  func transportStreamsLieWhereTheyShould() throws {
    try maker.stream("t.m3u8", of: "a.wav", codec: ["aac", "-b:a", "192k"])
    let result = try RenderedSamples(path("t.m3u8"))
    #expect(Alignment.lag(result.planes[0], source[0]) == 0)
    #expect((0..<1024).contains(result.count - source[0].count))
    #expect(result.kinds.isEmpty)
  }

  @Test(
    "packed audio with ID3 tags has the samples of the whole stream",
    arguments: [
      ("aac", "adts", ["aac", "-b:a", "160k"]), ("ac3", "ac3", ["ac3"]), ("eac3", "eac3", ["eac3"]),
      ("mp3", "mp3", ["libmp3lame", "-write_xing", "0"]),
    ]) func packedAudioIsReadWithoutItsTags(name: String, format: String, codec: [String]) throws
  {
    let whole = path("whole.\(name)")
    try Tool.ffmpeg(
      ["-i", path("a.wav"), "-c:a"] + codec + ["-id3v2_version", "0", "-f", format, whole])
    try Tool.ffmpeg([
      "-i", whole, "-c", "copy", "-f", "segment", "-segment_time", "2", "-segment_format", format,
      "-segment_format_options", name == "mp3" ? "write_xing=0:id3v2_version=0" : "",
      path("p%d.\(name)"),
    ])
    let clock =
      Array("PRIV".utf8) + [0, 0, 0, 53, 0, 0]
      + Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
      + [UInt8](repeating: 1, count: 8)
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(clock.count)] + clock
    var body: [String] = []
    for index in 0..<4 where FileManager.default.fileExists(atPath: path("p\(index).\(name)")) {
      let url = maker.folder.url("p\(index).\(name)")
      try (Data(tag) + Data(contentsOf: url)).write(to: url)
      body += ["#EXTINF:\(index < 3 ? 2 : 1),", "p\(index).\(name)"]
    }
    #expect(body.count >= 6)
    try maker.join([body], to: "packed.m3u8")
    let result = try RenderedSamples(path("packed.m3u8"))
    #expect(try Alignment.difference(result.planes, RenderedSamples(whole).planes) == nil)
    #expect(Alignment.lag(result.planes[0], source[0]) == 0)
  }

  @Test("encrypted transport streams have the clear samples; a wrong key is refused")
  func encryptedTransportStreamsAreDecrypted() async throws {
    try Data((0..<16).map { UInt8($0 * 7) }).write(to: maker.folder.url("k.key"))
    for vector in [["0123456789abcdef0123456789abcdef"], []] {
      try maker.write(["k.key", path("k.key")] + vector, to: "info")
      let codec = ["aac", "-b:a", "128k"]
      try maker.stream("e.m3u8", of: "a.wav", codec: codec, ["-hls_key_info_file", path("info")])
      try maker.stream("c.m3u8", of: "a.wav", codec: codec)
      #expect(try maker.lines("e.m3u8").contains { $0.contains("METHOD=AES-128") })
      let clear = try RenderedSamples(path("c.m3u8"))
      #expect(try Alignment.difference(RenderedSamples(path("e.m3u8")).planes, clear.planes) == nil)
    }
    try Data(count: 16).write(to: maker.folder.url("k.key"))
    let wrong = try await RenderedSamples.failure(path("e.m3u8"))
    #expect(wrong.status == 4)
    #expect(wrong.errors.contains("segment 0") && wrong.errors.contains("padding"))
    try Data(count: 15).write(to: maker.folder.url("k.key"))
    #expect(try await RenderedSamples.failure(path("e.m3u8")).status == 3)
  }

  /// openssl encrypts each segment and the initialisation section on its own.
  @Test("encrypted fragments without IV are decrypted by their sequence number")
  func encryptedFragmentsUseTheSequenceNumber() throws {
    try fragments("f")
    let key = "00112233445566778899aabbccddeeff"
    try Data((0..<16).map { UInt8($0 * 0x11) }).write(to: maker.folder.url("k.key"))
    func encrypt(_ name: String, _ vector: String) throws {
      let result = try Tool.run(
        "openssl",
        [
          "enc", "-aes-128-cbc", "-K", key, "-iv", vector, "-in", path(name), "-out",
          path(name + ".enc"),
        ])
      #expect(result.status == 0, "\(result.errors)")
    }
    var lines = ["#EXT-X-MEDIA-SEQUENCE:300"]
    var sequence = 300
    for line in try maker.body("f.m3u8") {
      if line.hasPrefix("#EXT-X-MAP") {
        try encrypt("f-init.mp4", "0000000000000000000000000000002a")
        lines += [
          "#EXT-X-KEY:METHOD=AES-128,URI=\"k.key\",IV=0x2a", "#EXT-X-MAP:URI=\"f-init.mp4.enc\"",
          "#EXT-X-KEY:METHOD=AES-128,URI=\"k.key\"",
        ]
      } else if line.hasPrefix("#") {
        lines.append(line)
      } else {
        let hex = String(sequence, radix: 16)
        try encrypt(line, String(repeating: "0", count: 32 - hex.count) + hex)
        lines.append(line + ".enc")
        sequence += 1
      }
    }
    try maker.join([lines], to: "e.m3u8")
    #expect(try Alignment.difference(RenderedSamples(path("e.m3u8")).planes, source) == nil)
  }

  @Test("two sections of HLS follow each other without a gap")
  func sectionsFollowEachOtherToTheSample() throws {
    let second = try maker.source("b.wav", seconds: 5, seed: 9)
    try fragments("a")
    try fragments("b", of: "b.wav")
    try maker.join([maker.body("a.m3u8"), maker.body("b.m3u8")], to: "j.m3u8")
    let result = try RenderedSamples(path("j.m3u8"))
    let whole = (0..<2).map { source[$0] + second[$0] }
    #expect(Alignment.difference(result.planes, whole) == nil)
    #expect(result.kinds.isEmpty)
    let timeline = result.timeline
    #expect(timeline?["samplesIn"] as? Int == 12 * 48_000)
    let part = try RenderedSamples(path("j.m3u8"), ["--start", "6.5s", "--end", "8.5s"])
    #expect(Alignment.difference(part.planes, whole.map { Array($0[312_000..<408_000]) }) == nil)
    let probe = try Product.run(["probe", "--deep", "--json", path("j.m3u8")])
    let report = try JSONSerialization.jsonObject(with: probe.output) as? [String: Any]
    #expect(report?["container"] as? String == "hls")
    let playlist = report?["playlist"] as? [String: Any]
    #expect((playlist?["sections"] as? [Any])?.count == 2)
    #expect((report?["track"] as? [String: Any])?["samples"] as? Int == 12 * 48_000)
  }

  @Test("each section of HLS is trimmed by its own edit list")
  func everySectionIsTrimmedByItsOwnEditList() throws {
    for name in ["x", "y"] {
      _ = try maker.source("\(name).wav", seconds: 3, seed: name == "x" ? 4 : 5)
      let made = try Product.run([
        "render", path("\(name).wav"), "-o", path("\(name).m3u8"), "-f", "hls", "-c:a", "aac", "-e",
        "none", "-l", "off",
      ])
      #expect(made.status == 0, "\(made.errors)")
    }
    try maker.join([maker.body("x-audio.m3u8"), maker.body("y-audio.m3u8")], to: "xy.m3u8")
    let result = try RenderedSamples(path("xy.m3u8"))
    let parts = try [path("x.m3u8"), path("y.m3u8")].map { try RenderedSamples($0).planes }
    #expect(Alignment.difference(result.planes, (0..<2).map { parts[0][$0] + parts[1][$0] }) == nil)
    #expect(result.count == 6 * 48_000)
  }

  @Test("a transport stream with a discontinuity loses no sample")
  func aDiscontinuousTransportStreamLosesNothing() throws {
    try maker.stream("a.m3u8", of: "a.wav", codec: ["ac3"])
    let bodies = try maker.body("a.m3u8")
    try maker.join([bodies, bodies], to: "j.m3u8")
    let result = try RenderedSamples(path("j.m3u8"))
    let alone = try RenderedSamples(path("a.m3u8"))
    // The codec's start-up samples are trimmed once, at the beginning.
    #expect(result.count == 2 * alone.count + 256)
    #expect(
      Alignment.difference(Array(result.planes[0].suffix(alone.count)), alone.planes[0]) == nil)
    #expect(result.kinds.isEmpty)
  }

  @Test("a section with another rate and layout is converted and reported")
  func anotherFormatIsConvertedAndSaid() throws {
    let second = try maker.source("b.wav", seconds: 6, channels: 1, rate: 44_100, seed: 3)
    try fragments("a")
    try fragments("b", of: "b.wav")
    try maker.join(
      [maker.body("a.m3u8"), maker.body("b.m3u8"), maker.body("a.m3u8")], to: "j.m3u8")
    let result = try RenderedSamples(path("j.m3u8"))
    #expect(result.kinds == ["format-change"])
    #expect(result.notes.contains("sample 336000"))
    #expect(result.notes.contains("mono at 44100 Hz"))
    #expect(result.count == (7 + 6 + 7) * 48_000)
    #expect(Alignment.difference(Array(result.planes[1].prefix(336_000)), source[1]) == nil)
    #expect(Alignment.difference(Array(result.planes[1].suffix(336_000)), source[1]) == nil)
    let middle = stride(from: 0, to: 6 * 48_000, by: 160).map { result.planes[0][336_000 + $0] }
    let wanted = stride(from: 0, to: 6 * 44_100, by: 147).map { second[0][$0] }
    // 48 and 44.1 kHz meet every 160 and 147 samples; mono goes to both sides at −3 dB.
    let scale =
      zip(middle, wanted).reduce(0) { $0 + $1.0 * $1.1 } / wanted.reduce(0) { $0 + $1 * $1 }
    #expect(abs(scale - 0.7071) < 0.02)
  }
}
