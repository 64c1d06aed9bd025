import Platform
import Report

/// Recognises a batch's report of an earlier run, which may be replaced without asking.
enum EarlierReport {
  /// Whether the file at `path` may be replaced by the report of `option`: it doesn't exist, is
  /// empty, or is such a report.
  static func mayBeReplaced(_ path: String, by option: String) -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return true }
    // Folders and devices are refused or accepted when the file is opened.
    guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size > 0 else { return true }
    guard let file = try? LocalFile(path: path) else { return false }
    let start = String(decoding: file.bytes(at: 0, count: 4096), as: UTF8.self)
    switch option {
    case "--report": return start.hasPrefix("{\n  \"counts\" : {") && namesItsSchema(file)
    case "--junit": return start.hasPrefix("<?xml") && start.contains("<testsuite name=\"batch ")
    case "--markdown":
      return start.hasPrefix("## ") && start.prefix { $0 != "\n" }.contains(" pinna batch ")
    default: return start.contains("content=\"Pinna\"")
    }
  }

  /// Whether the file is a whole report of a batch as ``BatchJSON`` writes it: it ends as one, and a line of its own names
  /// the schema. It is read in pieces, because it can be large.
  private static func namesItsSchema(_ file: LocalFile) -> Bool {
    guard file.bytes(at: max(0, file.size - 3), count: 3) == Array("\n}\n".utf8) else {
      return false
    }
    // A string in JSON holds no line break, so that this line can't be text of an item.
    let line = Array("\n  \"schema\" : \"\(BatchReport.schemaName)\"".utf8)
    let step = 1 << 20
    return stride(from: Int64(0), to: file.size, by: step).contains { offset in
      file.bytes(at: offset, count: step + line.count).firstRange(of: line) != nil
    }
  }
}
