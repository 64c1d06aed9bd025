// SPDX-License-Identifier: Apache-2.0

/// The facts of one setting; everything that lists, names, reads or refuses options follows from these rows.
package struct SettingRow: Sendable {
  /// Commands that have the option.
  package enum Scope: Sendable {
    /// `render`, and all that render many files: manifests may hold it.
    case file
    /// `render` only, because it is about the run.
    case run
    /// Not an option of `render` of its own.
    case other
  }

  /// Whether `-c:a copy`, which leaves the sound as it is, refuses a setting, because it changes the sound.
  package enum CopyRefusal: Sendable, Equatable {
    case never
    /// The flag shows it: of several flags those of the lowest rank are named, with `says` behind them. The value
    /// `unless` changes nothing.
    case byFlag(_ rank: Int, unless: String? = nil, says: String = "")
    /// The request shows it; `says` stands behind the name.
    case byValue(says: String = "")
  }

  /// Name in manifests and presets: the long flag without dashes, but for options that have only a short one.
  package let key: String
  /// Path of the property that holds it, where one does: the library's name.
  package let path: String
  /// Values that it takes.
  package let value: SettingValue
  /// The flag that messages name and arguments are made with.
  package let flag: String
  /// Its short flag, where it has both.
  package let short: String?
  package let scope: Scope
  /// Place in lists of what a preset may set; `nil` where none may.
  package let preset: Int?
  package let copy: CopyRefusal
  /// Rank among options of the level, which are refused where it stays as it is; `nil` for others.
  package let level: Int?

  init(
    _ key: String, _ path: String, _ value: SettingValue = .text, flag: String? = nil,
    short: String? = nil, in scope: Scope = .file, preset: Int? = nil, copy: CopyRefusal = .never,
    level: Int? = nil
  ) {
    self.key = key
    self.path = path
    self.value = value
    self.flag = flag ?? "--" + key
    self.short = short
    self.scope = scope
    self.preset = preset
    self.copy = copy
    self.level = level
  }
}

/// Values that an option takes.
package enum SettingValue: Sendable, Equatable {
  /// Nothing: `true` sets it.
  case flag
  /// `true` sets it and `false` takes it back.
  case toggle
  /// `true` sets it for all classes of degradations, else it has a list of them.
  case classes
  case words([String])
  /// A number in this range, in this unit, or a word.
  case number(ClosedRange<Double>, _ unit: String = "", or: String? = nil)
  case whole(ClosedRange<Int>, _ unit: String = "")
  /// A time, as `TimeSpec` reads it.
  case time
  /// Bytes, as `64M`.
  case size
  case text
  /// A file, unless it is one of these words.
  case file(or: [String] = [])
  /// Any number of files.
  case files
  /// Any number of texts of this kind.
  case texts(String)

  /// Words that it takes besides other values.
  package var words: [String] {
    switch self {
    case .words(let words), .file(let words): return words
    case .number(_, _, let word): return word.map { [$0] } ?? []
    default: return []
    }
  }

  /// Numbers that it takes; all for one that takes no numbers.
  package var range: ClosedRange<Double> {
    switch self {
    case .number(let range, _, _): return range
    case .whole(let range, _): return Double(range.lowerBound)...Double(range.upperBound)
    default: return -Double.infinity...Double.infinity
    }
  }

  /// Whether each further value is added to those before.
  package var isRepeated: Bool {
    switch self {
    case .files, .texts: return true
    default: return false
    }
  }

  /// The allowed values, for people; `minus` begins a number below zero.
  package func allowed(minus: String = "-") -> String {
    func text(_ number: Double) -> String {
      let figure = number.magnitude
      let digits = figure == figure.rounded() ? String(Int(figure)) : String(figure)
      return number < 0 ? minus + digits : digits
    }
    func ending(_ unit: String) -> String { unit.isEmpty ? "" : " " + unit }
    switch self {
    case .flag, .toggle: return "true or false"
    case .classes:
      return "true or false, or some of "
        + DegradationClass.allCases.map(\.rawValue).joined(separator: ", ")
    case .words(let words): return words.joined(separator: ", ")
    case .number(let range, let unit, let word):
      return "\(text(range.lowerBound)) to \(text(range.upperBound))" + ending(unit)
        + (word.map { ", or \($0)" } ?? "")
    case .whole(let range, let unit):
      return "\(range.lowerBound) to \(range.upperBound)" + ending(unit)
    case .time, .size, .text: return "a text"
    case .file, .files: return "a file, or a list of them"
    case .texts(let kind): return "\(kind), or a list of them"
    }
  }
}

extension Setting {
  /// Settings that a manifest may hold, in the order of its schema.
  package static let ofManifests = allCases.filter { $0.row.scope == .file }
  /// Settings that a preset may hold, in the order of its pages.
  package static let ofPresets = allCases.compactMap { setting in
    setting.row.preset.map { (setting, place: $0) }
  }.sorted { $0.place < $1.place }.map(\.0)

  private static let byKey = Dictionary(
    uniqueKeysWithValues: allCases.filter { $0.row.scope != .other }.map { ($0.row.key, $0) })

  /// The option of `render` with this key.
  package init?(key: String) {
    guard let setting = Setting.byKey[key] else { return nil }
    self = setting
  }

  /// The setting that manifests call `key`.
  package init?(ofManifests key: String) {
    self.init(key: key)
    guard row.scope == .file else { return nil }
  }

  /// The setting that presets call `key`.
  package init?(ofPresets key: String) {
    guard let setting = Setting.ofPresets.first(where: { $0.row.key == key }) else { return nil }
    self = setting
  }

  /// Refuses a number out of the setting's range; the message shows it as `text`.
  /// - Throws: ``MediaError`` of kind `usage`.
  package func check(_ number: Double, shownAs text: String) throws {
    guard !row.value.range.contains(number) else { return }
    // A minus is easily forgotten before a level, which is never above zero.
    let range = row.value.range
    let isForgotten = number > 0 && range.upperBound <= 0 && range.contains(-number)
    throw MediaError(
      .usage,
      "\(setting: self) \(text): give \(row.value.allowed(minus: "−"))"
        + (isForgotten ? "; did you mean -\(text)?" : ""))
  }
}
