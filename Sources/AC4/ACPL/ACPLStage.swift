// SPDX-License-Identifier: Apache-2.0
import Signal

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

/// Makes two channels from a carrier (`ACplModule`, TS 103 190-1, 5.7.7.5).
///
/// From `acpl_qmf_band` on the channels are x · (1 ± α) ± y · β / 2, where x is the carrier and y what the
/// decorrelator makes of 2x. Below, they are the sum and the difference of carrier and residual.
final class ACPLModule {
  private let slots: Int
  private let decorrelator: ACPLDecorrelator
  private let ducker: ACPLDucker
  /// The decorrelated carrier.
  private let wet: SubbandFrame
  /// α slot by slot in the current subband.
  private let alpha: Buffer<Float>
  /// β slot by slot in the current subband.
  private let beta: Buffer<Float>
  /// The values of each subband at the end of the last frame.
  private let last = Buffer<ACPLValues.Pair>(.init(), count: QMF.bands)
  /// Dequantised values of both parameter sets.
  private let values = Buffer<ACPLValues.Pair>(.init(), count: 2 * ACPLParameters.rowLength)
  /// `acpl_qmf_band`.
  private var firstSubband = 0

  /// A module with decorrelator `index` for frames of `slots` slots.
  init(_ index: Int, slots: Int) {
    self.slots = slots
    decorrelator = ACPLDecorrelator(index, slots: slots)
    ducker = ACPLDucker(slots: slots)
    wet = SubbandFrame(slots: slots)
    alpha = Buffer(0, count: slots)
    beta = Buffer(0, count: slots)
  }

  /// Replaces a carrier and its residual by the two channels.
  /// - Parameter parameters: the frame's; `nil` keeps the last frame's values.
  func process(
    _ parameters: ACPLParameters?, _ carrier: SubbandFrame, _ other: SubbandFrame
  ) {
    // The standard doubles the module's inputs and halves its outputs.
    decorrelator.process(carrier, gain: 2, into: wet)
    ducker.process(wet)
    let curve = ACPLCurve(parameters, slots: slots)
    if let parameters, let configuration = parameters.configuration {
      firstSubband = configuration.firstSubband
      dequantise(parameters, configuration)
    }
    for subband in 0..<QMF.bands {
      shape(subband, curve.band(subband), curve)
      mix(subband, carrier.real, other.real, wet.real)
      mix(subband, carrier.imaginary, other.imaginary, wet.imaginary)
    }
  }

  /// Forgets everything.
  func reset() {
    decorrelator.reset()
    ducker.reset()
    last.fill(.init())
    firstSubband = 0
  }

  private func dequantise(_ parameters: ACPLParameters, _ configuration: ACPLConfiguration) {
    for set in 0..<parameters.setCount {
      let row = parameters.values.base + set * ACPLParameters.setLength
      for band in configuration.firstBand..<configuration.bandCount {
        values.base[set * ACPLParameters.rowLength + band] = ACPLValues.Pair(
          alpha: row[band], beta: row[ACPLParameters.rowLength + band],
          isCoarse: configuration.isCoarse)
      }
    }
  }

  /// Writes α and β of a subband slot by slot.
  private func shape(_ subband: Int, _ band: Int, _ curve: ACPLCurve) {
    let start = last.base[subband]
    guard curve.setCount > 0, subband >= firstSubband else {
      let kept = subband < firstSubband ? ACPLValues.Pair() : start
      last.base[subband] = kept
      alpha.fill(kept.alpha)
      beta.fill(kept.beta)
      return
    }
    let first = values.base[band]
    let second = values.base[(curve.setCount - 1) * ACPLParameters.rowLength + band]
    let alphas = SIMD2(first.alpha, second.alpha)
    let betas = SIMD2(first.beta, second.beta)
    curve.fill(alpha.base, from: start.alpha, alphas)
    curve.fill(beta.base, from: start.beta, betas)
    last.base[subband].alpha = curve.last(start.alpha, alphas)
    last.base[subband].beta = curve.last(start.beta, betas)
  }

  /// Makes the real or the imaginary parts of two channels in one subband.
  private func mix(_ subband: Int, _ carrier: SlotRows, _ other: SlotRows, _ wet: SlotRows) {
    let (first, second) = (carrier.row(subband), other.row(subband))
    if subband < firstSubband {
      separate(first, second)
    } else {
      upmix(first, second, wet.row(subband))
    }
  }

  /// Turns mid and side into two channels.
  private func separate(
    _ mid: UnsafeMutablePointer<Float>, _ side: UnsafeMutablePointer<Float>
  ) {
    for slot in 0..<slots {
      let (sum, difference) = (mid[slot] + side[slot], mid[slot] - side[slot])
      mid[slot] = sum
      side[slot] = difference
    }
  }

