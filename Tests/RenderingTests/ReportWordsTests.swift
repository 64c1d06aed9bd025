// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import Report
import Rendering
import Testing
import Verify

/// Lists of words in the schemas of reports that no enum of theirs has.
@Suite struct ReportWordsTests {
  @Test("the schema of comparisons names the tolerances that there are")
  func comparisonsKnowTheirTolerances() {
    let tolerances: [ComparisonTolerance] = [.exact, .transparent, .lossy]
    #expect(tolerances.map(\.name) == ReportWords.tolerances)
  }

  @Test("each mode of loudness is one of the report, which has off as well")
  func loudnessKnowsItsModes() {
    let words = LoudnessTarget.Mode.allCases.map(\.rawValue) + ["off"]
    #expect(words == RenderReport.Loudness.Mode.allCases.map(\.rawValue))
  }
}
