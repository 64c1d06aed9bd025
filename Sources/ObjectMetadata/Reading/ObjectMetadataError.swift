// SPDX-License-Identifier: Apache-2.0
import Signal

/// The fault that keeps metadata of objects from being used.
package enum ObjectMetadataError: Error, Equatable {
  /// The bits contradict the syntax; this names what was read.
  case malformed(String)
  /// The syntax is one that the standard reserves or that isn't supported; this names it.
  case unsupported(String)
}

extension ObjectMetadataError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let element): "the metadata of objects are damaged at \(element)"
    case .unsupported(let what): "\(what) can't be decoded"
    }
  }
}

extension ObjectMetadataError: BitstreamFailure {
  package static func damaged(_ element: String) -> ObjectMetadataError { .malformed(element) }
}

/// Reads the bits of metadata; what contradicts the syntax is an ``ObjectMetadataError``.
package typealias ObjectBitReader = Signal.BitReader<ObjectMetadataError>
