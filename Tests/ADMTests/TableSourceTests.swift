import Foundation
import TestSupport
import Testing

/// The generated table is what the script writes from the committed figures.
@Suite struct TableSourceTests {
  @Test(.tags(.system), .fullRunOnly) func theCommittedTableIsTheScripts() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/ADM/Tables/make_tables.py").standardizedFileURL.path
    let result = try Tool.run("python3", [script, "--check"])
    #expect(result.status == 0, "\(result.errors)")
  }
}
