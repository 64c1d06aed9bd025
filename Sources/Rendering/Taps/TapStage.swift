import AudioCore
import Platform

/// A tap in the chain of an output: without latency, with an exact length, and with an account of what it did.
final class TapStage: ChainStep {
  let format: AudioFormat
  private let loaded: LoadedTap
  private let host: TapHost
  private let stage: CompensatedStage
  private let tally: TapTally
  private var seconds = 0.0

  /// Prepares the tap `loaded` in its `host` for sound of `format`; what it did goes to `tally`.
  /// - Throws: what the tap throws.
  init(
    _ loaded: LoadedTap, _ host: TapHost, _ format: AudioFormat, keeps: FilterEnds, proof: TapProof,
    tally: TapTally
  ) throws {
    self.loaded = loaded
    self.host = host
    self.tally = tally
    stage = try CompensatedStage(
      host, name: host.name, input: format, keepsHead: keeps.head
    ) { stage in
      host.tempo.isSame ? .input(tail: keeps.tail ? stage.tail : 0) : .tempo(host.tempo)
    }
    self.format = stage.format
    tally.begin(host, proof)
  }

  /// Samples of its response before the input that are kept.
  var head: Int { stage.head }
  /// Largest magnitude among samples cut off at the start.
  var headPeak: Float { stage.headPeak }
  /// Samples of sound to come that its output depends on.
  var latency: Int { host.latency }
  /// Samples of its response behind the input.
  var tail: Int { host.tail }
  /// Largest magnitude among samples cut off at the end; 0 where the tempo changes, because what is behind that end comes
  /// of the silence that was sent to bring all sound out.
  var cutPeak: Float { host.tempo.isSame ? stage.cutPeak : 0 }

  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    try timed { try stage.process(input, into: output) }
  }

  func finish(into output: AudioBuffer) throws {
    try timed { try stage.finish(into: output) }
    tally.end(host, seconds: seconds)
  }

  private func timed(_ body: () throws -> Void) throws {
    let start = SystemClock.thread
    try loaded.guarding(body)
    seconds += SystemClock.thread - start
  }
}
