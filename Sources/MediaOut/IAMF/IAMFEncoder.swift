// SPDX-License-Identifier: Apache-2.0
import AudioCore
import IAMF
import ISOBMFF
import LibAV
import Platform

/// Makes an IAMF sequence: splits elements into layers, encodes substreams and puts temporal units together.
///
/// The units' trimming removes the encoder's start-up samples and what pads the last unit, so that readers play
/// exactly the samples that were pushed.
final class IAMFEncoder {
  /// A temporal unit.
  struct Unit {
    let bytes: [UInt8]
    /// Its first sample, counted with what is trimmed.
    let start: Int64
    /// Samples that it lasts, without those that are trimmed at the end.
    let duration: Int64
  }

  /// Sequence that is written in front of the units.
  let sequence: WrittenSequence
  private let settings: IAMFSettings
  private let hasDelimiters: Bool
  private let substreams: IAMFSubstreams
  private let elements: [IAMFElementEncoder]
  private let coded: AudioBuffer
  /// Samples that were pushed.
  private var pushed: Int64 = 0
  /// Units that were made.
  private var made: Int64 = 0

  /// Opens the encoders.
  /// - Parameter hasDelimiters: whether each unit begins with a delimiter, as in a raw file.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` for what can't be written.
  init(_ settings: IAMFSettings, hasDelimiters: Bool) throws {
    self.settings = settings
    self.hasDelimiters = hasDelimiters
    substreams = try IAMFSubstreams(settings)
    let sound = settings.sound
    do throws(IAMFError) {
      sequence = try WrittenSequence(
        elements: settings.elements.map(\.written), codec: substreams.codec,
        title: settings.name, language: sound.language.isEmpty ? nil : sound.language,
        loudness: settings.loudness)
    } catch {
      throw MediaError(.unsupportedFeature, "IAMF can't hold it: \(error.reason)")
    }
    elements = try IAMFElementEncoder.all(settings, sequence, delay: substreams.delay)
    coded = AudioBuffer(channels: settings.substreams.reduce(0, +))
    stored = settings.codec.isLossless ? AudioBuffer(channels: settings.planes) : nil
  }

  /// The samples of the last block as every reader gets them; `nil` for a lossy codec.
  let stored: AudioBuffer?

  /// Samples that had to be clamped to full scale.
  var clippedSamples: Int64 { substreams.clippedSamples }

  /// Start-up samples, which the first units trim.
  var delay: Int { substreams.delay }

  /// Frames that a decoder needs before it is right, as a number ≤ 0.
  var rollDistance: Int { substreams.codec.rollDistance }

  /// Adds `buffer`, which has a plane for each channel of the elements; returns the units that are complete.
  /// - Throws: ``MediaError`` when it can't be encoded.
  func encode(_ buffer: AudioBuffer) throws -> [Unit] {
    guard buffer.frames > 0 else { return [] }
    pushed += Int64(buffer.frames)
    return try naming {
      try push(buffer)
      predict()
      return try units()
    }
  }

  /// Pads the last unit with silence and returns what is left.
  /// - Throws: as ``encode(_:)``.
  func finish() throws -> [Unit] {
    guard pushed == settings.sound.frames else {
      throw MediaError(
        .internal,
        "IAMF: \(pushed) samples were written where \(settings.sound.frames) were announced")
    }
    let silence = AudioBuffer(channels: settings.planes)
    var left = count * Int64(substreams.frameSize) - pushed
    var result: [Unit] = []
    try naming {
      while left > 0 {
        silence.removeAll()
        silence.appendSilence(Int(min(left, Int64(substreams.frameSize))))
        left -= Int64(silence.frames)
        try push(silence)
        result += try units()
      }
      try substreams.finish()
      result += try units()
    }
    guard made == count else {
      throw MediaError(.internal, "IAMF: \(made) units came out where \(count) were due")
    }
    return result
  }

  /// Units in all: start-up samples and programme.
  private var count: Int64 {
    let size = Int64(substreams.frameSize)
    let frames = settings.sound.frames
    return frames == 0 ? 0 : (frames + Int64(substreams.delay) + size - 1) / size
  }

  private func push(_ buffer: AudioBuffer) throws {
    coded.removeAll()
    coded.grow(by: buffer.frames)
    for element in elements { element.split(buffer, into: coded) }
    try substreams.encode(coded)
  }

  /// Makes of the rounded samples of the substreams what readers make of them.
  private func predict() {
    guard let stored, let coded = substreams.stored else { return }
    stored.removeAll()
    stored.grow(by: coded.frames)
    for element in elements { element.predict(coded, into: stored) }
  }

  /// The units whose frames are complete. An encoder may hand out more frames than are due when it is drained.
  private func units() throws -> [Unit] {
    var result: [Unit] = []
    while made < count, let frames = substreams.next() {
      let size = substreams.frameSize
      let start = made * Int64(size)
      let end = Int64(substreams.delay) + settings.sound.frames
      let trim = OBU.Trim(
        start: Int(min(Int64(size), max(0, Int64(substreams.delay) - start))),
        end: Int(max(0, start + Int64(size) - end)))
      let gains = try elements.map { try $0.reconGains(frames, count: size) }
      result.append(
        Unit(
          bytes: sequence.unit(
            frames, trim: trim, reconGains: gains, hasDelimiter: hasDelimiters),
          start: start, duration: Int64(size - trim.end)))
      made += 1
    }
    return result
  }

