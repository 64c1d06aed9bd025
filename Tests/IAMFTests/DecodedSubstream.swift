// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import IAMF

/// A substream that ffmpeg decodes, wrapped into a file of its codec.
struct DecodedSubstream {
  /// Its one or two channels.
  let planes: [[Float]]

  /// Substream `index` of an element whose codec isn't LPCM.
  init(_ file: MediaFile, _ element: PlayableElement, _ index: Int) throws {
    let id = element.element.substreamIDs[index]
    let channels = element.substreamChannels[index]
    let frames = file.units.compactMap { unit in
      unit.frame(of: id).map { Array(unit.bytes[$0.bytes]) }
    }
    let samples = element.codec.samplesPerFrame
    switch element.codec.decoder {
    case .flac(let config):
      let header = Array("fLaC".utf8) + [0x80, 0, 0, 34] + config.streamInfo(channels: channels)
      planes = try Self.decoded("flac", header + frames.flatMap { $0 }, channels)
    case .aac(let config):
      let stream = frames.flatMap { Self.transportHeader(config, channels, $0.count) + $0 }
      planes = try Self.decoded("aac", stream, channels)
    case .opus(let config):
      let header = config.identificationHeader(channels: channels)
      planes = try Self.decoded("ogg", OggFile.bytes(header, frames, samples), channels)
    case .lpcm, .unknown:
      planes = []
    }
  }

  private static func decoded(
    _ format: String, _ bytes: [UInt8], _ channels: Int
  ) throws -> [[Float]] {
    try IAMFOracle.decoded(["-f", format, "-i", "-"], channels: channels, bytes: bytes)
  }

  /// The header of a frame of AAC (ADTS, ISO/IEC 14496-3, 1.A.2.2).
  private static func transportHeader(
    _ config: AACConfig, _ channels: Int, _ count: Int
  ) -> [UInt8] {
    let size = count + 7
    let rate = config.frequencyIndex
    return [
      0xFF, 0xF1, UInt8(1 << 6 | rate << 2 | channels >> 2),
      UInt8((channels & 3) << 6 | size >> 11), UInt8(size >> 3 & 0xFF),
      UInt8((size & 7) << 5 | 0x1F), 0xFC,
    ]
  }
}

/// An Ogg file of Opus (RFC 3533, RFC 7845) with a page for each packet.
enum OggFile {
  static func bytes(_ header: [UInt8], _ packets: [[UInt8]], _ samples: Int) -> [UInt8] {
    let tags = Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8)
    var file = page(header, 0, 0, flags: 2) + page(tags, 1, 0, flags: 0)
    for (index, packet) in packets.enumerated() {
      let isLast = index == packets.count - 1
      file += page(packet, index + 2, (index + 1) * samples, flags: isLast ? 4 : 0)
    }
    return file
  }

  private static func page(
    _ packet: [UInt8], _ number: Int, _ position: Int, flags: UInt8
  ) -> [UInt8] {
    let segments =
      Array(repeating: UInt8(255), count: packet.count / 255)
      + [UInt8(packet.count % 255)]
    var page =
      Array("OggS".utf8) + [0, flags] + little(position, 8) + little(7, 4) + little(number, 4)
      + little(0, 4) + [UInt8(segments.count)] + segments + packet
    page.replaceSubrange(22..<26, with: little(checksum(page), 4))
    return page
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func checksum(_ bytes: [UInt8]) -> Int {
    var sum: UInt32 = 0
    for byte in bytes {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
    return Int(sum)
  }
}
