// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import MediaIn
import Report

/// A track that items of a queue are taken from.
struct QueueTrack {
  /// The properties that distinguish tracks.
  struct Key: Hashable {
    private let name: PathName
    /// Number of the audio track, from 0; `nil` for the file's default.
    let track: Int?

    init(path: String, track: Int?) {
      name = PathName(path)
      self.track = track
    }

    /// The file.
    var path: String { name.text }
  }

  /// Its place among the inputs of the report.
  let number: Int
  /// Programme of the track.
  let programme: Programme
  /// Its valid samples.
  let frames: Int64
  /// Whether they were counted by decoding, because the file doesn't state them to the sample.
  let isCounted: Bool
  /// Conclusions about its start-up samples and its end.
  let plan: TrimPlan
  /// The track as reports list it.
  let report: RenderReport.Input
  /// Tags of the container and the track.
  let tags: MediaTags
  /// Chunks of WAV that no output has, in words.
  let foreignChunks: [String]
  /// Chapters of the file, each with the sample of the track at which it begins.
  let chapters: [(at: Int64, title: String)]
  /// Whether it is read from one local file.
  let isOneFile: Bool
  /// Streams of the file besides the sound.
  let streams: [StreamInfo]
}

/// Opens the tracks of a queue: once to learn what they hold, and again when their samples are needed.
final class QueueTracks {
  private let clip: Clip
  private let playback: PlaybackLayout
  private let log: DiagnosticLog
  private let isCancelled: () -> Bool
  /// The tracks that were looked at, by what tells them apart.
  private(set) var known: [QueueTrack.Key: QueueTrack] = [:]

  /// Tracks opened as `clip` says, for outputs that are played as `playback` says; `log` is that of the run.
  init(
    _ clip: Clip, playback: PlaybackLayout, log: DiagnosticLog,
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.clip = clip
    self.playback = playback
    self.log = log
    self.isCancelled = isCancelled
  }

  /// Facts about the track `key`.
  /// - Throws: ``MediaError`` when it can't be read.
  func track(_ key: QueueTrack.Key) throws -> QueueTrack {
    if let known = known[key] { return known }
    let number = known.count
    let (input, source) = try open(key, number)
    source.noteObjects(log.about(.input(number)))
    let facts = try InputFacts.report(source, of: input)
    let tags = source.first.tags
    let (stated, programme) = (source.declaredSamples, source.programme)
    let frames = try stated ?? count(source, key.path)
    let track = QueueTrack(
      number: number, programme: programme, frames: frames, isCounted: stated == nil,
      plan: source.plan, report: facts, tags: tags,
      foreignChunks: source.first.media.foreignChunks,
      chapters: QueueTracks.chapters(source),
      isOneFile: input.presentation == nil && WebAddress(key.path) == nil,
      streams: source.first.media.streams)
    known[key] = track
    return track
  }

  /// Opens the track `key` from its first valid sample on.
  /// - Throws: ``MediaError`` when it can't be read.
  func source(_ key: QueueTrack.Key) throws -> TrackSource {
    try open(key, track(key).number).source
  }

  private func open(
    _ key: QueueTrack.Key, _ number: Int
  ) throws -> (input: MediaInput, source: TrackSource) {
    var decoding = clip.decoding
    decoding.playback = playback
    if let track = key.track { decoding.track = .index(track) }
    let log = log.about(.input(number))
    let input = try MediaInput(
      path: key.path, track: decoding.track, bounds: decoding.bounds, log: log,
      isCancelled: isCancelled)
    let source = try TrackSource(
      input: input, decoding: decoding, priming: clip.priming, gaps: clip.gaps, log: log)
    return (input, source)
  }

  private static func chapters(_ source: TrackSource) -> [(at: Int64, title: String)] {
    let rate = source.programme.sampleRate
    return source.first.media.chapters.map { chapter in
      (at: chapter.start.samples(at: rate) - source.plan.start, title: chapter.title ?? "")
    }
  }

  /// Counts the samples of `source` by reading all of it.
  /// - Throws: ``MediaError`` when it can't be read, of kind `interrupted` when the run is to stop.
  private func count(_ source: TrackSource, _ path: String) throws -> Int64 {
    var frames: Int64 = 0
    try source.forEachBlock { block in
      guard !isCancelled() else {
        throw MediaError(.interrupted, about: path, "stopped before it was counted")
      }
      frames += Int64(block.frames)
    }
    return frames
  }
}
