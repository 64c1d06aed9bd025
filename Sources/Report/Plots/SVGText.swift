// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Strings and numbers as they may stand in an SVG file.
enum SVGText {
  /// Text for content or a quoted attribute. Control characters, line ends and signs that
  /// turn the direction of writing become U+FFFD, so that a file name shows as one plain line.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case _ where isUnwanted(scalar): result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Text with the replacements by U+FFFD of ``escaped(_:)`` alone, for callers that escape the rest.
  static func cleaned(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      result.unicodeScalars.append(isUnwanted(scalar) ? "\u{FFFD}" : scalar)
    }
    return result
  }

  private static func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFFFE,
      0xFFFF:
      return true
    default: return false
    }
  }

  /// A number with `digits` digits after the point; one that isn't finite is 0.
  static func fixed(_ value: Double, _ digits: Int = 1) -> String {
    value.fixed(digits) ?? "0"
  }

  /// A coordinate in pixels, to a tenth, without a needless ".0".
  static func coordinate(_ value: Double) -> String {
    let text = fixed(value, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A figure for people: with a minus sign instead of a hyphen, and a dash where there is no
  /// value.
  static func figure(_ value: Double?, _ digits: Int = 1) -> String {
    guard let value, value.isFinite else { return "–" }
    let text = fixed(value, digits)
    return text.hasPrefix("-") ? "−" + text.dropFirst() : text
  }

  /// An upper bound for the width of `text` in a common sans-serif typeface of `size` pixels.
  static func width(_ text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0) { $0 + advance($1) } * size
  }

  /// `text`, with its middle left out when it is wider than `width` pixels.
  static func fitted(_ text: String, size: Double, width limit: Double) -> String {
    guard width(text, size: size) > limit else { return text }
    let characters = Array(text)
    var kept = characters.count - 1
    while kept > 2 {
      let half =
        String(characters.prefix(kept / 2)) + "…" + String(characters.suffix(kept - kept / 2))
      if width(half, size: size) <= limit { return half }
      kept -= 1 + kept / 32
    }
    return "…"
  }

  private static func advance(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "m", "w", "M", "W", "@", "%", "…": return 0.95
    case "A"..."Z", "&", "–", "−": return 0.74
    case "i", "j", "l", "I", ".", ",", ":", " ", "'", "|": return 0.36
    case _ where scalar.value >= 0x1100: return 1.05
    case _ where scalar.value >= 0x80: return 0.8
    default: return 0.62
    }
  }
}
