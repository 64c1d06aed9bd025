import AudioCore

/// A channel that a track carries, as the document names it.
struct WrittenChannel {
  /// What the document says of it.
  enum Content {
    /// Nothing: it is a common definition.
    case common
    /// The blocks of a loudspeaker's channel that no common definition has.
    case speaker([BlockPlan], isLFE: Bool)
    /// The blocks of an object.
    case object([BlockPlan])
  }

  /// Its identifier, `AC_yyyyxxxx`.
  var id: ElementID
  /// Its name.
  var name: String
  /// What the document says of it.
  var content: Content

  /// Whether it is a common definition.
  var isCommon: Bool {
    if case .common = content { return true }
    return false
  }
  /// The digits of its identifier, which its stream and its track format share.
  var digits: Substring { id.text.dropFirst(3) }
  /// The identifier of the format of its track.
  var trackFormat: ElementID { ElementID(known: "AT_\(digits)_01") }
  /// The identifier of its stream.
  var stream: ElementID { ElementID(known: "AS_\(digits)") }
}
