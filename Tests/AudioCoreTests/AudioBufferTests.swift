// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

/// `AudioBuffer` manages its memory itself, so every operation is compared with plain arrays.
@Suite struct AudioBufferTests {
  /// A buffer with these planes.
  private func buffer(_ planes: [[Float]], capacity: Int = 0) -> AudioBuffer {
    let result = AudioBuffer(channels: planes.count, capacity: capacity)
    result.grow(by: planes[0].count)
    for (channel, plane) in planes.enumerated() {
      for (index, sample) in plane.enumerated() { result.channel(channel)[index] = sample }
    }
    return result
  }

  private func planes(_ buffer: AudioBuffer) -> [[Float]] {
    (0..<buffer.channels).map { Array(buffer.channel($0)) }
  }

  @Test("a new buffer has its channels, at least one, its capacity and no frames")
  func aNewBufferIsEmpty() {
    let empty = AudioBuffer(channels: 3, capacity: 100)
    #expect(empty.channels == 3 && empty.frames == 0 && empty.capacity >= 100)
    #expect(planes(empty) == [[], [], []])
    // A buffer always has at least one channel.
    #expect(AudioBuffer(channels: 0).channels == 1)
  }

  @Test("growing a buffer returns the first new frame")
  func growingAnswersTheFirstNewFrame() {
    let block = AudioBuffer(channels: 2)
    #expect(block.grow(by: 5) == 0)
    #expect(block.grow(by: 0) == 5)
    #expect(block.grow(by: 1000) == 5)
    #expect(block.frames == 1005 && block.capacity >= 1005)
    #expect((0..<2).allSatisfy { block.channel($0).count == 1005 })
  }

  @Test("5000 frames appended one by one keep their samples over each growth")
  func contentOutlivesEveryChangeOfCapacity() {
    let block = AudioBuffer(channels: 3)
    var capacities: Set<Int> = []
    for index in 0..<5000 {
      block.grow(by: 1)
      for channel in 0..<3 { block.channel(channel)[index] = Float(10_000 * channel + index) }
      capacities.insert(block.capacity)
    }
    #expect(capacities.count > 3)
    let wanted = (0..<3).map { channel in (0..<5000).map { Float(10_000 * channel + $0) } }
    #expect(Alignment.difference(planes(block), wanted) == nil)
  }

  @Test("reserving keeps the samples and never shrinks or moves a buffer within its capacity")
  func reservingKeepsContentAndNeverShrinks() {
    let block = buffer([[1, 2], [3, 4]])
    block.reserve(10_000)
    let capacity = block.capacity
    #expect(capacity >= 10_000 && planes(block) == [[1, 2], [3, 4]])
    let place = block.channel(1).baseAddress
    block.reserve(5)
    block.grow(by: 9_000)
    // Pointers stay valid until the buffer has to grow beyond its capacity.
    #expect(block.capacity == capacity && block.channel(1).baseAddress == place)
  }

  @Test(
    "planes filled to the capacity keep their own values", arguments: [1, 2, 5, 24],
    [0, 16, 17, 1000])
  func planesDontOverlap(channels: Int, capacity: Int) {
    let block = AudioBuffer(channels: channels, capacity: capacity)
    block.grow(by: block.capacity)
    for channel in 0..<channels { block.channel(channel).update(repeating: Float(channel + 1)) }
    for channel in 0..<channels {
      #expect(block.channel(channel).allSatisfy { $0 == Float(channel + 1) })
    }
  }

  @Test("silence appended after truncation is zero where samples lay")
  func silenceCoversWhatLayThere() {
    let block = buffer([[1, 2, 3], [4, 5, 6]])
    block.truncate(to: 1)
    block.appendSilence(3)
    #expect(planes(block) == [[1, 0, 0, 0], [4, 0, 0, 0]])
    block.removeAll()
    block.appendSilence(2)
    #expect(planes(block) == [[0, 0], [0, 0]])
  }

  @Test("appended ranges lie after the buffer's samples, and the source keeps its own")
  func rangesAreAppended() {
    let source = buffer([[1, 2, 3, 4], [5, 6, 7, 8]], capacity: 200)
    let block = buffer([[0], [9]])
    block.append(source, range: 1..<3)
    #expect(planes(block) == [[0, 2, 3], [9, 6, 7]])
    block.append(source, range: 4..<4)
    #expect(block.frames == 3)
    block.append(source)
    #expect(planes(block) == [[0, 2, 3, 1, 2, 3, 4], [9, 6, 7, 5, 6, 7, 8]])
    #expect(planes(source) == [[1, 2, 3, 4], [5, 6, 7, 8]])
  }

