/// The facts of the table of contents that decoding one substream needs.
struct SubstreamInfo {
  /// Whether the substream can be read without earlier frames.
  let isIFrame: Bool
  /// The frame's `sequence_counter`.
  let sequenceCounter: Int
  /// `sus_ver`: 0 when the substream itself carries level and dynamic range data, else 1.
  var syntaxVersion = 1
  /// The timing that the group's substream of object metadata sent last; `nil` for none.
  var objectTiming: ObjectTiming?
  /// Whether the presentation is an alternative one.
  var isAlternative = false
}
