import AudioCore
import LibAV
import MediaIn
import Report
import Timeline

/// An input of which clips are opened.
protocol ClipInput: RenderInput {
  /// Opens what `clip` asks for.
  /// - Throws: ``MediaError`` when its sound can't be read.
  func open(_ clip: Clip, log: DiagnosticLog) throws -> any OpenedClip
}

/// A clip that has been opened: its sound, and the facts about it.
protocol OpenedClip: AnyObject {
  /// The input as reports list it.
  var facts: RenderReport.Input { get }
  /// Tags of the container and the track.
  var tags: MediaTags { get }
  /// Delivers the samples of the range.
  var source: any ProgrammeSource { get }
  /// Presentation time of output sample 0, in samples at the source rate.
  var start: Int64 { get }
  /// Where output sample 0 lies on the source's own clock, in samples at the source rate.
  var absoluteStart: Int64 { get }
  /// Samples the range asks for; `nil` without an end.
  var asked: Int64? { get }
  /// Samples the output will probably have, for progress.
  var expected: Int64? { get }
  /// What is known of the elements of its programme so far: some decoders learn of changes as they go on. `nil`
  /// for a bed alone.
  /// - Throws: ``MediaError`` for objects whose times can't be read.
  func scene() throws -> [ObjectReport]?
  /// What the timeline did so far.
  var summary: TimelineSummary { get }
  /// Samples before the programme's own downmix first differs from that in its facts; `nil` when it
  /// never does.
  var downmixChange: Int64? { get }
  /// Samples that the header promises and the decode of the whole file lacks; 0 for none.
  var missing: Int64 { get }
  /// What can be carried over besides the sound; `nil` where there is nothing.
  var beside: ClipMedia? { get }
}

/// What an input holds besides the sound.
struct ClipMedia {
  /// Its container.
  let media: MediaFile
  /// The playlist that it was opened by; `nil` for a file.
  let presentation: StreamPresentation?
}

extension OpenedClip {
  /// The name of its track in a container of several; `nil` without one.
  var title: String? {
    guard let media = beside?.media else { return nil }
    return media.streams.first { $0.index == facts.stream }.flatMap { media.title(of: $0) }
  }

  /// What the renderers get.
  var programme: Programme { source.programme }
}

/// Opens the input of a clip: the one place that lists the kinds of inputs.
struct ClipOpener {
  let log: DiagnosticLog
  let isCancelled: () -> Bool

  /// The input of `clip`.
  /// - Throws: ``MediaError`` when it isn't there or can't be read.
  func input(of clip: Clip) throws -> any RenderInput {
    let queues = QueueOpener(clip: clip, log: log, isCancelled: isCancelled)
    switch clip.input {
    case .queue(let queue): return queues.input(queue)
    case .file(let path):
      if let queue = try queues.open(path) { return queue }
      return try MediaInput(
        path: path, track: clip.decoding.track, bounds: clip.decoding.bounds, log: log,
        isCancelled: isCancelled)
    case .silence(let silence): return try SilenceClip(silence, clip: clip, log: log)
    case .standardStream: return MediaInput(file: try JobFiles.bufferedStandardInput())
    }
  }
}
