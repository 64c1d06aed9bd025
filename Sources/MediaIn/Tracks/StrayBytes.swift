// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform
import Signal

/// Bytes of a bare stream that belong to no frame. libavformat's parsers pass over them, or add them to the frame before; where
/// they are a frame with a broken header, sound is missing.
struct StrayBytes {
  /// A place in front of which sound is missing.
  struct Loss {
    /// The bytes that lie there.
    let finding: String
    /// Samples of the frames that may have been there.
    let samples: Int
  }

  /// Frames in a row that may be lost after those of a packet.
  private static let mostLost = 8

  /// Bytes that were passed over, beside which no sound is missing.
  private(set) var passed: Int64 = 0
  private let frames: CodecTraits.BareFrames?
  /// Byte after the last packet.
  private var end: Int64?
  private var units = UnitTimes()

  /// The stray bytes between frames of `codec`.
  init(_ codec: CodecTraits) { frames = codec.bareFrames }

  /// Notes `packet` as libavformat has read it; answers what is missing before it.
  mutating func note(_ packet: Packet) -> Loss? {
    let place = packet.position
    let gap = place.flatMap { place in end.map { place - $0 } } ?? 0
    end = place.map { $0 + Int64(packet.size) }
    let samples = frames == .timed ? units.lost(before: packet.bytes(first: 4)) : 0
    guard gap > 0 else { return nil }
    guard samples > 0 else {
      passed += gap
      return nil
    }
    return Loss(finding: "\(gap) bytes before it belong to no frame", samples: samples)
  }

  /// Takes off `packet` what follows its frames; answers what may be missing there.
  /// - Throws: ``LibAVError`` when memory is out.
  mutating func takeRest(of packet: Packet) throws -> Loss? {
    guard frames == .dolby || frames == .dts, !packet.isCorrupt, !packet.isEncrypted else {
      return nil
    }
    let bytes = packet.bytes()
    guard let walk = FrameWalk(bytes), walk.end < bytes.count else { return nil }
    let rest = bytes[walk.end...]
    let isFilling = rest.allSatisfy { $0 == 0 }
    // Frames of DTS are filled up to the size of bursts, which its decoder knows.
    if isFilling, frames == .dts { return nil }
    // More than a few lost frames look like another stream between the frames of this one.
    guard isFilling || rest.count <= walk.end * StrayBytes.mostLost else { return nil }
    try packet.narrow(
      to: Array(bytes[..<walk.end]), time: packet.presentationTime, duration: packet.duration)
    let samples = walk.samples(lostIn: rest.count)
    // Zeros that end the file are no frame, which shows once nothing follows them.
    guard samples > 0 || isFilling else {
      passed += Int64(rest.count)
      return nil
    }
    let name = isFilling ? "zeros" : "no frame"
    return Loss(finding: "\(rest.count) bytes of \(name) follow a frame", samples: samples)
  }

  /// Whether `packet` is shorter than the frame of MPEG audio in it: the last one of a file that was cut.
  func isCut(_ packet: Packet) -> Bool {
    guard frames == .mpeg, let size = FrameWalk.mpeg(packet.bytes(first: 4)) else { return false }
    return packet.size < size
  }

  /// Notes the end of `file`. libavformat's reader of ADTS counts places without what it
  /// passes over, so that only the sum shows it.
  mutating func close(_ file: LocalFile) {
    defer { end = nil }
    guard frames == .adts, let end else { return }
    let limit = TrailingTags(.all).range(in: file)?.lowerBound ?? file.size
    if end < limit { passed += FrameWalk.strayBytes(ofADTS: file, to: limit) }
  }

  /// Times in the access units of TrueHD and MLP, by which lost ones are counted. Joined programmes have jumps of time, too, so that
  /// these count beside stray bytes only.
  private struct UnitTimes {
    private var last: UInt16?
    private var step: UInt16?
    private var jump = 0

    /// Samples that are missing before the unit that begins with `head`, or before the one in front of it: after a loss,
    /// libavformat gives the first unit the place of the lost ones, so that only the second one shows the stray bytes.
    mutating func lost(before head: [UInt8]) -> Int {
      guard head.count == 4 else { return 0 }
      // unit_length with its check nibble; then input_timing, in samples.
      let time = head.bigEndian16(at: 2)
      defer { last = time }
      guard let last else { return 0 }
      let before = jump
      jump = Int(time &- last &- (step ?? time &- last))
      step = step ?? time &- last
      return max(before, jump)
    }
  }
}

