import AudioCore
import Signal

/// What a listener asks for besides programme and importance: which objects sound, and what is changed about
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
      // What is stated for the object that was named counts, else what is stated for one inside it.
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
