// SPDX-License-Identifier: Apache-2.0
import Foundation
import Report
import TestSupport
import Testing

/// `pinna tag` writes what rsgain's users expect, and nothing else changes.
@Suite(.tags(.system), .fullRunOnly) struct TagCommandTests {
  private let folder: TemporaryFolder
  /// Endings with ffmpeg's options, and what the file's own tags are called.
  private static let formats: [(ending: String, options: [String])] = [
    ("flac", ["-c:a", "flac"]), ("mp3", ["-c:a", "libmp3lame"]), ("m4a", ["-c:a", "aac"]),
    ("opus", ["-c:a", "libopus"]), ("ogg", ["-c:a", "libvorbis"]), ("mka", ["-c:a", "flac"]),
    ("wav", []),
  ]

  init() throws {
    folder = try TemporaryFolder()
    for (place, format) in TagCommandTests.formats.enumerated() {
      let level = Double(place + 1) / 20
      try FixtureStore.ffmpeg(
        [
          "-f", "lavfi", "-i", "anoisesrc=d=4:r=48000:c=pink:a=\(level):seed=1", "-metadata",
          "title=One",
        ]
          + format.options + [file(format.ending)])
    }
  }

  private func file(_ ending: String) -> String { folder.file("track.\(ending)") }

  private var files: [String] { TagCommandTests.formats.map { file($0.ending) } }

  /// All tags of a file as ffprobe reads them, with names in capitals.
  private func tags(_ path: String) throws -> [String: String] {
    let result = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "json", path])
    let json = try #require(
      JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    let streams = json["streams"] as? [[String: Any]] ?? []
    let parts = [json["format"] as? [String: Any] ?? [:]] + streams
    return parts.reduce(into: [:]) { all, part in
      for (name, value) in part["tags"] as? [String: String] ?? [:] {
        all[name.uppercased()] = value
      }
    }
  }

  /// ffmpeg's own measurement, in LUFS.
  private func loudness(_ path: String) throws -> Double {
    let result = try Tool.run(
      "ffmpeg", ["-nostats", "-i", path, "-af", "ebur128", "-f", "null", "-"])
    let line = try #require(
      result.errors.components(separatedBy: "\n").last { $0.contains("I:") && $0.contains("LUFS") })
    return try #require(
      Double(line.split(separator: " ").dropFirst().first { Double($0) != nil } ?? ""))
  }

  @Test("gains lead from ffmpeg's loudness to the reference, in each format") func gainsAreRight()
    throws
  {
    let result = try Product.run(["tag"] + files)
    #expect(result.status == 0, "\(result.errors)")
    // ffprobe 5.1 doesn't read the ID3 chunk of WAV; TaggingTests do, by mutagen.
    for path in files.dropLast() {
      let tags = try tags(path)
      #expect(tags["TITLE"] == "One", "\(path)")
      let measured = try loudness(path)
      if path.hasSuffix("opus") {
        let gain = try #require(tags["R128_TRACK_GAIN"].flatMap(Double.init)) / 256
        #expect(abs(gain - (-23 - measured)) < 0.1)
        #expect(tags["REPLAYGAIN_TRACK_GAIN"] == nil)
      } else {
        let text = try #require(tags["REPLAYGAIN_TRACK_GAIN"], "\(path)")
        let gain = try #require(Double(text.replacingOccurrences(of: " dB", with: "")))
        #expect(abs(gain - (-18 - measured)) < 0.1, "\(path)")
        #expect(tags["REPLAYGAIN_TRACK_PEAK"] != nil && tags["REPLAYGAIN_ALBUM_GAIN"] == nil)
      }
    }
  }

  @Test("a second run changes no byte, and a dry run none either") func secondRunsChangeNothing()
    throws
  {
    let before = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(try Product.run(["tag", "-n", "--album"] + files).status == 0)
    #expect(try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == before)
    #expect(try Product.run(["tag", "--album"] + files).status == 0)
    let tagged = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    let again = try Product.run(["tag", "--album"] + files)
    #expect(try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == tagged)
    #expect(String(decoding: again.output, as: UTF8.self).contains("unchanged"))
    let skipped = try Product.run(["tag", "--album", "-S"] + files)
    #expect(String(decoding: skipped.output, as: UTF8.self).contains("skipped"))
  }

  @Test("files of a folder are one album, and all get its gain") func albumsShareAGain() throws {
    // A file counts once, however often it is given.
    let twice = folder.path + "/./track.flac"
    #expect(try Product.run(["tag", "--album", folder.path, twice, file("flac")]).status == 0)
    let whole = try tags(file("flac"))["REPLAYGAIN_ALBUM_GAIN"]
    #expect(try Product.run(["tag", "--album", folder.path]).status == 0)
    #expect(try tags(file("flac"))["REPLAYGAIN_ALBUM_GAIN"] == whole)
    // ffprobe 5.1 doesn't read the ID3 chunk of WAV.
    let gains = try files.filter { !$0.hasSuffix("opus") && !$0.hasSuffix("wav") }.map {
      try tags($0)["REPLAYGAIN_ALBUM_GAIN"]
    }
    #expect(Set(gains).count == 1 && gains[0] != nil)
    #expect(try tags(file("opus"))["R128_ALBUM_GAIN"] != nil)
  }

  private func json(_ words: [String]) throws -> JSONValue {
    try JSONValue(json: Array(Product.run(["tag", "--json"] + words).output))
  }

  private func members(_ value: JSONValue) throws -> [String: JSONValue] {
    guard case .object(let members) = value else { throw ToolFailure(text: "no object") }
    return members
  }

  @Test("JSON has an object for each file, failures as well, and the figures of the tags")
  func jsonTellsAll() throws {
    try Data("garbage".utf8).write(to: folder.url("bad.flac"))
    let paths = [file("mka"), folder.file("bad.flac"), file("flac")]
    guard case .list(let all) = try json(paths) else { throw ToolFailure(text: "no array") }
    let reports = try all.map(members)
    #expect(reports.map { $0["path"] } == paths.map { .text($0) })
    #expect(reports.map { $0["state"] } == ["tagged", "failed", "tagged"].map { .text($0) })
    #expect(reports[1]["error"] != nil && reports[1]["trackGainDB"] == nil)
    guard case .number(let gain)? = reports[0]["trackGainDB"],
      case .number(let loudness)? = reports[0]["integrated"]
    else { throw ToolFailure(text: "no figures") }
    #expect(abs(gain + loudness + 18) < 1e-9)
    let text = try #require(try tags(file("mka"))["REPLAYGAIN_TRACK_GAIN"])
    #expect(text == String(format: "%.2f dB", gain))

    // One file is an object; a folder is an array, whatever is in it.
    #expect(try members(json([file("mka")]))["state"] == .text("unchanged"))
    #expect(try members(json(["--remove", file("mka")]))["state"] == .text("removed"))
    guard case .list = try json(["-n", folder.path]) else { throw ToolFailure(text: "no array") }
  }

  @Test("a file that can't be measured leaves its album without tags, and each file says why")
  func albumsStandTogether() throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file("flac")))
    bytes.removeLast(bytes.count / 2)
    try bytes.write(to: folder.url("cut.flac"))
    let before = try Data(contentsOf: URL(fileURLWithPath: file("flac")))
    guard case .list(let all) = try json(["--album", file("flac"), folder.file("cut.flac")]) else {
      throw ToolFailure(text: "no array")
    }
    let reports = try all.map(members)
    #expect(reports.map { $0["state"] } == [.text("failed"), .text("failed")])
    let messages = try reports.map { report in
      try members(#require(report["error"]))["message"].map { "\($0)" } ?? ""
    }
    #expect(messages[0].contains("gets no tags, because") && messages[0].contains("cut.flac"))
    #expect(messages[1].contains("whole"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: file("flac"))) == before)
  }

  @Test("mono counts twice where it is asked for, as render writes it for a podcast")
  func monoCountsTwice() throws {
    let mono = folder.file("mono.mp3")
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "anoisesrc=d=4:r=48000:c=pink:a=0.2:seed=1", "-ac", "1", mono,
    ])
    func gain(_ flags: [String]) throws -> Double {
      #expect(try Product.run(["tag", mono] + flags).status == 0)
      let text = try #require(tags(mono)["REPLAYGAIN_TRACK_GAIN"])
      return try #require(Double(text.replacingOccurrences(of: " dB", with: "")))
    }
    let (plain, dual) = (try gain([]), try gain(["--dual-mono"]))
    #expect(abs(plain - dual - 3.01) < 0.02)
    #expect(abs(plain + 18 + (try loudness(mono))) < 0.1)
    let out = folder.file("out.mp3")
    let result = try Product.run(["render", mono, "--preset", "podcast", "-o", out])
    #expect(result.status == 0 && result.errors.contains("as two loudspeakers play it (+3 LU)"))
    let written = try tags(out)["REPLAYGAIN_TRACK_GAIN"]
    #expect(try Product.run(["tag", out, "--dual-mono"]).status == 0)
    let again = try tags(out)["REPLAYGAIN_TRACK_GAIN"]
    func number(_ text: String?) -> Double? {
      text?.split(separator: " ").first.flatMap { Double($0) }
    }
    let difference = try #require(number(written)) - #require(number(again))
    #expect(abs(difference) < 0.11, "lossy files are tagged by their plan")
  }

  @Test("gains keep peaks below the ceiling") func clippingIsPrevented() throws {
    let result = try Product.run([
      "tag", "--clipping", "always", "--max-peak", "-15", file("flac"),
    ])
    #expect(result.status == 0, "\(result.errors)")
    let tags = try tags(file("flac"))
    let gain = try #require(
      tags["REPLAYGAIN_TRACK_GAIN"].flatMap { Double($0.replacingOccurrences(of: " dB", with: "")) }
    )
    let peak = try #require(tags["REPLAYGAIN_TRACK_PEAK"].flatMap(Double.init))
    #expect(abs(20 * log10(peak) + gain + 15) < 0.01)
  }

  @Test("tags go again") func tagsAreRemoved() throws {
    _ = try Product.run(["tag", file("mp3")])
    #expect(try Product.run(["tag", "--remove", file("mp3")]).status == 0)
    let tags = try tags(file("mp3"))
    #expect(tags["REPLAYGAIN_TRACK_GAIN"] == nil && tags["TITLE"] == "One")
  }

  @Test("a film in a folder is left alone, and gets tags where it is named") func filmsAreNamed()
    throws
  {
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=d=1:s=64x64:r=5", "-i", file("flac"), "-map", "0:v", "-map",
      "1:a", "-c:v", "libx264", "-c:a", "copy", folder.file("film.mkv"),
    ])
    let before = try Data(contentsOf: folder.url("film.mkv"))
    let result = try Product.run(["tag", "--album", folder.path])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("left alone: ") && result.errors.contains("is a film"))
    #expect(try Data(contentsOf: folder.url("film.mkv")) == before)
    #expect(try tags(file("flac"))["REPLAYGAIN_ALBUM_GAIN"] != nil)
    #expect(try Product.run(["tag", folder.file("film.mkv")]).status == 0)
    #expect(try tags(folder.file("film.mkv"))["REPLAYGAIN_TRACK_GAIN"] != nil)
  }

  @Test("a file that fails doesn't keep the others from their tags") func failuresStandAlone()
    throws
  {
    try Data("garbage".utf8).write(to: folder.url("bad.flac"))
    let result = try Product.run([
      "tag", folder.file("bad.flac"), folder.file("no.flac"), file("flac"),
    ])
    #expect(result.status != 0)
    #expect(result.errors.contains("bad.flac") && result.errors.contains("no.flac"))
    #expect(try tags(file("flac"))["REPLAYGAIN_TRACK_GAIN"] != nil)
  }
}
