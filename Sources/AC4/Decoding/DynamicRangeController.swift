// SPDX-License-Identifier: Apache-2.0
import Signal

/// Dynamic range control of one decoder mode (TS 103 190-1, 5.7.9).
///
/// The gains of curves depend on a level that is measured here, K-weighted by subband (ITU-R BS.1770); the
/// standard leaves the measurement open.
final class DynamicRangeController {
  private let mode: AC4ChannelMode
  private let slots: Int
  private let slotMilliseconds: Float
  /// `drc_decoder_mode_id`.
  private let modeID: Int
  /// Weight of each subband's energy in the level: K-weighting, and full scale as 1.
  private let weights: Buffer<Float>
  /// Gain of each slot of the current frame.
  private let gains: Buffer<Float>

  /// Added to a power before it is divided by or its logarithm is taken: −120 dB.
  private static let silence: Float = 1e-12

  /// The curve in force; `nil` for none and for transmitted gains.
  private var settings: DRCSettings?
  /// The transmitted gains of the current frame in dB2.
  private var transmitted: [Int] = []
  /// `drc_gains_config`.
  private var transmittedConfiguration = 0
  /// Dialogue level in dB below full scale.
  private var dialnorm: Float = 0
  /// The smoothed power.
  private var power: Float = 0
  /// The gain of the last slot.
  private var gain: Float = 1

  /// A controller for frames of `slots` slots at `rate` samples a second.
  init(_ mode: AC4ChannelMode, _ use: AC4DecoderOptions.DynamicRange, slots: Int, rate: Double) {
    self.mode = mode
    self.slots = slots
    modeID = use == .rf ? 1 : 0
    // A slot has 64 samples.
    slotMilliseconds = Float(64_000 / rate)
    gains = Buffer(1, count: slots)
    // With this factor the energies of white noise's subbands add up to its power.
    let energy = QMF.prototype.reduce(0) { $0 + $1 * $1 }
    let scale = 1 / (Double(QMF.bands) * energy) / Double(QMF.fullScale * QMF.fullScale)
    weights = Buffer(
      (0..<QMF.bands).map {
        Float(scale * KWeight.energy(at: (Double($0) + 0.5) * rate / 128))
      }, or: 0)
  }

  /// The dynamic range metadata of one frame.
  struct Control {
    /// `drc_frame`; `nil` when there is none.
    var data: AC4DynamicRange?
    /// Dialogue level in dB below full scale.
    var dialnorm = 0.0
  }

  /// Applies one frame's control to its subbands.
  func apply(_ control: Control, _ frames: [SubbandFrame]) {
    update(control)
    if let settings {
      setGains(settings, frames)
      for frame in frames { scale(frame, 0..<QMF.bands) }
    } else if !transmitted.isEmpty {
      applyTransmitted(frames)
    }
  }

  /// Forgets everything.
  func reset() {
    settings = nil
    transmitted = []
    power = 0
    gain = 1
  }

  /// Takes over the settings of a frame; one without data keeps the last ones.
  private func update(_ control: Control) {
    guard let data = control.data else { return }
    dialnorm = Float(control.dialnorm)
    if data.isReset {
      power = 0
      gain = 1
    }
    guard let place = data.modes.firstIndex(where: { $0.id == modeID }) else {
      settings = nil
      transmitted = []
      return
    }
    switch data.modes[place].profile {
    case .standard:
      settings = DRCSettings(profile: data.profile)
      transmitted = []
    case .curve(let curve):
      settings = DRCSettings(curve)
      transmitted = []
    case .gains(let configuration):
      settings = nil
      transmittedConfiguration = configuration
      transmitted = data.isPresent && place < data.gains.count ? data.gains[place] : []
    }
  }

