// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Platform

/// The file that holds a track, and what it states about that track.
struct TrackFile {
  let media: MediaFile
  let stream: StreamInfo
  let options: InputOptions
  let log: DiagnosticLog
  /// Looks for contradictions in the container.
  let check: ContainerCheck

  init(media: MediaFile, stream: StreamInfo, options: InputOptions, log: DiagnosticLog) {
    self.media = media
    self.stream = stream
    self.options = options
    self.log = log
    check = ContainerCheck(media: media, stream: stream, log: log)
  }

  /// The file's name.
  var path: String { media.file.path }
  /// Whether the codec gives back exactly what was encoded.
  var isLossless: Bool { stream.sound.isLossless }
  /// Samples of a codec frame; `nil` when they vary.
  var frameSize: Int? { stream.sound.frameSize > 0 ? stream.sound.frameSize : nil }
  /// Whether the stated length is a guess from the bit rate.
  var isLengthEstimated: Bool { media.container?.durationIsEstimated == true }
  /// Whether the container states its length, and the file isn't shorter.
  var isWhole: Bool { media.statesExtent && !media.isCut }
  /// The layout that the container names.
  var statedLayout: ChannelLayout? { stream.sound.layout ?? media.statedLayout(of: stream) }
  /// The order of the sound field that the container names.
  var statedFieldOrder: Int? { stream.sound.fieldOrder }
  /// Channels of plain samples in MP4 by the sample entry; `nil` for other codecs, which count their own.
  var entryChannels: Int? {
    guard stream.codecTraits.isPlain, let count = media.track(of: stream)?.channelCount, count > 0
    else { return nil }
    return count
  }
  /// The sound field that MP4 states in a box of its own, or why that can't be taken.
  var statedSpatialAudio: Result<SpatialAudioBox, SpatialAudioBox.Fault>? {
    media.track(of: stream)?.spatialAudio
  }

  /// The programme of the track: one element, with the facts that the container and the first packet state.
  func programme(
    _ format: TrackFormat, header: DolbyHeader?, downmix: CarriedDownmix?, first: Packet
  ) -> Programme {
    let undecoded = UndecodedSurvey(media, stream, options).find(first)
    var facts = ProgrammeFacts(
      dialnorm: header.map { Double($0.dialnorm) }, hasDynamicRange: header?.hasCompression,
      downmix: downmix,
      // No bitstream that libavcodec decodes states that it is binaural, but MP4's channel layout may.
      virtualization: media.isBinaural(stream) ? .binaural : nil, language: stream.language,
      objects: leavesObjects
        ? .unknown : media.objects(of: stream, header: header, undecoded: undecoded))
    // Pinna decodes those of TrueHD, unless the user names the channels.
    facts.undecoded = stream.codecTraits.objects == .inMajorSync ? nil : undecoded
    // Dialnorm stands in the bitstream itself, and is what its decoders follow.
    if header == nil { facts.loudness = statedLoudness(format) }
    return Programme(
      sampleRate: format.sampleRate, elements: format.elements, facts: facts)
  }

  /// The loudness that MP4 states for the channels as they are; `nil` where it states none.
  private func statedLoudness(_ format: TrackFormat) -> [StatedLoudness]? {
    guard let integrated = media.track(of: stream)?.loudness?.track?.integrated,
      format.elements.count == 1, case .bed(let layout)? = format.elements.first
    else { return nil }
    return [
      StatedLoudness(
        layout: layout, integrated: integrated, doubt: integrated >= 0 ? .implausible : nil)
    ]
  }

  /// Whether the file has metadata of objects that aren't read, because its channels are asked for.
  private var leavesObjects: Bool {
    guard options.asksForChannels, media.master == nil else { return options.asksForChannels }
    return media.format.input?.hasRIFFHeader == true && ObjectScene.isMarked(media.file)
  }

  /// Samples that the track probably has: its duration, else the end that Matroska's DURATION tag states.
  /// That end counts from the start of the file, so the track's start is subtracted. CodecDelay isn't:
  /// the stored times don't know of it, and libavformat has taken it off the track's start.
  func expectedSamples(_ clock: TrackClock) -> Int64? {
    if let samples = media.oggStream(of: stream)?.samples { return samples }
    if let ticks = media.statedLength(of: stream) { return clock.samples(ticks) }
    guard let end = stream.metadata["duration"].flatMap(ClockTime.nanoseconds) else { return nil }
    let samples = MediaTime(ticks: end, rate: 1_000_000_000).samples(at: clock.sampleRate)
    let delay = media.format.input?.startUp == .codecDelay ? stream.sound.initialPadding : 0
    return max(0, samples - clock.samples(stream.startTime ?? 0) - Int64(delay))
  }

