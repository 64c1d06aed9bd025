// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// How two files compare (`pinna.comparison/1`).
public struct ComparisonReport: Sendable, Codable, Equatable {
  /// One of the two files.
  public struct Party: Sendable, Codable, Equatable {
    /// Path as given.
    public var path: String
    /// Container.
    public var container: String
    /// Codec.
    public var codec: String
    /// Channel layout.
    public var layout: String
    /// Hz.
    public var rate: Int
    /// Valid samples per channel.
    public var samples: Int64
    /// Hash of the decoded samples as Float32; `nil` when they weren't read.
    public var pcmSHA256: String?
    /// Loudness and peaks as they are in the file; `nil` where loudness can't be measured.
    public var levels: RenderReport.Levels?

    /// A file.
    public init(
      path: String, container: String, codec: String, layout: String, rate: Int, samples: Int64,
      pcmSHA256: String?, levels: RenderReport.Levels? = nil
    ) {
      self.path = path
      self.container = container
      self.codec = codec
      self.layout = layout
      self.rate = rate
      self.samples = samples
      self.pcmSHA256 = pcmSHA256
      self.levels = levels
    }
  }

  /// Curves of both files for pictures, of bounded size.
  public struct Curves: Sendable, Codable, Equatable {
    /// Loudness of a file over time, LUFS.
    public struct Loudness: Sendable, Codable, Equatable {
      /// Momentary loudness (400 ms).
      public var momentary: RenderReport.Curves.Curve
      /// Short-term loudness (3 s).
      public var shortTerm: RenderReport.Curves.Curve

      /// Two curves.
      public init(
        momentary: RenderReport.Curves.Curve, shortTerm: RenderReport.Curves.Curve
      ) {
        self.momentary = momentary
        self.shortTerm = shortTerm
      }
    }

    /// Level over frequency, on average over each file.
    public struct Spectrum: Sendable, Codable, Equatable {
      /// Middle of each third of an octave, Hz.
      public var frequenciesHz: [Double]
      /// Level of the reference, dB: the mean of the channels, with 0 for a sine at full scale in all of them; `nil` for
      /// silence.
      public var referenceDB: [Double?]
      /// Level of the test, dB, as `referenceDB`.
      public var testDB: [Double?]

      /// A spectrum.
      public init(frequenciesHz: [Double], referenceDB: [Double?], testDB: [Double?]) {
        self.frequenciesHz = frequenciesHz
        self.referenceDB = referenceDB
        self.testDB = testDB
      }
    }

    /// Length of a step, seconds; a multiple of 0.1.
    public var intervalSeconds: Double
    /// Loudness of the reference.
    public var reference: Loudness
    /// Loudness of the test.
    public var test: Loudness
    /// Level of test minus reference at the best alignment, RMS over all channels, dB re full scale; absent where the
    /// samples are the same or can't be compared.
    public var differenceDB: RenderReport.Curves.Curve?
    /// Level over frequency; absent for files too short for it.
    public var spectrum: Spectrum?

    /// Curves of steps of `intervalSeconds`.
    public init(intervalSeconds: Double, reference: Loudness, test: Loudness) {
      self.intervalSeconds = intervalSeconds
      self.reference = reference
      self.test = test
    }
  }

  /// One figure.
  public struct Figure: Sendable, Codable, Equatable {
    /// Stable token.
    public var name: String
    /// Value; `nil` where there is none.
    public var value: Double?
    /// Unit; empty for counts.
    public var unit: String
    /// Limit; `nil` for figures that are only for information.
    public var limit: Double?

    /// A figure.
    public init(name: String, value: Double?, unit: String, limit: Double?) {
      self.name = name
      self.value = value
      self.unit = unit
      self.limit = limit
    }
  }

  /// One layer.
  public struct Layer: Sendable, Codable, Equatable {
    /// Its name.
    public var layer: ComparisonLayer
    /// How it ended.
    public var status: LayerStatus
    /// When the layer fails, and what a failure ends.
    public var rule: String
    /// Measured figures.
    public var figures: [Figure]
    /// Fault; only for failures.
    public var fault: String?
    /// A remark on the result; `nil` when there is none.
    public var note: String?

    /// A layer.
    public init(
      layer: ComparisonLayer, status: LayerStatus, rule: String, figures: [Figure], fault: String?,
      note: String?
    ) {
      self.layer = layer
      self.status = status
      self.rule = rule
      self.figures = figures
      self.fault = fault
      self.note = note
    }
  }

  /// The schema's name and version.
  public static let schemaName = "pinna.comparison/1"

