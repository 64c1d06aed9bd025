// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import IAMF

/// Elements against those of an independent decoder, after trimming. Substreams that are coded are decoded by
/// ffmpeg.
@Suite(
  .tags(.media, .system), .fullRunOnly, .enabled(if: IAMFOracle.isPresent, "../shared is missing"))
struct ReconstructionTests {
  /// Files with the largest difference that is allowed: none where samples pass through, rounding of 24 bits
  /// in the oracle's files and of Float32 where they are mixed, other decoders of AAC and Opus.
  @Test(
    "elements and trims are an independent decoder's within 2e-7, or 1e-4 for Opus and AAC",
    arguments: [
      ("7_1_4_Flac.iamf", 0), ("noise_1024samp_stereo_flac.iamf", 0),
      ("sample_fragmented_iamf.mp4", 0), ("syn_stereo_trims_lpcm16be.iamf", 0),
      ("syn_expanded_916_lpcm16.iamf", 0), ("syn_foa_stereo_gains_flac_frag.mp4", 0),
      ("syn_soa_projection_two_mixes_flac.iamf", 2e-7),
      ("syn_scalable_2_512_714_lpcm24.iamf", 2e-7),
      ("syn_scalable_312_514_lpcm16.mp4", 2e-7), ("syn_scalable_1_2_71_aac_recon.iamf", 1e-4),
      ("syn_scalable_4layer_opus_recon.mp4", 1e-4), ("noise_1024samp_5p1_opus.iamf", 1e-4),
      ("tones_100ms_3OA_stereo_opus.iamf", 1e-4),
    ])
  func elementsAreThoseOfTheOracle(name: String, tolerance: Float) throws {
    let facts = try #require(try IAMFOracle.json("expected.json")[name] as? [String: Any])
    let elements = try #require(facts["elements"] as? [String: [String: Any]])
    let played = try PlayedFile(name)
    #expect(played.clock.presented == Int64(try #require(facts["presented"] as? Int)))
    #expect(played.clock.decoded == Int64(try #require(facts["decoded"] as? Int)))
    #expect(played.clock.trimmedStart == Int64(try #require(facts["trim_start"] as? Int)))
    #expect(played.clock.trimmedEnd == Int64(try #require(facts["trim_end"] as? Int)))
    #expect(played.elements.count == elements.count)
    for (id, wanted) in elements {
      let found = try #require(played.elements[Int(id) ?? -1])
      let files = try #require(wanted["files"] as? [String])
      let scale = Float(try #require(wanted["scale_of_flac"] as? Double))
      var planes: [[Float]] = []
      for (index, file) in files.enumerated() {
        let count = min(8, found.planes.count - 8 * index)
        planes += try IAMFOracle.planes(file, channels: count)
      }
      #expect(planes.count == found.planes.count)
      if case .channels(let channels) = found.output {
        #expect(channels.map(\.rawValue) == wanted["channels"] as? [String])
      }
      for (index, (one, other)) in zip(found.planes, planes).enumerated() {
        #expect(other.count == min(one.count, 48_000) || other.count == one.count)
        let difference = zip(one, other).reduce(0) { max($0, abs($1.0 * scale - $1.1)) }
        #expect(difference <= tolerance, "\(name), element \(id), channel \(index)")
      }
      // The oracle's files of long programmes hold the first second; levels are those of all of it.
      let levels = try #require(wanted["rms"] as? [Double])
      for (plane, level) in zip(found.planes, levels) {
        let power = plane.reduce(0) { $0 + Double($1) * Double($1) } / Double(plane.count)
        #expect(abs(power.squareRoot() - level) < 1e-7 + Double(tolerance), "\(name), \(id)")
      }
    }
  }
}
