// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// The Layer III frames of a bare MP3 file: where they begin, and how long they are.
enum MP3Frames {
  /// Bytes that may lie in front of the first frame, behind the ID3v2 tags.
  static let longestJunk = 1 << 20
  /// Frames, one right behind the other, that can't be there by chance: about 22 bits of each header are given.
  private static let run = 4

  /// The bytes between the ID3v2 tags at the beginning and the first frame; `nil` when the frames begin right there,
  /// or no frames are found within ``longestJunk`` bytes.
  static func junk(in file: LocalFile) -> Range<Int64>? {
    let start = ID3Tag.length(in: file)
    // A run of frames is never longer than this: 144 · 320,000 / 32,000 bytes and one of padding each.
    let room = run * 1441 + 4
    guard !isRun(file.bytes(at: start, count: room), 0) else { return nil }
    let bytes = file.bytes(at: start, count: longestJunk + room)
    let place = bytes.indices.prefix(longestJunk).first { bytes[$0] == 0xFF && isRun(bytes, $0) }
    return place.map { start..<start + Int64($0) }
  }

  /// Whether frames of one version and rate follow each other from `offset` on; at the end of `bytes` there may
  /// be fewer of them.
  private static func isRun(_ bytes: [UInt8], _ offset: Int) -> Bool {
    var place = offset
    for index in 0..<run {
      if index > 1, place == bytes.count { return true }
      guard place + 4 <= bytes.count,
        let size = shape(Array(bytes[place..<place + 4]))?.size,
        // Version, layer and sample rate; bit rate, padding and checksum change from frame to frame.
        bytes[place + 1] & 0xFE == bytes[offset + 1] & 0xFE,
        bytes[place + 2] & 0x0C == bytes[offset + 2] & 0x0C
      else { return false }
      place += size
    }
    return true
  }

  private static let bitRates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  static let lowBitRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
  static let rates = [44_100, 48_000, 32_000]

  /// Bytes of the Layer III frame with this header, of its side information (ISO/IEC 11172-3, 2.4.1.7), and its samples;
  /// `nil` when it is none.
  static func shape(_ frame: [UInt8]) -> (size: Int, side: Int, samples: Int)? {
    guard frame[0] == 0xFF, frame[1] & 0xE6 == 0xE2, frame[1] & 0x18 != 0x08 else { return nil }
    let isFirst = frame[1] & 0x18 == 0x18
    let rateIndex = Int(frame[2] >> 2 & 3)
    let bitIndex = Int(frame[2] >> 4)
    guard rateIndex < 3, (1..<15).contains(bitIndex) else { return nil }
    let halving = isFirst ? 0 : (frame[1] & 0x18 == 0x10 ? 1 : 2)
    let rate = rates[rateIndex] >> halving
    let kilobits = isFirst ? bitRates[bitIndex] : lowBitRates[bitIndex]
    let padding = Int(frame[2] >> 1 & 1)
    let isMono = frame[3] >> 6 == 3
    let side = isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    // A frame may have a checksum before its side information, but encoders place the tag as if it had none.
    let size = (isFirst ? 144_000 : 72_000) * kilobits / rate + padding
    return (size, side, isFirst ? 1152 : 576)
  }
}

/// The frame without sound that encoders put in front of that of an MP3: Xing's header, as a rule with LAME's extension
/// (gabriel.mp3-tech.org/mp3infotag.html), or that of Fraunhofer's encoder (VBRI).
struct InfoFrame {
  /// The extension of Xing's header by LAME and libavformat.
  struct Extension {
    /// Its offset in the frame.
    let offset: Int
    /// Samples that the encoder put in front, and with which it filled up the last frame.
    let delay, padding: Int
    /// Bytes from the frame's beginning to the end of the sound.
    let length: Int64
    /// Whether its writer is one that states true checksums.
    let hasChecksums: Bool
    /// Checksum of the bytes between the frame and the end of the sound, and of the frame itself.
    let soundChecksum, ownChecksum: UInt16
  }

  /// Samples by which any decoder of layer III is late (528 of the filter bank, and one more), which LAME's numbers don't
  /// contain.
  private static let decoderDelay = 529

