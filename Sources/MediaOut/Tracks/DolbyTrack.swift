// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Signal

/// AC-3 and E-AC-3 as containers describe them: by a box that only a frame has the facts for (ETSI TS 102 366, F.4 and F.6). The frame
/// is one of silence, because the facts are the same in all frames of an encoder.
struct DolbyTrack {
  /// The coding of the track with its configuration.
  let coding: TrackCoding

  /// The codecs, as boxes name them.
  static let forms: [AudioEncoding: DolbySampleEntry.Coding] = [.ac3: .ac3, .eac3: .eac3]

  /// The track of a sound; `nil` for any other codec.
  /// - Throws: ``MediaError`` or ``LibAVError`` when the encoder can't take the format.
  init?(_ settings: SoundSettings) throws {
    guard let form = DolbyTrack.forms[settings.coding.codec] else { return nil }
    let encoder = try FrameEncoder(settings.coding, format: settings.format)
    let silence = AudioBuffer(channels: settings.format.channels)
    silence.appendSilence(encoder.frameSize)
    let packets = try FrameEncoder.naming("a frame of silence", form.rawValue) {
      try encoder.encode(silence) + encoder.finish()
    }
    guard let frame = packets.first?.data,
      let configuration = form == .ac3 ? DolbyTrack.dac3(frame) : DolbyTrack.dec3(frame)
    else {
      throw MediaError(.internal, "the encoder's first frame isn't one of \(form.rawValue)")
    }
    var sound = TrackCoding.CodedSound(
      configuration: configuration, channels: settings.format.channels,
      sampleRate: settings.format.sampleRate)
    sound.isBinaural = settings.isBinaural
    coding = .dolby(form, sound)
  }

  /// The content of `dac3`; `nil` for anything but a frame of AC-3.
  static func dac3(_ frame: [UInt8]) -> [UInt8]? {
    fields(frame) { bits in
      bits.skip(16)
      let (rate, size) = (bits.read(2), bits.read(6))
      let (identification, service, mode) = (bits.read(5), bits.read(3), bits.read(3))
      // Levels of centre and surround in a mix, and whether it is Dolby Surround (4.3.2).
      if mode & 1 != 0, mode != 1 { bits.skip(2) }
      if mode & 4 != 0 { bits.skip(2) }
      if mode == 2 { bits.skip(2) }
      guard identification <= 8 else { return nil }
      return [
        (rate, 2), (identification, 5), (service, 3), (mode, 3), (bits.read(1), 1), (size >> 1, 5),
        (0, 5),
      ]
    }
  }

  /// The content of `dec3` of one programme in one substream; `nil` for anything but a frame of E-AC-3.
  static func dec3(_ frame: [UInt8]) -> [UInt8]? {
    fields(frame) { bits in
      // Kind and number of the substream.
      bits.skip(5)
      let (words, rate, blocks) = (bits.read(11) + 1, bits.read(2), bits.read(2))
      let (mode, hasLFE, identification) = (bits.read(3), bits.read(1), bits.read(5))
      guard rate < 3, identification == 16 else { return nil }
      let samples = 256 * [1, 2, 3, 6][blocks]
      let kilobits = words * 16 * [48_000, 44_100, 32_000][rate] / samples / 1000
      return [
        (kilobits, 13), (0, 3), (rate, 2), (identification, 5), (0, 2), (0, 3), (mode, 3),
        (hasLFE, 1), (0, 3), (0, 4), (0, 1),
      ]
    }
  }

  /// Packs the values, each in so many bits, that `read` makes of what follows the sync word.
  private static func fields(
    _ frame: [UInt8], _ read: (inout BitReader<Never>) -> [(value: Int, bits: Int)]?
  ) -> [UInt8]? {
    guard frame.count > 16, frame[0] == 0x0B, frame[1] == 0x77 else { return nil }
    let values = frame.withUnsafeBufferPointer { buffer in
      var bits = BitReader<Never>(buffer)
      bits.skip(16)
      return read(&bits)
    }
    guard let values else { return nil }
    let count = values.reduce(0) { $0 + $1.bits }
    let whole = values.reduce(UInt64(0)) { $0 << UInt64($1.bits) | UInt64($1.value) }
    return (0..<count / 8).map { UInt8(truncatingIfNeeded: whole >> UInt64(count - 8 - 8 * $0)) }
  }
}
