// SPDX-License-Identifier: Apache-2.0
import Signal

/// The mixing matrices of one frame: three states of each coefficient, by subband, and how they follow one
/// another over the frame's slots.
final class MatrixFrame {
  /// Slots of a frame of six blocks.
  static let slots = 24
  /// States: that of the frame before, and those of up to two data points.
  static let states = 3

  /// Weights of each state in every slot, by object: ``states`` rows of ``slots`` weights.
  private let weights = Buffer<Float>(
    0, count: CoefficientFrame.mostObjects * states * slots)
  /// Coefficients by object, channel and state, 64 for each.
  private let values = Buffer<Float>(
    0,
    count: CoefficientFrame.mostObjects * CoefficientFrame.mostChannels * states * QMF.bands)

  /// Slot in which a steep change takes effect: the one before that which the standard prints, or that one.
  private let steepShift: Int

  /// Matrices of silence.
  init(steepShift: Int) { self.steepShift = steepShift }

  /// Weights of state number `state` of `object` in each slot.
  func weights(_ object: Int, _ state: Int) -> UnsafeMutablePointer<Float> {
    weights.base + (object * MatrixFrame.states + state) * MatrixFrame.slots
  }

  /// Coefficients of the subbands of a channel in state number `state` of `object`.
  func values(_ object: Int, _ channel: Int, _ state: Int) -> UnsafeMutablePointer<Float> {
    let row = (object * CoefficientFrame.mostChannels + channel) * MatrixFrame.states + state
    return values.base + row * QMF.bands
  }

  /// The coefficients from which those of a frame are reached.
  enum Beginning {
    /// From those with which the frame before ends.
    case continued
    /// From 0: a stream begins.
    case silence
    /// From the frame's own first ones: a stream is entered in its middle, where nothing fades in.
    case entered
  }

  /// Takes the coefficients of `frame`; those that `before` ends with come first. Without a frame all
  /// objects keep these.
  func set(
    _ frame: CoefficientFrame?, after before: MatrixFrame, _ beginning: Beginning = .continued
  ) {
    for object in 0..<CoefficientFrame.mostObjects {
      for channel in 0..<CoefficientFrame.mostChannels {
        let first = values(object, channel, 0)
        if beginning == .continued {
          first.update(from: before.last(object, channel), count: QMF.bands)
        } else {
          first.update(repeating: 0, count: QMF.bands)
        }
      }
      // An object without coefficients keeps its last ones; an encoder that wants silence sends zeros.
      guard let frame, object < frame.count, frame.headers[object].isPresent else {
        hold(object)
        continue
      }
      take(frame, object)
      if beginning == .entered { begin(object) }
    }
  }

  /// The coefficient of a channel in a slot and subband.
  func coefficient(_ object: Int, _ channel: Int, slot: Int, subband: Int) -> Float {
    (0..<MatrixFrame.states).reduce(0) { sum, state in
      sum + weights(object, state)[slot] * values(object, channel, state)[subband]
    }
  }

  /// Coefficients of the subbands with which the frame ends.
  private func last(_ object: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    values(object, channel, MatrixFrame.states - 1)
  }

  private func hold(_ object: Int) {
    for channel in 0..<CoefficientFrame.mostChannels {
      last(object, channel).update(from: values(object, channel, 0), count: QMF.bands)
    }
    setWeights(object) { _ in (1, 0, 0) }
  }

  /// Lets an object begin with the coefficients of its first data point.
  private func begin(_ object: Int) {
    for channel in 0..<CoefficientFrame.mostChannels {
      values(object, channel, 0).update(from: values(object, channel, 1), count: QMF.bands)
    }
  }

  private func take(_ frame: CoefficientFrame, _ object: Int) {
    let header = frame.headers[object]
    let index = BandTables.counts.firstIndex(of: header.bands) ?? 0
    for channel in 0..<CoefficientFrame.mostChannels {
      let isSent = channel < frame.channels
      for state in 1..<MatrixFrame.states {
        let target = values(object, channel, state)
        let codes = frame.codes(
          object: object, point: min(state, header.points) - 1, channel: channel)
        for subband in 0..<QMF.bands {
          let band = Int(BandTables.maps[QMF.bands * index + subband])
          target[subband] = isSent ? frame.coefficient(codes[band], of: object) : 0
        }
      }
    }
    weigh(header, object)
  }

