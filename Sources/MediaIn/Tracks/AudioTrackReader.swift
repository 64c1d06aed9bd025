// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV

/// Decodes one audio track of a media file, block by block, without trimming.
///
/// All blocks have the format of the first one: changes in mid-stream are converted and reported.
/// Damage is an error or becomes silence of the same length, as the policy says; it never goes unreported.
package final class AudioTrackReader: TrackReader {
  /// One bed or one sound field; its facts are those that the container and the first packet state.
  package private(set) var programme = Programme(
    AudioFormat(sampleRate: 48_000, layout: .mono))
  package private(set) var track: TrackDescription
  /// Samples handed out or left out so far.
  package private(set) var decodedSamples: Int64 = 0

  /// The frame that was decoded last.
  private struct LastFrame {
    /// Whether it hasn't been handed out.
    var isReady = false
    /// Origin of the last block.
    var origin = BlockOrigin.other
  }

  private let file: TrackFile
  private(set) var packets: TrackPackets
  private var decoder: FrameDecoder
  private let layouts: LayoutChoice
  private var clock: TrackClock
  private var damage: DamageLedger
  private var samples: SampleCheck
  /// The check of the samples as a whole; `nil` where the header states no checksum of them, or not all are decoded as
  /// they are.
  private var checksum: SampleMD5?
  /// The numbers in the frames of a bare stream that is placed by them.
  private var numbers: FrameNumber?
  private var converter: FormatConverter
  private var downmixes = DownmixRecord()
  private var last = LastFrame()
  /// Samples of the first packet that pages of Ogg don't count.
  private var uncounted: Int64 = 0
  /// Position of the first sample.
  private var firstPosition: Int64 = 0
  /// Byte of the file after the last packet that was decoded without a fault; `nil` where it isn't known.
  private var soundEnd: Int64?
  /// Whether the last frame has been decoded.
  private var hasEnded = false
  /// Whether a frame had another format than the first.
  private var hasChanged = false
  /// The first block, until it is read.
  private var held: (buffer: AudioBuffer, block: TimedBlock)?

  /// Opens the decoder of `stream` and decodes the first block, which fixes the format.
  /// - Throws: ``MediaError`` when the track can't be decoded or holds no audio at all.
  package init(
    media: MediaFile, stream: StreamInfo, options: InputOptions, log: DiagnosticLog
  ) throws {
    file = TrackFile(media: media, stream: stream, options: options, log: log)
    // Some versions of libavcodec refuse such packets one by one.
    if stream.codecTraits.isPlain, stream.sound.sampleRate == 0 { throw file.withoutRate }
    track = TrackDescription(stream: stream)
    let path = media.file.path
    layouts = LayoutChoice(
      path: path, wanted: options.order, wantedField: options.field,
      needsPlaces: options.needsPlaces, log: log)
    damage = DamageLedger(policy: options.damage, path: path, log: log)
    clock = TrackClock(stream, in: media.format)
    decoder = try FrameDecoder(stream, of: media, options)
    packets = try TrackPackets(stream, of: media, isSizeUnknown: file.check.isSizeUnknown)
    samples = SampleCheck(sampleFormat: "none", log: log)
    converter = FormatConverter(
      target: TrackFormat(sampleRate: clock.sampleRate, layout: .mono), log: log)
    if media.format.input?.clock == .numbered,
      case .numberedFrame(let numbering) = stream.codecTraits.entry
    {
      numbers = FrameNumber(numbering, of: stream)
    }
    if media.format.statesSampleMD5 {
      checksum = FLACStreamInfo(stream.extradata).flatMap(SampleMD5.init)
    }
    try readFirst()
  }

  /// Decodes the first block and sums up what is known from then on.
  private func readFirst() throws {
    guard try advance() else {
      try damage.close()
      throw MediaError(.internal, about: file.path, "the decoder gave no frame")
    }
    try leaveOutStartUp()
    let frame = decoder.frame
    let rate = file.stream.codecTraits.workingRate.map { min($0, frame.sampleRate) }
    let field = try layouts.field(
      channels: frame.channels,
      stated: .init(
        order: frame.fieldOrder ?? file.statedFieldOrder, box: file.statedSpatialAudio,
        channels: file.entryChannels))
    var format = TrackFormat(
      sampleRate: rate ?? frame.sampleRate, content: try content(of: frame, field?.field))
    format.hasHeadLockedStereo = field?.hasHeadLockedStereo == true
    clock.sampleRate = format.sampleRate
    try file.check(format, decodedAs: frame.sampleFormat)
    samples = SampleCheck(sampleFormat: frame.sampleFormat, log: file.log)
    converter = FormatConverter(
      target: format, field: field.map(FieldPlanes.init),
      order: file.options.order.map(PlaneSwaps.init),
      decodedRate: rate == nil ? nil : frame.sampleRate, log: file.log)
    programme = file.programme(
      format, header: packets.firstHeader, downmix: downmixes.first, first: packets.packet)
    let buffer = AudioBuffer(channels: format.channels, capacity: frame.frames)
    var first = try emit(into: buffer)
    first.infoFrame = packets.infoFrame?.facts
    first.skipStart += packets.decoderDelay
    first.silentLead = silentLead(to: first)
    held = (buffer, first)
    firstPosition = first.position ?? 0
    track.expectedSamples = file.expectedSamples(clock).map { max(0, $0 - packets.samplesLeftOut) }
    track.declaredSamples =
      file.isLengthEstimated ? nil : track.expectedSamples.map { $0 - first.silentLead }
    track.isCountExact = clock.countsSamples && file.countsSamples(packets.packet.bytes(first: 4))
    track.programmeSamples = file.programmeSamples
  }

  /// Leaves out a first frame that is all start-up. Edit lists of MP4 count packets as decoders do that take such a frame out
  /// themselves, as libavcodec did until version 59.
  private func leaveOutStartUp() throws {
    let frame = decoder.frame
    guard file.media.movie != nil, file.stream.codecTraits.startUp == .takenOut,
      !file.stream.codecTraits.hasOwnDecoder, frame.frames > 0, frame.skip.start == frame.frames
    else { return }
    guard try advance() else {
      throw MediaError(
        .inputUnreadable, about: file.path, "it holds start-up samples alone, and no sound")
    }
  }

  /// Samples of the packets before the `first` block, which give none where the decoder takes out what it starts with, though
  /// the container's clock counts them.
  private func silentLead(to first: TimedBlock) -> Int64 {
    let (media, stream) = (file.media, file.stream)
    guard stream.codecTraits.startUp == .takenOut, media.format.input?.extent != .lastPage,
      let position = first.position, let start = clock.position(stream.startTime ?? 0)
    else { return 0 }
    return max(0, position - start)
  }

  /// Content of the first frame's channels, a sound field where there is a `field`.
  private func content(of frame: Frame, _ field: FieldInput?) throws -> Programme.Element {
    if let field { return .scene(order: field.order) }
    return .bed(
      try layouts.layout(channels: frame.channels, stated: frame.layout ?? file.statedLayout))
  }

  /// Greatest error of a timestamp, in samples.
  package var timestampTolerance: Int64 { clock.tolerance }

  /// Samples of every codec frame so far; 0 once two of them differ.
  package var codecFrame: Int64 { clock.codecFrame }

  /// Greatest error of a jump's length, in samples.
  package var clockUncertainty: Int64 { clock.uncertainty }

  /// Samples before the first intact frame whose header states another mix to two channels.
  package var downmixChange: Int64? { downmixes.change }

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

  /// Origin of the last block.
  var origin: BlockOrigin { last.origin }

  /// Hands the packet that the last block was decoded from to `body`; no bytes unless ``origin`` is a packet.
  func withPacket<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result
  {
    guard origin == .packet else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
    return try packets.packet.withBytes(body)
  }

  /// The header of the track's first packet, where it is of AC-3 or E-AC-3.
  var firstHeader: DolbyHeader? { packets.firstHeader }

  /// Leaves out packets, where decoding may begin behind them (``TrackEntry``); asked behind the first block
  /// only.
  package func skip(_ count: Int64) throws -> Int64 {
    guard held == nil, !last.isReady, packets.index == 0, !packets.isSuspect, !hasChanged,
      !converter.isActive,
      let entry = TrackEntry(
        file, clock, first: decodedSamples, before: decodedSamples + count)
    else { return 0 }
    (packets, decoder) = (entry.packets, entry.decoder)
    checksum = nil
    let skipped = entry.sample - decodedSamples
    clock.pass(skipped)
    decodedSamples += skipped
    return skipped
  }

  private func decodeNext(into buffer: AudioBuffer) throws -> TimedBlock? {
    if !last.isReady {
      last.isReady = try advance()
      if !last.isReady, !hasEnded {
        // The silence that stands for a lost end must not count as what was promised.
        hasEnded = true
        if damage.isOpen, let evidence = endsBeforeDamage { damage.leaveOutEnd(evidence) }
      }
      if damage.hasUnsettledLoss { last.isReady ? settleLoss() : settleEnd() }
    }
    // The lost packets lie before the frame that is ready now, so their silence comes first.
    if damage.pendingSilence > 0 { return try appendSilence(into: buffer) }
    if last.isReady {
      last.isReady = false
      return try emit(into: buffer)
    }
    let start = buffer.frames
    last.origin = .other
    try converter.drain(into: buffer)
    if buffer.frames > start { return TimedBlock(frames: buffer.frames - start, position: nil) }
    try close()
    return nil
  }

  /// Corrects the silence that is pending for lost packets by the time of the frame that is ready: where
  /// whole packets were lost, only the clock shows how much is missing.
  private func settleLoss() {
    damage.hasUnsettledLoss = false
    let frame = clock.longestFrame
    guard clock.showsLoss, !hasChanged, frame > 0, let due = clock.due,
      let position = decoder.frame.presentationTime.flatMap(clock.position)
    else { return }
    let missing = position - due - Int64(damage.pendingSilence)
    // Less than half a frame is the rounding of the clock. Jumps of a minute or more are left to the
    // timeline, which takes them for a restart of the clock (`GapPolicy.fill`).
    guard missing > frame / 2, missing < 60 * Int64(clock.sampleRate) else { return }
    // Lost packets hold whole frames. A length within two ticks of that was rounded by the clock.
    let whole = (missing + frame / 2) / frame * frame
    let isWhole = abs(whole - missing) <= max(clock.samples(2), 1)
    damage.addSilence(Int(isWhole ? whole : missing), at: due)
    damage.noteJump(
      "timestamps jump forward by \(missing) samples at \(clock.text(due)); filled with silence")
  }

  /// Corrects the silence that is pending for packets lost at the end, by the length that the container states
  /// to the sample: libavformat may have joined what it couldn't parse to one packet without a duration. If
  /// a cut end looks the same, at most a second is filled.
  private func settleEnd() {
    damage.hasUnsettledLoss = false
    guard clock.countsSamples, clock.showsLoss, !hasChanged, let due = clock.due,
      let declared = track.declaredSamples
    else { return }
    let missing = declared - decodedSamples - Int64(damage.pendingSilence)
    guard missing > 0, missing < (file.isWhole ? 60 : 1) * Int64(clock.sampleRate) else { return }
    damage.addSilence(Int(missing), at: due)
  }

  /// Samples of the decode after which nothing of the programme is missing; `nil` where the file doesn't state them.
  private var needed: Int64? {
    packets.infoFrame?.facts.soundEnd
      ?? file.samplesNeeded(rate: clock.sampleRate, origin: firstPosition)
      ?? (track.isCountExact ? track.declaredSamples : nil)
  }

  /// Whether all samples of the programme have been decoded without a fault, by what the file states of them.
  private var holdsAll: Bool { needed.map { $0 <= decodedSamples - damage.doubtful } ?? false }

  /// The reason why what can't be decoded lies after the end of the programme; `nil` without one.
  private var endsBeforeDamage: String? {
    if needed != nil {
      return holdsAll ? "all samples that the file states come before it" : nil
    }
    // Recorders and disc tools fill up bare streams. A download that was cut may have such an end, too, but where nothing
    // states a length, nothing shows that.
    guard file.media.format.input?.hasClock == false, let soundEnd,
      file.media.file.isZero(from: soundEnd)
    else { return nil }
    return "nothing but zeros follows the last frame"
  }

  /// Appends a block of the silence that stands for lost packets: at most 65,536 samples (512 KiB for two
  /// channels), because a container may claim any length.
  private func appendSilence(into buffer: AudioBuffer) throws -> TimedBlock {
    let start = buffer.frames
    try converter.drain(into: buffer)
    let rest = Int64(buffer.frames - start)
    let position = damage.silencePosition.map { $0 - rest }
    last.origin = rest > 0 ? .other : .loss
    checksum = nil
    buffer.appendSilence(damage.takeSilence(atMost: 65536))
    return TimedBlock(frames: buffer.frames - start, position: position)
  }

  /// Decodes the next frame with samples; `false` when the track is drained.
  private func advance() throws -> Bool {
    while true {
      do {
        if try decoder.receive() {
          guard decoder.frame.frames > 0 else { continue }
          try noteFrame()
          return true
        }
        if decoder.isDraining { return false }
        try feed()
      } catch let error as LibAVError {
        guard error.meaning != .outOfMemory else {
          throw MediaError(.outOfResources, about: file.path, "memory is out; try again")
        }
        noteDamage("\(error)", samples: lostSamples)
      }
    }
  }

  /// Notes whether the decoded frame is damaged, and which mix to two channels its header states.
  private func noteFrame() throws {
    let frame = decoder.frame
    let isIntact = !frame.isDamaged && !packets.isSuspect && !packets.isInDoubt
    last.origin = isIntact && packets.frames == 0 ? .packet : .loss
    if isIntact { soundEnd = packets.end }
    // A doubtful frame doesn't end a damaged stretch; as the first of the track, it still starts the sound.
    if isIntact || !damage.hasGoodFrame { try damage.good() }
    let header = packets.header
    downmixes.note(
      header?.downmix, at: decodedSamples, isIntact: isIntact,
      endsWithout: header?.tellsDownmix == true)
    if frame.isDamaged {
      noteDamage("concealed by the decoder", samples: 0, span: frame.frames)
    } else if packets.isSuspect {
      let reason = packets.isCut ? "its end is missing" : "marked corrupt by the container"
      noteDamage(reason, samples: 0, span: frame.frames)
    }
    packets.isSuspect = false
    packets.frames += 1
  }

  /// Hands the next packet of the track to the decoder, or starts draining.
  private func feed() throws {
    while true {
      switch try packets.advance() {
      case .packet: return try decoder.send(packets.packet)
      case .damage(let reason, let samples): noteDamage(reason, samples: samples)
      case .end: return try decoder.drain()
      }
    }
  }

  /// Duration in samples that the current packet declares; 0 for none.
  private var packetSamples: Int { Int(clamping: clock.samples(packets.duration)) }

  /// Samples lost with the current packet: what it declares, else a codec frame; less the frames that were
  /// decoded from it.
  private var lostSamples: Int {
    let frame = file.frameSize ?? Int(clock.longestFrame)
    // A duration within one tick of a codec frame was rounded to the clock, so the frame's length counts.
    let isFrame = abs(packetSamples - frame) <= Int(clamping: clock.samples(1))
    let declared = packetSamples > 0 && !isFrame ? packetSamples : frame
    // No packet of a real codec lasts 30 s, but a damaged container may claim any duration.
    let longest = 30 * clock.sampleRate
    return min(max(0, declared - packets.frames * Int(clock.longestFrame)), longest)
  }

  private func noteDamage(_ reason: String, samples: Int, span: Int = 0) {
    let position = packets.packet.presentationTime.flatMap(clock.position)
    // Bytes after the last sample are none of those that have the checksum.
    if checksum != nil, !holdsAll { checksum = nil }
    damage.note(
      reason, packet: packets.number, time: position.map(clock.text), samples: samples, span: span,
      position: position)
  }

  /// Appends the frame that is ready to `buffer`.
  private func emit(into buffer: AudioBuffer) throws -> TimedBlock {
    let (frame, format) = (decoder.frame, converter.target)
    let start = buffer.frames
    if packets.index == 0, packets.isUncounted { uncounted += Int64(frame.frames) }
    var position = position(of: frame)
    var frameFormat = TrackFormat(
      sampleRate: frame.sampleRate, content: try laterContent(of: frame))
    frameFormat.hasHeadLockedStereo =
      format.hasHeadLockedStereo && frame.channels == format.channels
    let same = frameFormat == format
    // Demuxers of bare streams keep counting at the first sample rate, so after a change their times are
    // wrong.
    if converter.isActive || hasChanged && !clock.isIndependent { position = nil }
    hasChanged = hasChanged || !same
    if !same || converter.isActive { last.origin = .other }
    try converter.append(frame, format: frameFormat, to: buffer)
    let time = MediaTime(ticks: decodedSamples, rate: Int64(format.sampleRate))
    samples.check(buffer, from: start, time: time)
    if same { checksum?.update(buffer, from: start) } else { checksum = nil }
    converter.arrange(buffer, from: start)
    clock.note(
      frame: Int64(frame.frames), samples: Int64(buffer.frames - start), at: position)
    return TimedBlock(
      frames: buffer.frames - start, position: position, skipStart: frame.skip.start,
      discardEnd: discard(of: frame), declaredFrames: same ? declaredFrames : nil)
  }

  /// Samples at the end of `frame` that are padding.
  private func discard(of frame: Frame) -> Int {
    let stated = frame.skip.end
    // Of a frame that is shorter already, some demuxers state the discard of a whole one (FFmpeg 8.1's
    // of CAF). libavcodec ignores a discard that is larger than its frame, and so must we.
    guard let limit = packets.limit, !hasChanged else { return stated > frame.frames ? 0 : stated }
    let end = decodedSamples - uncounted + Int64(frame.frames)
    return Int(min(Int64(frame.frames), max(0, end - limit)))
  }

  /// The first sample of `frame` by the container's clock, or by the number in a frame of a bare stream: libavformat
  /// multiplies each such number by the size of its own block.
  private func position(of frame: Frame) -> Int64? {
    guard numbers != nil else {
      let time = frame.presentationTime.flatMap(clock.position)
      return packets.index == 0 && packets.isUncounted
        ? time.map { $0 - Int64(frame.frames) } : time
    }
    guard last.origin == .packet else { return nil }
    let head = packets.packet.bytes(first: FrameNumber.longestHeader)
    if packets.index == 1, packets.number != nil {
      numbers?.learn(fromSecond: head, after: decodedSamples)
    }
    return numbers?.sample(head)
  }

  /// Content of the channels of `frame`, which may differ from that of the first one.
  private func laterContent(of frame: Frame) throws -> Programme.Element {
    let content = converter.target.content
    guard frame.channels == converter.target.channels else {
      return .bed(try layouts.laterLayout(channels: frame.channels, stated: frame.layout))
    }
    // A layout that was asked for names the channels of every frame, whatever the frame says.
    guard layouts.wanted == nil, case .bed = content, let layout = frame.layout else {
      return content
    }
    return .bed(layout)
  }

  /// The packet's duration in samples; `nil` unless the container's clock counts samples and the packet
  /// held one frame.
  private var declaredFrames: Int? {
    packets.frames == 1 && packetSamples > 0 && clock.countsSamples ? packetSamples : nil
  }

  private func close() throws {
    let declared = file.isWhole ? track.declaredSamples ?? 0 : 0
    try damage.close(
      missing: max(0, declared - decodedSamples), longestEnd: Int64(clock.sampleRate))
    file.compare(decodedSamples)
    if packets.strayBytes > 0 {
      file.log.degrade(
        .garbageSkipped,
        "\(packets.strayBytes) bytes between frames belong to none and are left out")
    }
    try samples.close(path: file.path, isLossless: file.isLossless)
    checksum?.close(file.log)
    try file.close(packets.clockFaults, storesTimes: clock.isStored)
  }
}
