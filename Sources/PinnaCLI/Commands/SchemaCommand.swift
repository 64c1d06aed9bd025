// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Batch
import MediaIn
import PlayQueue
import Rendering
import Report
import Settings
import Spatial
import Verify

/// `pinna schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON schema of what a command reports or reads.")

  @Argument(help: "One of \(SchemaCatalog.names.joined(separator: ", ")).")
  var name: String

  func run() throws {
    guard let text = try SchemaCatalog.named(name) else {
      throw MediaError(
        .usage,
        "schema \(name): unknown; give one of \(SchemaCatalog.names.joined(separator: ", "))")
    }
    Terminal.output(data: text)
  }
}

/// All schemas that `pinna schema` prints.
enum SchemaCatalog {
  /// Their names.
  static let names =
    ReportSchema.names + ["explain", "golden-list", "preset", "plan", "request", "manifest"]

  /// The schema with this name, as JSON text; `nil` for other names.
  static func named(_ name: String) throws -> String? {
    switch name {
    case "explain": return try ReportSchema.text(ExplainReport.self)
    case "golden-list": return try ReportSchema.text([GoldenCase].self, title: "golden list")
    case "preset": return try ReportSchema.text(PresetReport.self)
    case "plan":
      return try ReportSchema.text(RenderPlan.self, title: "plan/\(RenderPlan.version)")
    case "request":
      return try ReportSchema.text(RenderRequest.self, title: "request/\(RenderRequest.version)")
    case "manifest": return try ManifestSchema.text()
    default: return try ReportSchema.named(name)
    }
  }
}

extension PresetReport: ReportDocument {}

extension PresetReport.Source: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["kind": .words(["built-in", "file"])]
  }
}

extension PresetValue: SchemaDescribed {
  package static func describeSchema() -> Schema {
    .either([.flag, .number, .text(), .list(.text())])
  }
  package static var schemaStandIn: PresetValue { .flag(false) }
}

// The cases of the enums that requests and plans consist of; `.ci/reference --check` compares them
// with the source.

extension MediaLocation: SchemaChoice {
  package static var schemaCases: [String] { ["file", "standardStream", "silence", "queue"] }
}

extension TrackChoice: SchemaChoice {
  package static var schemaCases: [String] {
    ["automatic", "index", "languages", "several", "all"]
  }
}

extension PresentationChoice: SchemaChoice {
  package static var schemaCases: [String] { ["number", "languages"] }
}

extension PrimingOption: SchemaChoice {
  package static var schemaCases: [String] { ["automatic", "keep", "samples"] }
}

extension TimeSpec: SchemaChoice {
  package static var schemaCases: [String] { ["samples", "clock"] }
}

extension Clip.Range.End: SchemaChoice {
  package static var schemaCases: [String] { ["at", "after"] }
}

extension HRTFRequest.Choice: SchemaChoice {
  package static var schemaCases: [String] { ["builtIn", "file", "room"] }
}

extension HRTFOptions.Head: SchemaChoice {
  package static var schemaCases: [String] { ["measured", "scaled", "circumference"] }
}

extension Listener.Head: SchemaChoice {
  package static var schemaCases: [String] { ["still", "moving"] }
}

extension Endpoint: SchemaChoice {
  package static var schemaCases: [String] { ["headphones", "speakers", "channels"] }
}

extension LFEPolicy: SchemaChoice {
  package static var schemaCases: [String] { ["standard", "dropped", "gain"] }
}

extension Container: SchemaChoice {
  package static var schemaCases: [String] { ContainerKind.allCases.map(\.traits.token) }
}

extension OutputRequest.CopyContainer: SchemaChoice {
  package static var schemaCases: [String] {
    ContainerKind.allCases.map(\.traits).filter { $0.output?.takesCopies == true }.map(\.token)
  }
}

extension OutputRequest.Work: SchemaChoice {
  package static var schemaCases: [String] { ["render", "copy"] }
}

extension Carriage.KeptAudio: SchemaChoice {
  package static var schemaCases: [String] { ["automatic", "all", "none", "languages"] }
}

extension Carriage.Subtitles: SchemaChoice {
  package static var schemaCases: [String] { ["copied", "dropped", "file"] }
}

extension RendererPlan: SchemaChoice {
  package static var schemaCases: [String] {
    ["passThrough", "mix", "binaural", "speakers", "loudspeakers", "kept"]
  }
}

extension ObjectPosition: SchemaChoice {
  package static var schemaCases: [String] { ["polar", "cartesian"] }
}

extension ObjectRules.Role: SchemaChoice {
  package static var schemaCases: [String] { ["source", "speaker", "ear"] }
}

extension ObjectRules.Zone: SchemaChoice {
  package static var schemaCases: [String] { ["box", "sector"] }
}

extension FieldInput: SchemaDescribed {
  package static func describeSchema() -> Schema { .text() }
  package static var schemaStandIn: FieldInput { .firstOrder }
}

extension Programme.Element: SchemaChoice {
  package static var schemaCases: [String] { ["bed", "object", "scene"] }
}

extension QueueSource: SchemaChoice {
  package static var schemaCases: [String] { ["file", "silence"] }
}

extension Transition: SchemaChoice {
  package static var schemaCases: [String] { ["cut", "crossfade", "gap"] }
}

extension Tap.Work: SchemaChoice {
  package static var schemaCases: [String] {
    ["equalizer", "impulse", "program", "filters", "plugin", "analysis", "own"]
  }
}

extension Tap.Latency: SchemaChoice {
  package static var schemaCases: [String] { ["automatic", "report", "measure", "samples"] }
}

extension ProgramRequest.Latency: SchemaChoice {
  package static var schemaCases: [String] { ["measured", "samples"] }
}

extension OwnTap: SchemaDescribed {
  package static func describeSchema() -> Schema { .text() }
  package static var schemaStandIn: OwnTap {
    OwnTap("", .processes { _ in throw MediaError(.internal, "a stand-in has no code") })
  }
}
