/// A programme: what is played at one time (audioProgramme, BS.2076-2, 5.8).
package struct AudioProgramme: Sendable {
  package var id: ElementID
  package var name = ""
  /// Language as written; empty when nothing is stated.
  package var language = ""
  package var contents: [ElementID] = []
  /// The values of objects that hold in this programme.
  package var valueSets: [ElementID] = []
  /// The screen that positions refer to.
  package var screen = ReferenceScreen()
}
