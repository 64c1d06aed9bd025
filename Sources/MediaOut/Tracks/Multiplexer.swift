// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Writes one file of several tracks.
package protocol TrackWriter: AnyObject {
  /// Takes the next sample of a track, whose number counts those that the writer was made with.
  /// - Throws: ``MediaError`` of kind `internal` for a sample that the file can't store.
  func add(_ sample: MediaSample, track: Int) throws

  /// Completes the file.
  /// - Throws: as ``add(_:track:)``, and where a track has fewer samples than it promised.
  func finish() throws
}

/// Writes one or more files of one presentation side by side: the samples of at most
/// one track are pushed as they are encoded, those of all others are pulled up to the same time, so
/// that no track runs ahead and memory stays flat.
package final class Multiplexer<Writer: TrackWriter> {
  private struct Pulled {
    let source: any CodedTracks
    let file: Int
    /// Places of its tracks in the file.
    var places: [Int] = []
    var ahead: (track: Int, sample: MediaSample)?

    /// Facts of the track whose sample is ahead.
    var facts: OutputTrackFacts { source.tracks[ahead?.track ?? 0] }
  }

  /// The writers, one a file, in the order given.
  package let writers: [Writer]
  private let sinks: [DescriptorSink]
  private let pushed: (track: OutputTrackFacts, file: Int, index: Int)?
  private var pulled: [Pulled]

  /// Begins all files.
  /// - Parameters:
  ///   - files: the files; `pushed` belongs to the one with `holdsPushedTrack`.
  ///   - pushed: the track whose samples come by ``push(_:)``.
  ///   - makeWriter: makes the writer of a file with these tracks.
  /// - Throws: what `makeWriter` throws.
  package init(
    files: [MultiplexedFile], pushed: OutputTrackFacts?,
    makeWriter: (any ByteSink, [OutputTrackFacts]) throws -> Writer
  ) throws {
    var pulled: [Pulled] = []
    var place: (track: OutputTrackFacts, file: Int, index: Int)?
    writers = try files.enumerated().map { number, file in
      var tracks: [OutputTrackFacts] = []
      for source in file.order {
        if let source {
          let places = source.tracks.indices.map { tracks.count + $0 }
          pulled.append(Pulled(source: source, file: number, places: places))
          tracks += source.tracks
        } else if let pushed {
          place = (pushed, number, tracks.count)
          tracks.append(pushed)
        }
      }
      return try makeWriter(file.sink, tracks)
    }
    for index in pulled.indices { pulled[index].ahead = try pulled[index].source.nextOfAll() }
    sinks = files.map(\.sink)
    self.pulled = pulled
    self.pushed = place
  }

  /// Takes the next sample of the pushed track, after it has pulled all samples that are decoded
  /// before it.
  package func push(_ sample: MediaSample) throws {
    guard let pushed else { throw MediaError(.internal, "there is no track to push to") }
    try pull(before: pushed.track.instant(sample))
    try writers[pushed.file].add(sample, track: pushed.index)
  }

  /// Pulls the remaining samples and completes all files. `tell` is called every 64 samples with
  /// the number of samples pulled.
  package func finish(_ tell: (Int) throws -> Void = { _ in }) throws {
    try pull(before: nil, tell)
    for (number, writer) in writers.enumerated() {
      let sound = pulled.first { entry in
        entry.file == number && entry.source.tracks.contains { $0.kind == .sound }
      }
      try blaming(sound?.source) { try writer.finish() }
    }
    for sink in sinks { try sink.finish() }
  }

  /// Moves samples that are decoded before `time`, earliest first.
  private func pull(before time: MediaTime?, _ tell: (Int) throws -> Void = { _ in }) throws {
    var count = 0
    while let (index, instant) = earliest(), let ahead = pulled[index].ahead {
      if let time, instant >= time { return }
      let entry = pulled[index]
      try blaming(entry.source) {
        try writers[entry.file].add(ahead.sample, track: entry.places[ahead.track])
      }
      pulled[index].ahead = try entry.source.nextOfAll()
      count += 1
      if count % 64 == 0 { try tell(count) }
    }
  }

  /// Runs `body` for a source. Times that the file can't store come from that source, so they are
  /// reported as its damage and not as a fault of the writer.
  private func blaming(_ source: (any CodedTracks)?, _ body: () throws -> Void) throws {
    do { try body() } catch let error as MediaError where error.kind == .internal {
      guard let source else { throw error }
      throw MediaError(
        .damaged, about: source.name, "its times can't be kept (\(error.message)); remux the file")
    }
  }

  private func earliest() -> (index: Int, time: MediaTime)? {
    var best: (index: Int, time: MediaTime)?
    for (index, entry) in pulled.enumerated() {
      guard let ahead = entry.ahead else { continue }
      let time = entry.facts.instant(ahead.sample)
      if best.map({ time < $0.time }) ?? true { best = (index, time) }
    }
    return best
  }
}

/// One file of an output with several tracks.
package struct MultiplexedFile {
  package var sink: DescriptorSink
  /// Tracks that are pulled, in the order they have in the file; chapters come last.
  package var tracks: [any CodedTracks]
  /// Whether the track that is pushed follows them in this file, in front of chapters.
  package var holdsPushedTrack: Bool
  /// Whether it stands in front of them instead.
  package var beginsWithPushedTrack = false
  /// Tracks that were rendered before, which stand directly in front of the pushed one.
  package var rendered: [any CodedTracks] = []

  /// The tracks as they follow each other in the file; `nil` stands for the pushed one. MediaInfo passes over chapters in front
  /// of the track that refers to them.
  package var order: [(any CodedTracks)?] {
    let others = tracks.filter { $0.tracks.first?.kind != .chapters }
    let chapters = tracks.filter { $0.tracks.first?.kind == .chapters }
    let pushed = rendered + (holdsPushedTrack ? [nil] : [])
    return (beginsWithPushedTrack ? pushed + others : others + pushed) + chapters
  }

  /// A file of these tracks.
  package init(
    sink: DescriptorSink, tracks: [any CodedTracks] = [], holdsPushedTrack: Bool = false
  ) {
    self.sink = sink
    self.tracks = tracks
    self.holdsPushedTrack = holdsPushedTrack
  }
}
