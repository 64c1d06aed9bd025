// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import MediaIn

/// Plain samples in WAV, CAF, AU and AIFF-C: their bytes are their length, and a header only says where they end.
extension TimeCase {
  static let plain = waves + cores + others

  private static let riff = "RIFF 1.0: the size of the data chunk is that of the samples"
  private static let extensible =
    "WAVE_FORMAT_EXTENSIBLE: valid bits lie at the top of their container"
  private static let core = "Core Audio Format 1.0, data and audio description chunks"
  private static let sun =
    "Sun audio: the data begins at the offset and has the size, unless that is all ones"
  private static let aiff = "AIFF 1.3 and AIFF-C: numSampleFrames counts, and chunks have any order"

  /// The ramp in a file of these bytes, cut to its first `count` samples.
  private static func ramp(_ name: String, _ bytes: Data, _ count: Int = 4800) -> Sound {
    Sound(name, bytes, [Array(PlainBytes.floats.prefix(count))])
  }

  private static let samples = PlainBytes.places(2)
  private static let data = PlainBytes.chunk("data", samples)

  private static let waves: [TimeCase] = [
    TimeCase("WAV whose RIFF size is 0, and whose data has its true size", riff, samples: 4800) {
      ramp("a.wav", PlainBytes.riff(PlainBytes.format, data, size: 0))
    },
    TimeCase(
      "WAV whose RIFF size is all ones, and whose data has its true size", riff, samples: 4800
    ) {
      ramp("a.wav", PlainBytes.riff(PlainBytes.format, data, size: 0xFFFF_FFFF))
    },
    TimeCase(
      "WAV whose data is to be twice as long as the file", riff, samples: 4800,
      kinds: ["truncated"]
    ) {
      let long = PlainBytes.chunk("data", samples, size: 19_200)
      return ramp("a.wav", PlainBytes.riff(PlainBytes.format, long, size: 19_236))
    },
    TimeCase(
      "WAV of plain samples whose fact chunk counts half of them",
      "RIFF 1.0 asks for fact with coded sound; plain samples have the size of their chunk",
      samples: 4800
    ) {
      let fact = PlainBytes.chunk("fact", PlainBytes.little(2400, 4))
      return ramp("a.wav", PlainBytes.riff(PlainBytes.format, fact, data))
    },
    TimeCase(
      "RF64 whose ds64 chunk counts 100 samples beside the true size of its data",
      "EBU Tech 3306: dataSize replaces the size of the data chunk, sampleCount that of fact",
      samples: 4800
    ) {
      let sizes = [0, 9600, 100].map { PlainBytes.little($0, 8) }.reduce(Data(), +)
      let first = PlainBytes.chunk("ds64", sizes + PlainBytes.little(0, 4))
      let open = PlainBytes.chunk("data", samples, size: 0xFFFF_FFFF)
      return ramp(
        "a.wav", PlainBytes.riff(first, PlainBytes.format, open, form: "RF64", size: 0xFFFF_FFFF))
    },
    TimeCase(
      "WAV with an extensible header and a chunk of 9 bytes before its data",
      "RIFF 1.0: a chunk of odd size is followed by a byte that its size doesn't count",
      samples: 4800
    ) {
      let odd = PlainBytes.chunk("junk", Data("odd sized".utf8))
      return ramp("a.wav", PlainBytes.riff(PlainBytes.extensible(valid: 16, bytes: 2), odd, data))
    },
    TimeCase("WAV of two channels with 18 valid bits in 32", extensible, samples: 4800) {
      let pairs = PlainBytes.values.flatMap { [Int($0), -Int($0)] }
      let bytes = pairs.map { PlainBytes.little($0 << 16, 4) }.reduce(into: Data()) { $0 += $1 }
      let format = PlainBytes.extensible(valid: 18, bytes: 4, channels: 2)
      return Sound(
        "a.wav", PlainBytes.riff(format, PlainBytes.chunk("data", bytes)),
        [PlainBytes.floats, PlainBytes.floats.map { -$0 }])
    },
    TimeCase("WAV with 12 valid bits in 24", extensible, samples: 4800) {
      ramp("a.wav", PlainBytes.wave(valid: 12, bytes: 3, data: PlainBytes.places(3)))
    },
  ]

  private static let cores: [TimeCase] = [
    TimeCase(
      "CAF of 16 bits, the least significant byte first, after a chunk of 7 bytes", core,
      samples: 4800
    ) {
      let odd = PlainBytes.cafChunk("free", Data(count: 7))
      return ramp("a.caf", PlainBytes.caf(bits: 16, bytes: 2, samples, flags: 2, before: odd))
    },
    TimeCase("CAF of 20 bits in 24, the least significant byte first", core, samples: 4800) {
      ramp("a.caf", PlainBytes.caf(bits: 20, bytes: 3, PlainBytes.places(3), flags: 2))
    },
    TimeCase(
      "CAF of floats of 64 bits, the least significant byte first", core, samples: 4800,
      kinds: ["precision"]
    ) {
      ramp("a.caf", PlainBytes.caf(bits: 64, bytes: 8, PlainBytes.doubles, flags: 3))
    },
    TimeCase("CAF of floats of 32 bits whose data has the size -1", core, samples: 4800) {
      ramp("a.caf", PlainBytes.caf(bits: 32, bytes: 4, PlainBytes.singles(), flags: 3, size: -1))
    },
  ]

  private static let others: [TimeCase] = [
    TimeCase("AU of unknown size with a note of 5 bytes", sun, samples: 4800) {
      ramp("a.au", PlainBytes.au(size: 0xFFFF_FFFF, note: "noted"))
    },
    TimeCase(
      "AU of floats with a note, whose size is half of them", sun, samples: 2400,
      kinds: ["trailing-data"]
    ) {
      let floats = PlainBytes.singles(isBigEndian: true)
      return ramp("a.au", PlainBytes.au(floats, encoding: 6, size: 9600, note: "a note.."), 2400)
    },
    TimeCase("AIFF-C of kind sowt whose sound comes before COMM", aiff, samples: 4800) {
      ramp("a.aifc", PlainBytes.aiffC("sowt", samples, isSoundFirst: true))
    },
    TimeCase(
      "AIFF-C of kind fl32 whose COMM counts half of the floats", aiff, samples: 2400,
      kinds: ["trailing-data"]
    ) {
      let floats = PlainBytes.singles(isBigEndian: true)
      return ramp("a.aifc", PlainBytes.aiffC("fl32", bits: 32, floats, frames: 2400), 2400)
    },
    TimeCase(
      "AIFF-C of kind in24 whose COMM counts nothing",
      "AIFF 1.3: a file of no samples needs no SSND, so that the count was never written",
      samples: 4800
    ) {
      let wide = PlainBytes.places(3, isBigEndian: true)
      return ramp("a.aifc", PlainBytes.aiffC("in24", bits: 24, wide, frames: 0))
    },
    TimeCase("AIFF-C of kind NONE with 12 bits in 16", aiff, samples: 4800) {
      ramp("a.aifc", PlainBytes.aiffC("NONE", bits: 12, PlainBytes.places(2, isBigEndian: true)))
    },
  ]
}
