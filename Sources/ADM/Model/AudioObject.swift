/// An object: tracks that belong together, or other objects (audioObject, BS.2076-2, 5.6).
package struct AudioObject: Sendable {
  package var id: ElementID
  package var name = ""
  /// When it begins.
  package var start = ADMTime.zero
  /// How long it lasts; `nil` to the end.
  package var duration: ADMTime?
  /// How important it is, 0…10; `nil` when nothing is stated.
  package var importance: Int?
  package var packs: [ElementID] = []
  package var tracks: [ElementID] = []
  /// Objects inside it.
  package var objects: [ElementID] = []
  /// Objects of which one is played instead of it.
  package var complements: [ElementID] = []
  package var values = ObjectValues()
  /// Values that replace those above when a programme or content names their set.
  package var valueSets: [ObjectValues] = []
  /// Whether it moves with the head.
  package var isHeadLocked = false
}