  /// Makes two channels of a carrier and its decorrelated signal.
  private func upmix(
    _ carrier: UnsafeMutablePointer<Float>, _ other: UnsafeMutablePointer<Float>,
    _ wet: UnsafePointer<Float>
  ) {
    let (alpha, beta) = (alpha.base, beta.base)
    for slot in 0..<slots {
      let dry = carrier[slot]
      let decorrelated = 0.5 * wet[slot] * beta[slot]
      carrier[slot] = dry * (1 + alpha[slot]) + decorrelated
      other[slot] = dry * (1 - alpha[slot]) - decorrelated
    }
  }
}

/// The interpolation of A-CPL parameters over the slots of a frame (TS 103 190-1, 5.7.7.3).
///
/// Smooth values run along a line from the last frame's end to each set; steep ones jump at the slots that
/// are sent.
struct ACPLCurve {
  /// Parameter sets of the frame, 1 or 2; 0 keeps the last frame's values.
  let setCount: Int
  private let isSteep: Bool
  /// Slot at which the first set is reached, or from which it holds.
  private let first: Int
  /// Slot from which the second set holds, where values are steep.
  private let second: Int
  /// Slots of the frame.
  private let count: Int
  /// Parameter band of each subband.
  private let bands: [UInt8]

  /// The curve of a frame of `slots` slots.
  /// - Parameter parameters: the frame's; `nil` keeps the last frame's values.
  init(_ parameters: ACPLParameters?, slots: Int) {
    guard let parameters, let configuration = parameters.configuration else {
      // Steep, and the first set holds from the frame's end on.
      self.init(sets: 0, isSteep: true, at: SIMD2(slots, slots), slots: slots, bands: [])
      return
    }
    self.init(
      sets: parameters.setCount, isSteep: parameters.isSteep, at: parameters.slots, slots: slots,
      bands: configuration.bandOfSubband)
  }

  /// A curve of one or two parameter sets in a frame of `slots` slots.
  /// - Parameters:
  ///   - places: slot from which each set holds, where values are steep.
  ///   - bands: parameter band of each subband.
  init(sets: Int, isSteep: Bool, at places: SIMD2<Int>, slots: Int, bands: [UInt8]) {
    (count, setCount, self.isSteep, self.bands) = (slots, sets, isSteep, bands)
    if isSteep {
      first = min(places[0], slots)
      second = sets > 1 ? min(max(places[1], first), slots) : slots
    } else {
      first = sets > 1 ? slots / 2 : slots
      second = slots
    }
  }

  /// Parameter band of a subband.
  func band(_ subband: Int) -> Int { bands.isEmpty ? 0 : Int(bands[subband]) }

  /// Writes the value of each slot.
  /// - Parameters:
  ///   - start: the value at the end of the last frame.
  ///   - values: the values of the two sets.
  @inline(__always)
  func fill(
    _ target: UnsafeMutablePointer<Float>, from start: Float, _ values: SIMD2<Float>
  ) {
    if isSteep {
      for slot in 0..<first { target[slot] = start }
      for slot in first..<second { target[slot] = values[0] }
      for slot in second..<count { target[slot] = values[1] }
      return
    }
    let step = (values[0] - start) / Float(first)
    for slot in 0..<first { target[slot] = start + step * Float(slot + 1) }
    let later = (values[1] - values[0]) / Float(max(1, count - first))
    for slot in first..<count { target[slot] = values[0] + later * Float(slot - first + 1) }
  }

  /// The value at the end of the frame.
  func last(_ start: Float, _ values: SIMD2<Float>) -> Float {
    setCount == 0 ? start : values[setCount - 1]
  }
}

/// Dequantisation of A-CPL parameters (TS 103 190-1, Tables 203 to 208).
enum ACPLValues {
  /// α and β of one band of one parameter set.
  struct Pair: Equatable {
    /// How a carrier is split between its two channels.
    var alpha: Float = 0
    /// How much of the decorrelated carrier goes into them.
    var beta: Float = 0

    init() {}

    /// The values of two indices. The table of β has columns, which α chooses.
    init(alpha: Int16, beta: Int16, isCoarse: Bool) {
      let place = Int(alpha)
      if isCoarse {
        self.alpha = ACPLTables.alphaCoarse[place]
        self.beta = ACPLTables.betaCoarse[Int(beta) * 5 + ACPLTables.columnCoarse[place]]
      } else {
        self.alpha = ACPLTables.alphaFine[place]
        self.beta = ACPLTables.betaFine[Int(beta) * 9 + ACPLTables.columnFine[place]]
      }
    }
  }

  /// β₃ of an index.
  static func beta3(_ index: Int16, isCoarse: Bool) -> Float {
    Float(index) * (isCoarse ? 0.25 : 0.125)
  }

  /// γ of an index: steps of about 0.1 or 0.2 in fixed-point numbers.
  static func gamma(_ index: Int16, isCoarse: Bool) -> Float {
    Float(index) * (isCoarse ? 3276 : 1638) / 16384
  }
}
