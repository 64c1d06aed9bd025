import AudioCore
import MediaIn

/// Turns what is typed about objects into options.
enum ObjectChoice {
  private static let forms =
    "give off, on, a gain such as +6dB, or an offset such as 10,-5 (azimuth,elevation) or 0.1,0,0 (X,Y,Z)"

  /// Reads `--objects`: a use, objects that alone are played, or changes of gains such as `dialogue+6dB`.
  /// - Throws: ``MediaError`` of kind `usage` for a list of both, and for an entry that is empty.
  static func read(objects text: String, into options: inout ObjectOptions) throws {
    if let use = ObjectOptions.Use(rawValue: text) {
      options.use = use
      return
    }
    for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
      let entry = String(entry)
      guard !entry.isEmpty else {
        throw MediaError(
          .usage,
          "--objects \"\(text)\": give auto, bed, render, or identifiers, e.g. AO_1001,AO_1003")
      }
      if let change = gained(entry) {
        options.changes.append(change)
      } else {
        options.only.append(entry)
      }
    }
    guard options.only.isEmpty || options.changes.isEmpty else {
      throw MediaError(
        .usage,
        "--objects \(text) both chooses and changes objects; give the changes by --object WHAT=CHANGE"
      )
    }
  }

  /// The change that `--object` asks for by `text`, e.g. `AO_1001=off`.
  /// - Throws: ``MediaError`` of kind `usage` for any other form.
  static func change(_ text: String) throws -> ObjectChange {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex else {
      throw MediaError(
        .usage, "--object \(text): give an object and a change, e.g. AO_1001=off or dialogue=+6dB")
    }
    var change = ObjectChange(String(text[..<equals]))
    let value = text[text.index(after: equals)...]
    switch value {
    case "on": change.isOn = true
    case "off": change.isOn = false
    default:
      if let gain = gain(value) {
        change.gain = gain
      } else {
        let parts = value.split(separator: ",", omittingEmptySubsequences: false).map(number)
        let offset = parts.compactMap(\.self)
        guard (2...3).contains(parts.count), offset.count == parts.count else {
          throw MediaError(.usage, "--object \(text): \(forms)")
        }
        change.offset = offset
      }
    }
    return change
  }

  /// The change that an entry such as `dialogue+6dB` asks for; `nil` for one that doesn't end in a gain.
  private static func gained(_ entry: String) -> ObjectChange? {
    guard let sign = entry.lastIndex(where: { $0 == "+" || $0 == "-" }), sign > entry.startIndex,
      let gain = gain(entry[sign...])
    else { return nil }
    return ObjectChange(String(entry[..<sign]), gain: gain)
  }

  /// The number of decibels in text such as `+6dB`.
  private static func gain(_ text: Substring) -> Double? {
    guard text.lowercased().hasSuffix("db") else { return nil }
    return number(text.dropLast(2))
  }

  /// A finite decimal number.
  private static func number(_ text: Substring) -> Double? {
    guard text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) }) else { return nil }
    return Double(text)
  }
}
