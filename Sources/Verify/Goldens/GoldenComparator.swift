// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Compares the outcome of a golden's command with the recorded one and with its oracle.
package struct GoldenComparator: Sendable {
  /// The result of a comparison.
  package struct Result: Sendable, Equatable {
    /// Differences, as sentences; empty where all is as recorded.
    package var failures: [String] = []
    /// How it was decided, where not by hash.
    package var notes: [String] = []
  }

  private let golden: GoldenCase
  private let expected: GoldenOutcome
  private let current: GoldenCase.Recording

  /// A comparator for a run under `current`.
  package init(golden: GoldenCase, expected: GoldenOutcome, current: GoldenCase.Recording) {
    self.golden = golden
    self.expected = expected
    self.current = current
  }

  /// Compares a run with the recorded one.
  package func compare(_ outcome: GoldenOutcome) -> Result {
    var result = Result()
    // A command that fails where it did not has nothing else to compare: its sentence says it all.
    if expected.exit == 0, outcome.exit != 0 {
      result.failures = [
        "exit code: got \(outcome.exit), want 0: \(outcome.error ?? "no reason was given")"
      ]
      return result
    }
    same("exit code", expected.exit, outcome.exit, &result)
    same("error", expected.error ?? "none", outcome.error ?? "none", &result)
    same("status", expected.status ?? "none", outcome.status ?? "none", &result)
    same("degradations", expected.degradations, outcome.degradations, &result)
    if !(golden.accounts ?? []).contains(outcome.timeline ?? "none") {
      same("timeline", expected.timeline ?? "none", outcome.timeline ?? "none", &result)
    }
    let (had, has) = (expected.outputs.map(\.name), outcome.outputs.map(\.name))
    // As text, names of the same letters in other bytes would be equal.
    if had.map(PathName.init) != has.map(PathName.init) {
      result.failures.append("outputs: got \(has), want \(had)")
    }
    let isSameInput = expected.inputSHA256 == outcome.inputSHA256
    let isBinding = isSameInput && golden.bindsHash(current)
    for (old, new) in zip(expected.outputs, outcome.outputs) {
      compare(old, new, isBinding, &result)
    }
    if !isBinding, !expected.outputs.isEmpty { result.notes.append(why(isSameInput)) }
    if let first = outcome.outputs.first { ask(first, &result) }
    // Everything else may follow from it, so it comes first.
    if !isSameInput, !result.failures.isEmpty {
      result.failures.insert(
        "the input is another file than the one recorded: SHA-256 "
          + "\((outcome.inputSHA256 ?? "none").prefix(12))…, want "
          + "\((expected.inputSHA256 ?? "none").prefix(12))…", at: 0)
    }
    return result
  }

  private func why(_ isSameInput: Bool) -> String {
    if !isSameInput { return "hash not compared: the input is another file than the one recorded" }
    let recorded = golden.recordedBy?.libraries["libavcodec"] ?? "none"
    let used = current.libraries["libavcodec"] ?? "none"
    if recorded != used {
      return "hash not compared: libavcodec is \(used), recorded was \(recorded); levels decided"
    }
    return "hash not compared: another processor than recorded; levels decided"
  }

  private func same<Value: Equatable>(
    _ what: String, _ old: Value, _ new: Value, _ result: inout Result
  ) {
    guard old != new else { return }
    result.failures.append("\(what): got \(new), want \(old)")
  }

  private func compare(
    _ old: GoldenOutcome.Output, _ new: GoldenOutcome.Output, _ isBinding: Bool,
    _ result: inout Result
  ) {
    let name = new.name
    same("\(name) container", old.container, new.container, &result)
    same("\(name) codec", old.codec, new.codec, &result)
    same("\(name) layout", old.layout, new.layout, &result)
    same("\(name) rate", old.rate, new.rate, &result)
    same("\(name) samples", old.samples, new.samples, &result)
    same("\(name) start", old.start, new.start, &result)
    same("\(name) priming", old.priming, new.priming, &result)
    structure(old, new, &result)
    let limits = golden.tolerance ?? GoldenCase.Tolerance()
    near("\(name) integrated", old.integrated, new.integrated, limits.loudness, &result)
    let peakLimit = limits.truePeak ?? limits.loudness
    near("\(name) true peak", old.truePeak, new.truePeak, peakLimit, &result)
    if isBinding, old.pcmSHA256 == new.pcmSHA256 { return }
    let distance = old.fingerprint.distance(to: new.fingerprint)
    if isBinding {
      result.failures.append(
        "\(name) samples: hash \(new.pcmSHA256.prefix(12))…, want \(old.pcmSHA256.prefix(12))…; "
          + "levels are off by at most \(Decimals.text(distance.decibels, 1)) dB")
    } else if distance.decibels > limits.level {
      result.failures.append(
        "\(name) level: \(Decimals.text(distance.decibels, 1)) dB \(distance.words)")
    }
  }

  private func structure(
    _ old: GoldenOutcome.Output, _ new: GoldenOutcome.Output, _ result: inout Result
  ) {
    guard old.structure != new.structure else { return }
    let pairs = zip(old.structure, new.structure).enumerated()
    let index =
      pairs.first { $0.element.0 != $0.element.1 }?.offset
      ?? min(old.structure.count, new.structure.count)
    let had = index < old.structure.count ? old.structure[index] : "nothing"
    let has = index < new.structure.count ? new.structure[index] : "nothing"
    result.failures.append("\(new.name) structure, line \(index + 1): got \(has), want \(had)")
  }

  private func near(
    _ what: String, _ old: Double?, _ new: Double?, _ limit: Double, _ result: inout Result
  ) {
    switch (old, new) {
    case (nil, nil): return
    case (let old?, let new?) where (old - new).magnitude <= limit: return
    default:
      let text = { (value: Double?) in value.map { Decimals.text($0, 2) } ?? "none" }
      result.failures.append("\(what): got \(text(new)), want \(text(old)) ± \(limit)")
    }
  }

  /// Compares the first output with the oracle's figures.
  private func ask(_ output: GoldenOutcome.Output, _ result: inout Result) {
    let oracle = golden.oracle
    if let samples = oracle.samples {
      same("samples by the oracle (\(oracle.name))", samples, output.samples, &result)
    }
    if let integrated = oracle.integrated {
      // ffmpeg prints loudness with one decimal.
      near(
        "loudness by the oracle (\(oracle.name))", integrated, output.integrated, 0.1, &result)
    }
    if let digest = oracle.pcmSHA256, golden.bindsHash(current) {
      same("samples by the oracle (\(oracle.name))", digest, output.pcmSHA256, &result)
    }
  }
}

