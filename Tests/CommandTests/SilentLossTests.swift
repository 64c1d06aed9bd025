// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Nothing is lost, damaged or without effect and not named.
@Suite(.tags(.system), .fullRunOnly) struct SilentLossTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 3).write(to: folder.url("in.wav"))
  }

  /// The report of a render of `input` with `options`, which succeeds.
  private func report(_ input: String, _ options: [String]) throws -> [String: Any] {
    let result = try Product.run(["render", folder.file(input), "--json"] + options)
    #expect(result.status == 0, "\(result.errors)")
    return try JSONSerialization.jsonObject(with: result.output) as? [String: Any] ?? [:]
  }

  private func codes(_ report: [String: Any]) -> [String] {
    (report["degradations"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
  }

  @Test(
    "settings of a listener are reported as without effect where the input is virtualised already",
    arguments: [
      (["--yaw", "30"], "--yaw has no effect"), (["--room", "small"], "--room has no effect"),
      (["--pitch", "5", "--room", "small"], "--pitch and --room have no effect"), ([], ""),
    ])
  func vainSettingsAreNamed(options: [String], words: String) throws {
    _ = try report("in.wav", ["-o", folder.file("ears.wav"), "-e", "headphones"])
    let second = try report("ears.wav", ["-o", folder.file("b.wav"), "-e", "headphones"] + options)
    let found = (second["degradations"] as? [[String: Any]] ?? []).first {
      $0["code"] as? String == "other-endpoint"
    }
    #expect((found == nil) == options.isEmpty)
    let message = found?["message"] as? String ?? ""
    #expect(options.isEmpty || message.contains(words), "\(message)")
  }

  @Test("chunks of WAV that no output has are named, unless tags may go")
  func foreignChunksAreNamed() throws {
    var data = try Data(contentsOf: folder.url("in.wav"))
    data += Data("smpl".utf8) + Data([36, 0, 0, 0]) + Data(count: 36)
    data += Data("iXML".utf8) + Data([4, 0, 0, 0]) + Data("<a/>".utf8)
    let size = UInt32(data.count - 8)
    data.replaceSubrange(4..<8, with: withUnsafeBytes(of: size.littleEndian) { Data($0) })
    try data.write(to: folder.url("loop.wav"))
    let kept = try report("loop.wav", ["-e", "none", "-o", folder.file("a.wav")])
    #expect(codes(kept).contains("tags-left-out"))
    let text = "\(kept["degradations"] ?? "")"
    #expect(text.contains("sampler loops (smpl), production notes (iXML)"), "\(text)")
    let dropped = try report(
      "loop.wav", ["-e", "none", "--no-metadata", "-o", folder.file("b.wav")])
    #expect(!codes(dropped).contains("tags-left-out"))
  }

  @Test("measure names damage under its figures") func measureNamesDamage() throws {
    let data = try Data(contentsOf: folder.url("in.wav"))
    try data.prefix(data.count * 2 / 3).write(to: folder.url("cut.wav"))
    let result = try Product.run(["measure", folder.file("cut.wav")])
    #expect(result.status == 0)
    #expect(result.errors.contains("degraded") && result.errors.contains("(truncated, damage)"))
    #expect(try Product.run(["measure", folder.file("in.wav")]).errors.isEmpty)
  }

  @Test("a batch names the items whose inputs are damaged, and -f takes an extension")
  func batchesNameDamage() throws {
    let data = try Data(contentsOf: folder.url("in.wav"))
    try FileManager.default.createDirectory(at: folder.url("in"), withIntermediateDirectories: true)
    try data.prefix(data.count * 2 / 3).write(to: folder.url("in/cut.wav"))
    try data.write(to: folder.url("in/whole.wav"))
    let result = try Product.run(
      ["batch", folder.file("in"), "-O", folder.file("out"), "-e", "none", "-f", "m4a"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("damaged cut.wav  (truncated)"), "\(result.errors)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("out"))
    #expect(files.filter { $0.hasSuffix(".m4a") }.sorted() == ["cut.m4a", "whole.m4a"])
  }

  /// The comments of a FLAC file as ffprobe reads them, by their names in capitals.
  private func tags(_ name: String) throws -> [String: String] {
    let result = try Tool.run(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "json", folder.file(name)])
    let object = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    let tags = (object?["format"] as? [String: Any])?["tags"] as? [String: String] ?? [:]
    return Dictionary(tags.map { ($0.key.uppercased(), $0.value) }, uniquingKeysWith: { $1 })
  }

  @Test(
    "tracks of a joined album are numbered as players read it, and one file has the tags that all share"
  )
  func joinedAlbumsKeepTags() throws {
    for (index, title) in ["One", "Two"].enumerated() {
      try Tool.ffmpeg([
        "-i", folder.file("in.wav"), "-metadata", "title=\(title)", "-metadata", "artist=Someone",
        "-metadata", "track=\(index + 7)", folder.file("\(index).flac"),
      ])
    }
    let inputs = [
      "render", "--join", folder.file("0.flac"), folder.file("1.flac"), "-e", "none", "-q",
    ]
    let parts = try Product.run(inputs + ["--album", "-o", folder.file("parts") + "/"])
    #expect(parts.status == 0, "\(parts.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("parts")).sorted()
    try #require(names.count == 2)
    let bytes = try Data(contentsOf: folder.url("parts/" + names[1]))
    #expect(bytes.range(of: Data("TRACKNUMBER=2".utf8)) != nil)
    #expect(try tags("parts/" + names[1])["TRACKTOTAL"] == "2")
    let whole = try Product.run(inputs + ["-o", folder.file("whole.flac")])
    #expect(whole.status == 0, "\(whole.errors)")
    let found = try tags("whole.flac")
    #expect(found["ARTIST"] == "Someone" && found["TITLE"] == nil && found["TRACK"] == nil)
  }

  @Test(
    "the level of what stays a sound field is proved in the layout that is asked for",
    arguments: ["5.1", "7.1.4", ""])
  func levelsAreProvedInTheirLayout(layout: String) throws {
    try TestProgramme.wav(channels: 4, seconds: 3).write(to: folder.url("field.wav"))
    let options = layout.isEmpty ? [] : ["--loudness-layout", layout]
    let made = try report(
      "field.wav",
      [
        "--layout-in", "ambix1", "-e", "none", "-f", "bw64", "-l", "-20", "-o",
        folder.file("a.bw64"),
      ] + options)
    let output = (made["outputs"] as? [[String: Any]])?.first
    #expect(abs((output?["integrated"] as? Double ?? 0) + 20) < 0.05)
  }
}
