/// Applies the dynamic range data of one decoder mode (TS 103 190-1, 5.7.9).
///
/// Curves follow a level that is measured here, K-weighted by subband; the standard leaves the
/// measurement open.
final class DynamicRangeController {
  private let mode: AC4ChannelMode
  private let slots: Int
  private let slotMilliseconds: Float
  private let modeID: Int
  private let weights: FixedBuffer<Float>
  private let gains: FixedBuffer<Float>

  private var settings: DRCSettings?
  private var transmitted: [Int] = []
  private var transmittedConfiguration = 0
  private var dialnorm: Float = 0
  private var power: Float = 0
  private var gain: Float = 1

  /// A controller for frames of `slots` slots at `rate` samples a second.
  init(_ mode: AC4ChannelMode, _ use: AC4DecoderOptions.DynamicRange, slots: Int, rate: Double) {
    self.mode = mode
    self.slots = slots
    modeID = use == .rf ? 1 : 0
    slotMilliseconds = Float(64_000 / rate)
    gains = FixedBuffer(1, count: slots)
    // White noise keeps its power when its subbands' energies are summed with this factor.
    let energy = QMFWindow.prototype.reduce(0) { $0 + $1 * $1 }
    let scale = 1 / (Double(QMF.bands) * energy) / (32768 * 32768)
    weights = FixedBuffer(
      (0..<QMF.bands).map {
        Float(scale * KWeight.energy(at: (Double($0) + 0.5) * rate / 128))
      }, or: 0)
  }

  /// What a frame says, to be applied with it.
  struct Control {
    /// Its dynamic range data; `nil` when there are none.
    var data: AC4DynamicRange?
    /// Dialogue level in dB below full scale.
    var dialnorm = 0.0
  }

  /// Applies one frame's control to its subbands.
  func apply(_ control: Control, _ frames: [SubbandFrame]) {
    use(control)
    if let settings {
      follow(settings, frames)
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

  private func use(_ control: Control) {
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

  /// Writes the gain of each slot from the level.
  private func follow(_ settings: DRCSettings, _ frames: [SubbandFrame]) {
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
    for slot in 0..<slots { target[slot] = step(settings, target[slot]) }
  }

  /// One slot of the follower: its power in, its gain out.
  private func step(_ settings: DRCSettings, _ now: Float) -> Float {
    let jump = 10 * Maths.log10((now + 1e-12) / (power + 1e-12))
    let isRising = jump > 0
    var isFast = false
    if let thresholds = settings.thresholds {
      isFast = isRising ? jump > thresholds.attack : -jump > thresholds.release
    }
    let time = settings.times[(isRising ? 0 : 1) + (isFast ? 2 : 0)]
    let keep = Maths.power2(-slotMilliseconds / max(time, 1))
    power = keep * power + (1 - keep) * now
    let level = -0.691 + 10 * Maths.log10(power + 1e-12)
    let wanted = Maths.power2(settings.gain(at: level - dialnorm) / 6)
    // A gain that falls has waited for the level already; waiting twice would let onsets through.
    gain = wanted < gain ? wanted : keep * gain + (1 - keep) * wanted
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

  /// Transmitted gains: by group of channels, band and subframe.
  private func applyTransmitted(_ frames: [SubbandFrame]) {
    let borders = [[0, 64], [0, 64], [0, 5, 64], [0, 1, 5, 17, 64]][transmittedConfiguration & 3]
    let bands = borders.count - 1
    let groups = transmittedConfiguration == 0 ? 1 : mode.rawValue <= 1 ? 1 : 3
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

  /// Group of a channel in coded order: front and LFE, centre, the others.
  private func channelGroup(_ index: Int) -> Int {
    if index < 2 || (mode.hasLFE && index == 3) { return 0 }
    return index == 2 ? 1 : 2
  }
}
