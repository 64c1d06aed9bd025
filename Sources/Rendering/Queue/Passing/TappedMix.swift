import AudioCore
import PlayQueue

/// The taps that the sum of all items passes, before it is cut into the parts that outputs get: a cut between tracks
/// leaves no mark in what a tap makes.
final class TappedMix {
  private let taps: [TapStage]
  private let chain: StepChain
  private let beginsProgramme: Bool
  /// Sample of the programme behind what was handed on.
  private var position: Int64

  /// The taps of `mix`, made by `ledger`, for a queue from `input`.
  /// - Throws: what they throw.
  init(_ mix: QueueMix, _ input: QueueInput, _ ledger: TapLedger) throws {
    taps = try [TapPoint.programme, .post].flatMap { point in
      var context = TapContext.queue(input, point, mix.format, mix.output)
      context.expectedFrames = Int64(mix.window.count)
      // What is kept of the tail is silence at the end of the sum already.
      return try ledger.make(mix.output, context, keeps: FilterEnds())
    }
    chain = StepChain(taps)
    beginsProgramme = mix.window.lowerBound == 0
    position = mix.window.lowerBound
  }

  /// Largest magnitude of what the taps put before the start; 0 where that lies in mid-programme.
  var headPeak: Float { beginsProgramme ? taps.map(\.headPeak).max() ?? 0 : 0 }

  /// Largest magnitude of what the taps put behind the end.
  var cutPeak: Float { taps.map(\.cutPeak).max() ?? 0 }

  /// Sends the next samples through; `consume` gets what is ready and the number of its first sample.
  func process(_ samples: AudioBuffer, _ consume: (AudioBuffer, Int64) throws -> Void) throws {
    try chain.process(samples) { try pass($0, consume) }
  }

  /// Drains the taps.
  func finish(_ consume: (AudioBuffer, Int64) throws -> Void) throws {
    try chain.finish { try pass($0, consume) }
  }

  private func pass(
    _ samples: AudioBuffer, _ consume: (AudioBuffer, Int64) throws -> Void
  ) throws {
    guard samples.frames > 0 else { return }
    try consume(samples, position)
    position += Int64(samples.frames)
  }
}

extension TapContext {
  /// What a tap of output number `output` at `point` is told of the queue `input`, where it gets sound of `format`.
  static func queue(
    _ input: QueueInput, _ point: TapPoint, _ format: AudioFormat, _ output: Int
  ) -> TapContext {
    var context = TapContext(point: point, format: format)
    context.output = output
    context.items = input.queue.items.count
    context.source = input.name
    return context
  }
}
