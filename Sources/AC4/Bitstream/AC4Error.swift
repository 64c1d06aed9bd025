import AudioCore

/// Why an AC-4 frame or configuration can't be used.
package enum AC4Error: Error, Sendable, Equatable, CustomStringConvertible {
  /// The bits contradict the syntax; names the element.
  case damaged(String)
  /// The bits are in order, but this decoder lacks the tool; names the tool and where it is used.
  case unsupported(String)
  /// The frame can't be decoded before an I-frame has sent what it needs; names that.
  case needsIFrame(String)

  /// What is wrong, in a few words.
  package var description: String {
    switch self {
    case .damaged(let what): return "damaged AC-4 data: \(what)"
    case .unsupported(let what): return "this AC-4 tool isn't supported: \(what)"
    case .needsIFrame(let what): return "AC-4 \(what) before an I-frame"
    }
  }

  /// The same with the presentation that a missing tool belongs to.
  func located(in presentation: Int) -> AC4Error {
    guard case .unsupported(let what) = self else { return self }
    return .unsupported("\(what) in presentation \(presentation)")
  }

  /// The same with the frame that it happened in, counted from 0.
  func located(inFrame frame: Int64) -> AC4Error {
    switch self {
    case .damaged(let what): return .damaged("\(what) in frame \(frame)")
    case .unsupported(let what): return .unsupported("\(what), frame \(frame)")
    case .needsIFrame(let what): return .needsIFrame("\(what) in frame \(frame)")
    }
  }

  /// The failure as the rest of the program reports it.
  package var mediaError: MediaError {
    switch self {
    case .damaged, .needsIFrame: return MediaError(.damaged, description)
    case .unsupported: return MediaError(.unsupportedFeature, description)
    }
  }
}
