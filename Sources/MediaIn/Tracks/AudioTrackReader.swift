import AudioCore
import LibAV
import Platform

/// Decodes one audio track of a media file, block by block, trimming nothing.
///
/// All blocks have the format of the first one: changes in mid-stream are converted and reported.
/// Damage is an error or silence by policy, never a silent gap.
package final class AudioTrackReader: TrackReader {
  /// One bed; its facts are those that container and first packet state.
  package private(set) var programme = Programme(
    AudioFormat(sampleRate: 48_000, layout: .mono))
  /// The track.
  package private(set) var track: TrackDescription
  /// Samples handed out so far.
  package private(set) var decodedSamples: Int64 = 0

  private let media: MediaFile
  private let stream: StreamInfo
  /// Format of the first block, to which later ones are converted.
  private var format = AudioFormat(sampleRate: 48_000, layout: .mono)
  /// Name of the decoded sample format, e.g. `fltp`.
  private var sampleFormat = "none"
  private let decoder: DecoderContext
  private let options: InputOptions
  private let log: DiagnosticLog
  private let packet: Packet
  private let frame: Frame
  private var converter: FormatConverter?
  private var damage: DamageLedger
  private let check: ContainerCheck
  private var clockFaults = ClockFaults()
  private var finiteness = FinitenessGuard()
  private var largestFrame: Int64 = 0
  private var framesVary = false
  private var packetIndex = -1
  private var packetFrames = 0
  private var packetDuration: Int64 = 0
  private var isSuspect = false
  private var duePosition: Int64?
  private var hasChanged = false
  private var isFrameReady = false
  private var failedReads = 0
  private var isDraining = false
  private var held: (buffer: AudioBuffer, block: TimedBlock)?
  private let isDolby: Bool
  /// Header of the first packet of an AC-3 or E-AC-3 track.
  private var firstHeader: DolbyHeader?
  /// Header of the current packet of an AC-3 or E-AC-3 track.
  private var header: DolbyHeader?
  private var downmixes = DownmixRecord()

  /// Opens the decoder of `stream` and decodes the first block, which fixes the format.
  /// - Throws: ``MediaError`` when the track can't be decoded or holds no audio at all.
  package init(
    media: MediaFile, stream: StreamInfo, options: InputOptions, log: DiagnosticLog
  ) throws {
    self.media = media
    self.stream = stream
    track = TrackDescription(stream: stream)
    self.options = options
    self.log = log
    isDolby = ["ac3", "eac3"].contains(stream.codec)
    damage = DamageLedger(policy: options.damage, path: media.file.path, log: log)
    check = ContainerCheck(media: media, stream: stream, log: log)
    try check.checkHeader()
    // Until the first frame tells, durations and times of packets need the container's word.
    if stream.sampleRate > 0 { format.sampleRate = stream.sampleRate }
    do {
      decoder = try media.opened().makeDecoder(
        stream: stream.index, options: options.dynamicRange.decoderOptions)
      packet = try Packet()
      frame = try Frame()
    } catch let error as LibAVError {
      throw MediaError(
        .unsupportedCodec,
        "\(media.file.path): no decoder for \(stream.codec) in this libavcodec (\(error)); "
          + "choose another track with --audio")
    }
    media.container?.select(stream: stream.index)
    try readFirst()
    describe()
  }

  /// Sums up what is known once the first frame is decoded.
  private func describe() {
    programme = Programme(
      format,
      facts: ProgrammeFacts(
        dialnorm: firstHeader.map { Double($0.dialnorm) },
        hasDynamicRange: firstHeader?.hasCompression, downmix: downmixes.first,
        // Nothing that libavcodec decodes says so in its bitstream, but MP4's channel layout may.
        virtualization: media.isBinaural(stream) ? .binaural : nil, language: stream.language,
        objects: media.objects(of: stream, header: firstHeader)))
    let expected = expectedSamples
    track.expectedSamples = expected
    track.declaredSamples = media.container?.durationIsEstimated == true ? nil : expected
  }

  /// Timestamps are no finer than two ticks and may shake by less than half a codec frame, so that
  /// the loss of a single frame stands out. Counted times may be off by a whole frame: they follow
  /// the bytes, and frames begin anywhere in them.
  package var timestampTolerance: Int64 {
    let ticks = stream.samples(2, at: format.sampleRate)
    guard storesTimes else { return max(largestFrame, ticks, Int64(format.sampleRate / 200)) }
    return max(largestFrame / 2 - 1, ticks, 1)
  }

  /// Samples of every codec frame so far; 0 once two of them differ.
  package var codecFrame: Int64 { framesVary ? 0 : largestFrame }

  /// Both ends of a jump are rounded to ticks, which laced Matroska blocks do twice.
  package var clockUncertainty: Int64 {
    let base = stream.timeBase
    let isExact = base.numerator == 1 && base.denominator % Int64(format.sampleRate) == 0
    return isExact ? 0 : max(1, stream.samples(2, at: format.sampleRate))
  }

  /// Whether the container stores the times of its packets and they are those of their frames;
  /// Windows Media packets begin in the middle of a frame.
  private var storesTimes: Bool {
    ["matroska", "mp4", "mpegts", "mpeg", "flv", "asf", "ogg"].contains(media.formatName)
      && !stream.codec.hasPrefix("wma")
  }

  /// Samples before the first intact frame whose header says something else.
  package var downmixChange: Int64? { downmixes.change }

  /// Samples the track probably has: by the stream's duration, or by Matroska's DURATION tag, which
  /// counts from the start of the file.
  private var expectedSamples: Int64? {
    if let ticks = stream.duration { return stream.samples(ticks, at: format.sampleRate) }
    guard let end = stream.metadata["duration"].flatMap(ClockTime.nanoseconds) else { return nil }
    let start = stream.samples(stream.startTime ?? 0, at: format.sampleRate)
    let samples = MediaTime(ticks: end, rate: 1_000_000_000).samples(at: format.sampleRate)
    return max(0, samples - start)
  }

  /// Appends the next block; `nil` at the end.
  /// - Throws: ``MediaError`` of kind `damaged`, `encrypted` or `inputUnreadable`.
  package func read(into block: ProgrammeBlock) throws -> TimedBlock? {
    let facts: TimedBlock?
    if let first = held {
      held = nil
      block.audio.append(first.buffer)
      facts = first.block
    } else {
      facts = try decodeNext(into: block.audio)
    }
    decodedSamples += Int64(facts?.frames ?? 0)
    return facts
  }

  private func readFirst() throws {
    guard try advance() else {
      try damage.close()
      throw MediaError(.internal, "\(media.file.path): the decoder gave no frame")
    }
    format = AudioFormat(sampleRate: frame.sampleRate, layout: try layoutOfFrame())
    sampleFormat = frame.sampleFormat
    try checkFormat()
    converter = FormatConverter(target: format, log: log)
    let buffer = AudioBuffer(channels: format.channels, capacity: frame.frames)
    held = (buffer, try emit(into: buffer))
  }

  private func decodeNext(into buffer: AudioBuffer) throws -> TimedBlock? {
    if !isFrameReady {
      isFrameReady = try advance()
      if isFrameReady, damage.hasUnsettledLoss { settleLoss() }
    }
    // What was lost lies before the frame that is ready now.
    if damage.pendingSilence > 0 { return try appendSilence(into: buffer) }
    if isFrameReady {
      isFrameReady = false
      return try emit(into: buffer)
    }
    let start = buffer.frames
    try converter?.finish(into: buffer)
    if buffer.frames > start { return TimedBlock(frames: buffer.frames - start, position: nil) }
    try close()
    return nil
  }

  /// Where packets were lost whole, only the clock shows how much is missing: compares the silence
  /// that is pending for them with the time of the frame that is ready.
  private func settleLoss() {
    damage.hasUnsettledLoss = false
    guard hasClock, !hasChanged, largestFrame > 0, let due = duePosition,
      let position = frame.presentationTime.flatMap({ sampleTime($0) })
    else { return }
    let missing = position - due - Int64(damage.pendingSilence)
    // Longer jumps are judged by the timeline, shorter ones are the clock's own coarseness.
    guard missing > largestFrame / 2, missing < 60 * Int64(format.sampleRate) else { return }
    let whole = (missing + largestFrame / 2) / largestFrame * largestFrame
    let isWhole = abs(whole - missing) <= max(stream.samples(2, at: format.sampleRate), 1)
    damage.addSilence(Int(isWhole ? whole : missing), at: due)
    let time = MediaTime(ticks: due, rate: Int64(format.sampleRate))
    damage.noteJump("timestamps jump forward by \(missing) samples at \(time); filled with silence")
  }

  /// Appends a block of the silence that stands for lost packets, short enough to keep memory flat.
  private func appendSilence(into buffer: AudioBuffer) throws -> TimedBlock {
    let start = buffer.frames
    try converter?.finish(into: buffer)
    let rest = Int64(buffer.frames - start)
    let position = damage.silencePosition.map { $0 - rest }
    buffer.appendSilence(damage.takeSilence(atMost: 65536))
    return TimedBlock(frames: buffer.frames - start, position: position)
  }

  /// Moves `frame` to the next decoded frame with samples; `false` when the track is drained.
  private func advance() throws -> Bool {
    while true {
      do {
        if try decoder.receive(into: frame) {
          guard frame.frames > 0 else { continue }
          let isIntact = !frame.isDamaged && !isSuspect
          // A frame in doubt doesn't prove that intact ones follow the damage.
          if isIntact || !damage.hasGoodFrame { try damage.good() }
          downmixes.note(
            header?.downmix, at: decodedSamples, isIntact: isIntact,
            endsWithout: header?.tellsDownmix == true)
          noteDoubts()
          packetFrames += 1
          return true
        }
        if isDraining { return false }
        try feed()
      } catch let error as LibAVError {
        guard error.meaning != .outOfMemory else {
          throw MediaError(.outOfResources, "\(media.file.path): memory is out; try again")
        }
        noteDamage("\(error)", samples: lostSamples)
      }
    }
  }

  /// Notes damage that didn't keep the current frame from being decoded.
  private func noteDoubts() {
    let span = frame.frames
    if frame.isDamaged {
      noteDamage("concealed by the decoder", samples: 0, span: span)
    } else if isSuspect {
      noteDamage("marked corrupt by the container", samples: 0, span: span)
    }
    isSuspect = false
  }

  /// Samples the current packet declares.
  private var packetSamples: Int {
    Int(clamping: stream.samples(packetDuration, at: format.sampleRate))
  }

  /// Samples lost with the current packet: what it declares, else a codec frame.
  private var lostSamples: Int {
    let frame = stream.frameSize > 0 ? stream.frameSize : Int(largestFrame)
    // A clock coarser than a sample only says that it is about a frame.
    let isFrame =
      abs(packetSamples - frame) <= Int(clamping: stream.samples(1, at: format.sampleRate))
    let declared = packetSamples > 0 && !isFrame ? packetSamples : frame
    // No codec's packet is longer than this; a container may claim anything.
    return min(max(0, declared - packetFrames * Int(largestFrame)), 30 * format.sampleRate)
  }

  /// Hands the next packet of the track to the decoder, or starts draining.
  private func feed() throws {
    repeat {
      guard try readPacket() else {
        isDraining = true
        try decoder.send(nil)
        return
      }
    } while packet.streamIndex != stream.index
    packetIndex += 1
    packetFrames = 0
    packetDuration = max(0, packet.duration)
    // Where the header leaves the length open, the last packet only looks cut.
    isSuspect = packet.isCorrupt && !check.isSizeUnknown
    clockFaults.note(packet.presentationTime)
    if isDolby { header = DolbyHeader(packet.bytes(first: 256)) }
    if packetIndex == 0 { firstHeader = header }
    guard !packet.isEncrypted else {
      throw MediaError(
        .encrypted,
        "\(media.file.path): audio track \(stream.index) is encrypted; give a decrypted copy")
    }
    try decoder.send(packet)
  }

  private func readPacket() throws -> Bool {
    while true {
      do {
        let isPacket = try media.opened().read(into: packet)
        failedReads = 0
        return isPacket
      } catch let error as LibAVError where error.meaning != .outOfMemory {
        guard error.meaning != .inputOutput else {
          throw MediaError(
            .inputUnreadable,
            "\(media.file.path): reading failed at byte "
              + "\(media.container?.bytePosition ?? 0); check the disk")
        }
        // More may follow a damaged spot; a container cut in mid-packet ends here, and the ledger
        // reports it as truncated.
        packetIndex += 1
        failedReads += 1
        noteDamage("\(error)", samples: 0)
        guard error.meaning == .invalidData, failedReads < 100 else { return false }
      }
    }
  }

  private func noteDamage(_ reason: String, samples: Int, span: Int = 0) {
    let position = packet.presentationTime.flatMap { sampleTime($0) }
    let time = position.map { MediaTime(ticks: $0, rate: Int64(format.sampleRate)).description }
    damage.note(
      reason, packet: packetIndex, time: time, samples: samples, span: span, position: position)
  }

  /// A timestamp in samples; `nil` for one so far off that it can't be calculated with.
  private func sampleTime(_ ticks: Int64) -> Int64? {
    let position = stream.samples(ticks, at: format.sampleRate)
    return position.magnitude < 1 << 60 ? position : nil
  }

  /// Appends the current frame to `buffer`.
  private func emit(into buffer: AudioBuffer) throws -> TimedBlock {
    let start = buffer.frames
    var position = frame.presentationTime.flatMap { sampleTime($0) }
    let frameFormat = AudioFormat(
      sampleRate: frame.sampleRate,
      layout: frame.channels == format.channels
        ? (frame.layout ?? format.layout) : try otherLayout())
    let same =
      frameFormat.sampleRate == format.sampleRate
      && (options.layout != nil && frame.channels == format.channels
        || frameFormat.layout == format.layout)
    // Demuxers of bare streams count on at the first rate, so their times are wrong after a change.
    if converter?.isActive == true || hasChanged && !hasClock { position = nil }
    hasChanged = hasChanged || !same
    try converter?.append(frame, format: same ? format : frameFormat, to: buffer)
    if sampleFormat.hasPrefix("flt") || sampleFormat.hasPrefix("dbl") {
      checkFiniteness(buffer, from: start)
    }
    framesVary = framesVary || largestFrame > 0 && largestFrame != Int64(frame.frames)
    largestFrame = max(largestFrame, Int64(frame.frames))
    let frames = Int64(buffer.frames - start)
    duePosition = (position ?? duePosition).map { $0 + frames }
    let skip = frame.skip
    return TimedBlock(
      frames: buffer.frames - start, position: position, skipStart: skip.start,
      discardEnd: skip.end, declaredFrames: same ? declaredFrames : nil)
  }

  /// Whether the container stores times; those of bare streams are counted up by libav.
  private var hasClock: Bool {
    !["aac", "ac3", "eac3", "mp3", "flac", "dts", "dtshd", "truehd", "mlp", "loas"]
      .contains(media.formatName)
  }

  /// The packet's duration, where the container's clock is as fine as a sample and the packet held
  /// one frame.
  private var declaredFrames: Int? {
    let base = stream.timeBase
    let rate = Int64(format.sampleRate)
    guard base.numerator == 1, packetFrames == 1, packetSamples > 0,
      base.denominator % rate == 0 || rate % base.denominator == 0,
      base.denominator * 4 >= rate
    else { return nil }
    return packetSamples
  }

  /// Told at once, not at the end: a job that stops early must report it too.
  private func checkFiniteness(_ buffer: AudioBuffer, from start: Int) {
    let before = (finiteness.replaced, finiteness.implausible)
    finiteness.check(buffer, from: start)
    let time = MediaTime(ticks: decodedSamples, rate: Int64(format.sampleRate))
    if before.0 == 0, finiteness.replaced > 0 {
      log.degrade(
        .nonFiniteSamples,
        "NaN or infinite samples, the first after \(time), are replaced by silence")
    }
    if before.1 == 0, finiteness.implausible > 0 {
      log.degrade(
        .implausibleSamples,
        "samples beyond +193 dBFS, the first after \(time), are replaced by silence")
    }
  }

  /// Lossy codecs exceed full scale as a matter of course; a file of samples means it.
  private func notePeak() {
    guard stream.isLossless, finiteness.peak > 1 else { return }
    let level = (200 * log10(Double(finiteness.peak))).rounded() / 10
    log.decide(
      .fullScale, "kept",
      why: "samples reach \(level) dB above full scale; a player without gain would clip them")
  }

  private func otherLayout() throws -> ChannelLayout {
    if let layout = frame.layout ?? ChannelLayout.conventional(channels: frame.channels) {
      return layout
    }
    throw MediaError(
      .layoutUnknown,
      "\(media.file.path): changes in mid-stream to \(frame.channels) channels without a layout; "
        + "cut it there")
  }

  private func close() throws {
    try damage.close(missing: missingSamples, longestEnd: Int64(format.sampleRate))
    let unusable = finiteness.replaced + finiteness.implausible
    guard unusable == 0 || unusable < finiteness.seen else {
      throw MediaError(
        .damaged, "\(media.file.path): every sample is NaN or infinite; give an intact copy")
    }
    notePeak()
    try check.checkEnd(options.damage)
    clockFaults.report(media.formatName, storesTimes: storesTimes, to: log)
    if media.isCut, !log.holds(.truncated) {
      log.degrade(
        .truncated, "the file is shorter than its container says; what was behind is missing")
    }
    if media.file.hasChanged {
      throw MediaError(
        .inputUnreadable,
        "\(media.file.path): changed while it was read; run again when it is "
          + "complete")
    }
  }

  /// Samples that an uncut container declares beyond those decoded; 0 for a cut file, whose loss is
  /// no damage, and for containers that can't tell.
  private var missingSamples: Int64 {
    guard media.statesExtent, !media.isCut, let declared = track.declaredSamples else { return 0 }
    return max(0, declared - decodedSamples)
  }

  private func checkFormat() throws {
    guard (2_000...768_000).contains(format.sampleRate) else {
      throw MediaError(
        .unsupportedFeature,
        "\(media.file.path): its sample rate of \(format.sampleRate) Hz is outside 2 to 768 kHz; "
          + "check the header")
    }
    let isWide =
      sampleFormat.hasPrefix("s32") && stream.bitsPerSample > 24
      || sampleFormat.hasPrefix("s64") || sampleFormat.hasPrefix("dbl")
    if stream.isLossless, isWide {
      log.degrade(
        .precision, "samples of more than 24 bits are rounded to 32-bit float (24-bit mantissa)")
    }
  }

  /// Layout of the current frame: `--layout-in`, else decoder, else container, else convention.
  private func layoutOfFrame() throws -> ChannelLayout {
    let channels = frame.channels
    if let wanted = options.layout {
      guard wanted.count == channels else {
        throw MediaError(
          .usage,
          "--layout-in \(wanted): has \(wanted.count) channels but \(media.file.path) has "
            + "\(channels)")
      }
      log.decide(.layout, wanted.name, why: "asked for by --layout-in")
      return wanted
    }
    let stated = frame.layout ?? stream.layout ?? media.statedLayout(of: stream)
    if let stated, stated.count == channels { return stated }
    guard let guess = ChannelLayout.conventional(channels: channels) else {
      throw MediaError(
        .layoutUnknown,
        "\(media.file.path): has \(channels) channels but names no layout; say which with "
          + "--layout-in, e.g. --layout-in 5.1")
    }
    if channels > 2 {
      log.degrade(
        .layoutGuessed,
        "the file names no layout for its \(channels) channels; taken as \(guess), "
          + "change it with --layout-in")
    } else {
      log.decide(.layout, guess.name, why: "the usual meaning of \(channels) channel(s)")
    }
    return guess
  }
}
