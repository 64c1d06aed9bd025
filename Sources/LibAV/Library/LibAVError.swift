// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CFFmpeg

/// A libav return code with its text.
package struct LibAVError: Error, Sendable, CustomStringConvertible {
  /// The meaning of a code for the caller.
  package enum Meaning: Sendable {
    /// The data are damaged.
    case invalidData
    /// Reading or writing failed.
    case inputOutput
    /// No memory left.
    case outOfMemory
    /// libav has no decoder for the codec.
    case noDecoder
    /// libav lacks a feature.
    case unsupported
    /// Anything else.
    case other
  }

  /// The negative return code.
  package let code: Int32

  /// An error of this return code.
  package init(code: Int32) { self.code = code }

  /// There is no decoder.
  package static let noDecoder = LibAVError(code: PINNA_DECODER_NOT_FOUND)

  /// The class of failure.
  package var meaning: Meaning {
    switch code {
    case PINNA_INVALIDDATA: return .invalidData
    case PINNA_EIO: return .inputOutput
    case PINNA_ENOMEM: return .outOfMemory
    case PINNA_DECODER_NOT_FOUND: return .noDecoder
    case PINNA_PATCHWELCOME, PINNA_ENOSYS: return .unsupported
    default: return .other
    }
  }

  /// Message to users about `subject`: that memory is out, or else `sentence` with libav's own words.
  /// - Returns: an error of kind `outOfResources` or `kind`.
  package func failure(
    _ kind: MediaError.Kind, about subject: String? = nil, _ sentence: String
  ) -> MediaError {
    let isMemory = meaning == .outOfMemory
    let told = isMemory ? "memory is out; try again" : "\(sentence) (libav: \(self))"
    let kind = isMemory ? .outOfResources : kind
    return subject.map { MediaError(kind, about: $0, told, cause: self) }
      ?? MediaError(kind, told, cause: self)
  }

  /// libav's text for the code.
  package var description: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
      guard let base = text.baseAddress, av_strerror(code, base, text.count) >= 0 else {
        return "libav error \(code)"
      }
      return String(cString: base)
    }
  }
}

/// An AVDictionary of options for an open call.
final class OpenOptions {
  var handle: OpaquePointer?

  /// The options of `values`.
  /// - Throws: ``LibAVError`` when there is no memory for them; an option that is missing may be one that protects.
  init(_ values: [String: String]) throws(LibAVError) {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      let stored = av_dict_set(&handle, key, value, 0)
      guard stored >= 0 else { throw LibAVError(code: stored) }
    }
  }

  deinit { av_dict_free(&handle) }

  /// Keys that the open call didn't take.
  var unused: [String] { TagText().entries(of: handle).keys.sorted() }
}
