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
