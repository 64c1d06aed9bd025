// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CSndFile
import LibAV
import Platform
import Signal

/// Writes WAV (WAVE_FORMAT_EXTENSIBLE) or RF64 through libsndfile.
///
/// Knows the length beforehand, so the header is right from the first byte. No PEAK chunk: it holds
/// the time of day, and outputs must repeat. Named samples are written behind what libsndfile wrote: its own
/// support leaves their names out, forgets them in RF64, and damages headers of more than 48 KiB.
package final class WAVWriter: AudioSink {
  /// Samples per channel written so far.
  package private(set) var frames: Int64 = 0
  private let settings: SoundSettings
  private let name: String
  private let file: BufferedDescriptor
  private var handle: OpaquePointer?
  private let samples: StoredSamples
  /// Bytes of the chunks after the samples, and whether sizes have 64 bits.
  private let trailing: [UInt8]
  private let isRF64: Bool
  private var bytes: [UInt8] = []

  /// Starts a file on `descriptor`, which stays open; `name` appears in messages.
  ///
  /// The former content of the descriptor's file is overwritten from the front, and any rest is cut off
  /// at the end by ``close()``; until then it may still be read beyond what has been written.
  /// - Throws: ``MediaError`` of kind `outputUnwritable` or `unsupportedFeature`.
  package init(descriptor: Int32, name: String, settings: SoundSettings) throws {
    self.settings = settings
    self.name = name
    trailing = settings.trailing.flatMap(\.stored)
    isRF64 = settings.needsRF64(with: Int64(trailing.count))
    samples = StoredSamples(
      channels: settings.format.channels, bits: settings.coding.encoding.integerBits,
      dither: settings.coding.dither)
    var info = SF_INFO()
    info.samplerate = Int32(clamping: settings.format.sampleRate)
    info.channels = Int32(settings.format.channels)
    let container = WAVWriter.container(settings, isRF64: isRF64)
    info.format = Int32(bitPattern: UInt32(container)) | WAVWriter.subtype(settings.coding.encoding)
    file = BufferedDescriptor(descriptor: descriptor)
    var callbacks = BufferedDescriptor.callbacks()
    // Unretained: `file` lives as long as the writer, which closes the handle in deinit.
    handle = sf_open_virtual(
      &callbacks, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(file).toOpaque())
    guard handle != nil else {
      if file.failure != 0 { throw OutputFailure.error(file.failure, name) }
      // libsndfile refuses a format that it can write only when it gets no memory.
      if sf_format_check(&info) != 0 { throw OutputFailure.error(ENOMEM, name) }
      throw MediaError(
        .unsupportedFeature, about: name,
        "WAV can't hold \(settings.format.channels) channels at "
          + "\(settings.format.sampleRate) Hz")
    }
    sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
    setChannelMap()
    setTags()
    try setBroadcastInfo()
  }

  deinit { if let handle { sf_close(handle) } }

  /// Whether a WAV file can name every speaker of `layout` in its channel mask.
  package static func carries(_ layout: ChannelLayout) -> Bool { WAVChannelMap.carries(layout) }

  /// Samples that had to be clamped to full scale.
  package var clippedSamples: Int64 { samples.clipped }

  /// The samples of the last block as every reader gets them.
  package var stored: AudioBuffer? { samples.last }

  /// Writes all of `buffer`.
  /// - Throws: ``MediaError`` of kind `diskFull` or `outputUnwritable`.
  package func write(_ buffer: AudioBuffer) throws {
    guard buffer.frames > 0 else { return }
    let samples = samples.take(buffer)
    let encoding = settings.coding.encoding
    let count = buffer.frames * buffer.channels * encoding.bytes
    if bytes.count < count { bytes = [UInt8](repeating: 0, count: count) }
    let written = bytes.withUnsafeMutableBytes { target -> Int in
      guard let base = target.baseAddress else { return 0 }
      samples.pack(0..<samples.frames, as: encoding.format, into: base)
      return Int(sf_write_raw(handle, base, sf_count_t(count)))
    }
    guard written == count else { throw failure() }
    frames += Int64(buffer.frames)
  }

  /// Completes the header and closes libsndfile's handle.
  /// - Throws: ``MediaError`` when the last bytes can't be written.
  package func close() throws {
    guard let open = handle else { return }
    handle = nil
    guard sf_close(open) == 0, appendChunks(), clearMask(), file.finish() else { throw failure() }
  }

  /// Writes the chunks of markers and tags at the end, and the size of the whole into the header; `false` after any
  /// failure.
  private func appendChunks() -> Bool {
    guard !trailing.isEmpty else { return true }
    let end = file.seek(0, SEEK_END)
    // Chunks begin at even places.
    let bytes = (end % 2 == 0 ? [] : [0]) + trailing
    let size = end + Int64(bytes.count) - 8
    // RF64 has the size of the whole in `ds64`, which is its first chunk.
    let (place, field): (Int64, [UInt8]) =
      isRF64
      ? (20, size.littleEndianBytes) : (4, UInt32(clamping: size).littleEndianBytes)
    return end > 0 && put(bytes) && file.seek(place, SEEK_SET) == place && put(field)
  }

  /// Clears the channel mask where no channel has a loudspeaker: libsndfile then makes up one for 1, 2, 4, 6 and 8 channels.
  private func clearMask() -> Bool {
    guard settings.format.layout.unnamed > 0 else { return true }
    // `fmt ` follows the form of WAV, and the 28 bytes of `ds64` in RF64; the mask is its 20th byte.
    let place: Int64 = isRF64 ? 76 : 40
    return file.seek(place, SEEK_SET) == place && put([0, 0, 0, 0])
  }

  private func put(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { file.write($0.baseAddress, $0.count) } == Int64(bytes.count)
  }

  private func failure() -> MediaError {
    guard file.failure == 0 else { return OutputFailure.error(file.failure, name) }
    // Its numbers of errors aren't public, but what it says of them is.
    if String(cString: sf_strerror(handle)).contains("malloc") {
      return OutputFailure.error(ENOMEM, name)
    }
    return MediaError(.internal, about: name, "libsndfile wrote less than it was given")
  }

  /// If the mask can't name the layout, libsndfile would claim a usual one for the channel count;
  /// plain WAV has no mask and claims nothing.
  private static func container(_ settings: SoundSettings, isRF64: Bool) -> Int {
    if isRF64 { return Int(SF_FORMAT_RF64) }
    // Channels without loudspeakers have a mask that says so.
    let hasMask = settings.format.layout.unnamed > 0 || carries(settings.format.layout)
    return Int(hasMask ? SF_FORMAT_WAVEX : SF_FORMAT_WAV)
  }

  private static func subtype(_ encoding: SampleEncoding) -> Int32 {
    switch encoding {
    case .pcm16: return Int32(SF_FORMAT_PCM_16)
    case .pcm24: return Int32(SF_FORMAT_PCM_24)
    case .float32: return Int32(SF_FORMAT_FLOAT)
    }
  }

  private func setChannelMap() {
    let speakers = settings.format.layout.speakers
    var map = speakers.compactMap { WAVChannelMap.position(of: $0) }
    guard map.count == speakers.count else { return }
    let size = Int32(map.count * MemoryLayout<Int32>.stride)
    sf_command(handle, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, size)
  }

  private func setTags() {
    let places: [(chunk: String, place: Int)] = [
      ("INAM", SF_STR_TITLE), ("IART", SF_STR_ARTIST), ("IPRD", SF_STR_ALBUM),
      ("ICMT", SF_STR_COMMENT), ("ICOP", SF_STR_COPYRIGHT), ("ICRD", SF_STR_DATE),
      ("IGNR", SF_STR_GENRE), ("ITRK", SF_STR_TRACKNUMBER),
    ].map { ($0.0, Int($0.1)) }
    let texts = InfoTags(settings.texts.tags).texts
    for (chunk, place) in places {
      guard let text = texts[chunk] else { continue }
      sf_set_string(handle, Int32(place), text)
    }
  }

  private func setBroadcastInfo() throws {
    guard let broadcast = settings.texts.broadcast else { return }
    var chunk = PinnaBroadcastInfo(broadcast, settings.texts.loudness)
    let size = Int32(MemoryLayout<PinnaBroadcastInfo>.size)
    guard sf_command(handle, Int32(SFC_SET_BROADCAST_INFO), &chunk, size) == Int32(SF_TRUE) else {
      throw MediaError(.internal, about: name, "libsndfile refused the bext chunk")
    }
    // libsndfile wrote the header anew, and forgets with the next call that there was no memory for it.
    guard sf_error(handle) == 0 else { throw failure() }
  }
}