  /// Writes the gain of each slot that the curve gives for its level.
  private func setGains(_ settings: DRCSettings, _ frames: [SubbandFrame]) {
    let target = gains.base
    target.update(repeating: 0, count: slots)
    for (index, frame) in frames.enumerated() where !(mode.hasLFE && index == 3) {
      for band in 0..<QMF.bands {
        let real = frame.real.row(band)
        let imaginary = frame.imaginary.row(band)
        let weight = weights.base[band]
        for slot in 0..<slots {
          target[slot] +=
            weight * (real[slot] * real[slot] + imaginary[slot] * imaginary[slot])
        }
      }
    }
    for slot in 0..<slots { target[slot] = smoothedGain(settings, target[slot]) }
  }

  /// Smooths the power `now` of one slot and answers its gain.
  private func smoothedGain(_ settings: DRCSettings, _ now: Float) -> Float {
    let jump =
      10
      * Maths.log10(
        (now + DynamicRangeController.silence) / (power + DynamicRangeController.silence))
    let isRising = jump > 0
    var isFast = false
    if let thresholds = settings.thresholds {
      isFast = isRising ? jump > thresholds.attack : -jump > thresholds.release
    }
    let time = settings.times[(isRising ? 0 : 1) + (isFast ? 2 : 0)]
    let keep = Maths.power2(-slotMilliseconds / max(time, 1))
    power = keep * power + (1 - keep) * now
    // The offset of loudness in BS.1770.
    let level = -0.691 + 10 * Maths.log10(power + DynamicRangeController.silence)
    let target = Maths.power2(settings.gain(at: level - dialnorm) / 6)
    // A falling gain isn't smoothed: the level behind it already is, and doing it twice would let onsets
    // through.
    gain = target < gain ? target : keep * gain + (1 - keep) * target
    return gain
  }

  private func scale(_ frame: SubbandFrame, _ bands: Range<Int>) {
    for band in bands {
      let real = frame.real.row(band)
      let imaginary = frame.imaginary.row(band)
      for slot in 0..<slots {
        real[slot] *= gains.base[slot]
        imaginary[slot] *= gains.base[slot]
      }
    }
  }

  /// Applies transmitted gains, which are sent by group of channels, band and subframe.
  private func applyTransmitted(_ frames: [SubbandFrame]) {
    // Bands in QMF subbands for each `drc_gains_config`.
    let borders = [[0, 64], [0, 64], [0, 5, 64], [0, 1, 5, 17, 64]][transmittedConfiguration & 3]
    let bands = borders.count - 1
    let number = mode.rawValue
    let groups = transmittedConfiguration == 0 || number <= 1 ? 1 : number <= 10 ? 3 : 4
    let subframes = max(1, transmitted.count / (groups * bands))
    for (index, frame) in frames.enumerated() {
      let group = min(groups - 1, mode.rawValue <= 1 ? 0 : channelGroup(index))
      for band in 0..<bands {
        for slot in 0..<slots {
          let place = (group * bands + band) * subframes + slot * subframes / slots
          let value = place < transmitted.count ? transmitted[place] : 0
          gains.base[slot] = Maths.power2(Float(value) / 6)
        }
        scale(frame, borders[band]..<borders[band + 1])
      }
    }
  }

  /// Group of a channel in coded order: front and LFE, centre, the others; in immersive modes, the tops are apart.
  private func channelGroup(_ index: Int) -> Int {
    if index < 2 || (mode.hasLFE && index == 3) { return 0 }
    if index == 2 { return 1 }
    return mode.rawValue > 10 && index >= 7 + (mode.hasLFE ? 1 : 0) ? 3 : 2
  }
}

/// A compression curve with its time constants (TS 103 190-1, 5.7.9.3.2).
struct DRCSettings: Equatable {
  /// Levels relative to dialogue in dB, ascending, and the gain at each in dB2. 6 dB2 double the amplitude.
  var points: [(level: Float, gain: Float)]
  /// Time constants of attack, release, fast attack and fast release in ms.
  var times: [Float]
  /// Rise and fall of the level in dB beyond which the fast times are used; `nil` for never.
  var thresholds: (attack: Float, release: Float)?

