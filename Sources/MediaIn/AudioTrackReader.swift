import AudioCore
import LibAV

/// Decodes one audio track of a media file, block by block, trimming nothing.
///
/// All blocks have the format of the first one: changes in mid-stream are converted and reported.
/// Damage is an error or silence by policy, never a silent gap.
public final class AudioTrackReader: TimedSource {
  /// Format of every block.
  public private(set) var format = AudioFormat(sampleRate: 48_000, layout: .mono)
  /// Name of the decoded sample format, e.g. `fltp`.
  public private(set) var sampleFormat = "none"
  /// Dolby header of the first packet of an AC-3 or E-AC-3 track.
  public private(set) var dolby: DolbyHeader?
  /// The stream being read.
  public let stream: StreamInfo
  /// Samples handed out so far.
  public private(set) var decodedSamples: Int64 = 0

  private let media: MediaFile
  private let decoder: DecoderContext
  private let options: InputOptions
  private let log: DiagnosticLog
  private let packet: Packet
  private let frame: Frame
  private var converter: FormatConverter?
  private var damage: DamageLedger
  private var finiteness = FinitenessGuard()
  private var largestFrame: Int64 = 0
  private var packetIndex = -1
  private var packetFrames = 0
  private var packetSamples = 0
  private var isDraining = false
  private var held: (buffer: AudioBuffer, block: TimedBlock)?

  /// Opens the decoder of `stream` and decodes the first block, which fixes the format.
  /// - Throws: ``MediaError`` when the track can't be decoded or holds no audio at all.
  public init(
    media: MediaFile, stream: StreamInfo, options: InputOptions, log: DiagnosticLog
  ) throws {
    self.media = media
    self.stream = stream
    self.options = options
    self.log = log
    damage = DamageLedger(policy: options.damage, path: media.file.path, log: log)
    do {
      decoder = try media.container.makeDecoder(
        stream: stream.index, options: options.dynamicRange.decoderOptions)
      packet = try Packet()
      frame = try Frame()
    } catch let error as LibAVError {
      throw MediaError(
        .unsupportedCodec,
        "\(media.file.path): no decoder for \(stream.codec) in this libavcodec (\(error)); "
          + "choose another track with --audio")
    }
    media.container.select(stream: stream.index)
    try readFirst()
  }

  /// Timestamps are no finer than two ticks, and a codec frame may be shifted as a whole.
  public var timestampTolerance: Int64 {
    let ticks = stream.samples(2, at: format.sampleRate)
    return max(largestFrame, ticks, Int64(format.sampleRate / 200))
  }

  /// Samples the container declares for the track, where it doesn't merely guess them.
  public var declaredSamples: Int64? {
    guard !media.container.durationIsEstimated, let ticks = stream.duration else { return nil }
    return stream.samples(ticks, at: format.sampleRate)
  }

  /// Samples the track probably has, for progress only.
  public var expectedSamples: Int64? {
    stream.duration.map { stream.samples($0, at: format.sampleRate) }
  }

  /// Appends the next block; `nil` at the end.
  /// - Throws: ``MediaError`` of kind `damaged`, `encrypted` or `inputUnreadable`.
  public func read(into buffer: AudioBuffer) throws -> TimedBlock? {
    let block: TimedBlock?
    if let first = held {
      held = nil
      buffer.append(first.buffer)
      block = first.block
    } else {
      block = try decodeNext(into: buffer)
    }
    decodedSamples += Int64(block?.frames ?? 0)
    return block
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
    if try advance() { return try emit(into: buffer) }
    let start = buffer.frames
    try converter?.finish(into: buffer)
    if damage.owedSilence > 0 {
      buffer.appendSilence(damage.owedSilence)
      damage.settle()
    }
    if buffer.frames > start { return TimedBlock(frames: buffer.frames - start, position: nil) }
    try close()
    return nil
  }

