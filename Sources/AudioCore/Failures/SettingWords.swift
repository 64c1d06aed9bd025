/// The names of settings in messages.
///
/// They are a task-local value: several callers in one process can each use their own names.
package struct SettingWords: Sendable {
  /// The names that the current task uses; by default the library's.
  @TaskLocal package static var current = SettingWords { $0.rawValue }

  private let word: @Sendable (Setting) -> String

  /// Names that `word` gives for each setting.
  package init(_ word: @escaping @Sendable (Setting) -> String) { self.word = word }

  /// The name of `setting`.
  package func callAsFunction(_ setting: Setting) -> String { word(setting) }
}

extension String.StringInterpolation {
  /// Appends the name of `setting` that the current task uses.
  package mutating func appendInterpolation(setting: Setting) {
    appendLiteral(SettingWords.current(setting))
  }
}
