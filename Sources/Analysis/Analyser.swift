import AudioCore

/// Something that looks at sound in order, once, and then tells what it found.
///
/// What it finds doesn't depend on how the sound is cut into blocks, and its memory has a bound for any length.
package protocol Analyser: AnyObject {
  /// What it tells.
  associatedtype Findings: Sendable

  /// Takes the next block, of any size, in the format that the analyser was made for.
  /// - Throws: ``MediaError`` of kind `internal` for another number of channels, or what a closure for
  ///   rows throws.
  func add(_ block: AudioBuffer) throws

  /// Tells what was found; called once, at the end.
  /// - Throws: as ``add(_:)``.
  func finish() throws -> Findings
}

extension Analyser {
  /// Refuses a block with another number of channels than the format has.
  /// - Throws: ``MediaError`` of kind `internal`.
  func check(_ block: AudioBuffer, _ format: AudioFormat) throws {
    guard block.channels == format.channels else {
      throw MediaError(
        .internal, "an analyser of \(format.channels) channels was handed \(block.channels)")
    }
  }
}
