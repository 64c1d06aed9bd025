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
      switch child.value {
      case let inner as any Group: gather(inner.arguments)
      case let declaration as any Declaration:
        guard let label = child.label, let setting = Setting(key: GivenOptions.key(label))
        else { continue }
        let typed = declaration.typed
        // A flag that isn't typed is false, which a toggle is only where it is typed.
        if !typed.isEmpty, setting.row.value != .flag || typed == ["true"] {
          texts[setting] = typed
        }
      default: continue
      }
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
      let isAll =
        setting.row.value == .classes
        && DegradationClass.list(texts[0]) == DegradationClass.allCases
      values[setting] = isAll ? ["true"] : texts
    }
    return values
  }

  /// How the option that changes the sound, which a copy leaves as it is, is named in its refusal; `nil` where none is typed.
  var refusedByCopies: String? {
    let asked = Setting.allCases.compactMap { setting -> (rank: Int, says: String)? in
      guard case .refusesFlag(let rank, let kept, let says) = setting.row.copy, asks(setting, kept)
      else { return nil }
      return (rank, says)
    }
    guard let first = asked.min(by: { $0.rank < $1.rank }) else { return nil }
    let flags = Setting.allCases.map(\.row).filter { $0.copyRank == first.rank }.map(\.flag)
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

extension SettingRow {
  fileprivate var copyRank: Int? {
    guard case .refusesFlag(let rank, _, _) = copy else { return nil }
    return rank
  }
}

/// A declared option or flag.
private protocol Declaration {
  /// Typed values; none where nothing is typed.
  var typed: [String] { get }
}

extension Option: Declaration {
  fileprivate var typed: [String] { (wrappedValue as? any TypedText)?.texts ?? [] }
}

extension Flag: Declaration {
  fileprivate var typed: [String] { (wrappedValue as? any TypedText)?.texts ?? [] }
}

/// A group of declarations.
private protocol Group {
  var arguments: any ParsableArguments { get }
}

extension OptionGroup: Group {
  fileprivate var arguments: any ParsableArguments { wrappedValue }
}

/// The value of a declaration as it is typed.
private protocol TypedText {
  var texts: [String] { get }
}

extension Given: TypedText {
  fileprivate var texts: [String] { isTyped ? [text] : [] }
}

extension String: TypedText {
  fileprivate var texts: [String] { [self] }
}

extension Int: TypedText {
  fileprivate var texts: [String] { [String(self)] }
}

extension Bool: TypedText {
  fileprivate var texts: [String] { [self ? "true" : "false"] }
}

extension Array: TypedText where Element == String {
  fileprivate var texts: [String] { self }
}
