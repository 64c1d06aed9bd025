// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

/// The coded frames that a copy takes: whole ones, from the last one at or before the range's beginning.
@Suite struct CodedExtentTests {
  private func time(_ ticks: Int64) -> MediaTime { MediaTime(ticks: ticks, rate: 1000) }

  /// Frames of 100 ticks, of which every `sync`th may begin a decode.
  private func taken(
    from: Int64?, to: Int64?, sync: Int = 1, edit: CopyChoice.Edit? = nil, frames: Int = 10
  ) -> CodedExtent {
    var extent = CodedExtent(
      from: from.map(time), to: to.map(time), edit: edit, timescale: 1000)
    for index in 0..<frames {
      extent.add(
        AccessUnit(
          data: [], time: Int64(index) * 100, duration: 100, isSync: index.isMultiple(of: sync)))
    }
    return extent
  }

  @Test("without a range all ten coded frames are taken")
  func withoutARangeAllIsTaken() {
    let all = taken(from: nil, to: nil)
    #expect(all.skipped == 0 && all.count == 10 && all.behind == 0)
    #expect(all.length == 1000 && all.firstTime == 0 && all.reachesRange)
    #expect(taken(from: nil, to: nil, frames: 0).length == 0)
  }

  /// A frame that begins exactly where the range ends isn't part of it; one that begins a tick earlier is.
  @Test(
    "a coded frame that begins at the range's end is left out, and one that begins a tick earlier is taken",
    arguments: [(500, 5), (501, 6), (499, 5), (0, 0), (1000, 10), (5000, 10)] as [(Int64, Int)])
  func theRangeEndsBeforeItsEnd(end: Int64, count: Int) {
    let extent = taken(from: nil, to: end)
    #expect(extent.count == count && extent.behind == 10 - count)
    #expect(extent.length == Int64(count) * 100)
  }

  /// The frame in which the range begins is whole, and with it those that its decoding needs.
  @Test(
    "a range begins with the last frame at or before its start that may begin a decode",
    arguments: [
      (0, 1, 0), (299, 1, 2), (300, 1, 3), (301, 1, 3), (300, 4, 0), (399, 4, 0), (400, 4, 4),
      (799, 4, 4), (800, 4, 8),
    ] as [(Int64, Int, Int)])
  func theRangeBeginsWhereDecodingMay(start: Int64, sync: Int, skipped: Int) {
    let extent = taken(from: start, to: nil, sync: sync)
    #expect(extent.skipped == skipped && extent.count == 10 - skipped)
    #expect(extent.firstTime == Int64(skipped) * 100 && extent.reachesRange)
  }

  @Test("a range that starts at the track's end isn't reached, and one a tick earlier is")
  func aRangeBehindTheEndIsNotReached() {
    #expect(!taken(from: 1000, to: nil).reachesRange && taken(from: 999, to: nil).reachesRange)
  }

  /// The presentation begins `mediaTime` ticks into the media, and its length may end it.
  @Test("an edit of 150 ticks moves the range, and the edit's length ends it")
  func anEditMovesTheRange() {
    let edit = CopyChoice.Edit(mediaTime: 150, duration: 500, shift: 0)
    let moved = taken(from: 100, to: 300, edit: edit)
    #expect(moved.skipped == 2 && moved.count == 3 && moved.behind == 5)
    let whole = taken(from: nil, to: nil, edit: edit)
    #expect(whole.skipped == 0 && whole.count == 7 && whole.behind == 3)
  }

  @Test("damaged frames before the first whole one count as left out")
  func damagedFramesAreLeftOut() {
    var extent = CodedExtent(from: nil, to: nil, edit: nil, timescale: 1000, damaged: 2)
    for index in 2..<5 {
      extent.add(AccessUnit(data: [], time: Int64(index) * 100, duration: 100, isSync: true))
    }
    #expect(extent.skipped == 2 && extent.count == 3 && extent.firstTime == 200)
  }
}
