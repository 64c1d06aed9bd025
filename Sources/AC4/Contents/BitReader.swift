// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// Reads the bits of AC-4 frames; what contradicts the syntax is an ``AC4Error``.
typealias BitReader = Signal.BitReader<AC4Error>

/// Writes the bits of AC-4.
typealias BitWriter = Signal.BitWriter

extension AC4Error: BitstreamFailure {}

/// The reason that an AC-4 frame or configuration can't be used.
package enum AC4Error: Error, Sendable, Equatable, CustomStringConvertible {
  /// The bits contradict the syntax in the named element.
  case damaged(String)
  /// The bits are in order, but the named tool isn't implemented.
  case unsupported(String)
  /// The named part of the frame needs settings that only an I-frame sends, and none has.
  case needsIFrame(String)

  /// The reason in a few words.
  package var description: String {
    switch self {
    case .damaged(let what): return "damaged AC-4 data: \(what)"
    case .unsupported(let what): return "this AC-4 tool isn't supported: \(what)"
    case .needsIFrame(let what): return "AC-4 \(what) before an I-frame"
    }
  }

  /// This error with the presentation that a missing tool belongs to.
  func located(in presentation: Int) -> AC4Error {
    guard case .unsupported(let what) = self else { return self }
    return .unsupported("\(what) in presentation \(presentation)")
  }

  /// This error with the number of its frame, counted from 0.
  func located(inFrame frame: Int64) -> AC4Error {
    switch self {
    case .damaged(let what): return .damaged("\(what) in frame \(frame)")
    case .unsupported(let what): return .unsupported("\(what), frame \(frame)")
    case .needsIFrame(let what): return .needsIFrame("\(what) in frame \(frame)")
    }
  }

  /// This error as the rest of the program reports it.
  package var mediaError: MediaError {
    switch self {
    case .damaged, .needsIFrame: return MediaError(.damaged, description)
    case .unsupported: return MediaError(.unsupportedFeature, description)
    }
  }
}

/// The codebooks of a quantity whose values are coded as differences along frequency or along time.
struct BookFamily {
  /// For the first value along frequency (F0).
  let first: HuffmanDecoder
  /// For the differences along frequency (DF).
  let frequency: HuffmanDecoder
  /// For the differences along time (DT).
  let time: HuffmanDecoder

  /// Decoders of the three tabulated codes.
  init(_ first: HuffmanCode, _ frequency: HuffmanCode, _ time: HuffmanCode) {
    self.first = HuffmanDecoder(first)
    self.frequency = HuffmanDecoder(frequency)
    self.time = HuffmanDecoder(time)
  }
}
