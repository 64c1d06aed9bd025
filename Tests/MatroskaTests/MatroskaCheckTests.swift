// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Matroska

@Suite struct MatroskaCheckTests {
  private func codes(_ bytes: [UInt8]) -> Set<MatroskaFinding.Code> {
    Set(MatroskaCheck(MatroskaBytes.source(bytes)).findings.map(\.code))
  }

  /// Changes the byte `place` of the content of the element whose head `bytes` are.
  private func changed(_ bytes: [UInt8], _ head: [UInt8], _ place: Int, by value: UInt8) throws
    -> [UInt8]
  {
    var bytes = bytes
    let found = try #require(bytes.firstRange(of: head))
    bytes[found.upperBound + place] &+= value
    return bytes
  }

  private func film(
    _ change: (inout [MatroskaBlock]) -> Void = { _ in }
  ) throws -> [UInt8] {
    var blocks = SampleFilm.interleaved([
      SampleFilm.pictureBlocks(groups: 2), SampleFilm.soundBlocks(samples: 96_000),
    ])
    change(&blocks)
    return try WrittenSegment.bytes(
      SampleFilm.segment([SampleFilm.pictures, SampleFilm.sound]), blocks)
  }

  @Test("right files have no findings") func rightFilesHaveNoFindings() throws {
    #expect(MatroskaCheck(MatroskaBytes.source(try SampleFilm.whole())).findings == [])
    #expect(MatroskaCheck(MatroskaBytes.source(try film())).findings == [])
    let lace = MatroskaBytes.element(
      .cluster,
      MatroskaBytes.unsigned(.timestamp, 0) + MatroskaBytes.block(0, flags: 0x84, [1, 7, 8]))
    // A file of unknown length lacks that and nothing else; lacing is no fault.
    #expect(codes(MatroskaBytes.file(lace)) == [.duration])
  }

  @Test("entries of SeekHead and Cues that point elsewhere are found") func wrongPlacesAreFound()
    throws
  {
    let right = try film()
    // The place of Tracks has one byte in a SeekPosition behind its identifier.
    let seek = EBMLID.seekID.bytes + [0x84] + EBMLID.tracks.bytes
    #expect(codes(try changed(right, seek, 3, by: 1)) == [.seekHead])
    let cue = EBMLID.cuePoint.bytes
    let cues = try #require(right.lastRange(of: EBMLID.cues.bytes)).upperBound
    let tail = Array(right[cues...])
    for head in [EBMLID.cueTime, .cueTrack, .cueClusterPosition, .cueRelativePosition] {
      // The second entry, behind the first at time 0.
      let second = try #require(tail.dropFirst(8).firstRange(of: cue)).lowerBound
      let field = try #require(tail[second...].firstRange(of: head.bytes)).upperBound
      var bytes = right
      let size = Int(bytes[cues + field] & 0x7F)
      bytes[cues + field + size] &+= 1
      #expect(codes(bytes) == [.cue], "\(head.name)")
    }
  }

  @Test("another length, and blocks of nobody, are found") func otherFaultsAreFound() throws {
    let right = try film()
    #expect(codes(try changed(right, EBMLID.duration.bytes + [0x88], 2, by: 1)) == [.duration])
    let number = try #require(right.firstRange(of: MatroskaBytes.unsigned(.trackNumber, 1)))
    var bytes = right
    bytes[number.upperBound - 1] = 9
    #expect(codes(bytes).contains(.unknownTrack))
    #expect(codes(right + [0xEC, 0x80]) == [.malformedElement])
  }

  @Test("pictures may be reordered, sound may not") func orderOfTimesIsChecked() throws {
    let late = try film { blocks in
      guard let index = blocks.lastIndex(where: { $0.track == 2 && $0.duration?.ticks == 960 })
      else { return }
      blocks[index].time = MediaTime(ticks: 100, rate: 48_000)
    }
    #expect(codes(late) == [.blockTime])
    let pictures = try film { blocks in
      guard let index = blocks.lastIndex(where: { $0.track == 1 }) else { return }
      blocks[index].time = blocks[index].time + MediaTime(ticks: -1001 * 20, rate: 24_000)
    }
    #expect(codes(pictures).contains(.blockTime))
    let entry = try film { blocks in
      guard let index = blocks.firstIndex(where: { $0.track == 1 }) else { return }
      blocks[index].isKey = false
    }
    #expect(codes(entry) == [.keyFrame])
  }

  @Test("clusters that go back are found") func clustersThatGoBackAreFound() throws {
    let clusters = [100, 40].flatMap {
      MatroskaBytes.element(
        .cluster, MatroskaBytes.unsigned(.timestamp, $0) + MatroskaBytes.block(0, [1]))
    }
    #expect(codes(MatroskaBytes.file(clusters)).contains(.clusterTime))
  }

  @Test("sizes that don't fit their parents or types are found") func sizesAreChecked() throws {
    let long = MatroskaBytes.file(
      MatroskaBytes.element(.tags, MatroskaBytes.element(.tag, [0x63, 0xC0, 0x99, 1]))
        + EBMLBuilder.void(length: 40))
    #expect(codes(long).contains(.malformedElement))
    let float = MatroskaBytes.file(
      MatroskaBytes.element(.cues, MatroskaBytes.element(.cueTime, [UInt8](repeating: 0, count: 9)))
    )
    #expect(codes(float).contains(.malformedElement))
    #expect(codes([1, 2, 3]) == [.notMatroska])
  }
}
