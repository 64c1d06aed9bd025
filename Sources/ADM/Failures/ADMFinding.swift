/// Something that was repaired, passed over or taken leniently in a file, with how often it occurred.
package struct ADMFinding: Sendable, Equatable, CustomStringConvertible {
  /// What was found.
  package enum Code: String, Sendable, CaseIterable {
    /// Sizes or chunks of the container aren't as the format demands.
    case container
    /// `chna` counts its tracks wrongly, or is missing.
    case channelTable
    /// The Dolby metadata are damaged.
    case dolbyMetadata
    /// Text isn't valid UTF-8.
    case encoding
    /// An element has a name that isn't known here.
    case unknownElement
    /// A value has a form that only other versions of the standard allow.
    case lenientValue
    /// Statements that should agree don't.
    case contradiction
    /// An azimuth beyond ±180° was wrapped.
    case wrapped
    /// The ends of blocks were moved to where the next ones begin.
    case blockTimes
    /// Blocks weren't in order.
    case blockOrder
    /// An interpolation was shortened to its block.
    case interpolation
    /// Blocks beyond their object's end were cut or dropped.
    case blocksBeyondObject
    /// An element of the file replaces a common definition.
    case commonReplaced
    /// A stream names a channel and a pack; the pack is passed over.
    case streamNamesPack
    /// A property has no effect on what is rendered.
    case ignored
    /// An object, channel or track is used by nothing.
    case unused
    /// Something that was asked for in several ways was chosen.
    case choice
    /// Objects were left out because that was asked for.
    case leftOut
    /// Objects were changed because that was asked for.
    case changed
  }

  /// What was found.
  package let code: Code
  /// One sentence about the first case.
  package let message: String
  /// How many cases there are, at least 1.
  package internal(set) var count: Int

  /// Code, sentence and count in one line.
  package var description: String {
    count == 1 ? "\(code.rawValue): \(message)" : "\(code.rawValue): \(message) (\(count) times)"
  }
}
