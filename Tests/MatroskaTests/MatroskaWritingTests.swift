// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Matroska

@Suite struct MatroskaWritingTests {
  private func reader(_ bytes: [UInt8]) throws -> MatroskaReader {
    try MatroskaReader(MatroskaBytes.source(bytes))
  }

  @Test("a file has its parts in order, and a SeekHead that names all of them")
  func partsAreInOrder() throws {
    var segment = SampleFilm.segment([SampleFilm.sound])
    segment.chapters = .made(
      MatroskaChapters([.init([.init(uid: 1, start: .nanoseconds(0), titles: [.init("a")])])]))
    segment.attachments = [
      MatroskaAttachment(name: "a", mediaType: "text/plain", uid: 3, .bytes([1]))
    ]
    let old = MatroskaTag.encoded([MatroskaTag([.init("A", "old")])])
    segment.tags = [.made([MatroskaTag([.init("A", "b")])]), .verbatim(old)]
    let bytes = try WrittenSegment.bytes(segment, SampleFilm.soundBlocks(samples: 96_000))
    let found = try reader(bytes)
    #expect(
      found.children.compactMap(\.known) == [
        .seekHead, .info, .tracks, .chapters, .attachments, .tags, .tags, .cues,
      ])
    #expect(found.seeks.count == 7 && found.tags.last == old)
    #expect(found.segment.end == Int64(bytes.count) && found.docType == .matroska)
    #expect(found.info.muxingApp == "Pinna" && found.info.writingApp == "Pinna")
    #expect(MatroskaCheck(MatroskaBytes.source(bytes)).findings == [])
  }

  @Test("the SeekHead and what is left of its hole always have the same length")
  func theHoleIsFilled() {
    for count in 0...8 {
      let hole = SeekHeadHole(entries: count)
      #expect(hole.empty.count == hole.length)
      for offset in [0, 200, 70_000, 1 << 40, Int64.max] as [Int64] {
        let filled = hole.filled(Array(repeating: (.attachments, offset), count: count))
        #expect(filled.count == hole.length)
      }
    }
  }

  @Test("every block is read back with its time, rounded once from the exact one")
  func blocksAreReadBack() throws {
    let blocks = SampleFilm.interleaved([
      SampleFilm.pictureBlocks(groups: 12), SampleFilm.soundBlocks(samples: 576_001),
    ])
    let segment = SampleFilm.segment([SampleFilm.pictures, SampleFilm.sound])
    let bytes = try WrittenSegment.bytes(segment, blocks)
    let frames = try MatroskaBytes.frames(bytes)
    #expect(frames.count == blocks.count)
    for (frame, block) in zip(frames, blocks) {
      let delay = block.track == 2 ? SampleFilm.sound.codecDelay : .nanoseconds(0)
      #expect(frame.track == block.track && frame.data == block.data)
      #expect(frame.isKey == block.isKey)
      #expect(abs(frame.time - (block.time + delay).nanoseconds) <= 5000)
      #expect(frame.time % 10_000 == 0)
    }
    let last = try #require(frames.last { $0.track == 2 })
    // 576,313 samples are 600 packets and 313 samples, so that 647 of the last one are padding.
    #expect(last.discardPadding == 13_479_167 && last.duration == 6_520_000)
    #expect(frames.filter { $0.duration != nil }.count == 1)
    #expect(MatroskaCheck(MatroskaBytes.source(bytes)).findings == [])
  }

  @Test("clusters end where sixteen bits do, after 5 s at a key frame, and before 5 MiB")
  func clustersEnd() throws {
    let fine = try reader(try SampleFilm.whole())
    // 12.5 s by a third of a second.
    #expect((36...42).contains(fine.clusters.count))
    var segment = SampleFilm.segment([SampleFilm.pictures, SampleFilm.sound])
    segment.info.timestampScale = TimestampScale.millisecond
    var blocks = SampleFilm.interleaved([
      SampleFilm.pictureBlocks(groups: 12), SampleFilm.soundBlocks(samples: 576_000),
    ])
    let whole = try WrittenSegment.bytes(segment, blocks)
    let frames = try MatroskaBytes.frames(whole)
    let starts = Dictionary(grouping: frames, by: \.cluster.offset).mapValues(\.first)
      .values.compactMap { $0 }.sorted { $0.offset < $1.offset }
    // Key frames lie 1.043 s apart.
    #expect(starts.map(\.ticks) == [0, 5214, 10_427])
    #expect(starts.dropFirst().allSatisfy { $0.isKey && $0.track == 1 })
    for index in blocks.indices { blocks[index].data = Array(repeating: 1, count: 1 << 18) }
    let large = try reader(try WrittenSegment.bytes(segment, blocks))
    #expect(large.clusters.allSatisfy { $0.size <= 5 << 20 })
    #expect(large.clusters.count > 40)
  }

  @Test(
    "cues name the key frames of the first pictures and all texts; of sound alone a block each 5 s")
  func cuesAreWritten() throws {
    let film = try reader(try SampleFilm.whole())
    #expect(film.cues.filter { $0.track == 1 }.count == 12)
    #expect(film.cues.filter { $0.track == 3 }.map(\.time) == [50_000, 700_000])
    #expect(film.cues.filter { $0.track == 2 }.isEmpty)
    #expect(film.cues.map(\.time) == film.cues.map(\.time).sorted())
    let segment = SampleFilm.segment([SampleFilm.sound])
    let sound = try reader(
      try WrittenSegment.bytes(segment, SampleFilm.soundBlocks(samples: 576_000)))
    let times = sound.cues.map(\.time)
    #expect(times.count == 3 && times.first == 0 && sound.clusters.count > 30)
    #expect(zip(times, times.dropFirst()).allSatisfy { (500_000..<535_000).contains($1 - $0) })
    // Behind the timestamp of one to three bytes.
    #expect(sound.cues.allSatisfy { (3...5).contains($0.block ?? 0) })
  }

  @Test("the length is the exact end of what is presented, or the one that is given")
  func lengthIsExact() throws {
    let segment = SampleFilm.segment([SampleFilm.sound])
    let blocks = SampleFilm.soundBlocks(samples: 480_123)
    #expect(try reader(try WrittenSegment.bytes(segment, blocks)).info.duration == 1_000_256.25)
    let given = try WrittenSegment.bytes(
      segment, blocks, duration: MediaTime(ticks: 11, rate: 1))
    #expect(try reader(given).info.duration == 1_100_000)
    #expect(MatroskaCheck(MatroskaBytes.source(given)).findings.map(\.code) == [.duration])
  }

  @Test("groups keep references, additions, invisible frames and their lengths")
  func groupsAreWritten() throws {
    var block = MatroskaBlock(track: 1, time: .nanoseconds(0), data: [5])
    var other = MatroskaBlock(track: 1, time: .nanoseconds(40_000_000), data: [6])
    other.isKey = false
    other.references = [.nanoseconds(-40_000_000), .nanoseconds(40_000_000)]
    other.additions = MatroskaBytes.element(.blockAdditions, [0xA6, 0x80])
    block.isInvisible = true
    var third = MatroskaBlock(track: 1, time: .nanoseconds(80_000_000), data: [7])
    third.isKey = false
    third.discardPadding = .nanoseconds(-5)
    var last = MatroskaBlock(track: 1, time: .nanoseconds(120_000_000), data: [8])
    last.isKey = false
    last.isDiscardable = true
    let frames = try MatroskaBytes.frames(
      try WrittenSegment.bytes(
        SampleFilm.segment([SampleFilm.pictures]), [block, other, third, last]))
    #expect(frames.map(\.isKey) == [true, false, false, false])
    #expect(frames.map(\.isInvisible) == [true, false, false, false])
    #expect(frames.map(\.isDiscardable) == [false, false, false, true])
    #expect(frames.map(\.references) == [[], [-40_000_000, 40_000_000], [-10_000], []])
    #expect(frames[1].additions == other.additions && frames[2].discardPadding == -5)
  }

  @Test("texts end at the nearest tick to their end") func textsEndExactly() throws {
    var segment = SampleFilm.segment([SampleFilm.texts])
    segment.info.timestampScale = TimestampScale.millisecond
    var block = MatroskaBlock(
      track: 3, time: MediaTime(ticks: 1, rate: 3), data: [1],
      duration: MediaTime(ticks: 1, rate: 3))
    block.statesDuration = true
    let frame = try #require(
      try MatroskaBytes.frames(try WrittenSegment.bytes(segment, [block])).first)
    #expect(frame.time == 333_000_000 && frame.duration == 334_000_000)
    block.statesDuration = false
    let bytes = try WrittenSegment.bytes(segment, [block])
    #expect(try MatroskaBytes.frames(bytes).first?.duration == nil)
  }

  @Test("files that can't be are refused") func contradictionsAreRefused() throws {
    var webm = SampleFilm.segment([SampleFilm.pictures, SampleFilm.sound])
    webm.docType = .webm
    #expect(try reader(try WrittenSegment.bytes(webm, [])).docType == .webm)
    webm.tracks[1].codecID = "A_FLAC"
    #expect(throws: MatroskaError.self) { try WrittenSegment.bytes(webm, []) }
    webm.tracks[1].codecID = "A_OPUS"
    webm.attachments = [MatroskaAttachment(name: "", mediaType: "", uid: 1, .bytes([]))]
    #expect(throws: MatroskaError.self) { try WrittenSegment.bytes(webm, []) }
    var twice = SampleFilm.segment([SampleFilm.pictures, SampleFilm.pictures])
    #expect(throws: MatroskaError.self) { try WrittenSegment.bytes(twice, []) }
    twice.tracks = []
    #expect(throws: MatroskaError.self) { try WrittenSegment.bytes(twice, []) }
    let segment = SampleFilm.segment([SampleFilm.pictures])
    let early = MatroskaBlock(track: 1, time: MediaTime(ticks: -1, rate: 1), data: [])
    #expect(throws: MatroskaError.self) { try WrittenSegment.bytes(segment, [early]) }
    let stray = MatroskaBlock(track: 2, time: .nanoseconds(0), data: [])
    #expect(throws: MatroskaError.self) { try WrittenSegment.bytes(segment, [stray]) }
  }

  @Test("a block earlier than zero lies before the timestamp of its cluster")
  func earlyBlocksAreKept() throws {
    var track = SampleFilm.sound
    track.codecDelay = MediaTime(ticks: 0, rate: 1)
    let blocks = SampleFilm.soundBlocks(samples: 9600)
    let frames = try MatroskaBytes.frames(
      try WrittenSegment.bytes(SampleFilm.segment([track]), blocks))
    #expect(frames.first?.ticks == -650 && frames.first?.time == -6_500_000)
  }

  @Test("the tick is a millisecond where that rounds nothing, and fine elsewhere")
  func ticksAreChosen() {
    func times(_ start: (Int64, Int64), _ step: (Int64, Int64)?, _ rate: Int? = nil)
      -> TimestampScale.Times
    {
      TimestampScale.Times(
        start: MediaTime(ticks: start.0, rate: start.1),
        step: step.map { MediaTime(ticks: $0.0, rate: $0.1) }, sampleRate: rate)
    }
    let pictures = times((0, 25), (1, 25))
    let texts = times((0, 1000), nil)
    let flac = times((0, 48_000), (4800, 48_000), 48_000)
    #expect(TimestampScale.choose([pictures, texts, flac]) == 1_000_000)
    #expect(TimestampScale.choose([]) == 1_000_000)
    // Opus with 312 start-up samples, and with 336.
    #expect(
      TimestampScale.choose([pictures, times((312, 48_000), (960, 48_000), 48_000)]) == 10_000)
    #expect(TimestampScale.choose([times((336, 48_000), (960, 48_000), 48_000)]) == 1_000_000)
    #expect(TimestampScale.choose([times((0, 1), (1001, 24_000)), flac]) == 10_000)
    #expect(TimestampScale.choose([times((0, 1), (4096, 96_000), 96_000)]) == 10_000)
    #expect(TimestampScale.choose([times((0, 1), (4096, 192_000), 192_000)]) == 5_000)
    #expect(TimestampScale.choose([times((0, 90_000), nil)]) == 10_000)
    #expect(TimestampScale.choose([times((23_968, 48_000), (4800, 48_000), 48_000)]) == 10_000)
  }

  @Test("copied parts that aren't whole elements of their kind are refused")
  func brokenPartsAreRefused() throws {
    let tags = MatroskaTag.encoded([MatroskaTag([.init("A", "b")])])
    for broken in [Array(tags.dropLast()), tags + [0], [1, 2]] {
      var segment = SampleFilm.segment([SampleFilm.sound])
      segment.tags = [.verbatim(broken)]
      #expect(throws: MatroskaError.self) { try WrittenSegment.bytes(segment, []) }
      segment.tags = []
      segment.chapters = .verbatim(tags)
      #expect(throws: MatroskaError.self) { try WrittenSegment.bytes(segment, []) }
      segment.chapters = nil
      let source = MatroskaBytes.source(broken)
      segment.attachments = [
        MatroskaAttachment(
          name: "", mediaType: "", uid: 1,
          .element(of: source, offset: 0, size: Int64(broken.count)))
      ]
      #expect(throws: MatroskaError.self) { try WrittenSegment.bytes(segment, []) }
    }
  }

  /// An attached file of 5 GB lies in front of the clusters; only the bytes around it are kept.
  @Test("places and sizes beyond 4 GiB are right", .tags(.slow), .fullRunOnly)
  func farPlacesAreRight() throws {
    let size: Int64 = 5_000_000_000
    var segment = SampleFilm.segment([SampleFilm.sound])
    segment.attachments = [
      MatroskaAttachment(
        name: "a", mediaType: "b/c", uid: 3,
        .part(
          of: ByteSource(size: size) { _, count in [UInt8](repeating: 0, count: count) },
          offset: 0, size: size))
    ]
    var (head, tail): ([UInt8], [UInt8]) = ([], [])
    var passed: Int64 = 0
    var builder = try MatroskaSegmentBuilder(segment) { piece in
      if passed >= size {
        tail += piece
      } else if piece.count < 100_000 {
        head += piece
      } else {
        passed += Int64(piece.count)
      }
    }
    for block in SampleFilm.soundBlocks(samples: 48_000) { try builder.add(block) }
    for patch in try builder.finish() {
      let place = Int(patch.offset)
      head.replaceSubrange(place..<place + patch.bytes.count, with: patch.bytes)
    }
    let end = Int64(head.count) + size
    let (front, back) = (head, tail)
    let source = ByteSource(size: end + Int64(tail.count)) { offset, count in
      (0..<Int64(count)).map {
        let place = offset + $0
        if place < front.count { return front[Int(place)] }
        return place < end ? 0 : back[Int(place - end)]
      }
    }
    #expect(MatroskaCheck(source).findings == [])
    let reader = try MatroskaReader(source)
    #expect(reader.segment.end == source.size && reader.attachments[0].data.count == Int(size))
    #expect(reader.cues.allSatisfy { $0.cluster > size } && !reader.cues.isEmpty)
  }
}
