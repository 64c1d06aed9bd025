// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Codec frames that are spread over two or four frames.
@Suite struct SpreadFrameTests {
  /// The rate of the codec frames, and the number of frames over which each is spread.
  static let cases = (0...4).map { ($0, 2) } + (7...9).map { ($0, 2) } + (2...4).map { ($0, 4) }

  /// A stream, and the same in parts.
  private static func stream(
    _ index: Int, _ count: Int, frames: Int
  ) throws -> (whole: [[UInt8]], parts: [[[UInt8]]]) {
    let rate = try AC4FrameRate(index: index, is48kHz: true)
    var stream = SyntheticStream(rate, .stereo, seed: UInt64(10 * index + count))
    var whole: [[UInt8]] = []
    var parts: [[[UInt8]]] = []
    for number in 0..<frames {
      let frame = stream.next(isIFrame: number % 3 == 0)
      whole.append(frame.raw)
      parts.append(
        try stream.spread(frame, number: number, isIFrame: number % 3 == 0, over: count))
    }
    return (whole, parts)
  }

  @Test("a frame spread over several frames decodes like a whole one", arguments: cases)
  func joinedFramesGiveTheSameSamples(index: Int, count: Int) throws {
    let (whole, parts) = try SpreadFrameTests.stream(index, count, frames: 6)
    var joined: [[UInt8]] = []
    for frames in parts {
      for (position, frame) in frames.enumerated() {
        #expect(
          try AC4FrameJoiner.part(rawFrame: frame) == .init(fraction: count, position: position))
      }
      joined.append(try AC4FrameJoiner.join(frames))
    }
    let (wanted, found) = (
      try DecodedStream.finished(whole), try DecodedStream.finished(joined)
    )
    #expect(found.format == wanted.format)
    #expect(found.planes == wanted.planes)
    #expect(wanted.planes[0].contains { abs($0) > 0.01 })
  }

  @Test("parts of different frames are refused") func whatDoesNotBelongTogetherIsRefused() throws {
    let (whole, parts) = try SpreadFrameTests.stream(2, 4, frames: 2)
    #expect(try AC4FrameJoiner.part(rawFrame: whole[0]) == .init(fraction: 1, position: 0))
    for frames in [Array(parts[0].prefix(3)), parts[0] + [parts[1][0]], [whole[0], whole[1]]] {
      #expect(throws: AC4Error.self) { try AC4FrameJoiner.join(frames) }
    }
    #expect(throws: AC4Error.self) { try AC4FrameJoiner.join([]) }
    // One part alone isn't a frame.
    #expect(throws: AC4Error.self) { try AC4Decoder(rawFrame: parts[0][0]) }
  }
}
