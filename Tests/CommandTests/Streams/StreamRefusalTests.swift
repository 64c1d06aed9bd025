// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// HLS that is incomplete, wrong or hostile is refused or reported, never rendered as if it were whole.
@Suite(.tags(.system), .fullRunOnly) struct StreamRefusalTests {
  private let maker: StreamMaker
  private let source: [[Float]]
  private let body: [String]

  init() throws {
    maker = try StreamMaker()
    source = try maker.source("a.wav", seconds: 7)
    try maker.stream(
      "a.m3u8", of: "a.wav", codec: ["flac"],
      ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "i.mp4"])
    body = try maker.body("a.m3u8")
  }

  private func path(_ name: String) -> String { maker.folder.file(name) }

  private func refuse(
    _ lines: [String], _ status: Int32, _ words: [String], end: String = "#EXT-X-ENDLIST"
  )
    async throws
  {
    try maker.join([lines], to: "bad.m3u8", end: [end])
    let result = try await RenderedSamples.failure(path("bad.m3u8"))
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1, "one sentence: \(result.errors)")
    for word in words { #expect(result.errors.contains(word), "\(result.errors)") }
  }

  @Test("a live, encrypted or empty playlist is refused with the reason")
  func whatIsNotARecordingIsNamed() async throws {
    try await refuse(body, 5, ["live", "EXT-X-ENDLIST"], end: "#")
    let key = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\""
    try await refuse([key] + body, 3, ["encrypted", "SAMPLE-AES"])
    let format = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMAT=\"org.w3\""
    try await refuse([format] + body, 3, ["encrypted", "org.w3"])
    try await refuse(["#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\""] + body, 5, ["EXT-X-DEFINE"])
    try await refuse([], 3, ["no segments"])
  }

  @Test("a missing segment is refused by name")
  func aMissingSegmentIsNamed() async throws {
    let last = try #require(body.last)
    try await refuse(
      body.dropLast() + ["gone.m4s"], 3, ["gone.m4s", "segment \((body.count - 1) / 2 - 1)"])
    try FileManager.default.removeItem(atPath: path(last))
    try await refuse(body, 3, [last])
  }

  @Test(
    "a local playlist that leads out of its folder is refused",
    arguments: [
      "file:///etc/passwd", "/etc/passwd", "../a.wav", "x/../../a.wav", "%2e%2e/a.wav", "data:,x",
      "ftp://127.0.0.1/a",
    ]) func aPlaylistStaysInItsFolder(uri: String) async throws
  {
    try await refuse(["#EXTINF:1,", uri], 3, ["names \"\(uri)\""])
    try await refuse(["#EXT-X-MAP:URI=\"\(uri)\"", "#EXTINF:1,", "i.mp4"], 3, ["names \"\(uri)\""])
    try await refuse(
      ["#EXT-X-KEY:METHOD=AES-128,URI=\"\(uri)\"", "#EXTINF:1,", "i.mp4"], 3, ["names \"\(uri)\""])
    try maker.write(["#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=1", uri], to: "top.m3u8")
    let result = try await RenderedSamples.failure(path("top.m3u8"))
    #expect(result.status == 3 && result.errors.contains("names \"\(uri)\""), "\(result.errors)")
  }

  @Test("a playlist is followed only if its name ends in .m3u8")
  func onlyANamedPlaylistIsFollowed() async throws {
    for name in ["list.wav", "list", "list.m3u8.mp4"] {
      try maker.join([body], to: name)
      #expect(try await RenderedSamples.failure(path(name)).status == 3)
    }
    try maker.join([body], to: "LIST.M3U8")
    #expect(try Alignment.difference(RenderedSamples(path("LIST.M3U8")).planes, source) == nil)
    // Standard input has no folder to which the names in a playlist could be relative.
    let folder = try TemporaryFolder()
    let result = try Product.run(
      ["render", "-", "-o", folder.file("o.wav")],
      input: Data(contentsOf: maker.folder.url("a.m3u8")))
    #expect(result.status == 3)
  }

  @Test("a WAV file named .m3u8 is read as WAV")
  func aFileNamedLikeAPlaylistIsStillAFile() throws {
    try FileManager.default.copyItem(atPath: path("a.wav"), toPath: path("really-wav.m3u8"))
    #expect(
      try Alignment.difference(RenderedSamples(path("really-wav.m3u8")).planes, source) == nil)
  }

  @Test("a playlist whose stated lengths differ from its segments is reported")
  func lengthsThatDifferAreSaid() async throws {
    var long = body
    let index = try #require(long.lastIndex { $0.hasPrefix("#EXTINF") })
    long[index] = "#EXTINF:9.000,"
    try maker.join([long], to: "long.m3u8")
    let result = try RenderedSamples(path("long.m3u8"))
    #expect(result.kinds == ["playlist-length"])
    #expect(Alignment.difference(result.planes, source) == nil)
    #expect(try await RenderedSamples.failure(path("long.m3u8"), ["--strict"]).status == 9)
    // Durations in whole seconds may each be wrong by half a second.
    try maker.join([body.map { $0.hasPrefix("#EXTINF") ? "#EXTINF:2," : $0 }], to: "coarse.m3u8")
    #expect(try RenderedSamples(path("coarse.m3u8")).kinds.isEmpty)
  }

  @Test("EXT-X-GAP fails with exit code 4, or becomes silence with --on-damage conceal")
  func gapsFailUnlessConcealed() async throws {
    let index = try #require(body.firstIndex { $0.hasPrefix("#EXTINF") })
    let second = index + 2
    let gap = ["#EXT-X-GAP", "#EXTINF:1.5,", "gone.m4s"]
    let list = Array(body[..<second]) + gap + Array(body[second...])
    try await refuse(list, 4, ["EXT-X-GAP", "segment 1", "gone.m4s", "--on-damage conceal"])
    let result = try RenderedSamples(path("bad.m3u8"), ["--on-damage", "conceal"])
    #expect(result.kinds.contains("playlist-gap"))
    #expect(result.count == source[0].count + 72_000)
    let first = try #require(result.planes[0].firstIndex(of: 0).map { _ in result.planes[0] })
    let cut = try #require((0..<source[0].count).first { first[$0] != source[0][$0] })
    #expect(first[cut..<cut + 72_000].allSatisfy { $0 == 0 })
    #expect(Alignment.difference(Array(first[(cut + 72_000)...]), Array(source[0][cut...])) == nil)
    // A gap at the beginning comes before any segment that shows the format.
    try maker.join([gap + body], to: "lead.m3u8")
    let lead = try RenderedSamples(path("lead.m3u8"), ["--on-damage", "conceal"])
    #expect(
      Alignment.difference(lead.planes[1], [Float](repeating: 0, count: 72_000) + source[1]) == nil)
    try await refuse(gap, 4, ["EXT-X-GAP"])
    #expect(
      try await RenderedSamples.failure(path("bad.m3u8"), ["--on-damage", "conceal"]).status == 3)
  }

  @Test("an output at the place of a playlist's part is refused")
  func noPartOfTheInputIsWrittenOver() throws {
    for name in ["a.m3u8", try #require(body.last), "i.mp4"] {
      let before = try Data(contentsOf: maker.folder.url(name))
      let result = try Product.run(["render", path("a.m3u8"), "-o", path(name), "-f", "wav", "-y"])
      #expect(result.status == 6 || result.status == 2, "\(result.errors)")
      #expect(try Data(contentsOf: maker.folder.url(name)) == before)
    }
  }

  @Test("-a lang:de plays the German rendition; a missing language is refused")
  func theWantedLanguageIsPlayed() async throws {
    let german = try maker.source("b.wav", seconds: 4, seed: 8)
    try FileManager.default.createDirectory(
      atPath: path("de"), withIntermediateDirectories: false)
    try maker.stream(
      "de/b.m3u8", of: "b.wav", codec: ["flac"],
      ["-hls_segment_type", "fmp4", "-hls_segment_filename", path("de/b%d.m4s")])
    try maker.write(
      [
        "#EXTM3U",
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"E\",LANGUAGE=\"en\",URI=\"a.m3u8\",DEFAULT=YES",
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"D\",LANGUAGE=\"de\",URI=\"de/b.m3u8\"",
        "#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS=\"avc1.42,fLaC\",AUDIO=\"g\"", "missing.m3u8",
      ], to: "top.m3u8")
    let plain = try RenderedSamples(path("top.m3u8"))
    #expect(Alignment.difference(plain.planes, source) == nil)
    #expect(plain.choice("rendition") == "E")
    for spec in ["lang:de", "1"] {
      let other = try RenderedSamples(path("top.m3u8"), ["-a", spec])
      #expect(Alignment.difference(other.planes, german) == nil)
      #expect(other.choice("rendition") == "D")
    }
    #expect(try await RenderedSamples.failure(path("top.m3u8"), ["-a", "lang:fr"]).status == 2)
    let probe = try Product.run(["probe", path("top.m3u8")])
    let text = String(decoding: probe.output, as: UTF8.self)
    for word in ["hls", "variant", "rendition  1 D, de, de/b.m3u8", "section"] {
      #expect(text.contains(word), "\(text)")
    }
  }
}
