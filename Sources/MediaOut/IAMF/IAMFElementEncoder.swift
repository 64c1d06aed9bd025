// SPDX-License-Identifier: Apache-2.0
import AudioCore
import IAMF
import LibAV

/// One element on its way into substreams: its layers, what readers make of them, and the gains that repair the
/// levels of a lossy codec.
final class IAMFElementEncoder {
  private let element: IAMFSettings.Element
  private let splitter: LayerSplitter
  private let reconstructor: ElementReconstructor
  private let repair: IAMFRepair?
  /// Its first coded channel among those of the sequence.
  private let offset: Int
  private let source: AudioBuffer
  private let coded: AudioBuffer
  private let made: AudioBuffer

  /// The elements of a sequence.
  /// - Parameter delay: samples that the encoders put in front.
  /// - Throws: ``MediaError`` when a decoder for recon gains is missing.
  static func all(
    _ settings: IAMFSettings, _ sequence: WrittenSequence, delay: Int
  ) throws -> [IAMFElementEncoder] {
    var (plane, substream) = (0, 0)
    return try settings.elements.enumerated().map { index, element in
      guard let playable = sequence.playable(index) else {
        throw MediaError(.internal, "IAMF: element \(index + 1) can't be played")
      }
      let own = element.written.substreamChannels
      defer { (plane, substream) = (plane + own.reduce(0, +), substream + own.count) }
      return try IAMFElementEncoder(
        element, playable, offset: plane,
        repair: IAMFRepair(
          element.written, playable, substreams: substream..<substream + own.count, delay: delay))
    }
  }

  private init(
    _ element: IAMFSettings.Element, _ playable: PlayableElement, offset: Int, repair: IAMFRepair?
  ) {
    self.element = element
    self.offset = offset
    self.repair = repair
    splitter = LayerSplitter(element.written)
    reconstructor = ElementReconstructor(playable)
    source = AudioBuffer(channels: element.planes.count)
    coded = AudioBuffer(channels: splitter.codedCount)
    made = AudioBuffer(channels: element.planes.count)
  }

  /// Writes the coded channels of `buffer` to their place in `all`, which is as long.
  func split(_ buffer: AudioBuffer, into all: AudioBuffer) {
    element.gather(buffer, into: source)
    repair?.add(source)
    coded.removeAll()
    splitter.split(source, into: coded)
    for channel in 0..<coded.channels {
      _ = all.channel(offset + channel).update(fromContentsOf: coded.channel(channel))
    }
  }

  /// Writes what readers make of the coded channels `all` to the element's planes of `result`, which is as long.
  func predict(_ all: AudioBuffer, into result: AudioBuffer) {
    coded.removeAll()
    coded.grow(by: all.frames)
    for channel in 0..<coded.channels {
      _ = coded.channel(channel).update(fromContentsOf: all.channel(offset + channel))
    }
    made.removeAll()
    reconstructor.reconstruct(coded, TemporalUnit(), into: made)
    for (channel, plane) in element.planes.enumerated() {
      _ = result.channel(plane).update(fromContentsOf: made.channel(channel))
    }
  }

  /// The recon gains of the next unit, by layer; `nil` where the element needs none.
  /// - Parameters:
  ///   - frames: those of all substreams of the sequence.
  ///   - count: samples of the unit.
  /// - Throws: ``LibAVError`` when a frame can't be decoded.
  func reconGains(
    _ frames: [[UInt8]], count: Int
  ) throws -> [ParameterBlock.LayerGains?]? {
    try repair?.gains(frames, count: count)
  }
}

/// Finds the recon gains of an element: decodes its frames again and compares what layers make of them with the
/// original.
final class IAMFRepair {
  private let meter: ReconGainMeter
  private let decoders: [SubstreamDecoder]
  private let substreams: Range<Int>
  private let pieces: [AudioBuffer]
  /// The original, later by the encoder's delay, from the next unit on.
  private let original: AudioBuffer
  private let unit: AudioBuffer
  private let decoded: AudioBuffer

  /// A repair of `element`, whose frames are those of `substreams`; `nil` where it needs no gains.
  /// - Throws: ``MediaError`` when libavcodec has no decoder.
  init?(
    _ element: WrittenElement, _ playable: PlayableElement, substreams: Range<Int>, delay: Int
  ) throws {
    let found: ReconGainMeter?
    do throws(IAMFError) { found = try ReconGainMeter(element, playable.codec) } catch {
      throw MediaError(.internal, "IAMF: \(error.reason)")
    }
    guard let found, case .opus(let config) = playable.codec.decoder else { return nil }
    meter = found
    self.substreams = substreams
    do {
      decoders = try playable.substreamChannels.map {
        try SubstreamDecoder(
          codec: "opus", header: config.identificationHeader(channels: $0), channels: $0,
          sampleRate: OpusConfig.sampleRate)
      }
    } catch let error as LibAVError {
      throw error.failure(
        .unsupportedFeature, "this libavcodec can't decode Opus; install one that can")
    }
    pieces = playable.substreamChannels.map { AudioBuffer(channels: $0) }
    original = AudioBuffer(channels: element.channels.count)
    original.appendSilence(delay)
    unit = AudioBuffer(channels: element.channels.count)
    decoded = AudioBuffer(channels: playable.decodedCount)
  }

  /// Adds samples of the original.
  func add(_ source: AudioBuffer) { original.append(source) }

  /// The gains of the next unit of `count` samples, by layer.
  /// - Parameter frames: those of all substreams of the sequence.
  /// - Throws: ``LibAVError`` when a frame can't be decoded.
  func gains(_ frames: [[UInt8]], count: Int) throws -> [ParameterBlock.LayerGains?] {
    decoded.removeAll()
    decoded.appendSilence(count)
    var plane = 0
    for (index, number) in substreams.enumerated() {
      let piece = pieces[index]
      piece.removeAll()
      try decoders[index].decode(frames[number], into: piece)
      for channel in 0..<piece.channels {
        _ = decoded.channel(plane).update(fromContentsOf: piece.channel(channel).prefix(count))
        plane += 1
      }
    }
    unit.removeAll()
    unit.append(original, range: 0..<min(count, original.frames))
    if unit.frames < count { unit.appendSilence(count - unit.frames) }
    original.removeFirst(min(count, original.frames))
    return meter.gains(original: unit, decoded: decoded)
  }
}
