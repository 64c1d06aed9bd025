// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@Suite struct BlockCutterTests {
  /// Blocks of any size, cut to blocks of any other, hold the same samples and states.
  @Test(
    "blocks cut to any size keep each sample and the states of moving objects",
    arguments: [nil, 1, 7, 64, 480, 5000], [1, 7, 64, 480, 2000])
  func movingObjectsStayExact(size: Int?, source: Int) throws {
    let script = ObjectScript(frames: 2000, edges: [480, 960, 1000], seed: 9)
    let observer = ObjectObserver(script.programme)
    let cutter = BlockCutter(size: size, programme: script.programme)
    let block = ProgrammeBlock(script.programme)
    var sizes: [Int] = []
    var position = 0
    while position < 2000 {
      let end = min(position + source, 2000)
      block.removeAll()
      script.append(position..<end, to: block)
      position = end
      try cutter.push(block) {
        sizes.append($0.frames)
        observer.take($0)
      }
    }
    try cutter.flush {
      sizes.append($0.frames)
      observer.take($0)
    }
    let expected = (0..<2000).map {
      ObservedSample(value: Float($0 + 1), states: script.states(at: $0))
    }
    #expect(observer.samples == expected && observer.followed == expected.map(\.states))
    if let size { #expect(sizes.dropLast().allSatisfy { $0 == size }) }
  }
}