/// The frames at the beginning of a packet of a bare stream, by the sizes in their headers: libavformat's parsers add all bytes
/// up to the next sync word to a frame.
struct FrameWalk {
  /// Bytes of all frames.
  private(set) var end = 0
  /// Bytes of the first frame.
  private var size = 0
  /// Samples of the first frame.
  private var samples = 0

  /// The frames of AC-3, E-AC-3 or DTS that begin `bytes`; `nil` when there are none, or none whose size is known.
  init?(_ bytes: [UInt8]) {
    while let next = FrameWalk.frame(bytes[end...]), next.size > 0,
      end + next.size <= bytes.count
    {
      if end == 0 { (size, samples) = next }
      end += next.size
    }
    guard end > 0 else { return nil }
  }

  /// Samples of as many whole frames as are lost where so many bytes are no frame.
  func samples(lostIn bytes: Int) -> Int { (bytes + size / 2) / size * samples }

  private static func frame(_ bytes: ArraySlice<UInt8>) -> (size: Int, samples: Int)? {
    let head = Array(bytes.prefix(256))
    return DolbySyncframe(head).map { ($0.size, $0.samples) } ?? core(head) ?? substream(head)
  }

  /// A core frame of DTS in words of 16 bits, big-endian (ETSI TS 102 114, 5.3.1).
  private static func core(_ head: [UInt8]) -> (size: Int, samples: Int)? {
    guard head.count >= 16, head.starts(with: [0x7F, 0xFE, 0x80, 0x01]) else { return nil }
    return head.withUnsafeBufferPointer { buffer in
      var bits = BitReader<Never>(buffer)
      // SYNC, FTYPE, SHORT, CPF; then NBLKS, FSIZE.
      bits.skip(32 + 1 + 5 + 1)
      let blocks = bits.read(7) + 1
      return (bits.read(14) + 1, blocks * 32)
    }
  }

  /// Bytes of a stream in ADTS, up to byte `limit` of `file`, that are neither frames (ISO/IEC 14496-3, 1.A.2) nor ID3v2 tags, which
  /// segments of HLS begin with.
  static func strayBytes(ofADTS file: LocalFile, to limit: Int64) -> Int64 {
    var (place, stray) = (Int64(0), Int64(0))
    var (base, window) = (Int64(0), [UInt8]())
    while place < limit {
      if place + 10 > base + Int64(window.count) {
        (base, window) = (place, file.bytes(at: place, count: 65_536))
      }
      let head = Array(window[Int(place - base)...].prefix(10))
      if let size = adts(head) ?? ID3Tag.size(of: head) {
        place += size
      } else {
        place += 1
        stray += 1
      }
    }
    return stray
  }

  private static func adts(_ head: [UInt8]) -> Int64? {
    guard head.count >= 7, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 else { return nil }
    // aac_frame_length, the header with it.
    let size = Int64(head[3] & 3) << 11 | Int64(head[4]) << 3 | Int64(head[5] >> 5)
    return size >= 7 ? size : nil
  }

  private static let longBitRates = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  ]
  private static let layerIBitRates = [
    0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256,
  ]

  /// Bytes of the frame of MPEG audio with this header (ISO/IEC 11172-3, 2.4.2.3 and ISO/IEC 13818-3, 2.4.2.3); `nil` where it has
  /// no size.
  static func mpeg(_ head: [UInt8]) -> Int? {
    guard head.count >= 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return nil }
    let layer = 4 - Int(head[1] >> 1 & 3)
    guard layer < 3 else { return layer == 3 ? MP3Frames.shape(head)?.size : nil }
    let (version, rateIndex) = (Int(head[1] >> 3 & 3), Int(head[2] >> 2 & 3))
    let bitIndex = Int(head[2] >> 4)
    guard version != 1, rateIndex < 3, (1..<15).contains(bitIndex) else { return nil }
    let rate = MP3Frames.rates[rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    let isLow = version != 3
    let kilobits =
      isLow
      ? (layer == 1 ? layerIBitRates : MP3Frames.lowBitRates)[bitIndex]
      : longBitRates[layer - 1][bitIndex]
    let padding = Int(head[2] >> 1 & 1)
    return layer == 1
      ? (12_000 * kilobits / rate + padding) * 4 : 144_000 * kilobits / rate + padding
  }

  /// An extension substream of DTS (ETSI TS 102 114, 7.4.1), whose samples are those of the core before it.
  private static func substream(_ head: [UInt8]) -> (size: Int, samples: Int)? {
    guard head.count >= 16, head.starts(with: [0x64, 0x58, 0x20, 0x25]) else { return nil }
    return head.withUnsafeBufferPointer { buffer in
      var bits = BitReader<Never>(buffer)
      // SYNCEXTSSH, UserDefinedBits, nExtSSIndex; then bHeaderSizeType, nuExtSSHeaderSize, nuExtSSFsize.
      bits.skip(32 + 8 + 2)
      let isLong = bits.flag()
      bits.skip(isLong ? 12 : 8)
      return (bits.read(isLong ? 20 : 16) + 1, 0)
    }
  }
}

