// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `pinna render` of queues, as it is typed.
@Suite(.tags(.system)) struct QueueRenderTests {
  private let place: QueueFolder

  init() throws { place = try QueueFolder() }

  private func file(_ name: String) -> String { place.folder.file(name) }

  /// Refusal by `pinna render`, in one sentence.
  private func refusal(_ arguments: [String], status: Int32) async throws -> String {
    let result = try await InProcess.run(["render"] + arguments)
    #expect(result.status == status, "\(arguments): \(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    return result.errors
  }

  private func json(_ arguments: [String]) throws -> [String: Any] {
    let result = try Product.run(["render"] + arguments + ["-y", "--json"])
    #expect(result.status == 0, "\(result.errors)")
    return try #require(JSONSerialization.jsonObject(with: result.output) as? [String: Any])
  }

  @Test("--join of a folder takes its media in natural order and reports it")
  func aFolderIsJoinedInNaturalOrderAndSaysSo() throws {
    try FileManager.default.createDirectory(
      at: place.folder.url("parts"), withIntermediateDirectories: false)
    for (name, source) in [("1", "a"), ("2", "b"), ("10", "c")] {
      try FileManager.default.copyItem(
        at: place.folder.url("\(source).wav"), to: place.folder.url("parts/\(name).wav"))
    }
    // Playlists and what isn't media are left out.
    for name in ["3.m3u8", "4.m3u", ".5.wav", "6.txt", "wav"] {
      try Data("#EXTM3U\n".utf8).write(to: place.folder.url("parts/" + name))
    }
    let report = try json(["--join", file("parts"), "-o", file("out.wav"), "-e", "none"])
    let queue = try #require(report["queue"] as? [String: Any])
    let items = try #require(queue["items"] as? [[String: Any]])
    let paths = items.compactMap { ($0["source"] as? [String: Any])?["path"] as? String }
    #expect(paths.map { $0.split(separator: "/").last } == ["1.wav", "2.wav", "10.wav"])
    let decisions = try #require(report["decisions"] as? [[String: Any]])
    let reasons = decisions.compactMap { $0["why"] as? String }
    #expect(reasons.contains { $0.contains("1.wav to 10.wav") }, "\(reasons)")
  }

  @Test(
    "--join into a folder writes a file for each track, and they follow each other as in one file")
  func joinedTracksGoToAFolder() throws {
    func sound(_ path: String) throws -> Data {
      let read = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "s24le", "-"])
      return read.output
    }
    func render(_ inputs: [String], _ output: String) throws {
      let result = try Product.run(
        ["render", "--join"] + inputs + ["-o", output, "-e", "none", "-l", "off", "-q"])
      #expect(result.status == 0, "\(result.errors)")
    }
    let inputs = [file("a.wav"), file("c.wav"), file("b.wav")]
    try render(inputs, file("whole.wav"))
    let lossless = place.folder.url("lossless")
    for name in ["lossless", "tracks", "kept"] {
      try FileManager.default.createDirectory(
        at: place.folder.url(name), withIntermediateDirectories: false)
    }
    try render(inputs, file("tracks") + "/")
    let names = try FileManager.default.contentsOfDirectory(atPath: file("tracks")).sorted()
    #expect(names == ["01 a.wav", "02 c.wav", "03 b.wav"])
    let parts = try names.map { try sound(file("tracks/" + $0)) }
    #expect(parts.reduce(Data(), +) == (try sound(file("whole.wav"))))
    #expect(parts.first?.count == 88_200 * 6)
    // A folder of FLAC stays FLAC.
    for name in ["1", "2"] {
      try FixtureStore.ffmpeg([
        "-i", file("a.wav"), "-c:a", "flac", lossless.path + "/\(name).flac",
      ])
    }
    try render([lossless.path], file("kept") + "/")
    let kept = try FileManager.default.contentsOfDirectory(atPath: file("kept")).sorted()
    #expect(kept == ["01 1.flac", "02 2.flac"])
  }

  @Test("a part with one or three times is refused")
  func aPartHasTwoTimes() async throws {
    for part in ["#t=0.1s,0.5s,1s", "#t=0.1s#t=0.5s", "#t=x"] {
      let text = try await refusal(
        ["--join", file("a.wav") + part, file("b.wav"), "-o", file("out.wav")], status: 2)
      #expect(text.contains("--join") && text.contains(part), "\(text)")
    }
    #expect(!place.folder.contents.contains("out.wav"))
  }

  @Test("a change before --expect-unchanged-before ends the render with 7 and keeps the old output")
  func aChangeThatReachesBackFailsWithSeven() async throws {
    let queue = try place.queue("q.yaml", ["file: a.wav", "file: b.wav"])
    let flags = [queue, "-o", file("out.wav"), "-e", "none", "-l", "off"]
    let withoutCache = try await refusal(flags + ["--expect-unchanged-before", "1s"], status: 2)
    #expect(withoutCache.contains("--cache"))
    let cached = flags + ["--cache", file("cache")]
    let unknown = try await refusal(cached + ["--expect-unchanged-before", "1s"], status: 7)
    #expect(unknown.contains("no run before"))
    _ = try json(cached)
    try place.queue("q.yaml", ["file: a.wav", "file: b.wav, gain: -3 dB"])
    let before = try Data(contentsOf: place.folder.url("out.wav"))
    let early = try await refusal(cached + ["-y", "--expect-unchanged-before", "2.5s"], status: 7)
    #expect(early.contains("--expect-unchanged-before"))
    #expect(try Data(contentsOf: place.folder.url("out.wav")) == before)
    let report = try json(cached + ["--expect-unchanged-before", "1.5s"])
    let former = try #require((report["queue"] as? [String: Any])?["former"] as? [String: Any])
    #expect((former["changes"] as? [Any])?.isEmpty == false)
  }

  @Test("a report at the place of a queue's file is refused")
  func noReportIsWrittenOverAFileOfTheQueue() async throws {
    let queue = try place.queue("q.yaml", ["file: a.wav", "file: b.wav"])
    let before = try Data(contentsOf: place.folder.url("b.wav"))
    let text = try await refusal(
      [queue, "-o", file("out.wav"), "-y", "--report", file("b.wav")], status: 6)
    #expect(text.contains("b.wav"))
    #expect(try Data(contentsOf: place.folder.url("b.wav")) == before)
    #expect(!place.folder.contents.contains("out.wav"))
  }

  @Test("a cue sheet inside a FLAC file becomes one file for each track")
  func aSheetInsideAFileBecomesTracks() throws {
    let sheet =
      "FILE \"x\" WAVE\nTRACK 01 AUDIO\nTITLE \"One\"\nINDEX 01 00:00:00\n"
      + "TRACK 02 AUDIO\nTITLE \"Two\"\nINDEX 01 00:01:00\n"
    try FixtureStore.ffmpeg([
      "-i", file("a.wav"), "-c:a", "flac", "-metadata", "CUESHEET=" + sheet, file("disc.flac"),
    ])
    let tracks = place.folder.url("tracks")
    try FileManager.default.createDirectory(at: tracks, withIntermediateDirectories: false)
    let result = try Product.run([
      "render", "cue:" + file("disc.flac"), "-o", tracks.path + "/", "-f", "flac", "-e", "none",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: tracks.path).sorted()
    #expect(names == ["01 One.flac", "02 Two.flac"])
  }
}
