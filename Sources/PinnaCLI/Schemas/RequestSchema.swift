import AudioCore
import MediaIn
import PlayQueue
import Rendering
import Report
import Spatial
import Timeline

// The cases of the enums that requests and plans consist of; `.ci/reference --check` compares them
// with the source.

extension MediaLocation: SchemaChoice {
  package static var schemaCases: [String] { ["file", "standardStream", "silence", "queue"] }
}

extension TrackChoice: SchemaChoice {
  package static var schemaCases: [String] { ["automatic", "index", "languages"] }
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
  /// The cases have the same names as those of the container's kind.
  package static var schemaCases: [String] { ContainerKind.allCases.map { "\($0)" } }
}

extension OutputRequest.CopyContainer: SchemaChoice {
  package static var schemaCases: [String] { ["mp4", "hls"] }
}

extension OutputRequest.Work: SchemaChoice {
  package static var schemaCases: [String] { ["render", "copy"] }
}

extension Carriage.Subtitles: SchemaChoice {
  package static var schemaCases: [String] { ["copied", "dropped", "file"] }
}

extension RendererPlan: SchemaChoice {
  package static var schemaCases: [String] {
    ["passThrough", "mix", "binaural", "speakers", "scene", "scenePair", "loudspeakers", "kept"]
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
