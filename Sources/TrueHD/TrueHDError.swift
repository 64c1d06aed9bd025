// SPDX-License-Identifier: Apache-2.0
import Signal

/// The fault that keeps a unit or a stream from being decoded.
package enum TrueHDError: Error, Equatable, Sendable {
  /// The bits contradict the syntax or their checks; this names what was read. Decoding goes on behind it.
  case damaged(String)
  /// The stream can't be decoded from here on; this names what it has.
  case refused(String)
}

extension TrueHDError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .damaged(let element): "damaged TrueHD data: \(element)"
    case .refused(let what): "\(what) can't be decoded"
    }
  }
}

extension TrueHDError: BitstreamFailure {}

/// Reads the bits of access units; what contradicts the syntax is a ``TrueHDError``.
typealias BitReader = Signal.BitReader<TrueHDError>

extension Signal.BitReader where Failure == TrueHDError {
  /// A number of `count` bits, 0…32, in two's complement.
  mutating func signed(_ count: Int) throws(TrueHDError) -> Int {
    let value = try read(count)
    return count > 0 && value >> (count - 1) == 1 ? value - 1 << count : value
  }
}
