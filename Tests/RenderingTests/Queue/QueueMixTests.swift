// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

/// Gains, fades, crossfades, gaps and ranges of queues.
@Suite(.tags(.system)) struct QueueMixTests {
  @Test("gains, fades and gaps of a queue are exact to the sample")
  func gainsFadesAndGapsAreAppliedToTheSample() async throws {
    let test = try QueueCase()
    let planes = QueueCase.noise(1, 1000)
    let path = try test.write("a.wav", planes)
    var first = QueueCase.item(path)
    first.gain = -6
    first.fadeIn = Fade(.samples(100), curve: .equalGain)
    first.fadeOut = Fade(.samples(200), curve: .equalPower)
    var second = QueueCase.item(path)
    second.transition = .gap(.samples(33))
    let (out, _) = try await test.render(.queue(PlayQueue([first, second])))
    #expect(out[0].count == 2033)
    let level = pow(10, -6 / 20.0)
    for index in 0..<1000 {
      let rise = index < 100 ? Double(index) / 100 : 1
      let fall = index >= 800 ? cos(Double(index - 800) / 200 * .pi / 2) : 1
      let wanted = Double(planes[0][index]) * level * rise * fall
      #expect((Double(out[0][index]) - wanted).magnitude < 1e-7, "sample \(index)")
    }
    #expect(out[0][1000..<1033].allSatisfy { $0 == 0 })
    #expect(Array(out[0][1033...]) == planes[0])
  }

  /// Two sounds that have nothing in common keep their power through a crossfade.
  @Test func crossfadeKeepsPower() async throws {
    let test = try QueueCase()
    let (left, right) = (QueueCase.noise(1, 96_000), QueueCase.noise(1, 96_000, seed: 9))
    let first = try test.write("a.wav", left)
    let second = try test.write("b.wav", right)
    var queue = PlayQueue([QueueCase.item(first), QueueCase.item(second)])
    queue.transition = .crossfade(length: .samples(48_000), curve: .equalPower)
    let (out, report) = try await test.render(.queue(queue))
    #expect(out[0].count == 144_000)
    #expect(report.queue?.items[1].crossfade == 48_000)
    for index in 0..<48_000 {
      let part = Double(index) / 48_000 * .pi / 2
      let wanted = Double(left[0][48_000 + index]) * cos(part) + Double(right[0][index]) * sin(part)
      #expect((Double(out[0][48_000 + index]) - wanted).magnitude < 1e-6)
      if (Double(out[0][48_000 + index]) - wanted).magnitude >= 1e-6 { break }
    }
    func power(_ range: Range<Int>) -> Double {
      10 * log10(out[0][range].reduce(0) { $0 + Double($1) * Double($1) } / Double(range.count))
    }
    #expect((power(48_000..<96_000) - power(0..<48_000)).magnitude < 0.1)
  }

  @Test(
    "a queue has the layout of its largest item, but none larger than the largest layout",
    arguments: [([1, 6], 2), ([2, 6, 1], 2), ([1, 1], 1), ([1, 2], 2)])
  func largerItemsAreMixedDown(items: [Int], channels: Int) async throws {
    let test = try QueueCase()
    let queue = PlayQueue(
      try items.enumerated().map { index, count in
        QueueCase.item(try test.write("\(index).wav", QueueCase.noise(count, 4800)))
      })
    let (planes, _) = try await test.render(.queue(queue)) {
      $0.rendition.largestLayout = .stereo
    }
    #expect(planes.map(\.count) == Array(repeating: items.count * 4800, count: channels))
  }

  @Test("a range of a queue has the samples of the same slice of the whole")
  func rangeOfTheProgrammeIsItsSlice() async throws {
    let test = try QueueCase()
    let first = try test.write("a.wav", QueueCase.noise(2, 50_000), rate: 44_100)
    let second = try test.write("b.wav", QueueCase.noise(2, 60_000, seed: 3))
    let queue = PlayQueue([QueueCase.item(first), QueueCase.item(second), QueueCase.item(first)])
    let endpoint = { (job: inout RenderJob) in job.outputs[0].endpoint = .headphones }
    let whole = try await test.render(.queue(queue), to: "whole.wav", endpoint).planes
    for range in [0..<1000, 40_000..<70_000, 100_000..<120_001] {
      let part = try await test.render(.queue(queue)) { job in
        endpoint(&job)
        job.clip.range.start = .samples(Int64(range.lowerBound))
        job.clip.range.end = .at(.samples(Int64(range.upperBound)))
        job.overwrite = true
      }.planes
      #expect(part == whole.map { Array($0[range]) }, "\(range)")
    }
  }

  /// Pairs of rates whose filters reach furthest in samples of either, and one without a common divisor of use; all
  /// pairs are in ItemChainTests.
  private static let rates = [
    (8000, 384_000), (384_000, 8000), (44_100, 192_000), (96_000, 11_025),
  ]

  @Test(
    "a range that begins or ends where the filters of an item fade out is the slice of the whole",
    arguments: rates)
  func rangesAtTheBordersOfItemsAreSlices(own: Int, rate: Int) async throws {
    let test = try QueueCase()
    let path = try test.write("a.wav", QueueCase.noise(1, own / 100 + 1), rate: own)
    var second = QueueCase.item(path)
    second.transition = .gap(.clock(MediaTime(ticks: 60, rate: 1000)))
    var queue = PlayQueue([QueueCase.item(path), second])
    queue.rate = rate
    let (out, report) = try await test.render(.queue(queue), to: "whole.wav")
    let whole = out[0]
    let items = try #require(report.queue).items
    let (end, next) = (Int(items[0].samples), Int(items[1].start))
    let middle = (end + next) / 2
    let last = try #require(whole[..<middle].lastIndex { $0 != 0 })
    let first = try #require(whole[middle...].firstIndex { $0 != 0 })
    #expect(end < last && last < middle && middle < first && first < next)
    let ranges: [Range<Int>] =
      [end - 1, end, end + 1, last - 1, last, last + 1].map { $0..<middle }
      + [first, first + 1].map { middle..<$0 }
    for range in ranges {
      let part = try await test.render(.queue(queue)) { job in
        job.clip.range.start = .samples(Int64(range.lowerBound))
        job.clip.range.end = .at(.samples(Int64(range.upperBound)))
        job.overwrite = true
      }.planes[0]
      #expect(part == Array(whole[range]), "\(range)")
    }
  }

  @Test func itemsOfDifferentLayoutsShareTheLargest() async throws {
    let test = try QueueCase()
    let stereo = QueueCase.noise(2, 2000)
    let wide = QueueCase.noise(6, 3000, seed: 5)
    let first = try test.write("a.wav", stereo)
    try WAVBytes.float32(wide, rate: 48_000, mask: 0x3F).write(to: test.folder.url("b.wav"))
    let queue = PlayQueue([QueueCase.item(first), QueueCase.item(test.folder.file("b.wav"))])
    let binaural = try await test.render(.queue(queue)) { $0.outputs[0].endpoint = .headphones }
    #expect(binaural.planes.count == 2 && binaural.planes[0].count == 5000)
    // Stereo has nothing for most of 5.1: it keeps its two channels, and the report says which stay silent.
    let (planes, report) = try await test.render(.queue(queue), to: "wide.wav")
    #expect(planes.count == 6)
    #expect(Array(planes[0][..<2000]) == stereo[0] && Array(planes[1][..<2000]) == stereo[1])
    #expect(planes[2...].allSatisfy { $0[..<2000].allSatisfy { $0 == 0 } })
    #expect(Array(planes[2][2000...]) == wide[2])
    #expect(report.decisions.contains { $0.code == .downmix && $0.why.contains("FC, LFE, BL, BR") })
    let mixed = try await test.render(.queue(queue), to: "mixed.wav") { $0.layout = .stereo }
    #expect(mixed.planes.count == 2)
    #expect(Array(mixed.planes[0][..<2000]) == stereo[0])
  }
}
