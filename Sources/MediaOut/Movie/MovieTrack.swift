import AudioCore
import ISOBMFF

/// A track as ``FragmentedMP4Writer`` writes it: its facts with a sample entry.
package struct MovieTrack: Sendable {
  package var facts: OutputTrackFacts
  /// A whole box.
  package let sampleEntry: [UInt8]

  /// A track with the sample entry of its coding.
  /// - Throws: `BoxError` where its configuration can't be used.
  package init(_ facts: OutputTrackFacts) throws {
    self.init(facts, sampleEntry: try facts.coding.sampleEntry(facts))
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
    case .chapters: return .chapters
    }
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
        sampleRate: sound.sampleRate
      ).encoded
    case .mpegH(let form, let sound):
      return try MPEGHSampleEntry(
        form, configuration: sound.configuration, channels: sound.channels,
        sampleRate: sound.sampleRate
      ).encoded
    case .iamf(let configuration): return IAMFSampleEntry(configuration: configuration).encoded
    case .pictures(let entry): return entry.bytes
    case .timedText: return TimedTextSampleEntry(isForced: facts.roles.contains(.forced)).encoded
    case .titles: return ChapterSampleEntry().encoded
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
  private func streamInfo(_ length: Int64) -> [UInt8] {
    guard configuration.count == 34, (0..<1 << 36).contains(length) else { return configuration }
    var info = configuration
    info[13] = info[13] & 0xF0 | UInt8(truncatingIfNeeded: length >> 32) & 0x0F
    for index in 0..<4 {
      info[14 + index] = UInt8(truncatingIfNeeded: length >> Int64(24 - 8 * index))
    }
    return info
  }
}