  /// Moves `frame` to the next decoded frame with samples; `false` when the track is drained.
  private func advance() throws -> Bool {
    while true {
      do {
        if try decoder.receive(into: frame) {
          guard frame.frames > 0 else { continue }
          try damage.good()
          // What such a frame holds is kept; whether it matters shows when another one follows.
          if frame.isDamaged { noteDamage("concealed by the decoder", samples: 0) }
          if packet.isCorrupt { noteDamage("marked corrupt by the container", samples: 0) }
          packetFrames += 1
          return true
        }
        if isDraining { return false }
        try feed()
      } catch let error as LibAVError {
        guard error.meaning != .outOfMemory else {
          throw MediaError(.outOfResources, "\(media.file.path): memory is out; try again")
        }
        noteDamage("\(error)", samples: packetSamples)
      }
    }
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
    packetSamples = Int(clamping: stream.samples(packet.duration, at: format.sampleRate))
    if packetIndex == 0, ["ac3", "eac3"].contains(stream.codec) {
      dolby = DolbyHeader(packet.bytes(first: 256))
    }
    guard !packet.isEncrypted else {
      throw MediaError(
        .encrypted,
        "\(media.file.path): audio track \(stream.index) is encrypted; give a decrypted copy")
    }
    try decoder.send(packet)
  }

  private func readPacket() throws -> Bool {
    do {
      return try media.container.read(into: packet)
    } catch let error as LibAVError {
      guard error.meaning != .inputOutput else {
        throw MediaError(
          .inputUnreadable,
          "\(media.file.path): reading failed at byte "
            + "\(media.container.bytePosition); check the disk")
      }
      // A container cut in mid-packet ends here; the ledger reports it as truncated.
      packetIndex += 1
      noteDamage("\(error)", samples: 0)
      return false
    }
  }

  private func noteDamage(_ reason: String, samples: Int) {
    let position = packet.presentationTime.map { stream.samples($0, at: format.sampleRate) }
    let time = position.map { MediaTime(ticks: $0, rate: Int64(format.sampleRate)).description }
    damage.note(
      reason, packet: packetIndex, time: time, samples: samples, position: position)
  }

  /// Appends owed silence and the current frame to `buffer`.
  private func emit(into buffer: AudioBuffer) throws -> TimedBlock {
    let start = buffer.frames
    var position = frame.presentationTime.map { stream.samples($0, at: format.sampleRate) }
    if damage.owedSilence > 0 {
      buffer.appendSilence(damage.owedSilence)
      position = damage.owedPosition ?? position.map { $0 - Int64(damage.owedSilence) }
      damage.settle()
    }
    let frameFormat = AudioFormat(
      sampleRate: frame.sampleRate,
      layout: frame.channels == format.channels ? (frame.layout ?? format.layout) : otherLayout())
    let same =
      frameFormat.sampleRate == format.sampleRate
      && (options.layout != nil && frame.channels == format.channels
        || frameFormat.layout == format.layout)
    if converter?.isActive == true { position = nil }
    try converter?.append(frame, format: same ? format : frameFormat, to: buffer)
    if sampleFormat.hasPrefix("flt") || sampleFormat.hasPrefix("dbl") {
      finiteness.check(buffer, from: start)
    }
    largestFrame = max(largestFrame, Int64(frame.frames))
    let skip = frame.skip
    return TimedBlock(
      frames: buffer.frames - start, position: position, skipStart: skip.start,
      discardEnd: skip.end, declaredFrames: same ? declaredFrames : nil)
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

  private func otherLayout() -> ChannelLayout {
    frame.layout ?? ChannelLayout.conventional(channels: frame.channels) ?? format.layout
  }

  private func close() throws {
    try damage.close()
    if finiteness.replaced > 0 {
      guard finiteness.replaced < finiteness.seen else {
        throw MediaError(
          .damaged, "\(media.file.path): every sample is NaN or infinite; give an intact copy")
      }
      log.degrade(
        "non-finite-samples",
        "\(finiteness.replaced) NaN or infinite sample(s) were replaced by silence")
    }
    if media.file.hasChanged {
      throw MediaError(
        .inputUnreadable,
        "\(media.file.path): changed while it was read; run again when it is "
          + "complete")
    }
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
        "precision", "samples of more than 24 bits are rounded to 32-bit float (24-bit mantissa)")
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
      log.decide("layout", wanted.name, why: "asked for by --layout-in")
      return wanted
    }
    if let layout = frame.layout ?? stream.layout, layout.count == channels { return layout }
    guard let guess = ChannelLayout.conventional(channels: channels) else {
      throw MediaError(
        .layoutUnknown,
        "\(media.file.path): has \(channels) channels but names no layout; say which with "
          + "--layout-in, e.g. --layout-in 5.1")
    }
    if channels > 2 {
      log.degrade(
        "layout-guessed",
        "the file names no layout for its \(channels) channels; taken as \(guess), "
          + "change it with --layout-in")
    } else {
      log.decide("layout", guess.name, why: "the usual meaning of \(channels) channel(s)")
    }
    return guess
  }
}
