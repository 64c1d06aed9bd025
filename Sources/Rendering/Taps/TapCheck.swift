import AudioCore
import Report

/// Tries a tap without any sound of the user's.
package struct TapCheck {
  /// Starts programs.
  let launcher: ProgramLauncher

  /// A check that starts programs as `environment` says.
  package init(_ environment: RenderEnvironment) { launcher = environment.programs }

  /// What a test signal of `format` shows of `tap`.
  /// - Throws: ``MediaError`` when it can't be made, fails, or breaks its word.
  package func run(_ tap: Tap, _ format: AudioFormat) throws -> TapCheckReport {
    let log = DiagnosticLog()
    guard let loaded = try TapLoader(launcher: launcher, log: log).load([tap]).first else {
      throw MediaError(.internal, "no tap was read")
    }
    let plan = loaded.plan
    let proof = try loaded.guarding {
      try TapProbe(loaded, TapContext(point: tap.point, format: format))
        .prove(log.about(.output(0)), isThorough: true)
    }
    return TapCheckReport(
      point: plan.point.rawValue, kind: plan.kind, name: plan.name, sha256: plan.sha256,
      settings: plan.settings, rate: format.sampleRate, layout: format.layout.name,
      latency: RenderReport.Tap.Latency(
        declared: proof.declared, measured: proof.measured, used: proof.used),
      tail: proof.tail, deterministic: proof.isDeterministic,
      dependsOnBlocks: proof.blocks != nil, degradations: log.degradations,
      decisions: log.decisions)
  }
}
