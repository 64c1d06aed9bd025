// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Platform
import Signal

/// Writes MP3: an ID3v2.3 tag, LAME's tag with exact length, and the frames that LAME makes.
///
/// The tag frame is a hole until all is known. No libavformat: its tag is wrong for some lengths, and its ID3 loses comments.
package final class MP3Writer: PacketSink {
  /// Bytes left free for programs that change tags in place.
  private static let room = 2048
  /// Samples by which every decoder of Layer III is late (528 of the filter bank, and one more); the tag leaves them out.
  private static let decoderDelay = 529

  private let name: String
  private let settings: SoundSettings
  private let frames: FrameEncoder
  private let file: BufferedDescriptor
  /// Bytes in front of the tag frame.
  private let start: Int64
  /// `nil` before the first frame.
  private var tag: LAMETag?
  /// The least bit rate of a frame in kbit/s.
  private var least = Int.max

  /// Starts a file on `descriptor`, which stays the caller's; `name` appears in messages. Former
  /// content is overwritten from the front, and any rest is cut off.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when MP3 can't take the format or the tags, or as
  ///   writing does.
  package init(descriptor: Int32, name: String, settings: SoundSettings) throws {
    guard settings.frames > 0 else {
      throw MediaError(
        .unsupportedFeature, about: name,
        "MP3 can't state that it has no samples; choose another \(setting: .container)")
    }
    self.name = name
    self.settings = settings
    frames = try FrameEncoder(settings.coding, format: settings.format)
    file = BufferedDescriptor(descriptor: descriptor)
    let tags = MP3Writer.tags(settings).bytes(padding: MP3Writer.room)
    guard tags.count <= ID3Block.longest else {
      throw MediaError(
        .unsupportedFeature, about: name,
        "an ID3 tag holds no \(tags.count) bytes; leave tags and pictures out")
    }
    start = Int64(tags.count)
    try file.put(tags, to: name)
  }

  /// Start-up samples that readers drop because of the tag.
  package var initialPadding: Int { frames.encoder.initialPadding }

  /// Always 0: a lossy encoding clips nothing.
  package var clippedSamples: Int64 { frames.clippedSamples }

  /// Always `nil`: readers get other samples than were given.
  package var stored: AudioBuffer? { nil }

  /// Encodes all of `buffer`.
  /// - Throws: ``MediaError`` when it can't be stored.
  package func write(_ buffer: AudioBuffer) throws {
    try put(try FrameEncoder.naming(name, "MP3") { try frames.encode(buffer) })
  }

  /// Encodes the rest and completes the tag frame.
  /// - Throws: as ``write(_:)``.
  package func close() throws {
    try put(try FrameEncoder.naming(name, "MP3") { try frames.finish() })
    try complete()
  }

  /// Writes all packets of `store`, which were encoded with the same settings, and completes the file; takes the place of
  /// ``write(_:)`` and ``close()``.
  /// - Throws: ``MediaError`` when they can't be stored.
  package func write(_ store: PacketStore) throws {
    for number in 0..<store.count { try put([store.packet(number)]) }
    try complete()
  }

  private func put(_ packets: [EncodedPacket]) throws {
    for packet in packets {
      if tag == nil {
        guard let first = LAMETag(before: packet.data) else { throw broken }
        tag = first
        try file.put(first.hole, to: name)
      }
      guard let header = LayerIIIHeader(packet.data), header.size == packet.data.count else {
        throw broken
      }
      least = min(least, header.kilobits)
      tag?.add(packet.data)
      try file.put(packet.data, to: name)
    }
  }

  private func complete() throws {
    guard let frame = tag?.frame(facts) else { throw broken }
    guard file.seek(start, SEEK_SET) == start else {
      throw OutputFailure.error(file.failure, name)
    }
    try file.put(frame, to: name)
    guard file.finish() else { throw OutputFailure.error(file.failure, name) }
  }

  private var broken: MediaError {
    MediaError(.internal, about: name, "the frames of libmp3lame aren't as LAME's tag needs them")
  }

  private var facts: LAMETag.Facts {
    let (options, texts) = (settings.coding.encoderOptions, settings.texts)
    var facts = LAMETag.Facts(
      kilobits: frames.encoder.bitRate / 1000, samples: settings.frames,
      delay: initialPadding - MP3Writer.decoderDelay)
    facts.quality = options["q"].flatMap(Double.init)
    if facts.quality != nil {
      (facts.method, facts.kilobits) = (.quality, least)
    } else if ["1", "true"].contains(options["abr"]) {
      facts.method = .average
    }
    facts.peak = texts.loudness?.replayPeak
    facts.gain = texts.loudness?.replayGain
    facts.albumGain = texts.albumLoudness?.replayGain
    return facts
  }

  /// The tag with who made the file and ReplayGain among its texts.
  private static func tags(_ settings: SoundSettings) -> ID3Block {
    let (texts, rate) = (settings.texts, Int64(settings.format.sampleRate))
    var tags = texts.tags
    tags["encoder"] = texts.maker
    var block = ID3Block(tags, pictures: texts.pictures, version: .third)
    for entry in texts.replayGain { block.add(entry.name, entry.value) }
    block.add(texts.chapters, end: MediaTime(ticks: settings.frames, rate: rate))
    return block
  }
}
