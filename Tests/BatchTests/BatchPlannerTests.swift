// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Batch

/// The plan of a batch: its jobs, and all errors in the request, before anything is rendered.
@Suite struct BatchPlannerTests {
  private let folder: TemporaryFolder
  private let engine = ScriptedEngine()

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a.wav", "b.flac", "sub/c.wav", "sub/a.wav", "notes.txt"] {
      try touch("in/" + name)
    }
  }

  private func touch(_ name: String) throws {
    let url = folder.url(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(name.utf8).write(to: url)
  }

  private func plan(
    _ source: BatchSource, name: String? = nil, isAlbum: Bool = false, root: String = "out",
    options: [Setting: String] = [:]
  ) throws -> BatchPlan {
    var values = OptionValues()
    for (option, text) in options { values[option] = [text] }
    var planner = BatchPlanner(
      engine: engine, root: folder.file(root), options: values,
      name: try name.map { try NameTemplate($0) }, isAlbum: isAlbum)
    return try planner.plan(source)
  }

  private func manifest(_ lines: [String]) throws -> BatchSource {
    let text = (["schema: pinna.manifest/1"] + lines).joined(separator: "\n") + "\n"
    try Data(text.utf8).write(to: folder.url("m.yaml"))
    return .manifest(folder.file("m.yaml"))
  }

  /// Sentences of all errors in the request.
  private func faults(_ plan: @autoclosure () throws -> BatchPlan) -> [String] {
    do {
      _ = try plan()
      return []
    } catch let faults as BatchFaults {
      #expect(faults.all.allSatisfy { $0.kind == .usage })
      return faults.all.map(\.message)
    } catch { return ["\(error)"] }
  }

  // MARK: Names

  @Test("outputs of a folder lie in the same subfolders as its inputs")
  func aFolderKeepsItsShape() throws {
    let made = try plan(.folder(folder.file("in")))
    #expect(made.items.map(\.id) == ["a.wav", "b.flac", "sub/a.wav", "sub/c.wav"])
    #expect(made.items.flatMap(\.files) == ["a.wav", "b.wav", "sub/a.wav", "sub/c.wav"])
    #expect(made.items.map(\.source) == made.items.map { folder.file("in/" + $0.id) })
    #expect(made.skipped.keys.sorted() == ["notes.txt"])
  }

  @Test(
    "a template's fields give the output's name",
    arguments: [
      ("{id}.{ext}", "sub/c.wav.wav"), ("{stem}-{n}.{ext}", "c-1.wav"),
      ("{dir}/{endpoint}/{stem}.flac", "in/sub/headphones/c.flac"), ("x/./{stem}.mp4", "x/c.mp4"),
    ])
  func templatesNameTheOutputs(template: String, name: String) throws {
    let source = try manifest(["jobs:", "  - {input: in/sub/c.wav, id: sub/c.wav}"])
    let made = try plan(source, name: template)
    #expect(made.items[0].renders[0].outputs == [name])
  }

  @Test("outputs with the same decoding are one render; a copy is another one")
  func severalOutputsShareADecodeWhereTheyCan() throws {
    let made = try plan(
      manifest([
        "jobs:", "  - input: in/a.wav", "    outputs:", "      - {endpoint: headphones}",
        "      - {endpoint: speakers}", "      - {endpoint: none, loudness: -20}",
        "      - {name: copy.mp4, codec: copy}",
      ]))
    let renders = made.items[0].renders
    #expect(
      renders.map(\.outputs) == [
        ["in/a-headphones.wav", "in/a-speakers.wav", "in/a-none.wav"], ["copy.mp4"],
      ])
    #expect(renders.map(\.endpoints.count) == [3, 1])
    #expect(made.items[0].files.suffix(2) == ["copy.mp4", "copy.mp4.hash"])
  }

  @Test(
    "an output's name that leads out of the output folder is refused",
    arguments: ["../x.wav", "/x.wav", "a/../../x.wav", "x/", "../\u{301}x.wav"])
  func outputsStayInside(name: String) throws {
    let found = faults(try plan(manifest(["jobs:", "  - {input: in/a.wav, name: '\(name)'}"])))
    #expect(found.count == 1 && found[0].contains("m.yaml, line 3: "), "\(found)")
    #expect(found[0].contains("\(name) leads out of the output folder"), "\(found)")
  }

  @Test("an output's name that leads out through a link is refused")
  func linksDontLeadOut() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("out"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("out/far"), withDestinationPath: folder.file("in"))
    let found = faults(try plan(manifest(["jobs:", "  - {input: in/a.wav, name: far/x.wav}"])))
    #expect(found.count == 1 && found[0].contains("through a link"), "\(found)")
  }

  @Test("an output in .pinna is refused")
  func pinnasOwnFolderIsTaken() throws {
    for name in [".pinna/x.wav", ".PINNA/x.wav"] {
      let found = faults(try plan(manifest(["jobs:", "  - {input: in/a.wav, name: \(name)}"])))
      #expect(found.count == 1 && found[0].contains("Pinna's own folder"), "\(found)")
    }
  }

  // MARK: Collisions

  @Test(
    "outputs with one name get a number, unless the job states the name, also when only case differs"
  )
  func twoOutputsNeverShareAName() throws {
    let numbered = try plan(.folder(folder.file("in")), name: "{stem}.{ext}")
    #expect(numbered.renamed.map(\.path) == ["a-2.wav"])
    #expect(numbered.renamed.map(\.id) == ["sub/a.wav"])
    #expect(numbered.items.flatMap(\.files).contains("a.wav"))
    // Some file systems treat small letters and capitals as equal.
    let spelt = faults(
      try plan(
        manifest([
          "jobs:", "  - {input: in/a.wav, name: X.wav}", "  - {input: in/b.flac, name: x.WAV}",
        ])))
    #expect(spelt.count == 1 && spelt[0].contains("also that of in/a.wav"), "\(spelt)")
  }

  @Test("two outputs that share a companion file are refused")
  func companionsOfAnOutputCountToo() throws {
    let found = faults(
      try plan(
        manifest([
          "jobs:", "  - {id: one, input: in/a.wav, name: x.mp4}",
          "  - {id: two, input: in/b.flac, name: y.mp4}",
          "  - {id: three, input: in/b.flac, name: x.mp4}",
        ])))
    #expect(found.count == 1 && found[0].contains("x.mp4 is also that of one"), "\(found)")
  }

  @Test("a name that is both a file and a folder is refused")
  func aNameIsAFileOrAFolder() throws {
    for names in [["x.wav", "x.wav/y.wav"], ["x.wav/y.wav", "x.wav"]] {
      let found = faults(
        try plan(
          manifest([
            "jobs:", "  - {input: in/a.wav, name: \(names[0])}",
            "  - {input: in/b.flac, name: \(names[1])}",
          ])))
      #expect(found.count == 1 && found[0].contains("can't both be there"), "\(found)")
    }
  }

  @Test("an output that is an input is refused")
  func anInputIsNeverAnOutput() throws {
    let source = try manifest([
      "jobs:", "  - {input: in/a.wav, name: in/b.flac}", "  - input: in/b.flac",
    ])
    let found = faults(try plan(source, root: "."))
    #expect(
      found.contains { $0.contains("its output in/b.flac is the input in/b.flac") }, "\(found)")
    #expect(
      faults(try plan(.folder(folder.file("in")), root: "in"))[0].contains("folder of the inputs"))
  }

  @Test("two jobs with one id, and a file that is listed twice, are refused")
  func idsDiffer() throws {
    let found = faults(
      try plan(
        manifest([
          "jobs:", "  - {id: x, input: in/a.wav, name: 1.wav}",
          "  - {id: x, input: in/b.flac, name: 2.wav}",
        ])))
    #expect(found.count == 1, "\(found)")
    #expect(found[0].contains("line 4: has the id x, and so has") && found[0].contains("line 3"))
    let twice = faults(
      try plan(.list([folder.file("in/a.wav"), folder.file("in/a.wav")], name: "-")))
    #expect(twice.count == 1 && twice[0].contains("it is listed twice"), "\(twice)")
  }

  // MARK: Patterns

  @Test("a pattern gives one item for each file; a pattern without files is refused")
  func patternsBecomeItems() throws {
    let made = try plan(
      manifest(["jobs:", "  - {id: all, input: 'in/**/*.wav', name: '{dir}/{stem}.{ext}'}"]))
    #expect(made.items.map(\.id) == ["all/in/a.wav", "all/in/sub/a.wav", "all/in/sub/c.wav"])
    #expect(made.items.flatMap(\.files) == ["in/a.wav", "in/sub/a.wav", "in/sub/c.wav"])
    let none = faults(try plan(manifest(["jobs:", "  - {input: '*.ogg'}"])))
    #expect(none.count == 1 && none[0].hasSuffix("input *.ogg: no file fits this pattern"))
  }

  @Test("a file whose name looks like a pattern is taken as a file")
  func aFileMayBeNamedLikeAPattern() throws {
    try touch("in/x[1].wav")
    let made = try plan(manifest(["jobs:", "  - {id: odd, input: 'in/x[1].wav'}"]))
    #expect(made.items.map(\.id) == ["odd"])
  }

  @Test("a folder without media is refused")
  func anEmptyFolderIsAFault() throws {
    try touch("empty/notes.txt")
    let found = faults(try plan(.folder(folder.file("empty"))))
    #expect(found.count == 1 && found[0].contains("no media files in it; left aside: 1 "))
  }

  // MARK: Options

  @Test("an option of a job beats the command line, which beats the defaults")
  func jobsBeatTheCommandLineWhichBeatsDefaults() throws {
    let source = try manifest([
      "defaults: {loudness: -18, true-peak: -2, bits: 24}", "jobs:",
      "  - {input: in/a.wav, loudness: -20}",
    ])
    let made = try plan(source, options: [.loudness: "-23", .truePeak: "-3"])
    #expect(
      made.items[0].renders[0].options == [["--loudness=-20", "--true-peak=-3", "-b", "24"]])
  }

  @Test("each fault of a manifest is reported once with its lines")
  func everyFaultIsToldOnceWithItsPlaces() throws {
    let found = faults(
      try plan(
        manifest([
          "defaults: {loudness: loud}", "jobs:", "  - input: in/a.wav", "  - input: in/b.flac",
          "  - {input: in/sub/c.wav, name: x.xyz}", "  - {input: '-'}",
          "  - {input: z.wav, lodness: 1}",
        ])))
    #expect(found.contains { $0.contains("line 4 and 1 more: --loudness loud: isn't a number") })
    #expect(found.contains { $0.contains("line 6: no format is called .xyz") })
    #expect(found.contains { $0.contains("line 7: a batch can't read standard input") })
    #expect(
      found.contains { $0.contains("line 8") && $0.contains("lodness") && $0.contains("loudness") })
    #expect(found.count == 4, "\(found)")
  }

  /// A thousand jobs with the same options are parsed once.
  @Test("jobs with the same options are parsed once")
  func likeRendersAreParsedOnce() throws {
    _ = try plan(.folder(folder.file("in")))
    #expect(engine.prepared.count == 1)
    // Parsed arguments never name the input or the output itself.
    #expect(engine.prepared[0][0].last == "/input")
  }

  @Test("a missing SOFA file of a job is refused")
  func filesBesideTheInputMustBeThere() throws {
    try touch("set.sofa")
    let good = try manifest(["jobs:", "  - {input: in/a.wav, hrtf: set.sofa}"])
    #expect(try plan(good).items[0].renders[0].options == [["--hrtf=" + folder.file("set.sofa")]])
    let found = faults(try plan(manifest(["jobs:", "  - {input: in/a.wav, hrtf: no.sofa}"])))
    #expect(found.count == 1 && found[0].contains("no.sofa: no such file"), "\(found)")
  }

  @Test("a missing golden of a job is refused")
  func goldensMustBeThere() throws {
    let found = faults(try plan(manifest(["jobs:", "  - {input: in/a.wav, expect: golden/one}"])))
    #expect(found.count == 1 && found[0].contains("there is no golden"), "\(found)")
  }

  // MARK: Albums and processors

  @Test("items of an album have one output each; two are refused")
  func albumsHaveOneOutputEach() throws {
    let made = try plan(.folder(folder.file("in")), isAlbum: true)
    #expect(made.items.allSatisfy { $0.album == "all" })
    #expect(made.items.allSatisfy { $0.renders[0].options[0].last == "--album" })
    let asked = try plan(
      manifest(["jobs:", "  - {input: in/a.wav, album: one}", "  - {input: in/b.flac}"]))
    #expect(asked.items.map(\.album) == ["one", nil])
    let found = faults(
      try plan(
        manifest([
          "jobs:", "  - {input: in/a.wav, album: one, outputs: [{name: 1.wav}, {name: 2.wav}]}",
        ])))
    #expect(found.count == 1 && found[0].contains("one output each"), "\(found)")
  }

  @Test("deterministic for only one output of a job is refused")
  func portablePathsHoldForAWholeJob() throws {
    let found = faults(
      try plan(
        manifest([
          "jobs:", "  - input: in/a.wav",
          "    outputs: [{name: 1.wav, deterministic: true}, {name: 2.wav}]",
        ])))
    #expect(found.count == 1 && found[0].contains("deterministic: holds for all outputs"))
    let made = try plan(manifest(["jobs:", "  - {input: in/a.wav, deterministic: true}"]))
    #expect(made.items[0].isDeterministic)
  }

  // MARK: Shards

  @Test(
    "shards have all items, each once", arguments: [1, 2, 3, 8]) func shardsPartTheItems(count: Int)
    throws
  {
    let made = try plan(.folder(folder.file("in")))
    let parts = try (1...count).map { made.items(of: try Shard(index: $0, count: count)).map(\.id) }
    #expect(parts.joined().sorted() == made.items.map(\.id).sorted())
    #expect(made.items(of: nil) == made.items)
  }

  @Test("a plan's digest depends on its options and names")
  func digestsKnowOrderAndOptions() throws {
    let first = try plan(.folder(folder.file("in")))
    #expect(try plan(.folder(folder.file("in"))).digest == first.digest)
    let louder = try plan(.folder(folder.file("in")), options: [.loudness: "-20"])
    #expect(louder.digest != first.digest)
    #expect(try plan(.folder(folder.file("in")), name: "{id}.{ext}").digest != first.digest)
  }

  @Test("a plan names the role of an input, an output and a result")
  func aPlanKnowsWhatAPathIsToIt() throws {
    let made = try plan(.folder(folder.file("in")))
    for name in ["out/x", "out/.pinna/items/x.json"] { try touch(name) }
    #expect(made.role(of: folder.file("in/a.wav")) == "an input")
    #expect(made.role(of: folder.file("out/.pinna/items/x.json")) == "a result of the batch")
    #expect(made.role(of: folder.file("out/a.wav")) == "an output")
    #expect(made.role(of: folder.file("out/x")) == nil)
    #expect(made.role(of: folder.file("elsewhere")) == nil)
    #expect(made.role(of: folder.file("in")) == "the input folder")
  }

  @Test("a plan knows its manifest by another spelling of the path")
  func aPlanKnowsItsManifestByAnyName() throws {
    let made = try plan(manifest(["jobs:", "  - {input: in/a.wav}"]))
    #expect(made.role(of: folder.file("m.yaml")) == "the manifest")
    #expect(made.role(of: folder.file("in/../m.yaml")) == "the manifest")
    #expect(made.role(of: folder.file("in/notes.txt")) == nil)
  }

  /// A folder's role is that of the files in it.
  @Test("a folder has the role of the files in it")
  func aPlanKnowsWhatAFolderIsToIt() throws {
    let made = try plan(.folder(folder.file("in")))
    for name in ["out/other/x", "out/.pinna/items/x.json"] { try touch(name) }
    #expect(made.role(of: folder.file("out/.pinna"), isFolder: true) == "a result of the batch")
    #expect(made.role(of: folder.file("out/sub"), isFolder: true) == "an output")
    #expect(made.role(of: folder.file("out/other"), isFolder: true) == nil)
    #expect(made.role(of: folder.file("out/sub")) == nil)
  }
}
