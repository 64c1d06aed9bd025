// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Writes cues as WebVTT for HLS (W3C WebVTT; RFC 8216, 3.5) and WebM.
package struct WebVTT {
  /// A text and when it is shown.
  package struct Cue: Sendable, Equatable {
    /// When it appears, in milliseconds.
    package var start: Int64
    /// When it goes, in milliseconds.
    package var end: Int64
    /// The text; lines end with LF.
    package var text: StyledText

    /// A cue of these values.
    package init(start: Int64, end: Int64, text: StyledText) {
      self.start = start
      self.end = end
      self.text = text
    }
  }

  /// The whole file. Its times are those of the presentation, whose clock begins at 0.
  package static func text(_ cues: [Cue]) -> String {
    var lines = ["WEBVTT", "X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000", ""]
    for cue in cues {
      lines.append("\(MediaTime.clock(cue.start)) --> \(MediaTime.clock(cue.end))")
      lines += cue.text.lines.map { marked($0) }
      lines.append("")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A block of WebM: a line for the cue's identifier and one for its settings, both empty, and its text (WebM Container Guidelines,
  /// WebVTT).
  package static func block(_ text: StyledText) -> String {
    "\n\n" + text.lines.map { marked($0) }.joined(separator: "\n")
  }

  /// Tags of each face, the outermost first.
  private static let tags: [(face: StyledText.Face, name: String)] = [
    (.bold, "b"), (.italic, "i"), (.underlined, "u"),
  ]

  /// A line with its faces as tags (W3C WebVTT, 3.2).
  private static func marked(_ line: StyledText) -> String { marked(line) { escaped($0) } }

  /// A text with its faces as tags, which SubRip has too; it has no escapes.
  package static func subRip(_ text: StyledText) -> String { marked(text) { $0 } }

  private static func marked(_ text: StyledText, _ written: (String) -> String) -> String {
    text.runs.map { run in
      let names = tags.filter { run.face.contains($0.face) }.map(\.name)
      return names.map { "<\($0)>" }.joined() + written(run.text)
        + names.reversed().map { "</\($0)>" }.joined()
    }.joined()
  }

  private static func escaped(_ line: String) -> String {
    // With a combining mark behind it, an angle bracket is another `Character`, but one to every reader.
    line.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      // A line ends there for every reader.
      case "\r": break
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
