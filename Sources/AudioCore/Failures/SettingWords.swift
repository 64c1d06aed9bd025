/// What settings are called in messages.
///
/// The words hold for a task and those it starts, so that several callers in one process can have words
/// of their own.
package struct SettingWords: Sendable {
  /// The words that hold for the current task: the library's unless a caller brings others.
  @TaskLocal package static var current = SettingWords { $0.rawValue }

  private let word: @Sendable (Setting) -> String

  /// Words by `word`, which gives the name of a setting.
  package init(_ word: @escaping @Sendable (Setting) -> String) { self.word = word }

  /// The name of `setting`.
  package func callAsFunction(_ setting: Setting) -> String { word(setting) }
}

extension String.StringInterpolation {
  /// Names `setting` in the words of whoever runs the task.
  package mutating func appendInterpolation(setting: Setting) {
    appendLiteral(SettingWords.current(setting))
  }
}
