// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// All cues of one text subtitle stream, in order of appearance.
package struct SubtitleTrack: Sendable {
  /// Bytes of text that one track may hold, far beyond any real subtitles.
  private static let limit = 64 << 20

  /// First time, in milliseconds, that counts as damaged: 24 days.
  private static let latest: Int64 = 1 << 31

  /// libav's names of the formats that hold text.
  package static let codecs = [
    "subrip", "ass", "ssa", "webvtt", "mov_text", "text", "microdvd", "subviewer", "subviewer1",
    "sami", "realtext", "mpl2", "vplayer", "jacosub", "stl", "eia_608",
  ]

  /// libav's name of the format.
  package let codec: String
  /// Language tag; `nil` where none is stated.
  package let language: String?
  /// The cues, by their start; times are on the presentation timeline of the source.
  package let cues: [SubtitleCue]
  /// Whether styles or positions were left out.
  package let isStyled: Bool
  /// Packets left out: without a usable time, or beyond what one track may hold.
  package let lost: Int
  /// Texts without an end, for which one was assumed.
  package let guessed: Int

  /// Reads all of `stream`.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` for bitmaps, of kind `damaged` for text
  ///   that can't be read.
  package init(file: LocalFile, stream: StreamInfo, options: InputOptions) throws {
    guard SubtitleTrack.codecs.contains(stream.codec) else {
      throw MediaError(.unsupportedFeature, "\(stream.codec) subtitles are pictures, not text")
    }
    let media = try MediaFile(file: file, options: options)
    // The last sample of timed text lasts to the end of its track. libavformat doesn't state that end for
    // fragmented files, but the edit list does.
    let edit = media.track(of: stream)?.edits.first { $0.mediaTime >= 0 && $0.duration > 0 }
    let end = edit.map {
      MediaTime.rescale($0.duration, by: 1000, over: media.movie?.timescale ?? 1)
    }.flatMap { $0 < SubtitleTrack.latest ? $0 : nil }
    try self.init(
      media.opened(), stream, language: stream.language, shift: media.editShift(of: stream),
      end: end,
      name: "\(file.path): subtitle stream \(stream.index)")
  }

  /// Reads a subtitle file: SubRip, ASS or WebVTT. The language is taken from its name (`film.de.srt`).
  /// - Throws: ``MediaError`` when it is missing or none of these.
  package init(sidecar path: String) throws {
    let file = try MediaFile.locate(path)
    let name = "\(setting: .subtitles) \(path)"
    let parts = PathParts.of(path).last?.split(separator: ".") ?? []
    let tag = parts.count > 2 ? parts[parts.count - 2] : ""
    let isTag = (2...3).contains(tag.count) && tag.allSatisfy { $0.isASCII && $0.isLetter }
    let language = isTag ? tag.lowercased() : nil
    if let reader = try SubtitleTrack.webVTT(file, name) {
      self.init(reader, language: language)
      return
    }
    let container: InputContext
    do {
      container = try InputContext(file: file, allowed: ["srt", "ass"])
    } catch is LibAVError {
      throw MediaError(
        .inputUnreadable,
        "\(name): is no SubRip, ASS or WebVTT file; convert it")
    }
    guard let stream = container.streams.first(where: { $0.kind == .subtitle }) else {
      throw MediaError(.inputUnreadable, "\(name): holds no subtitles")
    }
    try self.init(
      container, stream, language: language ?? stream.language, shift: 0, end: nil, name: name)
  }

  /// The cues of `file`; `nil` where it isn't WebVTT.
  private static func webVTT(_ file: LocalFile, _ name: String) throws -> WebVTTReader? {
    // Enough for a byte order mark and the signature, also in UTF-16.
    guard var bytes = text(file.bytes(at: 0, count: 16)), WebVTTReader(bytes) != nil else {
      return nil
    }
    guard file.size <= Int64(limit) else {
      throw MediaError(.inputUnreadable, "\(name): is longer than 64 MiB; cut it")
    }
    bytes = text(file.bytes(at: 0, count: Int(file.size))) ?? []
    try file.checkReads()
    guard String(validating: bytes, as: UTF8.self) != nil, let reader = WebVTTReader(bytes) else {
      throw MediaError(.damaged, about: name, "can't be read; text must be UTF-8")
    }
    return reader
  }

  /// `bytes` in UTF-8, if they are in UTF-16 by their mark; `nil` where they can't be.
  private static func text(_ bytes: [UInt8]) -> [UInt8]? {
    guard let wide = WideText(bytes), !wide.isAssumed else { return bytes }
    return wide.isValid ? wide.utf8 : nil
  }

  private init(_ reader: WebVTTReader, language: String?) {
    var list = CueList(codec: WebVTTReader.codec)
    var lost = reader.lost
    for cue in reader.cues {
      guard cue.start < SubtitleTrack.latest, cue.end < SubtitleTrack.latest else {
        lost += 1
        continue
      }
      list.add([SubtitleEvent(text: cue.text)], begin: cue.start, end: cue.end)
    }
    self.init(
      list, codec: WebVTTReader.codec, language: language, lost: lost,
      isStyled: reader.isStyled)
  }

  private init(
    _ container: InputContext, _ stream: StreamInfo, language: String?, shift: Int64, end: Int64?,
    name: String
  ) throws {
    container.select(streams: [stream.index])
    let packet = try Packet()
    var list: CueList
    var size = 0
    var lost = 0
    do {
      let decoder =
        stream.codec == WebVTTReader.codec
        ? nil : try SubtitleDecoder(container, stream: stream.index)
      list = CueList(codec: stream.codec, header: decoder?.header ?? [])
      while try container.read(into: packet) {
        guard packet.streamIndex == stream.index, packet.size > 0 else { continue }
        guard size < SubtitleTrack.limit, let time = packet.presentationTime,
          let begin = SubtitleTrack.milliseconds(time, shift, 0, stream)
        else {
          lost += 1
          continue
        }
        size += packet.size
        let length = packet.duration > 0 ? packet.duration : 0
        let last = length > 0 ? SubtitleTrack.milliseconds(time, shift, length, stream) : nil
        let events =
          try decoder?.decode(packet)
          ?? [SubtitleEvent(text: SubtitleTrack.text(of: packet, name))]
        list.add(events, begin: begin, end: last)
      }
    } catch let error as LibAVError {
      throw MediaError(
        .damaged, about: name, "can't be read (\(error)); text must be UTF-8")
    }
    list.close(at: end)
    self.init(list, codec: stream.codec, language: language, lost: lost)
  }

  private init(
    _ list: CueList, codec: String, language: String?, lost: Int, isStyled: Bool = false
  ) {
    self.codec = codec
    self.language = language
    self.isStyled = isStyled || list.isStyled
    self.lost = lost
    guessed = list.guessed
    cues = list.cues.enumerated().sorted { left, right in
      (left.element.start, left.offset) < (right.element.start, right.offset)
    }.map(\.element)
  }

  /// The text of a packet that is a cue of WebVTT.
  private static func text(of packet: Packet, _ name: String) throws -> String {
    guard let text = String(validating: packet.bytes(), as: UTF8.self) else {
      throw MediaError(.damaged, about: name, "can't be read; text must be UTF-8")
    }
    return text
  }

  /// The time `time + shift + length`, all in ticks, in milliseconds; `nil` when it is damaged.
  private static func milliseconds(
    _ time: Int64, _ shift: Int64, _ length: Int64, _ stream: StreamInfo
  ) -> Int64? {
    guard time.magnitude < 1 << 56, shift.magnitude < 1 << 56, length < 1 << 56 else { return nil }
    let base = stream.timeBase
    let value = MediaTime.rescale(
      time + shift + length, by: base.numerator * 1000, over: base.denominator)
    return value.magnitude < SubtitleTrack.latest.magnitude ? value : nil
  }
}

