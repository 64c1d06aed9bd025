// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

@Suite(.tags(.media), .enabled(if: SharedMedia.isPresent, "../shared is missing"))
struct PlaybackTests {
  @Test("ffmpeg measures ChannelCheck at −19.8 LUFS", .tags(.system), .fullRunOnly)
  func integratedLoudnessIsMinus19Point8() throws {
    let decoded = try DecodedStream.finished(
      try RealStream.channelCheck.frames().map(\.rawFrame))
    let folder = try TemporaryFolder()
    try WAVBytes.float32(decoded.planes, rate: 48_000, mask: nil).write(to: folder.url("a.wav"))
    let result = try Tool.run(
      "ffmpeg", ["-nostats", "-i", folder.file("a.wav"), "-af", "ebur128", "-f", "null", "-"])
    let line = result.errors.split(separator: "\n").last { $0.contains("I:") }
    let loudness = try #require(
      line.flatMap { Double($0.split(separator: " ").dropFirst().first ?? "") })
    #expect(abs(loudness + 19.8) <= 0.1)
  }

  /// The voice and tone walk from left to right: the programme has passages that lie clearly on
  /// either side, the left one first.
  @Test("ChannelCheck walks from left to right") func channelsWalkFromLeftToRight() throws {
    let decoded = try DecodedStream.finished(
      try RealStream.channelCheck.frames().map(\.rawFrame))
    let step = 4800
    var sides: [Character] = []
    for start in stride(from: 0, to: decoded.planes[0].count - step, by: step) {
      let energies = decoded.planes.map { plane in
        plane[start..<start + step].reduce(0.0) { $0 + Double($1) * Double($1) } / Double(step)
      }
      guard energies[0] + energies[1] > 1e-5 else { continue }
      let ratio = 10 * log10((energies[0] + 1e-12) / (energies[1] + 1e-12))
      let side: Character = ratio > 6 ? "L" : ratio < -6 ? "R" : "C"
      if sides.last != side { sides.append(side) }
    }
    let first = try #require(sides.first { $0 != "C" })
    #expect(first == "L")
    #expect(sides.filter { $0 == "L" }.count >= 2 && sides.filter { $0 == "R" }.count >= 2)
  }

  /// From a later I-frame the same sound comes out once the start is over.
  @Test("decoding from a later I-frame gives the same sound", arguments: [24, 240, 576])
  func startsAtAnyIFrame(first: Int) throws {
    let frames = try RealStream.channelCheck.frames().map(\.rawFrame)
    let whole = try DecodedStream.finished(Array(frames.prefix(first + 48)))
    let part = try DecodedStream.finished(Array(frames[first..<first + 48]))
    let settled = 4 * 2048
    for channel in 0..<2 {
      let wanted = Array(whole.planes[channel].dropFirst(first * 2048 + settled))
      let found = Array(part.planes[channel].dropFirst(settled))
      #expect(wanted.count == found.count)
      let ratio = Signals.ratio(
        DecodedStream.subbands(found, below: 48), DecodedStream.subbands(wanted, below: 48))
      #expect(ratio > 100)
    }
  }

  @Test("decoding begins at the first I-frame") func waitsForAnIFrame() throws {
    let frames = try RealStream.channelCheck.frames().map(\.rawFrame)
    let decoder = try AC4Decoder(rawFrame: frames[30])
    let output = AudioBuffer(channels: 2)
    for frame in 30..<48 {
      #expect(throws: AC4Error.self) { try decoder.decode(rawFrame: frames[frame], into: output) }
    }
    #expect(output.frames == 0)
    try decoder.decode(rawFrame: frames[48], into: output)
    try decoder.decode(rawFrame: frames[49], into: output)
    // A gap needs another I-frame.
    #expect(throws: AC4Error.needsIFrame("audio after a gap in frame 2")) {
      try decoder.decode(rawFrame: frames[51], into: output)
    }
    try decoder.decode(rawFrame: frames[50], into: output)
  }

  /// A frame lost in the middle keeps the timing, and the sound is back soon.
  @Test("a lost frame keeps the timing, and sound is back within seven frames")
  func concealsALostFrame() throws {
    let frames = try RealStream.channelCheck.frames().prefix(300).map(\.rawFrame)
    let whole = try DecodedStream.finished(frames)
    let decoder = try AC4Decoder(rawFrame: frames[0])
    let output = AudioBuffer(channels: 2)
    for (index, frame) in frames.enumerated() {
      if index == 130 {
        decoder.conceal(into: output)
      } else {
        try decoder.decode(rawFrame: frame, into: output)
      }
    }
    decoder.flush(into: output)
    #expect(output.frames == 300 * 2048)
    for channel in 0..<2 {
      let found = Array(output.channel(channel))
      #expect(found.prefix(128 * 2048) == whole.planes[channel].prefix(128 * 2048))
      let after = 135 * 2048
      let ratio = Signals.ratio(
        DecodedStream.subbands(Array(found.dropFirst(after)), below: 48),
        DecodedStream.subbands(Array(whole.planes[channel].dropFirst(after)), below: 48))
      #expect(ratio > 60)
    }
  }

  @Test("decoding after a reset begins anew", arguments: RealStream.allCases)
  func beginsAnewAfterAReset(stream: RealStream) throws {
    let frames = try stream.frames().prefix(60).map(\.rawFrame)
    let fresh = try DecodedStream.finished(frames)
    let options = AC4DecoderOptions(dialogueGain: 6, dynamicRange: .line)
    for options in [AC4DecoderOptions(), options] {
      let decoder = try AC4Decoder(rawFrame: frames[0], options: options)
      var runs: [[UInt32]] = []
      for _ in 0..<2 {
        let output = AudioBuffer(channels: 2)
        for frame in frames { try decoder.decode(rawFrame: frame, into: output) }
        decoder.flush(into: output)
        runs.append((0..<2).flatMap { output.channel($0).map { $0.bitPattern } })
        decoder.reset()
      }
      #expect(runs[0] == runs[1])
      let plain = fresh.planes.flatMap { $0.map(\.bitPattern) }
      #expect((runs[0] == plain) == (options == AC4DecoderOptions()))
    }
  }

  @Test("decoding twice gives the same bits") func givesTheSameBitsEveryTime() throws {
    let frames = try RealStream.sample.frames().map(\.rawFrame)
    let first = try DecodedStream.finished(frames)
    let second = try DecodedStream.finished(frames)
    for channel in 0..<2 {
      #expect(first.planes[channel].map(\.bitPattern) == second.planes[channel].map(\.bitPattern))
    }
  }
}
