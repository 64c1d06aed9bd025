// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import MediaIn

/// Reports what the input holds besides the sound and the output doesn't.
struct LeftOut {
  let files: OutputFiles
  let carriage: Carriage
  let log: DiagnosticLog

  /// Notes every part that is left out. If the container has no place for it, as in WAV, leaving
  /// it out is a choice of the format; in MP4 and HLS it is a loss unless it was asked for.
  ///
  /// Parts that are carried over, and parts whose loss has been reported already, don't count.
  /// Media playlists of HLS that aren't read do. Chapters that ``Companions`` has decided about don't count.
  /// - Parameters:
  ///   - heard: indices of the tracks that are heard; `nil` where other tracks of sound aren't listed.
  ///   - misfits: why single streams have no place in the output, as ends of sentences.
  func note(
    _ streams: [StreamInfo], of presentation: StreamPresentation?, chapters: Int,
    carried: Set<Int>, heard: Set<Int>?, misfits: [Int: String] = [:]
  ) {
    notePictures(streams, carried, misfits)
    func count(_ kind: StreamInfo.Kind, _ code: DegradationCode) -> Int {
      guard !log.holds(code) else { return 0 }
      return streams.filter { $0.kind == kind && !carried.contains($0.index) }.count
    }
    let parts = [
      Part(
        code: .video, extra: .video, loss: .videoLeftOut, option: "\(setting: .video) drop",
        count: count(.video, .videoLeftOut)
          + (presentation?.hasPicturesElsewhere == true ? 1 : 0), isWanted: carriage.keepsVideo),
      Part(
        code: .coverArt, extra: .cover, loss: .coverArtLeftOut,
        option: "\(setting: .leavesTagsOut)",
        count: count(.picture, .coverArtLeftOut), isWanted: carriage.keepsMetadata),
      Part(
        code: .subtitles, extra: .subtitles, loss: .subtitlesLeftOut,
        option: "\(setting: .subtitles) drop",
        count: count(.subtitle, .subtitlesLeftOut) + (presentation?.subtitles ?? 0),
        isWanted: carriage.subtitles != .dropped),
      Part(
        code: .chapters, extra: .chapters, loss: .chaptersLeftOut,
        option: "\(setting: .leavesChaptersOut)",
        count: isDecided(.chapters) ? 0 : chapters,
        isWanted: carriage.keepsChapters),
    ]
    let missing = parts.filter { $0.count > 0 }
    for part in missing { note(part) }
    list(missing.filter { !isLoss($0) }, streams, heard: heard, carried: carried, misfits)
  }

  /// Reports subtitles that are pictures, which most containers of texts don't take, each with its reason.
  private func notePictures(
    _ streams: [StreamInfo], _ carried: Set<Int>, _ misfits: [Int: String]
  ) {
    let left = streams.filter {
      $0.kind == .subtitle && !SubtitleTrack.codecs.contains($0.codec)
        && !carried.contains($0.index)
    }
    guard !left.isEmpty, files.holds.contains(.subtitles), carriage.subtitles == .copied else {
      return
    }
    let names = left.map { stream in
      "stream \(stream.index) (\(stream.codec)"
        + (misfits[stream.index].map { ": \($0))" } ?? ")")
    }
    log.degrade(
      .subtitlesLeftOut,
      left.count.counted("subtitle stream of pictures is", "subtitle streams of pictures are")
        + " left out: \(names.joined(separator: ", ")); "
        + "\(setting: .subtitles) drop says that they may go")
  }

  /// Names everything that stays behind and isn't a degradation, which has a sentence of its own.
  private func list(
    _ parts: [Part], _ streams: [StreamInfo], heard: Set<Int>?, carried: Set<Int>,
    _ misfits: [Int: String]
  ) {
    var names: [String] = []
    if let heard {
      let sounds = streams.filter { $0.kind == .audio }
      names = sounds.enumerated().filter { !carried.contains($0.element.index) }
        .compactMap { number, stream in
          let reason = misfits[stream.index]
          guard heard.contains(stream.index) else {
            return LeftOut.title(of: stream, number: number, reason)
          }
          // Of a track that is rendered, the original may stay behind.
          return reason.map { "the original of " + LeftOut.title(of: stream, number: number, $0) }
        }
    }
    names += parts.map(\.name)
    // libavformat lists the text tracks of chapters in MP4 as data that it can't name; attachments have a file's name.
    let data = streams.filter {
      $0.kind == .other && heard?.contains($0.index) != true && !carried.contains($0.index)
        && ($0.metadata["filename"] != nil || !["bin_data", "none", "unknown"].contains($0.codec))
    }
    names += data.map { $0.metadata["filename"].map { "attachment \($0)" } ?? "data (\($0.codec))" }
    guard !names.isEmpty else { return }
    let sounds = streams.contains { $0.kind == .audio && carried.contains($0.index) }
    let rest = "what its container and the options allow"
    log.decide(
      .leftOut, names.joined(separator: ", "),
      why: sounds
        ? "the output holds \(rest)"
        : "the output holds the sound of one track" + (parts.isEmpty ? "" : ", and \(rest)"))
  }

  /// A track of sound in words: its number as options count it, language, coding and title, and why it stays behind, if that isn't asked
  /// for.
  private static func title(of stream: StreamInfo, number: Int, _ reason: String?) -> String {
    let layout = stream.sound.layout.map { " \($0)" } ?? ""
    let facts = [
      stream.language, stream.codec + layout, stream.metadata["title"].map { "\"\($0)\"" },
    ]
    return "audio track \(number) (\(facts.compactMap(\.self).joined(separator: ", ")))"
      + (reason.map { ": \($0)" } ?? "")
  }

  /// Whether leaving it out is a loss that is reported.
  private func isLoss(_ part: Part) -> Bool {
    files.holds.contains(part.extra) && part.isWanted
  }

  private func isDecided(_ code: DecisionCode) -> Bool {
    log.decisions.contains { $0.code == code && $0.subject == log.subject }
  }

  /// A part of the input other than the sound.
  private struct Part {
    let code: DecisionCode
    /// Ability that a container needs for it.
    let extra: ContainerExtra
    let loss: DegradationCode
    /// The option that leaves it out on purpose.
    let option: String
    let count: Int
    let isWanted: Bool

    /// Kind and number, in words.
    var name: String {
      switch code {
      case .video where count == 1: return "the video"
      case .video: return "\(count) videos"
      case .subtitles: return count == 1 ? "1 subtitle track" : "\(count) subtitle tracks"
      case .chapters: return count == 1 ? "1 chapter" : "\(count) chapters"
      default: return count == 1 ? "the cover picture" : "\(count) pictures"
      }
    }
  }

  private func note(_ part: Part) {
    let kind = part.code.rawValue
    if !files.holds.contains(part.extra) {
      let isByName =
        files.isForSoundOnly && files.kind.traits.output?.holds.contains(part.extra) == true
      log.decide(
        part.code, "left out",
        why: isByName
          ? "the output's name is one for sound alone; name it .\(files.fileExtension) to keep it"
          : "\(files.kind.traits.name) holds none")
    } else if isLoss(part) {
      log.degrade(
        part.loss,
        "the input has \(kind), which the output doesn't take over; \(part.option) says that it may go"
      )
    } else {
      log.decide(part.code, "left out", why: "asked for by \(part.option)")
    }
  }
}
