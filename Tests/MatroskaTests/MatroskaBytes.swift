// SPDX-License-Identifier: Apache-2.0
import AudioCore

@testable import Matroska

/// Elements and files made for tests.
enum MatroskaBytes {
  /// A source of these bytes.
  static func source(_ bytes: [UInt8]) -> ByteSource {
    ByteSource(bytes)
  }

  /// An element with a size of `width` bytes.
  static func element(_ id: EBMLID, _ content: [UInt8] = [], width: Int? = nil) -> [UInt8] {
    id.bytes + VariableInteger.bytes(UInt64(content.count), width: width) + content
  }

  /// An element that states no size.
  static func open(_ id: EBMLID, _ content: [UInt8]) -> [UInt8] {
    id.bytes + VariableInteger.unknown() + content
  }

  static func unsigned(_ id: EBMLID, _ value: Int) -> [UInt8] {
    var builder = EBMLBuilder()
    builder.unsigned(id, value)
    return builder.bytes
  }

  /// A SimpleBlock of track 1.
  static func block(_ relative: Int16, flags: UInt8 = 0x80, _ content: [UInt8]) -> [UInt8] {
    element(.simpleBlock, [0x81] + relative.bigEndianBytes + [flags] + content)
  }

  /// A track of sound with a frame each 20 ms.
  static func entry(_ more: [UInt8] = []) -> [UInt8] {
    element(
      .trackEntry,
      unsigned(.trackNumber, 1) + unsigned(.trackUID, 1) + unsigned(.trackType, 2)
        + element(.codecID, Array("A_TEST".utf8)) + unsigned(.defaultDuration, 20_000_000) + more)
  }

  /// A file of one track whose segment has this content behind the tracks.
  static func file(_ content: [UInt8], entry: [UInt8] = entry(), isOpen: Bool = false) -> [UInt8] {
    let inner =
      element(.info, unsigned(.timestampScale, 1_000_000)) + element(.tracks, entry) + content
    return MatroskaDocType.matroska.header
      + (isOpen ? open(.segment, inner) : element(.segment, inner, width: 8))
  }

  /// All frames of a file.
  static func frames(
    _ bytes: [UInt8], as form: MatroskaReader.FrameForm = .restored
  ) throws -> [MatroskaFrame] {
    var frames: [MatroskaFrame] = []
    try MatroskaReader(source(bytes)).forEachBlock(as: form) {
      frames.append($0)
      return true
    }
    return frames
  }
}

/// Gathers what a builder hands out.
final class WrittenSegment {
  private(set) var bytes: [UInt8] = []
  /// The largest piece.
  private(set) var largest = 0

  /// Builds a file of these blocks.
  static func bytes(
    _ segment: MatroskaSegment, _ blocks: [MatroskaBlock], duration: MediaTime? = nil
  ) throws -> [UInt8] {
    let written = WrittenSegment()
    var builder = try written.builder(segment)
    for block in blocks { try builder.add(block) }
    written.apply(try builder.finish(duration: duration))
    return written.bytes
  }

  func builder(_ segment: MatroskaSegment) throws -> MatroskaSegmentBuilder {
    try MatroskaSegmentBuilder(segment) { piece in
      self.bytes += piece
      self.largest = max(self.largest, piece.count)
    }
  }

  func apply(_ patches: [MatroskaPatch]) {
    for patch in patches {
      let place = Int(patch.offset)
      bytes.replaceSubrange(place..<place + patch.bytes.count, with: patch.bytes)
    }
  }
}

/// Films made for tests.
enum SampleFilm {
  /// A tick of 10 µs, as sound at 48 kHz beside pictures of 24000/1001 Hz needs it.
  static let scale: Int64 = 10_000

  static var pictures: MatroskaTrackEntry {
    var track = MatroskaTrackEntry(number: 1, kind: .video, codecID: "V_VP9", uid: 11)
    track.video = MatroskaVideo(width: 64, height: 36)
    track.defaultDuration = MediaTime(ticks: 1001, rate: 24_000)
    return track
  }

  static var sound: MatroskaTrackEntry {
    var track = MatroskaTrackEntry(number: 2, kind: .audio, codecID: "A_OPUS", uid: 12)
    track.sound = MatroskaTrackEntry.Sound(rate: 48_000, channels: 2)
    track.codecPrivate = Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 0]
    track.defaultDuration = MediaTime(ticks: 960, rate: 48_000)
    track.codecDelay = MediaTime(ticks: 312, rate: 48_000)
    track.seekPreRoll = MediaTime(ticks: 80, rate: 1000)
    return track
  }

  static var texts: MatroskaTrackEntry {
    MatroskaTrackEntry(number: 3, kind: .subtitle, codecID: "S_TEXT/UTF8", uid: 13)
  }

  static func segment(_ tracks: [MatroskaTrackEntry]) -> MatroskaSegment {
    MatroskaSegment(
      info: MatroskaInfo(maker: "Pinna", timestampScale: scale), tracks: tracks)
  }

  /// Groups of 25 pictures: a key frame, then each third one in front of the two that are shown before it.
  static func pictureBlocks(groups: Int) -> [MatroskaBlock] {
    (0..<groups * 25).map { number in
      let place = number % 25
      let isKey = place == 0
      let shown = isKey ? number : number + [2, -1, -1][(place - 1) % 3]
      var block = MatroskaBlock(
        track: 1, time: MediaTime(ticks: Int64(shown) * 1001, rate: 24_000),
        data: [UInt8(number & 0xFF), 1, 2], duration: MediaTime(ticks: 1001, rate: 24_000))
      block.isKey = isKey
      return block
    }
  }

  /// Packets of Opus, the last of which has padding.
  static func soundBlocks(samples: Int64) -> [MatroskaBlock] {
    stride(from: Int64(0), to: samples + 312, by: 960).map { place in
      let left = min(960, samples + 312 - place)
      var block = MatroskaBlock(
        track: 2, time: MediaTime(ticks: place - 312, rate: 48_000),
        data: [UInt8(place / 960 & 0xFF), 9], duration: MediaTime(ticks: left, rate: 48_000))
      if left < 960 { block.discardPadding = MediaTime(ticks: 960 - left, rate: 48_000) }
      return block
    }
  }

  static func textBlock(_ text: String, from start: Int64, to end: Int64) -> MatroskaBlock {
    var block = MatroskaBlock(
      track: 3, time: MediaTime(ticks: start, rate: 1000), data: Array(text.utf8),
      duration: MediaTime(ticks: end - start, rate: 1000))
    block.statesDuration = true
    return block
  }

  /// Blocks of several tracks by their times, each track's in their order.
  static func interleaved(_ tracks: [[MatroskaBlock]]) -> [MatroskaBlock] {
    var keyed: [(MediaTime, Int, Int, MatroskaBlock)] = []
    for (number, blocks) in tracks.enumerated() {
      var highest = MediaTime(ticks: -1, rate: 1)
      for (place, block) in blocks.enumerated() {
        highest = max(highest, block.time)
        keyed.append((highest, number, place, block))
      }
    }
    return keyed.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.map(\.3)
  }

  /// Pictures of 12.5 s, sound of 12 s and texts.
  static func whole() throws -> [UInt8] {
    try WrittenSegment.bytes(
      segment([pictures, sound, texts]),
      interleaved([
        pictureBlocks(groups: 12), soundBlocks(samples: 576_001),
        [textBlock("one", from: 500, to: 1500), textBlock("two", from: 7000, to: 8250)],
      ]))
  }
}
