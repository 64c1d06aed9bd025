// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Platform

/// A cover that is given as a file of its own.
enum CoverFile {
  /// Larger pictures than this aren't covers, but a mistake: players hold them in memory.
  private static let largest: Int64 = 16 << 20

  /// The picture in the file at `path`.
  /// - Throws: ``MediaError`` of kind `usage` for anything but JPEG and PNG, and for more than 16 MiB.
  static func picture(_ path: String) throws -> AttachedPicture {
    let file = try LocalFile(path: path)
    guard file.size <= largest else {
      throw fault(path, "is larger than 16 MiB; give a smaller picture")
    }
    let bytes = try file.wholeContent()
    guard MovieTags.isCover(bytes), let size = size(of: bytes) else {
      throw fault(path, "is neither JPEG nor PNG; convert it")
    }
    return AttachedPicture(bytes: bytes, width: size.width, height: size.height)
  }

  private static func fault(_ path: String, _ sentence: String) -> MediaError {
    MediaError(.usage, "\(setting: .cover) \(path): \(sentence)")
  }

  /// Pixels by the header of PNG (ISO/IEC 15948, 11.2.2) or a frame of JPEG (ITU-T T.81, B.2.2).
  private static func size(of bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.first == 0xFF else {
      guard bytes.count >= 24 else { return nil }
      return (Int(bytes.bigEndian32(at: 16)), Int(bytes.bigEndian32(at: 20)))
    }
    var offset = 2
    while offset + 9 <= bytes.count, bytes[offset] == 0xFF {
      let marker = bytes[offset + 1]
      // SOF0 to SOF15 without the tables of Huffman (C4), extensions (C8) and arithmetic coding (CC).
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        return (Int(bytes.bigEndian16(at: offset + 7)), Int(bytes.bigEndian16(at: offset + 5)))
      }
      // Any number of FF may stand before a marker.
      offset += marker == 0xFF ? 1 : 2 + Int(bytes.bigEndian16(at: offset + 2))
    }
    return nil
  }
}
