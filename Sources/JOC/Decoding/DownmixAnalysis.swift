import Signal

/// Subbands of the downmix's channels in the last frame and the one before, with the encoder's gain and its
/// shift of the surround channels undone.
final class DownmixAnalysis {
  /// Channels that a frame's coefficients may need.
  private static let channels = CoefficientFrame.mostChannels
  /// Number of left surround; right surround is the next one.
  private static let surround = 3

  /// Real parts of each channel: those of the frame before from slot 0 on, then those of the last one.
  let real: [SlotRows]
  /// Imaginary parts, likewise.
  let imaginary: [SlotRows]
  /// Gains of the downmix's samples in the last frame.
  let gains = FixedBuffer<Float>(0, count: ObjectMixer.frame)

  private let analyses: [QMFAnalysis]
  private let rotation: JOCOptions.Rotation
  /// The surround channels of the frame before, rotated.
  private let turned: [(real: SlotRows, imaginary: SlotRows)]
  private let gained = FixedBuffer<Float>(0, count: ObjectMixer.frame)
  private var clipGain = ClipGain()
  private var isShifted = false
  /// Channels that any frame has needed.
  private(set) var used = 5

  /// An analysis that begins with silence.
  init(_ bank: FilterBank, _ rotation: JOCOptions.Rotation) {
    self.rotation = rotation
    let makeRows = {
      SlotRows(
        rows: QMF.bands, history: SurroundRotation.reach, slots: 2 * MatrixFrame.slots)
    }
    analyses = (0..<DownmixAnalysis.channels).map { _ in QMFAnalysis(bank) }
    real = (0..<DownmixAnalysis.channels).map { _ in makeRows() }
    imaginary = (0..<DownmixAnalysis.channels).map { _ in makeRows() }
    turned = (0..<2).map { _ in (makeRows(), makeRows()) }
  }

  /// Takes a frame of the downmix; `nil` is silence.
  func take(_ downmix: [UnsafePointer<Float>]?, _ coefficients: CoefficientFrame?) {
    clipGain.write(coefficients?.clipGain, count: ObjectMixer.frame, to: gains.base)
    if let coefficients {
      used = max(used, coefficients.channels)
      isShifted = coefficients.isShifted
    }
    for channel in 0..<used {
      analyse(channel, downmix.flatMap { $0.indices.contains(channel) ? $0[channel] : nil })
    }
    guard isShifted, rotation != .none else { return }
    for (index, rows) in turned.enumerated() {
      let channel = DownmixAnalysis.surround + index
      SurroundRotation.rotate(
        rotation, real[channel], imaginary[channel], count: MatrixFrame.slots, rows.real,
        rows.imaginary)
    }
  }

  /// Subbands of a channel in the frame before, from slot 0 on.
  func subbands(_ channel: Int) -> (real: SlotRows, imaginary: SlotRows) {
    let index = channel - DownmixAnalysis.surround
    if isShifted, rotation != .none, turned.indices.contains(index) { return turned[index] }
    return (real[channel], imaginary[channel])
  }

  private func analyse(_ channel: Int, _ samples: UnsafePointer<Float>?) {
    real[channel].moveBack(by: MatrixFrame.slots)
    imaginary[channel].moveBack(by: MatrixFrame.slots)
    if let samples {
      for index in 0..<ObjectMixer.frame {
        gained.base[index] = samples[index] * gains.base[index]
      }
    } else {
      gained.fill(0)
    }
    analyses[channel].process(
      gained.base, real: real[channel], imaginary: imaginary[channel], offset: MatrixFrame.slots)
  }
}
