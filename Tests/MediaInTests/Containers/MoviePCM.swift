// SPDX-License-Identifier: Apache-2.0
import Foundation
import ISOBMFF

/// A movie without fragments that holds one track of uncompressed sound in one chunk (ISO/IEC 14496-12, 8.5 to 8.7).
enum MoviePCM {
  /// The file for `payload`, which holds `frames` frames of `channels` samples.
  static func bytes(
    _ payload: [UInt8], frames: Int, channels: Int, isFloat: Bool, bits: Int, isLittleEndian: Bool
  ) throws -> Data {
    let entry = try PCMSampleEntry(
      isFloat: isFloat, bits: bits, isLittleEndian: isLittleEndian, channels: channels,
      sampleRate: 48_000)
    var file = BoxBuilder()
    file.box("ftyp") { box in
      box.append("isom".utf8)
      box.u32(512)
      box.append("isomiso2mp41".utf8)
    }
    let first = file.bytes.count + 8
    file.box("mdat") { $0.append(payload) }
    file.box("moov") { movie in
      movie.fullBox("mvhd") { header(&$0, timescale: 1000, duration: frames / 48, rest: 80) }
      movie.box("trak") { track in
        track.fullBox("tkhd", flags: 7) { box in
          box.zeros(8)
          box.u32(1)
          box.zeros(4)
          box.u32(frames / 48)
          box.zeros(60)
        }
        track.box("mdia") { media in
          media.fullBox("mdhd") { header(&$0, timescale: 48_000, duration: frames, rest: 4) }
          media.fullBox("hdlr") { box in
            box.zeros(4)
            box.append("soun".utf8)
            box.zeros(13)
          }
          media.box("minf") { information in
            information.fullBox("smhd") { $0.zeros(4) }
            information.box("stbl") { table in
              tables(
                &table, entry, frames: frames, frameBytes: bits / 8 * channels, first: first)
            }
          }
        }
      }
    }
    return Data(file.bytes)
  }

  private static func header(
    _ box: inout BoxBuilder, timescale: Int, duration: Int, rest: Int
  ) {
    box.zeros(8)
    box.u32(timescale)
    box.u32(duration)
    box.zeros(rest)
  }

  private static func tables(
    _ table: inout BoxBuilder, _ entry: PCMSampleEntry, frames: Int, frameBytes: Int, first: Int
  ) {
    table.fullBox("stsd") { box in
      box.u32(1)
      box.append(entry)
    }
    table.fullBox("stts") { box in [1, frames, 1].forEach { box.u32($0) } }
    table.fullBox("stsc") { box in [1, 1, frames, 1].forEach { box.u32($0) } }
    table.fullBox("stsz") { box in [frameBytes, frames].forEach { box.u32($0) } }
    table.fullBox("stco") { box in [1, first].forEach { box.u32($0) } }
  }
}
