import AudioCore

/// What of a document is to be played.
package struct SelectionRequest: Sendable {
  /// Identifier, name or language of a programme; `nil` for the only one, or the one of the lowest
  /// identifier.
  package var programme: String?
  /// Objects that are played instead of the roots of their groups.
  package var complements: [ElementID] = []
  /// Items that are less important than this, 0…10, are left out; `nil` for none.
  package var importance: Int?
  /// Objects that sound, by identifier, name or kind of content; empty for all.
  package var only: [String] = []
  /// What a listener changes, within what the file allows.
  package var changes: [ObjectChange] = []

  /// The usual choice.
  package init() {}
}
