import AudioCore

/// Refuses what a file doesn't let a listener change, with what it does let be changed.
struct InteractionCheck {
  private let allowed: ObjectInteraction
  /// What messages call the object.
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