  /// The source of the copy moves while it is copied.
  @Test("a buffer appended to itself has its samples twice")
  func aBufferMayBeAppendedToItself() {
    let block = buffer([(1...16).map { Float($0) }, (101...116).map { Float($0) }])
    #expect(block.capacity == 16)
    block.append(block)
    block.append(block, range: 30..<32)
    let wanted = Array(1...16) + Array(1...16) + [15, 16]
    #expect(planes(block) == [wanted.map { Float($0) }, wanted.map { Float($0 + 100) }])
  }

  @Test("frames removed at the front and cut at the end leave those between")
  func framesLeaveAtBothEnds() {
    let block = buffer([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]])
    block.removeFirst(0)
    block.removeFirst(2)
    #expect(planes(block) == [[3, 4, 5], [8, 9, 10]])
    block.truncate(to: 7)
    #expect(block.frames == 3)
    block.truncate(to: 2)
    #expect(planes(block) == [[3, 4], [8, 9]])
    block.removeFirst(2)
    #expect(planes(block) == [[], []])
    block.append(buffer([[1], [2]]))
    block.truncate(to: -1)
    #expect(block.frames == 0)
  }

  /// Random operations give what the same operations on arrays give, and never touch the source.
  @Test("random operations on a buffer give what arrays give", arguments: 0..<150)
  func itBehavesLikeArrays(seed: Int) throws {
    var random = SeededNoise(seed: UInt64(seed))
    let channels = Int.random(in: 1...5, using: &random)
    let block = AudioBuffer(channels: channels, capacity: Int.random(in: 0...40, using: &random))
    var model = [[Float]](repeating: [], count: channels)
    for step in 0..<80 {
      let count = Int.random(in: 0...70, using: &random)
      switch Int.random(in: 0..<7, using: &random) {
      case 0:
        let start = block.grow(by: count)
        for channel in 0..<channels {
          let fresh = random.samples(count)
          for (index, sample) in fresh.enumerated() {
            block.channel(channel)[start + index] = sample
          }
          model[channel] += fresh
        }
      case 1:
        block.appendSilence(count)
        for channel in 0..<channels { model[channel] += [Float](repeating: 0, count: count) }
      case 2:
        let other = (0..<channels).map { _ in random.samples(count + 1) }
        let first = Int.random(in: 0...count, using: &random)
        let source = buffer(other, capacity: 3 * count)
        block.append(source, range: first..<count)
        for channel in 0..<channels { model[channel] += other[channel][first..<count] }
        #expect(Alignment.difference(planes(source), other) == nil)
      case 3:
        let gone = min(count, model[0].count)
        block.removeFirst(gone)
        for channel in 0..<channels { model[channel].removeFirst(gone) }
      case 4:
        block.truncate(to: count)
        for channel in 0..<channels { model[channel] = Array(model[channel].prefix(count)) }
      case 5: block.reserve(count * 5)
      default:
        let first = Int.random(in: 0...model[0].count, using: &random)
        block.append(block, range: first..<model[0].count)
        for channel in 0..<channels { model[channel] += model[channel][first...] }
      }
      // The first difference ends the test, because everything after it would differ, too.
      try #require(Alignment.difference(planes(block), model) == nil, "after step \(step)")
      #expect(block.frames == model[0].count && block.capacity >= block.frames)
      // Appending itself doubles it.
      if model[0].count > 2000 {
        block.removeAll()
        model = [[Float]](repeating: [], count: channels)
      }
    }
  }

  @Test("reading outside of a buffer traps", .tags(.system), .fullRunOnly)
  func whatLiesOutsideTraps() async {
    await #expect(processExitsWith: .failure) { _ = AudioBuffer(channels: 2).channel(2) }
    await #expect(processExitsWith: .failure) { _ = AudioBuffer(channels: 2).channel(-1) }
    await #expect(processExitsWith: .failure) { AudioBuffer(channels: 2).grow(by: -1) }
    await #expect(processExitsWith: .failure) { AudioBuffer(channels: 2).removeFirst(1) }
    await #expect(processExitsWith: .failure) {
      AudioBuffer(channels: 2).append(AudioBuffer(channels: 1))
    }
    await #expect(processExitsWith: .failure) {
      AudioBuffer(channels: 2).append(AudioBuffer(channels: 2, capacity: 9), range: 0..<1)
    }
  }
}
