// SPDX-License-Identifier: Apache-2.0
import Signal

/// Dialogue enhancement: raises dialogue with the parameters that the stream carries for it
/// (TS 103 190-1, 5.7.8).
final class DialogueEnhancer {
  /// Values of one frame's matrices: 3 × 3 for left, right and centre in each of eight bands.
  static let matrixCount = 72

  /// Borders of the eight parameter bands in QMF subbands.
  private static let borders = [0, 1, 2, 4, 7, 11, 17, 27, 41]
  /// The parameter p for each index of the methods that work channel by channel.
  private static let levels: [Double] =
    (0...15).map { Double($0) / 10 } + [1.75, 2] + (0..<14).map { 2.5 + Double($0) / 2 }
  /// `de_mix_coef1` and `de_mix_coef2` for each index.
  private static let mixes = [
    0, 0.00632, 0.01, 0.0179, 0.0316, 0.0565, 0.0787, 0.111, 0.156, 0.218, 0.303, 0.37, 0.448,
    0.533, 0.577, 0.622, 0.7071, 0.783, 0.846, 0.894, 0.929, 0.953, 0.976, 0.9877, 0.9938, 0.9969,
    0.9984, 0.9995, 0.99984, 0.99995, 0.99998, 1,
  ]

  /// The gain that the listener wants, in dB.
  private let gain: Double
  /// The decoder's channels for left, right and centre.
  private let channels: [Int?]
  /// The matrices of the frame before.
  private let previous = Buffer<Float>(0, count: matrixCount)
  private let values = Buffer<SIMD2<Float>>(.zero, count: 3)

  /// An enhancer of a mode's channels by up to `gain` dB.
  init(_ mode: AC4ChannelMode, gain: Double) {
    self.gain = gain
    switch mode.rawValue {
    case 0: channels = [nil, nil, 0]
    case 1: channels = [0, 1, nil]
    default: channels = [0, 1, 2]
    }
    DialogueEnhancer.setIdentity(previous.base)
  }

  /// Writes identity matrices.
  static func setIdentity(_ matrices: UnsafeMutablePointer<Float>) {
    for place in 0..<matrixCount { matrices[place] = identity(place) }
  }

  /// Every fourth of the nine values of a 3 × 3 matrix lies on its diagonal.
  private static func identity(_ place: Int) -> Float { place % 9 % 4 == 0 ? 1 : 0 }

  /// Writes the matrices of a frame's data: rows are outputs, columns inputs, left, right, centre.
  func setMatrices(
    _ data: AC4DialogueEnhancement?, into matrices: UnsafeMutablePointer<Float>
  ) {
    DialogueEnhancer.setIdentity(matrices)
    guard let data, data.channelCount > 0 else { return }
    let factor = Maths.decibels(min(gain, Double(data.maximumGain))) - 1
    // `de_channel_config`: left is the highest bit, centre the lowest.
    let coded = (0..<3).filter { data.channels >> (2 - $0) & 1 == 1 }
    for band in 0..<8 {
      let matrix = matrices + 9 * band
      let levels = (0..<3).map { DialogueEnhancer.level(data, 8 * $0 + band) }
      // Methods 1 and 3 work across channels, 0 and 2 channel by channel.
      if data.method & 1 == 1 {
        let mix = DialogueEnhancer.mix(data, coded)
        for row in coded {
          for column in coded {
            matrix[3 * row + column] += Float(factor * mix[row] * levels[column])
          }
        }
      } else if data.isMidSide, coded.count == 2 {
        let half = Float(factor * levels[coded[0]] / 2)
        for row in coded { for column in coded { matrix[3 * row + column] += half } }
      } else {
        for channel in coded { matrix[4 * channel] += Float(factor * levels[channel]) }
      }
    }
  }

  /// Applies a frame's matrices, fading over from those of the frame before.
  func apply(
    _ frames: [SubbandFrame], _ matrices: UnsafePointer<Float>, slots: Int
  ) {
    let isIdle = (0..<DialogueEnhancer.matrixCount).allSatisfy {
      matrices[$0] == previous.base[$0] && matrices[$0] == DialogueEnhancer.identity($0)
    }
    if !isIdle {
      for band in 0..<8 {
        for subband in DialogueEnhancer.borders[band]..<DialogueEnhancer.borders[band + 1] {
          mix(frames, subband, slots, from: previous.base + 9 * band, to: matrices + 9 * band)
        }
      }
    }
    previous.base.update(from: matrices, count: DialogueEnhancer.matrixCount)
  }

