// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

/// Sources are read to their end.
@Suite struct ForEachBlockTests {
  private final class Counter: AudioSource {
    let format = AudioFormat(sampleRate: 48_000, layout: .mono)
    private var left: [Int]

    init(_ counts: [Int]) { left = counts }

    func read(into buffer: AudioBuffer) throws -> Bool {
      if left.isEmpty { throw MediaError(.damaged, "read beyond its end") }
      buffer.appendSilence(left.removeFirst())
      return !left.isEmpty
    }
  }

  @Test(
    "every block is handed on once, the last with what came with the end",
    arguments: [[0], [5], [3, 0, 20_000, 7], [4, 0]])
  func blocksAreHandedOn(counts: [Int]) throws {
    var found: [Int] = []
    try Counter(counts).forEachBlock { found.append($0.frames) }
    #expect(found == counts)
  }
}
