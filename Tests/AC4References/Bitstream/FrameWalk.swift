// SPDX-License-Identifier: Apache-2.0
@testable import AC4

/// Reads the audio of a stream's frames as the decoder does, without making sound.
final class FrameWalk {
  let reader: ElementReader
  let frame: ElementFrame

  init(_ rate: AC4FrameRate, _ mode: AC4ChannelMode = .stereo) throws {
    reader = try ElementReader(.channels(mode, addsToSurrounds: false), rate)
    frame = reader.makeFrame()
  }

  /// Reads one frame; answers the size of its audio and the bits that are left of it.
  func read(_ raw: [UInt8]) throws -> (audioSize: Int, bitsLeft: Int) {
    let toc = try AC4TableOfContents(rawFrame: raw)
    let substream = toc.groups[0].substreams[0]
    let range = toc.substreams[substream.index ?? 0]
    return try raw.withUnsafeBufferPointer { buffer in
      var bits = try BitReader(buffer).part(at: range.lowerBound, count: range.count)
      let size = try AudioSize.read(&bits)
      let start = bits.position
      try reader.read(&bits, isIFrame: substream.isIFrame[0], into: frame)
      reader.commit()
      return (size, start + size * 8 - bits.position)
    }
  }
}
