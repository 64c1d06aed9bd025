// SPDX-License-Identifier: Apache-2.0
import Foundation
import Matroska
import Platform
import TestSupport
import Testing

@testable import MediaIn

/// Ordered chapters and linked segments of Matroska (RFC 9559, 17 and 20): a file that presents something else than itself
/// from beginning to end is refused.
@Suite(.tags(.system), .fullRunOnly) struct MatroskaEditionsTests {
  /// An element with a size of one byte.
  private static func element(_ id: [UInt8], _ body: [UInt8]) -> [UInt8] {
    id + [0x80 | UInt8(body.count)] + body
  }

  /// A chapter between two times in milliseconds.
  private static func chapter(
    _ start: Int, _ end: Int, link: [UInt8] = [], isEnabled: Bool = true, isHidden: Bool = false,
    title: String? = nil, within: [UInt8] = []
  ) -> [UInt8] {
    func time(_ milliseconds: Int) -> [UInt8] {
      let nanoseconds = milliseconds * 1_000_000
      return [24, 16, 8, 0].map { UInt8(nanoseconds >> $0 & 255) }
    }
    return element(
      [0xB6],
      element([0x91], time(start)) + element([0x92], time(end))
        + (link.isEmpty ? [] : element([0x6E, 0x67], link))
        + (isEnabled ? [] : element([0x45, 0x98], [0])) + (isHidden ? element([0x98], [1]) : [])
        + (title.map { element([0x80], element([0x85], Array($0.utf8))) } ?? []) + within)
  }

  private static func edition(
    isOrdered: Bool = true, isDefault: Bool = false, _ chapters: [UInt8]...
  ) -> [UInt8] {
    element(
      [0x45, 0xB9],
      (isDefault ? element([0x45, 0xDB], [1]) : []) + (isOrdered ? element([0x45, 0xDD], [1]) : [])
        + chapters.flatMap(\.self))
  }

  private static func chapters(_ editions: [UInt8]...) -> [UInt8] {
    element([0x10, 0x43, 0xA7, 0x70], editions.flatMap(\.self))
  }

  /// Four seconds of sound with `element` in the place that ffmpeg leaves for its index.
  private func media(_ element: (Data) -> [UInt8]) throws -> MadeMedia {
    try MadeMedia("a.mka", ["-c:a", "flac"], seconds: 4).altered { data in
      let void = try #require(data.range(of: Data([0xEC, 1, 0, 0, 0, 0, 0, 0])))
      let size = 9 + Int(data[void.upperBound])
      let bytes = element(data)
      let rest = size - bytes.count - 2
      try #require(rest >= 0 && rest < 127)
      data.replaceSubrange(
        void.lowerBound..<void.lowerBound + size,
        with: bytes + [0xEC, 0x80 | UInt8(rest)] + [UInt8](repeating: 0, count: rest))
    }
  }

  private static let rows: [(name: String, chapters: [UInt8], says: String?)] = [
    ("no order", chapters(edition(isOrdered: false, chapter(2000, 4000), chapter(0, 1000))), nil),
    ("the whole", chapters(edition(chapter(0, 2000), chapter(2000, 4000))), nil),
    ("a gap of 40 ms", chapters(edition(chapter(0, 2000), chapter(2040, 4000))), nil),
    ("beyond the end", chapters(edition(chapter(0, 2000), chapter(2000, 4200))), nil),
    ("no chapters", chapters(edition()), nil),
    ("another order", chapters(edition(chapter(2000, 4000), chapter(0, 2000))), "ordered"),
    ("without the middle", chapters(edition(chapter(0, 1000), chapter(3000, 4000))), "ordered"),
    ("without the end", chapters(edition(chapter(0, 2000))), "ordered"),
    ("without the beginning", chapters(edition(chapter(2000, 4000))), "ordered"),
    ("twice", chapters(edition(chapter(0, 4000), chapter(0, 4000))), "ordered"),
    (
      "one is off", chapters(edition(chapter(0, 2000), chapter(2000, 4000, isEnabled: false))),
      "ordered"
    ),
    (
      "another file",
      chapters(edition(chapter(0, 4000), chapter(0, 2000, link: [UInt8](repeating: 7, count: 16)))),
      "linked segments"
    ),
    (
      "order beside the default",
      chapters(
        edition(chapter(2000, 4000)), edition(isOrdered: false, isDefault: true, chapter(0, 4000))),
      nil
    ),
    (
      "order as the default",
      chapters(
        edition(isOrdered: false, chapter(0, 4000)), edition(isDefault: true, chapter(2000, 4000))),
      "ordered"
    ),
  ]

  @Test(
    "Matroska with ordered chapters is refused unless they present the whole file in its order",
    arguments: rows.indices)
  func ordersAreRefused(row: Int) throws {
    let (name, chapters, says) = MatroskaEditionsTests.rows[row]
    let made = try media { _ in chapters }
    guard let says else {
      let result = try made.decode()
      #expect(result.kinds.isEmpty && result.planes.first?.count == 4 * 48_000, "\(name)")
      return
    }
    let failure = made.failure()
    #expect(
      failure?.kind == .unsupportedFeature && failure?.message.contains(says) == true, "\(name)")
  }

  @Test("chapters within chapters are kept with their titles, but for hidden ones")
  func innerChaptersAreKept() throws {
    let chapter = MatroskaEditionsTests.chapter
    // libavformat passes over chapters without ChapterUID.
    let uid = MatroskaEditionsTests.element([0x73, 0xC4], [1])
    // The index of ffmpeg leaves room for three chapters.
    let rows: [(inner: [UInt8], starts: [Int64], titles: [String?])] = [
      (
        chapter(200, 900, [], true, false, "a", chapter(500, 900, [], true, false, "é", [])),
        [0, 200, 500], ["A", "a", "é"]
      ),
      (chapter(200, 900, [], true, true, "a", []), [0], ["A"]),
      (chapter(200, 900, [], false, false, "a", []), [0], ["A"]),
    ]
    for row in rows {
      let made = try media { _ in
        MatroskaEditionsTests.chapters(
          MatroskaEditionsTests.edition(
            isOrdered: false, chapter(0, 2000, [], true, false, "A", uid + row.inner)))
      }
      let chapters = try withExtendedLifetime(made) { try MediaFile(path: made.path).chapters }
      #expect(chapters.map { $0.start.samples(at: 1000) } == row.starts)
      #expect(chapters.map(\.title) == row.titles)
    }
  }

  @Test("a chapter that is linked with its own file lies in that file")
  func linksToTheFileItselfAreNone() throws {
    let made = try media { data in
      let found = data.range(of: Data([0x73, 0xA4, 0x90])).map {
        Array(data[$0.upperBound...].prefix(16))
      }
      return MatroskaEditionsTests.chapters(
        MatroskaEditionsTests.edition(MatroskaEditionsTests.chapter(0, 4000, link: found ?? [])))
    }
    #expect(try made.decode().kinds.isEmpty)
  }

  @Test("ordered chapters after the sound are found through the index")
  func chaptersAtTheEndAreFound() throws {
    let element = MatroskaEditionsTests.element
    let segment = 52
    let made = try media { data in
      let place = [24, 16, 8, 0].map { UInt8((data.count - segment) >> $0 & 255) }
      let fields = element([0x53, 0xAB], [0x10, 0x43, 0xA7, 0x70]) + element([0x53, 0xAC], place)
      return element([0x11, 0x4D, 0x9B, 0x74], element([0x4D, 0xBB], fields))
    }.altered { data in
      try #require(data[40..<44] == Data([0x18, 0x53, 0x80, 0x67]))
      data += MatroskaEditionsTests.chapters(
        MatroskaEditionsTests.edition(
          MatroskaEditionsTests.chapter(2000, 4000), MatroskaEditionsTests.chapter(0, 2000)))
      let content = data.count - segment
      data.replaceSubrange(
        44..<52, with: [1] + stride(from: 48, through: 0, by: -8).map { UInt8(content >> $0 & 255) }
      )
    }
    #expect(made.failure()?.kind == .unsupportedFeature)
  }

  @Test("a segment that names the next one is taken alone, and bytes at random trap nothing")
  func neighboursAreNoted() throws {
    let folder = try TemporaryFolder()
    let element = MatroskaEditionsTests.element
    let info = element(
      [0x15, 0x49, 0xA9, 0x66], element([0x3E, 0xB9, 0x23], [UInt8](repeating: 9, count: 16)))
    let chapters = MatroskaEditionsTests.chapters(
      MatroskaEditionsTests.edition(MatroskaEditionsTests.chapter(2000, 4000)))
    let bytes =
      element([0x1A, 0x45, 0xDF, 0xA3], []) + element([0x18, 0x53, 0x80, 0x67], info + chapters)
    func editions(_ bytes: [UInt8]) throws -> MatroskaEditions? {
      try withExtendedLifetime(folder) {
        try Data(bytes).write(to: folder.url("a.mkv"))
        let file = try LocalFile(path: folder.file("a.mkv"))
        return (try? MatroskaHead(file.source)).map(MatroskaEditions.init)
      }
    }
    #expect(try editions(bytes)?.hasNeighbour == true)
    var noise = SeededNoise(seed: 106)
    for _ in 0..<Soak.rounds(300, soak: 20_000) {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &noise) {
        damaged[Int.random(in: 4..<bytes.count, using: &noise)] = UInt8.random(
          in: 0...255, using: &noise)
      }
      _ = try editions(damaged)
    }
  }
}
