import AudioCore
import LibAV

/// A chunk of a WAV file beside the format and the samples.
package struct WAVChunk: Sendable, Equatable {
  /// Its type, four ASCII characters, e.g. `chna`.
  package var id: String
  /// Its content, less than 4 GiB.
  package var bytes: [UInt8]

  /// A chunk of type `id`.
  package init(id: String, bytes: [UInt8]) {
    self.id = id
    self.bytes = bytes
  }

  /// The chunk with all tags and pictures (`id3 `); none without any.
  package static func id3(_ tags: MediaTags, pictures: [AttachedPicture]) -> [WAVChunk] {
    let bytes = ID3Block(tags, pictures: pictures).bytes
    return bytes.isEmpty ? [] : [WAVChunk(id: "id3 ", bytes: bytes)]
  }

  /// The chunk as it lies in a file: type, size, content, and a zero where the size is odd.
  var stored: [UInt8] {
    let head = Array(id.utf8.prefix(4)) + LittleEndianBytes.of(UInt32(clamping: bytes.count))
    return head + bytes + (bytes.count % 2 == 0 ? [] : [0])
  }
}