/// A text and the time during which it is shown.
package struct SubtitleCue: Sendable, Equatable {
  /// Time at which it appears, in milliseconds.
  package var start: Int64
  /// Time at which it disappears, in milliseconds; after ``start``.
  package var end: Int64
  /// The text; lines end with `\n`.
  package var text: StyledText

  /// A cue of these values.
  package init(start: Int64, end: Int64, text: StyledText) {
    self.start = start
    self.end = end
    self.text = text
  }
}

/// Gathers the cues of a subtitle track in the order of its packets.
struct CueList {
  /// Milliseconds that a text without an end is shown.
  private static let assumed: Int64 = 4000

  private(set) var cues: [SubtitleCue] = []
  /// Whether there are styles that no cue keeps.
  private(set) var isStyled = false
  /// Texts for which an end had to be assumed.
  private(set) var guessed = 0
  private let endsWithNext: Bool
  private let isASS: Bool
  private let isWebVTT: Bool
  private let styles: ASSStyles
  private var open = 0..<0

  /// No cues of `codec`; `header` is the head of an ASS script, of which other codecs need none.
  init(codec: String, header: [UInt8] = []) {
    // In timed text of MP4, a sample lasts until the next one begins; an empty sample ends a text.
    endsWithNext = codec == "mov_text"
    isASS = codec == "ass" || codec == "ssa"
    // Styles of other formats are libavcodec's, not the author's.
    styles = isASS ? ASSStyles(header) : ASSStyles()
    isWebVTT = codec == WebVTTReader.codec
  }

  /// Adds the texts of a packet, with times in milliseconds; `end` is `nil` when the packet states none.
  mutating func add(_ events: [SubtitleEvent], begin: Int64, end: Int64?) {
    closeOpen(at: begin)
    let first = cues.count
    for event in events {
      let (text, isStyled) = read(event)
      self.isStyled = self.isStyled || isStyled
      guard !text.isEmpty else { continue }
      if let end, end > begin {
        cues.append(SubtitleCue(start: begin, end: end, text: text))
      } else {
        if !endsWithNext { guessed += 1 }
        cues.append(SubtitleCue(start: begin, end: begin + CueList.assumed, text: text))
      }
    }
    open = endsWithNext && end == nil ? first..<cues.count : 0..<0
  }

  private func read(_ event: SubtitleEvent) -> (text: StyledText, isStyled: Bool) {
    guard !isWebVTT else {
      let text = WebVTTText(event.text)
      return (text.text, text.isStyled)
    }
    let text = ASSText(event.text, isASS: isASS, style: event.style, of: styles)
    return (text.text, text.isStyled)
  }

  /// Ends the track, at `end` where that is known.
  mutating func close(at end: Int64?) {
    if let end { return closeOpen(at: end) }
    guessed += open.count
    open = 0..<0
  }

  private mutating func closeOpen(at time: Int64) {
    for index in open where time > cues[index].start { cues[index].end = time }
    open = 0..<0
  }
}
