// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Batch

@Suite struct ManifestReaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(
    _ text: String, name: String = "m.yaml"
  ) throws -> (manifest: Manifest, faults: [MediaError]) {
    try Data(text.utf8).write(to: folder.url(name))
    return ManifestReader.read(path: folder.file(name))
  }

  @Test("each key of a manifest arrives in its job")
  func everyKeyArrives() throws {
    let (manifest, faults) = try read(
      """
      schema: pinna.manifest/1
      extends: podcast
      defaults: {loudness: -18, name: "{stem}.{ext}", hrtf: sets/a.sofa}
      jobs:
        - id: one
          input: a.mkv
          album: set
          expect: ../golden/one
          true-peak: -2
          dual-mono: false
          in-opt: [a=b, c=d]
          outputs:
            - endpoint: speakers
            - {endpoint: none, format: fmp4, name: x.mp4}
      """)
    #expect(faults.isEmpty, "\(faults)")
    #expect(manifest.defaults[.preset] == ["podcast"])
    #expect(manifest.defaults[.loudness] == ["-18"])
    #expect(manifest.defaults[.hrtf] == [folder.file("sets/a.sofa")])
    #expect(manifest.name?.text == "{stem}.{ext}")
    let job = try #require(manifest.jobs.first)
    #expect(job.id == "one" && job.input == "a.mkv" && job.album == "set" && job.line == 5)
    #expect(job.golden == folder.path + "/../golden/one")
    #expect(job.options[.dualMono] == ["false"])
    #expect(job.options[.demuxerOptions] == ["a=b", "c=d"])
    #expect(
      job.options.arguments == [
        "--in-opt=a=b", "--in-opt=c=d", "--true-peak=-2", "--no-dual-mono",
      ])
    #expect(
      job.outputs.map(\.options.arguments) == [
        ["--endpoint=speakers"], ["--endpoint=none", "-f", "fmp4"],
      ])
    #expect(job.outputs.map(\.name?.text) == [nil, "x.mp4"])
  }

  @Test(
    "a wrong manifest is refused with the file and the fault",
    arguments: [
      ("", "isn't a mapping"), ("schema: pinna.manifest/2\njobs: [{input: a}]", "pinna.manifest/1"),
      ("jobs: [{input: a}]", "has no schema"), ("schema: pinna.manifest/1", "has no jobs"),
      ("schema: pinna.manifest/1\njobs: {a: b}", "isn't a list"),
      ("schema: pinna.manifest/1\njob: []\njobs: [{input: a}]", "did you mean jobs?"),
      ("schema: pinna.manifest/1\njobs: [{input: a, lodness: 1}]", "did you mean loudness?"),
      ("schema: pinna.manifest/1\njobs: [{input: a, output: b}]", "did you mean outputs?"),
      ("schema: pinna.manifest/1\njobs: [{id: a}]", "has no input"),
      ("schema: pinna.manifest/1\njobs: [a.wav]", "isn't a mapping"),
      ("schema: pinna.manifest/1\njobs: [{input: [a]}]", "one line of text"),
      ("schema: pinna.manifest/1\njobs: [{input: a, outputs: none}]", "isn't a list of outputs"),
      ("schema: pinna.manifest/1\njobs: [{input: a, strict: 1}]", "true or false"),
      ("schema: pinna.manifest/1\njobs: [{input: a, strict: harm}]", "damage, doubt, level, loss"),
      ("schema: pinna.manifest/1\njobs: [{input: a, hrtf: }]", "one value"),
      ("schema: pinna.manifest/1\njobs: [{input: a, input: b}]", "more than once"),
      ("schema: pinna.manifest/1\njobs: [{input: a, name: '{x}'}]", "unknown field {x}"),
      ("schema: pinna.manifest/1\ndefaults: [a]\njobs: [{input: a}]", "isn't a mapping"),
      ("schema: pinna.manifest/1\nextends: ./m.yaml\njobs: [{input: a}]", "extends this manifest"),
      ("schema: pinna.manifest/1\njobs: [{input: *x}]", "isn't valid YAML"),
      ("{\"schema\": \"pinna.manifest/1\", \"jobs\": [}", "isn't valid YAML"),
    ])
  func faultsNameTheFileAndWhatIsWrong(text: String, words: String) throws {
    let (_, faults) = try read(text)
    #expect(faults.contains { $0.message.contains(words) }, "\(faults)")
    #expect(faults.allSatisfy { $0.kind == .usage && $0.message.contains("m.yaml") })
  }

  @Test("all faults of a manifest are reported with their lines")
  func allFaultsAreToldWithTheirLines() throws {
    let (_, faults) = try read(
      "schema: pinna.manifest/1\nx: 1\njobs:\n  - {id: a}\n  - {input: b, y: 2}\n  - {input: c}\n")
    #expect(faults.map { $0.message.contains("line 2") } == [true, false, false])
    #expect(faults[1].message.contains("line 4") && faults[2].message.contains("line 5"))
  }

  @Test("a manifest in JSON is read with its escapes")
  func jsonIsReadWithAllItsEscapes() throws {
    let (manifest, faults) = try read(
      #"{"schema":"pinna.manifest/1","jobs":[{"input":"a\/\ud83c\udfb5.wav","loudness":-23.5,"strict":true}]}"#,
      name: "m.json")
    #expect(faults.isEmpty, "\(faults)")
    #expect(manifest.jobs.first?.input == "a/🎵.wav")
    #expect(manifest.jobs.first?.options.arguments == ["--loudness=-23.5", "--strict"])
  }

  @Test(
    "strict in a manifest is true, false or some classes",
    arguments: [
      ("true", ["--strict"]), ("false", []), ("damage", ["--strict=damage"]),
      ("'damage,loss'", ["--strict=damage,loss"]),
    ])
  func strictTakesClasses(text: String, arguments: [String]) throws {
    let (manifest, faults) = try read(
      "schema: pinna.manifest/1\njobs: [{input: a, strict: \(text)}]")
    #expect(faults.isEmpty, "\(faults)")
    #expect(manifest.jobs.first?.options.arguments == arguments)
  }

  @Test("a manifest takes defaults from the one that it extends")
  func anotherManifestGivesDefaults() throws {
    _ = try read(
      "schema: pinna.manifest/1\ndefaults: {loudness: -20, hrtf: sets/a.sofa}\n", name: "base.yaml")
    let (manifest, faults) = try read(
      "schema: pinna.manifest/1\nextends: base.yaml\ndefaults: {loudness: -18}\njobs: [{input: a}]\n"
    )
    #expect(faults.isEmpty, "\(faults)")
    #expect(manifest.defaults[.loudness] == ["-18"])
    #expect(manifest.defaults[.hrtf] == [folder.file("sets/a.sofa")])
  }

  @Test(
    "a manifest that nests 100,000 levels is refused", arguments: ["[", "- ", "{a: "])
  func deepNestingIsRefused(opening: String) throws {
    let text = String(repeating: opening, count: 100_000)
    let (_, faults) = try read(text)
    #expect(!faults.isEmpty)
  }
}
