import AudioCore
import IAMF
import LibAV

/// Makes an IAMF sequence: splits elements into layers, encodes substreams and puts temporal units together.
///
/// The units' trimming removes the encoder's start-up samples and what pads the last unit, so that readers play
/// exactly the samples that were pushed.
final class IAMFEncoder {
  /// A temporal unit.
  struct Unit {
    /// Its bytes.
    let bytes: [UInt8]
    /// Its first sample, counted with what is trimmed.
    let start: Int64
    /// Samples that it lasts, without those that are trimmed at the end.
    let duration: Int64
  }

  /// What is written in front of the units.
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
    do throws(IAMFError) {
      sequence = try WrittenSequence(
        elements: settings.elements.map(\.written), codec: substreams.codec, title: settings.title,
        language: settings.language.isEmpty ? nil : settings.language,
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
    guard pushed == settings.frames else {
      throw MediaError(
        .internal, "IAMF: \(pushed) samples were written where \(settings.frames) were announced")
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
    let frames = settings.frames
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
      let end = Int64(substreams.delay) + settings.frames
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
