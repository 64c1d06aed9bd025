// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import Matroska
import Platform

/// How facts of a track stand in its entry (RFC 9559, 5.1.4.1; codecs: RFC 9559's mappings).
extension MatroskaTrackEntry {
  /// The entry of a track, which blocks call `number`, in the output `name`.
  /// - Throws: ``MediaError`` where its codec has no mapping.
  init(_ facts: OutputTrackFacts, number: Int, of name: String) throws {
    if let original = facts.coding.original {
      self = original
      self.number = number
      isDefault = facts.roles.contains(.main)
      return
    }
    guard let codec = facts.coding.matroska(facts) else {
      throw MediaError(
        .internal, about: name, "track \(number) has a codec without a mapping to Matroska")
    }
    self.init(number: number, kind: facts.kind.matroska, codecID: codec.id)
    codecPrivate = codec.configuration
    isDefault = facts.roles.contains(.main)
    roles = Roles(facts.roles)
    let tag = LanguageTag(facts.language)
    language = MatroskaTrackEntry.bibliographic(tag)
    languageBCP47 = tag?.text
    self.name = facts.name
    let rate = Int64(facts.timescale)
    defaultDuration = facts.frame.map { MediaTime(ticks: Int64($0), rate: rate) }
    if facts.kind == .sound {
      codecDelay = MediaTime(ticks: facts.priming, rate: rate)
    }
    if case .encoded(let encoded) = facts.coding {
      sound = Sound(
        rate: Double(encoded.format.sampleRate), channels: encoded.format.channels,
        bitDepth: encoded.codec.isLossless ? encoded.bits : nil)
      if case .samples(let count) = encoded.codec.traits.preRoll {
        seekPreRoll = MediaTime(ticks: Int64(count), rate: rate)
      }
    }
    switch facts.coding {
    case .dolby(_, let coded), .aac(let coded):
      sound = Sound(rate: Double(coded.sampleRate), channels: coded.channels)
    default: break
    }
    if case .pictures(let entry) = facts.coding {
      video = MatroskaVideo(entry, facts.picture)
      additionMappings = entry.dolbyVisionMapping
    }
  }
}

extension MatroskaTrackEntry.Roles {
  /// The flags of purposes; the default has a field of its own.
  package init(_ roles: OutputTrackFacts.Roles) {
    let flags: [(OutputTrackFacts.Roles, Self)] = [
      (.forced, .forced), (.commentary, .commentary), (.hearingImpaired, .hearingImpaired),
      (.visualImpaired, .visualImpaired), (.original, .original),
    ]
    self.init(flags.filter { roles.contains($0.0) }.map(\.1))
  }
}

extension OutputTrackFacts.Kind {
  fileprivate var matroska: MatroskaTrackEntry.Kind {
    switch self {
    case .sound: return .audio
    case .pictures: return .video
    case .subtitles, .chapters: return .subtitle
    case .other: return .metadata
    }
  }
}

extension TrackCoding {
  /// The entry that is written as it was read; `nil` for a track that gets an entry of its own.
  var original: MatroskaTrackEntry? {
    if case .matroska(let entry) = self { return entry }
    return nil
  }

  /// Identifier and CodecPrivate; `nil` for a codec without a mapping here.
  fileprivate func matroska(_ facts: OutputTrackFacts) -> (id: String, configuration: [UInt8]?)? {
    switch self {
    case .encoded(let sound): return sound.matroska(length: facts.length)
    case .pictures(let entry): return entry.matroskaCodec.map { ($0, entry.matroskaConfiguration) }
    case .plainText: return ("S_TEXT/UTF8", nil)
    case .webVTT: return ("D_WEBVTT/SUBTITLES", nil)
    case .dolby(.ac3, _): return ("A_AC3", nil)
    case .dolby(.eac3, _): return ("A_EAC3", nil)
    case .aac(let sound): return ("A_AAC", sound.configuration)
    case .dolby, .mpegH, .iamf, .timedText, .titles, .matroska: return nil
    }
  }
}

extension TrackCoding.EncodedSound {
  /// Bytes of the MP4 box around ALAC's cookie in libavcodec's configuration.
  private static let cookieBox = 12
  fileprivate func matroska(length: Int64) -> (id: String, configuration: [UInt8]?)? {
    switch codec {
    case .aac: return ("A_AAC", configuration)
    case .opus: return ("A_OPUS", configuration)
    case .flac: return ("A_FLAC", flacHeader(length))
    case .alac: return ("A_ALAC", Array(configuration.dropFirst(Self.cookieBox)))
    case .pcm: return ("A_PCM/INT/LIT", nil)
    case .mp3, .ac3, .eac3: return nil
    }
  }

  /// The stream's marker and its metadata blocks: STREAMINFO, and a comment where it alone doesn't tell the layout (RFC 9639, 8).
  private func flacHeader(_ length: Int64) -> [UInt8] {
    var comments = CommentBlock()
    comments.addChannelMask(of: format.layout)
    let info = streamInfo(length)
    func block(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
      [type] + UInt32(content.count).bigEndianBytes.dropFirst() + content
    }
    // The first bit marks the last block; 4 is the type of comments.
    let blocks =
      comments.entries.isEmpty
      ? block(0x80, info) : block(0, info) + block(0x84, comments.bytes)
    return Array("fLaC".utf8) + blocks
  }
}

