import AudioCore
import Dispatch

/// Starts work beside a job on a thread of its own.
enum SideThread {
  /// Runs `body` on a thread called `name`, which names settings in its messages as the caller does.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let words = SettingWords.current
    DispatchQueue(label: name).async {
      SettingWords.$current.withValue(words) { body() }
    }
  }
}