  /// The profile that `drc_eac3_profile` names: 1 film standard, 2 film light, 3 music standard,
  /// 4 music light, 5 speech; `nil` for others.
  init?(profile: Int) {
    switch profile {
    case 1: points = [(-12, 6), (0, 0), (5, 0), (15, -5), (35, -24)]
    case 2: points = [(-22, 6), (-10, 0), (10, 0), (20, -5), (40, -24)]
    case 3: points = [(-24, 12), (0, 0), (5, 0), (15, -5), (35, -24)]
    case 4: points = [(-34, 12), (-10, 0), (10, 0), (40, -15)]
    case 5: points = [(-19, 15), (0, 0), (5, 0), (15, -5), (35, -24)]
    default: return nil
    }
    times = profile == 5 ? [100, 1000, 10, 200] : [100, profile == 3 ? 10_000 : 3000, 10, 1000]
    thresholds = profile == 5 ? (10, 10) : (15, 20)
  }

  /// Units of the transmitted time constants in ms, in the order of ``times``.
  private static let timeUnits: [Float] = [5, 40, 5, 20]

  /// The curve that a stream carries (`drc_compression_curve`).
  init(_ curve: AC4DRCCurve) {
    let low = -Float(curve.nullBandLow)
    let high = Float(curve.nullBandHigh)
    var points: [(level: Float, gain: Float)] = [(low, 0)]
    if curve.maximumBoost > 0 {
      var start = low
      if let section = curve.boostSection {
        start = low - 1 - Float(curve.boostSectionLevel)
        points.insert((start, 1 + Float(section)), at: 0)
      }
      points.insert(
        (start - 1 - Float(curve.maximumBoostLevel), Float(curve.maximumBoost)), at: 0)
    }
    points.append((high, 0))
    if curve.maximumCut > 0 {
      var start = high
      if let section = curve.cutSection {
        start = high + 1 + Float(curve.cutSectionLevel)
        points.append((start, -1 - Float(section)))
      }
      points.append((start + 1 + Float(curve.maximumCutLevel), -Float(curve.maximumCut)))
    }
    self.points = points
    if let coded = curve.timeConstants {
      times = DRCSettings.timeUnits.indices.map { Float(coded[$0]) * DRCSettings.timeUnits[$0] }
    } else {
      // The defaults of `drc_tc_default_flag`.
      times = [100, 3000, 10, 1000]
    }
    thresholds = curve.fastThresholds.map { (Float($0[0]), Float($0[1])) }
  }

  /// The gain in dB2 at a level relative to dialogue in dB.
  func gain(at level: Float) -> Float {
    guard let first = points.first, let last = points.last else { return 0 }
    if level <= first.level { return first.gain }
    for place in 1..<max(1, points.count) where level <= points[place].level {
      let (left, right) = (points[place - 1], points[place])
      guard right.level > left.level else { return right.gain }
      let part = (level - left.level) / (right.level - left.level)
      return left.gain + part * (right.gain - left.gain)
    }
    return last.gain
  }

  static func == (left: DRCSettings, right: DRCSettings) -> Bool {
    left.times == right.times && left.thresholds?.attack == right.thresholds?.attack
      && left.thresholds?.release == right.thresholds?.release
      && left.points.map(\.level) == right.points.map(\.level)
      && left.points.map(\.gain) == right.points.map(\.gain)
  }
}

/// The frequency response of K-weighting (ITU-R BS.1770).
///
/// The numbers describe analogue filters from which the bilinear transform gives the coefficients that the
/// recommendation tabulates for 48 kHz.
enum KWeight {
  /// The factor on the energy at `frequency` Hz: a shelf of 4 dB at 1682 Hz and a high-pass at 38 Hz.
  static func energy(at frequency: Double) -> Double {
    let shelf = frequency / 1681.974
    let high = 1.584_864
    let band = 1.258_720
    let quality = 0.707_175
    let top = square(1 - high * shelf * shelf) + square(band * shelf / quality)
    let bottom = square(1 - shelf * shelf) + square(shelf / quality)
    let pass = frequency / 38.135
    let passBottom = square(1 - pass * pass) + square(pass / 0.500_327)
    return top / bottom * square(pass * pass) / passBottom
  }

  private static func square(_ value: Double) -> Double { value * value }
}
