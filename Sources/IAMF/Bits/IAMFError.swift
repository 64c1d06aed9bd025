import AudioCore
import Signal

/// What keeps a sequence of IAMF, or a part of one, from being used.
package enum IAMFError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The bits contradict the syntax; this names what was read.
  case malformed(String)
  /// The syntax is in order, but it asks for what is reserved or isn't supported; this names it.
  case unsupported(String)
  /// Reading the file failed.
  case unreadable

  /// The reason in a few words.
  package var description: String {
    switch self {
    case .malformed(let what): return "damaged IAMF data: \(what)"
    case .unsupported(let what): return "this part of IAMF isn't supported: \(what)"
    case .unreadable: return "reading failed; check the disk"
    }
  }

  /// What is wrong, without the words in front that ``description`` has.
  package var reason: String {
    switch self {
    case .malformed(let what), .unsupported(let what): return what
    case .unreadable: return description
    }
  }

  /// This error as the rest of the program reports it.
  package var mediaError: MediaError {
    switch self {
    case .malformed: return MediaError(.damaged, description)
    case .unsupported: return MediaError(.unsupportedFeature, description)
    case .unreadable: return MediaError(.inputUnreadable, description)
    }
  }
}

extension IAMFError: BitstreamFailure {
  package static func damaged(_ element: String) -> IAMFError { .malformed(element) }
}

/// Reads the bits of IAMF; what contradicts the syntax is an ``IAMFError``.
typealias BitReader = Signal.BitReader<IAMFError>

/// Writes the bits of IAMF.
typealias BitWriter = Signal.BitWriter
