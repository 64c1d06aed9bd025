import Signal

/// One filter of an equaliser.
package struct EqualizerBand: Hashable, Sendable {
  /// What it does to the spectrum.
  package enum Shape: String, Hashable, Sendable {
    /// Raises or lowers what lies about its frequency.
    case peak
    /// Raises or lowers what lies below its frequency.
    case lowShelf
    /// Raises or lowers what lies above its frequency.
    case highShelf
    /// Lets through what lies below its frequency.
    case lowPass
    /// Lets through what lies above its frequency.
    case highPass
    /// Lets through what lies about its frequency.
    case bandPass
    /// Takes out its frequency.
    case notch
    /// Turns the phase only.
    case allPass
  }

  /// How wide the filter is.
  package enum Width: Hashable, Sendable {
    /// By its quality.
    case quality(Double)
    /// By the distance of its edges in octaves.
    case octaves(Double)
    /// Of a shelf, by its slope; 1 is the steepest without overshoot.
    case slope(Double)
  }

  /// What it does.
  package var shape: Shape
  /// Its frequency in Hz: the middle of a peak or of a shelf's slope, or the edge of a pass.
  package var frequency: Double
  /// By how much it raises, in dB; only for peaks and shelves.
  package var gain: Double
  /// How wide it is.
  package var width: Width

  /// A filter.
  package init(_ shape: Shape, frequency: Double, gain: Double = 0, width: Width) {
    self.shape = shape
    self.frequency = frequency
    self.gain = gain
    self.width = width
  }

  /// It in words for reports, such as `peak 105.00 Hz +3.10 dB Q 0.70`.
  package var summary: String {
    var words = ["\(shape.rawValue) \(Decibels.text(frequency)) Hz"]
    if [.peak, .lowShelf, .highShelf].contains(shape) {
      words.append("\(Decibels.signedText(gain)) dB")
    }
    switch width {
    case .quality(let quality): words.append("Q \(Decibels.text(quality))")
    case .octaves(let octaves): words.append("\(Decibels.text(octaves)) octaves")
    case .slope(let slope): words.append("slope \(Decibels.text(slope))")
    }
    return words.joined(separator: " ")
  }
}
