// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Matroska
import Platform

/// Writes a Matroska or WebM file (RFC 9559): its tracks in blocks, with chapters, attachments and tags in front of them.
///
/// Each time is rounded once from its exact value, to milliseconds where all times are whole ones, else to a finer tick. A lossy
/// track states its start-up samples as CodecDelay and its padding as DiscardPadding. Start-up samples of late sound are presented
/// as far as they lie after zero, because most readers play them. Samples in one order give the same bytes each time.
package final class MatroskaWriter: TrackWriter {
  private enum State { case open, finished, failed }

  private let sink: any ByteSink
  private let tracks: [OutputTrackFacts]
  private var builder: MatroskaSegmentBuilder
  /// Tracks of sound whose last valid sample hasn't come yet.
  private var unfinished: Set<Int>
  private var state = State.open

  /// Writes everything in front of the blocks. `parts` of another file go in front of what `texts` say; chapters of both exclude each
  /// other, and those of `parts` stand.
  /// - Throws: ``MediaError`` where a track's configuration can't be used, or whatever the sink throws.
  package init(
    sink: any ByteSink, tracks: [OutputTrackFacts], texts: TrackTexts,
    parts: MatroskaParts = MatroskaParts(), as docType: MatroskaDocType = .matroska, name: String
  ) throws {
    let tracks = tracks.map(\.withPresentedPriming)
    self.sink = sink
    self.tracks = tracks
    unfinished = Set(tracks.indices.filter { tracks[$0].kind == .sound && tracks[$0].length > 0 })
    let scale = TimestampScale.choose(tracks.map(MatroskaWriter.times))
    let info = MatroskaInfo(
      maker: texts.maker, timestampScale: scale, title: texts.tags["title"])
    var segment = MatroskaSegment(
      docType, info: info,
      tracks: try MatroskaWriter.entries(tracks, besides: parts.trackUIDs, of: name))
    segment.add(texts, tracks)
    segment.add(parts)
    builder = try MatroskaWriter.checked(name) {
      try MatroskaSegmentBuilder(segment) { try sink.write($0) }
    }
  }

  /// The entries of all tracks. Copied ones keep the numbers that tags refer to, and new ones get the smallest free ones besides
  /// `taken`.
  private static func entries(
    _ tracks: [OutputTrackFacts], besides taken: Set<UInt64>, of name: String
  ) throws -> [MatroskaTrackEntry] {
    var taken = taken.union(tracks.compactMap { $0.coding.original?.uid })
    return try tracks.enumerated().map { index, track in
      var entry = try MatroskaTrackEntry(track, number: index + 1, of: name)
      guard track.coding.original == nil else { return entry }
      while taken.contains(entry.uid) { entry.uid += 1 }
      taken.insert(entry.uid)
      return entry
    }
  }

  /// Times of a track, as far as they choose the tick. The first block is presented at its time without CodecDelay; Chromium loses 24
  /// samples of Opus where only the time with it is a whole millisecond.
  private static func times(_ track: OutputTrackFacts) -> TimestampScale.Times {
    let rate = Int64(track.timescale)
    return TimestampScale.Times(
      start: MediaTime(ticks: track.startOffset - track.priming, rate: rate),
      step: MediaTime(ticks: track.frame.map(Int64.init) ?? track.grid, rate: rate),
      // The ticks of a copied track are nanoseconds.
      sampleRate: track.kind == .sound && track.coding.original == nil ? track.timescale : nil)
  }

  /// Writes the next sample of a track. Sound that begins after its track's valid samples is left out.
  /// - Throws: ``MediaError`` of kind `internal` for a track that doesn't exist, a finished writer or a time that can't be stored,
  ///   or whatever the sink throws.
  package func add(_ sample: MediaSample, track: Int) throws {
    guard state == .open, tracks.indices.contains(track) else {
      throw MediaError(.internal, "Matroska track \(track): can't take a sample")
    }
    try guarded {
      if let block = block(of: sample, track) { try builder.add(block) }
    }
  }

  private func block(of sample: MediaSample, _ number: Int) -> MatroskaBlock? {
    let track = tracks[number]
    func time(_ ticks: Int64) -> MediaTime {
      MediaTime(ticks: ticks, rate: Int64(track.timescale))
    }
    let start = track.startOffset + sample.decodeTime + sample.compositionOffset - track.priming
    var block = MatroskaBlock(track: number + 1, time: time(start), data: sample.data)
    block.isKey = sample.isSync
    if let frame = sample.frame {
      block.take(frame)
      return block
    }
    switch track.kind {
    case .sound:
      let left = track.priming + track.length - sample.decodeTime
      guard left > 0 else { return nil }
      // The last packet of an encoder may state less than it decodes to.
      let whole =
        track.coding.isLossy ? max(sample.duration, Int64(track.frame ?? 0)) : sample.duration
      block.duration = time(min(left, whole))
      if left <= whole { unfinished.remove(number) }
      if left < whole { block.discardPadding = time(whole - left) }
    case .subtitles:
      block.duration = time(sample.duration)
      block.statesDuration = true
    case .pictures, .chapters, .other: block.duration = time(sample.duration)
    }
    return block
  }

  /// Completes the file.
  /// - Throws: ``MediaError`` of kind `internal` when a track of sound has fewer samples than it promised, or whatever the sink throws.
  package func finish() throws {
    guard state == .open else { throw MediaError(.internal, "Matroska: finished twice") }
    try guarded {
      if let track = unfinished.min() {
        throw MediaError(.internal, "Matroska track \(track): its media end early")
      }
      for patch in try builder.finish() { try sink.replace(at: patch.offset, by: patch.bytes) }
      state = .finished
    }
  }

  /// After a failure the output is incomplete, so that nothing more may be added to it.
  private func guarded(_ body: () throws -> Void) throws {
    do {
      try MatroskaWriter.checked("Matroska", body)
    } catch {
      state = .failed
      throw error
    }
  }

  /// Runs `body`, whose refusals are faults of the file called `name`.
  private static func checked<Result>(_ name: String, _ body: () throws -> Result) throws -> Result
  {
    do { return try body() } catch let error as MatroskaError {
      throw MediaError(.internal, about: name, "\(error)")
    }
  }
}

extension MultiplexedAudioWriter where Writer == MatroskaWriter {
  /// Writes Matroska. Of `settings` only texts count.
  /// - Throws: as the other initialiser.
  package convenience init(
    name: String, files: [MultiplexedFile], audio: any PushedTrack, settings: SoundSettings,
    parts: MatroskaParts = MatroskaParts(), as docType: MatroskaDocType = .matroska
  ) throws {
    try self.init(name: name, files: files, audio: audio) { sink, tracks in
      try MatroskaWriter(
        sink: sink, tracks: tracks, texts: settings.texts, parts: parts, as: docType, name: name)
    }
  }
}

extension MatroskaBlock {
  /// Takes all that the block of `frame` says but its time. Frames that shared a block get one each, so what it lasts in all goes.
  fileprivate mutating func take(_ frame: MatroskaFrame) {
    isKey = frame.isKey
    isInvisible = frame.isInvisible
    isDiscardable = frame.isDiscardable
    references = frame.references.map { .nanoseconds($0) }
    additions = frame.lace.index == 0 ? frame.additions : []
    if frame.discardPadding != 0 { discardPadding = .nanoseconds(frame.discardPadding) }
    guard frame.lace.count == 1, let length = frame.duration else { return }
    duration = .nanoseconds(length)
    statesDuration = true
  }
}

extension TrackCoding {
  fileprivate var isLossy: Bool {
    if case .encoded(let sound) = self { return !sound.codec.isLossless }
    return true
  }
}
