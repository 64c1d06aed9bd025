// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Coded sound that lies in one piece between tags.
package enum SoundBytes {
  /// Bytes that are compared at a time.
  private static let step = 1 << 18

  /// The place of the sound in `file`; `nil` for Ogg, MP4 and Matroska, in which headers lie between packets.
  package static func range(in file: LocalFile, _ kind: TaggableFile) -> Range<Int64>? {
    let end = file.size - kind.back
    switch kind.format {
    case .oggVorbis, .oggOpus, .oggFLAC, .mp4, .matroska: return nil
    case .flac: return range(endOfBlocks(file, from: kind.front + 4), end)
    case .mpeg: return range(TaggableFile.endOfID3(file), end - sizeOfItems(file, end))
    case .wavPack, .monkeysAudio, .musepack:
      return range(kind.front, end - sizeOfItems(file, end))
    case .wav, .aiff:
      let chunks = RIFFChunks(file, isBigEndian: kind.format == .aiff).all
      let chunk = chunks.first { ["data", "SSND"].contains($0.type) }
      return chunk.map { $0.start..<$0.start + Int64($0.size) } ?? 0..<0
    }
  }

  /// The SHA-256 of the sound in `file`, for ``TagReplacement``; `nil` for Ogg, MP4 and Matroska, whose packets have to be read.
  /// - Throws: ``MediaError`` as `TaggableFile` does, and when the file can't be read.
  package static func digest(of file: LocalFile) throws -> [UInt8]? {
    guard let range = range(in: file, try TaggableFile(file)) else { return nil }
    var digest = Digest(.sha256)
    for offset in stride(from: range.lowerBound, to: range.upperBound, by: step) {
      let count = min(step, Int(range.upperBound - offset))
      digest.update(file.bytes(at: offset, count: count))
    }
    try file.checkReads()
    return digest.bytes
  }

  private static func range(_ start: Int64, _ end: Int64) -> Range<Int64> {
    start..<max(start, end)
  }

  /// The offset behind the metadata blocks of FLAC, of which the first begins at `start`.
  private static func endOfBlocks(_ file: LocalFile, from start: Int64) -> Int64 {
    var place = start
    while place + 4 <= file.size {
      let head = file.bytes(at: place, count: 4)
      guard head.count == 4 else { break }
      place += 4 + Int64(head[1...].bigEndian(UInt32.self))
      if head[0] & 0x80 != 0 { break }
    }
    return place
  }

  /// Bytes of the APE tag that ends at `end`, with its header where it has one.
  private static func sizeOfItems(_ file: LocalFile, _ end: Int64) -> Int64 {
    let footer = file.bytes(at: end - 32, count: 32)
    guard footer.count == 32, footer.starts(with: "APETAGEX".utf8) else { return 0 }
    let hasHeader = footer.littleEndian(UInt32.self, at: 20) & 1 << 31 != 0
    return Int64(footer.littleEndian(UInt32.self, at: 12)) + (hasHeader ? 32 : 0)
  }

  /// Whether two files have the same bytes there; also where they have no such place. Of Matroska, all that isn't tags counts.
  static func areSame(
    _ one: LocalFile, _ first: TaggableFile, _ other: LocalFile, _ second: TaggableFile
  ) throws -> Bool {
    guard first.format != .matroska, second.format != .matroska else {
      return areSame(
        one, try MatroskaTags(one, one.path), other, try MatroskaTags(other, other.path))
    }
    guard let old = range(in: one, first), let new = range(in: other, second) else {
      return range(in: one, first) == range(in: other, second)
    }
    return areSame(one, old, other, new)
  }

  /// Whether two files of Matroska have the same bytes in the same places, but for tags, SeekHead and Void, and SeekHead of the
  /// other one names no wrong place that it didn't before.
  static func areSame(
    _ one: LocalFile, _ first: MatroskaTags, _ other: LocalFile, _ second: MatroskaTags
  ) -> Bool {
    let ranges = first.untouched
    return ranges == second.untouched && second.wrongSeeks.isSubset(of: first.wrongSeeks)
      && ranges.allSatisfy { areSame(one, $0, other, $0) }
  }

  private static func areSame(
    _ one: LocalFile, _ old: Range<Int64>, _ other: LocalFile, _ new: Range<Int64>
  ) -> Bool {
    guard old.count == new.count else { return false }
    return stride(from: 0, to: Int64(old.count), by: step).allSatisfy { offset in
      let count = min(step, old.count - Int(offset))
      return one.bytes(at: old.lowerBound + offset, count: count)
        == other.bytes(at: new.lowerBound + offset, count: count)
    }
  }
}
