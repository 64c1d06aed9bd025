/// What of a document is to be played.
package struct SelectionRequest: Sendable {
  /// Identifier, name or language of a programme; `nil` for the only one, or the one of the lowest
  /// identifier.
  package var programme: String?
  /// Objects that are played instead of the roots of their groups.
  package var complements: [ElementID] = []
  /// Items that are less important than this, 0…10, are left out; `nil` for none.
  package var importance: Int?

  /// The usual choice.
  package init() {}
}
