// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The header of a WAV, RF64 or BW64 file, read by Pinna's own parser, so that a fault of the library
/// that wrote the file is found.
package struct WAVHeader: Sendable, Equatable {
  /// A part of the header that is missing or wrong.
  package struct Fault: Error {
    /// Subject and verb, such as `its fmt chunk is too short`.
    package let words: String

    init(_ words: String) { self.words = words }
  }

  /// Type of the file: `RIFF`, or with sizes of 64 bits `RF64` or `BW64`.
  package var form = "RIFF"
  /// Hz.
  package var sampleRate = 0
  /// Number of channels.
  package var channels = 0
  /// Bits a sample.
  package var bits = 0
  /// Whether samples are IEEE floats.
  package var isFloat = false
  /// Channel mask; `nil` without WAVE_FORMAT_EXTENSIBLE.
  package var channelMask: UInt32?
  /// Offset of the first data byte.
  package var dataOffset: Int64 = 0
  /// Bytes of data the header declares.
  package var dataBytes: Int64 = 0
  /// Raw `bext` chunk.
  package var broadcast: [UInt8]?
  /// Named samples, in the order of the `cue ` chunk.
  package var cuePoints: [WAVCuePoint] = []
  /// Bytes behind the first eight, as the header states them.
  package var statedBytes: Int64 = 0
  package var fileBytes: Int64 = 0

  /// Samples per channel.
  package var frames: Int64 { frameBytes > 0 ? dataBytes / Int64(frameBytes) : 0 }
  /// Bytes of one sample of all channels.
  package var frameBytes: Int { channels * ((bits + 7) / 8) }

  /// Whether a file that begins with `head`, its first 12 bytes, is WAV, RF64 or BW64.
  package static func begins(_ head: [UInt8]) -> Bool {
    head.count == 12
      && ["RIFF", "RF64", "BW64"].contains(String(decoding: head.prefix(4), as: UTF8.self))
      && head[8...].elementsEqual("WAVE".utf8)
  }

  /// Parses the chunks of a file of `size` bytes; `fetch(offset, count)` reads it.
  /// - Throws: ``Fault``, and what `fetch` throws.
  package init(size: Int64, fetch: (Int64, Int) throws -> [UInt8]) throws {
    let head = try fetch(0, 12)
    guard WAVHeader.begins(head) else { throw Fault("it is no WAV file") }
    form = String(decoding: head.prefix(4), as: UTF8.self)
    fileBytes = size
    statedBytes = Int64(head.little32(at: 4))
    var labels: [UInt32: String] = [:]
    var longData: Int64 = 0
    var offset: Int64 = 12
    while offset + 8 <= size {
      let header = try fetch(offset, 8)
      let type = String(decoding: header.prefix(4), as: UTF8.self)
      var length = Int64(header.little32(at: 4))
      let body = offset + 8
      // A chunk may state more bytes than the file has, and nothing is set aside for that.
      func content(_ most: Int64) throws -> [UInt8] {
        try fetch(body, Int(min(length, most, size - body)))
      }
      switch type {
      case "ds64":
        let sizes = try fetch(body, 28)
        longData = Int64(clamping: sizes.little64(at: 8))
        if form != "RIFF" { statedBytes = Int64(clamping: sizes.little64(at: 0)) }
      case "cue ":
        cuePoints = WAVCuePoint.points(try content(WAVCuePoint.longestChunk))
      case "LIST":
        labels = WAVCuePoint.labels(try content(WAVCuePoint.longestChunk))
          .merging(labels) { first, _ in first }
      case "fmt ":
        try readFormat(try content(40))
      case "bext":
        broadcast = try content(65536)
      case "data":
        if form != "RIFF", length == 0xFFFF_FFFF { length = longData }
        dataOffset = body
        dataBytes = length
        guard length <= size - body else {
          throw Fault("its data chunk reaches beyond the end of the file")
        }
      default: break
      }
      offset = body + length + (length & 1)
    }
    for index in cuePoints.indices { cuePoints[index].title = labels[cuePoints[index].id] ?? "" }
    guard dataOffset > 0, frameBytes > 0 else {
      throw Fault("it lacks a fmt or data chunk")
    }
    guard dataBytes % Int64(frameBytes) == 0 else {
      throw Fault("its data end within a sample")
    }
  }

  private mutating func readFormat(_ bytes: [UInt8]) throws(Fault) {
    guard bytes.count >= 16 else { throw Fault("its fmt chunk is too short") }
    var tag = bytes.little16(at: 0)
    channels = Int(bytes.little16(at: 2))
    sampleRate = Int(bytes.little32(at: 4))
    bits = Int(bytes.little16(at: 14))
    // WAVE_FORMAT_EXTENSIBLE: the mask, then a GUID that begins with the actual tag.
    if tag == 0xFFFE, bytes.count >= 40 {
      channelMask = bytes.little32(at: 20)
      tag = bytes.little16(at: 24)
    }
    isFloat = tag == 3
    guard tag == 1 || tag == 3 else {
      throw Fault("its format tag \(tag) is neither PCM nor float")
    }
  }

  static func failure(_ name: String, _ what: String) -> MediaError {
    MediaError(
      .verificationFailed, about: name,
      "the written file was read back and \(what); nothing was kept")
  }
}

extension [UInt8] {
  func little16(at offset: Int) -> UInt16 {
    guard offset + 2 <= count else { return 0 }
    return UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
  }

  func little32(at offset: Int) -> UInt32 {
    UInt32(little16(at: offset)) | UInt32(little16(at: offset + 2)) << 16
  }

  fileprivate func little64(at offset: Int) -> UInt64 {
    UInt64(little32(at: offset)) | UInt64(little32(at: offset + 4)) << 32
  }
}

/// A named sample of a WAV file as Pinna's own parser reads it.
package struct WAVCuePoint: Sendable, Equatable {
  /// Bytes of a chunk that are read at most.
  static let longestChunk: Int64 = 1 << 26

  /// Number by which labels refer to it.
  let id: UInt32
  /// Samples from the first of the file.
  package let position: UInt32
  /// Its label; empty for none.
  package internal(set) var title = ""

  /// The points in the content of a `cue ` chunk; what its end cuts off is left out.
  static func points(_ bytes: [UInt8]) -> [WAVCuePoint] {
    let count = min(Int(bytes.little32(at: 0)), max(0, bytes.count - 4) / 24)
    return (0..<count).map { index in
      let place = 4 + 24 * index
      return WAVCuePoint(id: bytes.little32(at: place), position: bytes.little32(at: place + 20))
    }
  }

  /// The labels in the content of a `LIST` chunk by the numbers of their points; none where the list isn't
  /// of type `adtl`.
  static func labels(_ bytes: [UInt8]) -> [UInt32: String] {
    guard bytes.starts(with: "adtl".utf8) else { return [:] }
    var result: [UInt32: String] = [:]
    var place = 4
    while place + 8 <= bytes.count {
      let length = Int(bytes.little32(at: place + 4))
      let end = min(bytes.count, place + 8 + length)
      if bytes[place..<place + 4].elementsEqual("labl".utf8), end >= place + 12 {
        let text = bytes[(place + 12)..<end].prefix { $0 != 0 }
        result[bytes.little32(at: place + 8)] = String(decoding: text, as: UTF8.self)
      }
      place += 8 + length + length % 2
    }
    return result
  }
}