/// The outcome of a golden's command (`expected.json`).
package struct GoldenOutcome: Sendable, Codable, Equatable {
  /// One file written.
  package struct Output: Sendable, Codable, Equatable {
    /// Name in the folder for outputs.
    package var name: String
    package var container: String
    package var codec: String
    /// Channel layout.
    package var layout: String
    /// Hz.
    package var rate: Int
    /// Samples per channel.
    package var samples: Int64
    /// Presentation time of the first of them, in samples.
    package var start: Int64
    /// Start-up samples trimmed when it is read.
    package var priming: Int64
    /// Hash of the samples as the report gives it.
    package var pcmSHA256: String
    /// Loudness in LUFS; `nil` for silence.
    package var integrated: Double?
    /// True peak in dBTP; `nil` for silence.
    package var truePeak: Double?
    /// Edits, boxes, fragments and playlist lines as text.
    package var structure: [String]
    /// Levels second by second.
    package var fingerprint: AudioFingerprint

    /// An output.
    package init(
      name: String, facts: StructureFacts, pcmSHA256: String, integrated: Double?,
      truePeak: Double?, structure: [String], fingerprint: AudioFingerprint
    ) {
      self.name = name
      container = facts.container
      codec = facts.codec
      layout = facts.format.layout.name
      rate = facts.format.sampleRate
      samples = facts.samples
      start = facts.start
      priming = facts.priming
      self.pcmSHA256 = pcmSHA256
      self.integrated = integrated
      self.truePeak = truePeak
      self.structure = structure
      self.fingerprint = fingerprint
    }
  }

  /// Exit code.
  package var exit: Int32
  /// Kind of the error.
  package var error: String?
  /// Status of the report: `ok`, `silent` …
  package var status: String?
  /// Kinds of degradations, in order.
  package var degradations: [String]
  /// Start-up samples trimmed from the input and the source of that number, e.g. `1024 elst`.
  package var timeline: String?
  /// Hash of the input file.
  package var inputSHA256: String?
  /// Files written, by name.
  package var outputs: [Output]

  /// An outcome without outputs.
  package init(exit: Int32, error: String?) {
    self.exit = exit
    self.error = error
    degradations = []
    outputs = []
  }
}
