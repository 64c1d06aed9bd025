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

  /// The codings that are copied, by libavcodec's names.
  private static let codings: [String: CopiedCoding] = [
    "ac3": .dolby(.ac3), "eac3": .dolby(.eac3), CodecTraits.ac4.name: .dolby(.ac4),
    CodecTraits.iamf.name: .iamf,
  ]

  init(file: LocalFile, options: InputOptions, log: DiagnosticLog) throws {
    media = try MediaFile(file: file, options: options)
    stream = try TrackOpener(media).select(options.track, log: log)
    let form = media.track(of: stream).flatMap { MPEGHSampleEntry.Form(rawValue: $0.sampleEntry) }
    guard let coding = CopyChoice.codings[stream.codec] ?? form.map(CopiedCoding.mpegH) else {
      throw MediaError(
        .unsupportedCodec, about: file.path,
        "\(setting: .codec) copy takes AC-3, E-AC-3, AC-4, IAMF, and MPEG-H of MP4, not \(stream.codec); choose "
          + "another \(setting: .codec)")
    }
    self.coding = coding
  }

  /// The frames in MP4's form.
  func makeSource(log: DiagnosticLog) throws -> AccessUnitSource {
    if coding == .iamf { return try IAMFCopyUnits(stream, of: media, log: log) }
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
    case .iamf: return nil
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
