import AudioCore
import MediaOut

/// Holds the peaks of a lossy output in single packets, where a limiter is asked for and the codec allows it.
final class PeakHold {
  private let output: RenderedOutput
  /// The packets as they will be written; `nil` where the sound is encoded while it is written.
  private(set) var held: HeldEncoding?

  init(_ output: RenderedOutput) { self.output = output }

  /// Whether a limiter holds the peaks of an output.
  static func isWanted(_ output: RenderedOutput) -> Bool {
    output.branch.plan.level?.peakPolicy == .limit && output.rendered.integrated != nil
      && output.frames > 0
  }

  /// Encodes the sound ahead as `settings` state, where its peaks can be held, and lowers those that are still too high; `send`
  /// writes all of it to the sink that it gets. To be called each time before the output is written.
  /// - Throws: ``MediaError`` or ``LibAVError`` when it can't be encoded or stored.
  func hold(
    _ settings: @autoclosure () -> SoundSettings, send: (any AudioSink) throws -> Void
  ) throws {
    let plan = output.branch.plan
    guard plan.container.coding.codec.traits.hasReplaceablePackets, PeakHold.isWanted(output),
      let level = plan.level
    else { return }
    if held?.plan != output.plan {
      held = nil
      held = try HeldEncoding(output, settings(), ceiling: level.truePeak, send: send)
    }
    try held?.lowerPeaks()
    output.dips = held?.dips
  }

  /// What lowers the peaks that are left.
  var remedy: PeakRemedy { held?.remedy ?? .gain }
}
