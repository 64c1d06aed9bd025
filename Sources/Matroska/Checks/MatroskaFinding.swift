/// A fault of a file, with its place.
package struct MatroskaFinding: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of fault.
  package enum Code: String, Sendable, Codable, CaseIterable {
    /// The file doesn't begin with a header of EBML, has no Segment, or is of another document type.
    case notMatroska = "not-matroska"
    /// The header demands a reader of a later version, or longer identifiers or sizes than Matroska has.
    case unsupported
    /// An element reaches beyond its parent, leaves bytes over, or its content is none of its type.
    case malformedElement = "malformed-element"
    /// The file ends within an element.
    case truncated
    /// An element that has to be read whole is larger than any real one, or there are too many.
    case tooLarge = "too-large"
    /// A required element is missing.
    case missing
    /// A block, or an entry of an index, belongs to no track, or two tracks have one number.
    case unknownTrack = "unknown-track"
    /// The sizes of laced frames don't fit their block.
    case lacing
    /// An entry of SeekHead points at something else than it names.
    case seekHead = "seek-head"
    /// An entry of Cues points at no block of its track and time.
    case cue
    /// A cluster begins earlier than the one before, or states no time.
    case clusterTime = "cluster-time"
    /// A block is earlier than the reordering of pictures allows.
    case blockTime = "block-time"
    /// The first block of pictures can't be decoded alone.
    case entry
    /// The stated length isn't that of the presentation.
    case duration
  }

  /// The kind of fault.
  package let code: Code
  /// Offset of the element in the file.
  package let offset: Int64
  /// A sentence with figures.
  package let message: String

  init(_ code: Code, at offset: Int64, _ message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }

  /// All in one line.
  package var description: String { "\(code.rawValue): at \(offset): \(message)" }
}
