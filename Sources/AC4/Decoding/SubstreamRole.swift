/// The role of a substream in its presentation (TS 103 190-1, Table 86; TS 103 190-2, Table 53).
enum SubstreamRole: Sendable {
  /// Main audio, or music and effects.
  case main
  /// Dialogue on its own.
  case dialogue
  /// Associated audio: a commentary or description to go with the rest.
  case associated
  /// A waveform for dialogue enhancement.
  case enhancement

  /// The role of the group at `place` in a presentation.
  /// - Parameters:
  ///   - configuration: `presentation_config`; `nil` for a single group.
  ///   - content: `content_classifier`, which decides where the configuration leaves the role open.
  init(configuration: Int?, place: Int, content: Int?) {
    switch (configuration, place) {
    case (nil, _),
      (_, 0) where configuration != 5:
      self = .main
    case (0, _), (3, 1): self = .dialogue
    case (1, _), (4, 1): self = .enhancement
    case (2, _), (3, _), (4, _): self = .associated
    default:
      switch content {
      case 4: self = .dialogue
      case 2, 3, 5: self = .associated
      default: self = .main
      }
    }
  }
}
