// SPDX-License-Identifier: Apache-2.0

/// A text whose characters may be bold, italic or underlined, as subtitles are.
package struct StyledText: Sendable, Equatable, ExpressibleByStringLiteral {
  /// How characters look; raw values are those of 3GPP timed text (3GPP TS 26.245, 5.17.1.1).
  package struct Face: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Thicker strokes.
    package static let bold = Face(rawValue: 1)
    /// Slanted.
    package static let italic = Face(rawValue: 2)
    /// With a line below.
    package static let underlined = Face(rawValue: 4)
  }

  /// Characters that follow each other and look alike.
  package struct Run: Sendable, Equatable {
    /// The characters; not empty.
    package var text: String
    /// How they look.
    package var face: Face

    /// Characters of one face.
    package init(_ text: String, _ face: Face) { (self.text, self.face) = (text, face) }
  }

  /// The text in the order in which it is read; no two neighbours have one face.
  package private(set) var runs: [Run] = []

  /// No text.
  package init() {}

  /// `text` without styles.
  package init(_ text: String) { append(text, []) }

  /// A literal without styles.
  package init(stringLiteral value: String) { self.init(value) }

  /// Whether there is no character.
  package var isEmpty: Bool { runs.isEmpty }

  /// The characters without their styles.
  package var plain: String { runs.map(\.text).joined() }

  /// Whether a character is bold, italic or underlined.
  package var isStyled: Bool { runs.contains { !$0.face.isEmpty } }

  /// Adds characters of one face.
  package mutating func append(_ text: String, _ face: Face) {
    guard !text.isEmpty else { return }
    if let last = runs.indices.last, runs[last].face == face {
      runs[last].text += text
    } else {
      runs.append(Run(text, face))
    }
  }

  /// Adds another text with its styles.
  package mutating func append(_ other: StyledText) {
    for run in other.runs { append(run.text, run.face) }
  }

  /// The lines, split at LF, without spaces at both ends and without empty lines.
  package var lines: [StyledText] {
    var lines: [[(scalar: Unicode.Scalar, face: Face)]] = [[]]
    for run in runs {
      for scalar in run.text.unicodeScalars {
        if scalar == "\n" {
          lines.append([])
        } else {
          lines[lines.count - 1].append((scalar, run.face))
        }
      }
    }
    return lines.compactMap { line in
      let begin = line.firstIndex { !$0.scalar.properties.isWhitespace } ?? line.endIndex
      let end = line.lastIndex { !$0.scalar.properties.isWhitespace } ?? line.startIndex
      guard begin <= end, begin < line.endIndex else { return nil }
      return line[begin...end].reduce(into: StyledText()) {
        $0.append(String($1.scalar), $1.face)
      }
    }
  }

  /// Texts below each other, each on lines of its own.
  package static func joined(_ texts: [StyledText]) -> StyledText {
    texts.reduce(into: StyledText()) { result, text in
      // The line end belongs to the text before it, so that it begins no run of its own.
      if let last = result.runs.last { result.append("\n", last.face) }
      result.append(text)
    }
  }
}
