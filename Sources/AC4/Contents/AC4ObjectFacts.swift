/// The table of contents' entry for object audio (TS 103 190-2, 6.2.1.9 to 6.2.1.12).
package struct AC4ObjectFacts: Sendable, Equatable {
  /// Whether objects are decoded from a downmix (A-JOC).
  package internal(set) var isJointlyCoded = false
  /// Whether the downmix is a 5.X bed.
  package internal(set) var isStaticDownmix = false
  /// Whether there is a low-frequency channel.
  package internal(set) var hasLFE = false
  /// Coded signals, without low frequencies.
  package internal(set) var downmixSignals = 0
  /// Decoded objects, without low frequencies.
  package internal(set) var objects = 0
  /// Channels of the bed that the first objects make, in their order. The other objects are dynamic, or of the
  /// intermediate spatial format.
  package internal(set) var bed = BedList()
  /// Whether some objects belong to a bed of channels.
  package internal(set) var hasBed = false
  /// Whether some objects are dynamic: they have a position that may move.
  package internal(set) var hasDynamicObjects = false
  /// Whether they are of the intermediate spatial format.
  package internal(set) var isIntermediateFormat = false
  /// The same of the signals of the downmix.
  var downmixBed = BedList()
}
