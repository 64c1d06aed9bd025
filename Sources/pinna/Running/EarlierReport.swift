import Foundation
import Platform
import Report

/// Recognises a batch's report of an earlier run, which may be replaced without asking.
enum EarlierReport {
  /// Files of this size or more aren't reports of a batch.
  private static let limit = 1 << 30

  /// Whether the file at `path` may be replaced by the report of `option`: it doesn't exist, is
  /// empty, or is such a report.
  static func mayBeReplaced(_ path: String, by option: String) -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return true }
    // Folders and devices are refused or accepted when the file is opened.
    guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size > 0 else { return true }
    guard facts.st_size < limit, let data = FileManager.default.contents(atPath: path) else {
      return false
    }
    if option == "--report" {
      return (try? JSONDecoder().decode(BatchReport.self, from: data)) != nil
    }
    let start = String(decoding: data.prefix(4096), as: UTF8.self)
    switch option {
    case "--junit": return start.hasPrefix("<?xml") && start.contains("<testsuite name=\"batch ")
    case "--markdown":
      return start.hasPrefix("## ") && start.prefix { $0 != "\n" }.contains(" pinna batch ")
    default: return start.contains("content=\"Pinna\"")
    }
  }
}
