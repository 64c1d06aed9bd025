// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// How a file holds its tags.
package enum TagFormat: String, Sendable, CaseIterable {
  case flac = "FLAC"
  case oggVorbis = "Ogg Vorbis"
  case oggOpus = "Ogg Opus"
  case oggFLAC = "Ogg FLAC"
  /// MPEG-1 and 2, layers 1 to 3.
  case mpeg = "MP3"
  case mp4 = "MP4"
  case wav = "WAV"
  case aiff = "AIFF"
  case wavPack = "WavPack"
  case monkeysAudio = "Monkey's Audio"
  case musepack = "Musepack"
  /// WebM as well. TagLib has no part in it.
  case matroska = "Matroska"
}

/// A file whose format is known by its content; its name says nothing.
package struct TaggableFile {
  /// How the file holds its tags.
  package let format: TagFormat
  /// Bytes in front that belong to no tag of the format: an ID3v2 tag before FLAC, for example.
  package let front: Int64
  /// Bytes of an ID3v1 tag behind, 128 or 0. Such a tag has no room for loudness and stays as it is.
  package let back: Int64

  /// Bytes in which the first frames of MPEG sound are looked for.
  private static let search = 1 << 16

  /// Looks at `file`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`, `damaged` or `inputUnreadable`.
  package init(_ file: LocalFile) throws {
    let start = TaggableFile.endOfID3(file)
    let head = file.bytes(at: start, count: 64)
    let found = try TaggableFile.format(head, start, file)
    try file.checkReads()
    guard let found else { throw TaggableFile.refusal(file) }
    format = found
    // MPEG, WAV and AIFF have loudness in ID3v2; WAV and AIFF never begin with it.
    front = [.mpeg, .wav, .aiff].contains(found) ? 0 : start
    let isTail =
      [.flac, .mpeg, .wavPack, .monkeysAudio, .musepack].contains(found)
      && file.bytes(at: file.size - 128, count: 3).elementsEqual("TAG".utf8)
    back = isTail ? 128 : 0
  }

  /// The offset behind all ID3v2 tags at the front; 0 where there is none.
  static func endOfID3(_ file: LocalFile) -> Int64 {
    var end: Int64 = 0
    for _ in 0..<16 {
      let head = file.bytes(at: end, count: 10)
      guard head.count == 10, head.starts(with: "ID3".utf8), head[3] < 0xFF,
        head[6...].allSatisfy({ $0 < 0x80 })
      else { break }
      let footer: Int64 = head[3] >= 4 && head[5] & 0x10 != 0 ? 10 : 0
      end += 10 + ID3Frames.size(head[6...]) + footer
    }
    return end
  }

  private static func format(
    _ head: [UInt8], _ start: Int64, _ file: LocalFile
  ) throws -> TagFormat? {
    func begins(_ text: String) -> Bool { head.starts(with: text.utf8) }
    if begins("fLaC") { return .flac }
    if begins("MAC ") { return .monkeysAudio }
    if begins("MPCK") || begins("MP+") { return .musepack }
    if start == 0 {
      if begins("OggS") { return try ogg(head, file) }
      if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .matroska }
      if begins("wvpk") { return .wavPack }
      if let type = try chunked(head, file) { return type }
      if head.dropFirst(4).starts(with: "ftyp".utf8) { return try movie(head, file) }
      try refuseKnown(head, file)
    }
    return MPEGFrames.begin(file, at: start, within: search) ? .mpeg : nil
  }

  /// The codec of an Ogg file by the first packet of its only stream.
  private static func ogg(_ head: [UInt8], _ file: LocalFile) throws -> TagFormat? {
    let page = file.bytes(at: 0, count: 27 + 255 + 255 * 255)
    guard let (size, packet) = OggPages.first(page) else { return nil }
    let next = file.bytes(at: Int64(size), count: 6)
    if next.count == 6, next.starts(with: "OggS".utf8), next[5] & 2 != 0 {
      throw MediaError(
        .unsupportedFeature, about: file.path,
        "has several streams in one Ogg file, whose tags can't be written; keep one stream in it")
    }
    if packet.starts(with: [1] + "vorbis".utf8) { return .oggVorbis }
    if packet.starts(with: "OpusHead".utf8) { return .oggOpus }
    if packet.starts(with: [0x7F] + "FLAC".utf8) { return .oggFLAC }
    return nil
  }

  /// WAV or AIFF, whose chunks all have to lie in the file: a tag is put behind the last one.
  private static func chunked(_ head: [UInt8], _ file: LocalFile) throws -> TagFormat? {
    guard head.count >= 12 else { return nil }
    let type = head[8..<12]
    let isWAV = head.starts(with: "RIFF".utf8) && type.elementsEqual("WAVE".utf8)
    let isAIFF =
      head.starts(with: "FORM".utf8)
      && (type.elementsEqual("AIFF".utf8) || type.elementsEqual("AIFC".utf8))
    guard isWAV || isAIFF else { return nil }
    guard RIFFChunks(file, isBigEndian: isAIFF).isWhole else {
      throw MediaError(
        .damaged, about: file.path,
        "its chunks reach beyond its end, so that no tag can be put after them; write it anew")
    }
    return isWAV ? .wav : .aiff
  }

  private static func movie(_ head: [UInt8], _ file: LocalFile) throws -> TagFormat {
    guard !head.dropFirst(8).starts(with: "qt  ".utf8) else {
      throw MediaError(
        .unsupportedFeature, about: file.path,
        "is a QuickTime film, which has no place for loudness tags; put its sound into MP4")
    }
    return .mp4
  }

  /// Refuses kinds that people try, with what to do.
  private static func refuseKnown(_ head: [UInt8], _ file: LocalFile) throws {
    let kinds: [([UInt8], String)] = [
      (
        Array("RF64".utf8),
        "is WAV of 64 bits (RF64), which has no place for tags; put it into FLAC"
      ),
      (
        Array("BW64".utf8),
        "is WAV of 64 bits (BW64), which has no place for tags; put it into FLAC"
      ),
      (
        [0x30, 0x26, 0xB2, 0x75], "is Windows Media, whose tags can't be changed; convert it first"
      ),
    ]
    for (start, sentence) in kinds where head.starts(with: start) {
      throw MediaError(.unsupportedFeature, about: file.path, sentence)
    }
  }

  private static func refusal(_ file: LocalFile) -> MediaError {
    let names = TagFormat.allCases.map(\.rawValue).joined(separator: ", ")
    return MediaError(
      .unsupportedFeature, about: file.path,
      "is none of the kinds that loudness tags can be written to: \(names)")
  }
}

