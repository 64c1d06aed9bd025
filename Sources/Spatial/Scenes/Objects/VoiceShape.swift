import AudioCore

/// How a voice is heard, besides its direction.
struct VoiceShape: Equatable {
  /// Angle from the left to the right end, in degrees.
  var width = 0.0
  /// Angle from the lower to the upper end, in degrees.
  var height = 0.0
  /// Further places that share the voice.
  var divergence: ObjectRules.Divergence?
  /// Whether the head's rotation doesn't count.
  var isHeadLocked = false
  /// Amplitude of its reflections in a room relative to those of a loudspeaker.
  var reflections = 0.0

  /// Sizes below this many degrees are points.
  static let leastSize = 10.0

  /// Whether it is larger than a point.
  var isWide: Bool { max(width, height) > VoiceShape.leastSize }

  /// Whether one direction is all of it.
  var isPoint: Bool { !isWide && (divergence?.value ?? 0) <= 0 }

  /// The shape after `part` (0…1) of the way to `target`, whose divergence holds at once.
  func moved(to target: VoiceShape, by part: Double) -> VoiceShape {
    var shape = target
    shape.width = width + (target.width - width) * part
    shape.height = height + (target.height - height) * part
    shape.reflections = reflections + (target.reflections - reflections) * part
    return shape
  }
}
