// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Matroska
import MediaIn
import MediaOut
import Report

/// Hands out the frames of several tracks: beside pictures, which are decoded in another order than shown, in the order of their
/// file, else in the order of time, because some programs write them in runs of one track.
final class OriginalTracks: CodedTracks {
  /// Nanoseconds of a file that are looked through for an earlier frame, and most frames that wait meanwhile.
  private static let (reach, most) = (Int64(1_000_000_000), 512)

  let name: String
  let tracks: [OutputTrackFacts]
  private var frames: MatroskaFrames
  private let places: [Int: Int]
  private let delays: [Int64]
  /// Distance that is added to a time of the source, to give one of the output.
  private let shift: MediaTime
  /// Reports where damage ends the tracks; `nil` refuses it.
  private let conceals: DiagnosticLog?
  private let isByTime: Bool
  /// Frames that were read ahead, by time.
  private var waiting: [(track: Int, sample: MediaSample)] = []
  private var isAtEnd = false

  init(
    name: String, frames: MatroskaFrames, entries: [MatroskaTrackEntry], scale: Int64,
    shift: MediaTime, conceals: DiagnosticLog?
  ) {
    self.name = name
    self.frames = frames
    self.shift = shift
    self.conceals = conceals
    places = Dictionary(
      entries.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
    delays = entries.map(\.codecDelay.nanoseconds)
    isByTime = !entries.contains { $0.kind == .video }
    tracks = entries.map { OutputTrackFacts($0, scale: scale, shift: shift) }
  }

  func nextOfAll() throws -> (track: Int, sample: MediaSample)? {
    guard isByTime else { return try read() }
    while !isAtEnd, waiting.count < OriginalTracks.most,
      Saturating.difference(
        waiting.last?.sample.decodeTime ?? 0, waiting.first?.sample.decodeTime ?? 0)
        < OriginalTracks.reach
    {
      guard let next = try read() else {
        isAtEnd = true
        break
      }
      // Frames of one time keep their order.
      let later = waiting.lastIndex { $0.sample.decodeTime <= next.sample.decodeTime }
      waiting.insert(next, at: later.map { $0 + 1 } ?? 0)
    }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// The next frame of the file.
  private func read() throws -> (track: Int, sample: MediaSample)? {
    do throws(MatroskaFinding) {
      guard let frame = try frames.next(), let place = places[frame.track] else { return nil }
      let time = shift + .nanoseconds(Saturating.difference(frame.time, delays[place]))
      var sample = MediaSample(
        data: frame.data, decodeTime: time.nanoseconds, duration: max(1, frame.duration ?? 1),
        isSync: frame.isKey)
      sample.frame = frame
      return (place, sample)
    } catch {
      guard let log = conceals else {
        throw MediaError(
          .damaged, about: name,
          "its tracks can't be copied whole (\(error)); \(setting: .damage) conceal keeps what lies before"
        )
      }
      if !log.holds(.copiesCut) {
        log.degrade(
          .copiesCut, "the copied tracks end early, where the file is damaged (\(error))")
      }
      return nil
    }
  }
}

extension OutputTrackFacts {
  /// A track that is copied from a file whose ticks are `scale` nanoseconds. Its own ticks are nanoseconds.
  fileprivate init(_ entry: MatroskaTrackEntry, scale: Int64, shift: MediaTime) {
    let kinds: [MatroskaTrackEntry.Kind: Kind] = [
      .video: .pictures, .audio: .sound, .subtitle: .subtitles,
    ]
    self.init(kinds[entry.kind] ?? .other, .matroska(entry), timescale: 1_000_000_000, length: 0)
    // As far as the choice of the tick depends on it, a shift moves all times of the source's ticks.
    let moved = shift.nanoseconds % scale
    grid = moved == 0 ? scale : moved
    roles = entry.isDefault ? .main : []
    language = entry.languageBCP47 ?? entry.language
    name = entry.name
  }
}
