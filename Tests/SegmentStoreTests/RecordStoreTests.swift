// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Rendering

/// Notes come back whole or not at all.
@Suite struct RecordStoreTests {
  private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

  @Test(
    "notes of 0, 1 and 100,000 bytes come back, and another key has none",
    arguments: [0, 1, 100_000])
  func notesComeBack(count: Int) throws {
    let folder = try TemporaryFolder()
    let store = RecordStore(path: folder.file("cache"))
    let key = SegmentSamples.key("one")
    #expect(store.load(key) == nil)
    store.save(bytes(count), as: key)
    #expect(RecordStore(path: folder.file("cache")).load(key) == bytes(count))
    #expect(store.load(SegmentSamples.key("two")) == nil)
  }

  @Test("a note replaces the one of its key")
  func aNoteReplacesTheOneBefore() throws {
    let folder = try TemporaryFolder()
    let store = RecordStore(path: folder.file("cache"))
    let key = SegmentSamples.key("one")
    store.save(bytes(10), as: key)
    store.save(bytes(5), as: key)
    #expect(store.load(key) == bytes(5))
  }

  @Test("a note with a changed byte or a cut counts as absent")
  func damagedNotesCountAsAbsent() throws {
    let folder = try TemporaryFolder()
    let store = RecordStore(path: folder.file("cache"))
    let key = SegmentSamples.key("one")
    store.save(bytes(200), as: key)
    let url = folder.url("cache/records/" + key.text)
    let whole = try Data(contentsOf: url)
    for place in stride(from: 0, to: whole.count, by: 3) {
      var damaged = whole
      damaged[place] ^= 0x04
      try damaged.write(to: url)
      #expect(store.load(key) == nil, "byte \(place)")
      try whole.prefix(place).write(to: url)
      #expect(store.load(key) == nil, "cut to \(place) bytes")
    }
    try whole.write(to: url)
    #expect(store.load(key) == bytes(200))
  }
}
