// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore

/// The classes of degradations that `--strict` doesn't allow.
///
/// `--strict` may stand alone, or with classes behind it; the parser knows no such options, and would take the name of
/// an input for classes.
enum StrictClasses {
  private static let flag = "--strict"
  /// All classes as a value.
  static let all = DegradationClass.allCases.map(\.rawValue).joined(separator: ",")

  /// Help of the option.
  static let help = ArgumentHelp(
    "Any degradation is a failure (exit 9); with classes only those: "
      + all + ".",
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
