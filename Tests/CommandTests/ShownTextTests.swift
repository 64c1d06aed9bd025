// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Report
import TestSupport
import Testing

@testable import PinnaCLI

/// Text from outside gives a terminal no commands, wherever a command shows it.
@Suite(.tags(.system), .fullRunOnly) struct ShownTextTests {
  /// A text that clears the screen, reverses what follows and ends its line; and the same made safe.
  private static let texts = (
    hostile: "x\u{1B}[2J\u{7}\u{202E}\u{85}\u{9B}\u{2066}\u{2028}\u{7F}y\n",
    safe: "x\u{FFFD}[2J" + String(repeating: "\u{FFFD}", count: 7) + "y\u{FFFD}"
  )

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 6, seconds: 2, mask: 0x3F).write(to: folder.url("in.wav"))
    for (name, gain) in [("old.json", 0), ("new.json", 3)] {
      let items =
        "{\"file\": \"in.wav\", \"title\": \"First\", \"gain\": \(gain)}, {\"silence\": \"1s\"}"
      try Data("{\"schema\": \"pinna.queue/1\", \"items\": [\(items)]}".utf8)
        .write(to: folder.url(name))
    }
    let list = """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="one.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=1000,CODECS="mp4a.40.2",AUDIO="a"
      video.m3u8

      """
    try Data(list.utf8).write(to: folder.url("list.m3u8"))
  }

  /// `value` with one of its texts replaced, for each of them.
  private static func variants(_ value: JSONValue, _ text: String) -> [JSONValue] {
    switch value {
    case .text: return [.text(text)]
    case .list(let elements):
      return elements.indices.flatMap { index in
        variants(elements[index], text).map { variant in
          var changed = elements
          changed[index] = variant
          return .list(changed)
        }
      }
    case .object(let members):
      return members.sorted { $0.key < $1.key }.flatMap { key, member in
        variants(member, text).map { variant in
          .object(members.merging([key: variant]) { _, new in new })
        }
      }
    default: return []
    }
  }

  /// Checks that each text of the report that `arguments` print is made safe in its `table`; at least one is shown.
  private func check<Value: Codable>(
    _ arguments: [String], _ type: Value.Type, _ table: (Value) -> String
  ) async throws {
    let result = try await InProcess.run(
      arguments.map { $0.replacing("@", with: folder.path + "/") } + ["--json"])
    try #require(result.status == 0, "\(arguments): \(result.errors)")
    let report = try JSONValue(json: Array(result.output))
    func reports(_ text: String) -> [Value?] {
      ShownTextTests.variants(report, text).map { variant in
        // Some texts are of a closed list, and can't be changed.
        try? JSONDecoder().decode(Value.self, from: JSONEncoder().encode(variant))
      }
    }
    var shown = 0
    let texts = ShownTextTests.texts
    for case (let hostile?, let safe?) in zip(reports(texts.hostile), reports(texts.safe)) {
      let text = table(hostile)
      #expect(text == table(safe), "\(arguments)")
      if text.contains("\u{FFFD}") { shown += 1 }
    }
    #expect(shown > 0, "\(arguments): no text is shown; \(result.errors)")
  }

  @Test(
    "the table of each report shows a text with commands to the terminal as one line of harmless text"
  )
  func tablesShowHarmlessText() async throws {
    let probe = { ProbeTable.text($0, isDeep: true) }
    try await check(["probe", "@in.wav"], ProbeReport.self, probe)
    try await check(["measure", "@in.wav"], MeasureReport.self) { MeasureTable.text([$0]) }
    try await check(["compare", "@in.wav", "@in.wav"], ComparisonReport.self) {
      ComparisonText.text($0, isBrief: false)
    }
    try await check(["queue", "show", "@old.json"], QueueSurveyReport.self, QueueTable.text)
    try await check(
      ["queue", "diff", "@old.json", "@new.json"], QueueDiffReport.self, QueueTable.text)
    for source in ["@in.wav", "@old.json"] {
      for ways in [["--dry-run"], []] {
        try await check(["render", source, "-o", "@out.wav", "-y"] + ways, RenderReport.self) {
          LineLayout().text(Summary.lines($0, names: $0.outputNames, isVerbose: true))
        }
      }
    }
    try await check(["hrtf", "list"], HRTFListReport.self, HRTFTable.text)
    try await check(["hrtf", "inspect", "kemar"], HRTFReport.self, HRTFTable.text)
    try await check(
      ["hrtf", "compare", "kemar", "kemar"], HRTFComparisonReport.self, HRTFTable.text)
    try await check(["hrtf", "fit", "--circumference", "62"], HRTFFitReport.self) {
      HRTFTable.text($0, set: "kemar")
    }
    try await check(
      ["audition", "@in.wav", "-o", "@page.html", "--at", "0s", "--length", "1s"],
      AuditionReport.self
    ) { AuditionTable.text($0, page: "page.html") }
  }

  @Test(
    "a probe's table shows names of objects, mixes and presentations as harmless text",
    .enabled(
      if: ObjectCases.isPresent && SharedMedia.isPresent && IAMFExpectation.isPresent,
      "../shared is missing"))
  func namesOfPartsAreHarmless() async throws {
    for path in [
      ObjectCases.path("cases/objects-static/input.wav"), SharedMedia.path("sample_ac4.mp4"),
      SharedMedia.path("sample_eac3joc.mp4"),
      IAMFExpectation.media("syn_soa_projection_two_mixes_flac.iamf"),
      IAMFExpectation.media("7_1_4_Flac.iamf"),
    ] {
      try await check(["probe", path], ProbeReport.self) { ProbeTable.text($0, isDeep: false) }
    }
  }

  @Test(
    "a name of a file or an option with commands to the terminal is shown as harmless text",
    arguments: [
      "probe @.wav", "probe @.none", "measure @.wav", "validate @.wav", "compare @.wav @.none",
      "render @.wav -o @.out.wav", "render @.wav -o @.none/out.wav", "render @.wav -o @.out.wav @",
      "hrtf inspect @.sofa", "queue show @.json", "report @.none -o @.html",
      "batch @.yaml -O @.folder",
      "golden list --cases @.none", "presets show @", "audition @.wav -o @.html --at 0s",
      "taps check post:eq=@.txt", "@", "probe @.wav @.wav", "probe @.wav --@", "probe @.wav --@=1",
      "render @.wav -o @.out.wav --@=1", "measure --progress @ @.wav",
      "golden verify @ --cases @.none",
    ])
  func namesAreHarmless(line: String) async throws {
    let name = folder.file(ShownTextTests.texts.hostile)
    for ending in ["wav", "sofa", "json", "yaml", "txt"] {
      try FileManager.default.copyItem(atPath: folder.file("in.wav"), toPath: "\(name).\(ending)")
    }
    let words = line.split(separator: " ").map { String($0).replacing("@", with: name) }
    let result = try await InProcess.run(words)
    let text = String(decoding: result.output, as: UTF8.self) + result.errors
    #expect(text.contains("\u{FFFD}"), "\(text)")
    // The name ends in a line feed, which would begin a line of its own.
    #expect(!text.split(separator: "\n").contains { $0.hasPrefix(".") }, "\(text)")
    #expect(text.unicodeScalars.allSatisfy { $0.isPlain || $0 == "\n" }, "\(text)")
  }
}
