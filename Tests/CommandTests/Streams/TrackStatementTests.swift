// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Statements of tracks, from input to output: languages with a region or script, and purposes.
@Suite(.tags(.system), .fullRunOnly) struct TrackStatementTests {
  private static let languages = ["es-ES", "es-419", "pt-BR", "yue"]
  private let folder: TemporaryFolder

  /// Makes a file with a track for each language, of which each lasts a second longer than the one before.
  init() throws {
    folder = try TemporaryFolder()
    var arguments = ["-q", "-o", folder.file("in.mkv")]
    for (index, language) in TrackStatementTests.languages.enumerated() {
      let name = "\(index).wav"
      try TestProgramme.wav(channels: 2, seconds: Double(index + 1)).write(to: folder.url(name))
      arguments += ["--language", "0:\(language)", folder.file(name)]
    }
    #expect(try Tool.run("mkvmerge", arguments).status == 0)
  }

  private func languages(of name: String) throws -> [String?] {
    let result = try Product.run(["probe", folder.file(name), "--json"])
    let report = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    let streams = report?["streams"] as? [[String: Any]] ?? []
    return streams.filter { $0["kind"] as? String == "audio" }.map { $0["language"] as? String }
  }

  @Test(
    "a region that is asked for is the one that is rendered",
    arguments: [("es-419", 2), ("es-ES", 1), ("pt-BR", 3), ("pt", 3), ("yue", 4), ("es-MX,yue", 4)])
  func theRegionIsRendered(wanted: String, seconds: Int) throws {
    let result = try Product.run(
      [
        "render", folder.file("in.mkv"), "-a", "lang:\(wanted)", "-e", "none", "-l", "off",
        "--json",
        "-o", folder.file("out.wav"),
      ])
    #expect(result.status == 0, "\(result.errors)")
    let report = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    let output = (report?["outputs"] as? [[String: Any]])?.first
    #expect(output?["samples"] as? Int == seconds * 48_000)
  }

  @Test("another region is refused, and those that are there are named")
  func anotherRegionIsRefused() throws {
    let result = try Product.run(
      ["render", folder.file("in.mkv"), "-a", "lang:pt-PT", "-o", folder.file("out.wav")])
    #expect(result.status == 2)
    #expect(
      result.errors.hasSuffix(
        "has no audio in pt-PT; its tracks are es-ES, es-419, pt-BR, yue\n"))
  }

  @Test("every container that states languages states the region", arguments: ["mkv", "mp4"])
  func regionsAreKept(ending: String) throws {
    let name = "out." + ending
    let result = try Product.run(
      [
        "render", folder.file("in.mkv"), "-a", "all", "-e", "none", "-o", folder.file(name), "-q",
      ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(Array(try languages(of: name).prefix(4)) == TrackStatementTests.languages)
  }

  @Test("renditions of HLS state the region") func renditionsStateTheRegion() throws {
    let result = try Product.run(
      [
        "render", folder.file("in.mkv"), "-a", "all", "-e", "none", "-o", folder.file("out.m3u8"),
        "-q",
      ])
    #expect(result.status == 0, "\(result.errors)")
    let playlist = try String(contentsOf: folder.url("out.m3u8"), encoding: .utf8)
    for language in TrackStatementTests.languages {
      #expect(playlist.contains("LANGUAGE=\"\(language)\""), "\(playlist)")
    }
  }

  @Test(
    "a commentary and a description stay what they are when they are rendered",
    arguments: ["mkv", "mp4"])
  func purposesAreKept(ending: String) throws {
    try purposes(to: "out." + ending)
    let result = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream_disposition=comment,visual_impaired", "-of",
        "csv=p=0",
        "-select_streams", "a", folder.file("out." + ending),
      ])
    let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n").prefix(3)
    #expect(lines.map { $0.trimmingCharacters(in: [","]) } == ["0,0", "1,0", "0,1"])
    let probe = try Product.run(["probe", folder.file("out." + ending), "--json"])
    let report = try JSONSerialization.jsonObject(with: probe.output) as? [String: Any]
    let streams = (report?["streams"] as? [[String: Any]] ?? []).filter {
      $0["kind"] as? String == "audio"
    }
    let marks = streams.prefix(4).map { $0["dispositions"] as? [String] ?? [] }
    #expect(marks == [[], ["comment"], ["visual_impaired"], ["hearing_impaired"]])
  }

  @Test(
    "originals lie beside rendered tracks in the order of time, where their file has runs of one track"
  )
  func originalsFollowTheTime() throws {
    var inputs: [String] = []
    for index in 0..<3 {
      inputs.append(folder.file("\(index).flac"))
      let noise = "anoisesrc=d=3:r=48000:a=0.1:seed=\(index)"
      try Tool.ffmpeg(["-f", "lavfi", "-i", noise, "-ac", "2", inputs[index]])
    }
    #expect(try Tool.run("mkvmerge", ["-q", "-o", folder.file("runs.mka")] + inputs).status == 0)
    let result = try Product.run([
      "render", folder.file("runs.mka"), "-a", "all", "-e", "none", "-o", folder.file("out.mkv"),
      "-q",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let validated = try Product.run(["validate", folder.file("out.mkv")])
    #expect(validated.status == 0, "\(String(decoding: validated.output, as: UTF8.self))")
  }

  @Test("renditions of HLS say who wants them") func renditionsSayWhoWantsThem() throws {
    try purposes(to: "out.m3u8")
    let playlist = try String(contentsOf: folder.url("out.m3u8"), encoding: .utf8)
    let lines = playlist.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-MEDIA:TYPE=AUDIO") }
    #expect(lines.count == 4)
    let description = "CHARACTERISTICS=\"public.accessibility.describes-video\""
    #expect(lines.map { $0.contains(description) } == [false, false, true, false])
    #expect(lines.map { $0.contains("AUTOSELECT=YES") } == [true, false, true, false])
    // A default that players may not choose is against the standard, so that a first track is always both.
    let alone = try Product.run([
      "render", folder.file("p.mkv"), "-a", "1,2", "-e", "none", "-o", folder.file("alone.m3u8"),
      "-q",
    ])
    #expect(alone.status == 0, "\(alone.errors)")
    #expect(try Product.run(["validate", folder.file("alone.m3u8")]).status == 0)
  }

  /// Renders a programme, a commentary and a description for who doesn't see.
  private func purposes(to name: String) throws {
    let marks = [
      [], ["--commentary-flag", "0:yes"], ["--visual-impaired-flag", "0:yes"],
      ["--hearing-impaired-flag", "0:yes"],
    ]
    let inputs = marks.enumerated().flatMap {
      $0.element + ["--language", "0:en", folder.file("\($0.offset).wav")]
    }
    #expect(try Tool.run("mkvmerge", ["-q", "-o", folder.file("p.mkv")] + inputs).status == 0)
    let result = try Product.run(
      ["render", folder.file("p.mkv"), "-a", "all", "-e", "none", "-o", folder.file(name), "-q"])
    #expect(result.status == 0, "\(result.errors)")
  }
}
