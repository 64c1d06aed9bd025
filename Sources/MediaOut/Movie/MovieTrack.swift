// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF

/// A track as writers of MP4 write it: its facts with a sample entry.
package struct MovieTrack: Sendable {
  package var facts: OutputTrackFacts
  /// A whole box.
  package let sampleEntry: [UInt8]

  /// A track with the sample entry of its coding.
  /// - Throws: `BoxError` where its configuration can't be used.
  package init(_ facts: OutputTrackFacts) throws {
    self.init(facts, sampleEntry: try facts.coding.sampleEntry(facts))
  }

  /// As above, for the output `name`, which messages give.
  /// - Throws: ``MediaError`` where its configuration can't be used.
  init(_ facts: OutputTrackFacts, of name: String) throws {
    do { try self.init(facts) } catch let error as BoxError {
      guard case .encoded = facts.coding else {
        throw MediaError(.damaged, "its codec configuration can't be used (\(error))")
      }
      throw MediaError(
        .internal, about: name, "the encoder's configuration can't be used: \(error)")
    }
  }

  /// A track with a sample entry that was made elsewhere.
  package init(_ facts: OutputTrackFacts, sampleEntry: [UInt8]) {
    self.facts = facts
    self.sampleEntry = sampleEntry
  }

  /// Its kind as boxes name it.
  var kind: TrackBox.Kind {
    switch facts.kind {
    case .sound: return .audio
    case .pictures: return .video
    case .subtitles: return .text
    // Tracks of other kinds have no sample entry, so that they don't come here.
    case .chapters, .other: return .chapters
    }
  }

  /// Its box without samples, beside the tracks of `facts`, of which it is one.
  func box(among facts: [OutputTrackFacts], edits: EditListBox) -> TrackBox {
    let track = self.facts
    let chapters = facts.firstIndex { $0.kind == .chapters }.map { $0 + 1 }
    let alternatives = facts.filter { $0.kind == track.kind }.count
    var box = TrackBox(
      kind: kind, timescale: track.timescale, sampleEntry: sampleEntry, language: track.language,
      isEnabled: track.roles.contains(.main),
      alternateGroup: alternatives > 1 ? (track.kind == .sound ? 1 : 2) : 0, edits: edits,
      rollDistance: track.rollDistance, chapterTrack: track.kind == .sound ? chapters : nil,
      loudness: track.loudness, width: track.picture?.width ?? 0,
      height: track.picture?.height ?? 0, displayMatrix: track.picture?.displayMatrix)
    box.title = track.name
    box.roles = MovieTrack.roles(track)
    return box
  }

  /// Words of DASH for the purposes of a track; the default stands in its header, and forced texts in their sample entry.
  private static func roles(_ track: OutputTrackFacts) -> [String] {
    let words: [(OutputTrackFacts.Roles, String)] = [
      (.commentary, "commentary"), (.visualImpaired, "description"),
      (.hearingImpaired, track.kind == .subtitles ? "caption" : DASHRole.clearSpeech),
    ]
    return words.filter { track.roles.contains($0.0) }.map(\.1)
  }

  /// Refuses facts that boxes can't hold; `number` is the track's, from 0.
  /// - Throws: ``MediaError`` of kind `internal`.
  func check(_ number: Int) throws {
    let times: ClosedRange<Int64> = 0...1 << 60
    guard (1...Int(UInt32.max)).contains(facts.timescale), sampleEntry.count >= 16,
      times.contains(facts.priming), times.contains(facts.length),
      times.contains(facts.startOffset), facts.rollDistance ?? -1 < 0
    else { throw MediaError(.internal, "MP4 track \(number): its facts are out of range") }
  }
}

extension TrackCoding {
  /// Brands of an output with such a track besides the usual, as four-character codes.
  package var brands: [String] {
    if case .iamf = self { return ["iamf"] }
    return []
  }

  fileprivate func sampleEntry(_ facts: OutputTrackFacts) throws -> [UInt8] {
    switch self {
    case .encoded(let sound): return try sound.sampleEntry(length: facts.length)
    case .dolby(let coding, let sound):
      return try DolbySampleEntry(
        coding, configuration: sound.configuration, channels: sound.channels,
        sampleRate: sound.sampleRate,
        boxes: sound.isBinaural ? ChannelTagBox.binaural.encoded : []
      ).encoded
    case .aac(let sound):
      return try AACSampleEntry(
        configuration: sound.configuration, channels: sound.channels,
        sampleRate: sound.sampleRate
      ).encoded
    case .mpegH(let form, let sound):
      return try MPEGHSampleEntry(
        form, configuration: sound.configuration, channels: sound.channels,
        sampleRate: sound.sampleRate
      ).encoded
    case .iamf(let configuration): return IAMFSampleEntry(configuration: configuration).encoded
    case .pictures(let entry): return entry.bytes
    case .plainText, .webVTT:
      throw MediaError(.internal, "MP4: no sample entry for texts of Matroska")
    case .timedText: return TimedTextSampleEntry(isForced: facts.roles.contains(.forced)).encoded
    case .titles: return ChapterSampleEntry().encoded
    case .matroska:
      throw MediaError(.internal, "MP4: no sample entry for a track of Matroska")
    }
  }
}

extension TrackCoding.EncodedSound {
  /// The sample entry of `length` samples.
  fileprivate func sampleEntry(length: Int64) throws -> [UInt8] {
    let mark = isBinaural ? ChannelTagBox.binaural.encoded : []
    switch codec {
    case .aac:
      return try AACSampleEntry(
        configuration: configuration, channels: format.channels, sampleRate: format.sampleRate,
        averageBitRate: bitRate, boxes: mark
      ).encoded
    case .flac: return try FLACSampleEntry(streamInfo: streamInfo(length), boxes: mark).encoded
    case .alac: return try ALACSampleEntry(cookie: configuration, boxes: mark).encoded
    case .opus: return try OpusSampleEntry(head: configuration, boxes: mark).encoded
    case .mp3: throw MediaError(.internal, "MP4: no sample entry for MP3")
    case .ac3, .eac3: throw MediaError(.internal, "MP4: AC-3 needs its first frame")
    case .pcm:
      return try PCMSampleEntry(
        isFloat: false, bits: bits, isLittleEndian: true, channels: format.channels,
        sampleRate: format.sampleRate, boxes: channelLayout + mark
      ).encoded
    }
  }

  /// PCM has no codec header that names its channels: one position of ISO/IEC 23091-3 for each.
  private var channelLayout: [UInt8] {
    guard format.layout.count > 2, let positions = ChannelPositions.numbers(of: format.layout)
    else { return [] }
    return ChannelLayoutBox(.positions(positions)).encoded
  }

  /// STREAMINFO with the sample count, which libavcodec leaves open at the start (RFC 9639, 8.2).
  func streamInfo(_ length: Int64) -> [UInt8] {
    guard configuration.count == 34, (0..<1 << 36).contains(length) else { return configuration }
    var info = configuration
    info[13] = info[13] & 0xF0 | UInt8(truncatingIfNeeded: length >> 32) & 0x0F
    for index in 0..<4 {
      info[14 + index] = UInt8(truncatingIfNeeded: length >> Int64(24 - 8 * index))
    }
    return info
  }
}
