// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ISOBMFF

/// The loudness that a track of MP4 states (`ludt`), as files have it.
@Suite struct LoudnessBoxTests {
  /// A set with these boxes.
  private func parsed(_ boxes: [UInt8]) -> LoudnessBox? {
    let scanner = BoxScanner(BoxBytes.source(BoxBytes.box("ludt", boxes)))
    return scanner.boxes().first.flatMap { LoudnessBox($0, scanner) }
  }

  /// A box of version 0 with these ids, peaks of −1.5 dBFS and −1 dBTP, and figures.
  private func box(
    ids: [UInt8] = [0, 0], reliability: UInt8 = 0x23, _ figures: [UInt8]
  ) -> [UInt8] {
    BoxBytes.box(
      "tlou",
      [0, 0, 0, 0] + ids + [0x2B, 0x02, 0xA0, reliability, UInt8(figures.count / 3)] + figures)
  }

  @Test("figures of track and album are read back in the standard's steps")
  func figuresComeBack() throws {
    let track = TrackLoudness(
      integrated: -16, truePeak: -1, samplePeak: -1.5, range: 40, momentaryMax: -9.75,
      shortTermMax: -10.25)
    let album = TrackLoudness(integrated: -18.5, truePeak: -0.5, range: 12.25)
    let both = try #require(LoudnessBox(track, album: album))
    let scanner = BoxScanner(BoxBytes.source(both.encoded))
    let set = try #require(scanner.boxes().first)
    #expect(LoudnessBox(set, scanner) == both)
    #expect(LoudnessBox(nil) == nil)
  }

  @Test("ranges up to 32, 70 and 121 LU have steps of a quarter, a half and one")
  func rangesHaveThreeSteps() {
    for range in [0, 0.25, 32, 32.5, 70, 71, 121] {
      let made = LoudnessBox(TrackLoudness(range: range))?.encoded ?? []
      #expect(parsed(Array(made.dropFirst(8)))?.track?.range == range)
    }
  }

  @Test("a box that speaks of a downmix or of a set of compression is passed over")
  func otherFormsArePassedOver() {
    #expect(parsed(box(ids: [0, 0x40], [1, 167, 0x23])) == nil)
    #expect(parsed(box(ids: [0, 1], [1, 167, 0x23])) == nil)
    let found = parsed(box(ids: [0, 1], [1, 0, 0x23]) + box([1, 167, 0x23]))
    #expect(found?.track?.integrated == -16 && found?.track?.truePeak == -1)
    #expect(found?.album == nil)
  }

  @Test("limits that aren't exceeded are no levels") func limitsAreNoLevels() {
    let found = parsed(box(reliability: 0x22, [1, 167, 0x22, 1, 171, 0x11]))
    #expect(found?.track == TrackLoudness(integrated: -15, samplePeak: -1.5))
  }

  @Test("of version 1 the entry without equaliser is taken") func entriesOfVersion1AreRead() {
    let peaks: [UInt8] = [0, 0, 0x2B, 0x02, 0xA0, 0x23, 1]
    let entries: [UInt8] = [2, 5] + peaks + [1, 0, 0x23] + [0] + peaks + [1, 167, 0x23]
    let found = parsed(BoxBytes.box("alou", [1, 0, 0, 0] + entries))
    #expect(found?.album?.integrated == -16 && found?.track == nil)
  }

  @Test("boxes that are cut, and versions of the future, state nothing")
  func brokenBoxesStateNothing() {
    let whole = box([1, 167, 0x23])
    for count in 8..<whole.count - 1 {
      #expect(parsed(BoxBytes.box("tlou", Array(whole[8..<count]))) == nil, "\(count)")
    }
    #expect(parsed(BoxBytes.box("tlou", [2] + whole.dropFirst(9))) == nil)
    #expect(parsed([]) == nil)
  }
}
