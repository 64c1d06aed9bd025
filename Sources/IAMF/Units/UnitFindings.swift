/// What was met while temporal units were read.
package struct UnitFindings: Equatable, Sendable {
  /// Temporal units.
  package var units = 0
  /// Frames that a unit lacks; silence stands in.
  package var missingFrames = 0
  /// Frames without a byte; the same.
  package var emptyFrames = 0
  /// Frames of LPCM that are shorter than a frame or no whole number of samples; silence fills them.
  package var shortFrames = 0
  /// Units of the bitstream whose header can't be read.
  package var unreadableUnits = 0
  /// Bytes at the end that belong to no unit.
  package var lostBytes: Int64 = 0
  /// Blocks of parameters that can't be read; the defaults hold.
  package var unreadableBlocks = 0
  /// Blocks of parameters that nobody defines.
  package var unknownBlocks = 0
  /// Blocks without a frame that they hold for.
  package var idleBlocks = 0
  /// Frames of substreams that no element that can be played has.
  package var foreignFrames = 0
  /// Units of the bitstream of reserved types.
  package var reservedUnits = 0
  /// Units of the bitstream that repeat others.
  package var redundantUnits = 0
  /// Descriptors in the middle that are neither copies nor begin a sequence.
  package var strayDescriptors = 0
  /// Temporal units whose frames are trimmed differently.
  package var disagreeingTrims = 0

  /// Whether sound is missing.
  package var isDamaged: Bool {
    missingFrames + emptyFrames + shortFrames + unreadableUnits > 0 || lostBytes > 0
  }
}