  /// Bytes of the frame.
  let size: Int
  let samplesPerFrame: Int
  /// Frames that follow; `nil` where it doesn't count them.
  private(set) var frames: Int64?
  /// LAME's extension; `nil` without one.
  private(set) var lame: Extension?

  /// Reads the frame that `bytes` begin with; `nil` where they don't hold a whole one, or it is one of sound.
  init?(_ bytes: [UInt8]) {
    guard bytes.count > 4, let shape = MP3Frames.shape(bytes), bytes.count >= shape.size else {
      return nil
    }
    (size, samplesPerFrame) = (shape.size, shape.samples)
    let frame = bytes[..<size]
    let place = 4 + shape.side
    if InfoFrame.holds("Xing", frame, at: place) || InfoFrame.holds("Info", frame, at: place) {
      readXing(frame, at: place)
    } else if InfoFrame.holds("VBRI", frame, at: 36) {
      // Version, delay, quality, bytes and frames. How its writers count the delay isn't documented.
      frames = InfoFrame.number(frame, 36 + 14, 4).flatMap { $0 > 0 ? $0 : nil }
    } else {
      return nil
    }
  }

  private mutating func readXing(_ frame: ArraySlice<UInt8>, at place: Int) {
    let flags = InfoFrame.number(frame, place + 4, 4) ?? 0
    var offset = place + 8
    if flags & 1 != 0 {
      frames = InfoFrame.number(frame, offset, 4).flatMap { $0 > 0 ? $0 : nil }
    }
    // Frames, bytes, table of places, quality.
    for (bit, count) in [(1, 4), (2, 4), (4, 100), (8, 4)] where flags & Int64(bit) != 0 {
      offset += count
    }
    // Other encoders fill the fields after the encoder's name with zeros or values of their own.
    guard ["LAME", "Lavf", "Lavc"].contains(where: { InfoFrame.holds($0, frame, at: offset) }),
      let ends = InfoFrame.number(frame, offset + 21, 3),
      let length = InfoFrame.number(frame, offset + 28, 4),
      let sums = InfoFrame.number(frame, offset + 32, 4)
    else { return }
    lame = Extension(
      offset: offset, delay: Int(ends >> 12), padding: Int(ends & 0xFFF), length: length,
      hasChecksums: ["LAME3.", "Lav"].contains { InfoFrame.holds($0, frame, at: offset) },
      soundChecksum: UInt16(sums >> 16), ownChecksum: UInt16(sums & 0xFFFF))
  }

  /// The frame's statements on the timeline. The decoder's delay comes on top of the encoder's, and the decode ends as much before the
  /// padding does.
  var facts: GaplessFacts.InfoFrame {
    GaplessFacts.InfoFrame(
      priming: lame.map { Int64($0.delay + InfoFrame.decoderDelay) },
      padding: lame.map { Int64(max(0, $0.padding - InfoFrame.decoderDelay)) },
      frames: frames, samplesPerFrame: Int64(samplesPerFrame))
  }

  private static func holds(_ name: String, _ frame: ArraySlice<UInt8>, at place: Int) -> Bool {
    frame.dropFirst(place).starts(with: name.utf8)
  }

  private static func number(_ frame: ArraySlice<UInt8>, _ place: Int, _ count: Int) -> Int64? {
    guard place + count <= frame.count else { return nil }
    return frame[place..<place + count].bigEndian()
  }
}

