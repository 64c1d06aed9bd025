import LibAV

/// A voice's filters at one moment, and what they were made for.
struct VoiceFilter {
  /// The sample that they were asked for.
  var time: Int
  /// Where it is heard from, seen from the head.
  var place: SIMD3<Double>
  /// The rest of what they depend on.
  var shape: VoiceShape
  /// Whether they are the designer's own responses.
  var isExact: Bool
  /// The filters.
  var planes: AlignedFloats
}