extension SoundSettings {
  /// Chunks behind the samples of a WAV file.
  var trailing: [WAVChunk] {
    CuePoint.chunks(of: CuePoint.points(of: texts.chapters, rate: format.sampleRate))
      + WAVChunk.id3(texts)
  }

  /// Whether the data don't fit the 32-bit sizes of a plain WAV file.
  package var needsRF64: Bool {
    needsRF64(with: trailing.reduce(0) { $0 + Int64($1.stored.count) })
  }

  /// ``needsRF64`` with `rest` bytes of chunks after the samples.
  func needsRF64(with rest: Int64) -> Bool {
    let size = frames.multipliedReportingOverflow(
      by: Int64(format.channels * coding.encoding.bytes))
    return size.overflow || size.partialValue > 0xFFFF_0000 - rest
  }
}

/// libsndfile's channel positions.
enum WAVChannelMap {
  /// The position of a speaker; `nil` for those the WAV channel mask can't name.
  static func position(of speaker: Speaker) -> Int32? { positions[speaker] }

  /// Whether every speaker of `layout` has a bit in the WAV channel mask.
  static func carries(_ layout: ChannelLayout) -> Bool {
    layout.unnamed == 0 && layout.speakers.allSatisfy { positions[$0] != nil }
  }

  private static let positions: [Speaker: Int32] = Dictionary(
    uniqueKeysWithValues: [
      (Speaker.frontLeft, SF_CHANNEL_MAP_LEFT), (.frontRight, SF_CHANNEL_MAP_RIGHT),
      (.frontCenter, SF_CHANNEL_MAP_CENTER), (.lowFrequency, SF_CHANNEL_MAP_LFE),
      (.backLeft, SF_CHANNEL_MAP_REAR_LEFT), (.backRight, SF_CHANNEL_MAP_REAR_RIGHT),
      (.frontLeftOfCenter, SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER),
      (.frontRightOfCenter, SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER),
      (.backCenter, SF_CHANNEL_MAP_REAR_CENTER), (.sideLeft, SF_CHANNEL_MAP_SIDE_LEFT),
      (.sideRight, SF_CHANNEL_MAP_SIDE_RIGHT), (.topCenter, SF_CHANNEL_MAP_TOP_CENTER),
      (.topFrontLeft, SF_CHANNEL_MAP_TOP_FRONT_LEFT),
      (.topFrontCenter, SF_CHANNEL_MAP_TOP_FRONT_CENTER),
      (.topFrontRight, SF_CHANNEL_MAP_TOP_FRONT_RIGHT),
      (.topBackLeft, SF_CHANNEL_MAP_TOP_REAR_LEFT),
      (.topBackCenter, SF_CHANNEL_MAP_TOP_REAR_CENTER),
      (.topBackRight, SF_CHANNEL_MAP_TOP_REAR_RIGHT),
    ].map { ($0.0, Int32($0.1)) })
}
