import AudioCore
import ISOBMFF

/// A named sample of a WAV file: an entry of its `cue ` chunk and a label (Microsoft Multimedia Programming
/// Interface and Data Specifications 1.0, "Cue-points chunk" and "Associated data chunk").
package struct CuePoint: Sendable, Equatable {
  /// Bytes of UTF-8 that a label has at most, as tags have.
  private static let longestLabel = InfoTags.longest

  /// Samples from the first of the file; the chunk has 32 bits for it.
  package let position: UInt32
  /// Its label; empty for none.
  package let title: String

  /// A point of these values; a title that a label can't hold is cut.
  package init(position: UInt32, title: String) {
    self.position = position
    let bytes = CutText.utf8(title, limit: CuePoint.longestLabel).filter { $0 != 0 }
    self.title = String(decoding: bytes, as: UTF8.self)
  }

  /// The points of `markers` in a file of `rate` Hz, each at its nearest sample. Those are missing that lie beyond
  /// the 2^32 − 1 samples that a point can state.
  package static func points(of markers: [ProgrammeMarker], rate: Int) -> [CuePoint] {
    markers.compactMap { marker in
      UInt32(exactly: max(0, marker.time.samples(at: rate))).map {
        CuePoint(position: $0, title: marker.title)
      }
    }
  }

  /// The chunks of `points`: `cue `, and where there are titles, `LIST` of type `adtl`. None without points.
  static func chunks(of points: [CuePoint]) -> [WAVChunk] {
    guard !points.isEmpty else { return [] }
    var places = LittleEndianBytes.of(UInt32(clamping: points.count))
    var labels = Array("adtl".utf8)
    for (index, point) in points.enumerated() {
      let id = LittleEndianBytes.of(UInt32(clamping: index + 1))
      let position = LittleEndianBytes.of(point.position)
      // Number, place in playing order, type of chunk, two offsets of chunk and block, and the sample.
      places += id + position + Array("data".utf8) + [UInt8](repeating: 0, count: 8) + position
      guard !point.title.isEmpty else { continue }
      labels += WAVChunk(id: "labl", bytes: id + Array(point.title.utf8) + [0]).stored
    }
    let list = labels.count > 4 ? [WAVChunk(id: "LIST", bytes: labels)] : []
    return [WAVChunk(id: "cue ", bytes: places)] + list
  }
}
