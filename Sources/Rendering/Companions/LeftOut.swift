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
  func note(
    _ streams: [StreamInfo], of presentation: StreamPresentation?, chapters: Int,
    carried: Set<Int>
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
    for part in parts where part.count > 0 { note(part) }
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
  }

  private func note(_ part: Part) {
    let kind = part.code.rawValue
    if !files.holds.contains(part.extra) {
      let isByName =
        files.isForSoundOnly && files.kind.traits.output?.holds.contains(part.extra) == true
      log.decide(
        part.code, "left out",
        why: isByName
          ? "the output's name is one for sound alone; name it .mp4 to keep it"
          : "\(files.kind.traits.name) holds none")
    } else if part.isWanted {
      log.degrade(
        part.loss,
        "the input has \(kind), which the output doesn't take over; \(part.option) says that it may go"
      )
    } else {
      log.decide(part.code, "left out", why: "asked for by \(part.option)")
    }
  }
}
