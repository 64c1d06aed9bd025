// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import LibAV
import Loudness
import MediaIn
import Platform
import Rendering
import Report
import Verify

/// Makes the outcome of a golden's job; its outputs are read back like any input.
package struct GoldenObserver: Sendable {
  package init() {}

  /// The circumstances of a recording made now: versions, processor and `commit`.
  package static func recording(commit: String?) -> GoldenCase.Recording {
    let versions = LibAVVersion.libraries.map { ($0.name, $0.version) }
    return GoldenCase.Recording(
      pinna: PinnaVersion.text, libraries: Dictionary(versions) { first, _ in first },
      cpu: ProcessorCode.extensions, commit: commit)
  }

  /// The outcome of a job that wrote into `folder`.
  /// - Throws: ``MediaError`` when an output can't be read back.
  package func outcome(of report: RenderReport, input: String, folder: String) throws
    -> GoldenOutcome
  {
    var outcome = GoldenOutcome(exit: report.exit, error: report.error?.kind)
    outcome.status = report.status.rawValue
    outcome.degradations = report.degradations.map(\.code.rawValue)
    outcome.timeline = report.timeline.map { "\($0.priming.samples) \($0.priming.source)" }
    outcome.inputSHA256 = try? LocalFile(path: input).sha256()
    guard report.status != .error else { return outcome }
    for output in report.outputs {
      let name = PathParts.rest(of: output.path, below: folder) ?? output.path
      outcome.outputs.append(try observe(output.path, name, output.pcmSHA256, folder))
    }
    outcome.outputs.sort { PathName($0.name) < PathName($1.name) }
    return outcome
  }

  /// The outcome of a command that failed.
  package func outcome(of error: MediaError, input: String) -> GoldenOutcome {
    var outcome = GoldenOutcome(exit: error.exitCode, error: error.kind.rawValue)
    outcome.inputSHA256 = try? LocalFile(path: input).sha256()
    return outcome
  }

  /// Why an outcome is no golden; `nil` when it is one.
  package static func refusal(_ outcome: GoldenOutcome) -> String? {
    if outcome.exit != 0 { return outcome.error == nil ? "it failed without saying how" : nil }
    if outcome.outputs.isEmpty { return "it wrote nothing" }
    if outcome.degradations.contains("non-finite-samples") { return "its input isn't finite" }
    for output in outcome.outputs {
      if output.samples == 0 { return "\(output.name) is empty" }
      if output.truePeak == nil { return "\(output.name) is silent" }
    }
    return nil
  }

  private func observe(
    _ path: String, _ name: String, _ digest: String, _ folder: String
  ) throws -> GoldenOutcome.Output {
    let file = try ComparedFile(path: path, decoding: InputOptions())
    let format = file.channels.format
    let builder = FingerprintBuilder(format: format)
    let meter = try LoudnessMeter(format: format)
    try file.channels.forEachBlock { block in
      builder.add(block)
      try meter.add(block)
    }
    let facts = StructureReader(file: file).facts()
    let measured = meter.measurement()
    let rounded = { (value: Double?) in value.map { ($0 * 100).rounded() / 100 } }
    return GoldenOutcome.Output(
      name: name, facts: facts, pcmSHA256: digest, integrated: rounded(measured.integrated),
      truePeak: rounded(measured.truePeak),
      structure: structure(facts)
        + (facts.container == ContainerTraits.hls.token ? playlists(folder) : []),
      fingerprint: builder.fingerprint())
  }

  private func structure(_ facts: StructureFacts) -> [String] {
    facts.edits.map { "edit \($0)" } + facts.boxes.map { "box \($0)" }
      + facts.fragments.map {
        "fragment \($0.sequence): track \($0.track) at \($0.decodeTime ?? -1), "
          + "\($0.samples) samples of \($0.duration) ticks"
      } + facts.findings.map { "finding \($0)" }
  }

  /// The lines of all playlists without sizes, because these depend on the encoder.
  private func playlists(_ folder: String) -> [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return names.sortedAsNames().flatMap { name -> [String] in
      guard name.hasSuffix(".m3u8"),
        let data = FileManager.default.contents(atPath: "\(folder)/\(name)")
      else { return ["file \(name)"] }
      let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
      return lines.map { "\(name): \(GoldenObserver.withoutSizes(String($0)))" }
    }
  }

  /// Replaces the digits after BANDWIDTH= and BYTERANGE by a mark.
  private static func withoutSizes(_ line: String) -> String {
    let isRange = line.hasPrefix("#EXT-X-BYTERANGE")
    return line.split(separator: ",", omittingEmptySubsequences: false).map { field in
      let isSize = isRange || field.contains("BANDWIDTH=") || field.contains("BYTERANGE=")
      guard isSize, let cut = field.firstIndex(where: { $0 == "=" || $0 == ":" }) else {
        return String(field)
      }
      // EXT-X-STREAM-INF:BANDWIDTH=… has both marks; the value follows the last one.
      let end = field.lastIndex(of: "=") ?? cut
      return String(field[...end]) + "…"
    }.joined(separator: ",")
  }
}
