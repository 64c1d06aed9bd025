import AudioCore

/// What a state of an object asks of the renderer.
struct ObjectSound {
  /// Where it is heard and how large it looks.
  var place: ObjectPlace
  /// Gain of the voice that is heard at ``place``.
  var direct: Double
  /// Gains of the samples that go to the ears as they are, left and right.
  var straight = SIMD2<Double>(repeating: 0)
  /// Gains to the directions of the diffuse bus; empty for none.
  var diffuse: [Double] = []
  /// Gain to the low-pass of LFE channels.
  var bass = 0.0
  /// Further places that share the voice.
  var divergence: ObjectRules.Divergence?
  /// Whether the head's rotation doesn't count.
  var isHeadLocked = false
  /// Amplitude of the voice's reflections relative to those of a loudspeaker.
  var reflections = 0.0

  /// What ``shape`` is made of: voices of another shape fade.
  var shape: VoiceShape {
    VoiceShape(
      width: place.width, height: place.height, divergence: divergence, isHeadLocked: isHeadLocked,
      reflections: reflections)
  }
}
