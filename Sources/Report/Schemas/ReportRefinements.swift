// SPDX-License-Identifier: Apache-2.0
import AudioCore

// The words that a key can have where its Swift type is a plain string: names that files state, and `rf64`, which is a form of WAV.

extension RenderReport: ReportDocument {}
extension ItemReport: ReportDocument {}
extension BatchReport: ReportDocument {}
extension GoldenReport: ReportDocument {}
extension ComparisonReport: ReportDocument {}
extension ValidationReport: ReportDocument {}
extension MeasureReport: ReportDocument {}
extension MeasureAlbumReport: ReportDocument {}
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
  /// Names of tolerances.
  package static let tolerances = ["exact", "transparent", "lossy"]
  /// Reasons for changes between two queues.
  package static let queueChanges = [
    "version", "setting", "programme-gain", "item-new", "source-changed", "item-changed",
    "item-moved", "item-removed", "neighbour-tail", "tap-varies",
  ]
}

extension RenderReport.Output: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["format": .words(ReportWords.formats)]
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

extension ComparisonReport: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["tolerance": .words(ReportWords.tolerances)]
  }
}

extension ValidationReport: SchemaRefined {
  package static var schemaRefinements: [String: Schema] {
    ["format": .words(ReportWords.formats)]
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
    ["type": .constant("progress")]
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
    ["type": .constant("golden")]
  }
}
