import Signal

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
  private let targets: FixedBuffer<Float>
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
    targets = FixedBuffer(0, count: rows * AJOCDecorrelation.size)
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
    // What an update has no values of is 0.
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
