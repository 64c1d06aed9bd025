import Foundation
import TestSupport
import Testing

/// The generated tables are what the script writes from the committed figures.
@Suite struct LoudspeakerTableTests {
  @Test(.tags(.system), .fullRunOnly) func theCommittedTablesAreTheScripts() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Spatial/Loudspeakers/Tables/make_tables.py")
      .standardizedFileURL.path
    let result = try Tool.run("python3", [script, "--check"])
    #expect(result.status == 0, "\(result.errors)")
  }
}
