// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV

/// Looks for contradictions in a container, which demuxers don't report.
struct ContainerCheck {
  private let media: MediaFile
  private let stream: StreamInfo
  private let log: DiagnosticLog
  private let riff: RIFFHeader?

  /// Sample rates in common use. Any other is believed only where no other field contradicts it.
  private static let usualRates: Set<Int> = [
    8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
    176_400, 192_000, 352_800, 384_000, 705_600, 768_000,
  ]

  /// A check of the container that `stream` of `media` lies in.
  init(media: MediaFile, stream: StreamInfo, log: DiagnosticLog) {
    self.media = media
    self.stream = stream
    self.log = log
    riff = media.format.input?.hasRIFFHeader == true ? media.headers.riff : nil
  }

  /// Whether the container states no length, so that a cut end can't be noticed.
  var isSizeUnknown: Bool { riff?.isSizeUnknown == true || media.headers.caf?.isOpen == true }

  /// Bits of plain samples as the header means them; `nil` where libavformat's are right.
  var validBits: Int? {
    let bits = media.headers.bits
    return bits.isShorterThanItsPlace ? bits.valid : nil
  }

  /// Checks the fields of the header before anything is decoded.
  /// - Throws: ``MediaError`` when they can't be true.
  func checkHeader() throws {
    noteName()
    media.noteText(log)
    if media.junk > 0 {
      log.degrade(
        .garbageSkipped,
        "\(media.junk) bytes in front of the \(media.format.name) stream are no sound; left out")
    }
    if let riff { try check(riff) }
    let bits = media.headers.bits
    if bits.isShorterThanItsPlace {
      log.decide(
        .bitDepth, "\(bits.valid) bits",
        why: "samples of \(bits.valid) bits lie at the top of \(bits.place) bits each")
    }
    if let aiff = media.headers.aiff { check(aiff) }
    if media.file.leftOut > 0, media.headers.au != nil {
      log.degrade(
        .trailingData,
        "\(media.file.leftOut) bytes after the end that the header states are left out")
    }
    try checkEditions()
    try checkMaps()
    guard let movie = media.movie else { return }
    if movie.hasOpenBox {
      log.degrade(
        .headerInconsistent,
        "a box inside the movie box has size 0 (to the end of the file), which only the last box of a "
          + "file may have; taken to the end of its parent")
    }
    // Readers of AC-4, IAMF and MPEG-H pass that field over; IAMF's is always 0.
    if media.track(of: stream)?.channelCount == 0, !stream.codecTraits.hasOwnDecoder,
      stream.spatialCoding == nil
    {
      log.degrade(
        .headerInconsistent,
        "the sample entry says 0 channels; those of the codec's own header are taken")
    }
  }

  /// Checks what only the whole file shows, after its last packet was read.
  /// - Throws: ``MediaError`` of kind `damaged` when pages of Ogg are damaged under `policy` `fail`, of kind
  ///   `inputUnreadable` when reading failed or the file changed meanwhile.
  func checkEnd(_ policy: DamagePolicy) throws {
    try media.file.checkReads()
    switch media.format.input?.endCheck {
    case .pages: try checkPages(policy)
    case .infoFrame: checkTag()
    case nil: break
    }
    if media.isCut, !log.holds(.truncated) {
      log.degrade(
        .truncated, "the file is shorter than its container says; the rest is missing")
    }
    try media.checkUnchanged()
  }

  /// Refuses Matroska that presents something else than the file from its beginning to its end.
  private func checkEditions() throws {
    guard let editions = media.editions else { return }
    if let refusal = editions.refusal {
      throw MediaError(
        .unsupportedFeature, about: media.file.path,
        refusal
          + "; that isn't supported, so remux it without chapters (mkvmerge --no-chapters) to have all sound "
          + "that lies in the file, in the file's order")
    }
    if editions.hasNeighbour {
      log.degrade(
        .neighbourLeftOut,
        "the file names another one that is played before or after it (linked segments); this one is taken alone"
      )
    }
  }

  /// Reports streams that have other PIDs in mid-file, and refuses a track that can't be followed there.
  private func checkMaps() throws {
    guard let maps = media.programmeMaps else { return }
    if maps.isRenumbered {
      return log.decide(
        .container, "the new PIDs are followed",
        why: "the programme map gives the streams other PIDs in mid-file (ISO/IEC 13818-1, 2.4.4.8)"
      )
    }
    let next = maps.successors(of: stream.id)
    guard !next.isEmpty else { return }
    throw MediaError(
      .unsupportedFeature, about: media.file.path,
      "the programme map ends the track with the PID \(stream.id) in mid-file, and other streams take its place (PID "
        + next.map { "\($0)" }.joined(separator: ", ")
        + "), which isn't supported; copy each track into a file of its own (ffmpeg -map 0:i:\(stream.id) -c copy)"
    )
  }

  private func noteName() {
    let name = media.file.path
    let ending = name[(name.lastIndex(of: ".") ?? name.endIndex)...]
    let promised = NamedFormat.promised(by: name)
    if media.isNamed {
      log.decide(
        .container, media.format.token,
        why: "the name ends in \(ending), and the bytes begin with a frame of it")
    } else if !promised.isEmpty, !promised.contains(media.format) {
      log.decide(
        .container, media.format.token, why: "the bytes decide, though the name ends in \(ending)")
    }
  }

