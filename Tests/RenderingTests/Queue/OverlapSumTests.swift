// SPDX-License-Identifier: Apache-2.0
import AudioCore
import PlayQueue
import Testing

@testable import Rendering

/// The sum of a queue's items, and what of them lies outside of it.
@Suite struct OverlapSumTests {
  private let placed: [PlacedItem]

  /// Two items of 1000 samples, the second 20 dB lower.
  init() throws {
    var queue = PlayQueue((0..<2).map { QueueCase.item("\($0).flac") })
    queue.items[1].gain = -20
    let length = MediaTime(ticks: 1000, rate: 48_000)
    placed = try Placement(queue, lengths: [length, length], rate: 48_000).items
  }

  private func sound(_ values: [Float]) -> AudioBuffer {
    let buffer = AudioBuffer(channels: 1)
    buffer.grow(by: values.count)
    for index in values.indices { buffer.channel(0)[index] = values[index] }
    return buffer
  }

  private func sum(_ window: Range<Int64>, _ item: PlacedItem, _ values: [Float], at start: Int64)
    -> (sum: OverlapSum, samples: [Float])
  {
    let sum = OverlapSum(channels: 1, window: window)
    sum.add(sound(values), at: start, of: item)
    var samples: [Float] = []
    sum.pass(upTo: window.upperBound) { block, _ in samples += Array(block.channel(0)) }
    return (sum, samples)
  }

  /// Ringing in front of the programme is lost; its peak is reported as it would have been heard.
  @Test func whatIsLostInFrontHasTheItemsGain() {
    let values: [Float] = [0.5, -0.8, 0.25, 1]
    #expect(sum(0..<2000, placed[0], values, at: -3).sum.headPeak == 0.8)
    let quiet = sum(0..<2000, placed[1], values, at: -3)
    #expect((quiet.sum.headPeak - 0.08).magnitude < 1e-6 && quiet.sum.cutPeak == 0)
    #expect((quiet.samples[0] - 0.1).magnitude < 1e-6 && quiet.samples[1] == 0)
    #expect(sum(0..<2000, placed[1], values, at: 0).sum.headPeak == 0)
    #expect((sum(0..<2000, placed[1], values, at: -9).sum.headPeak - 0.1).magnitude < 1e-6)
  }

  @Test func whatIsLostBehindHasTheItemsGain() {
    let values: [Float] = [1, 0.25, -0.8, 0.5]
    let cut = sum(0..<2000, placed[1], values, at: 1998)
    #expect((cut.sum.cutPeak - 0.08).magnitude < 1e-6 && cut.sum.headPeak == 0)
    #expect(cut.samples.count == 2000 && (cut.samples[1999] - 0.025).magnitude < 1e-6)
    #expect(sum(0..<2000, placed[1], values, at: 1996).sum.cutPeak == 0)
  }

  /// Of a range of the programme only what lies in it is added.
  @Test func aWindowCutsBothEnds() {
    let values = [Float](repeating: 0.5, count: 1000)
    let part = sum(100..<300, placed[0], values, at: 0)
    #expect(part.samples == [Float](repeating: 0.5, count: 200) && part.sum.cutPeak == 0.5)
  }
}
