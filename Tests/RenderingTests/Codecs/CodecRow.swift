// SPDX-License-Identifier: Apache-2.0
import Testing

/// One codec in one container: how ffmpeg makes it and what must come back.
struct CodecRow: Sendable, CustomTestStringConvertible {
  /// Knowledge of the end of the programme.
  enum End: Sendable {
    /// Bit-exact and exactly N long.
    case exact
    /// N long: the container signals the padding.
    case signalled
    /// This many samples: the encoder (dca, mp2) drops the end of its input.
    case counted(Int)
    /// As long as the edit list says, within a tick of its clock. Versions of ffmpeg write another length
    /// for AC-3, and none writes N.
    case edited
    /// Longer than N by padding that nothing signals; the report says so.
    case unknown
  }

  let codec: String
  let container: String
  let arguments: [String]
  /// Source of the number of start-up samples; `a or b` where ffmpeg's versions write different files.
  let priming: String
  let end: End
  var bits = 16

  var testDescription: String { "\(codec) in \(container)" }

  init(
    _ codec: String, _ container: String, _ priming: String, _ end: End,
    _ arguments: [String] = [], bits: Int = 16
  ) {
    self.codec = codec
    self.container = container
    self.priming = priming
    self.end = end
    self.arguments = arguments
    self.bits = bits
  }
}