  /// Samples of the decode after which nothing of the programme is missing, whatever follows: by the header of the stream, or by
  /// the edit list; `nil` where neither says so. The first decoded sample lies at `origin` on the media's timeline.
  func samplesNeeded(rate: Int, origin: Int64) -> Int64? {
    let facts = media.gaplessFacts(of: stream)
    if let samples = facts.streamSamples ?? MusepackHeader(media.file)?.decodedSamples {
      return samples
    }
    guard facts.rule.end.contains(.editList),
      let edit = try? EditTimeline(facts, rate: rate, log: DiagnosticLog()),
      let length = edit.length
    else { return nil }
    return edit.mediaStart + length - edit.lengthTick - origin
  }

  /// Whether the stated length counts samples. That of MP4 is a guess where the movie is in fragments, and
  /// otherwise the sample table has it; that of a bare stream is none where frames go on after it. The first packet begins with
  /// `head`.
  func countsSamples(_ head: [UInt8]) -> Bool {
    guard let container = media.format.input, container.extent != .boxes else { return false }
    // Without a sound tag (``programmeSamples(_:)``) nobody knows what of MP3's frames is padding.
    guard container.startUp != .infoFrame, !goesBeyondHeader(head) else {
      return false
    }
    return !container.isForPlainSamples || stream.codecTraits.isPlain
  }

  /// Whether a frame at the end of a bare stream begins after the last sample that the header counts.
  private func goesBeyondHeader(_ head: [UInt8]) -> Bool {
    guard head.count > 3, media.format.statesSampleMD5,
      case .numberedFrame(let numbering) = stream.codecTraits.entry,
      let info = FLACStreamInfo(stream.extradata), info.samples > 0
    else { return false }
    // Numbers of samples are taken for those of frames where blocks have several lengths: rather no promise than a wrong one.
    let number = FrameNumber(numbering, of: stream, unit: info.greatestBlock)
    // Larger than frames of real files: 4096 samples of 8 channels with 24 bits have 98,304 bytes.
    let size: Int64 = 131_072
    let tail = media.file.bytes(at: max(0, media.file.size - size), count: Int(size))
    // Rate and bits are those of the first frame, so that hardly anything else is taken for one.
    return tail.indices.dropLast(4).contains { index in
      tail[index] == 0xFF && tail[index + 1] == head[1] && (tail[index + 2] ^ head[2]) & 15 == 0
        && (tail[index + 3] ^ head[3]) & 15 == 0
        && number.sample(tail[index...]).map { $0 >= info.samples } == true
    }
  }

  /// Reports a bare stream of FLAC with more samples than its header counts.
  func compare(_ decoded: Int64) {
    guard media.format.statesSampleMD5, let info = FLACStreamInfo(stream.extradata),
      info.samples > 0, decoded > info.samples
    else { return }
    log.degrade(
      .headerInconsistent,
      "the header counts \(info.samples) samples, but \(decoded) are there; all are taken")
  }

  /// Samples of the programme without start-up and padding; `nil` where no header states them. The number that
  /// libavformat gives for MP3 contains the start-up or doesn't, depending on its version.
  var programmeSamples: Int64? {
    guard media.format.input?.startUp == .infoFrame else { return nil }
    return MP3InfoTag(media.file)?.programmeSamples(media.file)
  }

  /// The refusal of a track without a sample rate.
  var withoutRate: MediaError {
    MediaError(
      .inputUnreadable, about: path, "its header states no sample rate; give an intact copy")
  }

  /// Checks the format of the first frame, which libavcodec decoded as `sampleFormat`, e.g. `s32p`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a rate that can't be worked with, of kind
  ///   `inputUnreadable` for none.
  func check(_ format: TrackFormat, decodedAs sampleFormat: String) throws {
    guard format.sampleRate > 0 else { throw withoutRate }
    guard (2_000...768_000).contains(format.sampleRate) else {
      throw MediaError(
        .unsupportedFeature, about: path,
        "its sample rate of \(format.sampleRate) Hz is outside 2 to 768 kHz; "
          + "check the header")
    }
    let isWide =
      sampleFormat.hasPrefix("s32") && (check.validBits ?? stream.sound.bitsPerSample) > 24
      || sampleFormat.hasPrefix("s64") || sampleFormat.hasPrefix("dbl")
    if stream.sound.isLossless, isWide {
      log.degrade(
        .precision, "samples of more than 24 bits are rounded to 32-bit float (24-bit mantissa)")
    }
  }

