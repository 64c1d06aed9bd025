// SPDX-License-Identifier: Apache-2.0
import AudioCore

extension RenderReport {
  /// Processing of the user's own that the sound of an output passed.
  public struct Tap: Sendable, Codable, Equatable {
    /// Delay in samples, which is removed.
    public struct Latency: Sendable, Codable, Equatable {
      /// Delay that the tap states.
      public var declared: Int
      /// Delay that a test signal showed; absent where none was sent or its shape wasn't found again.
      public var measured: Int?
      /// Delay that was removed.
      public var used: Int

      /// A latency.
      public init(declared: Int, measured: Int? = nil, used: Int) {
        self.declared = declared
        self.measured = measured
        self.used = used
      }
    }

    /// Levels on one side of it.
    public struct Levels: Sendable, Codable, Equatable {
      /// Largest sample, dBFS; absent for silence.
      public var peak: Double?
      /// Mean over all channels, dBFS of a full-scale square wave; absent for silence.
      public var rms: Double?

      /// Levels.
      public init(peak: Double?, rms: Double?) {
        self.peak = peak
        self.rms = rms
      }
    }

    /// Point of the chain at which it sits.
    public var point: TapPoint
    /// `eq`, `fir`, `avfilter`, `lv2`, `exec` or `own`.
    public var kind: String
    /// The name of its file or its code.
    public var name: String
    /// SHA-256 of its file.
    public var sha256: String?
    /// Its settings.
    public var settings: [String]
    /// All its settings as they came out, such as `gain=0.5`; absent where it doesn't state them.
    public var resolved: [String]?
    /// How many were made: at `item` one for each item that was rendered.
    public var instances: Int
    /// The items of a queue that pass it, counted from 1; absent for all.
    public var items: [Int]?
    /// Its delay.
    public var latency: Latency
    /// Samples by which its response outlasts the input.
    public var tail: Int
    /// By how much it makes the sound faster; absent where it keeps the speed.
    public var tempo: Double?
    /// Whether equal input gives equal output in every run.
    public var deterministic: Bool
    /// Levels of what went in.
    public var before: Levels
    /// Levels of what came out.
    public var after: Levels
    /// CPU time, seconds.
    public var cpuSeconds: Double

    /// A tap.
    public init(
      point: TapPoint, kind: String, name: String, sha256: String?, settings: [String],
      resolved: [String]?, instances: Int, items: [Int]?, latency: Latency, tail: Int,
      tempo: Double?, deterministic: Bool,
      before: Levels, after: Levels, cpuSeconds: Double
    ) {
      self.point = point
      self.kind = kind
      self.name = name
      self.sha256 = sha256
      self.settings = settings
      self.resolved = resolved
      self.instances = instances
      self.items = items
      self.latency = latency
      self.tail = tail
      self.tempo = tempo
      self.deterministic = deterministic
      self.before = before
      self.after = after
      self.cpuSeconds = cpuSeconds
    }
  }
}

/// The findings of a test signal about a tap (`pinna taps check --json`).
package struct TapCheckReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  package static let schemaName = "pinna.tap/1"

  /// Always `pinna.tap/1`.
  package var schema = TapCheckReport.schemaName
  /// `item`, `programme` or `post`.
  package var point: TapPoint
  /// Kind of the tap, as the command line calls it.
  package var kind: String
  /// The name of its file, program or code.
  package var name: String
  /// SHA-256 of its file or program.
  package var sha256: String?
  /// Its settings.
  package var settings: [String]
  /// Rate of the test signal, Hz.
  package var rate: Int
  /// Layout of the test signal.
  package var layout: String
  /// Its delay.
  package var latency: RenderReport.Tap.Latency
  /// Samples by which its response outlasts the input.
  package var tail: Int
  /// Whether the same signal gave the same output again.
  package var deterministic: Bool
  /// Whether its output depends on the size of its blocks.
  package var dependsOnBlocks: Bool
  /// Doubts about the tap.
  package var degradations: [Diagnostic]
  /// Choices made for the user.
  package var decisions: [Decision]

  /// A report.
  package init(
    point: TapPoint, kind: String, name: String, sha256: String?, settings: [String], rate: Int,
    layout: String, latency: RenderReport.Tap.Latency, tail: Int, deterministic: Bool,
    dependsOnBlocks: Bool, degradations: [Diagnostic], decisions: [Decision]
  ) {
    self.point = point
    self.kind = kind
    self.name = name
    self.sha256 = sha256
    self.settings = settings
    self.rate = rate
    self.layout = layout
    self.latency = latency
    self.tail = tail
    self.deterministic = deterministic
    self.dependsOnBlocks = dependsOnBlocks
    self.degradations = degradations
    self.decisions = decisions
  }
}
