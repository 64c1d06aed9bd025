// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import Platform

/// Places in a fragmented MP4 file that a longer or shorter `moov` moves.
///
/// TagLib 1.13 moves the places in `stco` and `co64`, and those in the `tfhd` of the first fragment only. TagLib leaves `tfra`,
/// from which readers of `mfra` seek, as it was. Both are written anew here, from those of the original file. `sidx` and
/// `tfhd` without a place count from themselves and stay right.
struct MovieOffsets {
  private let original: LocalFile
  private let path: String
  private let scanner: BoxScanner
  private let boxes: [Placed]

  /// A box and the offset of its header.
  private struct Placed {
    let box: BoxHeader
    let offset: Int64
  }

  /// The places of the original file; `path` is what messages are about.
  init(_ original: LocalFile, _ path: String) {
    self.original = original
    self.path = path
    scanner = BoxScanner(original.source)
    boxes = MovieOffsets.placed(scanner, from: 0, to: nil)
  }

  private static func placed(_ scanner: BoxScanner, from start: Int64, to end: Int64?) -> [Placed] {
    var place = start
    return scanner.boxes(from: start, to: end).map { box in
      defer { place = box.end }
      return Placed(box: box, offset: place)
    }
  }

  /// Refuses files with places that nobody here moves.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` or `damaged`.
  func check() throws {
    guard let movie = boxes.first(where: { $0.box.type == "moov" }) else {
      throw MediaError(.damaged, about: path, "has no moov box, so that it has no place for tags")
    }
    guard boxes.allSatisfy({ !$0.box.isTruncated }) else {
      throw MediaError(.damaged, about: path, "ends in the middle of a box; get a whole copy of it")
    }
    guard boxes.count < 100_000 else {
      throw refusal("has more boxes than can be looked through")
    }
    guard !boxes.contains(where: { $0.box.type == "sidx" && $0.offset < movie.offset }) else {
      throw refusal("has an index of segments before its moov box")
    }
    let tracks = scanner.boxes(from: movie.box.payload, to: movie.box.end).filter {
      $0.type == "trak"
    }
    let tables = tracks.compactMap { scanner.first(["mdia", "minf", "stbl"], in: $0) }
    for table in tables.flatMap({ scanner.boxes(from: $0.payload, to: $0.end) }) {
      if table.type == "saio" {
        throw refusal("has encrypted samples, whose keys are found by their places")
      }
      // TagLib would write as many places as the table says, also beyond its end.
      let step = ["stco": 4, "co64": 8][table.type] ?? 0
      let count = Int(scanner.payload(table, limit: 8).bigEndian32(at: 4))
      guard step == 0 || count <= (table.payloadSize - 8) / step else {
        throw MediaError(.damaged, about: path, "states more chunks than it has; get a whole copy")
      }
    }
  }

  private func refusal(_ sentence: String) -> MediaError {
    MediaError(.unsupportedFeature, about: path, sentence + "; its tags can't be changed")
  }

  /// Corrects the places in the copy that is open at `descriptor`.
  /// - Throws: ``MediaError`` of kind `verificationFailed`, or as writing does.
  func correct(_ descriptor: Int32, _ copy: LocalFile) throws {
    guard boxes.contains(where: { $0.box.type == "moof" || $0.box.type == "mfra" }) else { return }
    let scanner = BoxScanner(copy.source)
    let now = MovieOffsets.placed(scanner, from: 0, to: nil)
    guard now.map(\.box.type) == boxes.map(\.box.type) else {
      throw MediaError(
        .verificationFailed, about: path,
        "its boxes are others in the copy with new tags; the file is as it was")
    }
    let moved = Dictionary(
      zip(boxes, now).map { ($0.offset, $1.offset) }, uniquingKeysWith: { first, _ in first })
    for (before, after) in zip(boxes, now) {
      let writer = PlaceWriter(
        from: self.scanner, descriptor: descriptor, shift: after.offset - before.offset,
        moved: moved, path: path)
      if before.box.type == "moof" { try writer.correctFragment(before.box) }
      if before.box.type == "mfra" { try writer.correctIndex(before.box) }
    }
  }
}

/// Writes places of one box of the original file into a copy in which the box lies elsewhere.
private struct PlaceWriter {
  let from: BoxScanner
  let descriptor: Int32
  /// Bytes that the box lies further behind.
  let shift: Int64
  /// New offsets of the boxes of the file by their old ones.
  let moved: [Int64: Int64]
  let path: String

  /// Places of data in `tfhd` (ISO/IEC 14496-12, 8.8.7) move with their fragment.
  func correctFragment(_ fragment: BoxHeader) throws {
    for track in from.boxes(from: fragment.payload, to: fragment.end) where track.type == "traf" {
      guard let header = from.first(["tfhd"], in: track) else { continue }
      let bytes = from.payload(header, limit: 16)
      guard bytes.count == 16, bytes[3] & 1 != 0 else { continue }
      let place = Int64(truncatingIfNeeded: bytes.bigEndian64(at: 8))
      try write((place &+ shift).bigEndianBytes, at: header.payload + 8)
    }
  }

  /// Places of fragments in `tfra` (8.8.10), in 4 or 8 bytes.
  func correctIndex(_ index: BoxHeader) throws {
    for table in from.boxes(from: index.payload, to: index.end) where table.type == "tfra" {
      let bytes = from.payload(table, limit: table.payloadSize)
      guard bytes.count >= 16 else { continue }
      let isLong = bytes[0] == 1
      let lengths = bytes[11]
      let numbers = Int(lengths >> 4 & 3) + Int(lengths >> 2 & 3) + Int(lengths & 3) + 3
      let step = (isLong ? 16 : 8) + numbers
      let count = min(Int(bytes.bigEndian32(at: 12)), (bytes.count - 16) / step)
      for entry in 0..<count {
        let place = 16 + entry * step + (isLong ? 8 : 4)
        let old =
          isLong
          ? Int64(truncatingIfNeeded: bytes.bigEndian64(at: place))
          : Int64(bytes.bigEndian32(at: place))
        // A place that was wrong already stays as far from the sound as it was.
        let new = moved[old] ?? old &+ shift
        let written = isLong ? new.bigEndianBytes : try short(new)
        try write(written, at: table.payload + Int64(place))
      }
    }
  }

  private func short(_ place: Int64) throws -> [UInt8] {
    guard let number = UInt32(exactly: place) else {
      throw MediaError(
        .unsupportedFeature, about: path,
        "has an index that can't state places beyond 4 GiB; its tags can't be changed")
    }
    return number.bigEndianBytes
  }

  private func write(_ bytes: [UInt8], at place: Int64) throws {
    try OutputFailure.check(
      Descriptor.writeAll(bytes, to: descriptor, at: place + shift), path)
  }
}
