import Signal

/// What keeps metadata of joint object coding from being used.
package enum JOCError: Error, Equatable {
  /// The bits contradict the syntax; this names what was read.
  case malformed(String)
  /// The syntax is one that the standard reserves or that isn't supported; this names it.
  case unsupported(String)
}

extension JOCError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let element): "the metadata of objects are damaged at \(element)"
    case .unsupported(let what): "\(what) can't be decoded"
    }
  }
}

extension JOCError: BitstreamFailure {
  package static func damaged(_ element: String) -> JOCError { .malformed(element) }
}

/// Reads the bits of metadata; what contradicts the syntax is a ``JOCError``.
typealias BitReader = Signal.BitReader<JOCError>