  /// Checks what is known only once the whole file has been read.
  /// - Throws: ``MediaError`` of kind `damaged`, or `inputUnreadable` when the file changed meanwhile.
  func close(_ faults: ClockFaults, storesTimes: Bool) throws {
    try check.checkEnd(options.damage)
    faults.report(media.format.input?.clock, storesTimes: storesTimes, to: log)
  }
}

/// Faults of a track's timestamps that show only over all of its packets.
struct ClockFaults {
  private var least: Int64 = .max
  private var greatest: Int64 = .min
  private var missing = 0
  private var count = 0

  /// Timestamps of MPEG systems have 33 bits (ISO/IEC 13818-1, 2.4.3.7).
  private static let period: Int64 = 1 << 33

  /// Notes a packet's presentation time in ticks, as libav unwraps it.
  mutating func note(_ time: Int64?) {
    count += 1
    guard let time else {
      missing += 1
      return
    }
    least = min(least, time)
    greatest = max(greatest, time)
  }

  /// Reports missing timestamps and, for a 33-bit clock, that it wrapped around.
  func report(
    _ clock: ContainerInputTraits.Clock?, storesTimes: Bool, to log: DiagnosticLog
  ) {
    if storesTimes, count > 0, missing == count {
      log.degrade(
        .timestampMissing,
        "no packet has a timestamp, so lost sound can't be noticed; packets are joined as they come"
      )
    }
    guard clock == .stored33Bits, count > missing else { return }
    // libav continues times across the wrap: they then cross 0, or the period.
    let isWrapped = { (turn: Int64) in least < turn && greatest >= turn }
    if isWrapped(0) || isWrapped(ClockFaults.period) {
      log.decide(
        .timestamps, "unwrapped", why: "the container's 33-bit clock wraps around inside the track")
    }
  }
}

/// Times as Matroska's statistics tags write them.
enum ClockTime {
  /// Nanoseconds of `hh:mm:ss.nnnnnnnnn`; `nil` when the text isn't such a time.
  static func nanoseconds(_ text: String) -> Int64? {
    let fields = text.split(separator: ":")
    guard fields.count == 3, let hours = Int64(fields[0]), let minutes = Int64(fields[1]),
      (0..<10_000).contains(hours), (0..<60).contains(minutes)
    else { return nil }
    let parts = fields[2].split(separator: ".", maxSplits: 1)
    guard let whole = parts.first.flatMap({ Int64($0) }), (0..<60).contains(whole) else {
      return nil
    }
    var fraction = parts.count > 1 ? String(parts[1].prefix(9)) : "0"
    fraction += String(repeating: "0", count: 9 - fraction.count)
    guard let nanoseconds = Int64(fraction), nanoseconds >= 0 else { return nil }
    return ((hours * 60 + minutes) * 60 + whole) * 1_000_000_000 + nanoseconds
  }
}

/// The stream header of Musepack 8 (SV8 specification, packet "SH"), whose numbers libavformat rounds to packets.
struct MusepackHeader {
  /// Samples by which any decoder of Musepack is late.
  private static let decoderDelay: Int64 = 481

  /// Samples that the decoder gives up to the end of the programme, its delay and silence in front of it included.
  let decodedSamples: Int64

  /// Reads the header of `file`; `nil` when there is none, or it leaves the length open.
  init?(_ file: LocalFile) {
    // The packet comes first. Its key and size are followed by a checksum, the version of the stream, and the samples.
    let head = file.bytes(at: ID3Tag.length(in: file), count: 32)
    guard head.starts(with: "MPCKSH".utf8), let size = MusepackHeader.number(head.dropFirst(6)),
      let samples = MusepackHeader.number(head.dropFirst(6 + size.length + 5)), samples.value > 0
    else { return nil }
    decodedSamples = samples.value + MusepackHeader.decoderDelay
  }

  /// A number of seven bits a byte, at most eight bytes, of which all but the last have their highest bit set.
  private static func number(_ bytes: ArraySlice<UInt8>) -> (value: Int64, length: Int)? {
    var value: Int64 = 0
    for (index, byte) in bytes.prefix(8).enumerated() {
      value = value << 7 | Int64(byte & 0x7F)
      if byte < 0x80 { return (value, index + 1) }
    }
    return nil
  }
}
