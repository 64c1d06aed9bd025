import AC4
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

  let file: LocalFile
  let media: MediaFile?
  let stream: StreamInfo?
  let coding: CopiedCoding

  init(file: LocalFile, options: InputOptions, log: DiagnosticLog) throws {
    self.file = file
    if AC4FrameScanner.isSyncWord(file.bytes(at: 0, count: 2)) {
      media = nil
      stream = nil
      coding = .dolby(.ac4)
      return
    }
    let media = try MediaFile(file: file, options: options)
    self.media = media
    if !media.streams.contains(where: { $0.kind == .audio }),
      let found = try TrackOpener.hiddenAC4(in: media)
    {
      stream = found
      coding = .dolby(.ac4)
      return
    }
    let stream = try options.track.pick(from: media.streams, path: file.path, log: log)
    self.stream = stream
    let facts = media.track(of: stream)
    guard facts?.isEncrypted != true, stream.metadata["enc_key_id"] == nil else {
      throw MediaError(
        .encrypted, about: file.path,
        "audio track \(stream.index) is encrypted; give a decrypted copy")
    }
    let name = facts?.sampleEntry ?? stream.codec
    let known: [String: DolbySampleEntry.Coding] = [
      "ac3": .ac3, "eac3": .eac3, "ac-3": .ac3, "ec-3": .eac3, "ac-4": .ac4, "ac4": .ac4,
    ]
    if stream.codec == CodecTraits.iamf.name {
      coding = .iamf
      return
    }
    guard let coding = known[stream.codec] ?? known[name] ?? known[stream.tag ?? ""] else {
      throw MediaError(
        .unsupportedCodec, about: file.path,
        "\(setting: .codec) copy takes AC-3, E-AC-3, AC-4 and IAMF, not \(stream.codec); choose another "
          + "\(setting: .codec)")
    }
    self.coding = .dolby(coding)
  }

  /// The frames in MP4's form.
  func makeSource(log: DiagnosticLog) throws -> AccessUnitSource {
    guard let media, let stream else { return RawAC4Units(file: file, log: log, policy: .fail) }
    if coding == .iamf { return try IAMFCopyUnits(stream, of: media) }
    let isAC4 = coding == .dolby(.ac4)
    if media.movie != nil {
      return try StoredUnits(media: media, stream: stream, isAC4: isAC4)
    }
    return try FramedUnits(media: media, stream: stream, isAC4: isAC4, log: log)
  }

  /// Payload of the source's own `dac3`, `dec3` or `dac4` box; `nil` when it has none.
  var configuration: [UInt8]? {
    guard let media, let stream, let facts = media.track(of: stream) else { return nil }
    switch coding {
    case .dolby(.ac3): return facts.dac3
    case .dolby(.eac3): return facts.dec3
    case .dolby(.ac4): return facts.dac4
    case .iamf: return nil
    }
  }

  /// The part of IAMF that its units present. An edit list can only repeat it, and say how late it begins.
  private func edit(_ units: IAMFCopyUnits) -> Edit? {
    var delay: Int64 = 0
    if let media, let stream, let facts = media.track(of: stream) {
      let own = facts.edits.first { $0.mediaTime >= 0 }?.mediaTime ?? 0
      delay = MediaTime.rescale(
        media.editShift(of: stream) &+ own, by: units.timescale, over: facts.mediaTimescale)
    }
    return Edit(mediaTime: units.lead, duration: nil, shift: delay - units.lead)
  }

  /// The edit of an MP4 track; `nil` without one.
  func edit(_ source: any AccessUnitSource) -> Edit? {
    if let units = source as? IAMFCopyUnits { return edit(units) }
    let (timescale, first) = (source.timescale, source.origin.ticks)
    guard let media, let stream, let facts = media.track(of: stream),
      let edit = facts.edits.first(where: { $0.mediaTime >= 0 })
    else { return nil }
    let scale = media.movie?.timescale ?? 1
    guard edit.mediaTime < 1 << 56, edit.duration < 1 << 56, first.magnitude < 1 << 56 else {
      return nil
    }
    return Edit(
      mediaTime: edit.mediaTime - first,
      duration: edit.duration > 0
        ? MediaTime.rescale(edit.duration, by: timescale, over: scale) : nil,
      shift: media.editShift(of: stream))
  }
}
