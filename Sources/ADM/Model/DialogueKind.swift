/// Whether a content is speech (dialogue, BS.2076-2, 5.7.3), with the number of its finer kind.
package enum DialogueKind: Sendable, Hashable {
  /// No speech: 0 undefined, 1 music, 2 effects.
  case none(Int)
  /// Speech: 0 undefined, 1 dialogue, 2 voice-over, 3 spoken subtitle, 4 audio description,
  /// 5 commentary, 6 emergency.
  case speech(Int)
  /// Both: 0 undefined, 1 complete main, 2 mixed, 3 hearing impaired.
  case mixed(Int)
}

extension DialogueKind {
  private static let speech = [
    "voice-over", "spoken-subtitle", "audio-description", "commentary", "emergency",
  ]
  private static let mixed = ["complete-main", "mixed", "hearing-impaired"]

  /// What a listener may call it: the kind, and the finer one where it is stated.
  package var words: [String] {
    switch self {
    case .none(1): return ["music"]
    case .none(2): return ["effects"]
    case .none: return []
    case .speech(let kind):
      let place = kind - 2
      return ["dialogue"]
        + (DialogueKind.speech.indices.contains(place) ? [DialogueKind.speech[place]] : [])
    case .mixed(let kind):
      let place = kind - 1
      let finer = DialogueKind.mixed.indices.contains(place) ? DialogueKind.mixed[place] : "mixed"
      return finer == "mixed" ? ["mixed"] : ["mixed", finer]
    }
  }
}
