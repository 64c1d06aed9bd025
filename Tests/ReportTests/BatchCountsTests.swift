// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Report
import Testing

@Suite struct BatchCountsTests {
  private func entry(_ codes: [DegradationCode], _ status: BatchReport.Status) -> BatchReport.Entry
  {
    var entry = BatchReport.Entry(id: "a", input: "a.wav", status: status, result: "a.json")
    for code in codes { entry.degradations[code.rawValue] = 2 }
    return entry
  }

  @Test(
    "items of a batch are counted once in each class of their degradations; those that failed aren't"
  )
  func itemsAreCountedByClass() {
    var counts = BatchReport.Counts()
    for _ in 0..<3 { counts.add(entry([.limited, .clipped], .ok)) }
    counts.add(entry([.limited, .truncated], .ok))
    counts.add(entry([.videoLeftOut], .unchanged))
    counts.add(entry([.truncated], .error))
    counts.add(entry([], .ok))
    #expect(counts.degraded == 5)
    #expect(DegradationClass.allCases.map { counts[$0] } == [1, 0, 4, 1])
    #expect(counts.damage == 1 && counts.doubt == 0 && counts.level == 4 && counts.loss == 1)
  }
}
