/// A timed block of a channel (audioBlockFormat, BS.2076-2, 5.4), kept small: 104 bytes, of which a film
/// has up to millions. What few blocks have stands in ``BlockDetails``, which equal blocks share.
package struct AudioBlock: Sendable {
  /// Properties that are on or off.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// It has a start.
    package static let hasStart = Flags(rawValue: 1)
    /// It has a duration.
    package static let hasDuration = Flags(rawValue: 2)
    /// Position and size are Cartesian.
    package static let isCartesian = Flags(rawValue: 4)
    /// The position is taken at once, or within the interpolation's length.
    package static let jumps = Flags(rawValue: 8)
    /// It is played by one loudspeaker, if one is near enough.
    package static let isLocked = Flags(rawValue: 16)
    /// It moves with the head.
    package static let isHeadLocked = Flags(rawValue: 32)
    /// Its position refers to the screen.
    package static let refersToScreen = Flags(rawValue: 64)
  }

  /// When it begins, from the object's start; zero when nothing is stated.
  package var start = ADMTime.zero
  /// How long it lasts; zero when nothing is stated.
  package var duration = ADMTime.zero
  /// Where it is; of Objects and DirectSpeakers.
  package var position = Position(0, 0, 1)
  /// Amplitude.
  package var gain = 1.0
  /// Width, height and depth: degrees, degrees and 0…1, or 0…1 each.
  package var size = Position(0, 0, 0)
  /// Which part of the power is decorrelated, 0…1.
  package var diffuse = 0.0
  /// The place of its ``BlockDetails`` in its channel's list; −1 when it has none.
  package var details: Int32 = -1
  /// What is on.
  package var flags: Flags = []
  /// How important it is, 0…10.
  package var importance: UInt8 = 10
}
