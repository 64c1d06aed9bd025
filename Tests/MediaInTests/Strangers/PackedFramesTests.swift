// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
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

  /// libavcodec takes 256 bits of allocation for the checksum in joint stereo, too.
  @Test("layer I in joint stereo with right checksums is decoded, 384 samples a frame")
  func jointLayerIIsIntact() throws {
    let track = try MadeMedia("a.mp1", bytes: MPEGBytes.layerI(frames: 100, .joint)).decode()
    #expect(track.count == 100 * 384)
    #expect(track.degradations.isEmpty)
  }
}
