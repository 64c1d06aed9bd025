/// Strings in double quotes that mean the same in JSON, YAML 1.2 and Python.
package enum JSONWord {
  /// `text` in double quotes.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      default:
        // Control characters, and those that YAML reads as line breaks or as not printable.
        let isOdd =
          scalar.value < 0x20 || (0x7F...0xA0).contains(scalar.value)
          || [0x2028, 0x2029, 0xFEFF].contains(scalar.value)
        guard isOdd else {
          result.unicodeScalars.append(scalar)
          continue
        }
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result + "\""
  }

  /// `texts` as a list.
  static func list(_ texts: [String]) -> String {
    "[" + texts.map(quoted).joined(separator: ", ") + "]"
  }
}
