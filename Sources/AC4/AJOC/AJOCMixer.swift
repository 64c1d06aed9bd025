import Signal

/// Mixes objects of the subbands of a downmix and of what decorrelators make of these (TS 103 190-2, 5.7.3.6).
///
/// Object o is Σ dry(o, i) · x(i) + Σ wet(o, d) · y(d), where x are the inputs, and y(d) is what decorrelator d makes of
/// Σ D(d, i) · x(i).
final class AJOCMixer {
  /// The gain in dB that the listener wants for dialogue; the stream may allow less.
  var dialogueGain = 0.0

  private let inputs: Int
  private let objects: Int
  private let slots: Int
  private let rows: Int
  private var ramp = AJOCRamp()
  /// Dry and wet coefficients, ``rows`` for each object.
  private let mix: AJOCCoefficients
  /// D: what each decorrelator hears of each input.
  private let sends: AJOCCoefficients
  /// `AJOCTables.maps`.
  private let maps = FixedBuffer<UInt8>(AJOCTables.maps, or: 0)
  /// Values of the frame's data points for the row at hand: two times 64 subbands.
  private let targets = FixedBuffer<Float>(0, count: AJOCFrame.mostPoints * QMF.bands)
  /// Values of the frame's data points of D: for each decorrelator and input as ``targets``.
  private let sendTargets: FixedBuffer<Float>
  private let decorrelators: [ACPLDecorrelator]
  private let duckers: [ACPLDucker]
  private let sent: SubbandFrame
  private let wet: [SubbandFrame]
  /// One bit for each decorrelator that was on in the frame read last.
  private var enabled: UInt8 = 0
  /// One bit for each decorrelator that holds sound.
  private var sounding: UInt8 = 0

  /// A mixer of `objects` objects of `inputs` signals in frames of `slots` slots.
  init(inputs: Int, objects: Int, slots: Int) {
    (self.inputs, self.objects, self.slots) = (inputs, objects, slots)
    rows = AJOCFrame.rows(inputs)
    mix = AJOCCoefficients(rows: objects * rows)
    sends = AJOCCoefficients(rows: AJOCFrame.mostDecorrelators * inputs)
    sendTargets = FixedBuffer(
      0, count: AJOCFrame.mostDecorrelators * inputs * AJOCFrame.mostPoints * QMF.bands)
    decorrelators = AJOCTables.decorrelators.map { ACPLDecorrelator($0, slots: slots) }
    duckers = AJOCTables.decorrelators.map { _ in ACPLDucker(slots: slots) }
    sent = SubbandFrame(slots: slots)
    wet = AJOCTables.decorrelators.map { _ in SubbandFrame(slots: slots) }
  }

  /// Mixes one frame.
  /// - Parameters:
  ///   - frame: its control data; `nil` where they couldn't be read: coefficients hold, and a ramp runs on.
  ///   - signals: subbands of the inputs.
  ///   - targets: receive the objects.
  func process(_ frame: AJOCFrame?, _ signals: [SubbandFrame], into targets: [SubbandFrame]) {
    ramp.plan(frame, slots: slots)
    if let frame { enabled = frame.enabled }
    let isUpdated = (frame?.pointCount ?? 0) > 0
    if isUpdated, let frame { setSendTargets(frame) }
    let sentCount = isUpdated ? frame?.decorrelators ?? 0 : 0
    for index in 0..<AJOCFrame.mostDecorrelators { decorrelate(index, signals, index < sentCount) }
    for (object, target) in targets.enumerated() {
      target.clear()
      for row in 0..<rows {
        let isWet = row >= inputs
        var source: SubbandFrame? = isWet ? wet[row - inputs] : signals[row]
        if isWet, enabled >> (row - inputs) & 1 == 0 { source = nil }
        let values = isUpdated ? frame.flatMap { rowTargets($0, object, row) } : nil
        mix.apply(object * rows + row, ramp, targets: values, source, to: target)
      }
    }
  }

  /// Forgets everything.
  func reset() {
    ramp.reset()
    mix.reset()
    sends.reset()
    enabled = 0
    for index in 0..<AJOCFrame.mostDecorrelators { silence(index) }
  }

  // MARK: Coefficients

