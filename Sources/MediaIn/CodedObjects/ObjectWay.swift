import AudioCore

/// Follows a programme's element through the updates of a decoder.
struct ObjectWay {
  /// What is known so far.
  private(set) var facts: ObjectFacts

  /// The elements of a programme of at most one bed, then objects.
  static func all(of programme: Programme) -> [ObjectWay] { programme.elements.map(ObjectWay.init) }

  private init(_ element: Programme.Element) {
    switch element {
    case .object(let name, let start):
      facts = ObjectFacts(name: name, kind: .object, tracks: [])
      facts.add(start, at: 0, isResting: true)
    case .bed(let layout):
      facts = ObjectFacts(name: layout.name, kind: .bed, tracks: [], start: 0)
    case .scene: facts = ObjectFacts(name: nil, kind: .field, tracks: [], start: 0)
    }
  }

  /// Notes an update. An object that fades out sounds until the ramp ends, and no update follows there.
  mutating func note(_ update: ObjectUpdate) {
    let end = update.at + Int64(update.ramp.rounded(.up))
    let isSilent = update.state.gain == 0
    facts.add(update.state, at: isSilent ? end : update.at, isResting: isSilent)
  }
}
