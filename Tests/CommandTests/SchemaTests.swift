// SPDX-License-Identifier: Apache-2.0
import Foundation
import Report
import TestSupport
import Testing

/// The schemas of `pinna schema` refuse wrong values, and other validators read them in the same way.
@Suite(.tags(.system, .slow), .fullRunOnly) struct SchemaTests {
  private let folder: TemporaryFolder
  private let source: String

  private static let names = [
    "report", "progress", "probe", "measure", "measure-album", "tag", "preset", "hrtf", "hrtf-list",
    "hrtf-comparison",
    "hrtf-fit", "audition", "audition-summary",
    "validation", "comparison", "explain", "golden", "golden-list", "item", "batch", "manifest",
    "plan",
    "request", "queue-report", "queue-diff", "tap",
  ]

  init() throws {
    folder = try TemporaryFolder()
    source = folder.file("in.wav")
    try TestProgramme.wav(channels: 6, seconds: 4, mask: 0x3F).write(to: folder.url("in.wav"))
  }

  private func json(_ arguments: [String]) throws -> JSONValue {
    let result = try Product.run(arguments)
    guard result.status == 0 || result.status == 7 else { throw ToolFailure(text: result.errors) }
    return try JSONValue(json: Array(result.output))
  }

  private func render(_ extra: [String]) throws -> JSONValue {
    try json(
      [
        "render", source, "-o", folder.file("out.wav"), "--also",
        "speakers:" + folder.file("b.wav"), "--also", "none:" + folder.file("c.wav"), "--json",
        "-y",
      ] + extra)
  }

  /// One value for each of several schemas.
  private func samples() throws -> [(name: String, value: JSONValue)] {
    let report = try render([])
    let dryRun = try render(["--dry-run"])
    guard case .object(let members) = dryRun, let plan = members["plan"] else {
      throw ToolFailure(text: "a dry run has no plan")
    }
    return [
      ("report", report), ("report", dryRun), ("plan", plan),
      ("probe", try json(["probe", source, "--json"])),
      ("measure", try json(["measure", source, "--json", "--series"])),
      ("measure-album", try json(["measure", source, source, "--album", "--json"])),
      ("tag", try json(["tag", "-n", source, "--json"])),
      ("validation", try json(["validate", folder.file("out.wav"), "--json"])),
      ("comparison", try json(["compare", source, folder.file("out.wav"), "--json"])),
      ("explain", try json(["explain", "limited", "7", "--json"])),
      ("hrtf", try json(["hrtf", "inspect", "kemar", "--json"])),
      ("hrtf-list", try json(["hrtf", "list", "--json"])),
      ("preset", try json(["presets", "show", "podcast", "--json"])),
    ]
  }

  @Test("each schema is printed and is the same each time; an unknown name lists all")
  func everySchemaIsPrinted() async throws {
    for name in SchemaTests.names {
      let result = try await InProcess.run(["schema", name])
      #expect(result.status == 0, "\(name): \(result.errors)")
      let again = try await InProcess.run(["schema", name])
      #expect(result.output == again.output)
      _ = try JSONSchema(result.output)
    }
    let refused = try await InProcess.run(["schema", "nonsense"])
    #expect(refused.status == 2)
    for name in SchemaTests.names { #expect(refused.errors.contains(name)) }
  }

  /// Without this test, nothing would show that values are checked by their schemas at all.
  @Test("a wrong value in a report is found by its schema")
  func aWrongKeyIsFound() throws {
    let before = ProducedJSON.count
    let report = try render([])
    #expect(ProducedJSON.count > before)
    let variants = SchemaVariants(report).all
    #expect(variants.count > 300)
    let schema = try ProducedJSON.schema("report")
    #expect(schema.faults(report).isEmpty)
    for variant in variants where variant.change == .added {
      #expect(!schema.faults(variant.value).isEmpty, "\(variant.place) takes an unknown key")
    }
    let removed = variants.filter { $0.change == .removed }
    let missed = removed.filter { schema.faults($0.value).isEmpty }.map(\.place)
    #expect(missed.count < removed.count / 2, "not required: \(missed)")
  }

  @Test("Python's jsonschema accepts and refuses the same values as the tests' own validator")
  func anotherValidatorAgrees() throws {
    var schemas: [String: JSONValue] = [:]
    for name in SchemaTests.names {
      schemas[name] = try json(["schema", name])
    }
    var cases: [(name: String, value: JSONValue)] = []
    for sample in try samples() {
      cases.append(sample)
      cases += SchemaVariants(sample.value).all.map { (sample.name, $0.value) }
    }
    let own = try cases.map { try ProducedJSON.schema($0.name).faults($0.value).isEmpty }
    let given = JSONValue.object([
      "schemas": .object(schemas),
      "cases": .list(cases.map { .list([.text($0.name), $0.value]) }),
    ])
    let result = try Tool.run(
      TestPython.path, [TestPython.root + "/Tests/Schemas/verdicts.py"],
      input: JSONEncoder().encode(given))
    try #require(
      result.status == 0, "make setup-test installs the package jsonschema: \(result.errors)")
    let other = try JSONDecoder().decode([Bool].self, from: result.output)
    try #require(other.count == own.count)
    for (index, pair) in zip(own, other).enumerated() where pair.0 != pair.1 {
      Issue.record("\(cases[index].name), case \(index): \(pair.0) here, \(pair.1) there")
    }
    #expect(own.count { $0 } >= 10 && own.count { !$0 } > 500)
  }
}
