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

  /// The stream.
  package let stream: StreamInfo
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
      media.opened(), stream, shift: media.editShift(of: stream), end: end,
      name: "\(file.path): subtitle stream \(stream.index)")
  }

  /// Reads a subtitle file: SubRip, ASS or WebVTT. The language is taken from its name (`film.de.srt`).
  /// - Throws: ``MediaError`` when it is missing or none of these.
  package init(sidecar path: String) throws {
    let file = try MediaFile.locate(path)
    let container: InputContext
    do {
      container = try InputContext(file: file, allowed: ["srt", "ass", "webvtt"])
    } catch is LibAVError {
      throw MediaError(
        .inputUnreadable,
        "\(setting: .subtitles) \(path): is no SubRip, ASS or WebVTT file; convert it")
    }
    guard var stream = container.streams.first(where: { $0.kind == .subtitle }) else {
      throw MediaError(.inputUnreadable, "\(setting: .subtitles) \(path): holds no subtitles")
    }
    let parts = path.split(separator: "/").last?.split(separator: ".") ?? []
    if parts.count > 2, (2...3).contains(parts[parts.count - 2].count),
      parts[parts.count - 2].allSatisfy({ $0.isASCII && $0.isLetter })
    {
      stream.metadata["language"] = parts[parts.count - 2].lowercased()
    }
    try self.init(container, stream, shift: 0, end: nil, name: "\(setting: .subtitles) \(path)")
  }

  private init(
    _ container: InputContext, _ stream: StreamInfo, shift: Int64, end: Int64?, name: String
  ) throws {
    self.stream = stream
    container.select(streams: [stream.index])
    let packet = try Packet()
    var list = CueList(codec: stream.codec)
    var size = 0
    var lost = 0
    do {
      let decoder = try SubtitleDecoder(container, stream: stream.index)
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
        list.add(try decoder.decode(packet), begin: begin, end: last)
      }
    } catch let error as LibAVError {
      throw MediaError(
        .damaged, about: name, "can't be read (\(error)); text must be UTF-8")
    }
    list.close(at: end)
    isStyled = list.isStyled
    guessed = list.guessed
    self.lost = lost
    cues = list.cues.enumerated().sorted { left, right in
      (left.element.start, left.offset) < (right.element.start, right.offset)
    }.map(\.element)
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
