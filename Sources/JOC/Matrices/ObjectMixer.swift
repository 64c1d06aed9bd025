// SPDX-License-Identifier: Apache-2.0
import Signal

/// Turns the downmix into objects, frame by frame (TS 103 420): subbands of its channels, mixed by
/// matrices, become the subbands of each object.
///
/// Objects come one frame and ``QMF/delay`` samples after the downmix: the matrices are ahead of the
/// subbands, and the rotation of the surround channels needs later slots.
final class ObjectMixer {
  /// Samples of a frame.
  static let frame = MatrixFrame.slots * QMF.bands
  /// Samples by which objects are later than the downmix.
  static let delay = frame + QMF.delay

  /// Subbands of the object that was mixed last.
  let real = SlotRows(rows: QMF.bands, history: 0, slots: MatrixFrame.slots)
  /// Imaginary parts of these.
  let imaginary = SlotRows(rows: QMF.bands, history: 0, slots: MatrixFrame.slots)
  /// Subbands of the downmix.
  let downmix: DownmixAnalysis

  private let syntheses: [QMFSynthesis]
  private var matrices: MatrixSequence
  /// Coefficients of a channel in a subband, slot by slot.
  private let line = Buffer<Float>(0, count: MatrixFrame.slots)

  /// A mixer that begins with silence.
  init(_ options: JOCOptions = JOCOptions()) {
    let bank = FilterBank(slots: MatrixFrame.slots)
    downmix = DownmixAnalysis(bank, options.rotation)
    syntheses = (0..<CoefficientFrame.mostObjects).map { _ in QMFSynthesis(bank) }
    matrices = MatrixSequence(options)
  }

  /// Gains of the samples of the frame that was taken last. The LFE needs them, too, because the encoder
  /// lowers all channels alike.
  var gains: UnsafePointer<Float> { UnsafePointer(downmix.gains.base) }

  /// Takes a frame of the downmix and writes the objects of the frame before.
  /// - Parameters:
  ///   - channels: L R C Ls Rs, then what the configuration has beside them, ``frame`` samples each;
  ///     `nil` is silence, and so is a channel that is missing.
  ///   - coefficients: those of the frame; `nil` keeps the last ones.
  ///   - objects: receive ``frame`` samples each; at most ``CoefficientFrame/mostObjects``.
  func process(
    _ channels: [UnsafePointer<Float>]?, _ coefficients: CoefficientFrame?,
    into objects: [UnsafeMutablePointer<Float>]
  ) {
    matrices.take(coefficients)
    downmix.take(channels, coefficients)
    for index in 0..<min(objects.count, syntheses.count) {
      mix(index)
      syntheses[index].process(into: objects[index], scale: 1) { band in
        (UnsafePointer(real.row(band)), UnsafePointer(imaginary.row(band)))
      }
    }
  }

  /// Makes the subbands of object number `index` in the frame before the last one.
  func mix(_ index: Int) {
    real.clear()
    imaginary.clear()
    for channel in 0..<downmix.used {
      let source = downmix.subbands(channel)
      for band in 0..<QMF.bands
      where matrices.write(index, channel, band: band, to: line.base) {
        add(source.real.row(band), to: real.row(band))
        add(source.imaginary.row(band), to: imaginary.row(band))
      }
    }
  }

  private func add(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>) {
    for slot in 0..<MatrixFrame.slots { target[slot] += line.base[slot] * source[slot] }
  }
}

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
  let gains = Buffer<Float>(0, count: ObjectMixer.frame)

  private let analyses: [QMFAnalysis]
  private let rotation: JOCOptions.Rotation
  /// The surround channels of the frame before, rotated.
  private let turned: [(real: SlotRows, imaginary: SlotRows)]
  private let gained = Buffer<Float>(0, count: ObjectMixer.frame)
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
