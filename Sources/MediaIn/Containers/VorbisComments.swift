// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Reads Vorbis comments where they stand: libavformat joins repeated ones and loses the case of their names.
enum VorbisComments {
  /// Bytes of comments that are read at most; a picture may be among them.
  private static let longest = 1 << 26
  /// Blocks that are looked through; a hostile file may hold nothing else.
  private static let mostBlocks = 1024

  /// The comments of a FLAC file; `nil` for any other file, and without a block of them.
  static func flac(_ file: LocalFile) -> MediaTags? {
    var offset = ID3Tag.length(in: file)
    guard file.bytes(at: offset, count: 4).elementsEqual("fLaC".utf8) else { return nil }
    offset += 4
    for _ in 0..<mostBlocks {
      let head = file.bytes(at: offset, count: 4)
      guard head.count == 4 else { return nil }
      let length = head[1...].bigEndian(Int.self)
      if head[0] & 0x7F == 4 { return tags(file.bytes(at: offset + 4, count: length)[...]) }
      guard head[0] & 0x80 == 0 else { return nil }
      offset += 4 + Int64(length)
    }
    return nil
  }

  /// The comments of a stream in Ogg, without pictures; `nil` where its second packet isn't whole.
  static func ogg(_ file: LocalFile, _ stream: OggStream) -> MediaTags? {
    guard let packet = secondPacket(of: stream.serial, in: file) else { return nil }
    let (mark, length): ([UInt8], Int) =
      switch stream.head.mapping {
      case .vorbis: ([3] + Array("vorbis".utf8), 7)
      case .opus: (Array("OpusTags".utf8), 8)
      case .speex: ([], 0)
      // The head of the block, whose first byte has the type and a mark of the last one.
      case .flac: ([], 4)
      }
    guard packet.starts(with: mark) else { return nil }
    if stream.head.mapping == .flac, packet.first.map({ $0 & 0x7F }) != 4 { return nil }
    return tags(packet.dropFirst(length))
  }

  /// The comments of a block without pictures, which are read apart (Vorbis I, 5.2.1), up to the first that reaches beyond it.
  static func tags(_ block: ArraySlice<UInt8>) -> MediaTags {
    var reader = ByteReader(block)
    func text() -> ArraySlice<UInt8>? { number().flatMap { reader.take($0) } }
    func number() -> Int? { reader.take(4)?.littleEndian() }
    var tags = MediaTags()
    guard text() != nil, let count = number() else { return tags }
    var left = count
    while left > 0, let comment = text() {
      left -= 1
      guard let end = comment.firstIndex(of: UInt8(ascii: "=")), end > comment.startIndex else {
        continue
      }
      tags.append(characters(comment[..<end]), characters(comment[(end + 1)...]))
    }
    tags.remove { $0.key == "metadata_block_picture" }
    return tags
  }

  private static func characters(_ bytes: ArraySlice<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self) ?? TextEncoding.windows1252.text(bytes) ?? ""
  }

  private static func secondPacket(of serial: UInt32, in file: LocalFile) -> [UInt8]? {
    var pages = OggPages(file, step: 0)
    var (packet, number): ([UInt8], Int) = ([], 0)
    while let page = pages.next() {
      guard page.serial == serial else { continue }
      // Headers have no position other than 0; sound has begun after them.
      guard !page.hasBegun || page.position == nil else { return nil }
      var payload = page.payload
      for size in page.segments {
        if number == 1 { packet += payload.prefix(Int(size)) }
        payload = payload.dropFirst(Int(size))
        guard size < 255 else { continue }
        if number == 1 { return packet }
        number += 1
      }
      guard packet.count <= longest else { return nil }
    }
    return nil
  }
}