  private func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as LibAVError {
      throw error.failure(.internal, "a substream of IAMF can't be encoded")
    }
  }
}

/// Everything that must be known of an IAMF sequence before its first sample.
package struct IAMFSettings: Sendable {
  /// An element, and where its channels lie.
  package struct Element: Sendable {
    package var written: WrittenElement
    /// For each channel of it, the plane of what is pushed.
    package var planes: [Int]

    /// An element whose channels lie in `planes`.
    package init(_ written: WrittenElement, planes: [Int]) {
      self.written = written
      self.planes = planes
    }

    /// Makes `result` the element's channels, in its order, of `buffer`, which has all planes.
    package func gather(_ buffer: AudioBuffer, into result: AudioBuffer) {
      result.removeAll()
      result.grow(by: buffer.frames)
      for (channel, plane) in planes.enumerated() {
        _ = result.channel(channel).update(fromContentsOf: buffer.channel(plane))
      }
    }
  }

  /// The sound that is pushed; its title is that of a track of MP4.
  package var sound: SoundSettings
  /// The elements, which one mix sums.
  package var elements: [Element]
  /// Name of the mix; `nil` for no name.
  package var name: String?
  /// How loud the mix is on some layouts.
  package var loudness: [LayoutLoudness] = []

  /// Settings of a mix without a name.
  package init(_ sound: SoundSettings, elements: [Element]) {
    self.sound = sound
    self.elements = elements
  }

  /// Hz; 48,000 for Opus.
  var sampleRate: Int { sound.format.sampleRate }

  /// Codec of the substreams: Opus, FLAC or PCM.
  var codec: AudioEncoding { sound.coding.codec }

  /// Planes of what is pushed.
  var planes: Int { elements.reduce(0) { $0 + $1.planes.count } }

  /// Channels of each substream, 1 or 2.
  var substreams: [Int] { elements.flatMap(\.written.substreamChannels) }
}

/// Writes an IAMF sequence as a file of its own: descriptors, then temporal units with delimiters (IAMF 1.1, 5).
package final class IAMFWriter: AudioSink {
  private let encoder: IAMFEncoder
  private let sink: DescriptorSink

  /// Starts a file on `descriptor`, which stays the caller's; `name` appears in messages. Former content is
  /// overwritten from the front, and any rest is cut off.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` for what can't be written, or as writing does.
  package init(descriptor: Int32, name: String, settings: IAMFSettings) throws {
    encoder = try IAMFEncoder(settings, hasDelimiters: true)
    sink = DescriptorSink(descriptor: descriptor, name: name)
    try sink.write(encoder.sequence.descriptors)
  }

  /// Samples that had to be clamped to full scale; 0 for Opus, which clamps nothing.
  package var clippedSamples: Int64 { encoder.clippedSamples }

  /// The samples of the last block as every reader gets them; `nil` for Opus.
  package var stored: AudioBuffer? { encoder.stored }

  /// Start-up samples of the encoder, which the units trim.
  package var initialPadding: Int { encoder.delay }

  /// Encodes all of `buffer`, which has a plane for each channel of the elements.
  /// - Throws: ``MediaError`` when it can't be stored.
  package func write(_ buffer: AudioBuffer) throws {
    for unit in try encoder.encode(buffer) { try sink.write(unit.bytes) }
  }

  /// Encodes the rest and completes the file.
  /// - Throws: as ``write(_:)``.
  package func close() throws {
    for unit in try encoder.finish() { try sink.write(unit.bytes) }
    try sink.finish()
  }
}

/// Encodes an IAMF track of fragmented MP4: one sample is one temporal unit (IAMF 1.1, 6.3).
package final class IAMFTrack: PushedTrack {
  private let encoder: IAMFEncoder
  package let facts: OutputTrackFacts

  /// Opens the encoders.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` for what can't be written.
  package init(_ settings: IAMFSettings) throws {
    encoder = try IAMFEncoder(settings, hasDelimiters: false)
    let sound = settings.sound
    let configuration = ConfigurationBox(configOBUs: encoder.sequence.descriptors).content
    var facts = OutputTrackFacts(
      .sound, .iamf(configuration: configuration), timescale: settings.sampleRate,
      priming: Int64(encoder.delay), length: sound.frames, startOffset: sound.startOffset)
    facts.language = sound.language
    facts.name = sound.title
    facts.rollDistance = encoder.rollDistance == 0 ? nil : encoder.rollDistance
    self.facts = facts
  }

  /// The codec as HLS and MIME types name it (IAMF 1.1, 6.4).
  package var codec: String { encoder.sequence.codecsText }

  package var clippedSamples: Int64 { encoder.clippedSamples }

  package var stored: AudioBuffer? { encoder.stored }

  package func encode(_ buffer: AudioBuffer) throws -> [MediaSample] {
    try encoder.encode(buffer).map(sample)
  }

  package func finish() throws -> [MediaSample] { try encoder.finish().map(sample) }

  private func sample(_ unit: IAMFEncoder.Unit) -> MediaSample {
    MediaSample(data: unit.bytes, decodeTime: unit.start, duration: unit.duration)
  }
}
