// SPDX-License-Identifier: Apache-2.0
import AC4
import AudioCore
import JOC
import LibAV

/// Chooses the audio track of an opened file, to be decoded or copied, and opens the reader that can decode it.
package struct TrackOpener {
  /// Packets that are read at most to find AC-4 in a transport stream.
  private static let probedPackets = 256

  private let media: MediaFile

  /// An opener for the tracks of `media`.
  package init(_ media: MediaFile) { self.media = media }

  /// Picks the audio track, and checks what of it and of its container doesn't depend on what is done with it:
  /// a copy is refused for the same reasons as a decode, and has the same remarks.
  /// - Throws: ``MediaError``: no audio, encrypted, unsupported codec, another speed, a header that can't be true.
  package func select(_ choice: TrackChoice, log: DiagnosticLog) throws -> StreamInfo {
    let stream = try find(choice, log)
    try ContainerCheck(media: media, stream: stream, log: log).checkHeader()
    return stream
  }

  private func find(_ choice: TrackChoice, _ log: DiagnosticLog) throws -> StreamInfo {
    let path = media.file.path
    guard media.streams.contains(where: { $0.kind == .audio }) else {
      guard let hidden = try hiddenAC4() else {
        throw MediaError(.noAudio, about: path, "has no audio track; give a file with sound")
      }
      return hidden
    }
    var stream = try choice.pick(from: media.streams, path: path, log: log)
    let facts = media.track(of: stream)
    let name = facts?.originalFormat ?? facts?.sampleEntry ?? stream.tag ?? stream.codec
    if facts?.isEncrypted == true || stream.metadata["enc_key_id"] != nil {
      throw MediaError(
        .encrypted, about: path,
        "audio track \(stream.index) (\(name)) is encrypted; give a decrypted copy")
    }
    // In other containers a tag may say it.
    if name == "ac-4" { stream.codec = CodecTraits.ac4.name }
    if name == "iamf" { stream.codec = CodecTraits.iamf.name }
    // libavformat's own name of the codec is the one that a decoder would be opened by.
    let known = media.container?.streams.first { $0.index == stream.index }?.codec
    let isUnknown = stream.codec == "none" || stream.codec == "unknown"
    if isUnknown || stream.spatialCoding != nil && known != stream.codec {
      throw MediaError(
        .unsupportedCodec, about: path,
        "audio track \(stream.index) uses \(stream.spatialCoding ?? codecTitle(name)), which "
          + "Pinna can't decode; choose another track with \(setting: .track)")
    }
    if let edit = facts?.edits.first(where: \.changesSpeed) {
      throw MediaError(
        .unsupportedFeature, about: path,
        "the edit list of audio track \(stream.index) plays it at "
          + "\(Double(edit.rate) / 65536) times its speed (media_rate), which isn't supported; "
          + "remux the file without edits")
    }
    return stream
  }

  /// Opens the decoder of `stream`: Pinna's own for AC-4, IAMF and TrueHD, libavcodec's for everything else.
  /// - Throws: ``MediaError`` of kind `usage` for options that don't fit, else as ``AudioTrackReader``
  ///   and ``AC4TrackReader`` do.
  package func open(
    _ stream: StreamInfo, options: InputOptions, log: DiagnosticLog
  ) throws -> any TrackReader {
    try check(options, stream)
    if stream.codec == CodecTraits.iamf.name {
      try refuseObjects(options.objects)
      guard options.dialogueGain == 0 else {
        throw MediaError(.usage, "\(setting: .dialogueGain): only AC-4 has it, the track is IAMF")
      }
      return try IAMFTrackReader(media: media, stream: stream, options: options, log: log)
    }
    if let reader = try losslessTrack(stream, options, log) { return reader }
    guard stream.codecTraits.hasOwnDecoder else {
      guard options.presentation == nil, options.dialogueGain == 0 else {
        throw MediaError(
          .usage,
          "\(setting: .presentation) and \(setting: .dialogueGain): only AC-4 has them, and IAMF and TrueHD the "
            + "first; the track is \(stream.codec)")
      }
      if let scene = try masterTrack(stream, options, log) { return scene }
      if let scene = try objectTrack(stream, options, log) { return scene }
      let bed = try AudioTrackReader(media: media, stream: stream, options: options, log: log)
      if let coded = try codedObjects(bed, stream, options, log) { return coded }
      try refuseObjects(
        options.objects,
        undecoded: bed.programme.facts.undecoded?.coding ?? media.spatialCoding(beside: stream))
      return bed
    }
    let reader = try AC4TrackReader(
      media: media, stream: stream,
      source: JoinedUnits(media.accessUnits(of: stream, policy: options.damage, log: log)),
      options: options, log: log)
    if reader.track.objectCoding == nil {
      try refuseObjects(options.objects)
    } else {
      try refuseChoices(options.objects)
    }
    return reader
  }

  /// The reader of a track of TrueHD or MLP; `nil` for another codec, and where channels are named by the user: these are
  /// libavcodec's, in its order.
  private func losslessTrack(
    _ stream: StreamInfo, _ options: InputOptions, _ log: DiagnosticLog
  ) throws -> (any TrackReader)? {
    guard stream.codecTraits.objects == .inMajorSync, options.order == nil, options.field == nil
    else { return nil }
    guard options.dialogueGain == 0 else {
      throw MediaError(
        .usage, "\(setting: .dialogueGain): only AC-4 has it, the track is \(stream.codec)")
    }
    let start = try TrueHDBeginning(stream, of: media, options)
    let reader = try TrueHDTrackReader(
      media: media, stream: stream, start: start, options: options, log: log)
    start.note(log)
    if start.objectCoding != nil {
      try refuseChoices(options.objects)
    } else {
      try refuseObjects(
        options.objects, undecoded: reader.programme.facts.undecoded?.coding)
    }
    return reader
  }

  private func check(_ options: InputOptions, _ stream: StreamInfo) throws {
    guard let field = options.field else { return }
    guard options.order == nil else {
      throw MediaError(
        .usage, "\(setting: .inputLayout) and \(setting: .inputField): a track is only one of both")
    }
    guard !stream.codecTraits.hasOwnDecoder else {
      throw MediaError(
        .usage,
        "\(setting: .inputField) \(field): \(stream.codec) holds no sound field; leave it out")
    }
  }

  /// The reader of a set of master files; `nil` for any other file.
  private func masterTrack(
    _ stream: StreamInfo, _ options: InputOptions, _ log: DiagnosticLog
  ) throws -> (any TrackReader)? {
    guard let master = media.master else { return nil }
    guard !options.asksForChannels else {
      log.decide(.objects, "left aside", why: "the channels of the master's sound are asked for")
      return nil
    }
    try refuseChoices(options.objects)
    return try MasterTrackReader(
      media: media, stream: stream, master: master, options: options, log: log)
  }

  /// The reader of a WAV file's objects; `nil` where there are none to be rendered.
  private func objectTrack(
    _ stream: StreamInfo, _ options: InputOptions, _ log: DiagnosticLog
  ) throws -> (any TrackReader)? {
    guard media.format.input?.hasRIFFHeader == true, stream.codecTraits.isPlain,
      ObjectScene.isMarked(media.file)
    else { return nil }
    guard !options.asksForChannels else {
      log.decide(
        .objects, "left aside",
        why: "the file's channels are asked for, so its metadata (ITU-R BS.2076) aren't read")
      return nil
    }
    guard let scene = try ObjectScene(media.file, options.objects) else { return nil }
    return try SceneTrackReader(
      media: media, stream: stream, scene: scene, options: options, log: log)
  }

  /// The reader of objects that are coded in the track of `bed`; `nil` where there are none to be rendered.
  private func codedObjects(
    _ bed: AudioTrackReader, _ stream: StreamInfo, _ options: InputOptions, _ log: DiagnosticLog
  ) throws -> (any TrackReader)? {
    guard stream.codecTraits.objects == .inHeader else { return nil }
    // Writers of MP4 leave the number out of their box (ETSI TS 102 366, F.6), or write 0.
    let stated = [media.track(of: stream)?.objectComplexity, bed.firstHeader?.objectComplexity]
    let complexity = stated.compactMap(\.self).max().flatMap { $0 > 0 ? $0 : nil }
    guard CodedObjectSurvey.isWorthwhile(bed, complexity: complexity) else { return nil }
    guard !options.asksForChannels else {
      log.decide(.objects, "left aside", why: "the track's channels are asked for")
      return nil
    }
    do {
      let survey = try CodedObjectSurvey(stream, of: media, options, complexity: complexity)
      let reader = try CodedObjectReader(bed, survey, log: log)
      try refuseChoices(options.objects)
      log.decide(
        .objects, "rendered",
        why: "joint object coding (ETSI TS 103 420) holds \(survey.facts.objects) objects"
          + (survey.facts.bed.map { " and a bed of \($0)" } ?? ""))
      return reader
    } catch let error as JOCError {
      log.decide(.objects, "left aside", why: "\(error)")
      return nil
    }
  }

  /// Refuses what needs objects with identifiers, which coded ones haven't.
  private func refuseChoices(_ options: ObjectOptions) throws {
    guard !options.choosesObjects else {
      let choices: [(Bool, Setting)] = [
        (!options.only.isEmpty, .objects), (!options.changes.isEmpty, .objectChanges),
        (options.programme != nil, .programme), (!options.complements.isEmpty, .complements),
        (options.importance != nil, .importance),
      ]
      let made = choices.filter(\.0).map { "\(setting: $0.1)" }
      throw MediaError(
        .usage,
        "\(made.joined(separator: ", ")): the objects of \(media.file.path) have no identifiers, so that none can be "
          + "chosen; leave \(made.count == 1 ? "it" : "them") out")
    }
  }

  /// Refuses what is asked of objects where none are rendered.
  private func refuseObjects(
    _ options: ObjectOptions, undecoded: String? = nil
  ) throws {
    if options.use == .render, let undecoded {
      throw MediaError(
        .unsupportedCodec, about: media.file.path,
        "the audio objects of \(undecoded) can't be decoded; leave \(setting: .objects) render out for the "
          + "channels beside them")
    }
    guard options.use != .render else {
      throw MediaError(
        .unsupportedFeature, about: media.file.path,
        "has no audio objects that can be rendered; leave \(setting: .objects) render out")
    }
    guard !options.choosesObjects else {
      throw MediaError(
        .usage,
        "\(setting: .objects) with identifiers, \(setting: .objectChanges), \(setting: .programme), "
          + "\(setting: .complements) and \(setting: .importance): no objects of "
          + "\(media.file.path) are rendered; leave them out")
    }
  }

  /// A stream of AC-4 that libavformat reports as private data, as it does for transport streams; `nil`
  /// when no packet of such a stream begins with AC-4's sync word.
  private func hiddenAC4() throws -> StreamInfo? {
    guard media.streams.contains(where: { $0.kind == .other }) else { return nil }
    // A second reader of the file, because the first one must still begin at the beginning.
    let probe = try MediaFile(file: media.file)
    let packet = try Packet()
    for _ in 0..<TrackOpener.probedPackets {
      guard (try? probe.opened().read(into: packet)) == true else { return nil }
      let isSync = AC4FrameScanner.isSyncWord(packet.bytes(first: 2))
      if isSync, var stream = media.streams.first(where: { $0.index == packet.streamIndex }),
        stream.kind == .other
      {
        stream.codec = CodecTraits.ac4.name
        return stream
      }
    }
    return nil
  }

  private func codecTitle(_ tag: String) -> String {
    switch tag {
    case "none" where media.format.input?.hasRIFFHeader == true:
      guard let format = media.headers.riff?.format else { return "no known codec" }
      let number = String(format.tag, radix: 16, uppercase: true)
      return "the WAV format tag 0x\(number) with \(format.bits) bits"
    default: return "the codec \"\(tag)\""
    }
  }
}
