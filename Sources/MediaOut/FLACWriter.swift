// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// Writes a FLAC file (RFC 9639): 16 or 24 bits by libavcodec, a cue sheet of the chapters, tags as Vorbis comments,
/// pictures with their kinds.
///
/// The file is written here, because libavformat's writer keeps one value for each tag.
package final class FLACWriter: AudioSink {
  /// Bytes that a block holds at most: its length has 24 bits.
  package static let longestBlock = 0xFF_FFFF
  /// Bytes left free for programs that change tags in place, as libavformat and flac leave them.
  private static let padding = 8192
  /// Marker, and the head of the stream information (RFC 9639, 6 and 8.1).
  private static let infoPlace: Int64 = 8

  /// Types of blocks.
  private enum Block: UInt8 {
    case streamInfo = 0
    case padding = 1
    case comments = 4
    case cueSheet = 5
    case picture = 6
  }

  private let name: String
  private let frames: FrameEncoder
  private let file: BufferedDescriptor

  /// Starts a file on `descriptor`, which stays the caller's; `name` appears in messages. Former
  /// content is overwritten from the front, and any rest is cut off.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when FLAC can't take the format, or as
  ///   writing does.
  package init(descriptor: Int32, name: String, settings: SoundSettings) throws {
    self.name = name
    frames = try FrameEncoder(settings.coding, format: settings.format)
    file = BufferedDescriptor(descriptor: descriptor)
    try file.put(
      try FLACWriter.head(settings, info: frames.encoder.extradata, name: name), to: name)
  }

  /// Samples that had to be clamped to full scale.
  package var clippedSamples: Int64 { frames.clippedSamples }

  /// The samples of the last block as every reader gets them.
  package var stored: AudioBuffer? { frames.stored }

  /// Whether a picture fits a block.
  package static func takes(_ picture: AttachedPicture) -> Bool {
    PictureBlock(picture).bytes.count <= longestBlock
  }

  /// Encodes all of `buffer`.
  /// - Throws: ``MediaError`` when it can't be stored.
  package func write(_ buffer: AudioBuffer) throws {
    try put(try FrameEncoder.naming(name, "FLAC") { try frames.encode(buffer) })
  }

  /// Encodes the rest and completes the header: sample count and MD5 of the samples.
  /// - Throws: as ``write(_:)``.
  package func close() throws {
    try put(try FrameEncoder.naming(name, "FLAC") { try frames.finish() })
    if let info = frames.encoder.renewedExtradata {
      guard file.seek(FLACWriter.infoPlace, SEEK_SET) == FLACWriter.infoPlace else {
        throw OutputFailure.error(file.failure, name)
      }
      try file.put(info, to: name)
    }
    guard file.finish() else { throw OutputFailure.error(file.failure, name) }
  }

  private func put(_ packets: [EncodedPacket]) throws {
    for packet in packets { try file.put(packet.data, to: name) }
  }

  /// Everything before the first frame.
  private static func head(
    _ settings: SoundSettings, info: [UInt8], name: String
  ) throws -> [UInt8] {
    let texts = settings.texts
    var comments = CommentBlock()
    comments.addChannelMask(of: settings.format.layout)
    comments.add(texts.tags, maker: texts.maker)
    for entry in texts.replayGain { comments.add(entry.name, entry.value) }
    comments.add(texts.chapters)
    // The cue sheet comes before the comments: libavformat merges chapters of both, and takes the title from
    // whichever comes last, although a cue sheet has none.
    var blocks: [(Block, [UInt8])] = [(.streamInfo, info)]
    if let sheet = FLACCueSheet(settings) { blocks.append((.cueSheet, sheet.content)) }
    blocks.append((.comments, comments.bytes))
    blocks += texts.pictures.map { (.picture, PictureBlock($0).bytes) }
    blocks.append((.padding, [UInt8](repeating: 0, count: padding)))
    var bytes = Array("fLaC".utf8)
    for (index, (type, content)) in blocks.enumerated() {
      guard content.count <= longestBlock else {
        throw MediaError(
          .unsupportedFeature, about: name,
          "FLAC holds no block of metadata of \(content.count) bytes; leave tags and pictures out")
      }
      // The first bit marks the last block.
      bytes.append(type.rawValue | (index == blocks.count - 1 ? 0x80 : 0))
      bytes += UInt32(content.count).bigEndianBytes.dropFirst()
      bytes += content
    }
    return bytes
  }
}

/// Chapters as the CUESHEET block of a FLAC file (RFC 9639, 8.7), which states them in samples. Titles have no place there.
package struct FLACCueSheet {
  /// Tracks that a sheet holds besides the lead-out, as on a CD; more have comments only.
  package static let limit = 99
  /// Number of the track that states where the last one ends.
  private static let leadOut: UInt8 = 255

  private let starts: [Int64]
  private let frames: Int64

  /// The sheet of the settings' chapters; `nil` without chapters, and where they are more than ``limit``.
  init?(_ settings: SoundSettings) {
    let chapters = settings.texts.chapters
    guard (1...FLACCueSheet.limit).contains(chapters.count) else { return nil }
    starts = chapters.map { max(0, $0.time.samples(at: settings.format.sampleRate)) }
    frames = settings.frames
  }

  /// The content of the block: no catalogue number, no lead-in, not a CD.
  var content: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 128 + 8 + 259)
    bytes.append(UInt8(clamping: starts.count + 1))
    for (index, start) in starts.enumerated() {
      bytes += FLACCueSheet.track(UInt8(clamping: index + 1), at: start, points: 1)
      // The one index point: at the track's beginning, number 1.
      bytes += [UInt8](repeating: 0, count: 8) + [1, 0, 0, 0]
    }
    return bytes + FLACCueSheet.track(FLACCueSheet.leadOut, at: frames, points: 0)
  }

  /// A track of sound without ISRC and pre-emphasis, up to the number of its index points.
  private static func track(_ number: UInt8, at sample: Int64, points: UInt8) -> [UInt8] {
    sample.bigEndianBytes + [number] + [UInt8](repeating: 0, count: 12 + 14) + [points]
  }
}
