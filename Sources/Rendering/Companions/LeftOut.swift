import AudioCore
import LibAV
import MediaIn

/// Tells what else the input holds and the output doesn't.
struct LeftOut {
  let job: RenderJob
  let log: DiagnosticLog

  /// WAV and FLAC have no place for most of it, so that leaving it out is a choice of the format; MP4 and HLS
  /// have, so that it is a loss unless it was asked for.
  ///
  /// What is carried over isn't missed, nor what was said to stay behind already. Of HLS the media
  /// playlists that aren't read count, too.
  func note(
    _ streams: [StreamInfo], of presentation: StreamPresentation?, chapters: Int,
    carried: Set<Int>
  ) {
    let known = Set(log.degradations.map(\.kind))
    func count(_ kind: StreamInfo.Kind) -> Int {
      guard !known.contains("\(kind.rawValue)-left-out") else { return 0 }
      return streams.filter { $0.kind == kind && !carried.contains($0.index) }.count
    }
    let parts: [(kind: String, count: Int, isWanted: Bool)] = [
      (
        "video", count(.video) + (presentation?.hasPicturesElsewhere == true ? 1 : 0),
        job.keepsVideo
      ),
      ("cover-art", count(.picture), job.keepsMetadata),
      ("subtitles", count(.subtitle) + (presentation?.subtitles ?? 0), job.keepsSubtitles),
      ("chapters", chapters, job.keepsChapters),
    ]
    for part in parts where part.count > 0 {
      if !job.form.isMovie {
        log.decide(part.kind, "left out", why: "\(job.form.plainName) holds none")
      } else if part.isWanted {
        log.degrade(
          "\(part.kind)-left-out",
          "the input has \(part.kind), which the output doesn't take over; \(option(part.kind)) says "
            + "that it may go")
      } else {
        log.decide(part.kind, "left out", why: "asked for by \(option(part.kind))")
      }
    }
  }

  private func option(_ kind: String) -> String {
    switch kind {
    case "video": return "--video drop"
    case "subtitles": return "--subtitles drop"
    case "chapters": return "--no-chapters"
    default: return "--no-metadata"
    }
  }
}
