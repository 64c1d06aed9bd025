// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A 3GP file of AMR frames, so many in each sample (3GPP TS 26.244, 6.5).
struct SpeechMovie {
  /// Frames, each with the byte that names its type.
  let frames: [Data]
  /// Whether they are of AMR wideband.
  let isWide: Bool
  /// Frames in a sample.
  let perSample: Int
  /// Composition offset of the first sample alone, in samples of sound.
  let firstDelay: Int

  /// Samples of a frame, of which there are fifty a second.
  private var frameSamples: Int { isWide ? 320 : 160 }

  /// So many frames of noise of 12.2 kbit/s.
  init(frames count: Int, perSample: Int, firstDelay: Int = 0) {
    self.perSample = perSample
    self.firstDelay = firstDelay
    isWide = false
    frames = (0..<count).map { SpeechMovie.frame($0, type: 7, size: 31) }
  }

  /// Frames of wideband.
  init(wide frames: [Data], perSample: Int) {
    self.frames = frames
    self.perSample = perSample
    (isWide, firstDelay) = (true, 0)
  }

  /// A frame of noise of this type, whose bits take so many bytes.
  static func frame(_ index: Int, type: UInt8, size: Int) -> Data {
    Data(
      [type << 3 | 4]
        + (0..<size).map { UInt8(truncatingIfNeeded: (index * 31 + $0 + 1) * 7919 >> 3) })
  }

  /// ``frames`` as a bare stream.
  var bare: Data { Data((isWide ? "#!AMR-WB\n" : "#!AMR\n").utf8) + frames.reduce(Data(), +) }

  /// The movie.
  var file: Data {
    let head = SpeechMovie.box(
      "ftyp", Data("3gp4".utf8) + SpeechMovie.number(0) + Data("3gp4".utf8))
    let start = head.count + movie(samplesAt: 0).count + 8
    return head + movie(samplesAt: start) + SpeechMovie.box("mdat", frames.reduce(Data(), +))
  }

  private static func number(_ value: Int, _ count: Int = 4) -> Data {
    Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }

  private static func numbers(_ values: Int...) -> Data {
    values.reduce(Data()) { $0 + number($1) }
  }

  private static func box(_ type: String, _ content: Data) -> Data {
    number(content.count + 8) + Data(type.utf8) + content
  }

  /// A box with version 0 and `flags`.
  private static func full(_ type: String, _ content: Data, flags: Int = 0) -> Data {
    box(type, number(flags) + content)
  }

  private static let matrix = numbers(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000)

  private func movie(samplesAt place: Int) -> Data {
    let ticks = frames.count * frameSamples
    let header =
      SpeechMovie.numbers(0, 0, 50 * frameSamples, ticks, 0x10000) + SpeechMovie.number(0x100, 2)
      + Data(count: 10) + SpeechMovie.matrix + Data(count: 24) + SpeechMovie.number(2)
    let track =
      SpeechMovie.numbers(0, 0, 1, 0, ticks) + Data(count: 8)
      + SpeechMovie.numbers(0, 0x100_0000) + SpeechMovie.matrix + Data(count: 8)
    return SpeechMovie.box(
      "moov",
      SpeechMovie.full("mvhd", header)
        + SpeechMovie.box(
          "trak", SpeechMovie.full("tkhd", track, flags: 3) + media(ticks, samplesAt: place)))
  }

  private func media(_ ticks: Int, samplesAt place: Int) -> Data {
    let header =
      SpeechMovie.numbers(0, 0, 50 * frameSamples, ticks) + SpeechMovie.number(0x55C4, 2)
      + Data(count: 2)
    let handler = Data(count: 4) + Data("soun".utf8) + Data(count: 13)
    let reference = SpeechMovie.number(1) + SpeechMovie.full("url ", Data(), flags: 1)
    let information =
      SpeechMovie.full("smhd", Data(count: 4))
      + SpeechMovie.box("dinf", SpeechMovie.full("dref", reference)) + tables(samplesAt: place)
    return SpeechMovie.box(
      "mdia",
      SpeechMovie.full("mdhd", header) + SpeechMovie.full("hdlr", handler)
        + SpeechMovie.box("minf", information))
  }

  private func tables(samplesAt place: Int) -> Data {
    let configuration =
      Data("test".utf8) + Data([0]) + SpeechMovie.number(0x80, 2) + Data([0, UInt8(perSample)])
    let entry =
      Data(count: 6) + SpeechMovie.number(1, 2) + Data(count: 8) + SpeechMovie.number(2, 2)
      + SpeechMovie.number(16, 2) + SpeechMovie.number(0) + SpeechMovie.number(50 * frameSamples, 2)
      + SpeechMovie.number(0, 2) + SpeechMovie.box("damr", configuration)
    let sizes = stride(from: 0, to: frames.count, by: perSample).map { first in
      frames[first..<min(frames.count, first + perSample)].reduce(0) { $0 + $1.count }
    }
    let durations = SpeechMovie.numbers(1, sizes.count, frameSamples * perSample)
    let offsets = SpeechMovie.full(
      "ctts", SpeechMovie.numbers(2, 1, firstDelay, sizes.count - 1, 0))
    return SpeechMovie.box(
      "stbl",
      SpeechMovie.full(
        "stsd", SpeechMovie.number(1) + SpeechMovie.box(isWide ? "sawb" : "samr", entry))
        + SpeechMovie.full("stts", durations) + (firstDelay > 0 ? offsets : Data())
        + SpeechMovie.full("stsc", SpeechMovie.numbers(1, 1, sizes.count, 1))
        + SpeechMovie.full(
          "stsz", sizes.reduce(SpeechMovie.numbers(0, sizes.count)) { $0 + SpeechMovie.number($1) })
        + SpeechMovie.full("stco", SpeechMovie.numbers(1, place)))
  }
}
