import Signal

/// Mixes objects of the subbands of a downmix and of what decorrelators make of these (TS 103 190-2, 5.7.3.6).
///
/// Object o is Σ dry(o, i) · x(i) + Σ wet(o, d) · y(d), where x are the inputs, and y is the decorrelated sound
/// (``AJOCDecorrelation``).
final class AJOCMixer {
  /// The gain in dB that the listener wants for dialogue; the stream may allow less.
  var dialogueGain = 0.0

  private let inputs: Int
  private let slots: Int
  private let rows: Int
  private var ramp = AJOCRamp()
  /// Dry and wet coefficients, ``rows`` for each object.
  private let mix: AJOCCoefficients
  private let decorrelation: AJOCDecorrelation
  private let row = AJOCRow()
  /// Whether the targets of the frame mixed last hold anything but silence.
  private let isHeard: FixedBuffer<Bool>

  /// A mixer of `objects` objects of `inputs` signals in frames of `slots` slots.
  init(inputs: Int, objects: Int, slots: Int) {
    (self.inputs, self.slots) = (inputs, slots)
    rows = AJOCFrame.rows(inputs)
    mix = AJOCCoefficients(rows: objects * rows)
    isHeard = FixedBuffer(false, count: objects)
    decorrelation = AJOCDecorrelation(inputs: inputs, objects: objects, slots: slots)
  }

  /// Whether an object has sound in the frame mixed last.
  func isHeard(_ object: Int) -> Bool { isHeard.base[object] }

  /// Mixes one frame.
  /// - Parameters:
  ///   - frame: its control data; `nil` where they couldn't be read: coefficients hold, and a ramp runs on.
  ///   - signals: subbands of the inputs.
  ///   - targets: receive the objects; nobody else writes to them.
  func process(_ frame: AJOCFrame?, _ signals: [SubbandFrame], into targets: [SubbandFrame]) {
    ramp.plan(frame, slots: slots)
    decorrelation.process(frame, ramp, row, signals)
    let update = frame.flatMap { $0.pointCount > 0 ? $0 : nil }
    clear(targets)
    for (object, target) in targets.enumerated() {
      for row in 0..<rows {
        let isAdded = mix.apply(
          object * rows + row, ramp, targets: update.flatMap { values($0, object, row) },
          source(row, signals), to: target)
        if isAdded { isHeard.base[object] = true }
      }
    }
  }

  /// Makes those targets silent that aren't already.
  func clear(_ targets: [SubbandFrame]) {
    for (object, target) in targets.enumerated() where isHeard.base[object] {
      target.clear()
      isHeard.base[object] = false
    }
  }

  /// Forgets everything.
  func reset() {
    ramp.reset()
    mix.reset()
    decorrelation.reset()
  }

  /// What a row is mixed of; `nil` for a decorrelator that is off.
  private func source(_ row: Int, _ signals: [SubbandFrame]) -> SubbandFrame? {
    guard row >= inputs else { return signals[row] }
    return decorrelation.isOn(row - inputs) ? decorrelation.sound[row - inputs] : nil
  }

  /// The values of a row at all data points, with the gain of dialogue; `nil` where they are 0.
  private func values(_ frame: AJOCFrame, _ object: Int, _ row: Int) -> UnsafePointer<Float>? {
    let gain = gain(frame, object)
    guard self.row.fill(frame, object, row, isWet: row >= inputs, gain: gain) else { return nil }
    return UnsafePointer(self.row.targets.base)
  }

  /// Gain of an object: that of dialogue for objects with this flag.
  private func gain(_ frame: AJOCFrame, _ object: Int) -> Float {
    guard dialogueGain > 0, frame.objects.base[object].isDialogue else { return 1 }
    let limit = 3 * Double(1 + frame.maximumGain)
    return Float(Maths.decibels(min(dialogueGain, limit)))
  }
}
