// SPDX-License-Identifier: Apache-2.0

/// Sources of start, end and gaps of one kind of track, in order of priority.
///
/// A field means something only where its container or codec defines it: iTunSMPB is a tag of MP4 and MP3 files; one that a converter
/// copied into a FLAC file says nothing about its samples. Everything that decides on
/// start, end and gaps asks these rows; docs/explain/trimming.md shows them.
package struct TimeRule: Sendable, Hashable {
  /// Evidence that sound is missing between two frames, or there twice.
  package enum Gaps: String, Sendable, CaseIterable {
    /// The times that the container stores.
    case clock
    /// The positions that pages state, and their numbers.
    case pages
    /// Numbers in the headers of the frames.
    case numbers
    /// Nothing: the frames follow one another, and times are sums of their lengths.
    case nothing
  }

  /// A kind of codec that a row is for.
  package enum Codecs: Sendable, Hashable {
    /// All codecs that no earlier row names.
    case others
    /// Codecs whose decoder removes the start-up itself.
    case takenOut
    /// ADPCM and Microsoft's GSM, whose blocks all have one length.
    case blocks
    /// A single one.
    case one(CodecTraits)

    /// Whether `codec` is of this kind.
    fileprivate func hold(_ codec: CodecTraits) -> Bool {
      switch self {
      case .others: true
      case .takenOut: codec.startUp == .takenOut
      case .blocks: codec.isOfBlocks
      case .one(let one): one == codec
      }
    }
  }

  /// Containers that the row is for; empty for all that no row before it names.
  package let containers: [ContainerTraits]
  /// Codecs that the row is for.
  package let codecs: Codecs
  /// Facts that state the number of start-up samples; the first that is there counts.
  package let start: [PrimingSource]
  /// Facts that state where the programme ends; the first that is there, and that the decode confirms, counts.
  package let end: [PaddingSource]
  /// The evidence of gaps and overlaps.
  package let gaps: Gaps

  /// The rule for a track of `codec` in `container`; `nil` stands for sound that wasn't read from a container.
  package static func of(_ container: ContainerTraits?, _ codec: CodecTraits) -> TimeRule {
    let row = rows.first { row in
      let isNamed = container.map(row.containers.contains) ?? false
      return (row.containers.isEmpty || isNamed) && row.codecs.hold(codec)
    }
    return row ?? last
  }
}

extension TimeRule {
  /// All rows; the first one that fits a track counts.
  package static let rows =
    movies + [
      // CodecDelay would take off once more what the decoder of Vorbis removes; some writers state it.
      TimeRule([.matroska], .takenOut, start: [.decoder], end: [.discard], gaps: .clock),
      // The frame in front of an MP3's sound describes the frames after it, whichever container they were copied to.
      TimeRule(
        [.matroska], .one(.mp3), start: [.lame, .codecDelay, .decoder, .codecTable],
        end: [.lame, .discard], gaps: .clock),
      TimeRule(
        [.matroska], .others, start: [.codecDelay, .opusHeader, .decoder, .codecTable],
        end: [.discard], gaps: .clock),
      TimeRule([.ogg], .takenOut, start: [.firstPage, .decoder], end: [.discard], gaps: .pages),
      TimeRule(
        [.ogg], .others, start: [.opusHeader, .firstPage, .decoder, .codecTable],
        end: [.discard], gaps: .pages),
      // iTunes states the encoder's delay in the tag where it writes no LAME header.
      TimeRule(
        [.mp3], .one(.mp3), start: [.lame, .iTunSMPB, .codecTable], end: [.lame, .iTunSMPB],
        gaps: .nothing),
      TimeRule(
        [.mpegTS, .mpegPS, .flv, .asf, .avi], .one(.mp3), start: [.lame, .decoder, .codecTable],
        end: [.lame, .discard], gaps: .clock),
      // libavformat makes up a header of Opus here, whose pre-skip isn't the encoder's.
      TimeRule(
        [.mpegTS], .others, start: [.decoder, .codecTable], end: [.discard], gaps: .clock),
      TimeRule(
        [.mpegPS, .flv, .asf, .avi], .others, start: [.opusHeader, .decoder, .codecTable],
        end: [.discard], gaps: .clock),
      TimeRule(
        [.caf], .others, start: [.packetTable, .opusHeader, .decoder, .codecTable],
        end: [.packetTable, .discard], gaps: .nothing),
      // Writers state bytes, frames or samples in `fact` for codecs of frames, so that it counts for blocks only.
      TimeRule([.wav], .blocks, start: [.codecTable], end: [.fact], gaps: .nothing),
      TimeRule(
        [.flac, .wavPack], .others, start: [.codecTable], end: [], gaps: .numbers),
      TimeRule(
        [], .one(.mp3), start: [.lame, .decoder, .codecTable], end: [.lame, .discard],
        gaps: .nothing),
      TimeRule(
        [.aiff], .others, start: [.decoder, .codecTable], end: [.common, .discard], gaps: .nothing),
      last,
    ]

