// SPDX-License-Identifier: Apache-2.0
import AudioCore

package struct LayerResult: Sendable, Equatable {
  package typealias Status = LayerStatus

  package var layer: ComparisonLayer
  /// How it ended.
  package var status: Status
  /// Measured figures.
  package var figures: [ComparisonFigure]
  /// The rule by which this layer fails, and what is then not compared.
  package var rule: String
  /// Fault; only for failures.
  package var fault: ComparisonFault?
  /// Further information, such as why a layer was skipped.
  package var note: String?

  /// A result; it failed where there is a fault.
  package init(
    _ layer: ComparisonLayer, figures: [ComparisonFigure], rule: String, fault: ComparisonFault?,
    note: String? = nil
  ) {
    self.layer = layer
    self.figures = figures
    self.rule = rule
    self.fault = fault
    self.note = note
    status = fault == nil ? .passed : .failed
  }

  /// A layer that wasn't compared, and why.
  package static func skipped(_ layer: ComparisonLayer, _ why: String) -> LayerResult {
    var result = LayerResult(layer, figures: [], rule: "", fault: nil, note: why)
    result.status = .skipped
    return result
  }
}

extension ComparisonLayer {
  /// Short name as people count them, e.g. `L2`.
  package var label: String { "L\(ComparisonLayer.allCases.firstIndex(of: self) ?? 0)" }
}

/// A comparator of one layer: it takes the content of both files and then judges it.
package protocol LayerComparator {
  /// Judges by `tolerance` what was gathered.
  func judge(_ tolerance: ComparisonTolerance) -> LayerResult
}

/// One figure of a layer with its limit.
package struct ComparisonFigure: Sendable, Equatable {
  /// Stable token, e.g. `residual`.
  package var name: String
  /// Value in ``unit``; `nil` where there is none, such as the level of silence.
  package var value: Double?
  /// Unit; empty for counts.
  package var unit: String
  /// Limit in the same unit, for figures that decide.
  package var limit: Double?

  package init(_ name: String, _ value: Double?, _ unit: String = "", limit: Double? = nil) {
    self.name = name
    self.value = value
    self.unit = unit
    self.limit = limit
  }
}

