// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Inputs by URL.
@Suite(.tags(.system), .fullRunOnly, .enabled(if: LoopbackServer.isPresent, "python3 is not here"))
struct RemoteInputTests {
  private let maker: StreamMaker
  private let server: LoopbackServer
  private let source: [[Float]]

  init() throws {
    maker = try StreamMaker()
    source = try maker.source("a.wav", seconds: 5)
    try maker.stream(
      "a.m3u8", of: "a.wav", codec: ["flac"],
      ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "i.mp4"])
    server = try LoopbackServer(folder: maker.folder.path)
  }

  private func refuse(_ url: String, _ status: Int32, _ words: [String]) async throws {
    let result = try await RenderedSamples.failure(url.hasPrefix("http") ? url : server.base + url)
    #expect(result.status == status, "\(url): \(result.errors)")
    for word in words { #expect(result.errors.contains(word), "\(result.errors)") }
  }

  @Test(
    "a WAV file over HTTP has the samples of the local file, with ranges, chunks or breaks",
    arguments: [
      "a.wav", "a.wav?norange", "a.wav?chunked", "a.wav?cut=100001", "a.wav?fail=503&times=1",
    ])
  func aFileOfTheWebIsReadLikeALocalOne(url: String) throws {
    let result = try RenderedSamples(server.base + url)
    #expect(Alignment.difference(result.planes, source) == nil)
    #expect(result.kinds.isEmpty)
  }

  @Test("a file over HTTP without a length is reported as length-unknown")
  func anUnknownLengthIsADoubt() throws {
    let result = try RenderedSamples(server.base + "a.wav?norange&chunked")
    #expect(Alignment.difference(result.planes, source) == nil)
    #expect(result.kinds == ["length-unknown"])
  }

  @Test("a URL's password and token are in no report, progress or sentence")
  func credentialsStayOutOfEverything() async throws {
    let url = server.base.replacing("http://", with: "http://me:secret@") + "a.wav?token=1"
    let result = try RenderedSamples(url)
    let input = result.input
    #expect(input?["path"] as? String == server.base + "a.wav?token=***")
    #expect(!"\(result.report)".contains("secret"))
    for command in [
      ["probe", "--json"], ["measure", "--json"], ["measure", "--progress", "ndjson"],
    ] {
      let said = try Product.run(command + [url])
      #expect(said.status == 0, "\(said.errors)")
      #expect(!(String(decoding: said.output, as: UTF8.self) + said.errors).contains("secret"))
    }
    try await refuse(url.replacing("a.wav", with: "gone.wav"), 3, ["HTTP 404"])
    let failed = try await RenderedSamples.failure(
      url.replacing("a.wav", with: "gone.wav"), ["--json"])
    #expect(!(String(decoding: failed.output, as: UTF8.self) + failed.errors).contains("secret"))
  }

  @Test("HLS over HTTP has the encoded samples")
  func aStreamOfTheWebComesOutAsItWentIn() throws {
    let result = try RenderedSamples(server.base + "a.m3u8")
    #expect(Alignment.difference(result.planes, source) == nil)
    let input = result.input
    #expect(input?["container"] as? String == "hls")
  }

  @Test("segments that break off, fail twice or redirect are read in the end")
  func faultsOfSegmentsAreRiddenOut() async throws {
    let faults = ["?cut=500", "?fail=503&times=2", "?norange&cut=700", "?redirect=/"]
    var number = 0
    let body = try maker.body("a.m3u8").map { line -> String in
      guard !line.hasPrefix("#") else { return line }
      defer { number += 1 }
      let fault = faults[number % 4]
      return line + (fault == "?redirect=/" ? fault + line : fault)
    }
    try maker.join([body], to: "f.m3u8")
    #expect(try Alignment.difference(RenderedSamples(server.base + "f.m3u8").planes, source) == nil)
    // A local playlist may name the web in full.
    try maker.join(
      [body.map { $0.hasPrefix("#") ? $0 : server.base + $0.prefix { $0 != "?" } }], to: "l.m3u8")
    #expect(
      try Alignment.difference(
        RenderedSamples(maker.folder.file("l.m3u8"), ["--allow-hosts", "127.0.0.1"]).planes, source)
        == nil)
    #expect(
      try await RenderedSamples.failure(maker.folder.file("l.m3u8")).errors.contains("private"))
  }

  @Test("a segment that can't be fetched fails the job and is named")
  func aSegmentThatCantBeHadFailsTheJob() async throws {
    let body = try maker.body("a.m3u8")
    for (fault, status, word) in [
      ("?fail=404", 3 as Int32, "HTTP 404"), ("?fail=503", 75, "HTTP 503"),
      ("?cut=9&times=99", 75, "broke off"),
    ] {
      try maker.join([body.dropLast() + [try #require(body.last) + fault]], to: "f.m3u8")
      try await refuse("f.m3u8", status, [word, "segment \((body.count - 1) / 2 - 1)", fault])
    }
  }

  @Test("a playlist over HTTP that names a local file is refused")
  func aPlaylistOfTheWebReachesNoFiles() async throws {
    for uri in ["file://\(maker.folder.file("a.wav"))", "file:a.wav", "data:,x"] {
      try maker.join([["#EXTINF:5,", uri]], to: "f.m3u8")
      try await refuse("f.m3u8", 3, ["names \"\(uri)\""])
    }
    try maker.join([["#EXTINF:5,", maker.folder.file("a.wav")]], to: "f.m3u8")
    try await refuse("f.m3u8", 3, ["HTTP 404"])
  }

  @Test("a playlist without .m3u8 is recognised by its media type")
  func aPlaylistIsOneByNameOrMediaType() async throws {
    try FileManager.default.copyItem(
      atPath: maker.folder.file("a.m3u8"), toPath: maker.folder.file("manifest"))
    let url = server.base + "manifest?type=application/vnd.apple.mpegurl"
    #expect(try Alignment.difference(RenderedSamples(url).planes, source) == nil)
    try await refuse("manifest", 3, ["is a playlist"])
  }

  @Test("names in a playlist are relative to the URL that redirections led to")
  func namesAreSeenFromWhereRedirectionsLed() throws {
    try FileManager.default.createDirectory(
      atPath: maker.folder.file("moved"), withIntermediateDirectories: false)
    for name in try FileManager.default.contentsOfDirectory(atPath: maker.folder.path)
    where !name.hasSuffix(".wav") && name != "moved" {
      try FileManager.default.moveItem(
        atPath: maker.folder.file(name), toPath: maker.folder.file("moved/" + name))
    }
    let url = server.base + "old.m3u8?redirect=/moved/a.m3u8"
    #expect(try Alignment.difference(RenderedSamples(url).planes, source) == nil)
  }

  @Test("an unreachable URL ends with 3 or 75 and names the HTTP status")
  func whatCantBeReachedIsSaid() async throws {
    try await refuse("gone.wav", 3, ["HTTP 404"])
    try await refuse("a.wav?fail=403", 3, ["HTTP 403"])
    try await refuse("http://127.0.0.1:1/a.wav", 3, ["can't be reached", "127.0.0.1:1"])
    try await refuse("a.wav?fail=500", 75, ["HTTP 500"])
    try await refuse("a.wav?cut=1000&times=9", 75, ["broke off"])
  }

  @Test("an output in a folder has the name of the URL's file")
  func outputsInAFolderAreNamedAfterTheURL() throws {
    let folder = try TemporaryFolder()
    let result = try Product.run(["render", server.base + "a.wav?x=/y.z", "-o", folder.path + "/"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(folder.contents == ["a.wav"])
  }
}
