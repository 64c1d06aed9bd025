/// A pack: channels that belong together (audioPackFormat, BS.2076-2, 5.5).
package struct AudioPackFormat: Sendable {
  package var id: ElementID
  package var name = ""
  package var kind: ContentKind
  package var channels: [ElementID] = []
  /// Packs inside it.
  package var packs: [ElementID] = []
  /// How important it is, 0…10; `nil` when nothing is stated.
  package var importance: Int?
  /// Of a Matrix that decodes: the packs that encode.
  package var encodes: [ElementID] = []
  /// Of a Matrix: what goes in.
  package var input: ElementID?
  /// Of a Matrix: what comes out.
  package var output: ElementID?
  /// Of HOA: what holds for all channels that don't state it.
  package var scene = SceneDetails()
}
