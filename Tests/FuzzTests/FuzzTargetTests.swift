// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Every fuzz target reads its committed seeds, and changed copies of them that are the same in each run.
///
/// A trap ends all tests; the input that caused it is then in `out/fuzz/last-NAME`. `make fuzz TARGET=NAME` looks for
/// more under the address sanitizer.
@Suite struct FuzzTargetTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz")

  private static func names(in part: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: part).path)
      .sorted()
  }

  private static func seeds(_ name: String) throws -> [(name: String, bytes: [UInt8])] {
    let place = "Seeds/\(name)"
    return try names(in: place).map {
      ($0, [UInt8](try Data(contentsOf: folder.appending(path: "\(place)/\($0)"))))
    }
  }

  @Test("each fuzz target has a folder of seeds, and each folder and dictionary a target")
  func eachTargetHasSeedsAndEachFolderIsATargets() throws {
    #expect(try FuzzTargetTests.names(in: "Seeds") == FuzzTarget.all.map(\.name).sorted())
    let words = try FuzzTargetTests.names(in: "Dictionaries").map { $0.dropLast(5) }
    #expect(Set(words).isSubset(of: FuzzTarget.all.map { $0.name[...] }))
  }

  @Test(
    "a fuzz target runs its seeds and changed copies of them to the end",
    arguments: FuzzTarget.all.map(\.name))
  func seedsAndChangedCopiesAreReadOrRefused(_ name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let seeds = try FuzzTargetTests.seeds(name)
    #expect(!seeds.isEmpty)
    let results = FuzzTargetTests.folder.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "out/fuzz")
    try FileManager.default.createDirectory(at: results, withIntermediateDirectories: true)
    let last = results.appending(path: "last-\(name)")
    // The file stays open: a file that is cut to nothing and closed each time is flushed to the disk each time.
    try Data().write(to: last)
    let file = try FileHandle(forWritingTo: last)
    for seed in seeds {
      var changes = ChangedBytes(seed.bytes, others: seeds.map(\.bytes), seed: seed.name)
      for number in 0...Soak.rounds(target.mutations, soak: 20 * target.mutations) {
        let bytes = number == 0 ? seed.bytes : changes.next()
        try file.seek(toOffset: 0)
        try file.write(contentsOf: bytes)
        try file.truncate(atOffset: UInt64(bytes.count))
        target.run(bytes)
      }
    }
    try FileManager.default.removeItem(at: last)
  }
}

/// Changed copies of an input: bytes that are others, doubled or left out, numbers at the ends of their range, and pieces
/// of other inputs.
private struct ChangedBytes {
  private let bytes: [UInt8]
  private let others: [[UInt8]]
  private var state: UInt64

  /// Copies of `bytes`; the text `seed` decides which.
  init(_ bytes: [UInt8], others: [[UInt8]], seed: String) {
    self.bytes = bytes
    self.others = others
    // FNV-1a, so that the copies are the same in each run.
    state = seed.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private mutating func number(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(max(1, limit)))
  }

  /// The next copy, with one to eight changes.
  mutating func next() -> [UInt8] {
    var copy = bytes
    for _ in 0...number(below: 8) { change(&copy) }
    return copy
  }

  private mutating func change(_ copy: inout [UInt8]) {
    let place = number(below: copy.count + 1)
    let length = min(copy.count - place, 1 + number(below: 16))
    switch number(below: 7) {
    case 0: if place < copy.count { copy[place] ^= 1 << UInt8(number(below: 8)) }
    case 1: if place < copy.count { copy[place] = UInt8(number(below: 256)) }
    case 2: copy.removeSubrange(place..<place + length)
    case 3: copy.insert(contentsOf: copy[place..<place + length], at: place)
    case 4: copy.removeSubrange(place...)
    case 5:
      let ends: [UInt8] = [0, 0x7F, 0x80, 0xFF]
      let end = ends[number(below: 4)]
      for index in place..<place + min(length, 8) { copy[index] = end }
    default:
      let other = others[number(below: others.count)]
      let start = number(below: other.count + 1)
      copy.insert(contentsOf: other[start...].prefix(1 + number(below: 64)), at: place)
    }
  }
}
