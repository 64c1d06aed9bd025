import ArgumentParser
import AudioCore

/// Parses enumerated option values with an error that names the allowed ones.
enum Choice {
  static func parse<Value: RawRepresentable & CaseIterable>(
    _ text: String, _ option: String
  ) throws -> Value where Value.RawValue == String {
    if let value = Value(rawValue: text) { return value }
    let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
    throw MediaError(.usage, "\(option) \(text): unknown value; give one of \(allowed)")
  }

  /// A finite decimal number.
  static func number(_ text: String, _ option: String) throws -> Double {
    guard let value = Double(text), value.isFinite else {
      throw MediaError(.usage, "\(option) \(text): not a number")
    }
    return value
  }

  /// The layout of this name; `alsoKnown` stands before the names in the refusal of any other.
  static func layout(
    _ text: String, _ option: String, alsoKnown: String = ""
  ) throws -> ChannelLayout {
    guard let layout = ChannelLayout(name: text) else {
      if let fault = LayoutNameFault(of: text) {
        throw MediaError(.usage, "\(option) \(text): \(fault)")
      }
      throw MediaError(
        .usage,
        "\(option) \(text): unknown layout; give \(alsoKnown)one of "
          + ChannelLayout.knownNames.joined(separator: ", "))
    }
    return layout
  }

  /// The order of channels of this name; `alsoKnown` stands before the layouts in the refusal of any other.
  static func order(
    _ text: String, _ option: String, alsoKnown: String
  ) throws -> ChannelOrder {
    guard let order = ChannelOrder(name: text) else {
      let layout = try layout(text, option, alsoKnown: alsoKnown)
      throw MediaError(.usage, "\(option) \(text): \(layout) names no loudspeakers")
    }
    return order
  }

  /// Options of libav given as `name=value`.
  static func pairs(_ texts: [String], _ option: String) throws -> [String: String] {
    try texts.reduce(into: [:]) { all, text in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw MediaError(.usage, "\(option) \(text): give it as name=value")
      }
      all[parts[0]] = parts[1]
    }
  }

  /// A size in bytes with an optional K, M or G.
  static func size(_ text: String, _ option: String) throws -> Int {
    let units: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    let shift = text.last.flatMap { units[Character($0.uppercased())] }
    let digits = shift == nil ? Substring(text) : text.dropLast()
    guard let count = Int(digits), count > 0, count < 1 << 32 else {
      throw MediaError(.usage, "\(option) \(text): give a size such as 64M")
    }
    return count << (shift ?? 0)
  }
}

/// The classes of degradations that `--strict` doesn't allow.
///
/// `--strict` may stand alone, or with classes behind it; the parser knows no such options, and would take the name of
/// an input for classes.
enum StrictClasses {
  private static let flag = "--strict"

  /// Help of the option.
  static let help = ArgumentHelp(
    "Any degradation is a failure (exit 9); with classes only those: "
      + DegradationClass.allCases.map(\.rawValue).joined(separator: ",") + ".",
    valueName: "classes")

  /// `arguments` with a value for each `--strict`: the classes that follow it, else all.
  static func settled(_ arguments: [String]) -> [String] {
    var settled: [String] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word != "--" else { return settled + [word] + rest }
      guard word == flag else {
        settled.append(word)
        continue
      }
      let hasOwn = rest.first.map { DegradationClass.list($0) != nil } ?? false
      let all = DegradationClass.allCases.map(\.rawValue).joined(separator: ",")
      settled.append("\(flag)=\((hasOwn ? rest.popFirst() : nil) ?? all)")
    }
    return settled
  }

  /// Classes that `text` lists; `nil` for all classes.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func parse(_ text: String) throws -> [DegradationClass]? {
    guard let classes = DegradationClass.list(text) else {
      let all = DegradationClass.allCases.map(\.rawValue).joined(separator: ", ")
      throw MediaError(
        .usage, "\(flag) \(text): unknown value; give some of \(all), separated by commas")
    }
    return classes == DegradationClass.allCases ? nil : classes
  }
}
