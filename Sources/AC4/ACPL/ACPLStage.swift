/// Advanced coupling (A-CPL) of a substream: makes the channels that aren't coded from those that are
/// (TS 103 190-1, 5.7.7).
final class ACPLStage {
  /// √2: the encoder lowers the surrounds of a coupled element by 3 dB (TS 103 190-1, 5.7.7).
  private static let surroundGain: Float = 1.414_213_56

  private let modules: [ACPLModule]
  private let wide: ACPLWideModule
  /// `nil` where channels can't be coded jointly.
  private let joint: AJCCStage?
  /// The plan of the last coupled frame; `nil` after one that wasn't.
  private var plan: ElementPlan?

  /// A stage for frames of `slots` slots.
  /// - Parameters:
  ///   - decorrelators: the decorrelator of each pair.
  ///   - mayBeJoint: whether channels may be coded jointly (A-JCC).
  init(slots: Int, decorrelators: [Int] = [0, 1], mayBeJoint: Bool = false) {
    modules = decorrelators.map { ACPLModule($0, slots: slots) }
    wide = ACPLWideModule(slots: slots)
    joint = mayBeJoint ? AJCCStage(slots: slots) : nil
  }

  /// Whether the last frame was coupled.
  var isActive: Bool { plan != nil }

  /// Applies a frame's parameters to the subbands of its channels, in coded order.
  func apply(_ frame: ElementFrame, to channels: [SubbandFrame]) {
    // The decorrelators of one codec mode run on other channels than those of another.
    if let plan, plan.codecMode != frame.mode { reset() }
    guard frame.mode.makesChannels else { return }
    plan = frame.plan
    run(frame.plan, frame, channels)
  }

  /// Keeps the last frame's parameters for a frame that couldn't be read.
  func hold(_ channels: [SubbandFrame]) {
    guard let plan else { return }
    run(plan, nil, channels)
  }

  /// Forgets everything.
  func reset() {
    for module in modules { module.reset() }
    wide.reset()
    joint?.reset()
    plan = nil
  }

  /// - Parameter frame: has the parameters; `nil` keeps the last ones.
  private func run(_ plan: ElementPlan, _ frame: ElementFrame?, _ channels: [SubbandFrame]) {
    if plan.codecMode == .joint {
      if let immersion = plan.immersion { joint?.process(frame?.joint, immersion, channels) }
      return
    }
    let parameters = frame?.couplings
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
    for channel in plan.raised { channels[channel].scale(by: ACPLStage.surroundGain) }
  }
}
