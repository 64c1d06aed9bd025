// SPDX-License-Identifier: Apache-2.0
import Foundation

/// QuickTime movies whose sound is stated to be a sound field (`SA3D`), made by ffmpeg and changed byte by byte.
package enum SpatialAudioMovie {
  /// The payload of a box for `order`.
  package static func payload(
    order: UInt8 = 1, type: UInt8 = 0, ordering: UInt8 = 0, map: [UInt8] = [0, 1, 2, 3]
  ) -> [UInt8] {
    [0, type, 0, 0, 0, order, ordering, 0, 0, 0, 0, UInt8(map.count)]
      + map.flatMap { [0, 0, 0, $0] }
  }

  /// A movie that ffmpeg makes with `arguments`, whose sample entry called `entry` gets a box with `payload`.
  package static func bytes(
    _ arguments: [String], entry: String = "sowt", _ payload: [UInt8]?
  ) throws -> Data {
    let folder = try TemporaryFolder()
    try FixtureStore.ffmpeg(arguments + [folder.file("a.mov")])
    var bytes = try Data(contentsOf: folder.url("a.mov"))
    if let payload { try insert(payload, entry, &bytes) }
    return bytes
  }

  /// Puts the box at the end of the sample entry. The samples lie before the movie box, so no offset changes.
  private static func insert(_ payload: [UInt8], _ entry: String, _ bytes: inout Data) throws {
    guard let movie = bytes.range(of: Data("moov".utf8), options: .backwards) else {
      throw ToolFailure(text: "ffmpeg's movie has no box for it")
    }
    var (place, headers) = (movie.upperBound, [movie.lowerBound - 4])
    for type in ["trak", "mdia", "minf", "stbl", "stsd", entry] {
      guard let found = bytes.range(of: Data(type.utf8), in: place..<bytes.endIndex) else {
        throw ToolFailure(text: "ffmpeg's movie has no \(type)")
      }
      headers.append(found.lowerBound - 4)
      place = found.upperBound
    }
    func size(_ header: Int) -> Int {
      bytes[header..<header + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let end = headers[headers.count - 1] + size(headers[headers.count - 1])
    for header in headers {
      bytes.replaceSubrange(
        header..<header + 4, with: number(size(header) + payload.count + 8))
    }
    bytes.insert(contentsOf: number(payload.count + 8) + Array("SA3D".utf8) + payload, at: end)
  }

  private static func number(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) }
  }
}
