import Foundation
import Testing

/// Two seconds of noise that libmp3lame encoded, in parts, and tags that files of it have.
enum MP3Bytes {
  private static let bare = Result {
    try MadeMedia("a.mp3", ["-c:a", "libmp3lame", "-b:a", "64k", "-map_metadata", "-1"])
  }

  /// Bytes of every frame at 64 kbit/s and 48 kHz.
  static let frameSize = 192

  /// The file, and where its first frame begins.
  static func parts() throws -> (media: MadeMedia, data: Data, start: Int) {
    let media = try bare.get()
    let data = try media.bytes()
    let name = try #require(data.range(of: Data("Info".utf8)))
    let start = name.lowerBound - 36
    #expect(data[start] == 0xFF && (data.count - start) % frameSize == 0)
    return (media, data, start)
  }

  /// A number of four bytes, the least significant first.
  static func little(_ value: Int) -> Data {
    Data((0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }

  /// An APEv2 tag with header and footer that holds `content` as a picture.
  static func ape(_ content: Data) -> Data {
    let item = little(content.count) + little(2) + Data("Cover Art (Front)\0".utf8) + content
    let part = { (flags: Int) in
      Data("APETAGEX".utf8) + little(2000) + little(item.count + 32) + little(1) + little(flags)
        + Data(count: 8)
    }
    return part(0xA000_0000) + item + part(0x8000_0000)
  }

  /// An ID3v2 tag with a footer.
  static func footed(_ content: Data) -> Data {
    let size = Data([0, 0, UInt8(content.count >> 7), UInt8(content.count & 0x7F)])
    return Data("ID3".utf8) + [4, 0, 0x10] + size + content + Data("3DI".utf8) + [4, 0, 0x10] + size
  }

  /// An ID3v1 tag.
  static let old = Data("TAG".utf8) + Data(count: 125)
}
