import AudioCore

// The words that a key can have where its Swift type is a plain string. RenderingTests compare the
// lists that follow an enum of another module with that enum.

extension RenderReport: ReportDocument {}
extension ItemReport: ReportDocument {}
extension BatchReport: ReportDocument {}
extension GoldenReport: ReportDocument {}
extension ComparisonReport: ReportDocument {}
extension ValidationReport: ReportDocument {}
extension MeasureReport: ReportDocument {}
extension TagReport: ReportDocument {}
extension ProbeReport: ReportDocument {}
extension HRTFReport: ReportDocument {}
extension HRTFListReport: ReportDocument {}
extension HRTFComparisonReport: ReportDocument {}
extension HRTFFitReport: ReportDocument {}
extension AuditionReport: ReportDocument {}
extension AuditionSummary: ReportDocument {}
extension QueueSurveyReport: ReportDocument {}
extension QueueDiffReport: ReportDocument {}
extension TapCheckReport: ReportDocument {}
extension PluginReport: ReportDocument {}
extension PluginListReport: ReportDocument {}

/// Closed lists of words in reports.
package enum ReportWords {
  /// Formats of written files.
  package static let formats = (ContainerKind.allCases.map(\.rawValue) + ["rf64"]).sorted()
  /// Endpoints of outputs.
  package static let endpoints = ["headphones", "speakers", "none"]
  /// Sources of the number of start-up samples.
  package static let primingSources = [
    "elst", "itunsmpb", "packet-table", "codec-delay", "first-page", "lame", "opus-header",
    "decoder", "codec-table", "option", "unknown",
  ]
  /// Sources of the programme's end.
  package static let paddingSources = [
    "elst", "sample-table", "itunsmpb", "packet-table", "fact", "comm", "lame",
    "discard-padding", "lossless", "unknown",
  ]
  /// Kinds of timestamp jumps.
  package static let gaps = ["gap", "overlap", "discontinuity"]
  /// Ways to find a gain.
  package static let loudnessModes = ["measured", "metadata", "off"]
  /// Reasons for the gain that was applied.
  package static let outcomes = [
    "reached", "silent", "unchanged", "metadata", "lower-only", "max-gain", "lowered",
    "pinned",
  ]
  /// Responses of the limiter.
  package static let responses = ["gentle", "fast", "hard"]
  /// Parts of an album that the target can apply to.
  package static let albumReferences = ["programme", "loudest-track"]
  /// Layers of a comparison.
  package static let layers = [
    "structure", "samples", "null", "levels", "spectrum", "interaural",
  ]
  /// Outcomes of a layer.
  package static let layerStatus = ["passed", "failed", "skipped"]
  /// Names of tolerances.
  package static let tolerances = ["exact", "transparent", "lossy"]
  /// Steps of a render.
  package static let passes = ["render", "finish", "verify"]
  /// Outcomes of a golden.
  package static let goldens = ["passed", "failed", "recorded"]
  /// Reasons for changes between two queues.
  package static let queueChanges = [
    "version", "setting", "programme-gain", "item-new", "source-changed", "item-changed",
    "item-moved", "item-removed", "neighbour-tail", "tap-varies",
  ]
  /// Kinds of streams.
  package static let streams = ["audio", "video", "picture", "subtitle", "other"]
}

extension RenderReport.Input: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["objects": .words(["yes", "no", "unknown"])]
  }
}

extension RenderReport.Timeline: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["paddingSource": .words(ReportWords.paddingSources)]
  }
}

extension RenderReport.Timeline.Priming: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["source": .words(ReportWords.primingSources)]
  }
}

extension RenderReport.Timeline.Gap: SchemaRefined {
  package static var schemaRefinements: [String: Schema] { ["kind": .words(ReportWords.gaps)] }
}

extension RenderReport.Output: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["format": .words(ReportWords.formats), "endpoint": .words(ReportWords.endpoints)]
  }
}

extension RenderReport.CopiedTrack: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["kind": .words(["video", "audio", "subtitles", "other"])]
  }
}

extension RenderReport.Render: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["endpoint": .words(ReportWords.endpoints)]
  }
}

extension RenderReport.Render.Downmix: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    [
      "method": .words([
        RenderReport.Render.Downmix.standard, RenderReport.Render.Downmix.directSpeakers, "LoRo",
        "LtRt", "ProLogicII",
      ]),
      "source": .words([
        "ITU-R BS.775", "ITU-R BS.2127", "bsi", "xbsi1", "mixmdata", "stereo_dmx_coeff",
        "custom_dmx_data",
      ]),
    ]
  }

  package static var schemaAlwaysWritten: Set<String> { ["method", "source"] }
}

extension RenderReport.Loudness: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["mode": .words(ReportWords.loudnessModes), "outcome": .words(ReportWords.outcomes)]
  }
}

extension RenderReport.Loudness.Limiter: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["response": .words(ReportWords.responses)]
  }
}

extension RenderReport.Loudness.Album: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["reference": .words(ReportWords.albumReferences)]
  }
}

extension ProbeReport.Mix.Element: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    [
      "kind": .words(["channels", "scene", "other", "missing"]),
      "headphones": .words(["stereo", "binaural", "head-locked", "reserved"]),
    ]
  }
}

extension ProbeReport.Mix.Loudness: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["doubt": .words(["placeholder", "implausible"])]
  }
}

extension ProbeReport.Mix.Anchor: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["of": .words(["dialogue", "album", "unknown"])]
  }
}

extension GoldenReport.Entry: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["status": .words(ReportWords.goldens)]
  }
}

extension ComparisonReport: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    let layer = Schema.words(ReportWords.layers)
    return ["tolerance": .words(ReportWords.tolerances), "failed": layer, "explainedBy": layer]
  }
}

extension ComparisonReport.Layer: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["layer": .words(ReportWords.layers), "status": .words(ReportWords.layerStatus)]
  }
}

extension ValidationReport: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["format": .words(ReportWords.formats)]
  }
}

extension ProbeReport.Stream: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["kind": .words(ReportWords.streams)]
  }
}

extension HRTFReport: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["delayUnit": .words(["none", "samples", "seconds"])]
  }
}

extension HRTFReport.Step: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    [
      "name": .words([
        "delay-unit", "symmetrise", "head-size", "level", "diffuse-field", "low-frequencies",
      ])
    ]
  }
}

extension QueueReport.Change: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["why": .words(ReportWords.queueChanges)]
  }
}

extension BatchReport: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["shard": .text(pattern: "^[0-9]+/[0-9]+$")]
  }
}

extension ProgressEvent: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["type": .constant("progress"), "pass": .words(ReportWords.passes)]
  }
}

extension ItemEvent: SchemaRefined {
  package static var schemaRefinements: [String: Schema] { ["type": .constant("item")] }
}

extension BatchEvent: SchemaRefined {
  package static var schemaRefinements: [String: Schema] { ["type": .constant("batch")] }
}

extension GoldenEvent: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["type": .constant("golden"), "status": .words(ReportWords.goldens)]
  }
}
