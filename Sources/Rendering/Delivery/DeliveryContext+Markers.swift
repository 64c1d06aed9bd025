import AudioCore
import MediaOut

extension DeliveryContext {
  /// The chapters that a file of the sound alone holds: those that begin before its end. Times count from its
  /// first sample.
  var markers: [ProgrammeMarker] {
    companions.chapters(
      before: MediaTime(ticks: output.frames, rate: Int64(format.sampleRate)),
      rate: format.sampleRate)
  }

  /// The chapters that Vorbis comments hold.
  var commentedChapters: [ProgrammeMarker] {
    let all = markers
    if all.count > ChapterComments.limit {
      log.degrade(
        .chaptersCut,
        "the comments of \(output.branch.plan.container.kind.traits.name) hold "
          + "\(ChapterComments.limit) of the \(all.count) chapters; MP4 and WAV hold them all")
    }
    return Array(all.prefix(ChapterComments.limit))
  }
}
