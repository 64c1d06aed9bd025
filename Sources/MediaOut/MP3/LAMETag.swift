// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// The frame without sound at the beginning of an MP3: Xing's header with the extension of LAME
/// (gabriel.mp3-tech.org/mp3infotag.html), which states length, start-up samples and padding.
///
/// libavformat's is up to 46 samples wrong where a frame's rest is 1 to 46 samples, and has a wrong checksum for mono and below
/// 32 kHz.
struct LAMETag {
  /// How LAME chose the bit rate; the raw value is the tag's.
  enum Method: UInt8 {
    case constant = 1
    case average = 2
    /// `vbr_mtrh`, LAME's default.
    case quality = 4
  }

  /// Statements on the encoding.
  struct Facts {
    var method = Method.constant
    /// kbit/s: the constant one, the mean, or the least.
    var kilobits = 0
    /// LAME's quality from 0, the best; `nil` without one.
    var quality: Double?
    /// Samples of the programme.
    var samples: Int64 = 0
    /// Samples that LAME puts in front; every decoder is late by 529 more.
    var delay = 0
    /// The greatest magnitude; `nil` where it isn't known.
    var peak: Double?
    /// dB that bring the sound to −18 LUFS; `nil` where it isn't known.
    var gain: Double?
    /// dB that bring its album to −18 LUFS; `nil` where it isn't known.
    var albumGain: Double?
  }

  /// Bytes of Xing's header and of LAME's extension.
  private static let length = 120 + 36
  /// Readers look for this name before they trust delay and padding; GStreamer and FFmpeg 5.1 pass over others.
  private static let encoder = "LAME3.100"
  /// Samples of padding that 12 bits hold.
  private static let mostPadding = 0xFFF
  /// Entries of the table of places.
  private static let places = 100

  private let header: LayerIIIHeader
  private var index = PlaceIndex()
  private var frames: Int64 = 0
  /// Bytes up to here, those of this frame included.
  private var bytes: Int64
  private var checksum: UInt16 = 0

  /// The tag of a stream whose first frame is `frame`; `nil` where that is none, or no frame has room for the tag.
  init?(before frame: [UInt8]) {
    guard let first = LayerIIIHeader(frame),
      let header = first.holding(LayerIIIHeader.length + first.side + LAMETag.length)
    else { return nil }
    self.header = header
    bytes = Int64(header.size)
  }

  /// Zeros as long as the frame, to be replaced by ``frame(_:)``.
  var hole: [UInt8] { [UInt8](repeating: 0, count: header.size) }

  /// Takes the next frame of sound.
  mutating func add(_ frame: [UInt8]) {
    index.add(bytes)
    frames += 1
    bytes += Int64(frame.count)
    checksum = Checksums.mp3.of(frame, from: checksum)
  }

  /// Samples of silence after the programme, without the decoder's delay; `nil` where the tag can't state them.
  func padding(_ facts: Facts) -> Int? {
    let rest = frames * Int64(header.samples) - Int64(facts.delay) - facts.samples
    return (0...Int64(LAMETag.mostPadding)).contains(rest) ? Int(rest) : nil
  }

  /// The frame, once all sound was added; `nil` where it can't state the padding.
  func frame(_ facts: Facts) -> [UInt8]? {
    guard let padding = padding(facts) else { return nil }
    var frame = header.bytes + [UInt8](repeating: 0, count: header.side)
    frame += xing(facts)
    frame += Array(LAMETag.encoder.utf8)
    // Revision 0 of the tag. The lowpass, which libavcodec doesn't say, is 0: unknown.
    frame += [facts.method.rawValue, 0]
    frame += UInt32(clamping: Int64(((facts.peak ?? 0) * 0x1p23).rounded())).bigEndianBytes
    // ReplayGain of the track, and of its album where there is one.
    frame += LAMETag.replayGain(facts.gain, name: 1).bigEndianBytes
    frame += LAMETag.replayGain(facts.albumGain, name: 2).bigEndianBytes
    // No flags of the encoder, and the bit rate.
    frame += [0, UInt8(clamping: facts.kilobits)]
    frame += UInt32(clamping: facts.delay << 12 | padding).bigEndianBytes.dropFirst()
    // Mode and rate; no gain that was applied; no preset.
    frame += [miscellany, 0, 0, 0]
    frame += UInt32(clamping: bytes).bigEndianBytes + checksum.bigEndianBytes
    frame += Checksums.mp3.of(frame).bigEndianBytes
    return frame + [UInt8](repeating: 0, count: header.size - frame.count)
  }

  /// Xing's header: all four fields.
  private func xing(_ facts: Facts) -> [UInt8] {
    let quality = facts.quality.map { UInt32(clamping: 100 - Int((10 * $0).rounded())) }
    return Array((facts.method == .constant ? "Info" : "Xing").utf8) + [0, 0, 0, 15]
      + UInt32(clamping: frames).bigEndianBytes + UInt32(clamping: bytes).bigEndianBytes
      + index.table(LAMETag.places, frames: frames, bytes: bytes) + (quality ?? 0).bigEndianBytes
  }

  /// The channel mode as LAME numbers it, and the source's rate.
  private var miscellany: UInt8 {
    let mode: [UInt8] = [1, 3, 2, 0]
    let rate: UInt8 = header.rate <= 32_000 ? 0 : header.rate == 44_100 ? 1 : 2
    return rate << 6 | mode[Int(header.mode)] << 2
  }

  /// The field of a gain: name 1 for the track's and 2 for the album's, originator 3 (determined automatically), sign, tenths of dB.
  private static func replayGain(_ gain: Double?, name: UInt16) -> UInt16 {
    guard let gain, gain.isFinite else { return 0 }
    let tenths = UInt16(min(0x1FF, (gain.magnitude * 10).rounded()))
    return name << 13 | 3 << 10 | (gain < 0 ? 1 << 9 : 0) | tenths
  }
}

/// Places of frames in a stream of any length, in little memory: of some frames, each as far from the next.
private struct PlaceIndex {
  /// Places that are held at most.
  private static let most = 512

  private var places: [Int64] = []
  private var step: Int64 = 1
  private var count: Int64 = 0

  /// Takes the place of the next frame.
  mutating func add(_ place: Int64) {
    defer { count += 1 }
    guard count % step == 0 else { return }
    if places.count == PlaceIndex.most {
      places = stride(from: 0, to: places.count, by: 2).map { places[$0] }
      step *= 2
      guard count % step == 0 else { return }
    }
    places.append(place)
  }

  /// For each of `entries` equal parts of the duration where it begins, in 256ths of the stream's `bytes`.
  func table(_ entries: Int, frames: Int64, bytes: Int64) -> [UInt8] {
    (0..<entries).map { entry in
      let frame = Int64(entry) * frames / Int64(entries)
      let place = Int(frame / step)
      guard place < places.count, bytes > 0 else { return 0xFF }
      return UInt8(clamping: places[place] * 256 / bytes)
    }
  }
}
