// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Matroska

/// Damaged files must never trap and never keep a reader from ending.
@Suite struct HostileMatroskaTests {
  /// A small file with everything in it.
  private func small() throws -> [UInt8] {
    var pictures = SampleFilm.pictures
    pictures.video?.colour = MatroskaColour()
    var segment = SampleFilm.segment([pictures, SampleFilm.sound, SampleFilm.texts])
    segment.chapters = .made(
      MatroskaChapters([.init([.init(uid: 1, start: .nanoseconds(5), titles: [.init("a")])])]))
    segment.tags = [.made([MatroskaTag(level: 50, [.init("A", "b", entries: [.init("C", "d")])])])]
    segment.attachments = [
      MatroskaAttachment(name: "a", mediaType: "text/plain", uid: 3, .bytes([1, 2]))
    ]
    return try WrittenSegment.bytes(
      segment,
      SampleFilm.interleaved([
        Array(SampleFilm.pictureBlocks(groups: 1).prefix(8)),
        SampleFilm.soundBlocks(samples: 12_000), [SampleFilm.textBlock("a", from: 5, to: 90)],
      ]))
  }

  /// Reads everything that can be read.
  private func read(_ bytes: [UInt8]) -> MatroskaFinding? {
    let source = MatroskaBytes.source(bytes)
    do {
      let reader = try MatroskaReader(source)
      _ = reader.chapters.flatMap { MatroskaChapters(element: $0) }
      _ = reader.tags.flatMap { MatroskaTag.all(element: $0) }
      var builder = EBMLBuilder()
      for track in reader.tracks { track.append(to: &builder) }
      try reader.forEachBlock { _ in true }
      return reader.findings.first
    } catch { return error as? MatroskaFinding }
  }

  @Test("a file that is cut at any byte is read as far as it goes, with a finding")
  func truncationAtEveryByte() throws {
    let bytes = try small()
    #expect(read(bytes) == nil)
    for length in 0..<bytes.count {
      let cut = Array(bytes[..<length])
      let finding = try #require(read(cut))
      // A segment that ends early is one that is cut, wherever that is.
      let isHead = length < MatroskaDocType.matroska.header.count + 12
      #expect(
        finding.code == .truncated || isHead && [.notMatroska, .missing].contains(finding.code),
        "\(length): \(finding)")
      #expect(!MatroskaCheck(MatroskaBytes.source(cut)).findings.isEmpty)
    }
  }

  @Test("all frames in front of a cut are handed out") func framesInFrontOfACut() throws {
    let bytes = try small()
    let all = try MatroskaBytes.frames(bytes)
    let start = try #require(all.first).offset
    for length in stride(from: Int(start), to: bytes.count, by: 3) {
      let reader = try MatroskaReader(MatroskaBytes.source(Array(bytes[..<length])))
      var frames: [MatroskaFrame] = []
      do {
        try reader.forEachBlock {
          frames.append($0)
          return true
        }
      } catch is MatroskaFinding {}
      let whole = all.prefix { $0.offset < Int64(length) }.count
      #expect((whole - 1...whole).contains(frames.count))
      #expect(zip(frames, all).allSatisfy { $0.data == $1.data && $0.time == $1.time })
    }
  }

  @Test("files with up to eight other bytes are read and checked to their end")
  func damagedFilesAreRead() throws {
    let bytes = try small()
    var noise = SeededNoise(seed: 2026)
    for round in 0..<Soak.rounds(10_000, soak: 1_000_000) {
      var copy = bytes
      for _ in 0..<Int.random(in: 1...8, using: &noise) {
        let extremes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &noise)]
        let place = Int.random(in: 0..<copy.count, using: &noise)
        copy[place] = extremes[Int.random(in: 0..<extremes.count, using: &noise)]
      }
      _ = read(copy)
      if round % 8 == 0 { _ = MatroskaCheck(MatroskaBytes.source(copy)).findings }
    }
  }

  @Test("a file full of empty elements ends") func emptyElementsEnd() throws {
    let voids = Array(repeating: [0xEC, 0x80] as [UInt8], count: 100_000).flatMap { $0 }
    let bytes = MatroskaBytes.file(
      voids + MatroskaBytes.element(.tags, voids) + MatroskaBytes.element(.cluster, voids))
    #expect(read(bytes) == nil)
  }

  @Test("lists longer than any real one are cut, or refused") func longListsAreCut() throws {
    let head = MatroskaDocType.matroska.header
    let tracks = (1...5000).flatMap { number in
      MatroskaBytes.element(
        .trackEntry,
        MatroskaBytes.unsigned(.trackNumber, number) + MatroskaBytes.unsigned(.trackType, 2)
          + MatroskaBytes.element(.codecID, [0x41]))
    }
    let many = head + MatroskaBytes.element(.segment, MatroskaBytes.element(.tracks, tracks))
    #expect(read(many)?.code == .tooLarge)
    let places = Array(repeating: [0xB7, 0x80] as [UInt8], count: 2000).flatMap { $0 }
    let point = MatroskaBytes.element(.cuePoint, places)
    let points = Array(repeating: point, count: 1200).flatMap { $0 }
    let reader = try MatroskaReader(
      MatroskaBytes.source(MatroskaBytes.file(MatroskaBytes.element(.cues, points))))
    #expect(reader.cues.count == 1_049_000)
    let empty = Array(repeating: EBMLID.tags.bytes + [0x80], count: 20_000).flatMap { $0 }
    #expect(read(MatroskaBytes.file(empty))?.code == .tooLarge)
  }

  @Test("a source that returns fewer bytes than it has ends with a finding")
  func failingSources() throws {
    let bytes = try small()
    let source = ByteSource(size: Int64(bytes.count)) { offset, count in
      let end = min(bytes.count, Int(offset) + count, bytes.count * 3 / 4)
      return Int(offset) < end ? Array(bytes[Int(offset)..<end]) : []
    }
    let reader = try MatroskaReader(source)
    #expect(throws: MatroskaFinding.self) { try reader.forEachBlock { _ in true } }
  }
}
