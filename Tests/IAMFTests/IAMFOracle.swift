// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import IAMF

/// Files of IAMF and what an independent reader found in them; beside the checkout, not part of it.
enum IAMFOracle {
  /// Folder of the files, if it is here.
  static let folder: String? = SharedMedia.beside("iamf")

  static var isPresent: Bool { folder != nil }

  static let rawFiles = [
    "7_1_4_Flac.iamf", "noise_1024samp_5p1_opus.iamf", "noise_1024samp_stereo_flac.iamf",
    "syn_expanded_916_lpcm16.iamf", "syn_scalable_1_2_71_aac_recon.iamf",
    "syn_scalable_2_512_714_lpcm24.iamf", "syn_soa_projection_two_mixes_flac.iamf",
    "syn_stereo_trims_lpcm16be.iamf", "tones_100ms_3OA_stereo_opus.iamf",
  ]
  static let movies = [
    "sample_fragmented_iamf.mp4", "syn_foa_stereo_gains_flac_frag.mp4",
    "syn_scalable_312_514_lpcm16.mp4", "syn_scalable_4layer_opus_recon.mp4",
  ]
  static let files = rawFiles + movies

  static func path(_ name: String) -> String { (folder ?? "/nowhere") + "/" + name }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path("media/" + name))))
  }

  /// A file of the oracle.
  static func json(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path("oracle/" + name)))
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  /// A folder of loudspeaker tables.
  static func table(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path("tables/" + name)))
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  /// The planes of a FLAC file of the oracle.
  static func planes(_ name: String, channels: Int) throws -> [[Float]] {
    try decoded(["-i", path("oracle/" + name)], channels: channels)
  }

  /// Samples that ffmpeg decodes.
  static func decoded(
    _ input: [String], channels: Int, bytes: [UInt8]? = nil
  ) throws -> [[Float]] {
    let result = try Tool.run(
      "ffmpeg", ["-v", "error"] + input + ["-f", "f32le", "-c:a", "pcm_f32le", "-"],
      input: bytes.map { Data($0) })
    guard result.status == 0 else { throw ToolFailure(text: result.errors) }
    let samples = Signals.floats(result.output)
    return (0..<channels).map { Signals.channel($0, of: channels, in: samples) }
  }
}

/// A file in memory: its description and its temporal units.
struct MediaFile {
  var description: SequenceDescription
  var units: [TemporalUnit] = []
  var findings: UnitFindings
  /// Offsets of each unit's sample in the file; empty for raw files.
  var offsets: [Int] = []
  /// Offset of the descriptors in the file.
  var descriptorOffset = 0

  /// Reads a file as its kind is read.
  init(_ name: String) throws {
    let bytes = try IAMFOracle.bytes(name)
    if name.hasSuffix(".mp4") {
      try self.init(movie: bytes, name)
    } else {
      try self.init(raw: bytes)
    }
  }

  init(raw bytes: [UInt8]) throws {
    var reader = try RawSequenceReader(bytes: bytes)
    description = reader.description
    while let unit = try reader.next() { units.append(unit) }
    findings = reader.findings
  }

  /// The places of samples are the container's matter; the oracle says them.
  private init(movie bytes: [UInt8], _ name: String) throws {
    let mark = Array("iacb".utf8)
    let place = bytes.indices.first { bytes[$0...].starts(with: mark) } ?? 0
    let size = bytes[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
    let box = try ConfigurationBox(Array(bytes[place + 4..<place - 4 + size]))
    descriptorOffset = place + 4 + box.offset
    description = try SequenceDescription(configOBUs: box.configOBUs)
    var reader = SampleUnitReader(description)
    for unit in try MediaFile.oracleUnits(name) {
      guard let offset = unit["offset"] as? Int, let size = unit["size"] as? Int else { continue }
      offsets.append(offset)
      if let unit = reader.unit(Array(bytes[offset..<offset + size])) { units.append(unit) }
    }
    findings = reader.findings
  }

  static func oracleUnits(_ name: String) throws -> [[String: Any]] {
    let tracks = try IAMFOracle.json(name + ".json")["tracks"] as? [[String: Any]] ?? []
    return tracks.first?["units"] as? [[String: Any]] ?? []
  }
}

extension RawSequenceReader {
  /// A reader of bytes in memory.
  init(bytes: [UInt8]) throws(IAMFError) {
    try self.init(size: Int64(bytes.count)) { offset, count in
      Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
  }
}