/// Frames of MPEG sound (ISO/IEC 11172-3, 2.4.1; 13818-3), distinguished from other bytes by their headers.
enum MPEGFrames {
  /// Frames in a row that have to be there, where the file doesn't end before.
  private static let row = 3

  /// Whether frames begin within `range` bytes from `start` on.
  static func begin(_ file: LocalFile, at start: Int64, within range: Int) -> Bool {
    let bytes = file.bytes(at: start, count: range)
    for offset in bytes.indices where bytes[offset] == 0xFF {
      if isRow(file, from: start + Int64(offset)) { return true }
    }
    return false
  }

  private static func isRow(_ file: LocalFile, from start: Int64) -> Bool {
    var place = start
    for number in 0..<row {
      let header = file.bytes(at: place, count: 4)
      guard header.count == 4 else { return number > 0 && place >= file.size }
      guard let size = size(header) else { return number > 0 && isTag(file, at: place) }
      place += Int64(size)
    }
    return true
  }

  /// Whether a tag follows the sound.
  private static func isTag(_ file: LocalFile, at place: Int64) -> Bool {
    let head = file.bytes(at: place, count: 8)
    return head.starts(with: "TAG".utf8) || head.starts(with: "APETAGEX".utf8)
  }

  /// Bytes of the frame with this header; `nil` where it is none, or states no bit rate.
  private static func size(_ header: [UInt8]) -> Int? {
    guard header[0] == 0xFF, header[1] & 0xE0 == 0xE0 else { return nil }
    let version = Int(header[1] >> 3 & 3)
    let layer = 4 - Int(header[1] >> 1 & 3)
    let index = Int(header[2] >> 4)
    let rateIndex = Int(header[2] >> 2 & 3)
    guard version != 1, layer != 4, (1..<15).contains(index), rateIndex < 3 else { return nil }
    let isFirst = version == 3
    let rate = [44_100, 48_000, 32_000][rateIndex] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let padding = Int(header[2] >> 1 & 1)
    let bits = 1000 * bitRates[isFirst ? layer - 1 : layer == 1 ? 3 : 4][index - 1]
    if layer == 1 { return (12 * bits / rate + padding) * 4 }
    return (layer == 3 && !isFirst ? 72 : 144) * bits / rate + padding
  }

  /// Kilobits a second: of version 1 for layers 1, 2, 3, of the others for layer 1 and for 2 and 3.
  private static let bitRates = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
}
