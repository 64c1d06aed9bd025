// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

/// Batches of folders, manifests and lists.
@Suite(.tags(.system), .fullRunOnly) struct BatchCommandTests {
  private let place: BatchFolder

  init() throws { place = try BatchFolder() }

  @Test("outputs of a folder lie in the same subfolders as its inputs; other files are counted")
  func aFolderKeepsItsTree() throws {
    try place.programme("a.wav")
    try place.programme("sub/b.wav")
    try Data("x".utf8).write(to: place.folder.url("in/notes.txt"))
    let result = try place.batch()
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("2 of 2 done") && result.errors.contains(".txt"))
    let files = try place.content().keys.filter { !$0.hasPrefix(".pinna") }
    #expect(files.sorted() == ["a.wav", "sub/b.wav"])
  }

  @Test("one worker and two workers write the same files and results")
  func resultsDontDependOnTheNumberOfWorkers() throws {
    for number in 0..<6 { try place.programme("\(number).wav", level: 0.05 + Float(number) / 50) }
    try Data("no media".utf8).write(to: place.folder.url("in/bad.wav"))
    for jobs in ["1", "2"] {
      let extra = ["-j", jobs, "-e", "speakers", "-l", "-20"]
      #expect(try place.batch(to: "out" + jobs, extra).status == 10)
    }
    let (one, two) = (try place.content("out1"), try place.content("out2"))
    #expect(one.count == 6 + 7 + 1)
    #expect(one == two)
  }

  @Test("a batch writes the same bytes as render with the same options")
  func aBatchIsTheSameAsRender() throws {
    try place.programme("a.wav", seconds: 2)
    let options = ["-l", "-19", "--true-peak=-3", "-b", "16", "-e", "none"]
    #expect(try place.batch(nil, options).status == 0)
    let output = place.folder.file("one.wav")
    let single = try Product.run(["render", place.folder.file("in/a.wav"), "-o", output] + options)
    #expect(single.status == 0, "\(single.errors)")
    #expect(try place.content()["a.wav"] == Data(contentsOf: place.folder.url("one.wav")))
  }

  @Test("a job with several outputs writes each as render does; equal names are refused")
  func endpointsOfOneJobShareADecode() async throws {
    try place.programme("a.wav", seconds: 2)
    let manifest = try place.manifest([
      "defaults: {loudness: -30}",
      "jobs:",
      "  - id: film",
      "    input: in/a.wav",
      "    loudness: -18",
      "    outputs:",
      "      - {endpoint: headphones}",
      "      - {endpoint: speakers, speaker-span: 20}",
      "      - {endpoint: speakers}",
      "      - {endpoint: none, format: fmp4, codec: flac, name: 'film/{n}.{ext}'}",
    ])
    let refused = try await place.refusal(manifest)
    // Two of the outputs would have the same name.
    #expect(refused.status == 2 && refused.errors.contains("a-speakers.wav"), "\(refused.errors)")
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    try Data(text.replacing("      - {endpoint: speakers}\n", with: "").utf8)
      .write(to: URL(fileURLWithPath: manifest))
    let done = try place.report(manifest)
    #expect(done.status == 0, "\(done.errors)")
    let content = try place.content()
    #expect(
      content.keys.filter { !$0.hasPrefix(".pinna") }.sorted() == [
        "film/3.mp4", "in/a-headphones.wav", "in/a-speakers.wav",
      ])
    let single = try Product.run([
      "render", place.folder.file("in/a.wav"), "-o", place.folder.file("s.wav"), "-l", "-18", "-e",
      "speakers",
    ])
    #expect(single.status == 0)
    #expect(try content["in/a-speakers.wav"] == Data(contentsOf: place.folder.url("s.wav")))
  }

  @Test("an option on the command line beats the manifest's defaults and is beaten by the job")
  func theCommandLineBeatsDefaultsAndJobsBeatIt() throws {
    try place.programme("a.wav", seconds: 2)
    let manifest = try place.manifest([
      "defaults: {loudness: -30}", "jobs:", "  - {id: one, input: in/a.wav, name: 1.wav}",
      "  - {id: two, input: in/a.wav, name: 2.wav, loudness: -20}",
    ])
    for (extra, levels) in [([], [-30.0, -20.0]), (["-l", "-25"], [-25.0, -20.0])] {
      let result = try place.batch(manifest, to: "out\(levels[0])", extra + ["--json"])
      let report = try #require(
        JSONSerialization.jsonObject(with: result.output) as? [String: Any])
      let items = try #require(report["items"] as? [[String: Any]])
      let found = items.compactMap { ($0["loudness"] as? [String: Any])?["output"] as? Double }
      #expect(zip(found, levels).allSatisfy { abs($0 - $1) < 0.2 } && found.count == 2, "\(found)")
      for (entry, level) in zip(items, levels) {
        let loudness = try #require(entry["loudness"] as? [String: Double])
        let before = try #require(loudness["input"])
        #expect(abs(before + (loudness["gainDB"] ?? .nan) - level) < 0.2)
        // A peak lies above the loudness, and below the default ceiling.
        #expect((level...(-1)).contains(loudness["truePeak"] ?? .nan))
      }
    }
  }

  @Test("a manifest with nine faults is refused with all of them before any work")
  func wrongPlansAreToldWholeAndNothingIsDone() async throws {
    try place.programme("a.wav")
    try FileManager.default.createDirectory(
      atPath: place.folder.file("out"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: place.folder.file("out/away"), withDestinationPath: place.folder.file("in"))
    let manifest = try place.manifest([
      "jobs:", "  - {id: a, input: in/a.wav, name: x.wav}",
      "  - {id: a, input: in/a.wav, name: 2.wav}", "  - {id: c, input: in/a.wav, name: X.WAV}",
      "  - {id: d, input: in/a.wav, name: ../y.wav}",
      "  - {id: e, input: in/a.wav, name: away/z.wav}",
      "  - {id: f, input: in/a.wav, name: .pinna/z.wav}",
      "  - {id: g, input: in/a.wav, name: g.wav, endpoint: ears}",
      "  - {id: h, input: in/a.wav, name: h.wav, loudnes: -5}",
      "  - {id: i, input: 'in/*.ogg'}",
      "  - {id: j, input: in/a.wav, name: j.wav, speaker-span: 5, endpoint: speakers}",
    ])
    let result = try await place.refusal(manifest)
    #expect(result.status == 2)
    let words = [
      "has the id a", "also that of a", "../y.wav leads out", "away/z.wav leads out", "own folder",
      "--endpoint ears", "did you mean loudness?", "no file fits", "--speaker-span 5.00",
      "9 faults",
    ]
    for word in words { #expect(result.errors.contains(word), "\(word): \(result.errors)") }
    #expect(try place.content().isEmpty)
  }

  @Test("a wrong option of all files gives one sentence instead of one for each file")
  func aFaultOfAllIsToldOnce() async throws {
    for name in ["a.wav", "b.wav", "c.wav"] { try place.programme(name) }
    for (extra, words) in [
      (["--hrtf", "none.sofa"], "none.sofa: no such file"), (["-f", "aiff"], "-f aiff"),
    ] {
      let result = try await place.refusal(nil, extra)
      #expect(result.status == 2 && result.errors.contains("a.wav and 2 more: "))
      #expect(result.errors.contains(words), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 2)
    }
    let golden = try await place.refusal(
      try place.manifest(["jobs:", "  - {input: in/a.wav, expect: cases/none}"]))
    #expect(golden.status == 2 && golden.errors.contains("cases/none"), "\(golden.errors)")
  }

  @Test("an HLS output that lacks one segment file is rendered again")
  func segmentsAreResumedWhole() throws {
    try place.programme("a.wav", seconds: 5)
    let options = ["-f", "hls", "-c:a", "flac", "--segment-files", "--segment-duration", "2s"]
    #expect(try place.report(nil, options).status == 0)
    let whole = try place.content()
    let segments = whole.keys.filter { $0.hasPrefix("a-segments/") }
    #expect(segments.count == 4, "\(segments)")
    #expect(try place.report(nil, options).worked.isEmpty)
    try FileManager.default.removeItem(atPath: place.folder.file("out/a-segments/audio-00002.m4s"))
    #expect(try place.report(nil, options).worked == ["a.wav"])
    #expect(try place.content() == whole)
  }

  @Test("an HLS output that lacks its playlist is rendered again")
  func hlsIsResumedWhole() throws {
    try place.programme("a.wav", seconds: 3)
    let options = ["-f", "hls", "-c:a", "flac"]
    #expect(try place.report(nil, options).status == 0)
    let files = try place.content().keys.filter { !$0.hasPrefix(".pinna") }
    #expect(files.sorted() == ["a-audio.m3u8", "a.m3u8", "a.mp4"])
    #expect(try place.report(nil, options).worked.isEmpty)
    try FileManager.default.removeItem(atPath: place.folder.file("out/a-audio.m3u8"))
    let before = try place.content()
    #expect(try place.report(nil, options).worked == ["a.wav"])
    #expect(try place.content().count == before.count + 1)
  }

  @Test("a batch whose output would replace an input is refused")
  func inputsAreNeverOutputs() async throws {
    try place.programme("a.wav")
    let before = try place.content("in")
    let same = try await place.refusal(to: "in")
    #expect(same.status == 2 && same.errors.contains("folder of the inputs"), "\(same.errors)")
    let manifest = try place.manifest(["jobs:", "  - {input: in/a.wav, name: a.wav}"])
    let other = try await place.refusal(manifest, to: "in", ["-y"])
    #expect(other.status == 2 && other.errors.contains("is the input"), "\(other.errors)")
    #expect(try place.content("in") == before)
  }

  @Test("inputs from a list on standard input get the names of --name; equal names get a number")
  func listsAndTemplatesWork() throws {
    try place.programme("a.wav")
    try place.programme("b/a.wav")
    let script = """
      cd "$1"; printf 'in/a.wav\\0in/b/a.wav\\0' | \
      "$0" batch --input-list - -O out --name '{stem}.{ext}'
      """
    let clash = try place.bash(script)
    #expect(clash.status == 0)
    #expect(clash.errors.contains("numbered: in/b/a.wav becomes a-2.wav, because"))
    let done = try place.bash(script.replacing("{stem}", with: "{id}"))
    #expect(done.status == 0, "\(done.errors)")
    let files = try place.content().keys.filter { !$0.hasPrefix(".pinna") }
    #expect(files.sorted() == ["a-2.wav", "a.wav", "in/a.wav.wav", "in/b/a.wav.wav"])
  }

  @Test("the reports as JSON, JUnit XML and Markdown name the same failure")
  func everyReportSaysTheSame() async throws {
    try place.programme("a.wav")
    try Data("no media".utf8).write(to: place.folder.url("in/b<&.wav"))
    let names = ["r.json", "j.xml", "m.md"].map { place.folder.file($0) }
    let result = try place.batch(
      nil, ["--report", names[0], "--junit", names[1], "--markdown", names[2], "--json"])
    #expect(result.status == 10)
    #expect(try Data(contentsOf: place.folder.url("r.json")) == result.output)
    let junit = try String(contentsOfFile: names[1], encoding: .utf8)
    #expect(junit.contains("tests=\"2\" failures=\"1\"") && junit.contains("b&lt;&amp;.wav"))
    let checked = try Tool.run(
      "python3", ["-c", "import sys,xml.dom.minidom as m; m.parse(sys.argv[1])", names[1]])
    #expect(checked.status == 0, "\(checked.errors)")
    #expect(try String(contentsOfFile: names[2], encoding: .utf8).contains("1 of 2 done"))
    let refused = try await place.refusal(
      to: "out2", ["--junit", place.folder.file("no/such/j.xml")])
    #expect(refused.status == 6 && refused.errors.contains("--junit"))
  }

  @Test("files of an album share one gain, and one unreadable file fails the whole album")
  func anAlbumIsAllOrNothing() throws {
    try place.programme("a.wav", seconds: 3, level: 0.1)
    try place.programme("b.wav", seconds: 3, level: 0.05)
    let options = ["--album", "--peak-policy", "ignore"]
    #expect(try place.report(nil, options).status == 0)
    let gains = try place.content().filter { $0.key.hasPrefix(".pinna/items") }.values.map { data in
      let result = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      let report = (result?["reports"] as? [[String: Any]])?.first
      let output = (report?["outputs"] as? [[String: Any]])?.first
      return (output?["loudness"] as? [String: Any])?["gainDB"] as? Double
    }
    #expect(gains.count == 2 && gains[0] == gains[1] && gains[0] != nil)
    try Data("no media".utf8).write(to: place.folder.url("in/c.wav"))
    let failed = try place.report(to: "out2", options)
    #expect(failed.status == 10 && failed.counts["failed"] == 3, "\(failed.errors)")
    #expect(try place.content("out2").keys.allSatisfy { $0.hasPrefix(".pinna") })
    #expect(failed.message("a.wav").contains("c.wav"))
  }

  @Test("a job that differs from its golden fails with exit code 7")
  func goldensAreHeldAgainst() throws {
    try place.programme("a.wav", seconds: 2)
    let cases = place.folder.file("cases")
    let recorded = try Product.run([
      "golden", "record", "one", "--cases", cases, "--media", place.folder.file("in"), "--input",
      "a.wav", "--why", "a", "--oracle", "b", "--allow-dirty", "--", "render", "{input}", "-o",
      "{out}/o.wav", "-e", "none",
    ])
    // A recording fails its run, so that nobody takes it for a test.
    #expect(recorded.status == 7 && recorded.errors.contains("recorded  one"), "\(recorded.errors)")
    let manifest = try place.manifest([
      "jobs:", "  - {id: same, input: in/a.wav, name: 1.wav, endpoint: none, expect: cases/one}",
      "  - {id: other, input: in/a.wav, name: 2.wav, endpoint: none, loudness: -20, "
        + "expect: cases/one}",
    ])
    let outcome = try place.report(manifest)
    #expect(outcome.state("same") == "ok", "\(outcome.errors)")
    #expect(outcome.state("other") == "error verification-failed" && outcome.code("other") == 7)
    #expect(outcome.message("other").contains("golden one"))
  }

  @Test(
    "a job with deterministic: true runs without the processor's extensions, beside jobs with them")
  func workersForPortableSamplesAreTheirOwn() throws {
    try place.programme("a.wav")
    let manifest = try place.manifest([
      "jobs:", "  - {id: a, input: in/a.wav, name: a.wav}",
      "  - {id: b, input: in/a.wav, name: b.wav, deterministic: true}",
      "  - {id: c, input: in/a.wav, name: c.wav}",
    ])
    #expect(try place.report(manifest, ["-j", "1"]).status == 0)
    let processors = try ["a", "b", "c"].map { id in
      let content = try place.content()
      let data = try #require(content.first { $0.key.contains("items/\(id)-") }?.value)
      let result = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      let report = (result?["reports"] as? [[String: Any]])?.first
      return (report?["toolchain"] as? [String: Any])?["cpu"] as? [String]
    }
    #expect(processors[1] == [] && processors[0] == processors[2])
  }

  @Test("--progress ndjson prints one object for each start, progress and end")
  func progressIsOneObjectALine() throws {
    try place.programme("a.wav")
    try Data("no media".utf8).write(to: place.folder.url("in/b.wav"))
    let result = try place.batch(nil, ["--progress", "ndjson", "-j", "1"])
    let events = try result.errors.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let types = events.map { "\($0["type"] ?? "") \($0["event"] ?? "")" }
    #expect(types.first == "batch start" && types.last == "batch end")
    #expect(types.count { $0 == "item start" } == 2 && types.count { $0 == "item end" } == 2)
    #expect(events.last?["failed"] as? Int == 1 && events.last?["exit"] as? Int == 10)
    // A WAV file states its length, so that the total is right from the first object on: 0.4 s at 48 kHz.
    let totals = events.filter { $0["type"] as? String == "progress" }.map { $0["total"] as? Int }
    #expect(!totals.isEmpty && totals.allSatisfy { $0 == 19_200 }, "\(totals)")
  }

  @Test("each option of render is in the manifest's schema or is set by the batch")
  func theSchemasKnowTheOptionsOfRender() async throws {
    for name in ["manifest", "item", "batch"] {
      let result = try await InProcess.run(["schema", name])
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: result.output) }
    }
    let help = try await InProcess.run(["render", "--help-hidden"])
    let text = String(decoding: help.output, as: UTF8.self)
    let schema = String(
      decoding: try await InProcess.run(["schema", "manifest"]).output, as: UTF8.self)
    let own = Set(Setting.allCases.map(\.row).filter { $0.scope == .run }.map(\.key))
      .union(["version", "help", "help-hidden"])
    let flags = text.matches(of: /--(?:no-)?([a-z][a-z-]+)/).map { String($0.output.1) }
    for flag in Set(flags).subtracting(own) {
      let known = schema.contains("\"\(flag)\" :") || schema.contains("\"no-\(flag)\" :")
      #expect(known, "--\(flag) is unknown to manifests")
    }
  }
}
