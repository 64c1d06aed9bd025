/// What a decoder does beyond decoding.
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

  /// Gain of dialogue in dB, 0…12; the stream may allow less. 0 leaves everything as it is.
  package var dialogueGain: Double
  /// Dynamic range control; the level itself isn't changed to an output level.
  package var dynamicRange: DynamicRange

  /// Options; by default nothing is done.
  package init(dialogueGain: Double = 0, dynamicRange: DynamicRange = .off) {
    self.dialogueGain = dialogueGain
    self.dynamicRange = dynamicRange
  }

  /// Whether the signal is changed at all.
  var isPlain: Bool { dialogueGain <= 0 && dynamicRange == .off }
}
