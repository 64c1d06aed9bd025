// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CFFmpeg
import Platform

/// An open media container (AVFormatContext) on a local regular file.
///
/// Reads through its own AVIO on one file descriptor: libav can open nothing else, whatever the
/// content asks for. Only the demuxers of the allow-list may be chosen by probing.
package final class InputContext {
  private var context: UnsafeMutablePointer<AVFormatContext>?
  private let input: FileIO
  private var text = TagText()

  /// Name of the demuxer, e.g. `matroska,webm`.
  package var formatName: String {
    context.map { String(cString: $0.pointee.iformat.pointee.name) } ?? ""
  }

  /// Opens `file`, some bytes of which are shown as `patches` have them, probing its content against `allowed`
  /// demuxer names; with `demuxer` as that format, whatever its content is.
  /// - Throws: ``LibAVError`` when no allowed format fits or the header is damaged.
  package init(
    file: LocalFile, patches: [FilePatch] = [], as demuxer: String? = nil, allowed: [String],
    options: [String: String] = [:]
  ) throws {
    input = try FileIO(file: file, patches: patches)
    var values = options
    values["format_whitelist"] = allowed.joined(separator: ",")
    let dictionary = try OpenOptions(values)
    guard let fresh = avformat_alloc_context() else { throw LibAVError(code: PINNA_ENOMEM) }
    context = fresh
    fresh.pointee.pb = input.handle
    fresh.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
    fresh.pointee.io_open = { _, _, _, _, _ in PINNA_EACCES }
    // The file's name is kept from probing: the bytes decide, never the extension.
    let opened = avformat_open_input(
      &context, "input", demuxer.flatMap { av_find_input_format($0) }, &dictionary.handle)
    guard opened >= 0 else { throw LibAVError(code: opened) }
    if let key = dictionary.unused.first {
      avformat_close_input(&context)
      throw MediaError(
        .usage,
        "\(setting: .demuxerOptions) \(key): the \(file.path) demuxer doesn't know this option; remove it"
      )
    }
    let found = avformat_find_stream_info(context, nil)
    guard found >= 0 else {
      avformat_close_input(&context)
      throw LibAVError(code: found)
    }
    if let context, options["max_size"] == nil { enlargePackets(context) }
  }

  deinit { avformat_close_input(&context) }

  /// Length of the whole file in seconds, as the container states it; `nil` when unknown.
  package var seconds: Double? {
    guard let ticks = context?.pointee.duration, ticks > 0, ticks != PINNA_NOPTS else { return nil }
    return Double(ticks) / Double(AV_TIME_BASE)
  }

  /// Whether the durations are guesses from the bit rate.
  package var durationIsEstimated: Bool {
    context?.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
  }

  /// Container tags; keys lower case.
  package var metadata: [String: String] {
    lowercased(text.entries(of: context?.pointee.metadata))
  }

  /// Container tags in order; names keep their case.
  package var tags: MediaTags { MediaTags(text.list(of: context?.pointee.metadata)) }

  /// Tags of a stream in order; names keep their case.
  package func tags(stream index: Int) -> MediaTags {
    guard let stream = try? rawStream(index) else { return MediaTags() }
    return MediaTags(text.list(of: stream.pointee.metadata))
  }

  /// The encoding that tags and titles are read in which aren't UTF-8.
  package var textEncoding: TextEncoding {
    get { text.encoding }
    set { text.encoding = newValue }
  }

  /// Whether tags or titles are in another encoding than UTF-8.
  package var hasOtherText: Bool {
    guard let context = context?.pointee else { return false }
    var all = [context.metadata]
    all += (0..<Int(context.nb_streams)).map { context.streams[$0]?.pointee.metadata }
    all += (0..<Int(context.nb_chapters)).map { context.chapters[$0]?.pointee.metadata }
    return !all.allSatisfy(TagText.isUTF8)
  }

  /// Chapters, in container order.
  package var chapters: [ChapterInfo] {
    guard let context else { return [] }
    return (0..<Int(context.pointee.nb_chapters)).compactMap { index in
      guard let chapter = context.pointee.chapters[index]?.pointee else { return nil }
      return ChapterInfo(
        start: ChapterInfo.time(chapter.start, chapter.time_base),
        end: ChapterInfo.time(chapter.end, chapter.time_base),
        title: lowercased(text.entries(of: chapter.metadata))["title"])
    }
  }

  /// All streams, in container order.
  package var streams: [StreamInfo] {
    guard let context else { return [] }
    return (0..<Int(context.pointee.nb_streams)).compactMap { index in
      context.pointee.streams[index].map { StreamInfo(stream: $0.pointee, text) }
    }
  }

  /// The format that libavformat takes the bytes of `file` for, among all that it knows: names of its demuxer, and
  /// the title of the format; `nil` for none.
  package static func guess(_ file: LocalFile) -> (names: String, title: String)? {
    guard let input = try? FileIO(file: file) else { return nil }
    var format: UnsafePointer<AVInputFormat>?
    guard av_probe_input_buffer2(input.handle, &format, "input", nil, 0, 0) >= 0, let format else {
      return nil
    }
    let title = format.pointee.long_name.map { String(cString: $0) }
    let names = String(cString: format.pointee.name)
    return (names, title ?? names)
  }

  /// Lets packets of one stream through and drops all others inside the demuxer.
  package func select(stream index: Int) { select(streams: [index]) }

  /// Lets packets of these streams through and drops all others inside the demuxer.
  package func select(streams indices: Set<Int>) {
    guard let context else { return }
    for index in 0..<Int(context.pointee.nb_streams) {
      context.pointee.streams[index]?.pointee.discard =
        indices.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// Reads the next packet; `false` at the end.
  /// - Throws: ``LibAVError`` when reading fails or the container is damaged there.
  package func read(into packet: Packet) throws -> Bool {
    packet.clear()
    let code = av_read_frame(context, packet.handle)
    if code == PINNA_EOF {
      if let failure = input.failure { throw LibAVError(code: failure) }
      return false
    }
    guard code >= 0 else { throw LibAVError(code: code) }
    return true
  }

  /// Moves to a packet of stream `index` in which decoding may begin, at `ticks` of that stream or before,
  /// as far as the demuxer knows; `false` where it can't.
  package func seek(stream index: Int, to ticks: Int64) -> Bool {
    av_seek_frame(context, Int32(clamping: index), ticks, AVSEEK_FLAG_BACKWARD) >= 0
  }

  /// Moves to the packet that begins at this byte of the file; `false` where the demuxer can't.
  package func seek(byte: Int64) -> Bool {
    av_seek_frame(context, -1, byte, AVSEEK_FLAG_BYTE) >= 0
  }

  /// Bytes of the file that were read so far.
  package var bytesRead: Int64 { input.bytesRead }

  /// Byte position after the last read.
  package var bytePosition: Int64 { input.position }

  /// Opens the decoder of stream `index`, which is given packets of at least `leastPacket` bytes.
  /// - Throws: ``LibAVError``, or ``MediaError`` of kind `internal` for a bad index.
  package func makeDecoder(
    stream index: Int, options: [String: String], verifiesChecksums: Bool = true,
    leastPacket: Int = 0
  ) throws -> DecoderContext {
    let stream = try rawStream(index)
    return try DecoderContext(
      parameters: stream.pointee.codecpar, timeBase: stream.pointee.time_base, options: options,
      verifiesChecksums: verifiesChecksums, leastPacket: leastPacket)
  }

  /// The stream itself, which lives as long as the container is open.
  func rawStream(_ index: Int) throws -> UnsafeMutablePointer<AVStream> {
    guard let context, index >= 0, index < Int(context.pointee.nb_streams),
      let stream = context.pointee.streams[index]
    else { throw MediaError(.internal, "no stream \(index)") }
    return stream
  }
}

private func lowercased(_ tags: [String: String]) -> [String: String] {
  Dictionary(tags.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
}

extension StreamInfo {
  init(stream: AVStream, _ text: TagText) {
    let parameters = stream.codecpar.pointee
    let isPicture = stream.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
    index = Int(stream.index)
    id = Int(stream.id)
    kind = StreamInfo.kind(parameters.codec_type, isPicture: isPicture)
    codec = String(cString: avcodec_get_name(parameters.codec_id))
    profile = avcodec_profile_name(parameters.codec_id, parameters.profile).map {
      String(cString: $0)
    }
    tag = StreamInfo.text(tag: parameters.codec_tag)
    sound = SoundInfo(parameters)
    timeBase = (Int64(stream.time_base.num), Int64(stream.time_base.den))
    startTime = stream.start_time == PINNA_NOPTS ? nil : stream.start_time
    duration = stream.duration == PINNA_NOPTS || stream.duration <= 0 ? nil : stream.duration
    extradata = Array(
      UnsafeBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size)))
    metadata = lowercased(text.entries(of: stream.metadata))
    // mkvmerge and others store the mean in a tag, with the language that it's written in after the name or without.
    let stated = metadata["bps"] ?? metadata["bps-eng"]
    bitRate =
      parameters.bit_rate > 0 ? Int(parameters.bit_rate) : stated.flatMap { Int($0) }
    isDefault = stream.disposition & AV_DISPOSITION_DEFAULT != 0
    picture = PictureInfo(stream: stream)
    isOriginal = stream.disposition & AV_DISPOSITION_ORIGINAL != 0
    dispositions = StreamInfo.marks.filter { stream.disposition & $0.flag != 0 }.map(\.name)
  }

  private static let marks: [(name: String, flag: Int32)] = [
    ("forced", AV_DISPOSITION_FORCED), ("comment", AV_DISPOSITION_COMMENT),
    ("dub", AV_DISPOSITION_DUB), ("hearing_impaired", AV_DISPOSITION_HEARING_IMPAIRED),
    ("visual_impaired", AV_DISPOSITION_VISUAL_IMPAIRED),
  ]

  private static func kind(_ type: AVMediaType, isPicture: Bool) -> Kind {
    if isPicture { return .picture }
    switch type {
    case AVMEDIA_TYPE_AUDIO: return .audio
    case AVMEDIA_TYPE_VIDEO: return .video
    case AVMEDIA_TYPE_SUBTITLE: return .subtitle
    default: return .other
    }
  }

  private static func text(tag: UInt32) -> String? {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * UInt32($0))) }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A chapter of a container, with its times in the container's own ticks.
