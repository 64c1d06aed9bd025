/// The changes to the sound that a decoder makes from the stream's metadata.
package struct AC4DecoderOptions: Sendable, Equatable {
  /// Which of a stream's dynamic range profiles is applied.
  package enum DynamicRange: String, Sendable, CaseIterable {
    /// None.
    case off
    /// The one for home theatres (mode 0, output levels of −31…−27 dB).
    case line
    /// The one for flat panels (mode 1, output levels of −26…−17 dB).
    case rf
  }

  /// Gain of dialogue in dB, 0…12; the stream may allow less. 0 changes nothing.
  package var dialogueGain: Double
  /// Dynamic range control. It compresses around the stream's dialogue level and doesn't bring that to an
  /// output level.
  package var dynamicRange: DynamicRange

  /// Whether objects are decoded. Otherwise a presentation with objects gives the bed of channels that they are coded
  /// in, where it is one.
  package var decodesObjects: Bool

  /// Options; by default nothing is done.
  package init(
    dialogueGain: Double = 0, dynamicRange: DynamicRange = .off, decodesObjects: Bool = true
  ) {
    self.dialogueGain = dialogueGain
    self.dynamicRange = dynamicRange
    self.decodesObjects = decodesObjects
  }

  /// Whether the options change nothing.
  var isPlain: Bool { dialogueGain <= 0 && dynamicRange == .off }
}