/// A sentence about a difference, and how much it explains.
package struct ComparisonFault: Sendable, Equatable {
  /// How much a sentence explains.
  package enum Rank: Int, Sendable, Comparable {
    /// The sentence is about tags, container or boxes, which explain nothing that is heard.
    case packing
    /// The sentence only states that something differs.
    case difference
    /// The sentence states what is measurably different.
    case effect
    /// The sentence states what was done to the file.
    case cause

    /// The more it explains, the higher.
    package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  /// How much the sentence explains.
  package var rank: Rank
  /// A clause about TEST without a full stop.
  package var sentence: String
  /// Other layers that fail because of this fault, so that theirs needn't be stated.
  package var explains: Set<ComparisonLayer>

  package init(_ rank: Rank, _ sentence: String, explains: Set<ComparisonLayer> = []) {
    self.rank = rank
    self.sentence = sentence
    self.explains = explains
  }
}

/// How much two files may differ in each layer and still count as alike.
public struct ComparisonTolerance: Sendable, Equatable {
  /// Name on the command line.
  public var name: String
  /// Whether container, codec, tags, edit lists, boxes and fragments must be the same.
  public var comparesStructure: Bool
  /// Whether tags must be the same where ``comparesStructure`` is set.
  public var comparesTags = true
  /// Whether the decoded samples must have the same hash.
  public var comparesHash: Bool
  /// Largest level of what remains when TEST is subtracted from REF, in dB re REF.
  public var residual: Double
  /// Largest gain in dB, either way.
  public var gain: Double
  /// Largest difference of the programme's loudness and of any channel's, in LU.
  public var loudness: Double
  /// Largest difference of the programme's true peak and of any channel's, in dB.
  public var truePeak: Double
  /// Largest log-mel distance of any 20 ms, in dB.
  public var spectralPeak: Double
  /// Largest log-mel distance over 100 ms, in dB.
  public var spectralSustained: Double
  /// Largest log-mel distance on average, in dB.
  public var spectralMean: Double
  /// Largest tilt of the spectrum in dB an octave, either way.
  public var tilt: Double
  /// Frequency in Hz from which on content may be missing; `nil` when none may.
  public var cutoff: Double?
  /// Largest mean difference of interaural levels, in dB.
  public var interauralLevel: Double
  /// Largest mean difference of interaural times, in microseconds.
  public var interauralTime: Double
  /// Largest mean difference of interaural coherence, 0…1.
  public var interauralCoherence: Double

  /// For the same file: equal container and codec, tags, boxes and samples.
  public static let exact = ComparisonTolerance(
    name: "exact", comparesStructure: true, comparesHash: true, residual: -140, gain: 0.001,
    loudness: 0.01, truePeak: 0.01, spectralPeak: 0.05, spectralSustained: 0.02,
    spectralMean: 0.01, tilt: 0.005, cutoff: nil, interauralLevel: 0.01, interauralTime: 0.5,
    interauralCoherence: 0.001)

  /// For the same sound in any container: dither and word length may differ, and so may a portable
  /// build.
  public static let transparent = ComparisonTolerance(
    name: "transparent", comparesStructure: false, comparesHash: false, residual: -60, gain: 0.02,
    loudness: 0.05, truePeak: 0.1, spectralPeak: 3, spectralSustained: 1.5, spectralMean: 0.5,
    tilt: 0.05, cutoff: 20_000, interauralLevel: 0.2, interauralTime: 10,
    interauralCoherence: 0.02)

  /// For the same programme after a good lossy codec: samples differ, levels and spectrum hardly do.
  public static let lossy = ComparisonTolerance(
    name: "lossy", comparesStructure: false, comparesHash: false, residual: -10, gain: 0.2,
    loudness: 0.3, truePeak: 1.5, spectralPeak: 12, spectralSustained: 6, spectralMean: 2,
    tilt: 0.3, cutoff: 15_500, interauralLevel: 1, interauralTime: 50, interauralCoherence: 0.1)

  /// All named sets.
  public static let all = [exact, transparent, lossy]
}

/// The one sentence about two files.
package struct ComparisonVerdict: Sendable, Equatable {
  /// The first layer that failed; `nil` when all passed.
  package let failed: ComparisonLayer?
  /// The layer that explains it best.
  package let explainedBy: ComparisonLayer?
  /// Sentence about both files.
  package let sentence: String

  /// Most clauses about the sound in one sentence.
  private static let most = 3

  /// The verdict over layers in order: the first that failed decides, those that explain most are quoted first.
  package init(_ layers: [LayerResult], tolerance: ComparisonTolerance) {
    let failures = layers.filter { $0.status == .failed }
    failed = failures.first?.layer
    let told = ComparisonVerdict.told(failures)
    explainedBy = told.first?.layer
    guard !told.isEmpty else {
      sentence = "alike: REF and TEST agree within the tolerance \(tolerance.name)."
      return
    }
    let clauses = told.prefix(ComparisonVerdict.most).compactMap(\.fault?.sentence)
    let beside = failures.first { $0.fault?.rank == .packing && $0.layer != told[0].layer }?.fault
    sentence =
      "different: \(clauses.joined(separator: "; "))."
      + (beside.map { " Beside the sound, \($0.sentence)." } ?? "")
  }

  /// Failures that no other one explains: causes, then effects. A bare difference is stated only where there is nothing
  /// else to state, and so are tags.
  private static func told(_ failures: [LayerResult]) -> [LayerResult] {
    var told: [LayerResult] = []
    var explained: Set<ComparisonLayer> = []
    for rank in [ComparisonFault.Rank.cause, .effect, .difference, .packing] {
      for layer in failures where layer.fault?.rank == rank && !explained.contains(layer.layer) {
        guard rank > .difference || told.isEmpty else { return told }
        told.append(layer)
        explained.formUnion(layer.fault?.explains ?? [])
      }
    }
    return told
  }
}

/// Figures in sentences.
enum Decimals {
  /// `value` with `digits` digits after the point; a dash for what isn't finite.
  static func text(_ value: Double, _ digits: Int) -> String {
    value.fixed(digits) ?? "-"
  }

  /// Samples and the milliseconds they last.
  static func samples(_ count: Int64, _ rate: Int) -> String {
    let milliseconds = Double(count) * 1000 / Double(max(1, rate))
    return "\(count) sample\(count == 1 ? "" : "s") (\(text(milliseconds, 3)) ms)"
  }

  /// A place in seconds.
  static func place(_ sample: Int64, _ rate: Int) -> String {
    text(Double(sample) / Double(max(1, rate)), 3) + " s"
  }
}
