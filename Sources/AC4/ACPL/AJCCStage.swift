import Signal

/// Joint channel coding (A-JCC) of an immersive element: makes ten channels of the front and surround carriers
/// (TS 103 190-2, 5.6.3.5).
final class AJCCStage {
  private let modules: [AJCCModule]
  /// Which part of the blend comes from the surround carriers, slot by slot.
  private let blend: FixedBuffer<Float>
  private let slots: Int
  /// `ajcc_core_mode` of the last frame; `nil` before the first.
  private var hadWideFront: Bool?

  /// A stage for frames of `slots` slots.
  init(slots: Int) {
    self.slots = slots
    modules = (0..<2).map { _ in AJCCModule(slots: slots) }
    blend = FixedBuffer(0, count: slots)
  }

  /// Replaces the carriers by the channels, in the coded order of an immersive element.
  /// - Parameter parameters: the frame's; `nil` keeps the last frame's.
  func process(
    _ parameters: AJCCParameters?, _ immersion: ElementPlan.Immersion, _ channels: [SubbandFrame]
  ) {
    let hasWideFront = parameters?.hasWideFront ?? hadWideFront ?? false
    setBlend(from: hadWideFront ?? hasWideFront, to: hasWideFront)
    hadWideFront = hasWideFront
    for (side, module) in modules.enumerated() {
      let (low, high) = (immersion.pairs[side], immersion.pairs[2 + side])
      module.process(
        parameters, side: side, blend: UnsafePointer(blend.base),
        AJCCModule.Channels(
          front: channels[side], surround: channels[low.sum], back: channels[low.difference],
          topFront: channels[high.sum], topBack: channels[high.difference]))
    }
    channels[2].scale(by: AJCCModule.scale)
  }

  /// Forgets everything.
  func reset() {
    for module in modules { module.reset() }
    hadWideFront = nil
  }

  /// A change of the mode moves the blend evenly over the frame.
  private func setBlend(from old: Bool, to new: Bool) {
    let (start, end): (Float, Float) = (old ? 0 : 1, new ? 0 : 1)
    for slot in 0..<slots {
      blend.base[slot] = start + (end - start) * Float(slot + 1) / Float(slots)
    }
  }
}
