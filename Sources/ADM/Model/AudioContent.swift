/// A content: one part of a programme (audioContent, BS.2076-2, 5.7).
package struct AudioContent: Sendable {
  package var id: ElementID
  package var name = ""
  /// Language as written; empty when nothing is stated.
  package var language = ""
  package var objects: [ElementID] = []
  /// The values of objects that hold in this content.
  package var valueSets: [ElementID] = []
  /// What it is; `nil` when nothing is stated.
  package var dialogue: DialogueKind?
}
