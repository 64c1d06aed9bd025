// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore

/// The value of an option as it is typed, or its default.
///
/// Reading waits until the work needs the value: of several faults of a command line the first in the order of the work is reported,
/// and in Pinna's words instead of the parser's.
struct Given<Value>: ExpressibleByArgument, Sendable {
  let text: String
  /// Whether it is typed; else it is the default.
  let isTyped: Bool

  init(argument: String) {
    text = argument
    isTyped = true
  }

  init(default text: String) {
    self.text = text
    isTyped = false
  }

  var defaultValueDescription: String { text }
}

extension Given where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  init(_ value: Value) { self.init(default: value.rawValue) }

  /// The word that is one of the type's.
  func value(_ setting: Setting) throws -> Value { try value(of: setting.row.flag) }

  /// The word that is one of the type's, behind `option`.
  func value(of option: String) throws -> Value {
    if let value = Value(rawValue: text) { return value }
    throw unknown(option, among: Value.allCases.map(\.rawValue))
  }
}

extension Given where Value == Bool {
  /// Whether the word is the first of the setting's two.
  func value(_ setting: Setting) throws -> Bool {
    let words = setting.row.value.words
    guard words.contains(text) else { throw unknown(setting.row.flag, among: words) }
    return text == words.first
  }
}

extension Given where Value == Double {
  /// The number, with the setting's unit or without.
  func value(_ setting: Setting) throws -> Double {
    if let value = setting.row.value.number(text) { return value }
    throw setting.noNumber(text)
  }

  /// The finite number behind `option`, in `unit` or without one.
  func value(of option: String, in unit: String = "") throws -> Double {
    guard let value = NumberUnits.number(text, in: unit) else {
      throw MediaError(.usage, "\(option) \(text): not a number")
    }
    return value
  }

  /// The number, which must be in the setting's range.
  func checked(_ setting: Setting) throws -> Double {
    let value = try value(setting)
    try setting.check(value, shownAs: text)
    return value
  }
}

extension Given where Value == Int {
  /// The whole number, with the setting's unit or without, which must be in the setting's range.
  func checked(_ setting: Setting) throws -> Int {
    guard let value = setting.row.value.number(text), value == value.rounded(),
      value.magnitude < 1e15
    else { throw setting.noNumber(text) }
    try setting.check(value, shownAs: text)
    return Int(value)
  }

  func bytes(_ setting: Setting) throws -> Int { try bytes(of: setting.row.flag) }

  /// The size in bytes behind `option`, with an optional K, M or G.
  func bytes(of option: String) throws -> Int {
    let units: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    let shift = text.last.flatMap { units[Character($0.uppercased())] }
    let digits = shift == nil ? Substring(text) : text.dropLast()
    guard let count = Int(digits), count > 0, count < 1 << 32 else {
      throw MediaError(.usage, "\(option) \(text): give a size such as 64M")
    }
    return count << (shift ?? 0)
  }
}

extension Given where Value == TimeSpec {
  func value(_ setting: Setting) throws -> TimeSpec {
    try TimeSpec(text, option: setting.row.flag)
  }
}

extension Given where Value == ChannelLayout {
  /// The layout of this name; `alsoKnown` stands before the names in the refusal of any other.
  func value(_ setting: Setting, alsoKnown: String = "") throws -> ChannelLayout {
    if let layout = ChannelLayout(name: text) { return layout }
    let option = setting.row.flag
    if let fault = LayoutNameFault(of: text) {
      throw MediaError(.usage, "\(option) \(text): \(fault)")
    }
    throw MediaError(
      .usage,
      "\(option) \(text): unknown layout; give \(alsoKnown)one of "
        + ChannelLayout.knownNames.joined(separator: ", "))
  }
}

extension Given {
  private func unknown(_ option: String, among words: [String]) -> MediaError {
    MediaError(
      .usage, "\(option) \(text): unknown value; give one of \(words.joined(separator: ", "))")
  }
}

extension Setting {
  /// The refusal of a text that is no number.
  fileprivate func noNumber(_ text: String) -> MediaError {
    MediaError(.usage, "\(row.flag) \(text): not a number; give \(row.value.allowed(minus: "−"))")
  }

  /// The refusal of an option that only means something in company that isn't there; `says` stands behind its flag.
  func stray(_ company: String, says: String = "") -> MediaError {
    MediaError(.usage, "\(row.flag)\(says): only means something \(company)")
  }
}

extension [String] {
  /// Options of libav given as `name=value`.
  func pairs(_ setting: Setting) throws -> [String: String] {
    try reduce(into: [:]) { all, text in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw MediaError(.usage, "\(setting.row.flag) \(text): give it as name=value")
      }
      all[parts[0]] = parts[1]
    }
  }
}