  /// Weights of the states over the frame (TS 103 420, time interpolation).
  private func weigh(_ header: CoefficientFrame.Header, _ object: Int) {
    let count = Float(MatrixFrame.slots)
    if header.isSteep {
      let first = header.offsets.0 - steepShift
      let second = header.points > 1 ? header.offsets.1 - steepShift : Int.max
      return setWeights(object) { slot in
        slot < first ? (1, 0, 0) : slot < second ? (0, 1, 0) : (0, 0, 1)
      }
    }
    guard header.points > 1 else {
      return setWeights(object) { slot in
        let part = Float(slot + 1) / count
        return (1 - part, part, 0)
      }
    }
    let half = MatrixFrame.slots / 2
    setWeights(object) { slot in
      if slot < half {
        let part = Float(slot + 1) / Float(half)
        return (1 - part, part, 0)
      }
      let part = Float(slot - half + 1) / (count - Float(half))
      return (0, 1 - part, part)
    }
  }

  private func setWeights(_ object: Int, _ weight: (Int) -> (Float, Float, Float)) {
    for slot in 0..<MatrixFrame.slots {
      let all = weight(slot)
      weights(object, 0)[slot] = all.0
      weights(object, 1)[slot] = all.1
      weights(object, 2)[slot] = all.2
    }
  }
}

/// The matrices of two frames, one behind the other: slots of the first that are past need those at the
/// beginning of the second, because matrices are ahead of the subbands that they multiply.
struct MatrixSequence {
  private var old: MatrixFrame
  private var new: MatrixFrame
  private var spare: MatrixFrame
  /// `joc_seq_count` of the last frame; `nil` before the first one.
  private var sequence: Int?
  /// Slots by which matrices are ahead, 0…``MatrixFrame/slots``.
  private let ahead: Int

  /// Matrices of silence.
  init(_ options: JOCOptions) {
    let shift = options.isSteepEarly ? 1 : 0
    old = MatrixFrame(steepShift: shift)
    new = MatrixFrame(steepShift: shift)
    spare = MatrixFrame(steepShift: shift)
    ahead = min(max(options.alignment, 0), MatrixFrame.slots)
  }

  /// Moves on to the matrices of the next frame; `nil` keeps the last ones.
  mutating func take(_ frame: CoefficientFrame?) {
    spare.set(frame, after: new, frame.map(beginning) ?? .continued)
    (old, new, spare) = (new, spare, old)
    if let frame { sequence = frame.sequence }
  }

  /// Coefficients from which those of `frame` are reached.
  private func beginning(_ frame: CoefficientFrame) -> MatrixFrame.Beginning {
    guard let sequence else { return frame.sequence == 0 ? .silence : .entered }
    // A number 0 after another one begins a stream anew, but some streams have it in all of their first
    // frames. Any other break is taken for a lost frame.
    return frame.sequence == 0 && sequence != 0 ? .silence : .continued
  }

  /// Writes the coefficients of a channel in the slots of the first frame to `line`, moved by the alignment;
  /// answers whether one isn't 0.
  func write(
    _ object: Int, _ channel: Int, band: Int, to line: UnsafeMutablePointer<Float>
  ) -> Bool {
    let slots = MatrixFrame.slots
    var isSilent = true
    line.update(repeating: 0, count: slots)
    for state in 0..<MatrixFrame.states {
      let value = old.values(object, channel, state)[band]
      if value != 0 {
        isSilent = false
        let weights = old.weights(object, state) + ahead
        for slot in 0..<slots - ahead { line[slot] += value * weights[slot] }
      }
      let next = new.values(object, channel, state)[band]
      if next != 0 {
        isSilent = false
        let weights = new.weights(object, state)
        let later = line + (slots - ahead)
        for slot in 0..<ahead { later[slot] += next * weights[slot] }
      }
    }
    return !isSilent
  }
}
