import Signal

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

  /// Where the coefficients of `frame` come from.
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
