// SPDX-License-Identifier: Apache-2.0
import AC4
import TestSupport
import Testing

@testable import AC4References

@Suite struct FrameScannerTests {
  @Test(
    "each frame of an elementary stream is found", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"),
    arguments: [(RealStream.channelCheck, 846), (.sample, 19)])
  func findsEveryFrame(stream: RealStream, count: Int) throws {
    let bytes = try stream.bytes()
    let frames = RealStream.frames(of: bytes, chunk: 4096)
    #expect(frames.count == count)
    #expect(frames.allSatisfy { $0.isCRCGood == true && $0.skippedBytes == 0 })
    let sum = frames.reduce(0) { $0 + $1.rawFrame.count + 6 }
    #expect(sum == bytes.count)
  }

  @Test(
    "frames are the same however the bytes are cut", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"),
    arguments: [1, 7, 1000, 1 << 20])
  func answersTheSameForAnyPieces(chunk: Int) throws {
    let bytes = try RealStream.sample.bytes()
    let whole = RealStream.frames(of: bytes, chunk: bytes.count)
    #expect(RealStream.frames(of: bytes, chunk: chunk) == whole)
  }

  @Test("long frame sizes and frames without a checksum are read")
  func readsLongSizesAndFramesWithoutChecksum() {
    let content = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 * 7 % 251 & 0x7F) }
    let long = [0xAC, 0x40, 0xFF, 0xFF, 0x01, 0x11, 0x70] + content
    let short: [UInt8] = [0xAC, 0x40, 0x00, 0x03, 1, 2, 3]
    let frames = RealStream.frames(of: long + short, chunk: 999)
    #expect(frames.map(\.rawFrame) == [content, [1, 2, 3]])
    #expect(frames.map(\.isCRCGood) == [nil, nil])
    #expect(frames.map(\.position) == [0, 70_007])
  }

  @Test(
    "frames behind garbage are found", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func findsTheWayBackAfterGarbage() throws {
    let bytes = try RealStream.sample.bytes()
    let whole = RealStream.frames(of: bytes, chunk: 500)
    var noise = SeededNoise(seed: 5)
    for _ in 0..<200 {
      let cut = Int.random(in: 1..<12, using: &noise)
      let at = Int(whole[cut].position)
      var garbage = (0..<Int.random(in: 1...900, using: &noise)).map { _ in
        UInt8.random(in: 0...255, using: &noise)
      }
      // A sync word that announces more than there is must not swallow the rest.
      if cut & 1 == 0 { garbage += [0xAC, 0x41, 0x70, 0x00, 1] }
      let frames = RealStream.frames(of: bytes[..<at] + garbage + bytes[at...], chunk: 333)
      #expect(frames.map(\.rawFrame) == whole.map(\.rawFrame))
      #expect(frames[cut].skippedBytes == Int64(garbage.count))
      #expect(frames.filter { $0.skippedBytes > 0 }.count == 1)
    }
  }

  @Test(
    "a frame with a wrong checksum is marked as damaged", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func tellsDamagedFramesFromGoodOnes() throws {
    var bytes = try RealStream.sample.bytes()
    let whole = RealStream.frames(of: bytes, chunk: 500)
    bytes[Int(whole[7].position) + 100] ^= 0x10
    let frames = RealStream.frames(of: bytes, chunk: 500)
    #expect(frames.count == whole.count)
    #expect(frames.indices.filter { frames[$0].isCRCGood == false } == [7])
  }

  @Test(
    "bytes of a frame cut off at the end are counted", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func countsWhatIsCutOffAtTheEnd() throws {
    let bytes = try RealStream.sample.bytes()
    let last = RealStream.frames(of: bytes, chunk: 500)[18]
    for length in [1, 3, 5, last.rawFrame.count + 5] {
      var scanner = AC4FrameScanner()
      scanner.push(bytes[..<(Int(last.position) + length)])
      scanner.finish()
      var count = 0
      while scanner.next() != nil { count += 1 }
      #expect(count == 18)
      #expect(scanner.skippedBytes == Int64(length))
    }
  }
}
