// SPDX-License-Identifier: Apache-2.0
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
  private let isHeard: Buffer<Bool>

  /// A mixer of `objects` objects of `inputs` signals in frames of `slots` slots.
  init(inputs: Int, objects: Int, slots: Int) {
    (self.inputs, self.slots) = (inputs, slots)
    rows = AJOCFrame.rows(inputs)
    mix = AJOCCoefficients(rows: objects * rows)
    isHeard = Buffer(false, count: objects)
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

  /// Signal that a row is mixed of; `nil` for a decorrelator that is off.
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

/// The decorrelated sound of joint object coding (TS 103 190-2, 5.7.3.6): y(d) is what decorrelator d makes of
/// Σ D(d, i) · x(i), where x are the inputs.
final class AJOCDecorrelation {
  /// The sound of each decorrelator in the current frame.
  let sound: [SubbandFrame]

  private let inputs: Int
  private let objects: Int
  /// D: what each decorrelator hears of each input.
  private let sends: AJOCCoefficients
  /// Values of the frame's data points of D: for each decorrelator and input as ``AJOCRow/targets``.
  private let targets: Buffer<Float>
  private let decorrelators: [ACPLDecorrelator]
  private let duckers: [ACPLDucker]
  private let sent: SubbandFrame
  /// One bit for each decorrelator that was on in the frame read last.
  private var enabled: UInt8 = 0
  /// One bit for each decorrelator that holds sound.
  private var sounding: UInt8 = 0

  /// Values of a row.
  private static let size = AJOCFrame.mostPoints * QMF.bands

  /// Decorrelators for `inputs` signals and `objects` objects in frames of `slots` slots.
  init(inputs: Int, objects: Int, slots: Int) {
    (self.inputs, self.objects) = (inputs, objects)
    let rows = AJOCFrame.mostDecorrelators * inputs
    sends = AJOCCoefficients(rows: rows)
    targets = Buffer(0, count: rows * AJOCDecorrelation.size)
    decorrelators = AJOCTables.decorrelators.map { ACPLDecorrelator($0, slots: slots) }
    duckers = AJOCTables.decorrelators.map { _ in ACPLDucker(slots: slots) }
    sent = SubbandFrame(slots: slots)
    sound = AJOCTables.decorrelators.map { _ in SubbandFrame(slots: slots) }
  }

  /// Whether a decorrelator was on in the frame read last.
  func isOn(_ index: Int) -> Bool { enabled >> index & 1 == 1 }

  /// Makes the sound of one frame.
  /// - Parameters:
  ///   - frame: its control data; `nil` where they couldn't be read.
  ///   - row: where values are dequantised.
  func process(
    _ frame: AJOCFrame?, _ ramp: AJOCRamp, _ row: AJOCRow, _ signals: [SubbandFrame]
  ) {
    if let frame { enabled = frame.enabled }
    var count = 0
    if let frame, frame.pointCount > 0, frame.decorrelators > 0 {
      count = frame.decorrelators
      setTargets(frame, row)
    }
    // A decorrelator without values in an update gets 0.
    for index in 0..<AJOCFrame.mostDecorrelators { process(index, ramp, signals, index < count) }
  }

  /// Forgets everything.
  func reset() {
    sends.reset()
    enabled = 0
    for index in 0..<AJOCFrame.mostDecorrelators { silence(index) }
  }

  /// Computes what D leads to: for each subband Σ |wet(o, d)| · dry(o, i), without the gain of dialogue.
  private func setTargets(_ frame: AJOCFrame, _ row: AJOCRow) {
    targets.base.update(
      repeating: 0, count: frame.decorrelators * inputs * AJOCDecorrelation.size)
    for object in 0..<objects {
      for input in 0..<inputs where row.fill(frame, object, input, isWet: false, gain: 1) {
        for index in 0..<frame.decorrelators {
          add(frame, object, index, row, to: targets.base + place(index, input))
        }
      }
    }
  }

  private func place(_ index: Int, _ input: Int) -> Int {
    (index * inputs + input) * AJOCDecorrelation.size
  }

  /// Adds the product of an object's share of a decorrelator and of the dry row at hand.
  private func add(
    _ frame: AJOCFrame, _ object: Int, _ index: Int, _ row: AJOCRow,
    to sums: UnsafeMutablePointer<Float>
  ) {
    let form = frame.objects.base[object]
    let step = AJOCTables.steps[form.isCoarse ? 1 : 0]
    let center = AJOCFrame.center(isWet: true, isCoarse: form.isCoarse)
    for point in 0..<frame.pointCount {
      let wet = frame.row(object, point, inputs + index)
      for subband in 0..<QMF.bands {
        let band = Int(row.maps.base[form.bandCode * QMF.bands + subband])
        let share = Float(abs(Int(wet[band]) - center)) * step
        let place = point * QMF.bands + subband
        sums[place] += share * row.targets.base[place]
      }
    }
  }

  /// Makes the sound of one decorrelator.
  /// - Parameter isSent: whether the frame has values of it.
  private func process(
    _ index: Int, _ ramp: AJOCRamp, _ signals: [SubbandFrame], _ isSent: Bool
  ) {
    let isOn = isOn(index)
    // One that is off is silent, and loses its past.
    if isOn { sent.clear() } else if sounding >> index & 1 == 1 { silence(index) }
    for input in 0..<inputs {
      let values = isSent ? UnsafePointer(targets.base + place(index, input)) : nil
      sends.apply(
        index * inputs + input, ramp, targets: values, isOn ? signals[input] : nil, to: sent)
    }
    guard isOn else { return }
    sounding |= 1 << index
    decorrelators[index].process(sent, gain: 1, into: sound[index])
    // The text leaves open which energy ducks; that of the decorrelator's output does, as in A-CPL.
    duckers[index].process(sound[index])
  }

  private func silence(_ index: Int) {
    decorrelators[index].reset()
    duckers[index].reset()
    sounding &= ~(1 << index)
  }
}