  /// Always `pinna.comparison/1`.
  public var schema = ComparisonReport.schemaName
  /// The reference.
  public var reference: Party
  /// The candidate, which is compared with the reference.
  public var test: Party
  /// Name of the tolerance.
  public var tolerance: String
  /// Whether all layers passed.
  public var alike: Bool
  /// First layer that failed.
  public var failed: ComparisonLayer?
  /// The layer whose figures best explain the failure.
  public var explainedBy: ComparisonLayer?
  /// Outcome in one sentence.
  public var verdict: String
  /// All layers in order.
  public var layers: [Layer]
  /// Parts of the files that weren't compared, because the caller wanted so: `tags`; absent where all were.
  public var ignored: [String]?
  /// Gain that TEST was compared with, so that it is as loud as REF, dB; absent without such a gain.
  public var matchedGainDB: Double?
  /// Curves of both files; absent where loudness can't be measured.
  public var curves: Curves?

  /// A report.
  public init(
    reference: Party, test: Party, tolerance: String, alike: Bool, failed: ComparisonLayer?,
    explainedBy: ComparisonLayer?, verdict: String, layers: [Layer]
  ) {
    self.reference = reference
    self.test = test
    self.tolerance = tolerance
    self.alike = alike
    self.failed = failed
    self.explainedBy = explainedBy
    self.verdict = verdict
    self.layers = layers
  }
}

/// How a run over goldens ended (`pinna.golden/1`).
public struct GoldenReport: Sendable, Codable, Equatable {
  /// One golden.
  public struct Entry: Sendable, Codable, Equatable {
    /// How a golden ended.
    public enum Status: String, ReportWord {
      /// As recorded.
      case passed
      /// Not as recorded.
      case failed
      /// Recorded by this run.
      case recorded
    }

    /// Its name.
    public var id: String
    /// How it ended.
    public var status: Status
    /// Behaviour that it guards.
    public var why: String
    /// Differences, as sentences.
    public var failures: [String]
    /// How it was decided.
    public var notes: [String]
    /// Seconds it took.
    public var seconds: Double

    /// A golden.
    package init(
      id: String, status: Status, why: String, failures: [String], notes: [String], seconds: Double
    ) {
      self.id = id
      self.status = status
      self.why = why
      self.failures = failures
      self.notes = notes
      self.seconds = seconds
    }
  }

  /// The schema's name and version.
  package static let schemaName = "pinna.golden/1"

  /// Always `pinna.golden/1`.
  public var schema = GoldenReport.schemaName
  /// Folder of the cases.
  public var cases: String
  /// All goldens, in the order of their names.
  public var entries: [Entry]

  /// A report.
  package init(cases: String, entries: [Entry]) {
    self.cases = cases
    self.entries = entries
  }

  /// Number of goldens that failed.
  public var failed: Int { entries.count { $0.status == .failed } }

  /// The report as JUnit XML, one test case a golden.
  public var junit: String {
    JUnitDocument(suites: [
      JUnitSuite(name: "golden", className: "golden", cases: entries.map(\.testCase))
    ]).xml()
  }
}

extension GoldenReport.Entry {
  /// The golden as a test case.
  var testCase: JUnitCase {
    JUnitCase(
      name: id, seconds: seconds,
      outcome: status == .failed
        ? .failure(
          kind: "golden", message: failures.first ?? "isn't as recorded", details: failures)
        : .passed, notes: notes)
  }
}

/// The findings of `validate` in a file (`pinna.validation/1`).
public struct ValidationReport: Sendable, Codable, Equatable {
  /// One violation of the format's rules.
  public struct Finding: Sendable, Codable, Equatable {
    /// Stable token, e.g. `decode-time`.
    public var code: String
    /// Location: the path of boxes from the top, `header` or `samples`.
    public var path: String
    /// Description of the violation, with figures.
    public var message: String

    /// A finding.
    public init(code: String, path: String, message: String) {
      self.code = code
      self.path = path
      self.message = message
    }
  }

  /// The schema's name and version.
  public static let schemaName = "pinna.validation/1"

  /// Always `pinna.validation/1`.
  public var schema = ValidationReport.schemaName
  /// The file.
  public var path: String
  /// `wav`, `rf64`, `mp4`, `fmp4` or `hls`.
  public var format: String
  /// Fragments of an MP4 file, or segments that playlists name.
  public var fragments: Int?
  /// Samples per channel that it plays.
  public var samples: Int64
  /// Violations; empty for a valid file.
  public var findings: [Finding]

  /// A report.
  public init(
    path: String, format: String, fragments: Int?, samples: Int64, findings: [Finding]
  ) {
    self.path = path
    self.format = format
    self.fragments = fragments
    self.samples = samples
    self.findings = findings
  }
}
