// SPDX-License-Identifier: Apache-2.0
import Signal

/// Joint channel coding (A-JCC) of an immersive element: makes ten channels of the front and surround carriers
/// (TS 103 190-2, 5.6.3.5).
final class AJCCStage {
  private let modules: [AJCCModule]
  /// Part of the blend that comes from the surround carriers, slot by slot.
  private let blend: Buffer<Float>
  private let slots: Int
  /// `ajcc_core_mode` of the last frame; `nil` before the first.
  private var hadWideFront: Bool?

  /// A stage for frames of `slots` slots.
  init(slots: Int) {
    self.slots = slots
    modules = (0..<2).map { _ in AJCCModule(slots: slots) }
    blend = Buffer(0, count: slots)
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

/// Makes the five channels of one side from two carriers: front, surround, back, top in front and top behind
/// (A-JCC, TS 103 190-2, 5.6.3.5).
///
/// Channel o is d(o) · xa + d(o + 5) · xb + w(o) · y0 + w(o + 5) · y1 + w(o + 10) · y2, where xa is the front carrier, xb the
/// other, and y are decorrelated: xa, a blend of both, and xb. All but the front channel are raised by 3 dB.
final class AJCCModule {
  /// The channels of a side.
  struct Channels {
    /// The front channel, at first the front carrier.
    let front: SubbandFrame
    /// The surround channel, at first the other carrier.
    let surround: SubbandFrame
    let back: SubbandFrame
    let topFront: SubbandFrame
    let topBack: SubbandFrame

    /// The channels in the order of the coefficients.
    subscript(_ index: Int) -> SubbandFrame {
      switch index {
      case 0: front
      case 1: surround
      case 2: back
      case 3: topFront
      default: topBack
      }
    }
  }

  /// 2 + 1 / √2, by which the standard multiplies the carriers.
  static let scale: Float = 2.707_106_78
  /// √2.
  private static let root: Float = 1.414_213_56
  /// Channels of a side.
  private static let channels = 5
  /// Coefficients: 10 dry and 15 wet ones.
  private static let count = 25

  private let slots: Int
  private let decorrelators: [ACPLDecorrelator]
  private let duckers: [ACPLDucker]
  /// The carriers and what is decorrelated: xa, xb, y0, y1, y2.
  private let sources: [SubbandFrame]
  /// One coefficient slot by slot.
  private let curve: Buffer<Float>
  /// The coefficients of each subband at the end of the last frame.
  private let last = Buffer<Float>(0, count: QMF.bands * count)
  /// Coefficients of both sets: set, band, coefficient.
  private let targets = Buffer<Float>(0, count: 2 * AJCCParameters.rowLength * count)

  /// A module for frames of `slots` slots.
  init(slots: Int) {
    self.slots = slots
    decorrelators = [0, 2, 1].map { ACPLDecorrelator($0, slots: slots) }
    duckers = (0..<3).map { _ in ACPLDucker(slots: slots) }
    sources = (0..<5).map { _ in SubbandFrame(slots: slots) }
    curve = Buffer(0, count: slots)
  }

  /// Replaces the carriers by the five channels.
  /// - Parameters:
  ///   - parameters: the frame's; `nil` keeps the last frame's coefficients.
  ///   - side: 0 for left, 1 for right.
  ///   - blend: which part of y1's input comes from the surround carrier, slot by slot; the rest is the front one's.
  func process(
    _ parameters: AJCCParameters?, side: Int, blend: UnsafePointer<Float>, _ channels: Channels
  ) {
    prepare(channels, blend)
    var curve = ACPLCurve(nil, slots: slots)
    if let parameters {
      let framing = parameters.framing(side)
      curve = ACPLCurve(
        sets: framing.setCount, isSteep: framing.isSteep, at: framing.slots, slots: slots,
        bands: parameters.form.bandOfSubband)
      for set in 0..<framing.setCount { dequantise(parameters, side, set) }
    }
    for index in 0..<AJCCModule.channels {
      let channel = channels[index]
      channel.clear()
      for source in 0..<5 {
        add(source * AJCCModule.channels + index, sources[source], curve, to: channel)
      }
      if index > 0 { channel.scale(by: AJCCModule.root) }
    }
  }

  /// Forgets everything.
  func reset() {
    for decorrelator in decorrelators { decorrelator.reset() }
    for ducker in duckers { ducker.reset() }
    last.fill(0)
  }

  /// Scales the carriers, and decorrelates.
  private func prepare(_ channels: Channels, _ blend: UnsafePointer<Float>) {
    scale(channels, blend) { $0.real }
    scale(channels, blend) { $0.imaginary }
    for index in 0..<3 {
      let source = index == 0 ? sources[0] : index == 1 ? sources[3] : sources[1]
      decorrelators[index].process(source, gain: 1, into: sources[2 + index])
      duckers[index].process(sources[2 + index])
    }
  }

  /// Writes the real or the imaginary parts of the scaled carriers, and their blend where its sound will be.
  private func scale(
    _ channels: Channels, _ blend: UnsafePointer<Float>, _ part: (SubbandFrame) -> SlotRows
  ) {
    for subband in 0..<QMF.bands {
      let front = part(channels.front).row(subband)
      let surround = part(channels.surround).row(subband)
      let (xa, xb) = (part(sources[0]).row(subband), part(sources[1]).row(subband))
      let mixed = part(sources[3]).row(subband)
      for slot in 0..<slots {
        xa[slot] = AJCCModule.scale * front[slot]
        xb[slot] = AJCCModule.scale * surround[slot]
        mixed[slot] = blend[slot] * xb[slot] + (1 - blend[slot]) * xa[slot]
      }
    }
  }

  /// Adds a source, times a coefficient, to a channel, and moves the coefficient on.
  private func add(
    _ index: Int, _ source: SubbandFrame, _ curve: ACPLCurve, to channel: SubbandFrame
  ) {
    for subband in 0..<QMF.bands {
      let place = subband * AJCCModule.count + index
      let start = last.base[place]
      var values = SIMD2<Float>(repeating: start)
      if curve.setCount > 0 {
        let band = curve.band(subband)
        let second = (curve.setCount - 1) * AJCCParameters.rowLength + band
        values = SIMD2(
          targets.base[band * AJCCModule.count + index],
          targets.base[second * AJCCModule.count + index])
      }
      last.base[place] = curve.last(start, values)
      guard start != 0 || values != .zero else { continue }
      if curve.setCount > 0 {
        curve.fill(self.curve.base, from: start, values)
      } else {
        self.curve.fill(start)
      }
      add(source.real.row(subband), to: channel.real.row(subband))
      add(source.imaginary.row(subband), to: channel.imaginary.row(subband))
    }
  }

  /// Adds a row, times the coefficient at hand, to another one.
  private func add(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>) {
    for slot in 0..<slots { target[slot] += curve.base[slot] * source[slot] }
  }

  // MARK: Coefficients

  /// Writes the coefficients of each band of a parameter set.
  private func dequantise(_ parameters: AJCCParameters, _ side: Int, _ set: Int) {
    let rows = AJCCParameters.sides[side]
    let step: Float = parameters.form.hasCoarseShares ? 0.2 : 0.1
    for band in 0..<parameters.form.bandCount {
      func value(_ row: Int) -> Int16 {
        parameters.values.base[
          set * AJCCParameters.setLength + rows[row] * AJCCParameters.rowLength + band]
      }
      let pair = ACPLValues.Pair(
        alpha: value(0), beta: value(1), isCoarse: parameters.form.isCoarse)
      let dry = SIMD2(Float(value(2)) * step - 0.6, Float(value(3)) * step - 0.6)
      let wet = SIMD3(
        Float(value(4)) * step - 2, Float(value(5)) * step - 2, Float(value(6)) * step - 2)
      let target =
        targets.base + (set * AJCCParameters.rowLength + band) * AJCCModule.count
      target.update(repeating: 0, count: AJCCModule.count)
      AJCCModule.write(pair, dry, wet, parameters.hasWideFront, to: target)
    }
  }

  /// Writes the coefficients that aren't 0: one carrier is split in two, the other in three.
  private static func write(
    _ pair: ACPLValues.Pair, _ dry: SIMD2<Float>, _ wet: SIMD3<Float>, _ hasWideFront: Bool,
    to target: UnsafeMutablePointer<Float>
  ) {
    // The channels that share a carrier: two of them by alpha and beta, three by dry and wet values.
    let two = hasWideFront ? (3, 4) : (0, 3)
    let three = hasWideFront ? (0, 1, 2) : (1, 2, 4)
    let (single, triple) = hasWideFront ? (5, 0) : (0, 5)
    target[single + two.0] = (1 + pair.alpha) / 2
    target[single + two.1] = (1 - pair.alpha) / 2
    target[triple + three.0] = dry[0]
    target[triple + three.1] = dry[1]
    target[triple + three.2] = 1 - dry[0] - dry[1]
    // The decorrelated sound of the carrier of two, and the two of the carrier of three: the blend and its own.
    let half: Float = 0.707_106_78
    let own = hasWideFront ? 20 : 10
    target[own + two.0] = pair.beta / 2
    target[own + two.1] = -pair.beta / 2
    let (first, second) = hasWideFront ? (10, 15) : (15, 20)
    target[first + three.0] = half * (wet[0] + wet[2])
    target[first + three.1] = -half * wet[2]
    target[first + three.2] = -half * wet[0]
    target[second + three.0] = half * (wet[2] + wet[1])
    target[second + three.1] = -half * wet[1]
    target[second + three.2] = -half * wet[2]
  }
}
