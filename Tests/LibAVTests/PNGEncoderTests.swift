// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import LibAV

@Suite struct PNGEncoderTests {
  /// A picture without any pattern.
  private func pixels(_ width: Int, _ height: Int) -> [UInt8] {
    var random = SeededNoise(seed: 5)
    return (0..<3 * width * height).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  @Test("a PNG has signature, size, 8-bit RGB and IEND")
  func aFileBeginsAsTheStandardSaysAndStatesItsSize() throws {
    let bytes = try PNGEncoder(width: 301, height: 7).encode(rgb: pixels(301, 7))
    #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    // IHDR: width, height, 8 bits, colour type 2 (RGB), no interlacing.
    #expect(Array(bytes[16..<29]) == [0, 0, 1, 45, 0, 0, 0, 7, 8, 2, 0, 0, 0])
    #expect(Array(bytes.suffix(8).prefix(4)) == Array("IEND".utf8))
  }

  @Test("a picture gives the same PNG bytes each time")
  func theSamePixelsGiveTheSameBytes() throws {
    let picture = pixels(123, 45)
    let encoder = try PNGEncoder(width: 123, height: 45)
    let first = try encoder.encode(rgb: picture)
    #expect(try encoder.encode(rgb: picture) == first)
    #expect(try PNGEncoder(width: 123, height: 45).encode(rgb: picture) == first)
  }

  @Test(
    "ffmpeg decodes a PNG to the same pixels",
    .tags(.system), .fullRunOnly,
    .enabled(if: Tool.isInstalled("ffmpeg"), "ffmpeg is not installed"),
    arguments: [(1, 1), (301, 7), (640, 333)])
  func ffmpegReadsTheSamePixels(width: Int, height: Int) throws {
    let picture = pixels(width, height)
    let folder = try TemporaryFolder()
    let bytes = try PNGEncoder(width: width, height: height).encode(rgb: picture)
    try Data(bytes).write(to: folder.url("picture.png"))
    try FixtureStore.ffmpeg([
      "-i", folder.file("picture.png"), "-f", "rawvideo", "-pix_fmt", "rgb24", folder.file("raw"),
    ])
    #expect(try Data(contentsOf: folder.url("raw")) == Data(picture))
  }

  @Test("widths of 0, heights of 2^20 and too few pixels are refused")
  func otherSizesAreRefused() throws {
    #expect(throws: MediaError.self) { try PNGEncoder(width: 0, height: 4) }
    #expect(throws: MediaError.self) { try PNGEncoder(width: 4, height: 1 << 20) }
    #expect(throws: MediaError.self) {
      try PNGEncoder(width: 4, height: 4).encode(rgb: [1, 2, 3])
    }
  }
}
