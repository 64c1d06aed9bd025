import AudioCore
import LibAV
import MediaIn

/// Reports what the input holds besides the sound and the output doesn't.
struct LeftOut {
  let files: OutputFiles
  let carriage: Carriage
  let log: DiagnosticLog

  /// Notes every part that is left out. Where the container has no place for it, as in WAV, leaving
  /// it out is a choice of the format; in MP4 and HLS it is a loss unless it was asked for.
  ///
  /// Parts that are carried over, and parts whose loss has been reported already, don't count.
  /// Media playlists of HLS that aren't read do. Chapters that ``Companions`` has decided about don't count.
  /// - Parameter heard: indices of the tracks that are heard; `nil` where other tracks of sound aren't listed.
  func note(
    _ streams: [StreamInfo], of presentation: StreamPresentation?, chapters: Int,
    carried: Set<Int>, heard: Set<Int>?
  ) {
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
    list(missing.filter { !isLoss($0) }, streams, heard: heard, carried: carried)
  }

  /// Names everything that stays behind and isn't a degradation, which has a sentence of its own.
  private func list(
    _ parts: [Part], _ streams: [StreamInfo], heard: Set<Int>?, carried: Set<Int>
  ) {
    var names: [String] = []
    if let heard {
      let sounds = streams.filter { $0.kind == .audio }
      names = sounds.enumerated().filter {
        !heard.contains($0.element.index) && !carried.contains($0.element.index)
      }
      .map { LeftOut.title(of: $0.element, number: $0.offset) }
    }
    names += parts.map(\.name)
    // libavformat lists the text tracks of chapters in MP4 as data that it can't name; attachments have a file's name.
    let data = streams.filter {
      $0.kind == .other && heard?.contains($0.index) != true && !carried.contains($0.index)
        && ($0.metadata["filename"] != nil || !["bin_data", "none", "unknown"].contains($0.codec))
    }
    names += data.map { $0.metadata["filename"].map { "attachment \($0)" } ?? "data (\($0.codec))" }
    guard !names.isEmpty else { return }
    log.decide(
      .leftOut, names.joined(separator: ", "),
      why: "the output holds the sound of one track"
        + (parts.isEmpty ? "" : ", and what its container and the options allow"))
  }

  /// A track of sound in words: its number as options count it, language, coding and title.
  private static func title(of stream: StreamInfo, number: Int) -> String {
    let layout = stream.sound.layout.map { " \($0)" } ?? ""
    let facts = [
      stream.language, stream.codec + layout, stream.metadata["title"].map { "\"\($0)\"" },
    ]
    return "audio track \(number) (\(facts.compactMap(\.self).joined(separator: ", ")))"
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
    /// What a container must be able to hold for it.
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
