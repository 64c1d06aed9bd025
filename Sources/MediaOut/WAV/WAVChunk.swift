// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CSndFile
import ISOBMFF
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

  /// The chunk with all tags and pictures, and with ReplayGain beside them (`id3 `); none without any, because `bext` states the
  /// loudness of every file.
  static func id3(_ texts: TrackTexts) -> [WAVChunk] {
    var block = ID3Block(texts.tags, pictures: texts.pictures)
    guard !block.isEmpty else { return [] }
    for entry in texts.replayGain { block.add(entry.name, entry.value) }
    return [WAVChunk(id: "id3 ", bytes: block.bytes)]
  }

  /// The chunk as it lies in a file: type, size, content, and a zero where the size is odd.
  var stored: [UInt8] {
    let head = Array(id.utf8.prefix(4)) + UInt32(clamping: bytes.count).littleEndianBytes
    return head + bytes + (bytes.count % 2 == 0 ? [] : [0])
  }
}

/// Content of the `bext` chunk (EBU Tech 3285, version 2).
package struct BroadcastInfo: Sendable, Equatable {
  /// Free text, at most 256 bytes.
  package var description: String
  /// Samples since midnight of the first sample.
  package var timeReference: UInt64
  /// One line a processing step (EBU R 98), each ended by CR LF.
  package var codingHistory: String

  /// Information of these values.
  package init(description: String, timeReference: UInt64, codingHistory: String) {
    self.description = description
    self.timeReference = timeReference
    self.codingHistory = codingHistory
  }
}

extension BroadcastInfo {
  /// The `bext` chunk, version 2 (EBU Tech 3285, 2.3): texts padded with zeros, loudness in hundredths,
  /// 0x7FFF where a figure is unset.
  func chunk(_ loudness: TrackLoudness?) -> WAVChunk {
    let figures = [
      loudness?.integrated, loudness?.range, loudness?.truePeak, loudness?.momentaryMax,
      loudness?.shortTermMax,
    ]
    let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
    var bytes = BroadcastInfo.field(description, 256) + BroadcastInfo.field("Pinna", 32)
    // Reference of the originator, date and time.
    bytes += zeros(32 + 10 + 8)
    bytes +=
      Int64(bitPattern: timeReference).littleEndianBytes + UInt16(2).littleEndianBytes
    // UMID.
    bytes += zeros(64)
    for figure in figures {
      bytes += UInt16(bitPattern: BroadcastInfo.hundredths(figure)).littleEndianBytes
    }
    return WAVChunk(id: "bext", bytes: bytes + zeros(180) + Array(codingHistory.utf8))
  }

  /// A figure in hundredths; 0x7FFF for none and for one that can't be stated.
  static func hundredths(_ value: Double?) -> Int16 {
    guard let value, value.isFinite, value.magnitude < 300 else { return 0x7FFF }
    return Int16((value * 100).rounded())
  }

  private static func field(_ text: String, _ size: Int) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(size))
    return bytes + [UInt8](repeating: 0, count: size - bytes.count)
  }
}

extension PinnaBroadcastInfo {
  /// libsndfile's form of `info`: fixed fields padded with NUL, loudness in hundredths, 0x7FFF
  /// where a figure is unset (EBU Tech 3285, version 2).
  init(_ info: BroadcastInfo, _ loudness: TrackLoudness?) {
    self.init()
    version = 2
    PinnaBroadcastInfo.copy(info.description, into: &description)
    PinnaBroadcastInfo.copy("Pinna", into: &originator)
    time_reference_low = UInt32(truncatingIfNeeded: info.timeReference)
    time_reference_high = UInt32(truncatingIfNeeded: info.timeReference >> 32)
    loudness_value = BroadcastInfo.hundredths(loudness?.integrated)
    loudness_range = BroadcastInfo.hundredths(loudness?.range)
    max_true_peak_level = BroadcastInfo.hundredths(loudness?.truePeak)
    max_momentary_loudness = BroadcastInfo.hundredths(loudness?.momentaryMax)
    max_shortterm_loudness = BroadcastInfo.hundredths(loudness?.shortTermMax)
    PinnaBroadcastInfo.copy(info.codingHistory, into: &coding_history)
    coding_history_size = UInt32(min(info.codingHistory.utf8.count, 2047))
  }

  /// Copies UTF-8 bytes into a C character array, cut to its size.
  private static func copy<Field>(_ text: String, into field: inout Field) {
    withUnsafeMutableBytes(of: &field) { bytes in
      for (index, byte) in text.utf8.prefix(bytes.count).enumerated() { bytes[index] = byte }
    }
  }
}

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

  /// The points of `markers` in a file of `rate` Hz, each at its nearest sample. Markers are missing that lie beyond
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
    var places = UInt32(clamping: points.count).littleEndianBytes
    var labels = Array("adtl".utf8)
    for (index, point) in points.enumerated() {
      let id = UInt32(clamping: index + 1).littleEndianBytes
      let position = point.position.littleEndianBytes
      // Number, place in playing order, type of chunk, two offsets of chunk and block, and the sample.
      places += id + position + Array("data".utf8) + [UInt8](repeating: 0, count: 8) + position
      guard !point.title.isEmpty else { continue }
      labels += WAVChunk(id: "labl", bytes: id + Array(point.title.utf8) + [0]).stored
    }
    let list = labels.count > 4 ? [WAVChunk(id: "LIST", bytes: labels)] : []
    return [WAVChunk(id: "cue ", bytes: places)] + list
  }
}

/// Tags in the INFO list of a WAV file, as libsndfile writes it: one text for each of a few names.
package struct InfoTags: Sendable, Equatable {
  /// Longest text that libsndfile writes whole beside others, in UTF-8 bytes.
  package static let longest = 16_384

  /// Texts by the type of their chunk, e.g. `INAM`.
  package private(set) var texts: [String: String] = [:]
  /// Names of the tags that were cut to ``longest``.
  package private(set) var cut: [String] = []

  /// No tags.
  package init() {}

  /// The ones of `tags` that INFO has a place for; several values are parted by `; `.
  package init(_ tags: MediaTags) {
    for (entry, values) in tags.grouped {
      guard let known = entry.known, let chunk = known.chunk else { continue }
      let text = values.joined(separator: "; ")
      let bytes = CutText.utf8(text, limit: InfoTags.longest)
      if bytes.count < text.utf8.count { cut.append(known.name) }
      texts[chunk] = String(decoding: bytes, as: UTF8.self)
    }
  }
}
