// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import LibAV
import Platform
import Signal

/// Writes Opus in Ogg (RFC 7845) by libopus.
///
/// The header's pre-skip and the granule position of the last page make the length exact. Tags are
/// Vorbis comments; a picture is a METADATA_BLOCK_PICTURE among them, and R128_TRACK_GAIN and
/// R128_ALBUM_GAIN give players the gains to −23 LUFS. The pages are written here, because libavformat's writer keeps one value for each tag.
package final class OggOpusWriter: PacketSink {
  /// Ticks of a page: a second.
  private static let pageLength: Int64 = 48_000

  private let name: String
  private let frames: FrameEncoder
  private let file: BufferedDescriptor
  private var pages = OggPageWriter(longest: OggOpusWriter.pageLength)

  /// Starts a file on `descriptor`, which stays the caller's; `name` appears in messages. The
  /// file's old content is overwritten from the front, and any rest is cut off.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when Opus can't take the format, or as
  ///   writing does.
  package init(descriptor: Int32, name: String, settings: SoundSettings) throws {
    self.name = name
    frames = try FrameEncoder(settings.coding, format: settings.format)
    file = BufferedDescriptor(descriptor: descriptor)
    // Each of the two headers begins a page, and the sound begins another one (RFC 7845, 3).
    let comments = Array("OpusTags".utf8) + OggOpusWriter.comments(settings.texts).bytes
    for header in [frames.encoder.extradata, comments] {
      try file.put(pages.add(header, end: 0) + pages.page(isLast: false), to: name)
    }
  }

  /// Start-up samples that readers drop because of the header's pre-skip.
  package var initialPadding: Int { frames.encoder.initialPadding }

  /// Always 0: a lossy encoding clips nothing.
  package var clippedSamples: Int64 { frames.clippedSamples }

  /// Always `nil`: readers get other samples than were given.
  package var stored: AudioBuffer? { nil }

  /// Encodes all of `buffer`.
  /// - Throws: ``MediaError`` when it can't be stored.
  package func write(_ buffer: AudioBuffer) throws {
    try put(try FrameEncoder.naming(name, "Opus") { try frames.encode(buffer) })
  }

  /// Writes all packets of `store`, which were encoded with the same settings, and completes the file; takes the place of
  /// ``write(_:)`` and ``close()``.
  /// - Throws: ``MediaError`` when they can't be stored.
  package func write(_ store: PacketStore) throws {
    for number in 0..<store.count { try put([try store.packet(number)]) }
    try complete()
  }

  /// Encodes the rest; the last page's granule position states the end.
  /// - Throws: as ``write(_:)``.
  package func close() throws {
    try put(try FrameEncoder.naming(name, "Opus") { try frames.finish() })
    try complete()
  }

  private func complete() throws {
    try file.put(pages.page(isLast: true), to: name)
    guard file.finish() else { throw OutputFailure.error(file.failure, name) }
  }

  /// Times of packets count from the first sample that was put in; positions count the start-up samples, too.
  private func put(_ packets: [EncodedPacket]) throws {
    for packet in packets {
      let end = packet.time + Int64(packet.duration) + Int64(initialPadding)
      try file.put(pages.add(packet.data, end: end), to: name)
    }
  }

  private static func comments(_ texts: TrackTexts) -> CommentBlock {
    var comments = CommentBlock()
    comments.add(texts.tags, maker: texts.maker)
    comments.add("R128_TRACK_GAIN", texts.loudness?.integrated.map(gain))
    comments.add("R128_ALBUM_GAIN", texts.albumLoudness?.integrated.map(gain))
    comments.add(texts.chapters)
    for picture in texts.pictures {
      comments.add(
        "METADATA_BLOCK_PICTURE", Data(PictureBlock(picture).bytes).base64EncodedString())
    }
    return comments
  }

  /// The gain to −23 LUFS in the form of RFC 7845, 5.2.1: in 1/256 dB, an integer of 16 bits.
  private static func gain(_ integrated: Double) -> String {
    "\(Int16(clamping: Int(((-23 - integrated) * 256).rounded())))"
  }
}

/// Puts the packets of one stream into pages of Ogg (RFC 3533, 6).
struct OggPageWriter {
  /// Segments of a page at most.
  private static let mostSegments = 255
  /// Number of the stream.
  private static let serial: UInt32 = 0

  /// Ticks of the stream after which a page ends.
  private let longest: Int64
  private var sequence: UInt32 = 0
  private var segments: [UInt8] = []
  private var payload: [UInt8] = []
  /// Whether the page begins with the rest of a packet.
  private var isContinued = false
  /// Position of the last packet that the page completes; `nil` where it completes none.
  private var position: Int64?
  /// Position at which the page begins.
  private var start: Int64 = 0

  /// Pages of about `longest` ticks.
  init(longest: Int64) { self.longest = longest }

  /// Adds a packet that ends at `end`; the pages that are complete now.
  mutating func add(_ packet: [UInt8], end: Int64) -> [UInt8] {
    var pages: [UInt8] = []
    // The page before is written only now, so that the last one is never empty.
    if let position, position - start >= longest || end - start > longest {
      pages += page(isLast: false)
    }
    var rest = packet[...]
    while true {
      if segments.count == OggPageWriter.mostSegments {
        pages += page(isLast: false)
        isContinued = rest.count < packet.count
      }
      let piece = rest.prefix(255)
      segments.append(UInt8(piece.count))
      payload += piece
      rest = rest.dropFirst(piece.count)
      // A packet ends with a segment below 255, which may be empty.
      if piece.count < 255 { break }
    }
    position = end
    return pages
  }

  /// Ends the page, which begins or ends the stream or holds headers that nothing may follow.
  mutating func page(isLast: Bool) -> [UInt8] {
    let flags: UInt8 = (isContinued ? 1 : 0) | (sequence == 0 ? 2 : 0) | (isLast ? 4 : 0)
    var bytes = Array("OggS".utf8) + [0, flags]
    // A page that completes no packet says so by −1; an empty one ends where the stream did.
    bytes +=
      (position ?? (segments.isEmpty ? start : -1)).littleEndianBytes
      + OggPageWriter.serial.littleEndianBytes
    bytes += sequence.littleEndianBytes + [0, 0, 0, 0, UInt8(segments.count)]
    bytes += segments + payload
    bytes.replaceSubrange(22..<26, with: Checksums.oggPage.of(bytes).littleEndianBytes)
    start = position ?? start
    sequence += 1
    (segments, payload, isContinued, position) = ([], [], false, nil)
    return bytes
  }
}
