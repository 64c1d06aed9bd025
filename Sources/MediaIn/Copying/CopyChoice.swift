// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Platform

/// The track of a file that is copied, and its coding.
struct CopyChoice {
  /// The one edit of an MP4 track.
  struct Edit {
    /// Ticks of media, from the first frame on, before what is presented.
    let mediaTime: Int64
    /// Ticks that are presented; `nil` up to the end.
    let duration: Int64?
    /// Ticks from the media's clock to the presentation.
    let shift: Int64
  }

  let media: MediaFile
  let stream: StreamInfo
  let coding: CopiedCoding
  private let options: InputOptions

  /// The codings that are copied, by libavcodec's names.
  private static let codings: [String: CopiedCoding] = [
    "ac3": .dolby(.ac3), "eac3": .dolby(.eac3), CodecTraits.ac4.name: .dolby(.ac4),
    CodecTraits.iamf.name: .iamf, "aac": .aac,
  ]

  init(file: LocalFile, options: InputOptions, log: DiagnosticLog) throws {
    self.options = options
    media = try MediaFile(file: file, options: options)
    stream = try TrackOpener(media).select(options.track, log: log)
    let form = media.track(of: stream).flatMap { MPEGHSampleEntry.Form(rawValue: $0.sampleEntry) }
    guard let coding = CopyChoice.codings[stream.codec] ?? form.map(CopiedCoding.mpegH) else {
      throw MediaError(
        .unsupportedCodec, about: file.path,
        "\(setting: .codec) copy takes AAC, AC-3, E-AC-3, AC-4, IAMF, and MPEG-H of MP4, not \(stream.codec); choose "
          + "another \(setting: .codec)")
    }
    self.coding = coding
  }

  /// The frames in MP4's form.
  func makeSource(log: DiagnosticLog) throws -> AccessUnitSource {
    if coding == .iamf { return try IAMFCopyUnits(stream, of: media, log: log) }
    if coding == .aac, media.movie == nil {
      return try AACUnits(stream, of: media, options: options, log: log)
    }
    return try media.accessUnits(of: stream, policy: .fail, log: log)
  }

  /// Payload of the source's own `dac3`, `dec3`, `dac4` or `mhaC` box; `nil` when it has none.
  var configuration: [UInt8]? {
    guard let facts = media.track(of: stream) else { return nil }
    switch coding {
    case .dolby(.ac3): return facts.dac3
    case .dolby(.eac3): return facts.dec3
    case .dolby(.ac4): return facts.dac4
    case .mpegH: return facts.mhaC
    case .iamf, .aac: return nil
    }
  }

  /// The part of IAMF that its units present. An edit list can only repeat it, and say how late it begins.
  private func edit(_ units: IAMFCopyUnits) -> Edit? {
    var delay: Int64 = 0
    if let facts = media.track(of: stream) {
      let own = facts.edits.first { $0.mediaTime >= 0 }?.mediaTime ?? 0
      delay = MediaTime.rescale(
        media.editShift(of: stream) &+ own, by: units.timescale, over: facts.mediaTimescale)
    }
    return Edit(mediaTime: units.lead, duration: nil, shift: delay - units.lead)
  }

  /// The edit of an MP4 track, which several edits may make up; `nil` without one, and where it is ignored.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for edits that rearrange the track.
  func edit(_ source: any AccessUnitSource, log: DiagnosticLog) throws -> Edit? {
    if let units = source as? IAMFCopyUnits { return edit(units) }
    if source is AACUnits {
      // libavformat's times are those of the presentation, in which the first valid sample lies after the start-up samples.
      let lead = media.gaplessFacts(of: stream).codecDelay ?? 0
      return lead > 0 ? Edit(mediaTime: Int64(lead), duration: nil, shift: 0) : nil
    }
    let first = source.origin.ticks
    guard
      let edit = try EditTimeline(
        media.gaplessFacts(of: stream), rate: Int(source.timescale), log: log),
      first.magnitude < 1 << 56
    else { return nil }
    return Edit(
      mediaTime: edit.mediaStart - first, duration: edit.length,
      shift: edit.emptyLead - edit.mediaStart)
  }
}

/// A coding that can be copied without decoding it.
package enum CopiedCoding: Equatable, Sendable {
  /// AC-3, E-AC-3 or AC-4.
  case dolby(DolbySampleEntry.Coding)
  /// MPEG-H 3D Audio, whose frames are samples of MP4 already.
  case mpegH(MPEGHSampleEntry.Form)
  /// IAMF, whose frames are temporal units.
  case iamf
  /// AAC, whose configuration lies in the container or in headers of ADTS.
  case aac

  /// Name in MP4.
  package var name: String {
    switch self {
    case .dolby(let coding): return coding.rawValue
    case .mpegH(let form): return form.rawValue
    case .iamf: return "iamf"
    case .aac: return "mp4a"
    }
  }
}

/// The whole frames of a track that is copied. Damage is judged as it is in a decode: what is damaged before the first whole
/// frame or behind the last one is left out and reported, and damage between two of them is an error, because a copy
/// can't repair it.
struct WholeUnits {
  private let source: any AccessUnitSource
  private let path: String
  /// Whether a damaged frame is an error wherever it lies, as it is for the decoders of AC-4 and IAMF.
  private let refusesAll: Bool
  private var damage: DamageLedger
  private var end: Int64?
  /// Frames before the first whole one.
  private(set) var skipped = 0

  /// Remedy for damage, in words for users.
  static var remedy: String {
    "a copy can't repair it, render it with another \(setting: .codec) and \(setting: .damage) conceal"
  }

  /// The frames of `source`, which `choice` made.
  init(_ source: any AccessUnitSource, _ choice: CopyChoice, log: DiagnosticLog) {
    self.source = source
    path = choice.media.file.path
    refusesAll = choice.stream.codecTraits.hasOwnDecoder
    damage = DamageLedger(policy: .fail, path: path, log: log, remedy: WholeUnits.remedy)
  }

  /// The next whole frame; `nil` behind the last.
  /// - Throws: ``MediaError`` of kind `damaged`, and as the source does.
  mutating func next() throws -> AccessUnit? {
    while let unit = try source.next() {
      guard unit.isDamaged else {
        try damage.good()
        noteJump(to: unit)
        return unit
      }
      try note(unit)
    }
    // A second of lost sound, as in a decode, is the end of a file that was cut.
    if damage.hasGoodFrame || skipped > 0 { try damage.close(longestEnd: source.timescale) }
    return nil
  }

  private mutating func note(_ unit: AccessUnit) throws {
    let time = "\(MediaTime(ticks: unit.time, rate: source.timescale))"
    guard !refusesAll else {
      throw MediaError(
        .damaged, about: path, "the frame at \(time) is damaged; \(WholeUnits.remedy)")
    }
    if !damage.hasGoodFrame { skipped += 1 }
    damage.note(
      "it holds no whole frame with a right checksum", packet: nil, time: time, samples: 0,
      span: Int(clamping: unit.duration), position: nil)
  }

  /// Reports a jump of more than 20 ms, which is shorter than a frame of AC-3: the copy has it, too.
  private mutating func noteJump(to unit: AccessUnit) {
    defer { end = unit.time + unit.duration }
    guard let end, (unit.time - end).magnitude > source.timescale / 50 else { return }
    let jump = MediaTime.rescale(unit.time - end, by: 1000, over: source.timescale)
    damage.noteJump(
      "timestamps jump by \(jump) ms at \(MediaTime(ticks: end, rate: source.timescale)); the copy keeps the jump"
    )
  }
}
