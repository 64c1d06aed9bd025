import AudioCore
import IAMF
import LibAV

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