extension VisualSampleEntry {
  /// Boxes of decoders' configurations with the codecs that they are of. Entries of Dolby Vision have types of their own.
  private static let codecs = [
    ("avcC", "V_MPEG4/ISO/AVC"), ("hvcC", "V_MPEGH/ISO/HEVC"), ("av1C", "V_AV1"), ("vpcC", "V_VP9"),
  ]

  /// Identifier of the codec in Matroska; `nil` for one without a mapping here.
  package var matroskaCodec: String? {
    VisualSampleEntry.codecs.first { payload($0.0) != nil }?.1
  }

  /// CodecPrivate; VP9 needs none.
  fileprivate var matroskaConfiguration: [UInt8]? {
    VisualSampleEntry.codecs.dropLast().lazy.compactMap { self.payload($0.0) }.first
  }

  /// The mapping of Dolby Vision's configuration (Matroska's registry of BlockAddIDType); none without one.
  fileprivate var dolbyVisionMapping: [[UInt8]] {
    for type in ["dvcC", "dvvC", "dvwC"] {
      guard let box = payload(type) else { continue }
      var builder = EBMLBuilder()
      builder.master(.blockAdditionMapping) {
        $0.text(.blockAddIDName, "Dolby Vision configuration")
        // The type is the box's four-character code as a number.
        $0.unsigned(.blockAddIDType, type.utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        $0.binary(.blockAddIDExtraData, box)
      }
      return [builder.bytes]
    }
    return []
  }
}

extension MatroskaVideo {
  /// Size, shape of pixels, turn, colours and light of an MP4 entry.
  fileprivate init(_ entry: VisualSampleEntry, _ picture: OutputTrackFacts.Picture?) {
    // Width and height of coded pixels stand in the entry (ISO/IEC 14496-12, 12.1.3).
    self.init(
      width: Int(entry.bytes.bigEndian16(at: 32)), height: Int(entry.bytes.bigEndian16(at: 34)))
    if let box = entry.payload("pasp"), box.count >= 8 {
      let (wide, high) = (Int(box.bigEndian32(at: 0)), Int(box.bigEndian32(at: 4)))
      if wide > 0, high > 0, wide != high {
        displayWidth = (width * wide + high / 2) / high
        displayHeight = height
      }
    }
    if let matrix = picture?.displayMatrix, matrix.count == 9 {
      projection = Projection(matrix.map(Double.init))
    }
    colour = MatroskaColour(entry)
  }
}

extension MatroskaVideo.Projection {
  /// The turn, and the mirror as a view from behind, of a matrix in `tkhd`; `nil` for neither.
  fileprivate init?(_ matrix: [Double]) {
    let isMirrored = matrix[0] * matrix[4] - matrix[1] * matrix[3] < 0
    // The matrix turns with the clock, and the roll against it.
    let angle = -atan2(matrix[1], isMirrored ? -matrix[0] : matrix[0]) * 180 / .pi
    guard isMirrored || angle != 0 else { return nil }
    self.init(roll: angle.rounded())
    if isMirrored { yaw = 180 }
  }
}

extension MatroskaColour {
  /// The boxes `colr`, `clli` and `mdcv` (ISO/IEC 14496-12, 12.1.5 to 12.1.7); `nil` without any.
  fileprivate init?(_ entry: VisualSampleEntry) {
    let boxes = (
      colours: entry.payload("colr"), light: entry.payload("clli"), screen: entry.payload("mdcv")
    )
    self.init()
    guard boxes.colours != nil || boxes.light != nil || boxes.screen != nil else { return nil }
    if let box = boxes.colours, box.count >= 11, box.starts(with: "nclx".utf8) {
      (primaries, transfer) = (Int(box.bigEndian16(at: 4)), Int(box.bigEndian16(at: 6)))
      matrix = Int(box.bigEndian16(at: 8))
      range = box[10] & 0x80 == 0 ? 1 : 2
    }
    if let box = boxes.light, box.count >= 4 {
      (maxCLL, maxFALL) = (Int(box.bigEndian16(at: 0)), Int(box.bigEndian16(at: 2)))
    }
    if let box = boxes.screen, box.count >= 24 { mastering = Mastering(box) }
  }
}

extension MatroskaColour.Mastering {
  /// The payload of `mdcv`: green, blue, red and white in steps of 0.00002, light in steps of 0.0001 cd/m².
  fileprivate init(_ box: [UInt8]) {
    self.init()
    func place(_ index: Int) -> Double { Double(box.bigEndian16(at: 2 * index)) / 50_000 }
    (greenX, greenY, blueX, blueY) = (place(0), place(1), place(2), place(3))
    (redX, redY, whiteX, whiteY) = (place(4), place(5), place(6), place(7))
    luminanceMax = Double(box.bigEndian32(at: 16)) / 10_000
    luminanceMin = Double(box.bigEndian32(at: 20)) / 10_000
  }
}