/// Tags after the sound of a bare stream, which libavformat would hand to the decoder: APE (version 1 and 2), Lyrics3, ID3v2
/// with a footer, and ID3v1 in front of any of these.
struct TrailingTags {
  /// Tags that are walked over; a hostile file may consist of nothing else.
  private static let limit = 64
  /// Bytes of ID3v1, and of the block that enhances it in front of it.
  private static let (oldTag, longTag): (Int64, Int64) = (128, 227)
  /// Bytes of Lyrics3 version 1 at most, without its two marks.
  private static let longestLyrics = 5100

  private let kind: ContainerInputTraits.TagsAtEnd

  /// Finds tags of this kind.
  init(_ kind: ContainerInputTraits.TagsAtEnd) { self.kind = kind }

  /// The bytes of the tags at the end of `file`; `nil` without any, and where they leave no byte after the place `head`.
  func range(in file: LocalFile, after head: Int64 = 0) -> Range<Int64>? {
    let hasOldTag = TrailingTags.isOldTag(file, before: file.size)
    if kind == .onlyID3v1, !hasOldTag { return nil }
    let keepsOldTag = kind == .allButID3v1 && hasOldTag
    let end = keepsOldTag ? file.size - TrailingTags.oldTag : file.size
    var start = keepsOldTag ? TrailingTags.enhancement(of: file, before: end) ?? end : end
    for _ in 0..<(kind == .onlyID3v1 ? 1 : TrailingTags.limit) {
      guard let next = TrailingTags.beginning(of: file, before: start), next < start else { break }
      start = next
    }
    return start < end && start > head ? start..<end : nil
  }

  /// The beginning of the tag that ends at `end`; `nil` when there is none.
  private static func beginning(of file: LocalFile, before end: Int64) -> Int64? {
    let foot = file.bytes(at: max(0, end - 32), count: Int(min(32, end)))
    guard foot.count == 32 else { return nil }
    if foot.starts(with: "APETAGEX".utf8) {
      // The size contains the footer, and not the header, which bit 31 of the flags announces.
      let head: Int64 = foot[23] & 0x80 == 0 ? 0 : 32
      return inside(end - foot[12..<16].littleEndian() - head)
    }
    if let size = ID3Tag.size(of: Array("ID3".utf8 + foot[25...])), foot[22..<25] == "3DI" {
      return begins(file, inside(end - size), "ID3")
    }
    if foot[23...] == "LYRICS200" {
      let digits = String(decoding: foot[17..<23], as: UTF8.self)
      return Int64(digits).flatMap { begins(file, inside(end - 15 - $0), "LYRICSBEGIN") }
    }
    if foot[23...] == "LYRICSEND" { return lyrics(file, before: end - 9) }
    if isOldTag(file, before: end) {
      return enhancement(of: file, before: end - oldTag) ?? end - oldTag
    }
    return nil
  }

  private static func lyrics(_ file: LocalFile, before end: Int64) -> Int64? {
    let mark = Array("LYRICSBEGIN".utf8)
    let start = max(0, end - Int64(longestLyrics + mark.count))
    let bytes = file.bytes(at: start, count: Int(end - start))
    let place = bytes.indices.last { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
    return place.map { start + Int64($0) }
  }

  private static func enhancement(of file: LocalFile, before end: Int64) -> Int64? {
    begins(file, inside(end - longTag), "TAG+")
  }

  private static func isOldTag(_ file: LocalFile, before end: Int64) -> Bool {
    begins(file, inside(end - oldTag), "TAG") != nil
  }

  /// `place`, where `word` stands there.
  private static func begins(_ file: LocalFile, _ place: Int64?, _ word: String) -> Int64? {
    guard let place, file.bytes(at: place, count: word.utf8.count) == word else { return nil }
    return place
  }

  private static func inside(_ place: Int64) -> Int64? { place >= 0 ? place : nil }
}

private func == (bytes: some Sequence<UInt8>, word: String) -> Bool {
  bytes.elementsEqual(word.utf8)
}