/// The tag that LAME and libavformat put into the first frame of an MP3: how many bytes of sound
/// follow, and their checksum.
package struct MP3InfoTag {
  /// Offset of the frame that holds the tag.
  let start: Int64
  /// Bytes of that frame.
  let frameSize: Int64
  /// Bytes from ``start`` to the end of the sound.
  let length: Int64
  /// Whether the tag has the checksum that it states for itself.
  let isSound: Bool
  /// The tag's statements on the timeline.
  private let facts: GaplessFacts.InfoFrame

  private let checksum: UInt16

  /// The longest Layer III frame: 144 · 320,000 / 32,000 bytes and one of padding.
  private static let longestFrame = 1441

  /// The frame without sound that the sound of `file` begins with; `nil` when there is none that is whole.
  static func frame(in file: LocalFile) -> InfoFrame? {
    InfoFrame(file.bytes(at: ID3Tag.length(in: file), count: longestFrame))
  }

  /// Looks for the tag in the first frame of `file`; `nil` when there is none that is whole.
  init?(_ file: LocalFile) {
    start = ID3Tag.length(in: file)
    let bytes = file.bytes(at: start, count: MP3InfoTag.longestFrame)
    guard let frame = InfoFrame(bytes), let lame = frame.lame, lame.hasChecksums,
      lame.length > frame.size
    else { return nil }
    frameSize = Int64(frame.size)
    length = lame.length
    checksum = lame.soundChecksum
    facts = frame.facts
    let (stated, field) = (Int(lame.ownChecksum), lame.offset + 34)
    isSound =
      stated == Int(Checksums.mp3.of(bytes[..<field]))
      || stated == MP3InfoTag.sumOfLibAV(bytes[..<frame.size], field: field)
  }

  /// The tag's checksum as libavformat makes it: over 190 bytes wherever tag and frame end, with zeros in the `field`
  /// of the checksum itself and behind the frame. In stereo this is what LAME writes.
  private static func sumOfLibAV(_ frame: ArraySlice<UInt8>, field: Int) -> Int? {
    guard field + 2 <= 190 else { return nil }
    var bytes = frame.prefix(190) + [UInt8](repeating: 0, count: max(0, 190 - frame.count))
    bytes[field] = 0
    bytes[field + 1] = 0
    return Int(Checksums.mp3.of(bytes))
  }

  /// Samples of the encoder's input, by the numbers of frames, start-up samples and padding; `nil` when the tag doesn't
  /// count the frames, isn't sound itself, or isn't of the sound that is there.
  func programmeSamples(_ file: LocalFile) -> Int64? {
    guard isSound, !isCut(file), !isFollowedByFrame(file), let samples = facts.programmeSamples,
      samples > 0
    else { return nil }
    return samples
  }

  /// Whether more frames follow the sound, as in joined files.
  private func isFollowedByFrame(_ file: LocalFile) -> Bool {
    let next = file.bytes(at: start + length, count: 4)
    return next.count == 4 && MP3Frames.shape(next) != nil
  }

  /// Whether the file ends before the sound does.
  func isCut(_ file: LocalFile) -> Bool { start + length > file.size }

  /// Whether the sound has the checksum that the tag states.
  func fits(_ file: LocalFile) -> Bool {
    var offset = start + frameSize
    let end = start + length
    var sum: UInt16 = 0
    while offset < end {
      let bytes = file.bytes(at: offset, count: Int(min(end - offset, 1 << 20)))
      guard !bytes.isEmpty else { return false }
      sum = Checksums.mp3.of(bytes, from: sum)
      offset += Int64(bytes.count)
    }
    return sum == checksum
  }
}

extension MP3InfoTag {
  /// In words, how a `file` that ends with its sound, of this many samples, differs from its tag; `nil` where it doesn't.
  package static func fault(of file: LocalFile, samples: Int64) -> String? {
    guard let tag = MP3InfoTag(file) else { return "it has no tag of LAME" }
    guard tag.isSound else { return "the checksum of its tag is wrong" }
    guard tag.start + tag.length == file.size else {
      return "its tag counts \(tag.length) bytes, not \(file.size - tag.start)"
    }
    guard tag.fits(file) else { return "the checksum of its sound is wrong" }
    guard let frames = tag.countedFrames(file) else {
      return "its frames don't follow each other without a gap"
    }
    guard frames == tag.facts.frames else {
      return "its tag counts \(tag.facts.frames ?? 0) frames, not \(frames)"
    }
    guard tag.facts.programmeSamples == samples else {
      return "its tag states \(tag.facts.programmeSamples ?? 0) samples, not \(samples)"
    }
    return nil
  }

  /// Frames from the tag's to the end of the sound; `nil` where they don't lie one behind the other.
  private func countedFrames(_ file: LocalFile) -> Int64? {
    var (offset, count) = (start + frameSize, Int64(0))
    while offset < start + length {
      let header = file.bytes(at: offset, count: 4)
      guard header.count == 4, let size = MP3Frames.shape(header)?.size else { return nil }
      offset += Int64(size)
      count += 1
    }
    return offset == start + length ? count : nil
  }
}
