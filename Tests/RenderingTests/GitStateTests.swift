// SPDX-License-Identifier: Apache-2.0
import Foundation
import Inspection
import TestSupport
import Testing

@Suite struct GitStateTests {
  @Test func aFolderOutsideOfARepositoryHasNoCommit() throws {
    let folder = try TemporaryFolder()
    let state = GitState(folder: folder.path)
    #expect(state.commit == nil)
    #expect(!state.isDirty)
  }

  @Test("a file of this checkout has a commit") func theFilesOfThisPackageHaveOne() {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    // A copy of the sources without git has none either.
    let commit = GitState(folder: folder).commit
    #expect(commit == nil || commit?.count == 40)
  }
}
