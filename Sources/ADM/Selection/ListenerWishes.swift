// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// The wishes of a listener besides programme and importance: which objects sound, and what is changed about
/// them within what the file allows (audioObjectInteraction, ITU-R BS.2076-2, 5.6.7).
struct ListenerWishes {
  /// A change with those whom it reached.
  private struct Change {
    let change: ObjectChange
    let reference: ObjectReference
    var done = TitleList()
    var allowed: [String] = []
  }

  private let index: ElementIndex
  private let only: [ObjectReference]
  private var changes: [Change] = []

  /// The wishes of `request` about objects on `paths`.
  /// - Throws: ``ADMError`` of code `request` for names that nothing has.
  init(
    _ request: SelectionRequest, _ paths: [ObjectPaths.Path], _ index: ElementIndex
  ) throws(ADMError) {
    self.index = index
    var only: [ObjectReference] = []
    for text in request.only { only.append(try ObjectReference(text, paths, index)) }
    self.only = only
    for change in request.changes {
      let reference = try ObjectReference(change.objects, paths, index)
      changes.append(Change(change: change, reference: reference))
    }
  }

  /// Whether what `path` leads to is among the objects that were chosen.
  func choose(_ path: ObjectPaths.Path) -> Bool {
    only.isEmpty || only.contains { $0.place(on: path) != nil }
  }

  /// Changes the values of what `path` leads to.
  /// - Parameter stated: what may be changed, for each object on the path.
  /// - Returns: whether it is moved.
  /// - Throws: ``ADMError`` for what the file doesn't allow, and for two changes of one value.
  mutating func apply(
    to values: inout ObjectValues, of path: ObjectPaths.Path, stated: [ObjectInteraction?]
  ) throws(ADMError) -> Bool {
    var given = ObjectChange("")
    for number in changes.indices {
      guard let place = changes[number].reference.place(on: path) else { continue }
      let change = changes[number].change
      let title = index.document.objects[path.objects[place]].title
      try ListenerWishes.merge(change, into: &given, title)
      // The interaction stated for the object that was named counts, else the one stated for an object inside it.
      let allowed = stated[place...].lazy.compactMap(\.self).first ?? ObjectInteraction()
      let offset = try InteractionCheck(allowed, title).offset(of: change)
      if let isOn = change.isOn { values.isMuted = !isOn }
      if let gain = change.gain {
        values.gain = (values.gain ?? 1) * ListenerWishes.amplitude(gain)
      }
      if let offset { values.offset = try ListenerWishes.sum(values.offset, offset, title) }
      changes[number].done.add(title)
      let words = allowed.words.joined(separator: ", ")
      if !changes[number].allowed.contains(words) { changes[number].allowed.append(words) }
    }
    return given.offset != nil
  }

  /// Reports what was changed, with what the file allows.
  func report(to findings: FindingLog) {
    for (number, entry) in changes.enumerated() where !entry.done.titles.isEmpty {
      let allowed = entry.allowed.count == 1 ? entry.allowed[0] : "this"
      findings.note(
        .changed, kind: "\(number)",
        "\(entry.done.text) \(entry.change.text): asked for, and the file allows \(allowed)")
    }
  }

  private static func amplitude(_ gain: Double) -> Double {
    gain <= ObjectInteraction.silence ? 0 : Decibels.amplitude(gain)
  }

  /// Adds the values of `change` to those that are `given` already.
  private static func merge(
    _ change: ObjectChange, into given: inout ObjectChange, _ title: String
  ) throws(ADMError) {
    let isAgain =
      change.isOn != nil && given.isOn != nil || change.gain != nil && given.gain != nil
      || change.offset != nil && given.offset != nil
    guard !isAgain else {
      throw ADMError(
        .request,
        "\(title) would be changed twice, the second time to \(change.text); give one of both")
    }
    given.isOn = change.isOn ?? given.isOn
    given.gain = change.gain ?? given.gain
    given.offset = change.offset ?? given.offset
  }

  private static func sum(
    _ own: PositionOffset?, _ added: PositionOffset, _ title: String
  ) throws(ADMError) -> PositionOffset {
    guard let own else { return added }
    guard own.isCartesian == added.isCartesian else {
      throw ADMError(
        .request,
        "\(title) has a positionOffset in coordinates of another kind than it may be moved in")
    }
    var sum = own
    sum.offset.first += added.offset.first
    sum.offset.second += added.offset.second
    sum.offset.third += added.offset.third
    return sum
  }
}

/// Finds the objects that a listener names: by identifier, by the kind of their content or by name.
struct ObjectReference {
  private enum Form {
    case object(ElementID)
    case kind(String)
    case name(String)
  }

  private let form: Form
  private let index: ElementIndex

