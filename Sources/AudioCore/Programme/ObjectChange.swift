/// A change of some objects that a listener asks for, within what the file allows.
public struct ObjectChange: Sendable, Hashable, Codable {
  /// Which objects: an identifier (`AO_1001`), the kind of their content (`dialogue`, `music`, `effects`,
  /// `mixed` or a finer one) or a name.
  public var objects: String
  /// Whether they sound; `nil` leaves that as it is.
  public var isOn: Bool?
  /// Change of their gain, dB; `nil` leaves it as it is.
  public var gain: Double?
  /// What is added to their positions: azimuth and elevation in degrees, or X, Y and Z; `nil` for nothing.
  public var offset: [Double]?

  /// A change of `objects`, which changes nothing yet.
  public init(_ objects: String, isOn: Bool? = nil, gain: Double? = nil, offset: [Double]? = nil) {
    (self.objects, self.isOn, self.gain, self.offset) = (objects, isOn, gain, offset)
  }

  /// What is changed, e.g. `+6 dB`.
  package var text: String {
    var words: [String] = []
    if let isOn { words.append(isOn ? "on" : "off") }
    if let gain { words.append(ObjectInteraction.signed(gain) + " dB") }
    if let offset {
      words.append("moved by " + offset.map(ObjectInteraction.signed).joined(separator: ", "))
    }
    return words.joined(separator: ", ")
  }
}
