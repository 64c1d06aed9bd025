import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// Frames that libavcodec leaves out or refuses.
@Suite struct PackedFramesTests {
  /// The judge is the bare stream of the same frames.
  @Test(
    "AMR in 3GP gives 160 samples of each of 60 frames, whatever a sample holds",
    arguments: [1, 5, 10, 30])
  func allFramesOfASampleAreDecoded(perSample: Int) throws {
    let movie = SpeechMovie(frames: 60, perSample: perSample)
    let bare = try MadeMedia("a.amr", bytes: movie.bare).decode()
    let track = try MadeMedia("a.3gp", bytes: movie.file).decode()
    #expect(bare.count == 60 * 160)
    #expect(track.planes[0] == bare.planes[0])
    #expect(track.degradations.isEmpty && track.summary.gaps.isEmpty)
  }

  /// Some writers of AAC mark start-up in this way. Sound isn't reordered.
  @Test(
    "a composition offset of the first sample alone moves no sound and is no jump",
    arguments: [160, 800, 8000])
  func theFirstSampleIsNotDelayed(delay: Int) throws {
    let movie = SpeechMovie(frames: 60, perSample: 1, firstDelay: delay)
    let bare = try MadeMedia("a.amr", bytes: movie.bare).decode()
    let track = try MadeMedia("a.3gp", bytes: movie.file).decode()
    #expect(track.planes[0] == bare.planes[0])
    #expect(track.degradations.isEmpty && track.summary.plan.start == 0)
  }

  @Test("frames of AMR are split where their lengths add up, and not otherwise")
  func framesAreSplitByTheirTypes() {
    // Types 7, 8 and 15: 12.2 kbit/s, comfort noise, nothing.
    let packet =
      [0x3C] + [UInt8](repeating: 1, count: 31) + [0x44] + [UInt8](repeating: 2, count: 5) + [0x7C]
    #expect(AMRFrames.ranges(in: packet, isWide: false) == [0..<32, 32..<38, 38..<39])
    #expect(AMRFrames.ranges(in: packet.dropLast(2) + [], isWide: false) == nil)
    #expect(AMRFrames.ranges(in: [0x4C], isWide: false) == nil)
    #expect(
      AMRFrames.ranges(in: [0x44] + [UInt8](repeating: 0, count: 60), isWide: true) == [0..<61])
  }

  /// Frames of MPEG-1 layer I at 384 kbit/s and 48 kHz in joint stereo from subband 8 on, with their checksum over
  /// header and allocation (ISO/IEC 11172-3, 2.4.3.1).
  private func jointLayerI(frames: Int) -> Data {
    var noise = SeededNoise(seed: 11)
    return (0..<frames).reduce(Data()) { file, _ in
      let tail: [(Int, Int)] = [(12, 4), (0b0100, 4), (0b0101, 4), (0, 4)]
      let widths = (0..<12).map { _ in Int.random(in: 2...4, using: &noise) }
      let allocation = (0..<32).flatMap { band -> [(Int, Int)] in
        let width = (band < 12 ? widths[band] : 0, 4)
        return band < 8 ? [width, width] : [width]
      }
      var frame = BitBytes()
      frame.put(0xFFF, 12)
      frame.put(0b1110, 4)
      for (value, width) in tail { frame.put(value, width) }
      frame.put(PackedFramesTests.checksum(tail + allocation), 16)
      for (value, width) in allocation { frame.put(value, width) }
      for _ in 0..<24 { frame.put(Int.random(in: 20...40, using: &noise), 6) }
      for _ in 0..<12 {
        for band in 0..<12 {
          for _ in 0..<(band < 8 ? 2 : 1) {
            let width = widths[band] + 1
            frame.put(Int.random(in: 0..<(1 << width) - 1, using: &noise), width)
          }
        }
      }
      frame.align()
      return file + Data(frame.bytes) + Data(count: 384 - frame.bytes.count)
    }
  }

  private static func checksum(_ fields: [(Int, Int)]) -> Int {
    fields.reduce(0xFFFF) { sum, field in
      (0..<field.1).reversed().reduce(sum) { sum, bit in
        let isOdd = (sum >> 15) ^ (field.0 >> bit & 1) == 1
        return (isOdd ? sum << 1 ^ 0x8005 : sum << 1) & 0xFFFF
      }
    }
  }

  /// libavcodec takes 256 bits of allocation for the checksum in joint stereo, too.
  @Test("layer I in joint stereo with right checksums is decoded, 384 samples a frame")
  func jointLayerIIsIntact() throws {
    let track = try MadeMedia("a.mp1", bytes: jointLayerI(frames: 100)).decode()
    #expect(track.count == 100 * 384)
    #expect(track.degradations.isEmpty)
  }
}