  /// The objects on `paths` that `text` stands for. An identifier counts before a kind, a kind before a name.
  /// - Throws: ``ADMError`` of code `request` when there are none.
  init(_ text: String, _ paths: [ObjectPaths.Path], _ index: ElementIndex) throws(ADMError) {
    self.index = index
    let objects = index.document.objects
    let places = paths.flatMap(\.objects)
    if let id = ElementID(text), places.contains(where: { objects[$0].id == id }) {
      form = .object(id)
    } else if paths.contains(where: { ObjectReference.words(of: $0).contains(text) }) {
      form = .kind(text)
    } else if !text.isEmpty, places.contains(where: { objects[$0].name == text }) {
      form = .name(text)
    } else {
      var known = TitleList()
      for place in paths.compactMap(\.objects.last) { known.add(objects[place].title) }
      throw ADMError(
        .request,
        "\"\(text.prefix(80))\" is no identifier, name or kind of an object that is played; there "
          + (paths.isEmpty ? "are none" : "are \(known.text)"))
    }
  }

  /// Index on `path` of the outermost object that is meant; `nil` when none on it is.
  func place(on path: ObjectPaths.Path) -> Int? {
    let objects = index.document.objects
    switch form {
    case .object(let id): return path.objects.firstIndex { objects[$0].id == id }
    case .kind(let word): return ObjectReference.words(of: path).contains(word) ? 0 : nil
    case .name(let name): return path.objects.firstIndex { objects[$0].name == name }
    }
  }

  private static func words(of path: ObjectPaths.Path) -> [String] {
    path.content?.dialogue?.words ?? []
  }

}

extension AudioObject {
  /// Name in messages, e.g. `"Voice" (AO_1001)`; the identifier alone where it has no name.
  var title: String { name.isEmpty ? id.text : "\"\(name.prefix(80))\" (\(id))" }
}

/// Names that a sentence lists.
struct TitleList {
  /// Names that are listed at most.
  private static let most = 8

  /// The names, each once, in the order in which they were added.
  private(set) var titles: [String] = []
  private var known: Set<String> = []

  /// Adds a name unless it is listed.
  mutating func add(_ title: String) {
    if known.insert(title).inserted { titles.append(title) }
  }

  /// The names in words, e.g. `"Voice", "Music" and 12 others`.
  var text: String {
    if titles.count <= 1 { return titles.first ?? "nothing" }
    let shown = titles.count <= TitleList.most ? titles.count - 1 : TitleList.most
    let rest = titles.count - shown
    return titles.prefix(shown).joined(separator: ", ") + " and "
      + (rest == 1 ? titles[shown] : "\(rest) others")
  }
}

/// Refuses what a file doesn't let a listener change, with what it does let be changed.
struct InteractionCheck {
  private let allowed: ObjectInteraction
  /// Name of the object in messages.
  private let title: String

  /// A check against what is `allowed` about the object `title`.
  init(_ allowed: ObjectInteraction, _ title: String) {
    (self.allowed, self.title) = (allowed, title)
  }

  /// The offset of the object's positions that `change` comes to; `nil` when it isn't moved.
  /// - Throws: ``ADMError`` for any part of the change that isn't allowed: of code `interaction` where the file
  ///   allows nothing, else `request`.
  func offset(of change: ObjectChange) throws(ADMError) -> PositionOffset? {
    if change.isOn != nil, !allowed.onOff { throw refusal("switched on or off") }
    if let gain = change.gain {
      guard let bounds = allowed.gain else { throw refusal("made louder or quieter") }
      guard bounds.hold(gain) else { throw beyond("gain", "\(ObjectInteraction.signed(gain)) dB") }
    }
    guard let offset = change.offset else { return nil }
    guard allowed.canBeMoved else { throw refusal("moved") }
    let coordinates = allowed.coordinates
    guard offset.count == coordinates.count else {
      let names = coordinates.map(\.name).joined(separator: ", ")
      throw ADMError(
        .request, "\(title) may be moved by \(names); give \(coordinates.count) numbers")
    }
    for (value, (name, bounds)) in zip(offset, coordinates) {
      guard let bounds else {
        guard value == 0 else { throw refusal("moved in \(name)") }
        continue
      }
      guard bounds.hold(value) else { throw beyond(name, ObjectInteraction.signed(value)) }
    }
    return PositionOffset(
      isCartesian: allowed.isCartesian,
      offset: Position(offset[0], offset[1], offset.count > 2 ? offset[2] : 0))
  }

  /// The refusal of a change of a kind that isn't allowed.
  private func refusal(_ change: String) -> ADMError {
    let words = allowed.words
    guard !words.isEmpty else {
      return ADMError(
        .interaction, "the file doesn't let \(title) be \(change): it states no interaction for it")
    }
    return ADMError(
      .request,
      "the file doesn't let \(title) be \(change); it allows \(words.joined(separator: ", "))")
  }

  /// The refusal of a value outside the range of `name`.
  private func beyond(_ name: String, _ value: String) -> ADMError {
    let range = allowed.words.first { $0.hasPrefix(name) } ?? name
    return ADMError(.request, "the file lets \(title) be changed by \(range), not by \(value)")
  }
}
