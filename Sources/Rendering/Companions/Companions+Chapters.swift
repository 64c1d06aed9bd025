import AudioCore
import LibAV
import MediaIn
import MediaOut

extension Companions {
  /// The tracks of texts that lie beside the sound in MP4: subtitles, and the titles of `chapters`. The sound has
  /// `rate` ticks a second and ends at `end`.
  func texts(chapters: [ProgrammeMarker], rate: Int, end: MediaTime) -> [any CodedTrack] {
    let titles = ChapterTrack(chapters, rate: rate, end: presentationEnd(end))
    if titles == nil, chapters.count > ChapterTrack.limitWithout {
      log.degrade(
        .chaptersCut,
        "a chapter lasts longer than MP4 can state, so players see the first "
          + "\(ChapterTrack.limitWithout) of the \(chapters.count) chapters only")
    }
    return subtitles.map(CopiedSubtitles.init) + [titles].compactMap { $0 }
  }

  /// `chapters` for a text beside an output of `length` at `path`; `nil` where the output holds none.
  func sheet(_ chapters: [ProgrammeMarker], length: MediaTime, path: String) -> MarkerSheet? {
    self.chapters.isEmpty ? nil : MarkerSheet(chapters, length: length, path: path)
  }

  /// The chapters that begin before sound and pictures have ended; the sound ends at `end`.
  func chapters(before end: MediaTime, rate: Int) -> [ProgrammeMarker] {
    let last = presentationEnd(end).samples(at: rate)
    let kept = chapters.filter { $0.time.samples(at: rate) < last }
    if kept.count < chapters.count {
      log.degrade(
        .chaptersCut,
        "\(chapters.count - kept.count) chapter(s) begin where the programme has ended, and are left out"
      )
    }
    return kept
  }

  /// Where sound and pictures have ended, if the sound ends at `end`.
  private func presentationEnd(_ end: MediaTime) -> MediaTime {
    guard let video else { return end }
    let base = video.stream.timeBase
    let pictures = MediaTime(
      ticks: (video.end + video.shift) * base.numerator, rate: base.denominator)
    return max(end, clock.time(pictures))
  }

  /// `markers` in the order in which they begin, none before zero. Of several at one sample the titles are joined, because
  /// a chapter of MP4 can't be empty.
  static func inOrder(_ markers: [ProgrammeMarker], rate: Int) -> [ProgrammeMarker] {
    let zero = MediaTime(ticks: 0, rate: 1)
    let sorted = markers.map { ProgrammeMarker(time: max($0.time, zero), title: $0.title) }
      .sorted { $0.time < $1.time }
    return sorted.reduce(into: []) { all, marker in
      guard let last = all.last, last.time.samples(at: rate) == marker.time.samples(at: rate)
      else { return all.append(marker) }
      let titles = [last.title, marker.title].filter { !$0.isEmpty }
      all[all.count - 1].title = titles.joined(separator: " / ")
    }
  }

  /// Chapters of `media` that the output presents. A chapter without a usable end has a length anyway, so
  /// that it is only left out where its beginning is.
  static func chapters(_ media: MediaFile?, _ window: CueWindow) -> [ProgrammeMarker] {
    (media?.chapters ?? []).compactMap { chapter in
      let instant = chapter.start + MediaTime(ticks: 1, rate: chapter.start.rate)
      return window.begin(of: chapter.start, end: max(chapter.end, instant)).map {
        ProgrammeMarker(time: $0, title: chapter.title ?? "")
      }
    }
  }
}
