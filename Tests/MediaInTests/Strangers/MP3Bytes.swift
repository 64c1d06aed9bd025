// SPDX-License-Identifier: Apache-2.0
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

  /// `data` with other numbers in its header frame, which begins so many bytes before its name, and whose checksum fits them
  /// (mp3infotag.html): frames, and of twelve bits each, the encoder's delay and padding.
  static func numbered(
    _ data: Data, lead: Int = 36, frames: Int, _ ends: (delay: Int, padding: Int)? = nil
  ) throws -> Data {
    var data = data
    let name = try #require(data.range(of: Data("Info".utf8))).lowerBound
    let frames = Data(little(frames).reversed())
    data.replaceSubrange(name + 8..<name + 12, with: frames)
    // Name, flags, frames, bytes, a table of 100 places and the quality come before LAME's part.
    let part = name + 120
    if let ends {
      let numbers = Data(little(ends.delay << 12 | ends.padding).prefix(3).reversed())
      data.replaceSubrange(part + 21..<part + 24, with: numbers)
    }
    let sum = data[name - lead..<part + 34].reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ Int(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xA001 }
    }
    data.replaceSubrange(part + 34..<part + 36, with: [UInt8(sum >> 8), UInt8(sum & 0xFF)])
    return data
  }

  /// An ID3v2 tag with a comment as iTunes writes them.
  static func comment(_ name: String, _ text: String) -> Data {
    let content = Data("\0eng\(name)\0\(text)".utf8)
    let frame = Data("COMM".utf8) + little(content.count).reversed() + [0, 0] + content
    let size = [UInt8(frame.count >> 7), UInt8(frame.count & 0x7F)]
    return Data("ID3".utf8) + [3, 0, 0, 0, 0] + size + frame
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
