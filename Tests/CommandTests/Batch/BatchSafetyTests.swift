// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Files that a batch must never replace, and problems that it must report.
@Suite(.tags(.system), .fullRunOnly) struct BatchSafetyTests {
  private let place: BatchFolder

  init() throws {
    place = try BatchFolder()
    try place.programme("a.wav")
    try place.programme("b.wav")
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: place.folder.url(name)) }

  private func merge() async throws -> BatchOutcome {
    BatchOutcome(
      try await InProcess.run(
        ["merge", place.folder.file("in"), "-O", place.folder.file("out"), "--json"]))
  }

  @Test("a report at the place of an input, an output, the manifest or another report is refused")
  func reportsReplaceNeitherInputsNorOutputsNorEachOther() async throws {
    let manifest = try place.manifest(["jobs:", "  - {input: in/a.wav, name: x.wav}"])
    #expect(try place.batch(manifest).status == 0)
    let input = try bytes("in/a.wav")
    let same = place.folder.file("same")
    for (options, word) in [
      (["--junit", place.folder.file("in/a.wav")], "an input"),
      (["--report", manifest], "the manifest"),
      (["--html", place.folder.file("out/x.wav")], "an output"),
      (["--report", same, "--markdown", same], "another report"),
      (["--report", place.folder.file("out/.pinna/items/x.json")], "a result of the batch"),
    ] {
      let result = try await place.refusal(manifest, options)
      #expect(result.status == 6 && result.errors.contains(word), "\(result.errors)")
    }
    #expect(try bytes("in/a.wav") == input)
    #expect(try bytes("m.yaml").starts(with: Data("schema".utf8)))
    let emitted = try await InProcess.run([
      "emit", "slurm", manifest, "-O", place.folder.file("out"), "-o", manifest, "-y",
    ])
    #expect(emitted.status == 6, "\(emitted.errors)")
  }

  /// The folders that containers mount have to include those of the inputs.
  @Test("a manifest with an input outside of the mounted folders is refused for Kubernetes")
  func containersMustSeeTheInputs() async throws {
    let elsewhere = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: place.folder.url("in/a.wav"), to: elsewhere.url("far.wav"))
    for (input, isSeen) in [("in/a.wav", true), (elsewhere.file("far.wav"), false)] {
      let manifest = try place.manifest(["jobs:", "  - {input: \(input), name: x.wav}"])
      let result = try await InProcess.run([
        "emit", "kubernetes", manifest, "-O", place.folder.file("out"), "--image", "pinna:1",
        "--mount", place.folder.path,
      ])
      #expect(result.status == (isSeen ? 0 : 2), "\(result.errors)")
      #expect(isSeen || result.errors.contains("far.wav"))
    }
  }

  /// A rerun replaces its own reports. Other files with their names stay, unless -y is given.
  @Test("a report replaces an earlier report of its kind; other files need -y")
  func reportsReplaceOnlyReports() async throws {
    let options = [
      ("--report", "r.json"), ("--junit", "r.xml"), ("--markdown", "r.md"), ("--html", "r.html"),
    ]
    let all = options.flatMap { [$0, place.folder.file($1)] }
    for _ in 0..<2 {
      let result = try place.batch(place.folder.file("in"), all)
      #expect(result.status == 0, "\(result.errors)")
    }
    for (place, other) in zip(options.indices, [1, 0, 3, 2]) {
      let (option, name) = (options[place].0, options[other].1)
      let before = try bytes(name)
      let call = [option, self.place.folder.file(name)]
      let refused = try await self.place.refusal(self.place.folder.file("in"), call)
      #expect(refused.status == 6 && refused.errors.contains("-y"), "\(refused.errors)")
      #expect(try bytes(name) == before)
    }
    let notes = Data("notes".utf8)
    try notes.write(to: place.folder.url("r.md"))
    let call = ["--markdown", place.folder.file("r.md")]
    #expect(try await place.refusal(place.folder.file("in"), call).status == 6)
    #expect(try bytes("r.md") == notes)
    #expect(try place.batch(place.folder.file("in"), call + ["-y"]).status == 0)
    #expect(try bytes("r.md") != notes)
  }

  @Test("after a stop, a foreign file at the unfinished output's name isn't replaced")
  func anOrderlyStopClaimsNothingThatIsntThere() throws {
    try place.long("c.wav")
    let run = try RunningProduct([
      "batch", place.folder.file("in"), "-O", place.folder.file("out"), "-j", "1", "--progress",
      "ndjson",
    ])
    try run.line { $0.contains("progress") && $0.contains("c.wav") }
    run.send(SIGTERM)
    let stopped = run.finish()
    #expect(stopped.status == 143, "\(stopped.errors)")
    let foreign = Data("somebody's own".utf8)
    try foreign.write(to: place.folder.url("out/c.wav"))
    let again = try place.report()
    #expect(again.status == 10 && again.code("c.wav") == 6, "\(again.errors)")
    #expect(try bytes("out/c.wav") == foreign)
  }

  @Test("merge reports outputs that are changed or gone, and inputs that have changed")
  func mergeLooksAtOutputsAndInputs() async throws {
    #expect(try place.batch().status == 0)
    #expect(try await merge().status == 0)
    try Data("junk".utf8).write(to: place.folder.url("out/a.wav"))
    try FileManager.default.removeItem(at: place.folder.url("out/b.wav"))
    let broken = try await merge()
    #expect(broken.status == 10)
    #expect(broken.message("a.wav").contains("isn't what was written"))
    #expect(broken.message("b.wav").contains("is gone"))
    #expect(try place.batch().status == 0)
    try place.programme("a.wav", seconds: 0.6)
    let stale = try await merge()
    #expect(stale.status == 10 && stale.message("a.wav").contains("has changed"))
    #expect(stale.message("a.wav").hasPrefix("a.wav: has"))
  }

  @Test("a pattern of inputs doesn't match the batch's own outputs")
  func aPatternDoesntTakeTheBatchsOwnOutputs() throws {
    let manifest = try place.manifest(["jobs:", "  - input: \"**/*.wav\""])
    #expect(try place.report(manifest).counts["done"] == 2)
    let again = try place.report(manifest)
    #expect(again.status == 0 && again.counts["cached"] == 2, "\(again.errors)")
    // A manifest that lies in the output folder still finds what lies beside it.
    try place.programme("../own/c.wav")
    let beside = try place.manifest(
      ["jobs:", "  - {input: \"*.wav\", name: \"made/{stem}.wav\"}"], name: "own/m.yaml")
    #expect(try place.report(beside, to: "own").counts["done"] == 1)
  }

  @Test("names of files that aren't UTF-8 are counted in one line")
  func namesThatArentTextAreCounted() throws {
    let script = """
      for i in 1 2 3; do cp "$1/in/a.wav" "$1/in/$(printf "x$i\\\\xff").wav"; done
      "$0" batch "$1/in" -O "$1/out"
      printf 'schema: pinna.manifest/1\\njobs:\\n  - input: "in/*.wav"\\n' > "$1/m.yaml"
      "$0" batch "$1/m.yaml" -O "$1/other"
      """
    let result = try place.bash(script)
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.errors.split(separator: "\n").filter { $0.contains("isn't UTF-8") }
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains("3 name") }, "\(result.errors)")
  }

  @Test("items of an album that failed name the file because of which they failed")
  func anAlbumNamesTheFileThatFailed() throws {
    try Data("no sound".utf8).write(to: place.folder.url("in/z.wav"))
    let outcome = try place.report(nil, to: "out", ["--album"])
    #expect(outcome.status == 10)
    #expect(
      outcome.message("a.wav").contains("because z.wav failed"), "\(outcome.message("a.wav"))")
  }

  @Test("emit refuses what the emitted batch would refuse")
  func emitPlansAsTheShardsWill() async throws {
    try place.programme("a.aiff")
    let root = place.folder.file("out")
    func emit(_ engine: String, _ root: String, _ more: [String]) async throws -> Tool.Result {
      try await InProcess.run(
        ["emit", engine, place.folder.file("in"), "-O", root, "-o", "-"] + more)
    }
    #expect(try await emit("slurm", root, []).status == 0, "a clash of stems gets a number")
    #expect(try await emit("slurm", root, ["--", "--name", "{id}.{ext}"]).status == 0)
    #expect(try await emit("slurm", root, ["--", "--name", "same.{ext}"]).status == 2)
    #expect(
      try await emit("slurm", root, ["--", "--name", "{id}.{ext}", "--shards", "8"]).status == 2)
    #expect(try await emit("slurm", root, ["--memory", "64M"]).status == 2)
    let large = try await emit("slurm", root, ["--memory", "3G", "--", "--name", "{id}.{ext}"])
    let same = try await emit("slurm", root, ["--memory", "3072M", "--", "--name", "{id}.{ext}"])
    #expect(large.status == 0 && large.output == same.output, "\(large.errors)")
  }

  @Test("an output whose extension isn't that of its container is refused with and without -f")
  func containerAndExtensionAgree() async throws {
    let result = try await InProcess.run([
      "render", place.folder.file("in/a.wav"), "-o", place.folder.file("a.aiff"),
    ])
    #expect(result.status == 2 && result.errors.contains(".aiff"), "\(result.errors)")
    let rows: [(name: String, options: [String], status: Int32)] = [
      ("a.mp3", ["-f", "wav"], 2), ("a.wav", ["-f", "flac"], 2), ("a.mpd", ["-f", "fmp4"], 2),
      ("a.flac", ["-f", "ogg"], 2), ("a.bw64", ["-f", "wav"], 2), ("a", [], 2), ("a.take", [], 2),
      ("b.wav", ["--also", "none:c"], 2), ("b.wav", ["--also", "none:c.aiff"], 2),
      ("a.wav", ["-f", "bw64", "-e", "none"], 0), ("a.rf64", ["-f", "wav"], 0),
      ("a", ["-f", "flac"], 0), ("a.take", ["-f", "wav"], 0), ("/dev/null", [], 6),
      ("d.flac", ["--also", "none:e.wav"], 0),
    ]
    for row in rows {
      let folder = try TemporaryFolder()
      let path = row.name.hasPrefix("/") ? row.name : folder.file(row.name)
      let options = row.options.map {
        $0.hasPrefix("none:") ? "none:" + folder.file(String($0.dropFirst(5))) : $0
      }
      let result = try await InProcess.run(
        ["render", place.folder.file("in/a.wav"), "-o", path, "-q"] + options)
      #expect(result.status == row.status, "\(row): \(result.errors)")
      #expect(row.status == 0 || folder.contents.isEmpty)
    }
  }

  @Test("outputs that exclude each other are refused before any work")
  func outputsThatCantBothBeThereAreFoundBefore() async throws {
    for lines in [
      ["  - {input: in/a.wav, name: x.wav}", "  - {id: two, input: in/b.wav, name: x.wav/y.wav}"],
      ["  - {id: two, input: in/b.wav, name: x.wav/y.wav}", "  - {input: in/a.wav, name: x.wav}"],
      [
        "  - input: in/a.wav",
        "    outputs: [{name: p.wav, deterministic: true}, {name: q.wav, deterministic: false}]",
      ],
    ] {
      let result = try await place.refusal(try place.manifest(["jobs:"] + lines))
      #expect(result.status == 2, "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: place.folder.file("out/x.wav")))
    }
  }
}
