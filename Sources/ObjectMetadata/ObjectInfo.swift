/// What an update says of an object (`object_info_block`, TS 103 420 and TS 103 190-2).
package struct ObjectInfo: Equatable, Sendable, BitwiseCopyable {
  /// Three numbers along the axes of the room: right, back and up.
  package struct Axes: Equatable, Sendable, BitwiseCopyable {
    package var x = 0
    package var y = 0
    package var z = 0

    /// Three numbers; 0 by default.
    package init(x: Int = 0, y: Int = 0, z: Int = 0) { (self.x, self.y, self.z) = (x, y, z) }
  }

  /// How far an object is.
  package enum Distance: Equatable, Sendable, BitwiseCopyable {
    /// Where its position is.
    case unstated
    /// Behind the wall, this many times as far.
    case factor(Double)
    /// At infinity.
    case infinite
  }

  /// How a position relates to the screen.
  package struct Screen: Equatable, Sendable, BitwiseCopyable {
    package var factor: Double
    package var depth: Double

    /// A relation of these two.
    package init(factor: Double, depth: Double) { (self.factor, self.depth) = (factor, depth) }
  }

  /// Whether the object sounds.
  package var isActive = false
  /// Gain in dB; `nil` is silence.
  package var gain: Int?
  /// Importance, 0…1.
  package var priority = 0.0
  /// Position: X and Y in 62nds of the room from its left front corner, Z in 15ths of the height from the
  /// listener's ears.
  package var position = Axes(x: 31, y: 31, z: 0)
  /// What the extended element adds to the position, in fifths of a step.
  package var precision = Axes()
  package var distance = Distance.unstated
  /// `zone_constraints_idx`, 0…7.
  package var zone = 0
  /// Whether loudspeakers above the listener may play the object.
  package var hasElevation = true
  /// Width, depth and height in 31sts of the room.
  package var size = Axes()
  /// `nil` without reference to the screen.
  package var screen: Screen?
  /// Whether the nearest loudspeaker plays the object.
  package var isSnapped = false
  /// Which part goes to two further places, 0…1.
  package var divergence = 0.0

  /// The values that hold where none are sent.
  package init() {}

  /// Values that hold where none are sent.
  package static let defaults = ObjectInfo()

  /// Makes everything that `object_render_info` sends the default.
  package mutating func clearRendering() {
    let (isActive, gain, priority) = (isActive, gain, priority)
    self = .defaults
    (self.isActive, self.gain, self.priority) = (isActive, gain, priority)
  }
}
