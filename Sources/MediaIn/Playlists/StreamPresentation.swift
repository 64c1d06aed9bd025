// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// A complete programme of HTTP Live Streaming (RFC 8216): the chosen media playlist, and the variants and
/// renditions that it was chosen from.
package final class StreamPresentation {
  /// Variants of the multivariant playlist; empty when a media playlist was given.
  package let variants: [PlaylistVariant]
  /// Its audio renditions.
  package let renditions: [PlaylistRendition]
  /// The parts of the programme in order; each has a container of its own.
  package let sections: [StreamSection]
  /// Whether pictures that go with the sound lie in another media playlist, which isn't read.
  package let hasPicturesElsewhere: Bool
  /// Subtitle renditions that go with it, which aren't read.
  package let subtitles: Int
  /// The choice among the tracks inside a section.
  package let track: TrackChoice

  private let name: String
  private let address: ResourceAddress
  private let segments: [PlaylistSegment]
  private let loader: SegmentLoader

  /// Reads the playlist `bytes` that came from `address`; of a multivariant playlist, fetches and reads the
  /// chosen media playlist, too.
  /// - Throws: ``MediaError``; of kind `unsupportedFeature` for a live programme.
  init(
    _ bytes: [UInt8], at address: ResourceAddress, track: TrackChoice, loader: ResourceLoader,
    log: DiagnosticLog
  ) throws {
    name = address.name
    var place = address
    var media = bytes
    if MultivariantPlaylist.isMultivariant(bytes) {
      let playlist = try MultivariantPlaylist(bytes, name: name)
      let choice = try RenditionChoice(playlist, track: track, name: name, log: log)
      let fetched = try loader.bytes(
        address.resolving(choice.uri), limit: PlaylistLine.limit)
      (place, media) = (fetched.arrival.address, fetched.bytes)
      (variants, renditions) = (playlist.variants, playlist.renditions)
      self.track = choice.track
      (hasPicturesElsewhere, subtitles) = (choice.hasPicturesElsewhere, choice.subtitles)
    } else {
      (variants, renditions, self.track) = ([], [], track)
      (hasPicturesElsewhere, subtitles) = (false, 0)
    }
    let playlist = try MediaPlaylist(media, name: place.name)
    guard playlist.isComplete else {
      throw MediaError(
        .unsupportedFeature, about: place.name,
        "is a live stream (no EXT-X-ENDLIST); give the playlist of a recording")
    }
    segments = playlist.segments
    sections = StreamSection.sections(of: playlist.segments)
    self.address = place
    self.loader = SegmentLoader(playlist: place, loader: loader, log: log)
  }

  /// Fetches a section as one file: its initialisation section and then its segments.
  /// - Throws: ``MediaError`` that names the segment.
  package func open(_ section: StreamSection) throws -> LocalFile {
    let file = try TemporaryFile()
    let range = section.firstSegment..<section.firstSegment + section.segmentCount
    if let map = segments[section.firstSegment].map { try loader.append(map, to: file) }
    for index in range { try loader.append(segments[index], number: index, to: file) }
    let part = sections.count > 1 ? ", segments \(range.lowerBound) to \(range.upperBound - 1)" : ""
    return try file.sealed(name: name + part)
  }

  /// URI of the first segment of a section, as written.
  package func firstURI(of section: StreamSection) -> String { segments[section.firstSegment].uri }

  /// Paths of the media playlist and of the local files it names, each once; empty for a playlist on the
  /// web.
  package var localFiles: [String] {
    var seen: PathSet = []
    for uri in segments.map(\.uri) + segments.compactMap(\.map?.uri) {
      if case .local(let path, _)? = try? address.resolving(uri) { seen.insert(path) }
    }
    if case .local(let path, _) = address { seen.insert(path) }
    return seen.sorted()
  }
}

/// Consecutive segments of HLS that share a container and a clock (RFC 8216, 4.3.2.3).
package struct StreamSection: Sendable, Equatable {
  /// Number of its first segment in the playlist, counted from 0.
  package let firstSegment: Int
  /// How many segments it has.
  package internal(set) var segmentCount: Int
  /// Duration that the playlist states, in nanoseconds.
  package internal(set) var duration: Int64
  /// Greatest rounding error of the duration, in nanoseconds.
  package internal(set) var uncertainty: Int64
  /// Whether the playlist states that the segments are missing (EXT-X-GAP).
  package let isGap: Bool

  /// Groups the segments of a playlist: a discontinuity, another initialisation section or a gap
  /// begins a new section.
  static func sections(of segments: [PlaylistSegment]) -> [StreamSection] {
    var result: [StreamSection] = []
    for (index, segment) in segments.enumerated() {
      let before = index > 0 ? segments[index - 1] : nil
      let goesOn =
        !segment.isDiscontinuous && segment.map == before?.map && segment.isGap == before?.isGap
      if goesOn, !result.isEmpty {
        result[result.count - 1].segmentCount += 1
        result[result.count - 1].duration += segment.duration
        result[result.count - 1].uncertainty += segment.uncertainty
      } else {
        result.append(
          StreamSection(
            firstSegment: index, segmentCount: 1, duration: segment.duration,
            uncertainty: segment.uncertainty, isGap: segment.isGap))
      }
    }
    return result
  }
}