  private func check(_ aiff: AIFFHeader) {
    if let held = aiff.held(stream), stream.codecTraits.isPlain, held < aiff.frames, !aiff.isCut {
      log.degrade(
        .headerInconsistent,
        "the header counts \(aiff.frames) samples, but its sound has the size of \(held); "
          + "taken as \(held)")
    }
    guard let surplus = aiff.surplus(stream, in: media.file) else { return }
    let sentence =
      "\(surplus.bytes) bytes after the last sample that the header counts are left out"
    if surplus.isFilling {
      log.decide(.trailingData, "left out", why: sentence + "; they fill up its chunk")
    } else {
      log.degrade(.trailingData, sentence)
    }
  }

  private func check(_ riff: RIFFHeader) throws {
    if let format = riff.format { try check(format) }
    if riff.isSizeUnknown {
      log.degrade(
        .sizeUnknown,
        "the header leaves the length open, as a writer to a pipe or one that was stopped does; all "
          + "bytes to the end of the file are taken as sound")
    }
    // A single byte may be padding to an even size.
    if riff.trailingBytes > 1 {
      let sentence =
        "\(riff.trailingBytes) bytes after the end that the header states are left out"
      if riff.isFollowedByFile {
        log.degrade(.trailingData, sentence + "; another WAV file begins there")
      } else {
        log.decide(.trailingData, "left out", why: sentence)
      }
    }
    if riff.brokenLists > 0 {
      log.decide(
        .metadata, "ignored",
        why: riff.brokenLists.counted(
          "LIST chunk holds entries that claim to reach beyond it",
          "LIST chunks hold entries that claim to reach beyond them"))
    }
  }

  private func check(_ format: RIFFHeader.Format) throws {
    guard format.channels > 0 else {
      throw MediaError(
        .inputUnreadable, about: media.file.path, "its header says 0 channels; give an intact copy")
    }
    guard format.isPlain, format.bits > 0 else { return }
    // `nBlockAlign`, the bytes of a frame, has 16 bits, so no WAV file can state larger frames.
    guard format.frameBytes <= 0xFFFF else {
      throw MediaError(
        .inputUnreadable, about: media.file.path,
        "its header says \(format.channels) channels of \(format.bits) bits, which "
          + "no WAV file can hold; give an intact copy")
    }
    if format.bits % 8 != 0 {
      log.decide(
        .bitDepth, "\((format.bits + 7) / 8 * 8) bits",
        why: "the header says \(format.bits) bits, which are stored in whole bytes")
    }
    if format.blockAlign != format.frameBytes {
      log.degrade(
        .headerInconsistent,
        "the header says \(format.blockAlign) bytes a frame where \(format.channels) channels of "
          + "\(format.bits) bits take \(format.frameBytes); taken as \(format.frameBytes)")
    }
    guard format.rateOfBytes != format.rate else { return }
    let isUsual = ContainerCheck.usualRates.contains(format.rate)
    // If only the bytes a second give a usual rate, the stated rate may be the wrong one.
    guard isUsual || !ContainerCheck.usualRates.contains(format.rateOfBytes ?? 0) else {
      throw MediaError(
        .damaged, about: media.file.path,
        "its header contradicts itself, it says \(format.rate) Hz and "
          + "\(format.byteRate) bytes a second; repair the header or give an intact copy")
    }
    guard isUsual else {
      log.degrade(
        .headerInconsistent,
        "the header says \(format.rate) Hz and \(format.byteRate) bytes a second, of which neither gives a usual "
          + "rate; taken as \(format.rate) Hz")
      return
    }
    log.decide(
      .rate, "\(format.rate) Hz",
      why:
        "the header's \(format.byteRate) bytes a second contradict it, but the rate is a usual one")
  }

  private func checkPages(_ policy: DamagePolicy) throws {
    let walk = OggPageWalk(media.file)
    if media.oggStream(of: stream) == nil, Set(walk.channels).count > 1 {
      log.degrade(
        .formatChange,
        "the file is a chain of streams with \(walk.channels.map(String.init).joined(separator: ", ")) "
          + "channels; all are decoded in the layout of the first")
    }
    if walk.isStartMissing {
      log.degrade(
        .timestampGap,
        "pages between the header and the first sound are missing by their numbers; what they held is "
          + "left out")
    }
    guard walk.damagedPages > 0 else {
      if walk.strayBytes > 0, !media.isCut {
        log.degrade(
          .garbageSkipped, "\(walk.strayBytes) bytes that belong to no page of Ogg are left out")
      }
      if walk.missingPages > 0, !log.holds(.timestampGap) {
        log.degrade(
          .timestampGap,
          walk.missingPages.counted("page is", "pages are")
            + " missing by the numbers of the others")
      }
      return
    }
    let finding =
      walk.damagedPages.counted("page of Ogg is", "pages of Ogg are") + " damaged (checksum)"
    guard policy == .conceal else {
      throw MediaError(
        .damaged, about: media.file.path,
        "\(finding); give an intact copy, or \(setting: .damage) conceal to fill with "
          + "silence")
    }
    log.degrade(.decodeErrors, "\(finding); what they held is lost")
  }

  private func checkTag() {
    guard let tag = MP3InfoTag(media.file) else { return }
    if tag.isSound, tag.isCut(media.file) {
      guard !log.holds(.truncated) else { return }
      log.degrade(
        .truncated, "the file is shorter than its LAME tag says; the rest is missing")
    } else if !tag.isSound || !tag.fits(media.file) {
      log.degrade(
        .checksumMismatch,
        "the bytes aren't those that the encoder's tag has the checksum of: the file was damaged or "
          + "edited after encoding")
    }
  }
}