package struct ChapterInfo: Sendable, Hashable {
  /// When it begins on the container's clock.
  package let start: MediaTime
  /// When it ends; damaged files may state any time.
  package let end: MediaTime
  /// Title; `nil` when it has none.
  package let title: String?

  /// A chapter of these values.
  package init(start: MediaTime, end: MediaTime, title: String?) {
    self.start = start
    self.end = end
    self.title = title
  }

  /// `ticks` of `base` seconds as a time; saturated where 64 bits don't hold it.
  static func time(_ ticks: Int64, _ base: AVRational) -> MediaTime {
    let (product, isFar) = ticks.multipliedReportingOverflow(by: Int64(base.num))
    return MediaTime(ticks: isFar ? (ticks < 0 ? .min : .max) : product, rate: Int64(base.den))
  }
}

/// Bytes in a packet of PCM. libavformat before 6.1 hands out 4 KiB, and a packet costs more than decoding it.
private let pcmPacketSize: Int64 = 32768

extension InputContext {
  /// Demuxers of RIFF files, which can be told how large their packets shall be.
  private static let sizedDemuxers: Set = ["wav", "w64"]

  /// Lets the demuxer hand out larger packets, where every stream is PCM: a decoder of anything else may give up
  /// the rest of a packet at the first damaged frame.
  func enlargePackets(_ context: UnsafeMutablePointer<AVFormatContext>) {
    let isPCM = streams.allSatisfy { $0.codec.hasPrefix("pcm_") }
    guard isPCM, InputContext.sizedDemuxers.contains(formatName) else { return }
    // A demuxer that doesn't know the option keeps its size, which is slower and nothing else.
    av_opt_set_int(context.pointee.priv_data, "max_size", pcmPacketSize, 0)
  }
}
