/// Advanced coupling of a substream: makes channels that weren't coded from those that were
/// (TS 103 190-1, 5.7.7).
final class ACPLStage {
  private static let root: Float = 1.414_213_56

  private let modules: [ACPLModule]
  private let wide: ACPLWideModule
  /// The plan of the last coupled frame; `nil` after one that wasn't.
  private var plan: ElementPlan?

  /// A stage for frames of `slots` slots.
  init(slots: Int) {
    modules = (0..<2).map { ACPLModule($0, slots: slots) }
    wide = ACPLWideModule(slots: slots)
  }

  /// Whether the last frame was coupled.
  var isActive: Bool { plan != nil }

  /// Works on the subbands of one frame's channels, in coded order.
  func apply(_ frame: ElementFrame, to channels: [SubbandFrame]) {
    // Another codec mode begins anew.
    if let plan, plan.codecMode != frame.mode { reset() }
    guard frame.mode.isCoupled else { return }
    plan = frame.plan
    run(frame.plan, frame.couplings, channels)
  }

  /// Goes on with the last frame's parameters for a frame that couldn't be read.
  func hold(_ channels: [SubbandFrame]) {
    guard let plan else { return }
    run(plan, nil, channels)
  }

  /// Forgets everything.
  func reset() {
    for module in modules { module.reset() }
    wide.reset()
    plan = nil
  }

  private func run(
    _ plan: ElementPlan, _ parameters: [ACPLParameters]?, _ channels: [SubbandFrame]
  ) {
    if plan.codecMode == .widelyCoupled {
      wide.process(
        parameters?[0],
        ACPLWideModule.Channels(
          left: channels[0], leftSurround: channels[plan.surrounds[0]], right: channels[1],
          rightSurround: channels[plan.surrounds[1]], centre: channels[2]))
      return
    }
    for (index, pair) in plan.pairs.enumerated() {
      modules[index].process(parameters?[index], channels[pair.carrier], channels[pair.other])
    }
    // Coupled surrounds are coded 3 dB lower.
    for channel in plan.raised { channels[channel].scale(by: ACPLStage.root) }
  }
}