  /// The values of a row at all data points, with the gain of dialogue; `nil` where they are 0.
  private func rowTargets(
    _ frame: AJOCFrame, _ object: Int, _ row: Int
  ) -> UnsafePointer<Float>? {
    guard fill(frame, object, row, gain: gain(frame, object)) else { return nil }
    return UnsafePointer(targets.base)
  }

  /// Gain of an object: that of dialogue for objects with this flag.
  private func gain(_ frame: AJOCFrame, _ object: Int) -> Float {
    guard dialogueGain > 0, frame.objects.base[object].isDialogue else { return 1 }
    let limit = 3 * Double(1 + frame.maximumGain)
    return Float(Maths.decibels(min(dialogueGain, limit)))
  }

  /// Dequantises a row into ``targets``; answers whether anything isn't 0.
  private func fill(_ frame: AJOCFrame, _ object: Int, _ row: Int, gain: Float) -> Bool {
    let form = frame.objects.base[object]
    guard form.isPresent else { return false }
    let isWet = row >= inputs
    let center = AJOCFrame.center(isWet: isWet, isCoarse: form.isCoarse)
    let step = AJOCTables.steps[form.isCoarse ? 1 : 0] * gain
    guard isHeard(frame, object, row, center) else { return false }
    for point in 0..<frame.pointCount {
      let values = frame.row(object, point, row)
      let target = targets.base + point * QMF.bands
      for subband in 0..<QMF.bands {
        let band = Int(maps.base[form.bandCode * QMF.bands + subband])
        target[subband] = Float(Int(values[band]) - center) * step
      }
    }
    return true
  }

  /// Whether any value of a row isn't 0.
  private func isHeard(_ frame: AJOCFrame, _ object: Int, _ row: Int, _ center: Int) -> Bool {
    let bands = frame.objects.base[object].bands
    for point in 0..<frame.pointCount {
      let values = frame.row(object, point, row)
      for band in 0..<bands where Int(values[band]) != center { return true }
    }
    return false
  }

  /// Computes what D leads to: for each subband Σ |wet(o, d)| · dry(o, i), without the gain of dialogue.
  private func setSendTargets(_ frame: AJOCFrame) {
    let size = AJOCFrame.mostPoints * QMF.bands
    sendTargets.base.update(repeating: 0, count: frame.decorrelators * inputs * size)
    guard frame.decorrelators > 0 else { return }
    for object in 0..<objects where frame.objects.base[object].isPresent {
      let form = frame.objects.base[object]
      let step = AJOCTables.steps[form.isCoarse ? 1 : 0]
      let center = AJOCFrame.center(isWet: true, isCoarse: form.isCoarse)
      for input in 0..<inputs where fill(frame, object, input, gain: 1) {
        for index in 0..<frame.decorrelators {
          let sums = sendTargets.base + (index * inputs + input) * size
          for point in 0..<frame.pointCount {
            let wet = frame.row(object, point, inputs + index)
            for subband in 0..<QMF.bands {
              let band = Int(maps.base[form.bandCode * QMF.bands + subband])
              let share = Float(abs(Int(wet[band]) - center)) * step
              sums[point * QMF.bands + subband] += share * targets.base[point * QMF.bands + subband]
            }
          }
        }
      }
    }
  }

  // MARK: Decorrelators

  /// Makes y of one decorrelator.
  /// - Parameter isSent: whether the frame has values of it; those that an update leaves out are 0.
  private func decorrelate(_ index: Int, _ signals: [SubbandFrame], _ isSent: Bool) {
    let isOn = enabled >> index & 1 == 1
    // One that is off is silent, and loses its past.
    if isOn { sent.clear() } else if sounding >> index & 1 == 1 { silence(index) }
    let size = AJOCFrame.mostPoints * QMF.bands
    for input in 0..<inputs {
      let row = index * inputs + input
      let values = isSent ? UnsafePointer(sendTargets.base + row * size) : nil
      sends.apply(row, ramp, targets: values, isOn ? signals[input] : nil, to: sent)
    }
    guard isOn else { return }
    sounding |= 1 << index
    decorrelators[index].process(sent, gain: 1, into: wet[index])
    // The text leaves open which energy ducks; that of the decorrelator's output does, as in A-CPL.
    duckers[index].process(wet[index])
  }

  private func silence(_ index: Int) {
    decorrelators[index].reset()
    duckers[index].reset()
    sounding &= ~(1 << index)
  }
}
