// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Just enough of MP4 to get at an AC-4 track: the `dac4` box and the samples.
struct MovieSamples {
  let dac4: [UInt8]
  let samples: [[UInt8]]
  /// Numbers of the sync samples, counted from 0.
  let syncSamples: [Int]
  /// Ticks of the first samples, and ticks per second.
  let duration: Int
  let timescale: Int

  /// The track of one shared file; samples only of files with a sample table.
  init(_ name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: SharedMedia.path(name))))
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    func box(_ type: String) -> Range<Int>? {
      let tag = Array(type.utf8)
      guard
        let at = (4..<bytes.count - 4).first(where: { Array(bytes[$0..<$0 + 4]) == tag })
      else { return nil }
      return at + 4..<at - 4 + number(at - 4)
    }
    dac4 = box("dac4").map { Array(bytes[$0]) } ?? []
    syncSamples =
      (box("stss")?.lowerBound).map { start in
        (0..<number(start + 4)).map { number(start + 8 + 4 * $0) - 1 }
      } ?? []
    let times = box("stts")?.lowerBound
    duration = times.map { number($0 + 4) > 0 ? number($0 + 12) : 0 } ?? 0
    timescale = (box("mdhd")?.lowerBound).map { number($0 + 12) } ?? 0
    guard let sizes = box("stsz"), let chunks = box("stco"), let runs = box("stsc") else {
      samples = []
      return
    }
    let fixed = number(sizes.lowerBound + 4)
    let count = number(sizes.lowerBound + 8)
    var rows: [(first: Int, count: Int)] = []
    for row in 0..<number(runs.lowerBound + 4) {
      let at = runs.lowerBound + 8 + 12 * row
      rows.append((number(at), number(at + 4)))
    }
    var found: [[UInt8]] = []
    for chunk in 0..<number(chunks.lowerBound + 4) {
      var at = number(chunks.lowerBound + 8 + 4 * chunk)
      let perChunk = rows.last { $0.first <= chunk + 1 }?.count ?? 0
      for _ in 0..<perChunk where found.count < count {
        let size = fixed > 0 ? fixed : number(sizes.lowerBound + 12 + 4 * found.count)
        found.append(Array(bytes[at..<at + size]))
        at += size
      }
    }
    samples = found
  }
}