  private static let movies = [
    TimeRule(
      [.mp4], .takenOut, start: [.editList, .decoder], end: [.editList, .discard, .sampleTable],
      gaps: .clock),
    TimeRule(
      [.mp4], .one(.mp3), start: [.editList, .lame, .iTunSMPB, .decoder, .codecTable],
      end: [.editList, .lame, .iTunSMPB, .discard, .sampleTable], gaps: .clock),
    TimeRule(
      [.mp4], .others,
      start: [.editList, .iTunSMPB, .opusHeader, .decoder, .codecTable],
      end: [.editList, .iTunSMPB, .discard, .sampleTable], gaps: .clock),
  ]

  /// Bare streams, and containers whose packets lie at places instead of times.
  private static let last = TimeRule(
    [], .others, start: [.opusHeader, .decoder, .codecTable], end: [.discard], gaps: .nothing)

  private init(
    _ containers: [ContainerTraits], _ codecs: Codecs, start: [PrimingSource],
    end: [PaddingSource], gaps: Gaps
  ) {
    self.containers = containers
    self.codecs = codecs
    self.start = start
    self.end = end
    self.gaps = gaps
  }
}

extension TimeRule {
  /// The rows as a table of Markdown, for docs/explain/trimming.md.
  package static var page: [String] {
    let head = [
      "| container | codec | start-up | end | gaps |", "|---|---|---|---|---|",
    ]
    return head
      + rows.map { row in
        let containers = row.containers.map(\.name).joined(separator: ", ")
        let start = row.start.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        let end = row.end.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        return
          "| \(containers.isEmpty ? "all others" : containers) | \(row.codecNames) | \(start) "
          + "| \(end.isEmpty ? "the frames" : end) | \(row.gaps.rawValue) |"
      }
  }

  /// The codecs of the row by name.
  private var codecNames: String {
    switch codecs {
    case .others: return "others"
    case .one(let codec): return codec.name
    case .blocks: return "ADPCM, gsm_ms"
    case .takenOut:
      let all = CodecTraits.decoded + [CodecTraits.ac4, .iamf]
      return all.filter { $0.startUp == .takenOut }.map(\.name).joined(separator: ", ")
    }
  }
}

/// The source of the number of start-up samples.
public enum PrimingSource: String, ReportWord {
  /// MP4 edit list.
  case editList = "elst"
  /// Apple's iTunSMPB tag.
  case iTunSMPB = "itunsmpb"
  /// The packet table of a Core Audio file.
  case packetTable = "packet-table"
  /// Matroska's CodecDelay.
  case codecDelay = "codec-delay"
  /// The first page of Ogg, whose position is smaller than the number of its samples.
  case firstPage = "first-page"
  /// LAME/Xing header of an MP3.
  case lame
  /// Pre-skip of the Opus header.
  case opusHeader = "opus-header"
  /// Skip side data of the decoder.
  case decoder
  /// Pinna's table of codec delays.
  case codecTable = "codec-table"
  /// `--priming`.
  case option
  /// There is none, and no samples are dropped.
  case unknown
}

/// The source of the programme's end.
public enum PaddingSource: String, ReportWord {
  /// MP4 edit list duration.
  case editList = "elst"
  /// Durations of the MP4 sample table or fragment runs.
  case sampleTable = "sample-table"
  /// Apple's iTunSMPB tag.
  case iTunSMPB = "itunsmpb"
  /// The packet table of a Core Audio file.
  case packetTable = "packet-table"
  /// The `fact` chunk of a WAV file.
  case fact
  /// The `COMM` chunk of an AIFF file.
  case common = "comm"
  /// LAME/Xing header of an MP3.
  case lame
  /// Discard side data: Matroska DiscardPadding, Ogg granule position.
  case discard = "discard-padding"
  /// The codec is lossless: there is no padding.
  case lossless
  /// The number of padding samples at the end isn't stated; all samples are kept.
  case unknown
}

/// The kind of a jump in the timestamps of a track.
public enum GapKind: String, ReportWord {
  /// They jumped forward; silence was inserted.
  case gap
  /// They jumped back; the overlapping samples were dropped.
  case overlap
  /// They jumped so far, or back so far, that the clock was taken as restarted; nothing inserted or
  /// dropped.
  case discontinuity
}
