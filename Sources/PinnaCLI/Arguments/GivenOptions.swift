// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Batch

/// The options of `render` that are typed, read off their declarations: the name of a property is the key of the option's
/// row in camel case.
struct GivenOptions {
  private var texts: [Setting: [String]] = [:]

  init(_ groups: any ParsableArguments...) {
    for group in groups { gather(group) }
  }

  private mutating func gather(_ group: any ParsableArguments) {
    for child in Mirror(reflecting: group).children {
      guard let declaration = child.value as? any Declaration else { continue }
      if let inner = declaration.value as? any ParsableArguments { gather(inner) }
      guard let setting = child.label.flatMap({ Setting(key: GivenOptions.key($0)) }) else {
        continue
      }
      let typed = GivenOptions.typed(declaration.value)
      // A flag that isn't typed is false, which a toggle is only where it is typed.
      if !typed.isEmpty, setting.row.value != .flag || typed == ["true"] { texts[setting] = typed }
    }
  }

  /// Texts of a declaration's value; none where nothing is typed.
  private static func typed(_ value: Any) -> [String] {
    switch value {
    case let given as any TypedText: given.isTyped ? [given.text] : []
    case let texts as [String]: texts
    case let text as String: [text]
    case let number as Int: [String(number)]
    case let flag as Bool: [flag ? "true" : "false"]
    default: []
    }
  }

  /// `lfe-gain` for `_lfeGain`, which a wrapped property is stored as.
  private static func key(_ label: String) -> String {
    label.drop { $0 == "_" }.reduce(into: "") { key, letter in
      key += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
    }
  }

  /// The options that a batch takes.
  var ofBatch: OptionValues {
    var values = OptionValues()
    for (setting, texts) in texts where setting.row.scope == .file {
      // `--strict` alone got its classes before it was parsed.
      let isAll = setting.row.value == .classes && texts == [StrictClasses.all]
      values[setting] = isAll ? ["true"] : texts
    }
    return values
  }

  /// How the option that changes the sound, which a copy leaves as it is, is named in its refusal; `nil` where none is typed.
  var refusedByCopies: String? {
    let changes = Setting.allCases.compactMap { setting in
      if case .byFlag(let rank, let kept, let says) = setting.row.copy {
        return (rank: rank, flag: setting.row.flag, says: says, isAsked: asks(setting, kept))
      }
      return nil
    }
    guard let first = changes.filter(\.isAsked).min(by: { $0.rank < $1.rank }) else { return nil }
    let flags = changes.filter { $0.rank == first.rank }.map(\.flag)
    let list = flags.dropLast().joined(separator: ", ")
    return (list.isEmpty ? "" : list + " and ") + (flags.last ?? "") + first.says
  }

  /// The option of the level that is refused where the level stays as it is; `nil` where none is typed.
  var refusedWithoutLevel: Setting? {
    Setting.allCases.filter { $0.row.level != nil && asks($0, nil) }
      .min { ($0.row.level ?? 0) < ($1.row.level ?? 0) }
  }

  /// Whether `setting` is typed with another value than `kept`, and isn't taken back.
  private func asks(_ setting: Setting, _ kept: String?) -> Bool {
    guard let texts = texts[setting] else { return false }
    return texts != [kept] && !(setting.row.value == .toggle && texts == ["false"])
  }
}

/// A declared option or flag, or a group of them.
private protocol Declaration {
  var value: Any { get }
}

extension Option: Declaration { fileprivate var value: Any { wrappedValue } }
extension Flag: Declaration { fileprivate var value: Any { wrappedValue } }
extension OptionGroup: Declaration { fileprivate var value: Any { wrappedValue } }

/// A ``Given`` of any type.
private protocol TypedText {
  var text: String { get }
  var isTyped: Bool { get }
}

extension Given: TypedText {}
