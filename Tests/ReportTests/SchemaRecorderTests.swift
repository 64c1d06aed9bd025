// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Report

/// Schemas are derived from the types, and every sample report is valid by its schema.
@Suite struct SchemaRecorderTests {
  private struct Plain: Codable {
    struct Inner: Codable {
      var ratio: Double?
      var names: [String?]
    }

    enum Word: String, Codable, CaseIterable {
      case one, two
    }

    var count: Int
    var word: Word
    var inner: [Inner]
    var extra: Inner?
    var table: [String: Bool]
    var grid: [[Double]]
  }

  private enum Choice: SchemaChoice {
    case nothing
    case plain(Plain)
    case named(depth: Int, hint: String?)

    static var schemaCases: [String] { ["nothing", "plain", "named"] }
  }

  private func members<Value: Decodable>(_ type: Value.Type) throws -> SchemaObject {
    guard case .object(let object) = try SchemaRecorder.record(type).schema else {
      throw CocoaError(.coderInvalidValue)
    }
    return object
  }

  @Test("keys, types and optional members of a type are recorded in its schema")
  func keysTypesAndOptionsAreRecorded() throws {
    let plain = try members(Plain.self)
    #expect(plain.properties.map(\.name) == ["count", "word", "inner", "extra", "table", "grid"])
    #expect(plain.properties.map(\.isRequired) == [true, true, true, false, true, true])
    #expect(plain.properties[0].schema == .integer)
    #expect(plain.properties[1].schema == .words(["one", "two"]))
    #expect(plain.properties[4].schema == .map(.flag))
    #expect(plain.properties[5].schema == .list(.list(.number)))
    guard case .list(.object(let inner), _) = plain.properties[2].schema else {
      Issue.record("no list of objects")
      return
    }
    #expect(inner.properties.map(\.schema) == [.number, .list(.nullable(.text()))])
    #expect(inner.properties.map(\.isRequired) == [false, true])
  }

  @Test("an enum with payloads becomes one of several keys") func casesAreKeysOfWhichOneIsThere()
    throws
  {
    let choice = try members(Choice.self)
    #expect(choice.isChoice && choice.properties.map(\.name) == ["nothing", "plain", "named"])
    guard case .object(let nothing) = choice.properties[0].schema,
      case .object(let named) = choice.properties[2].schema
    else {
      Issue.record("no objects")
      return
    }
    #expect(nothing.properties.isEmpty)
    #expect(named.properties.map(\.name) == ["depth", "hint"])
    #expect(named.properties.map(\.isRequired) == [true, false])
  }

  private enum Wrong: SchemaChoice {
    case right
    static var schemaCases: [String] { ["wrong"] }
  }

  private struct Misspelt: Codable, SchemaRefined {
    var kind: String
    static var schemaRefinements: [String: Schema] { ["knid": .words(["a"])] }
  }

  private enum Closed: String, Codable { case one }

  @Test("a wrong case name, a misspelt refinement and an enum without its cases are schema errors")
  func whatCannotBeDescribedIsNamed() {
    #expect(throws: SchemaError.self) { try SchemaRecorder.record(Wrong.self) }
    #expect(throws: SchemaError.self) { try SchemaRecorder.record(Misspelt.self) }
    #expect(throws: SchemaError.self) { try SchemaRecorder.record([Closed].self) }
  }

  @Test("the report's schema name, codes and digests are in its schema")
  func refinementsAndConstantsAreInTheSchema() throws {
    let report = try members(RenderReport.self)
    #expect(report.properties.first?.schema == .constant("pinna.report/2"))
    let diagnostic = try members(Diagnostic.self)
    #expect(diagnostic.properties.map(\.name) == ["code", "class", "message", "subject"])
    #expect(diagnostic.properties.allSatisfy { $0.isRequired })
    let codes = DegradationCode.allCases.map { $0.rawValue }
    #expect(diagnostic.properties[0].schema == .words(codes))
    let output = try members(RenderReport.Output.self)
    #expect(output.properties.first { $0.name == "pcmSHA256" }?.schema == .digest)
  }

  @Test(
    "each schema has the same text twice and allows no additional properties",
    arguments: ReportSchema.names)
  func textsAreTheSameEachTime(name: String) throws {
    let text = try #require(try ReportSchema.named(name))
    #expect(try ReportSchema.named(name) == text)
    #expect(text.contains("https://json-schema.org/draft/2020-12/schema"))
    #expect(text.contains("\"additionalProperties\" : false"))
  }

  @Test("sample reports are valid by their schemas, and two wrong values are two faults")
  func samplesAreAsTheirSchemasSay() throws {
    func faults(_ value: some Encodable, _ name: String) throws -> [String] {
      let text = try #require(try ReportSchema.named(name))
      return try JSONSchema(Data(text.utf8)).faults(JSONValue(encoding: value))
    }
    let several = SampleReports.severalOutputs(seconds: 3)
    for report in [several, SampleReports.render(seconds: 3), SampleReports.failure()] {
      #expect(try faults(report, "report").isEmpty)
    }
    #expect(try faults(SampleReports.comparison(), "comparison").isEmpty)
    #expect(try faults(SampleReports.golden(), "golden").isEmpty)
    #expect(try faults(SampleReports.validation(), "validation").isEmpty)
    var item = ItemReport(id: "a", input: "b", job: "c")
    item.reports = [several]
    #expect(try faults(item, "item").isEmpty)
    var wrong = several
    wrong.outputs[1].format = "mp5"
    wrong.outputs[2].pcmSHA256 = "short"
    #expect(try faults(wrong, "report").count == 2)
  }

  @Test("an unknown schema name has no schema") func unknownNamesHaveNone() throws {
    #expect(try ReportSchema.named("nonsense") == nil)
  }
}
