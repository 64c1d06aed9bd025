// SPDX-License-Identifier: Apache-2.0

/// The changes of an object that its file allows a listener (audioObjectInteraction, ITU-R BS.2076-2, 5.6.7).
public struct ObjectInteraction: Sendable, Hashable, Codable {
  /// The values from one to another, both included.
  public struct Bounds: Sendable, Hashable, Codable {
    /// The least value.
    public var least: Double
    /// The greatest value.
    public var greatest: Double

    /// The values from `least` to `greatest`.
    public init(least: Double, greatest: Double) {
      (self.least, self.greatest) = (least, greatest)
    }

    /// Whether `value` lies between the bounds, or beyond by less than what rounds to the same two decimals.
    package func hold(_ value: Double) -> Bool {
      value >= least - 0.005 && value <= greatest + 0.005
    }
  }

  /// The level that stands for silence, dB.
  package static let silence = -200.0

  /// Whether it may be switched on and off.
  public var onOff: Bool
  /// By how many dB its gain may be changed, −200 for silence; absent when it has to stay.
  public var gain: Bounds?
  /// By how many degrees it may be turned to the left; absent when it has to stay.
  public var azimuth: Bounds?
  /// By how many degrees it may be raised; absent when it has to stay.
  public var elevation: Bounds?
  /// How far its X may be moved; absent when it has to stay.
  public var x: Bounds?
  /// How far its Y may be moved; absent when it has to stay.
  public var y: Bounds?
  /// How far its Z may be moved; absent when it has to stay.
  public var z: Bounds?

  /// An interaction that allows a change of the gain at most.
  public init(onOff: Bool = false, gain: Bounds? = nil) {
    (self.onOff, self.gain) = (onOff, gain)
  }

  /// Whether the object may be moved.
  package var canBeMoved: Bool { [azimuth, elevation, x, y, z].contains { $0 != nil } }

  /// Whether it may be moved by X, Y and Z, not by azimuth and elevation.
  package var isCartesian: Bool { x != nil || y != nil || z != nil }

  /// The range of each coordinate that may be changed; a coordinate without one stays as it is.
  package var coordinates: [(name: String, bounds: Bounds?)] {
    isCartesian
      ? [("X", x), ("Y", y), ("Z", z)] : [("azimuth", azimuth), ("elevation", elevation)]
  }

  /// Changes allowed, e.g. `on/off` and `gain -6 to +9 dB`; empty for none.
  package var words: [String] {
    var words = onOff ? ["on/off"] : []
    if let gain {
      let least =
        gain.least <= ObjectInteraction.silence
        ? "silence" : ObjectInteraction.signed(gain.least)
      words.append("gain \(least) to \(ObjectInteraction.signed(gain.greatest)) dB")
    }
    for (name, bounds) in coordinates {
      guard let bounds else { continue }
      let unit = isCartesian ? "" : "°"
      words.append(
        "\(name) \(ObjectInteraction.signed(bounds.least)) to "
          + ObjectInteraction.signed(bounds.greatest) + unit)
    }
    return words
  }

  /// `value` with its sign and at most two decimals, e.g. `+6` or `-1.25`.
  package static func signed(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    let whole = rounded.magnitude < 1e9 && rounded == rounded.rounded()
    let text = whole ? "\(Int(rounded))" : "\(rounded)"
    return rounded > 0 ? "+" + text : text
  }
}

/// A change of some objects that a listener asks for, within what the file allows.
public struct ObjectChange: Sendable, Hashable, Codable {
  /// Objects to change: an identifier (`AO_1001`), the kind of their content (`dialogue`, `music`, `effects`,
  /// `mixed` or a finer one) or a name.
  public var objects: String
  /// Whether they sound; `nil` leaves that as it is.
  public var isOn: Bool?
  /// Change of their gain, dB; `nil` leaves it as it is.
  public var gain: Double?
  /// Offset added to their positions: azimuth and elevation in degrees, or X, Y and Z; `nil` for none.
  public var offset: [Double]?

  /// A change of `objects`, which changes nothing yet.
  public init(_ objects: String, isOn: Bool? = nil, gain: Double? = nil, offset: [Double]? = nil) {
    (self.objects, self.isOn, self.gain, self.offset) = (objects, isOn, gain, offset)
  }

  /// The change in words, e.g. `+6 dB`.
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