  /// Forgets the frame before.
  func reset() { DialogueEnhancer.setIdentity(previous.base) }

  /// Applies one band's matrices to one subband, slot by slot.
  private func mix(
    _ frames: [SubbandFrame], _ subband: Int, _ slots: Int, from old: UnsafePointer<Float>,
    to new: UnsafePointer<Float>
  ) {
    for slot in 0..<slots {
      // The frame's own matrices are reached at its end; the weight is that of the middle of the slot.
      let weight = (Float(slot) + 0.5) / Float(slots)
      for (place, channel) in channels.enumerated() {
        guard let channel else {
          values.base[place] = .zero
          continue
        }
        values.base[place] = SIMD2(
          frames[channel].real.row(subband)[slot], frames[channel].imaginary.row(subband)[slot])
      }
      for (row, channel) in channels.enumerated() {
        guard let channel else { continue }
        var sum = SIMD2<Float>.zero
        for column in 0..<3 {
          let place = 3 * row + column
          sum += values.base[column] * (old[place] + weight * (new[place] - old[place]))
        }
        frames[channel].real.row(subband)[slot] = sum.x
        frames[channel].imaginary.row(subband)[slot] = sum.y
      }
    }
  }

  /// The parameter p that a coded index stands for.
  private static func level(_ data: AC4DialogueEnhancement, _ place: Int) -> Double {
    let index = data.parameters[place]
    // Across channels p has steps of 0.1 up to ±3.
    if data.method & 1 == 1 { return 0.1 * Double(min(max(index, -30), 30)) }
    return levels[min(max(index, 0), levels.count - 1)]
  }

  /// The rendering vector r of the methods across channels: the share of each channel in dialogue, with a
  /// power of 1 in sum.
  private static func mix(_ data: AC4DialogueEnhancement, _ coded: [Int]) -> [Double] {
    var mix = [0.0, 0, 0]
    guard coded.count > 1 else {
      mix[coded[0]] = 1
      return mix
    }
    let first = mixes[data.mixIndices[0] & 31]
    let second = coded.count == 3 ? mixes[data.mixIndices[1] & 31] : 0
    mix[coded[0]] = first
    if coded.count == 3 { mix[coded[1]] = second }
    mix[coded[coded.count - 1]] = max(0, 1 - first * first - second * second).squareRoot()
    return mix
  }
}

/// Dialogue enhancement and dynamic range control of a substream's subbands, where options ask for them.
final class SubbandProcessing {
  private let timing: FrameTiming
  private let enhancer: DialogueEnhancer?
  private let controller: DynamicRangeController?

  /// The processing of a substream with these channels.
  init(
    _ mode: AC4ChannelMode, _ rate: AC4FrameRate, _ timing: FrameTiming,
    _ options: AC4DecoderOptions
  ) {
    self.timing = timing
    enhancer =
      options.dialogueGain > 0 ? DialogueEnhancer(mode, gain: options.dialogueGain) : nil
    // The rate that the substream is coded at.
    let coded = Double(rate.sampleRate) * Double(rate.resampleDown) / Double(rate.resampleUp)
    controller =
      options.dynamicRange == .off
      ? nil
      : DynamicRangeController(mode, options.dynamicRange, slots: timing.slots, rate: coded)
  }

  /// Writes into `frame` the control data that its metadata ask for.
  /// - Parameter control: dynamic range control from the presentation's own substream.
  func prepare(
    _ data: AC4SubstreamMetadata?, _ control: DynamicRangeController.Control?,
    _ frame: ElementFrame
  ) {
    enhancer?.setMatrices(data?.dialogueEnhancement, into: frame.enhancement.base)
    frame.dynamicRange =
      control
      ?? DynamicRangeController.Control(
        data: data?.dynamicRange, dialnorm: data?.dialnorm ?? 0)
  }

  /// Raises dialogue in the subbands of all channels.
  func enhance(_ frame: ElementFrame, _ channels: [SubbandFrame]) {
    enhancer?.apply(channels, frame.enhancement.base, slots: timing.slots)
  }

  /// Controls the dynamic range of the whole mix.
  func control(_ frame: ElementFrame, _ channels: [SubbandFrame]) {
    controller?.apply(frame.dynamicRange, channels)
  }

  /// Forgets earlier frames.
  func reset() {
    enhancer?.reset()
    controller?.reset()
  }
}
