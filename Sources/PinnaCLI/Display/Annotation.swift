// SPDX-License-Identifier: Apache-2.0
import Platform

/// Findings as GitHub shows them beside a change: lines that its runner takes for commands.
enum Annotation {
  /// Writes an error with a title, where a job of GitHub Actions runs.
  static func show(_ title: String, _ message: String) {
    guard getenv("GITHUB_ACTIONS").map({ String(cString: $0) == "true" }) == true else { return }
    Terminal.error(line(title, message))
  }

  /// The command; `%`, line ends, and in the title also `:` and `,` are escaped as the runner reads them.
  static func line(_ title: String, _ message: String) -> String {
    let name = escaped(title).replacing(":", with: "%3A").replacing(",", with: "%2C")
    return "::error title=\(name)::\(escaped(message))\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }
}
